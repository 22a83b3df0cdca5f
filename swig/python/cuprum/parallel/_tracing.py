"""Python functions as operators: called once with symbols, which write down what is done to them.

What is written down is CUDA C++ with NumPy's meaning: its type promotion, true division of integers, floor division and
remainders with the divisor's sign, minima and maxima that pass NaNs on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import InvalidArgument
from cuprum.parallel._types import cpp_name, is_float, is_narrow_float

if TYPE_CHECKING:
    from typing import TypeAlias

    DType: TypeAlias = np.dtype[Any]
    #: Makes an expression of its operands' texts.
    _Emit: TypeAlias = Callable[..., str]
    Operand: TypeAlias = "Symbol | int | float | complex | np.generic"

_BOOL = np.dtype(np.bool_)
_FLOAT32 = np.dtype(np.float32)
_FLOAT64 = np.dtype(np.float64)


class TraceError(InvalidArgument, TypeError):
    """A Python function that cannot be made into an operator."""


def _error(detail: str, advice: str = "") -> TraceError:
    text = "tracing an operator: " + detail + (f"\n{advice}" if advice else "")
    return TraceError(text, operation="tracing an operator", detail=detail, advice=advice)


_NO_DECISIONS = (
    "use where(condition, a, b), minimum(a, b), maximum(a, b), & and | instead, or give the operator as CUDA C++ text"
)


class Symbol:
    """A value that is known on the device only. Made by tracing. ``dtype`` is NumPy's type of it."""

    __slots__ = ("_arguments", "_emit", "_fields", "dtype")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, dtype: DType, emit: _Emit, arguments: Sequence[Symbol] = ()) -> None:
        """Made by tracing, from other symbols."""
        self.dtype = dtype
        self._emit = emit
        self._arguments = tuple(arguments)
        self._fields: dict[str, Symbol] = {}

    # Fields of structs.

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Symbol:
        names = self.dtype.names
        if names is None or name not in names:
            has = f"has the fields {', '.join(names)}" if names else f"is a {self.dtype} and has no fields"
            raise _error(f"{name!r} was asked of a value that {has}")
        if name not in self._fields:
            field = self.dtype.fields[name][0]  # type: ignore[index]
            self._fields[name] = Symbol(field, lambda a: f"{a}.{name}", [self])
        return self._fields[name]

    # What cannot be known while tracing.

    def __bool__(self) -> bool:
        raise _error(
            "the function decides by a value that is known on the device only (if, and, or, not, min, max)",
            _NO_DECISIONS,
        )

    def _no_number(self, *_: object) -> Any:
        raise _error(
            "the function needs a value that is known on the device only as a Python number",
            "use the functions of cuprum.parallel or NumPy (sqrt, exp, sin, ...), not those of the module math",
        )

    __int__ = __float__ = __complex__ = __index__ = _no_number

    def __iter__(self) -> Any:
        raise _error("the function takes a value of the device apart, or loops over it")

    # Arithmetic.

    def __add__(self, other: Operand) -> Symbol:
        return _arithmetic("+", self, other)

    def __radd__(self, other: Operand) -> Symbol:
        return _arithmetic("+", other, self)

    def __sub__(self, other: Operand) -> Symbol:
        return _arithmetic("-", self, other)

    def __rsub__(self, other: Operand) -> Symbol:
        return _arithmetic("-", other, self)

    def __mul__(self, other: Operand) -> Symbol:
        return _arithmetic("*", self, other)

    def __rmul__(self, other: Operand) -> Symbol:
        return _arithmetic("*", other, self)

    def __truediv__(self, other: Operand) -> Symbol:
        return _divide(self, other)

    def __rtruediv__(self, other: Operand) -> Symbol:
        return _divide(other, self)

    def __floordiv__(self, other: Operand) -> Symbol:
        return _floor_divide(self, other)

    def __rfloordiv__(self, other: Operand) -> Symbol:
        return _floor_divide(other, self)

    def __mod__(self, other: Operand) -> Symbol:
        return _remainder(self, other)

    def __rmod__(self, other: Operand) -> Symbol:
        return _remainder(other, self)

    def __pow__(self, other: Operand) -> Symbol:
        return power(self, other)

    def __rpow__(self, other: Operand) -> Symbol:
        return power(other, self)

    def __and__(self, other: Operand) -> Symbol:
        return _bitwise("&", self, other)

    def __rand__(self, other: Operand) -> Symbol:
        return _bitwise("&", other, self)

    def __or__(self, other: Operand) -> Symbol:
        return _bitwise("|", self, other)

    def __ror__(self, other: Operand) -> Symbol:
        return _bitwise("|", other, self)

    def __xor__(self, other: Operand) -> Symbol:
        return _bitwise("^", self, other)

    def __rxor__(self, other: Operand) -> Symbol:
        return _bitwise("^", other, self)

    def __lshift__(self, other: Operand) -> Symbol:
        return _bitwise("<<", self, other)

    def __rlshift__(self, other: Operand) -> Symbol:
        return _bitwise("<<", other, self)

    def __rshift__(self, other: Operand) -> Symbol:
        return _bitwise(">>", self, other)

    def __rrshift__(self, other: Operand) -> Symbol:
        return _bitwise(">>", other, self)

    def __neg__(self) -> Symbol:
        return _unary("-", self)

    def __pos__(self) -> Symbol:
        return self

    def __invert__(self) -> Symbol:
        return _unary("!" if self.dtype == _BOOL else "~", self)

    def __abs__(self) -> Symbol:
        return absolute(self)

    def __lt__(self, other: Operand) -> Symbol:
        return _compare("<", self, other)

    def __le__(self, other: Operand) -> Symbol:
        return _compare("<=", self, other)

    def __gt__(self, other: Operand) -> Symbol:
        return _compare(">", self, other)

    def __ge__(self, other: Operand) -> Symbol:
        return _compare(">=", self, other)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return _compare("==", self, other)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return _compare("!=", self, other)

    # NumPy's functions.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Symbol:
        function = _UFUNCS.get(ufunc.__name__)
        if method != "__call__" or options or function is None:
            raise _error(f"the function uses numpy.{ufunc.__name__}, which has no meaning on the device here")
        return function(*inputs)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Symbol:
        if function is np.where and len(arguments) == 3 and not options:
            return where(*arguments)
        raise _error(f"the function uses numpy.{function.__name__}, which has no meaning on the device here")


