"""Integers of 128 bits, which NumPy does not have: structs of two halves, the lower one first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._operands import OPERAND_NAMES

if TYPE_CHECKING:
    Array = np.ndarray[Any, Any]
    DType = np.dtype[Any]

#: A signed integer of 128 bits, as an element of the algorithms: ``np.zeros(4, int128)``.
int128 = np.dtype([("int128_low", "<u8"), ("int128_high", "<i8")])
#: An unsigned one.
uint128 = np.dtype([("uint128_low", "<u8"), ("uint128_high", "<u8")])

_LOW_HALF = (1 << 64) - 1


def is_wide(dtype: DType) -> bool:
    """Whether elements are integers of 128 bits: by the names of the halves, which NumPy keeps whatever it does."""
    return dtype.names is not None and dtype in (int128, uint128)


def wide_limits(dtype: DType) -> tuple[int, int]:
    """The smallest and the largest number."""
    return (-(1 << 127), (1 << 127) - 1) if dtype == int128 else (0, (1 << 128) - 1)


def pack_int128(values: Any, dtype: Any = int128) -> Array:
    """Integers as an array of ``int128``, or of ``uint128``, of the same shape: Python's own, of any size, or NumPy's.

    OverflowError for what does not fit, TypeError for anything but an integer.
    """
    wide = np.dtype(dtype)
    if not is_wide(wide):
        raise TypeError(f"expected the dtype int128 or uint128, given {wide}")
    given = np.asarray(values)
    if given.dtype == wide:
        return given
    if given.dtype.kind == "f" and not isinstance(values, np.ndarray):  # of Python's own: too large for 64 bits
        given = np.asarray(values, dtype=object)
    if given.dtype.kind not in "iubO":
        raise TypeError(f"expected integers, given elements of {given.dtype}")
    smallest, largest = wide_limits(wide)
    packed = np.empty(given.shape, wide)
    for at, value in np.ndenumerate(given):
        if not isinstance(value, (int, np.integer, np.bool_)):
            raise TypeError(f"expected integers, given {value!r}")
        number = int(value)
        if not smallest <= number <= largest:
            raise OverflowError(f"{number} does not fit into 128 bits, {smallest} to {largest}")
        packed[at] = (number & _LOW_HALF, number >> 64)
    return packed


def unpack_int128(array: Any) -> Array:
    """Elements of ``int128`` or ``uint128`` as Python's integers, in an array of objects of the same shape."""
    values = np.asarray(array)
    if not is_wide(values.dtype):
        raise TypeError(f"expected elements of int128 or uint128, given {values.dtype}")
    low, high = (values[name].astype(object) for name in values.dtype.names or ())
    return np.asarray(low + high * (1 << 64), dtype=object)


def wide_value(value: Any, dtype: DType) -> Any:
    """A Python integer as an element where ``dtype`` is one of 128 bits; everything else as it is."""
    if is_wide(dtype) and isinstance(value, (int, np.integer)):
        return pack_int128(value, dtype)
    return value


def as_scalar(element: Any) -> Any:
    """An element as a NumPy scalar, or, of 128 bits, as a Python integer."""
    return unpack_int128(element).item() if is_wide(element.dtype) else element


class _Recorded:
    """An operand of a function that is called once, to see what it does."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __bool__(self) -> bool:
        raise TypeError(
            "a function over integers of 128 bits cannot decide by a value (if, and, or, min, max): give CUDA C++ "
            'text, such as "a < b ? a : b", or an OpKind'
        )


def _text_of(value: Any) -> str | None:
    if isinstance(value, _Recorded):
        return value.text
    if not isinstance(value, (int, np.integer)):
        return None
    number = int(value)
    kind = "__int128" if number < 1 << 127 else "unsigned __int128"
    high, low = number >> 64 & _LOW_HALF, number & _LOW_HALF
    return f"static_cast<{kind}>((static_cast<unsigned __int128>({high}ull) << 64) | {low}ull)"


def _binary(sign: str, *, mirrored: bool = False) -> Callable[[_Recorded, Any], Any]:
    def record(self: _Recorded, other: Any) -> Any:
        text = _text_of(other)
        if text is None:
            return NotImplemented
        left, right = (text, self.text) if mirrored else (self.text, text)
        return _Recorded(f"({left} {sign} {right})")

    return record


def _unary(sign: str) -> Callable[[_Recorded], Any]:
    return lambda self: _Recorded(f"({sign}{self.text})")


_MIRRORED = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

for _name, _sign in (_MIRRORED | _COMPARISONS | {"lshift": "<<", "rshift": ">>"}).items():
    setattr(_Recorded, f"__{_name}__", _binary(_sign))
for _name, _sign in _MIRRORED.items():
    setattr(_Recorded, f"__r{_name}__", _binary(_sign, mirrored=True))
for _name, _sign in {"neg": "-", "invert": "~"}.items():
    setattr(_Recorded, f"__{_name}__", _unary(_sign))


def has_wide(operands: Sequence[DType]) -> bool:
    return any(is_wide(dtype) for dtype in operands)


def recorded_text(function: Callable[..., Any], operands: Sequence[DType]) -> str:
    """What a function does with integers of 128 bits, as an operator's text. TypeError for what it cannot say."""
    if not all(is_wide(dtype) or dtype.kind in "iu" for dtype in operands):
        raise TypeError(
            "a function takes integers of 128 bits together with other integers only: give CUDA C++ text, or an OpKind"
        )
    try:
        result = function(*(_Recorded(name) for name, _ in zip(OPERAND_NAMES, operands, strict=False)))
    except TypeError as reason:
        raise TypeError(
            "the function is not made of what integers of 128 bits have here, + - * & | ^ ~ << >> and comparisons: "
            f"{reason}"
        ) from reason
    text = _text_of(result)
    if text is None:
        raise TypeError(f"the function returned {result!r}, expected an integer of 128 bits or a comparison of such")
    return text
