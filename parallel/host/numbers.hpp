// The element types on the host. Half and bfloat16 are stored as their bits and computed with as floats: every result
// of one operation is then rounded as the device rounds it.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

namespace cuprum::parallel::host {

struct Half {
    uint16_t bits;
};
struct BFloat16 {
    uint16_t bits;
};

// Branch-free, so that loops over elements become vector code.
inline float to_float(Half half) {
    const uint32_t magnitude = (half.bits & 0x7fffU) << 13;
    // Moves the exponent from half's bias to float's, and makes subnormal numbers normal.
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112F;
    const uint32_t special = (half.bits & 0x7c00U) == 0x7c00U ? 0x7f800000U : 0U;  // infinity and NaN
    const uint32_t sign = (half.bits & 0x8000U) << 16;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | special | sign);
}
inline Half to_half(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (bits >> 16) & 0x8000U;
    const uint32_t magnitude = bits & 0x7fffffffU;
    // Normal results: the exponent moved, and rounded to even by an addition. Subnormal ones: the addition of 0.5
    // leaves the rounded number in the lowest bits of the sum.
    const uint32_t normal = (magnitude - (112U << 23) + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
    const uint32_t subnormal =
        std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<uint32_t>(0.5F);
    uint32_t result = magnitude < (113U << 23) ? subnormal : normal;
    result = magnitude >= (143U << 23) ? 0x7c00U : result;  // 2^16 and more
    result = magnitude > 0x7f800000U ? 0x7fffU : result;    // NaN: the device's own
    return {static_cast<uint16_t>(result | (magnitude > 0x7f800000U ? 0U : sign))};
}

inline float to_float(BFloat16 number) {
    return std::bit_cast<float>(static_cast<uint32_t>(number.bits) << 16);
}
inline BFloat16 to_bfloat16(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    return {static_cast<uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? 0x7fffU : rounded)};
}

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;
template <class T>
constexpr bool is_wide_integer = std::is_same_v<T, Int128> || std::is_same_v<T, UInt128>;

// In the order of TypeKind, which tests/unit/parallel/test_host_numbers.cpp compares.
using Types = std::tuple<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, Half, BFloat16,
                         float, double, std::complex<float>, std::complex<double>, Int128, UInt128>;
template <size_t Index>
using TypeAt = std::tuple_element_t<Index, Types>;

template <class T>
constexpr bool is_small_float = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <class T>
constexpr bool is_complex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <class T>
constexpr bool is_integer = std::is_integral_v<T> || is_wide_integer<T>;
template <class T>
constexpr bool is_signed_integer = (std::is_integral_v<T> && std::is_signed_v<T>) || std::is_same_v<T, Int128>;
template <class T>
constexpr bool is_real = std::is_arithmetic_v<T> || is_small_float<T> || is_wide_integer<T>;

template <class T, size_t Index = 0>
constexpr int32_t number_of() {
    if constexpr (std::is_same_v<T, TypeAt<Index>>) {
        return static_cast<int32_t>(Index);
    } else {
        return number_of<T, Index + 1>();
    }
}

// The float nearest to a number, but odd in its last bit where that is not exact: rounding once more then gives what
// rounding once would.
inline float to_odd_float(double value) {
    const auto nearest = static_cast<float>(value);
    const auto exact = static_cast<double>(nearest);
    if (exact == value || value != value) return nearest;
    auto bits = std::bit_cast<uint32_t>(nearest);
    const bool is_beyond = value < 0 ? exact < value : exact > value;
    if (is_beyond) --bits;
    return std::bit_cast<float>(bits | 1U);
}

// A number as it is computed with.
template <class T>
auto widen(T value) {
    if constexpr (is_small_float<T>) {
        return to_float(value);
    } else {
        return value;
    }
}

template <class From, class To>
constexpr bool is_convertible = is_complex<To> || !is_complex<From>;

// What is out of an integer's range becomes the nearest integer, and a NaN 0, as on the device.
template <class To, class From>
To float_to_integer(From value) {
    if constexpr (is_wide_integer<To> && !std::is_same_v<From, double>) {
        return float_to_integer<To>(static_cast<double>(value));  // exact, and its powers of two reach far enough
    } else {
        constexpr int digits = 8 * static_cast<int>(sizeof(To)) - (is_signed_integer<To> ? 1 : 0);
        constexpr auto largest = static_cast<To>((static_cast<To>(To{1} << (digits - 1)) - 1) * 2 + 1);
        constexpr auto smallest = is_signed_integer<To> ? static_cast<To>(-largest - 1) : To{0};
        constexpr auto low = static_cast<From>(smallest);
        // One more than the largest integer: a power of two, which every floating-point type has.
        constexpr From above = static_cast<From>(To{1} << (digits - 1)) * 2;
        const To inside = value >= low && value < above ? static_cast<To>(value) : To{0};
        const To large = value >= above ? largest : inside;
        return value < low ? smallest : large;
    }
}

template <class To, class From>
    requires is_convertible<From, To>
To convert(From value) {
    if constexpr (std::is_same_v<From, To>) {
        return value;
    } else if constexpr (is_small_float<From>) {
        return convert<To>(to_float(value));
    } else if constexpr (std::is_same_v<To, Half>) {
        if constexpr (std::is_same_v<From, float>) {
            return to_half(value);
        } else {
            return to_half(to_odd_float(static_cast<double>(value)));
        }
    } else if constexpr (std::is_same_v<To, BFloat16>) {
        if constexpr (std::is_same_v<From, float>) {
            return to_bfloat16(value);
        } else {
            return to_bfloat16(to_odd_float(static_cast<double>(value)));
        }
    } else if constexpr (is_complex<To>) {
        using Part = typename To::value_type;
        if constexpr (is_complex<From>) {
            return {static_cast<Part>(value.real()), static_cast<Part>(value.imag())};
        } else {
            return {static_cast<Part>(value), Part{0}};
        }
    } else if constexpr (std::is_same_v<To, bool>) {
        return value != From{};
    } else if constexpr (std::is_floating_point_v<From> && is_integer<To>) {
        return float_to_integer<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

}  // namespace cuprum::parallel::host
