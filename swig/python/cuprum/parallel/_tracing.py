"""Functions as operators whose source is not to be had: called once with symbols, which record what is done to them.

The record is CUDA C++ with NumPy's meaning: its type promotion, integers that wrap around, true division of
integers, floor division and remainders with the divisor's sign, minima and maxima that pass NaNs on. What decides by a
value of the device is refused: that takes the function's syntax tree (``_translation``).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cuprum.parallel import _operations  # noqa: F401  (what symbols can do)
from cuprum.parallel._operands import OPERAND_NAMES
from cuprum.parallel._symbol import Symbol, TraceError, trace_error
from cuprum.parallel._writing import Writer, result_symbol

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType


def _operand(name: str, dtype: DType) -> Symbol:
    return Symbol(dtype, lambda: name)


def trace(function: Callable[..., Any], operands: Sequence[DType], result: DType | None) -> tuple[str, DType]:
    """The text of a function of that many operands, and the type that it returns: ``result`` if given.

    A struct is returned as a tuple of its fields, in their order, or as one of the operands.
    """
    symbols = [_operand(name, dtype) for name, dtype in zip(OPERAND_NAMES, operands, strict=False)]
    try:
        value = function(*symbols)
    except TraceError:
        raise
    except TypeError as error:
        raise trace_error(
            f"calling {getattr(function, '__name__', 'it')!r} with {len(symbols)} device value(s) failed: {error}"
        ) from error
    root = result_symbol(value, result)
    numbers = itertools.count()
    writer = Writer(root, lambda: f"v{next(numbers)}")
    if not writer.lines:
        return writer.text, root.dtype
    return "\n".join([*writer.lines, f"return {writer.text};"]), root.dtype