def _is_scalar(value: object) -> bool:
    return isinstance(value, (bool, int, float, complex, np.generic))


def _dtype_of(*values: object) -> DType:
    """The common type by NumPy's rules; Python's own numbers take the others' type where they fit."""
    known: list[Any] = []
    for value in values:
        if isinstance(value, Symbol):
            if value.dtype.names is not None:
                raise _error("a struct is used like a number", "use its fields: a.x, or a['x']")
            known.append(value.dtype)
        elif _is_scalar(value):
            known.append(value if type(value) in (bool, int, float, complex) else value.dtype)  # type: ignore[attr-defined]
        else:
            raise _error(
                f"the function uses a {type(value).__name__} together with values of the device",
                "capture plain numbers; other data goes into an operator's state",
            )
    if all(isinstance(item, np.dtype) for item in known) or any(isinstance(item, np.dtype) for item in known):
        strong = [item for item in known if isinstance(item, np.dtype)]
        result = np.result_type(*strong)
        for weak in (item for item in known if not isinstance(item, np.dtype)):
            result = _with_weak(result, weak)
        return result
    return np.result_type(*known)


def _with_weak(dtype: DType, number: complex) -> DType:
    """NEP 50: a Python number changes the kind of the type, and not its size."""
    if isinstance(number, bool):
        return dtype
    if isinstance(number, int):
        return np.dtype(np.int64) if dtype == _BOOL else dtype
    if isinstance(number, float):
        return dtype if is_float(dtype) or dtype.kind == "c" else _FLOAT64
    if dtype.kind == "c":
        return dtype
    return np.dtype(np.complex64) if dtype == _FLOAT32 or is_narrow_float(dtype) else np.dtype(np.complex128)


