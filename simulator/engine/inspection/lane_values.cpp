#include "engine/inspection/lane_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "engine/checks/text.hpp"

namespace cuprum::simulator {
namespace {

constexpr size_t values_per_line = 8;
// What a register holds that nothing has written (poison_byte).
constexpr unsigned char unwritten = 0xcb;

template <class T>
T read(const std::byte* bytes) {
    T value{};
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <class T>
std::string floating_text(T value) {
    if (std::isnan(value)) return "nan";
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), written.ptr};
}

float half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float magnitude = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                            : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                            : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return (bits >> 15) != 0 ? -magnitude : magnitude;
}

bool is_unwritten(const std::byte* bytes, size_t count) {
    return std::all_of(bytes, bytes + count, [](std::byte byte) { return byte == std::byte{unwritten}; });
}

std::string integer_text(const std::byte* bytes, uint64_t size, bool is_signed) {
    switch (size) {
        case 1:
            return is_signed ? std::to_string(read<int8_t>(bytes)) : std::to_string(read<uint8_t>(bytes));
        case 2:
            return is_signed ? std::to_string(read<int16_t>(bytes)) : std::to_string(read<uint16_t>(bytes));
        case 4:
            return is_signed ? std::to_string(read<int32_t>(bytes)) : std::to_string(read<uint32_t>(bytes));
        case 8:
            return is_signed ? std::to_string(read<int64_t>(bytes)) : std::to_string(read<uint64_t>(bytes));
        default:
            return "?";
    }
}

std::optional<int64_t> whole_number(const std::string& text) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// Whether the values go in equal steps; those that are all the same do not.
bool go_in_steps(const std::vector<std::string>& values) {
    if (values.size() < 4) return false;
    std::optional<uint64_t> step;
    std::optional<int64_t> before;
    for (const std::string& value : values) {
        const std::optional<int64_t> number = whole_number(value);
        if (!number) return false;
        if (before) {
            const uint64_t difference = static_cast<uint64_t>(*number) - static_cast<uint64_t>(*before);
            if (step && *step != difference) return false;
            step = difference;
        }
        before = number;
    }
    return true;
}

}  // namespace

std::string lane_ranges(uint32_t lanes) {
    std::string text;
    for (unsigned lane = 0; lane < 32;) {
        if ((lanes >> lane & 1) == 0) {
            ++lane;
            continue;
        }
        const unsigned first = lane;
        while (lane < 32 && (lanes >> lane & 1) != 0)
            ++lane;
        text += text.empty() ? "" : ", ";
        text += std::to_string(first);
        if (lane - 1 != first) text += "-" + std::to_string(lane - 1);
    }
    return text;
}

std::string lane_values(uint32_t lanes, const std::vector<std::string>& values, const std::string& indent) {
    if (values.empty()) return {};
    if (std::ranges::all_of(values, [&](const std::string& value) { return value == values.front(); }))
        return values.front();
    if (go_in_steps(values)) return values[0] + ", " + values[1] + ", " + values[2] + " ... " + values.back();
    std::vector<unsigned> numbers;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        numbers.push_back(static_cast<unsigned>(std::countr_zero(rest)));
    std::string text;
    for (size_t first = 0; first < values.size(); first += values_per_line) {
        const size_t end = std::min(first + values_per_line, values.size());
        uint32_t here = 0;
        for (size_t k = first; k < end; ++k)
            here |= 1u << numbers[k];
        std::string head = lane_ranges(here) + ":";
        head.resize(std::max<size_t>(head.size(), 7), ' ');
        text += (first == 0 ? "" : "\n" + indent) + head;
        for (size_t k = first; k < end; ++k)
            text += " " + values[k];
    }
    return text;
}

const char* type_name(ScalarType type) {
    static constexpr std::array names = {
        "?",      "b8",     "b16",    "b32",    "b64",    "b128",   "u8",     "u16",     "u32",    "u64",
        "s8",     "s16",    "s32",    "s64",    "f16",    "f16x2",  "bf16",   "bf16x2",  "f32",    "f64",
        "pred",   "u16x2",  "s16x2",  "tf32",   "e4m3x2", "e5m2x2", "e4m3",   "e5m2",    "u4",     "s4",
        "u2",     "s2",     "b1",     "f32x2",  "e2m3x2", "e3m2x2", "e2m1x2", "ue8m0x2", "s2f6x2", "e4m3x4",
        "e5m2x4", "e2m3x4", "e3m2x4", "e2m1x4", "e2m3",   "e3m2",   "e2m1"};
    const auto number = static_cast<size_t>(type);
    return number < names.size() ? names[number] : "?";
}

std::string value_text(const DebugType& type, const std::byte* bytes) {
    if (type.size > 0 && type.size <= 16 && is_unwritten(bytes, type.size) && type.size > 1) return "(unwritten)";
    switch (type.kind) {
        case DebugType::Kind::boolean:
            return read<uint8_t>(bytes) != 0 ? "true" : "false";
        case DebugType::Kind::signed_integer:
            return integer_text(bytes, type.size, true);
        case DebugType::Kind::unsigned_integer:
            return integer_text(bytes, type.size, false);
        case DebugType::Kind::floating:
            return type.size == 8 ? floating_text(read<double>(bytes)) : floating_text(read<float>(bytes));
        case DebugType::Kind::pointer:
            return hexadecimal(read<uint64_t>(bytes));
        default:
            break;
    }
    std::string text = "0x";
    constexpr std::string_view digits = "0123456789abcdef";
    for (uint64_t k = std::min<uint64_t>(type.size, 16); k > 0; --k) {
        const auto byte = static_cast<unsigned>(bytes[k - 1]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string value_text(ScalarType type, const std::byte* bytes) {
    const uint32_t size = ptx::size_of(type);
    if (size > 1 && is_unwritten(bytes, size)) return "(unwritten)";
    switch (type) {
        case ScalarType::f32:
        case ScalarType::tf32:
            return floating_text(read<float>(bytes));
        case ScalarType::f64:
            return floating_text(read<double>(bytes));
        case ScalarType::f16:
            return floating_text(half_value(read<uint16_t>(bytes)));
        case ScalarType::bf16:
            return floating_text(std::bit_cast<float>(uint32_t{read<uint16_t>(bytes)} << 16));
        case ScalarType::f16x2:
            return "{" + floating_text(half_value(read<uint16_t>(bytes))) + "," +
                   floating_text(half_value(read<uint16_t>(bytes + 2))) + "}";
        case ScalarType::bf16x2:
            return "{" + floating_text(std::bit_cast<float>(uint32_t{read<uint16_t>(bytes)} << 16)) + "," +
                   floating_text(std::bit_cast<float>(uint32_t{read<uint16_t>(bytes + 2)} << 16)) + "}";
        case ScalarType::s8:
        case ScalarType::s16:
        case ScalarType::s32:
        case ScalarType::s64:
            return integer_text(bytes, size, true);
        case ScalarType::u8:
        case ScalarType::u16:
        case ScalarType::u32:
        case ScalarType::u64:
            return integer_text(bytes, size, false);
        case ScalarType::b8:
            return hexadecimal(read<uint8_t>(bytes));
        case ScalarType::b16:
            return hexadecimal(read<uint16_t>(bytes));
        case ScalarType::b64:
            return hexadecimal(read<uint64_t>(bytes));
        case ScalarType::b128:
            return hexadecimal(read<uint64_t>(bytes + 8)) + ":" + hexadecimal(read<uint64_t>(bytes));
        default:
            return hexadecimal(read<uint32_t>(bytes));
    }
}

}  // namespace cuprum::simulator
