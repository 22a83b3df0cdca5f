"""NumPy's functions of values that are known only on the device.

Where C++ gives another result than NumPy, or none, ``cuprum_arithmetic`` (``parallel/src/arithmetic.cpp``) has NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._symbol import (
    BOOL,
    FLOAT32,
    FLOAT64,
    OPERATIONS,
    Symbol,
    as_symbol,
    common_dtype,
    fits,
    is_operand,
    loop_dtypes,
    trace_error,
)
from cuprum.parallel._types import cpp_name, is_float, is_narrow_float

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType
    from cuprum.parallel._symbol import Operand


def _call(name: str, dtype: DType, *operands: Symbol, root_text: str | None = None) -> Symbol:
    """A function of ``cuprum_arithmetic``, of operands and with a result of one type."""
    cpp = cpp_name(dtype)
    if dtype.kind in "iu" and dtype.itemsize < 4:  # C++ computes in int; the result is of its own type
        return Symbol(
            dtype,
            lambda *texts: f"static_cast<{cpp}>(cuprum_arithmetic::{name}({', '.join(texts)}))",
            operands,
            root_text=root_text,
        )
    return Symbol(dtype, lambda *texts: f"cuprum_arithmetic::{name}({', '.join(texts)})", operands, root_text=root_text)


def _well_known(text: str, *operands: Symbol) -> str | None:
    """The text of an operator over the function's own operands: a well-known operator, if that is all there is."""
    if not all(is_operand(symbol) for symbol in operands):
        return None
    names = [symbol._emit() for symbol in operands]
    return text.format(*names) if len(set(names)) == len(names) else None