def _literal(value: Any, dtype: DType) -> str:
    name = cpp_name(dtype)
    if dtype == _BOOL:
        return "true" if value else "false"
    if dtype.kind in "iu":
        number = int(value)
        limits = np.iinfo(dtype)
        if not limits.min <= number <= limits.max:
            raise _error(f"the number {number} does not fit into {dtype}")
        if number == -(2**63):
            return "(-9223372036854775807LL - 1)"
        return f"static_cast<{name}>({number}{'ULL' if number >= 2**63 else 'LL'})"
    if dtype.kind == "c":
        part = _FLOAT32 if dtype == np.complex64 else _FLOAT64
        pair = complex(value)
        return f"{name}({_literal(pair.real, part)}, {_literal(pair.imag, part)})"
    real_number = float(value)
    if math.isnan(real_number):
        text = "__longlong_as_double(0x7ff8000000000000LL)"
    elif math.isinf(real_number):
        text = "__longlong_as_double(" + ("0x7ff0000000000000LL)" if real_number > 0 else "-0x10000000000000LL)")
    elif dtype == _FLOAT64:
        return f"{real_number!r}"
    else:
        # Rounded to the type on the host, so that the compiler has nothing to round.
        text = f"{float(dtype.type(real_number))!r}"
    return f"static_cast<{name}>({text})"


def _symbol(value: object, dtype: DType) -> Symbol:
    """A value as a symbol of that type."""
    if isinstance(value, Symbol):
        if value.dtype == dtype:
            return value
        if is_narrow_float(value.dtype) and dtype.kind == "c":
            return _symbol(_symbol(value, _FLOAT32), dtype)
        name = cpp_name(dtype)
        if value.dtype.kind == "c" and dtype.kind != "c":
            raise _error(f"a {value.dtype} is used as a {dtype}", "take real(a) or imag(a)")
        return Symbol(dtype, lambda a: f"static_cast<{name}>({a})", [value])
    text = _literal(value, dtype)
    return Symbol(dtype, lambda: text)


def _exact(dtype: DType, text: _Emit) -> _Emit:
    """C++ computes small integers as int; the result is of their own type."""
    if dtype.kind in "iu" and dtype.itemsize < 4:
        name = cpp_name(dtype)
        return lambda *operands: f"static_cast<{name}>({text(*operands)})"
    return text


