"""What array operations do to one element or to two, as C++ over ``a`` and ``b``.

Both have the type ``T``, the result's, unless it says otherwise: a real operand of a complex result stays real.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

DType = np.dtype[Any]


class Operation(NamedTuple):
    """C++ for each kind of result: real, integer and bool, complex. None where there is no such operation."""

    name: str
    real: str | None
    integer: str | None
    complex: str | None
    #: What stands before the kernel.
    preamble: str = ""
    #: Whether both operands are compared as they are and not in the result's type.
    is_comparison: bool = False

    def text(self, dtype: DType) -> str:
        """The text for operands of that type."""
        text = {"f": self.real, "c": self.complex}.get(dtype.kind, self.integer)
        if text is None:
            raise TypeError(f"{self.name} is not defined for {dtype}")
        return text


def _same(name: str, text: str, *, is_comparison: bool = False) -> Operation:
    return Operation(name, text, text, text, is_comparison=is_comparison)


_INTEGER_POWER = """\
template <class T>
__device__ T cuprum_power(T base, T exponent) {
    if (exponent < T(0)) return base == T(1) ? T(1) : base == T(-1) ? (exponent % T(2) != T(0) ? T(-1) : T(1)) : T(0);
    T result = 1;
    for (; exponent != T(0); exponent = exponent / T(2)) {
        if (exponent % T(2) != T(0)) result = result * base;
        base = base * base;
    }
    return result;
}
__device__ inline bool cuprum_power(bool base, bool exponent) { return base || !exponent; }
"""

# As Python and NumPy divide: the remainder has the divisor's sign. By 0 both are 0.
_FLOOR_DIVISION = """\
template <class T>
__device__ T cuprum_remainder(T a, T b) {
    if (b == T(0)) return T(0);
    if (T(-1) < T(0) && b == T(-1)) return T(0);
    const T rest = a % b;
    return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
}
template <class T>
__device__ T cuprum_floor_divide(T a, T b) {
    if (b == T(0)) return T(0);
    if (T(-1) < T(0) && b == T(-1)) return T(0) - a;
    return (a - cuprum_remainder(a, b)) / b;
}
template <class T>
__device__ T cuprum_real_remainder(T a, T b) {
    const T rest = fmod(a, b);
    if (rest == T(0)) return copysign(T(0), b);
    return (rest < T(0)) != (b < T(0)) ? rest + b : rest;
}
template <class T>
__device__ T cuprum_real_floor_divide(T a, T b) {
    if (b == T(0)) return a / b;
    const T quotient = (a - cuprum_real_remainder(a, b)) / b, whole = floor(quotient);
    return quotient - whole > T(0.5) ? whole + T(1) : whole;
}
"""

_BINARY = [
    _same("add", "a + b"),
    _same("subtract", "a - b"),
    _same("multiply", "a * b"),
    _same("divide", "a / b"),
    Operation("power", "pow(a, b)", "cuprum_power(a, b)", "pow(a, b)", _INTEGER_POWER),
    Operation(
        "floor_divide", "cuprum_real_floor_divide<T>(a, b)", "cuprum_floor_divide<T>(a, b)", None, _FLOOR_DIVISION
    ),
    Operation("remainder", "cuprum_real_remainder<T>(a, b)", "cuprum_remainder<T>(a, b)", None, _FLOOR_DIVISION),
    Operation("bitwise_and", None, "a & b", None),
    Operation("bitwise_or", None, "a | b", None),
    Operation("bitwise_xor", None, "a ^ b", None),
    Operation("left_shift", None, "a << b", None),
    Operation("right_shift", None, "a >> b", None),
    _same("equal", "a == b", is_comparison=True),
    _same("not_equal", "a != b", is_comparison=True),
    *(
        Operation(name, text, text, None, is_comparison=True)
        for name, text in [
            ("less", "a < b"),
            ("less_equal", "a <= b"),
            ("greater", "a > b"),
            ("greater_equal", "a >= b"),
        ]
    ),
    # A number that is not a NaN goes before a NaN, as in C.
    Operation("minimum", "fmin(a, b)", "a < b ? a : b", None),
    Operation("maximum", "fmax(a, b)", "a < b ? b : a", None),
    _same("logical_and", "static_cast<bool>(a) && static_cast<bool>(b)", is_comparison=True),
    _same("logical_or", "static_cast<bool>(a) || static_cast<bool>(b)", is_comparison=True),
    Operation("fmod", "fmod(a, b)", None, None),
    Operation("ldexp", "ldexp(a, static_cast<int>(b))", None, None),
]


def _function(name: str) -> Operation:
    # An integer becomes a double, and the result an integer again.
    return Operation(name, f"{name}(a)", f"{name}(static_cast<double>(a))", f"{name}(a)")


_UNARY = [
    _same("negative", "-a"),
    Operation("absolute", "fabs(a)", "a < T(0) ? T(-a) : a", "abs(a)"),
    Operation("invert", None, "~a", None),
    _same("logical_not", "a == T(0)"),
    _same("copy", "a"),
    _same("real", "real(a)"),
    _same("imag", "imag(a)"),
    Operation("conj", "a", "a", "conj(a)"),
    *map(
        _function, ("exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
    ),
    *(Operation(name, f"{name}(a)", f"{name}(static_cast<double>(a))", None) for name in ("fabs", "ceil", "floor")),
]

#: ``a`` and ``b`` are numbers, ``i`` is the element's index.
ARANGE = _same("arange", "a + static_cast<T>(i) * b")
#: ``a`` and ``c`` are numbers.
MULTIPLY_ADD = _same("multiply_add", "a * b + c * d")
#: By a criterion ``a``, the element ``b`` or ``c``.
IF_POSITIVE = Operation("if_positive", "a > T(0) ? b : c", "a > T(0) ? b : c", None)
IF_NONZERO = _same("where", "a != T(0) ? b : c")
BINARY = {operation.name: operation for operation in _BINARY}
UNARY = {operation.name: operation for operation in _UNARY}
