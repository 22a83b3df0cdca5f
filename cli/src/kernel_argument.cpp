#include "kernel_argument.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "command_line.hpp"

namespace cuprum::cli {

struct KernelArgument::TypeName {
    const char* name;
    Type type;
    std::size_t size;  // bytes
};

namespace {

constexpr const char* forms =
    "write f32:2.5 for a number, or f32[1000], f32[1000]=1.5, f32[4]=1,2,3,4, i32[1000]=iota for an array; "
    "the types are i8 i16 i32 i64 u8 u16 u32 u64 f32 f64";

[[noreturn]] void refuse(const std::string& text, const std::string& problem) {
    throw UsageError("argument '" + text + "': " + problem, forms);
}

template <class Number>
void append_bytes(std::vector<std::byte>& bytes, Number number) {
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof number);
    std::memcpy(bytes.data() + end, &number, sizeof number);
}

template <class Integer>
void append_integer(std::vector<std::byte>& bytes, const std::string& text, std::string_view given) {
    const bool is_negative = given.starts_with('-');
    std::string_view digits = given.substr(is_negative ? 1 : 0);
    const int base = digits.starts_with("0x") ? 16 : 10;
    digits.remove_prefix(base == 16 ? 2 : 0);
    std::uint64_t magnitude = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
    if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
        refuse(text, "'" + std::string(given) + "' is not a whole number");
    }
    // Hexadecimal digits are the bits: i32:0xffffffff is -1.
    using Unsigned = std::make_unsigned_t<Integer>;
    const std::uint64_t most = is_negative
                                   ? (std::is_signed_v<Integer> ? std::uint64_t{1} << (8 * sizeof(Integer) - 1) : 0)
                               : base == 16 ? std::numeric_limits<Unsigned>::max()
                                            : static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
    if (error == std::errc::result_out_of_range || magnitude > most) {
        refuse(text, "'" + std::string(given) + "' does not fit: the type has " + std::to_string(8 * sizeof(Integer)) +
                         " bits");
    }
    append_bytes(bytes, static_cast<Integer>(is_negative ? std::uint64_t{0} - magnitude : magnitude));
}

template <class Float>
void append_float(std::vector<std::byte>& bytes, const std::string& text, std::string_view given) {
    Float number = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error == std::errc::invalid_argument || end != given.data() + given.size()) {
        refuse(text, "'" + std::string(given) + "' is not a number");
    }
    if (error == std::errc::result_out_of_range) {
        refuse(text, "'" + std::string(given) + "' does not fit: the type has " + std::to_string(8 * sizeof(Float)) +
                         " bits");
    }
    append_bytes(bytes, number);
}

template <class Number>
Number read_element(const std::vector<std::byte>& bytes, std::size_t index) {
    Number number;
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
}

std::string float_text(double number, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, number);
    return text;
}

}  // namespace

const KernelArgument::TypeName& KernelArgument::find_type(const std::string& text, std::string_view name) {
    static constexpr TypeName names[] = {
        {"i8", Type::i8, 1},   {"i16", Type::i16, 2}, {"i32", Type::i32, 4}, {"i64", Type::i64, 8},
        {"u8", Type::u8, 1},   {"u16", Type::u16, 2}, {"u32", Type::u32, 4}, {"u64", Type::u64, 8},
        {"f32", Type::f32, 4}, {"f64", Type::f64, 8},
    };
    for (const TypeName& known : names) {
        if (name == known.name) {
            return known;
        }
    }
    refuse(text, name.empty() || name == text ? "it has no type" : "there is no type '" + std::string(name) + "'");
}

const KernelArgument::TypeName& KernelArgument::name_of(Type type) {
    constexpr const char* names[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};
    return find_type({}, names[static_cast<std::size_t>(type)]);
}

KernelArgument::KernelArgument(const std::string& text) {
    const std::size_t end_of_type = std::min(text.find_first_of(":["), text.size());
    const TypeName& type = find_type(text, std::string_view(text).substr(0, end_of_type));
    type_ = type.type;
    if (end_of_type == text.size()) {
        refuse(text, "it has no value");
    }
    if (text[end_of_type] == ':') {
        append(text, std::string_view(text).substr(end_of_type + 1));
        return;
    }
    is_array_ = true;
    const std::size_t bracket = text.find(']', end_of_type);
    if (bracket == std::string::npos) {
        refuse(text, "the ']' is missing");
    }
    const std::string length_text = text.substr(end_of_type + 1, bracket - end_of_type - 1);
    const auto length = parse_whole_number(length_text);
    if (!length || *length > std::numeric_limits<std::uint32_t>::max()) {
        refuse(text, "'" + length_text + "' is not a number of elements");
    }
    const std::string_view rest = std::string_view(text).substr(bracket + 1);
    if (!rest.empty() && rest[0] != '=') {
        refuse(text, "'=' is expected behind ']'");
    }
    fill(text, rest.empty() ? rest : rest.substr(1), *length);
    if (rest == "=") {
        refuse(text, "there is nothing behind '='");
    }
}

