#include "value.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <vector>

namespace cuprum::ptx_test {
namespace {

struct TypeName {
    std::string_view name;
    Type type;
    const char* register_type;
    unsigned bytes;
};
constexpr std::array type_names = {
    TypeName{"pred", Type::pred, "pred", 4},  TypeName{"b8", Type::b8, "b16", 2},
    TypeName{"b16", Type::b16, "b16", 2},     TypeName{"b32", Type::b32, "b32", 4},
    TypeName{"b64", Type::b64, "b64", 8},     TypeName{"b128", Type::b128, "b128", 16},
    TypeName{"f16", Type::f16, "b16", 2},     TypeName{"bf16", Type::bf16, "b16", 2},
    TypeName{"f16x2", Type::f16x2, "b32", 4}, TypeName{"bf16x2", Type::bf16x2, "b32", 4},
    TypeName{"f32x2", Type::f32x2, "b64", 8}, TypeName{"f32", Type::f32, "f32", 4},
    TypeName{"f64", Type::f64, "f64", 8},
};
const TypeName& entry(Type type) {
    return type_names[static_cast<size_t>(type)];
}

bool is_float(Type type) {
    return type >= Type::f16;
}
bool is_pair(Type type) {
    return type == Type::f16x2 || type == Type::bf16x2 || type == Type::f32x2;
}
Type half_of(Type type) {
    return type == Type::f16x2 ? Type::f16 : type == Type::bf16x2 ? Type::bf16 : type == Type::f32x2 ? Type::f32 : type;
}
unsigned half_bits(Type type) {
    return 4 * bytes_of(type);
}

uint64_t mask_of(Type type) {
    if (type == Type::pred) return 1;
    return bytes_of(type) >= 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes_of(type))) - 1;
}

// Expected of a double-precision result, it stands for any NaN: their payloads are left open (ISA 9.7.3).
constexpr uint64_t any_double_nan = 0x7ff8000000000000;

double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 0x3ff;
    double magnitude = 0;
    if (exponent == 31) {
        magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else {
        magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double to_double(Type type, uint64_t bits) {
    switch (type) {
        case Type::f16:
            return half_value(static_cast<uint16_t>(bits));
        case Type::bf16:
            return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
        case Type::f32:
            return std::bit_cast<float>(static_cast<uint32_t>(bits));
        default:
            return std::bit_cast<double>(bits);
    }
}

// The bits of a number that the type holds exactly.
uint64_t exact_bits(Type type, double value, std::string_view text) {
    if (type == Type::f64) return std::bit_cast<uint64_t>(value);
    if (type == Type::f32) {
        const auto narrow = static_cast<float>(value);
        if (narrow == value) return std::bit_cast<uint32_t>(narrow);
    } else {
        for (uint32_t bits = 0; bits < 0x10000; ++bits) {
            const double candidate = to_double(type, bits);
            if (candidate == value && std::signbit(candidate) == std::signbit(value)) return bits;
        }
    }
    throw std::runtime_error("'" + std::string(text) + "' is not exact in " + std::string(entry(type).name));
}

uint64_t parse_float(Type type, std::string_view text) {
    if (text == "nan") {
        switch (type) {
            case Type::f32:
                return 0x7fffffff;
            case Type::f64:
                return any_double_nan;
            default:
                return 0x7fff;
        }
    }
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size() || text.empty()) {
        throw std::runtime_error("'" + copy + "' is no value of " + std::string(entry(type).name));
    }
    // A decimal that a double holds only rounded would be rounded twice on its way to a narrower type.
    return exact_bits(type, value, text);
}

uint64_t parse_integer(Type type, std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = negative ? text.substr(1) : text;
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
        throw std::runtime_error("'" + std::string(text) + "' is no value of " + std::string(entry(type).name));
    }
    if (value > mask_of(type)) {
        throw std::runtime_error("'" + std::string(text) + "' does not fit " + std::string(entry(type).name));
    }
    return (negative ? uint64_t{0} - value : value) & mask_of(type);
}

// NaNs of both signs, quiet and signalling, with payloads high and low: what happens to them differs by instruction.
constexpr auto half_edges = std::to_array<uint64_t>({0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e01, 0x0001,
                                                     0x8001, 0x03ff, 0x0400, 0x7bff, 0x7fff, 0xfe01, 0x7c01, 0xfd00});
constexpr auto bfloat_edges = std::to_array<uint64_t>({0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc1, 0x0001,
                                                       0x8001, 0x007f, 0x0080, 0x7f7f, 0x7fff, 0xffc1, 0x7f81, 0xffa0});
constexpr auto float_edges =
    std::to_array<uint64_t>({0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00001,
                             0x7f800001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0x4f000000,
                             0xcf000000, 0x3f000000, 0x7fffffff, 0xffc00001, 0xff800001, 0x7fa02001});
constexpr auto double_edges = std::to_array<uint64_t>(
    {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
     0xfff0000000000000, 0x7ff8000000000001, 0x7ff0000000000001, 0x0000000000000001, 0x8000000000000001,
     0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x41dfffffffc00000, 0xc3e0000000000000,
     0x3fe0000000000000, 0x7fffffffffffffff, 0xfff8000000000001, 0xfff0000000000001, 0x7ff4123456789abc});

uint64_t random_integer(Type type, std::mt19937_64& random) {
    const uint64_t any = random();
    const unsigned width = 8 * bytes_of(type);
    switch (random() % 6) {
        case 0:
            return any % 64;
        case 1:
            return uint64_t{0} - any % 64;
        case 2:
            return uint64_t{1} << any % width;
        case 3:
            return (uint64_t{1} << any % width) - 1;
        default:
            return any;
    }
}

