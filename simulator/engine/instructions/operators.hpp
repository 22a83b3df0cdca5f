// Operators on two integers, of which several sources have need. Part of the sources that are compiled once per
// instruction set.
#pragma once

#include <cstdint>
#include <type_traits>

namespace cuprum::simulator::CUPRUM_BACKEND {

// Two's complement without undefined overflow. Arithmetic on 16 bits is done in 32 to avoid promotion to int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 2, uint32_t, std::make_unsigned_t<T>>;

struct Add {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
};
// Shift amounts beyond the width clamp (ISA 9.7.8.8, 9.7.8.9).
struct Shl {
    template <class T>
    static T apply(T a, uint32_t amount) {
        constexpr uint32_t width = 8 * sizeof(T);
        const T shifted = static_cast<T>(a << (amount & (width - 1)));
        return amount >= width ? T{0} : shifted;
    }
};
struct Shr {
    template <class T>
    static T apply(T a, uint32_t amount) {
        constexpr uint32_t width = 8 * sizeof(T);
        if constexpr (std::is_signed_v<T>) {
            return static_cast<T>(a >> (amount >= width ? width - 1 : amount));
        } else {
            const T shifted = static_cast<T>(a >> (amount & (width - 1)));
            return amount >= width ? T{0} : shifted;
        }
    }
};
struct And {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a & b);
    }
};
struct Or {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a | b);
    }
};
struct Xor {
    template <class T>
    static T apply(T a, T b) {
        return static_cast<T>(a ^ b);
    }
};
struct Min {
    template <class T>
    static T apply(T a, T b) {
        return b < a ? b : a;
    }
};
struct Max {
    template <class T>
    static T apply(T a, T b) {
        return a < b ? b : a;
    }
};

}  // namespace cuprum::simulator::CUPRUM_BACKEND
