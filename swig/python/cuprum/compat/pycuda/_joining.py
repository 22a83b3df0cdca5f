"""Arrays joined, and shown in another shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._creation import empty
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import UNARY
from cuprum.compat.pycuda._scalars import require_numbers
from cuprum.compat.pycuda._transfer import copy_on_device

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import Allocator


def _place(part: GPUArray, array: GPUArray) -> None:
    """Copies an array into a part of the result, and converts it to the result's type."""
    if part.dtype == array.dtype:
        copy_on_device(part, array)
    else:
        require_numbers(array.dtype)
        launch(UNARY["copy"], (array,), part, types=(array.dtype,))


def _require_arrays(what: str, arrays: Sequence[GPUArray]) -> list[GPUArray]:
    given = list(arrays)
    if not given:
        raise ValueError(f"{what}: need at least one array")
    for array in given:
        if not isinstance(array, GPUArray):
            raise TypeError(f"{what} joins GPUArrays, not {type(array).__name__}")
    return given


def _axis(what: str, axis: int, count: int) -> int:
    if not -count <= axis < count:
        raise ValueError(f"{what}: invalid axis {axis} for {count} dimensions")
    return axis % count


def concatenate(arrays: Sequence[GPUArray], axis: int = 0, allocator: Allocator | None = None) -> GPUArray:
    """The arrays one after the other along an axis that they have."""
    given = _require_arrays("concatenate", arrays)
    first = given[0]
    along = _axis("concatenate", axis, first.ndim)

    def others(array: GPUArray) -> tuple[int, ...]:
        return array.shape[:along] + array.shape[along + 1 :]

    for position, array in enumerate(given):
        if array.ndim != first.ndim:
            raise ValueError(
                f"{position}'th array has different number of axes (should have {first.ndim}, has {array.ndim})"
            )
        if others(array) != others(first):
            raise ValueError(
                f"{position}'th array has residual not matching other arrays: {array.shape} and {first.shape} may "
                f"differ in axis {along} alone"
            )
    length = sum(array.shape[along] for array in given)
    shape = (*first.shape[:along], length, *first.shape[along + 1 :])
    result = empty(shape, np.result_type(*(array.dtype for array in given)), allocator or first.allocator)
    begin = 0
    for array in given:
        end = begin + array.shape[along]
        _place(result[(slice(None),) * along + (slice(begin, end),)], array)
        begin = end
    return result


def stack(arrays: Sequence[GPUArray], axis: int = 0, allocator: Allocator | None = None) -> GPUArray:
    """The arrays, all of one shape, along a new axis."""
    given = _require_arrays("stack", arrays)
    first = given[0]
    along = _axis("stack", axis, first.ndim + 1)
    for array in given:
        if array.shape != first.shape:
            raise ValueError(f"stack: arrays must have the same shape: {array.shape} and {first.shape}")
    shape = (*first.shape[:along], len(given), *first.shape[along:])
    dtype = np.result_type(*(array.dtype for array in given))
    result = empty(shape, dtype, allocator or first.allocator, order="C" if along == 0 else "F")
    for position, array in enumerate(given):
        _place(result[(slice(None),) * along + (position,)], array)
    return result


def transpose(a: GPUArray, axes: Any = None) -> GPUArray:
    """``a.transpose(axes)``."""
    return a.transpose(axes)


def reshape(a: GPUArray, *shape: Any, order: str = "C") -> GPUArray:
    """``a.reshape(*shape)``."""
    return a.reshape(*shape, order=order)