uint64_t random_float(Type type, std::mt19937_64& random) {
    const uint64_t any = random();
    const uint64_t choice = random() % 8;
    switch (type) {
        case Type::f16:
        case Type::bf16: {
            const auto& edges = type == Type::f16 ? half_edges : bfloat_edges;
            if (choice < 2) return edges[any % edges.size()];
            if (choice < 4) return any;
            // Near one, so that sums and products neither vanish nor overflow.
            return type == Type::f16 ? (any & 0x83ff) + 0x3800 + (any >> 16 & 7) * 0x400
                                     : (any & 0x807f) + 0x3d00 + (any >> 16 & 7) * 0x80;
        }
        case Type::f32:
            if (choice < 2) return float_edges[any % float_edges.size()];
            if (choice < 4) return any;
            return (any & 0x807fffff) + 0x3c000000 + (any >> 32 & 15) * 0x00800000;
        default:
            if (choice < 2) return double_edges[any % double_edges.size()];
            if (choice < 4) return any;
            return (any & 0x800fffffffffffff) + 0x3f80000000000000 + (any >> 52 & 15) * 0x0010000000000000;
    }
}

// The order of floats as integers: neighbours differ by one, both zeros are zero.
int64_t ordinal(Type type, uint64_t bits) {
    const uint64_t sign = uint64_t{1} << (8 * bytes_of(type) - 1);
    const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::optional<Type> type_named(std::string_view name) {
    for (const TypeName& known : type_names) {
        if (known.name == name) return known.type;
    }
    return std::nullopt;
}

const char* register_type(Type type) {
    return entry(type).register_type;
}

unsigned bytes_of(Type type) {
    return entry(type).bytes;
}

Bits parse_value(Type type, std::string_view text) {
    if (is_pair(type) && text.find(':') != std::string_view::npos) {
        const size_t colon = text.find(':');
        const uint64_t upper = parse_value(half_of(type), text.substr(0, colon)).low;
        return {upper << half_bits(type) | parse_value(half_of(type), text.substr(colon + 1)).low, 0};
    }
    if (type == Type::b128) {
        // Both halves in full, so that nothing is left to guess.
        if (!text.starts_with("0x") || text.size() != 34) {
            throw std::runtime_error("'" + std::string(text) + "' is no value of b128: expected 0x and 32 digits");
        }
        return {parse_integer(Type::b64, "0x" + std::string(text.substr(18))),
                parse_integer(Type::b64, text.substr(0, 18))};
    }
    const bool bits = text.starts_with("0x") && text.find('p') == std::string_view::npos;
    if (!is_float(type) || bits || is_pair(type)) return {parse_integer(type, text), 0};
    return {parse_float(type, text), 0};
}

std::string format_value(Type type, Bits bits) {
    std::array<char, 96> text{};
    const int digits = type == Type::pred ? 1 : static_cast<int>(2 * bytes_of(type));
    if (type == Type::b128) {
        std::snprintf(text.data(), text.size(), "0x%016" PRIx64 "%016" PRIx64, bits.high, bits.low);
    } else if (is_float(type) && !is_pair(type)) {
        std::snprintf(text.data(), text.size(), "0x%0*" PRIx64 "(%.9g)", digits, bits.low, to_double(type, bits.low));
    } else {
        std::snprintf(text.data(), text.size(), "0x%0*" PRIx64, digits, bits.low);
    }
    return text.data();
}

Bits random_value(Type type, std::mt19937_64& random) {
    if (is_pair(type)) {
        const uint64_t upper = random_value(half_of(type), random).low;
        return {upper << half_bits(type) | random_value(half_of(type), random).low, 0};
    }
    const uint64_t low = is_float(type) ? random_float(type, random) : random_integer(type, random);
    return {low & mask_of(type), type == Type::b128 ? random() : 0};
}

uint64_t distance_in_ulps(Type type, Bits a, Bits b) {
    const double x = to_double(type, a.low), y = to_double(type, b.low);
    if (std::isnan(x) && std::isnan(y)) return 0;
    if (std::isnan(x) || std::isnan(y) || (std::isinf(x) != std::isinf(y))) return ~uint64_t{0};
    const int64_t m = ordinal(type, a.low), n = ordinal(type, b.low);
    return m > n ? static_cast<uint64_t>(m) - static_cast<uint64_t>(n)
                 : static_cast<uint64_t>(n) - static_cast<uint64_t>(m);
}

bool agrees(Type type, Bits found, Bits expected, const Tolerance& tolerance) {
    if (found == expected) return true;
    if (type == Type::f64 && expected.low == any_double_nan) return std::isnan(to_double(type, found.low));
    if (tolerance.exact() || !is_float(type)) return false;
    if (is_pair(type)) {
        const auto half = [&](Bits bits, unsigned shift) {
            return Bits{bits.low >> shift & mask_of(half_of(type)), 0};
        };
        const unsigned upper = half_bits(type);
        return agrees(half_of(type), half(found, 0), half(expected, 0), tolerance) &&
               agrees(half_of(type), half(found, upper), half(expected, upper), tolerance);
    }
    const double x = to_double(type, found.low), y = to_double(type, expected.low);
    if (!std::isfinite(x) || !std::isfinite(y)) return false;
    if (distance_in_ulps(type, found, expected) <= tolerance.ulps) return true;
    const double error = std::fabs(x - y);
    return error <= tolerance.absolute || error <= tolerance.relative * std::fabs(y);
}

}  // namespace cuprum::ptx_test
