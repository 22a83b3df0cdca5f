// What float handlers have in common: flushing, saturation, the NaN that results carry. Part of the sources that are
// compiled once per instruction set.
#pragma once

#include <type_traits>

#include "engine/half.hpp"

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

// Single-precision results are the canonical NaN 0x7fffffff (ISA 9.7.3); double precision keeps what the processor
// made.
template <class T>
inline __attribute__((always_inline)) T canonical(T value) {
    if constexpr (std::is_same_v<T, float>)
        return value != value ? quiet_nan<float>() : value;
    else
        return value;
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