def _arithmetic(operator: str, left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    if dtype == _BOOL:
        if operator == "-":
            raise _error("bools are subtracted", "use ^ (or !=)")
        operator = "||" if operator == "+" else "&&"
    emit = _exact(dtype, lambda a, b: f"({a} {operator} {b})")
    return Symbol(dtype, emit, [_symbol(left, dtype), _symbol(right, dtype)])


def _floating(*values: object) -> DType:
    """The type that NumPy's functions of floating-point numbers compute in."""
    dtype = _dtype_of(*values)
    if dtype.kind in "biu":
        return _FLOAT64 if dtype.itemsize > 2 else _FLOAT32 if dtype.itemsize == 2 else np.dtype(np.float16)
    return dtype


def _divide(left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    if dtype.kind in "biu":
        dtype = _FLOAT64
    return Symbol(dtype, lambda a, b: f"({a} / {b})", [_symbol(left, dtype), _symbol(right, dtype)])


def _require_real(dtype: DType, what: str) -> None:
    if dtype.kind == "c":
        raise _error(f"{what} of complex numbers is not defined")


def _floor_divide(left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    _require_real(dtype, "//")
    if dtype.kind in "biu":
        dtype = np.dtype(np.int8) if dtype == _BOOL else dtype
        operands = [_symbol(left, dtype), _symbol(right, dtype)]
        if dtype.kind == "u":
            return Symbol(dtype, _exact(dtype, lambda a, b: f"({a} / {b})"), operands)
        emit = _exact(dtype, lambda a, b: f"({a} / {b} - (({a} % {b} != 0) && (({a} < 0) != ({b} < 0))))")
        return Symbol(dtype, emit, operands)
    return floor(_divide(left, right))


def _remainder(left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    _require_real(dtype, "%")
    if dtype.kind in "biu":
        dtype = np.dtype(np.int8) if dtype == _BOOL else dtype
        operands = [_symbol(left, dtype), _symbol(right, dtype)]
        if dtype.kind == "u":
            return Symbol(dtype, _exact(dtype, lambda a, b: f"({a} % {b})"), operands)
        emit = _exact(dtype, lambda a, b: f"({a} % {b} + ((({a} % {b} != 0) && (({a} < 0) != ({b} < 0))) ? {b} : 0))")
        return Symbol(dtype, emit, operands)
    rest = _function("fmod", left, right)
    divisor = _symbol(right, rest.dtype)
    return where((rest != 0) & ((rest < 0) != (divisor < 0)), rest + divisor, rest)


def power(left: Operand, right: Operand) -> Symbol:
    """``left ** right``. Of integers only with a small constant exponent."""
    if isinstance(right, int) and not isinstance(right, bool) and 1 <= right <= 4 and isinstance(left, Symbol):
        result = left
        for _ in range(right - 1):
            result = result * left
        return result
    dtype = _dtype_of(left, right)
    if dtype.kind in "biu":
        raise _error("an integer is raised to a power", "use a constant exponent from 1 to 4, or convert to a float")
    _require_real(dtype, "power")
    return _function("pow", left, right)


def _bitwise(operator: str, left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    if dtype.kind not in "biu":
        raise _error(f"{operator} is used on {dtype}, which has no bits to combine")
    if dtype == _BOOL and operator in "&|":
        operator *= 2
    emit = _exact(dtype, lambda a, b: f"({a} {operator} {b})")
    return Symbol(dtype, emit, [_symbol(left, dtype), _symbol(right, dtype)])


def _unary(operator: str, value: Symbol) -> Symbol:
    dtype = _dtype_of(value)
    if operator == "~" and dtype.kind not in "iu":
        raise _error(f"~ is used on {dtype}, which has no bits")
    return Symbol(dtype, _exact(dtype, lambda a: f"({operator}{a})"), [value])


def _compare(operator: str, left: object, right: object) -> Symbol:
    dtype = _dtype_of(left, right)
    if operator not in ("==", "!="):
        _require_real(dtype, "the order")
    return Symbol(_BOOL, lambda a, b: f"({a} {operator} {b})", [_symbol(left, dtype), _symbol(right, dtype)])


def _function(name: str, *values: object) -> Symbol:
    dtype = _floating(*values)
    _require_real(dtype, name)
    working = _FLOAT32 if is_narrow_float(dtype) else dtype
    result = Symbol(working, lambda *operands: f"{name}({', '.join(operands)})", [_symbol(v, working) for v in values])
    return _symbol(result, dtype)


def _any_symbol(name: str, *values: object) -> None:
    if not any(isinstance(value, Symbol) for value in values):
        raise TypeError(f"{name}() of cuprum.parallel is for operators that are traced; NumPy has one for other values")


def where(condition: Any, left: Any, right: Any) -> Symbol:
    """``left`` where the condition holds, else ``right``: both are computed."""
    _any_symbol("where", condition, left, right)
    if isinstance(left, Symbol) and isinstance(right, Symbol) and left.dtype.names and left.dtype == right.dtype:
        dtype = left.dtype
    else:
        dtype = _dtype_of(left, right)
    chosen = condition if isinstance(condition, Symbol) and condition.dtype == _BOOL else condition != 0
    if not isinstance(chosen, Symbol):
        return _symbol(left if chosen else right, dtype)
    return Symbol(dtype, lambda c, a, b: f"({c} ? {a} : {b})", [chosen, _symbol(left, dtype), _symbol(right, dtype)])


def _extreme(name: str, operator: str, left: object, right: object) -> Symbol:
    _any_symbol(name, left, right)
    dtype = _dtype_of(left, right)
    _require_real(dtype, name)
    operands = [_symbol(left, dtype), _symbol(right, dtype)]
    if not is_float(dtype):
        return Symbol(dtype, lambda a, b: f"({a} {operator} {b} ? {a} : {b})", operands)
    return Symbol(dtype, lambda a, b: f"(({a} {operator} {b} || {a} != {a}) ? {a} : {b})", operands)


def minimum(left: Any, right: Any) -> Symbol:
    """The smaller of the two; a NaN if there is one."""
    return _extreme("minimum", "<", left, right)


def maximum(left: Any, right: Any) -> Symbol:
    """The larger of the two; a NaN if there is one."""
    return _extreme("maximum", ">", left, right)


def absolute(value: Any) -> Symbol:
    """The absolute value."""
    _any_symbol("absolute", value)
    dtype = value.dtype
    if dtype.kind in "bu":
        return _symbol(value, dtype)
    if dtype.kind == "i":
        return Symbol(dtype, _exact(dtype, lambda a: f"({a} < 0 ? -{a} : {a})"), [value])
    if dtype.kind == "c":
        part = _FLOAT32 if dtype == np.complex64 else _FLOAT64
        return Symbol(part, lambda a: f"::cuda::std::abs({a})", [value])
    return _function("fabs", value)


def isnan(value: Any) -> Symbol:
    """Whether the value is not a number."""
    _any_symbol("isnan", value)
    return _compare("!=", value, value)


def _part(name: str, value: Any) -> Symbol:
    _any_symbol(name, value)
    if value.dtype.kind != "c":
        raise _error(f"{name} is taken of {value.dtype}, which is not complex")
    return Symbol(_FLOAT32 if value.dtype == np.complex64 else _FLOAT64, lambda a: f"{a}.{name}()", [value])


def real(value: Any) -> Symbol:
    """The real part of a complex number."""
    return _part("real", value)


def imag(value: Any) -> Symbol:
    """The imaginary part of a complex number."""
    return _part("imag", value)


def _named(name: str, cpp: str, arity: int, doc: str) -> Callable[..., Symbol]:
    def function(*values: Any) -> Symbol:
        if len(values) != arity:
            raise TypeError(f"{name}() takes {arity} value(s), {len(values)} given")
        _any_symbol(name, *values)
        return _function(cpp, *values)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


sqrt = _named("sqrt", "sqrt", 1, "The square root.")
cbrt = _named("cbrt", "cbrt", 1, "The cube root.")
exp = _named("exp", "exp", 1, "e to that power.")
exp2 = _named("exp2", "exp2", 1, "2 to that power.")
expm1 = _named("expm1", "expm1", 1, "exp(a) - 1, exact near 0.")
log = _named("log", "log", 1, "The natural logarithm.")
log2 = _named("log2", "log2", 1, "The logarithm to base 2.")
log10 = _named("log10", "log10", 1, "The logarithm to base 10.")
log1p = _named("log1p", "log1p", 1, "log(1 + a), exact near 0.")
sin = _named("sin", "sin", 1, "The sine.")
cos = _named("cos", "cos", 1, "The cosine.")
tan = _named("tan", "tan", 1, "The tangent.")
arcsin = _named("arcsin", "asin", 1, "The inverse sine.")
arccos = _named("arccos", "acos", 1, "The inverse cosine.")
arctan = _named("arctan", "atan", 1, "The inverse tangent.")
arctan2 = _named("arctan2", "atan2", 2, "The angle of the point (second, first).")
sinh = _named("sinh", "sinh", 1, "The hyperbolic sine.")
cosh = _named("cosh", "cosh", 1, "The hyperbolic cosine.")
tanh = _named("tanh", "tanh", 1, "The hyperbolic tangent.")
hypot = _named("hypot", "hypot", 2, "The length of the vector.")
floor = _named("floor", "floor", 1, "The next integer below, as a float.")
ceil = _named("ceil", "ceil", 1, "The next integer above, as a float.")
trunc = _named("trunc", "trunc", 1, "The next integer towards 0, as a float.")
rint = _named("rint", "rint", 1, "The nearest integer, the even one of two, as a float.")

_UFUNCS: dict[str, Callable[..., Symbol]] = {
    "add": lambda a, b: _arithmetic("+", a, b),
    "subtract": lambda a, b: _arithmetic("-", a, b),
    "multiply": lambda a, b: _arithmetic("*", a, b),
    "divide": _divide,
    "true_divide": _divide,
    "floor_divide": _floor_divide,
    "remainder": _remainder,
    "power": power,
    "less": lambda a, b: _compare("<", a, b),
    "less_equal": lambda a, b: _compare("<=", a, b),
    "greater": lambda a, b: _compare(">", a, b),
    "greater_equal": lambda a, b: _compare(">=", a, b),
    "equal": lambda a, b: _compare("==", a, b),
    "not_equal": lambda a, b: _compare("!=", a, b),
    "bitwise_and": lambda a, b: _bitwise("&", a, b),
    "bitwise_or": lambda a, b: _bitwise("|", a, b),
    "bitwise_xor": lambda a, b: _bitwise("^", a, b),
    "left_shift": lambda a, b: _bitwise("<<", a, b),
    "right_shift": lambda a, b: _bitwise(">>", a, b),
    "logical_and": lambda a, b: _symbol(a, _BOOL) & _symbol(b, _BOOL),
    "logical_or": lambda a, b: _symbol(a, _BOOL) | _symbol(b, _BOOL),
    "logical_not": lambda a: ~_symbol(a, _BOOL),
    "negative": lambda a: _unary("-", a),
    "minimum": minimum,
    "maximum": maximum,
    "absolute": absolute,
    "isnan": isnan,
    **{
        function.__name__: function
        for function in (
            sqrt, cbrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, arcsin, arccos, arctan, arctan2,
            sinh, cosh, tanh, hypot, floor, ceil, trunc, rint,
        )
    },
}  # fmt: skip


class _Writer:
    """A traced result as C++: what is used more than once becomes a variable, all else one expression."""

    def __init__(self, root: Symbol) -> None:
        self._uses: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self.lines: list[str] = []
        self._count(root)

    def _count(self, symbol: Symbol) -> None:
        uses = self._uses.get(id(symbol), 0)
        self._uses[id(symbol)] = uses + 1
        if uses == 0:
            for argument in symbol._arguments:
                self._count(argument)

    def write(self, symbol: Symbol) -> str:
        if id(symbol) in self._names:
            return self._names[id(symbol)]
        # Operands that a template repeats must not be computed twice.
        operands = [self.write(argument) for argument in symbol._arguments]
        text = symbol._emit(*operands)
        repeated = any(text.count(operand) > 1 and not operand.isidentifier() for operand in operands)
        if repeated:
            operands = [self._variable(a, o) for a, o in zip(symbol._arguments, operands, strict=True)]
            text = symbol._emit(*operands)
        if self._uses[id(symbol)] > 1 and symbol._arguments:
            return self._variable(symbol, text)
        return text

    def _variable(self, symbol: Symbol, text: str) -> str:
        if text.isidentifier():
            return text
        name = f"v{len(self._names)}"
        self._names[id(symbol)] = name
        self.lines.append(f"const {cpp_name(symbol.dtype)} {name} = {text};")
        return name


def trace(function: Callable[..., Any], operands: Sequence[DType], result: DType | None) -> tuple[str, DType]:
    """The text of a function of so many operands, and the type of what it returns: ``result`` where that is given.

    A struct is returned as a tuple of its fields, in their order, or as one of the operands.
    """
    symbols = [Symbol(dtype, lambda name=name: name) for name, dtype in zip("ab", operands, strict=False)]
    try:
        value = function(*symbols)
    except TraceError:
        raise
    except TypeError as error:
        raise _error(
            f"calling {getattr(function, '__name__', 'it')!r} with {len(symbols)} device value(s) failed: {error}"
        ) from error
    if isinstance(value, tuple):
        if result is None or result.names is None or len(value) != len(result.names):
            fields = "no struct" if result is None or result.names is None else f"{len(result.names)} fields"
            raise _error(f"the function returns {len(value)} values, expected {fields}")
        parts = [_symbol(part, result.fields[name][0]) for part, name in zip(value, result.names, strict=True)]  # type: ignore[index]
        order = sorted(range(len(parts)), key=lambda i: result.fields[result.names[i]][1])  # type: ignore[index]
        name = cpp_name(result)
        root = Symbol(result, lambda *fields: f"{name}{{{', '.join(fields)}}}", [parts[i] for i in order])
    elif isinstance(value, Symbol):
        if result is not None and (value.dtype.names or result.names) and value.dtype != result:
            raise _error(f"the function returns {value.dtype}, expected {result}")
        root = value if result is None or value.dtype == result else _symbol(value, result)
    elif _is_scalar(value):
        root = _symbol(value, result if result is not None else np.result_type(value))
    else:
        raise _error(f"the function returns a {type(value).__name__}, which is no value of the device")
    writer = _Writer(root)
    text = writer.write(root)
    if not writer.lines:
        return text, root.dtype
    return "\n".join([*writer.lines, f"return {text};"]), root.dtype