def _arithmetic(ufunc: np.ufunc, operator: str, name: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        dtype = loop_dtypes(ufunc, left, right)[-1]
        operands = as_symbol(left, dtype), as_symbol(right, dtype)
        if dtype == BOOL:
            both = "||" if operator == "+" else "&&"
            return Symbol(dtype, lambda a, b: f"({a} {both} {b})", operands)
        if dtype.kind in "iu":
            return _call(name, dtype, *operands, root_text=_well_known(f"({{}} {operator} {{}})", *operands))
        if dtype.kind == "c" and operator == "*":
            return _call("complex_multiply", dtype, *operands)
        return Symbol(dtype, lambda a, b: f"({a} {operator} {b})", operands)

    return function


def _divide(left: object, right: object) -> Symbol:
    dtype = loop_dtypes(np.true_divide, left, right)[-1]
    operands = as_symbol(left, dtype), as_symbol(right, dtype)
    if dtype.kind == "c":
        return _call("complex_divide", dtype, *operands)
    return Symbol(dtype, lambda a, b: f"({a} / {b})", operands)


def _require_real(dtype: DType, what: str) -> None:
    if dtype.kind == "c":
        raise trace_error(f"{what} of complex numbers has no meaning on the device here")


def _in_float(function: Callable[..., Symbol], dtype: DType, *values: object) -> Symbol:
    """Of narrow floats computed in float32, as NumPy does, and rounded once."""
    working = FLOAT32 if is_narrow_float(dtype) else dtype
    return as_symbol(function(working, *(as_symbol(value, working) for value in values)), dtype)


def _floored(ufunc: np.ufunc, name: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        dtype = loop_dtypes(ufunc, left, right)[-1]
        _require_real(dtype, ufunc.__name__)
        return _in_float(lambda working, a, b: _call(name, working, a, b), dtype, as_symbol(left, dtype),
                         as_symbol(right, dtype))  # fmt: skip

    return function


def _product(value: Symbol, count: int) -> Symbol:
    result = value
    for _ in range(count - 1):
        result = result * value
    return result


def power(left: Operand, right: Operand) -> Symbol:
    """``left ** right``, as ``numpy.power``: of integers another integer, which wraps around.

    NumPy raises an error for integers to negative powers: a constant one is a ``TraceError`` here, and one that is
    known only on the device gives 0.
    """
    _any_symbol("power", left, right)
    dtype = loop_dtypes(np.power, left, right)[-1]
    constant = int(right) if isinstance(right, (int, np.integer)) and not isinstance(right, bool) else None
    if dtype.kind in "iu" and constant is not None and constant < 0:
        raise trace_error(f"an integer is raised to the power {constant}", "convert it to a float first: (a * 1.0)")
    base = as_symbol(left, dtype)
    if constant is not None and 1 <= constant <= 4:
        return _in_float(lambda working, value: _product(value, constant), dtype, base)
    _require_real(dtype, "power")
    if dtype.kind in "iu":
        return _call("integer_power", dtype, base, as_symbol(right, dtype))
    return _function("pow", dtype, base, as_symbol(right, dtype))


def _power_operator(left: Operand, right: Operand) -> Symbol:
    """NumPy's ``**`` takes shortcuts for some constants that ``numpy.power`` does not."""
    if isinstance(left, Symbol) and left.dtype == BOOL and type(right) is int and right == 2:
        return OPERATIONS["square"](left)
    if isinstance(left, Symbol) and isinstance(right, float) and not isinstance(right, np.generic):
        dtype = loop_dtypes(np.power, left, right)[-1]
        if dtype.kind == "f" and right in (0.5, -1.0, 2.0, 1.0):
            value = as_symbol(left, dtype)
            if right == 0.5:
                return OPERATIONS["sqrt"](value)
            return _divide(1.0, value) if right == -1.0 else _product(value, int(right))
    return power(left, right)


def _bitwise(ufunc: np.ufunc, operator: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        dtype = loop_dtypes(ufunc, left, right)[-1]
        operands = as_symbol(left, dtype), as_symbol(right, dtype)
        if dtype == BOOL:
            own = "!=" if operator == "^" else operator * 2
            root_text = _well_known("({} ^ {})", *operands) if operator == "^" else None
            return Symbol(dtype, lambda a, b: f"({a} {own} {b})", operands, root_text=root_text)
        if dtype.itemsize >= 4:
            return Symbol(dtype, lambda a, b: f"({a} {operator} {b})", operands)
        name = cpp_name(dtype)
        root_text = _well_known(f"({{}} {operator} {{}})", *operands)
        return Symbol(dtype, lambda a, b: f"static_cast<{name}>({a} {operator} {b})", operands, root_text=root_text)

    return function


def _shift(ufunc: np.ufunc, name: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        dtype = loop_dtypes(ufunc, left, right)[-1]
        return _call(name, dtype, as_symbol(left, dtype), as_symbol(right, dtype))

    return function


def _negative(value: object) -> Symbol:
    dtype = loop_dtypes(np.negative, value)[-1]
    operand = as_symbol(value, dtype)
    if dtype.kind in "iu":
        return _call("negate", dtype, operand, root_text=_well_known("(-{})", operand))
    return Symbol(dtype, lambda a: f"(-{a})", [operand])


def _positive(value: object) -> Symbol:
    return as_symbol(value, loop_dtypes(np.positive, value)[-1])


def _invert(value: object) -> Symbol:
    dtype = loop_dtypes(np.invert, value)[-1]
    operand = as_symbol(value, dtype)
    if dtype == BOOL:
        return Symbol(dtype, lambda a: f"(!{a})", [operand])
    if dtype.itemsize >= 4:
        return Symbol(dtype, lambda a: f"(~{a})", [operand])
    name = cpp_name(dtype)
    return Symbol(dtype, lambda a: f"static_cast<{name}>(~{a})", [operand], root_text=_well_known("(~{})", operand))


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _compare(ufunc: np.ufunc, operator: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        first, second = loop_dtypes(ufunc, left, right)[:2]
        if operator not in ("==", "!="):
            _require_real(first, "the order")
        if not isinstance(left, Symbol) and isinstance(right, Symbol):
            return OPERATIONS[_COMPARISONS[_MIRRORED[operator]]](right, left)
        if isinstance(right, int) and second.kind in "iu" and not fits(right, second):
            return as_symbol(operator in (("!=", "<", "<=") if right > 0 else ("!=", ">", ">=")), BOOL)
        operands = as_symbol(left, first), as_symbol(right, second)
        if first != second:  # int64 and uint64, which C++ would make unsigned
            return _compare_signs(operator, *operands)
        return Symbol(BOOL, lambda a, b: f"({a} {operator} {b})", operands)

    return function


def _compare_signs(operator: str, left: Symbol, right: Symbol) -> Symbol:
    if operator in (">", "<="):
        left, right = right, left
    name = "equal" if operator in ("==", "!=") else "less"
    sign = "!" if operator in ("!=", ">=", "<=") else ""
    return Symbol(BOOL, lambda a, b: f"({sign}cuprum_arithmetic::{name}({a}, {b}))", [left, right])


_COMPARISONS = {
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "==": "equal",
    "!=": "not_equal",
}


def _logical(operator: str) -> Callable[[object, object], Symbol]:
    def function(left: object, right: object) -> Symbol:
        operands = as_symbol(left, BOOL), as_symbol(right, BOOL)
        return Symbol(BOOL, lambda a, b: f"({a} {operator} {b})", operands)

    return function


def _function(cpp: str, dtype: DType, *values: object) -> Symbol:
    def call(working: DType, *operands: Symbol) -> Symbol:
        return Symbol(working, lambda *texts: f"{cpp}({', '.join(texts)})", operands)

    _require_real(dtype, cpp)
    return _in_float(call, dtype, *values)


def _any_symbol(name: str, *values: object) -> None:
    if not any(isinstance(value, Symbol) for value in values):
        raise TypeError(f"{name}() of cuprum.parallel is for operators that are traced; NumPy has one for other values")


def where(condition: Any, left: Any, right: Any) -> Symbol:
    """``left`` where the condition holds, else ``right``, as ``numpy.where``. Both are computed."""
    _any_symbol("where", condition, left, right)
    if isinstance(left, Symbol) and isinstance(right, Symbol) and left.dtype.names and left.dtype == right.dtype:
        dtype = left.dtype
    else:
        dtype = common_dtype(left, right)
    if not isinstance(condition, Symbol):
        return as_symbol(left if condition else right, dtype)
    operands = as_symbol(condition, BOOL), as_symbol(left, dtype), as_symbol(right, dtype)
    return Symbol(dtype, lambda c, a, b: f"({c} ? {a} : {b})", operands)


def _extreme(name: str, ufunc: np.ufunc, left: object, right: object) -> Symbol:
    _any_symbol(name, left, right)
    dtype = loop_dtypes(ufunc, left, right)[-1]
    _require_real(dtype, name)
    return _call(name, dtype, as_symbol(left, dtype), as_symbol(right, dtype))


def minimum(left: Any, right: Any) -> Symbol:
    """The smaller of the two, as ``numpy.minimum``: a NaN if there is one; of zeros of both signs either."""
    return _extreme("minimum", np.minimum, left, right)


def maximum(left: Any, right: Any) -> Symbol:
    """The larger of the two, as ``numpy.maximum``: a NaN if there is one; of zeros of both signs either."""
    return _extreme("maximum", np.maximum, left, right)


def absolute(value: Any) -> Symbol:
    """The absolute value, as ``numpy.absolute``: of the smallest integer itself, of a complex number its length."""
    _any_symbol("absolute", value)
    source, dtype = loop_dtypes(np.absolute, value)
    operand = as_symbol(value, source)
    if dtype.kind in "bu":
        return operand
    if source.kind == "c":
        return Symbol(dtype, lambda a: f"::cuda::std::abs({a})", [operand])
    if dtype.kind == "i":
        return _call("absolute", dtype, operand)
    return _function("fabs", dtype, operand)


def isnan(value: Any) -> Symbol:
    """Whether the value is not a number, as ``numpy.isnan``."""
    _any_symbol("isnan", value)
    if value.dtype.kind == "c":
        either: Symbol = isnan(real(value)) | isnan(imag(value))
        return either
    if not is_float(value.dtype):
        return as_symbol(False, BOOL)
    working = as_symbol(value, FLOAT32 if is_narrow_float(value.dtype) else value.dtype)
    return Symbol(BOOL, lambda a: f"isnan({a})", [working])


def _part(name: str, value: Any) -> Symbol:
    _any_symbol(name, value)
    if value.dtype.kind != "c":
        raise trace_error(f"{name} is taken of {value.dtype}, which is not complex")
    return Symbol(FLOAT32 if value.dtype == np.complex64 else FLOAT64, lambda a: f"{a}.{name}()", [value])


def real(value: Any) -> Symbol:
    """The real part of a complex number."""
    return _part("real", value)


def imag(value: Any) -> Symbol:
    """The imaginary part of a complex number."""
    return _part("imag", value)


def _named(ufunc: np.ufunc, cpp: str, doc: str) -> Callable[..., Symbol]:
    name = ufunc.__name__

    def function(*values: Any) -> Symbol:
        if len(values) != ufunc.nin:
            raise TypeError(f"{name}() takes {ufunc.nin} value(s), {len(values)} given")
        _any_symbol(name, *values)
        *sources, dtype = loop_dtypes(ufunc, *values)
        operands = [as_symbol(value, source) for value, source in zip(values, sources, strict=True)]
        if not is_float(dtype) and dtype.kind != "c":  # floor and the like of integers
            return operands[0]
        return _function(cpp, dtype, *operands)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc} As ``numpy.{name}``."
    return function


sqrt = _named(np.sqrt, "sqrt", "The square root.")
cbrt = _named(np.cbrt, "cbrt", "The cube root.")
exp = _named(np.exp, "exp", "e to that power.")
exp2 = _named(np.exp2, "exp2", "2 to that power.")
expm1 = _named(np.expm1, "expm1", "exp(a) - 1, exact near 0.")
log = _named(np.log, "log", "The natural logarithm.")
log2 = _named(np.log2, "log2", "The logarithm to base 2.")
log10 = _named(np.log10, "log10", "The logarithm to base 10.")
log1p = _named(np.log1p, "log1p", "log(1 + a), exact near 0.")
sin = _named(np.sin, "sin", "The sine.")
cos = _named(np.cos, "cos", "The cosine.")
tan = _named(np.tan, "tan", "The tangent.")
arcsin = _named(np.arcsin, "asin", "The inverse sine.")
arccos = _named(np.arccos, "acos", "The inverse cosine.")
arctan = _named(np.arctan, "atan", "The inverse tangent.")
arctan2 = _named(np.arctan2, "atan2", "The angle of the point (second, first).")
sinh = _named(np.sinh, "sinh", "The hyperbolic sine.")
cosh = _named(np.cosh, "cosh", "The hyperbolic cosine.")
tanh = _named(np.tanh, "tanh", "The hyperbolic tangent.")
hypot = _named(np.hypot, "hypot", "The length of the vector.")
floor = _named(np.floor, "floor", "The next integer below, as a float; integers stay as they are.")
ceil = _named(np.ceil, "ceil", "The next integer above, as a float; integers stay as they are.")
trunc = _named(np.trunc, "trunc", "The next integer towards 0, as a float; integers stay as they are.")
rint = _named(np.rint, "rint", "The nearest integer, the even one of two, as a float.")

OPERATIONS.update(
    {
        "add": _arithmetic(np.add, "+", "add"),
        "subtract": _arithmetic(np.subtract, "-", "subtract"),
        "multiply": _arithmetic(np.multiply, "*", "multiply"),
        "square": lambda a: _product(as_symbol(a, loop_dtypes(np.square, a)[-1]), 2),
        "divide": _divide,
        "true_divide": _divide,
        "floor_divide": _floored(np.floor_divide, "floor_divide"),
        "remainder": _floored(np.remainder, "floor_remainder"),
        "fmod": _floored(np.fmod, "truncating_remainder"),
        "power": power,
        "**": _power_operator,
        "less": _compare(np.less, "<"),
        "less_equal": _compare(np.less_equal, "<="),
        "greater": _compare(np.greater, ">"),
        "greater_equal": _compare(np.greater_equal, ">="),
        "equal": _compare(np.equal, "=="),
        "not_equal": _compare(np.not_equal, "!="),
        "bitwise_and": _bitwise(np.bitwise_and, "&"),
        "bitwise_or": _bitwise(np.bitwise_or, "|"),
        "bitwise_xor": _bitwise(np.bitwise_xor, "^"),
        "left_shift": _shift(np.left_shift, "shift_left"),
        "right_shift": _shift(np.right_shift, "shift_right"),
        "logical_and": _logical("&&"),
        "logical_or": _logical("||"),
        "logical_xor": _logical("!="),
        "logical_not": lambda a: _invert(as_symbol(a, BOOL)),
        "negative": _negative,
        "positive": _positive,
        "invert": _invert,
        "minimum": minimum,
        "maximum": maximum,
        "absolute": absolute,
        "isnan": isnan,
        "where": where,
        **{
            function.__name__: function
            for function in (
                sqrt, cbrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, arcsin, arccos, arctan, arctan2,
                sinh, cosh, tanh, hypot, floor, ceil, trunc, rint,
            )
        },
    }
)  # fmt: skip
