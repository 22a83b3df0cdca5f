// What float handlers have in common: flushing, saturation, the NaN that results carry. Part of the sources that are
// compiled once per instruction set.
#pragma once

#include <type_traits>

#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

template <class T>
inline __attribute__((always_inline)) T quiet_nan() {
    if constexpr (std::is_same_v<T, float>)
        return bits_float(0x7fffffffu);
    else
        return bits_double(0x7ff8000000000000u);
}

// .ftz: a subnormal becomes a zero of its sign. Only single precision has it.
template <bool Ftz, class T>
inline __attribute__((always_inline)) T flushed(T value) {
    if constexpr (Ftz && std::is_same_v<T, float>) {
        const uint32_t bits = float_bits(value);
        return bits_float((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
    } else {
        return value;
    }
}

// Single-precision results are the canonical NaN 0x7fffffff (ISA 9.7.3); double precision keeps the operand's payload,
// see nan_of.
template <class T>
inline __attribute__((always_inline)) T canonical(T value) {
    if constexpr (std::is_same_v<T, float>)
        return value != value ? quiet_nan<float>() : value;
    else
        return value;
}

inline __attribute__((always_inline)) double quieted(double nan) {
    return bits_double(double_bits(nan) | 0x0008000000000000u);
}

// Which operand's NaN a double-precision result carries: the first one named here that is NaN, quieted, its sign kept.
// The ISA leaves it open; this is what an H200 does. Results that are numbers, and those of single precision, pass.
template <class T, class... Operands>
inline __attribute__((always_inline)) T nan_of(T result, T first, Operands... rest) {
    if constexpr (std::is_same_v<T, double>) {
        if constexpr (sizeof...(rest) != 0) result = nan_of(result, rest...);
        return first != first ? quieted(first) : result;
    } else {
        return result;
    }
}

template <bool Ftz, bool Sat, class T>
inline __attribute__((always_inline)) T finish(T value) {
    T result = flushed<Ftz>(value);
    if constexpr (Sat) {
        // [0, 1]; NaN gives +0.
        result = result > T{0} ? result : T{0};
        return result < T{1} ? result : T{1};
    } else {
        return canonical(result);
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
