"""Values that are known only on the device, and constants among them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._errors import InvalidArgument
from cuprum.parallel._promotion import common_type, is_weak, loop_types
from cuprum.parallel._types import cpp_name, is_narrow_float

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum.parallel._promotion import DType

    #: Makes an expression of its operands' texts. Each of them appears in it once.
    Emit: TypeAlias = Callable[..., str]
    Operand: TypeAlias = "Symbol | int | float | complex | np.generic"

BOOL = np.dtype(np.bool_)
FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)


class TraceError(InvalidArgument, TypeError):
    """A Python function cannot be made into an operator. The message says why, and what to write instead."""


def trace_error(detail: str, advice: str = "") -> TraceError:
    text = "tracing an operator: " + detail + (f"\n{advice}" if advice else "")
    return TraceError(text, operation="tracing an operator", detail=detail, advice=advice)


_NO_DECISIONS = (
    "use where(condition, a, b), minimum(a, b), maximum(a, b), & and | instead, or give the operator as CUDA C++ text"
)

#: What operators and ufuncs make, by the ufuncs' names. Filled by ``_operations``.
OPERATIONS: dict[str, Callable[..., Symbol]] = {}


class Symbol:
    """A value that is known only on the device. Functions that become operators see symbols; do not make them yourself.

    Python's operators, NumPy's ufuncs and the functions of ``cuprum.parallel`` work on it as NumPy's do on an array's
    element. The fields of a struct are ``a.x``, ``a["x"]`` or, by their order, ``a[0]``. What needs the value itself is
    a ``TraceError``, and so is ``if`` where a function cannot be translated. ``dtype`` is NumPy's type of the value.
    """

    __slots__ = ("_arguments", "_emit", "_fields", "_root_text", "dtype")
    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, dtype: DType, emit: Emit, arguments: Sequence[Symbol] = (), *, root_text: str | None = None
    ) -> None:
        """``root_text``: the expression to use as the whole function."""
        #: The NumPy type of the value.
        self.dtype = dtype
        self._emit = emit
        self._arguments = tuple(arguments)
        self._fields: dict[str, Symbol] = {}
        self._root_text = root_text

    # Fields of structs.

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str | int) -> Symbol:
        names = self.dtype.names
        if isinstance(name, (int, np.integer)) and names is not None:
            if not -len(names) <= name < len(names):
                raise trace_error(f"field {name} was asked of a value that has {len(names)}")
            name = names[name]
        if names is None or name not in names:
            has = f"has the fields {', '.join(names)}" if names else f"is a {self.dtype} and has no fields"
            raise trace_error(f"{name!r} was asked of a value that {has}")
        if name not in self._fields:
            field = self.dtype.fields[name][0]  # type: ignore[index]
            self._fields[name] = Symbol(field, lambda a: f"{a}.{name}", [self])
        return self._fields[name]

    # What cannot be known while tracing.

    def __bool__(self) -> bool:
        raise trace_error(
            "the function decides by a value that is known on the device only (if, and, or, not, min, max)",
            _NO_DECISIONS,
        )

    def _no_number(self, *_: object) -> Any:
        raise trace_error(
            "the function needs a value that is known on the device only as a Python number",
            "use the functions of cuprum.parallel or NumPy (sqrt, exp, sin, ...), not those of the module math",
        )

    __int__ = __float__ = __complex__ = __index__ = _no_number

    def __iter__(self) -> Any:
        raise trace_error("the function takes a value of the device apart, or loops over it")

    # Arithmetic.

    def __add__(self, other: Operand) -> Symbol:
        return OPERATIONS["add"](self, other)

    def __radd__(self, other: Operand) -> Symbol:
        return OPERATIONS["add"](other, self)

    def __sub__(self, other: Operand) -> Symbol:
        return OPERATIONS["subtract"](self, other)

    def __rsub__(self, other: Operand) -> Symbol:
        return OPERATIONS["subtract"](other, self)

    def __mul__(self, other: Operand) -> Symbol:
        return OPERATIONS["multiply"](self, other)

    def __rmul__(self, other: Operand) -> Symbol:
        return OPERATIONS["multiply"](other, self)

    def __truediv__(self, other: Operand) -> Symbol:
        return OPERATIONS["divide"](self, other)

    def __rtruediv__(self, other: Operand) -> Symbol:
        return OPERATIONS["divide"](other, self)

    def __floordiv__(self, other: Operand) -> Symbol:
        return OPERATIONS["floor_divide"](self, other)

    def __rfloordiv__(self, other: Operand) -> Symbol:
        return OPERATIONS["floor_divide"](other, self)

    def __mod__(self, other: Operand) -> Symbol:
        return OPERATIONS["remainder"](self, other)

    def __rmod__(self, other: Operand) -> Symbol:
        return OPERATIONS["remainder"](other, self)

    def __pow__(self, other: Operand) -> Symbol:
        return OPERATIONS["**"](self, other)

    def __rpow__(self, other: Operand) -> Symbol:
        return OPERATIONS["**"](other, self)

    def __and__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_and"](self, other)

    def __rand__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_and"](other, self)

    def __or__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_or"](self, other)

    def __ror__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_or"](other, self)

    def __xor__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_xor"](self, other)

    def __rxor__(self, other: Operand) -> Symbol:
        return OPERATIONS["bitwise_xor"](other, self)

    def __lshift__(self, other: Operand) -> Symbol:
        return OPERATIONS["left_shift"](self, other)

    def __rlshift__(self, other: Operand) -> Symbol:
        return OPERATIONS["left_shift"](other, self)

    def __rshift__(self, other: Operand) -> Symbol:
        return OPERATIONS["right_shift"](self, other)

    def __rrshift__(self, other: Operand) -> Symbol:
        return OPERATIONS["right_shift"](other, self)

    def __neg__(self) -> Symbol:
        return OPERATIONS["negative"](self)

    def __pos__(self) -> Symbol:
        return OPERATIONS["positive"](self)

    def __invert__(self) -> Symbol:
        return OPERATIONS["invert"](self)

    def __abs__(self) -> Symbol:
        return OPERATIONS["absolute"](self)

    def __lt__(self, other: Operand) -> Symbol:
        return OPERATIONS["less"](self, other)

    def __le__(self, other: Operand) -> Symbol:
        return OPERATIONS["less_equal"](self, other)

    def __gt__(self, other: Operand) -> Symbol:
        return OPERATIONS["greater"](self, other)

    def __ge__(self, other: Operand) -> Symbol:
        return OPERATIONS["greater_equal"](self, other)

    def __eq__(self, other: object) -> Symbol:  # type: ignore[override]
        return OPERATIONS["equal"](self, other)

    def __ne__(self, other: object) -> Symbol:  # type: ignore[override]
        return OPERATIONS["not_equal"](self, other)

    # NumPy's functions.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Symbol:
        function = OPERATIONS.get(ufunc.__name__)
        if method != "__call__" or options or function is None:
            raise trace_error(f"the function uses numpy.{ufunc.__name__}, which has no meaning on the device here")
        # NumPy's own scalars come as arrays of no dimension from comparisons.
        return function(*(item[()] if isinstance(item, np.ndarray) and item.ndim == 0 else item for item in inputs))

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Symbol:
        if function is np.where and len(arguments) == 3 and not options:
            return OPERATIONS["where"](*arguments)
        raise trace_error(f"the function uses numpy.{function.__name__}, which has no meaning on the device here")


def is_scalar(value: object) -> bool:
    return isinstance(value, (bool, int, float, complex, np.generic))


def _operand(value: object) -> Any:
    """A value as the rules of promotion see it."""
    if isinstance(value, Symbol):
        if value.dtype.names is not None:
            raise trace_error("a struct is used like a number", "use its fields: a.x, or a['x']")
        return value.dtype
    if is_weak(value) or isinstance(value, bool):  # type: ignore[arg-type]
        return value
    if is_scalar(value):
        return value.dtype  # type: ignore[attr-defined]
    raise trace_error(
        f"the function uses a {type(value).__name__} together with values of the device",
        "capture plain numbers; other data goes into an operator's state",
    )


def common_dtype(*values: object) -> DType:
    """The common type of several values."""
    return common_type(*(_operand(value) for value in values))


def loop_dtypes(ufunc: np.ufunc, *values: object) -> tuple[DType, ...]:
    """The types that NumPy converts the operands to, and that of the result."""
    operands = [_operand(value) for value in values]
    try:
        return loop_types(ufunc, *operands)
    except TypeError:
        names = " and ".join(str(item if isinstance(item, np.dtype) else type(item).__name__) for item in operands)
        advice = "use ^ (or !=)" if ufunc is np.subtract else "convert the values, or write it another way"
        raise trace_error(f"NumPy does not define numpy.{ufunc.__name__} for {names}", advice) from None


def fits(number: int, dtype: DType) -> bool:
    limits = np.iinfo(dtype)
    return limits.min <= number <= limits.max


def _literal(value: Any, dtype: DType) -> str:
    name = cpp_name(dtype)
    if dtype == BOOL:
        return "true" if value else "false"
    if dtype.kind in "iu":
        number = int(value)
        if not fits(number, dtype):
            raise trace_error(f"the number {number} does not fit into {dtype}")
        if number == -(2**63):
            return "(-9223372036854775807LL - 1)"
        return f"static_cast<{name}>({number}{'ULL' if number >= 2**63 else 'LL'})"
    if dtype.kind == "c":
        part = FLOAT32 if dtype == np.complex64 else FLOAT64
        pair = complex(value)
        return f"{name}({_literal(pair.real, part)}, {_literal(pair.imag, part)})"
    # Rounded to the type here, so that the compiler has nothing to round; what is too large becomes an infinity.
    with np.errstate(over="ignore"):
        real = float(dtype.type(float(value)))
    if math.isnan(real):
        text = "__longlong_as_double(0x7ff8000000000000LL)"
    elif math.isinf(real):
        text = "__longlong_as_double(" + ("0x7ff0000000000000LL)" if real > 0 else "-0x10000000000000LL)")
    else:
        text = f"{real!r}"
        if dtype == FLOAT64:
            return f"({text})" if text.startswith("-") else text
    return f"static_cast<{name}>({text})"


def as_symbol(value: object, dtype: DType) -> Symbol:
    """A value as a symbol of that type."""
    if isinstance(value, Symbol):
        if value.dtype == dtype:
            return value
        if dtype == BOOL:
            return OPERATIONS["not_equal"](value, 0)
        if is_narrow_float(value.dtype) and dtype.kind == "c":
            return as_symbol(as_symbol(value, FLOAT32), dtype)
        name = cpp_name(dtype)
        if value.dtype.kind == "c" and dtype.kind != "c":
            raise trace_error(f"a {value.dtype} is used as a {dtype}", "take real(a) or imag(a)")
        return Symbol(dtype, lambda a: f"static_cast<{name}>({a})", [value])
    try:
        text = _literal(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, TraceError):
            raise
        raise trace_error(f"the constant {value!r} cannot be a {dtype}: {error}") from error
    return Symbol(dtype, lambda: text)


def is_operand(symbol: Symbol) -> bool:
    """Whether it is ``a`` or ``b`` itself."""
    return not symbol._arguments and symbol._emit() in ("a", "b")
