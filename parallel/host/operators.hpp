// The well-known operators on the host: cuda::std's, with results of the types that C++ gives them.
#pragma once

#include <type_traits>

#include "interface.hpp"
#include "numbers.hpp"

namespace cuprum::parallel::host {

// The numbers of OpKind, which tests/unit/parallel/test_host_numbers.cpp compares.
enum Op : OpNumber {
    plus,
    minus,
    multiplies,
    divides,
    modulus,
    minimum,
    maximum,
    bit_and,
    bit_or,
    bit_xor,
    logical_and,
    logical_or,
    equal_to,
    not_equal_to,
    less,
    less_equal,
    greater,
    greater_equal,
    identity,
    negate,
    logical_not,
    bit_not,
};

// Division of integers traps on the host where the device gives an unspecified value: by 0 it is 0 here, and the
// quotient that does not fit is the dividend, which is what wrapping around gives.
template <class T>
T divide(T a, T b) {
    if constexpr (is_integer<T>) {
        if (b == 0) return 0;
        if constexpr (is_signed_integer<T>) {
            if (b == -1) return static_cast<T>(T{0} - a);
        }
    }
    return a / b;
}
template <class T>
T remainder(T a, T b) {
    if (b == 0) return 0;
    if constexpr (is_signed_integer<T>) {
        if (b == -1) return 0;
    }
    return a % b;
}

// Two operands of one type.
template <Op op, class T>
constexpr bool is_defined =
    op == bit_and || op == bit_or || op == bit_xor || op == modulus || op == bit_not ? is_integer<T>
    : op == minimum || op == maximum || (op >= less && op <= greater_equal) || op == logical_and || op == logical_or ||
            op == logical_not
        ? is_real<T>
        : true;

template <Op op, class T>
    requires is_defined<op, T>
auto apply_binary(T first, T second) {
    const auto a = widen(first);
    const auto b = widen(second);
    // Small integers are promoted to int; halves stay what they are.
    using Wide = std::remove_const_t<decltype(a)>;
    const auto narrow = [](auto result) {
        if constexpr (is_small_float<T>) {
            return convert<T>(result);
        } else {
            return result;
        }
    };
    if constexpr (op == plus) {
        return narrow(a + b);
    } else if constexpr (op == minus) {
        return narrow(a - b);
    } else if constexpr (op == multiplies) {
        return narrow(a * b);
    } else if constexpr (op == divides) {
        if constexpr (is_complex<T>) {
            return a / b;
        } else {
            return narrow(divide<decltype(a + b)>(a, b));
        }
    } else if constexpr (op == modulus) {
        return remainder<decltype(a + b)>(a, b);
    } else if constexpr (op == minimum) {
        return b < a ? second : first;
    } else if constexpr (op == maximum) {
        return a < b ? second : first;
    } else if constexpr (op == bit_and) {
        return a & b;
    } else if constexpr (op == bit_or) {
        return a | b;
    } else if constexpr (op == bit_xor) {
        return a ^ b;
    } else if constexpr (op == logical_and) {
        return a != Wide{} && b != Wide{};
    } else if constexpr (op == logical_or) {
        return a != Wide{} || b != Wide{};
    } else if constexpr (op == equal_to) {
        return a == b;
    } else if constexpr (op == not_equal_to) {
        return a != b;
    } else if constexpr (op == less) {
        return a < b;
    } else if constexpr (op == less_equal) {
        return a <= b;
    } else if constexpr (op == greater) {
        return a > b;
    } else {
        static_assert(op == greater_equal);
        return a >= b;
    }
}

template <Op op, class T>
    requires is_defined<op, T>
auto apply_unary(T operand) {
    if constexpr (op == identity) {
        return operand;
    } else if constexpr (op == negate) {
        if constexpr (is_small_float<T>) {
            return T{static_cast<uint16_t>(operand.bits ^ 0x8000U)};
        } else {
            return -operand;
        }
    } else if constexpr (op == logical_not) {
        const auto value = widen(operand);
        return value == decltype(value){};
    } else if constexpr (std::is_same_v<T, bool>) {
        return ~static_cast<int>(operand);
    } else {
        static_assert(op == bit_not);
        return ~operand;
    }
}

// Associative and commutative: what reductions and scans take.
constexpr bool combines(Op op) {
    return op == plus || op == multiplies || op == minimum || op == maximum || op == bit_and || op == bit_or ||
           op == bit_xor || op == logical_and || op == logical_or;
}

}  // namespace cuprum::parallel::host
