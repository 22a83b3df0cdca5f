"""The types that NumPy computes in, as NumPy itself reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._types import is_narrow_float

if TYPE_CHECKING:
    from typing import TypeAlias

    DType: TypeAlias = np.dtype[Any]
    #: A type, or a Python number, which takes its type from the others (NEP 50).
    Operand: TypeAlias = "DType | int | float | complex"

_FLOAT16 = np.dtype(np.float16)


def is_weak(operand: Operand) -> bool:
    """Whether it is a Python number that has no type of its own. A ``bool`` has one."""
    return isinstance(operand, (int, float, complex)) and not isinstance(operand, (bool, np.generic))


def common_type(*operands: Operand) -> DType:
    """The common type that NumPy gives values of several types without computing with them."""
    result: DType = np.result_type(*operands)
    return result


def loop_types(ufunc: np.ufunc, *operands: Operand) -> tuple[DType, ...]:
    """The types that a ufunc converts its operands to, and at the end that of its result.

    Raises TypeError where NumPy does.
    """
    foreign = {item for item in operands if isinstance(item, np.dtype) and item.isbuiltin != 1}
    if foreign:  # bfloat16, of which NumPy knows less: it stands where float16 would
        strong = [item for item in operands if not is_weak(item)]
        common = common_type(*strong)
        if is_narrow_float(common):
            types = loop_types(ufunc, *(item if is_weak(item) else _FLOAT16 for item in operands))
            return tuple(common if item == _FLOAT16 else item for item in types)
        return loop_types(ufunc, *(item if is_weak(item) else common for item in operands))
    kinds = [_kind(item) if is_weak(item) else np.dtype(np.bool_) if isinstance(item, bool) else item
             for item in operands]  # fmt: skip
    return ufunc.resolve_dtypes((*kinds, None))  # type: ignore[arg-type]


def _kind(number: Operand) -> type:
    return int if isinstance(number, int) else float if isinstance(number, float) else complex