void KernelArgument::fill(const std::string& text, std::string_view values, std::size_t length) {
    if (values.empty()) {
        bytes_.resize(length * name_of(type_).size);
        return;
    }
    bytes_.reserve(length * name_of(type_).size);
    if (values == "iota") {
        for (std::size_t i = 0; i < length; ++i) {
            append_index(i);
        }
        return;
    }
    if (values.find(',') == std::string_view::npos) {
        append(text, values);
        const std::vector<std::byte> element = bytes_;
        bytes_.clear();
        for (std::size_t i = 0; i < length; ++i) {
            bytes_.insert(bytes_.end(), element.begin(), element.end());
        }
        return;
    }
    std::size_t count = 0;
    for (std::size_t start = 0; start <= values.size(); ++count) {
        const std::size_t comma = std::min(values.find(',', start), values.size());
        append(text, values.substr(start, comma - start));
        start = comma + 1;
    }
    if (count != length) {
        refuse(text, "it has " + std::to_string(count) + " values for " + std::to_string(length) + " elements");
    }
}

void KernelArgument::append(const std::string& text, std::string_view number) {
    switch (type_) {
        case Type::i8:
            return append_integer<std::int8_t>(bytes_, text, number);
        case Type::i16:
            return append_integer<std::int16_t>(bytes_, text, number);
        case Type::i32:
            return append_integer<std::int32_t>(bytes_, text, number);
        case Type::i64:
            return append_integer<std::int64_t>(bytes_, text, number);
        case Type::u8:
            return append_integer<std::uint8_t>(bytes_, text, number);
        case Type::u16:
            return append_integer<std::uint16_t>(bytes_, text, number);
        case Type::u32:
            return append_integer<std::uint32_t>(bytes_, text, number);
        case Type::u64:
            return append_integer<std::uint64_t>(bytes_, text, number);
        case Type::f32:
            return append_float<float>(bytes_, text, number);
        case Type::f64:
            return append_float<double>(bytes_, text, number);
    }
}

// Wraps around in a type that has too few bits, as a kernel's own counter would.
void KernelArgument::append_index(std::size_t index) {
    if (type_ == Type::f32) {
        return append_bytes(bytes_, static_cast<float>(index));
    }
    if (type_ == Type::f64) {
        return append_bytes(bytes_, static_cast<double>(index));
    }
    const std::uint64_t number = index;  // little-endian, as every machine that CUDA runs on
    const auto* const first = reinterpret_cast<const std::byte*>(&number);
    bytes_.insert(bytes_.end(), first, first + name_of(type_).size);
}

std::size_t KernelArgument::element_size() const {
    return name_of(type_).size;
}

std::string KernelArgument::type_text() const {
    const std::string name = name_of(type_).name;
    return is_array_ ? name + "[" + std::to_string(length()) + "]" : name;
}

std::string KernelArgument::element(std::size_t index, bool with_all_digits) const {
    switch (type_) {
        case Type::i8:
            return std::to_string(read_element<std::int8_t>(bytes_, index));
        case Type::i16:
            return std::to_string(read_element<std::int16_t>(bytes_, index));
        case Type::i32:
            return std::to_string(read_element<std::int32_t>(bytes_, index));
        case Type::i64:
            return std::to_string(read_element<std::int64_t>(bytes_, index));
        case Type::u8:
            return std::to_string(read_element<std::uint8_t>(bytes_, index));
        case Type::u16:
            return std::to_string(read_element<std::uint16_t>(bytes_, index));
        case Type::u32:
            return std::to_string(read_element<std::uint32_t>(bytes_, index));
        case Type::u64:
            return std::to_string(read_element<std::uint64_t>(bytes_, index));
        case Type::f32:
            return float_text(read_element<float>(bytes_, index), with_all_digits ? 9 : 6);
        case Type::f64:
            return float_text(read_element<double>(bytes_, index), with_all_digits ? 17 : 6);
    }
    return {};
}

}  // namespace cuprum::cli
