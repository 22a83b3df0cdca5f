"""Choosing element by element: ``where``, ``minimum``, ``logical_and`` and their like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._creation import empty, empty_like
from cuprum.compat.pycuda._native import mem_alloc
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import BINARY, IF_NONZERO, IF_POSITIVE, UNARY, Operation
from cuprum.compat.pycuda._operators import broadcast_shape
from cuprum.compat.pycuda._scalars import is_scalar, require_numbers
from cuprum.compat.pycuda._usable import require_contiguous

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import Allocator
    from cuprum.compat.pycuda._stream import Stream


def _require_array(value: Any, what: str) -> GPUArray:
    if not isinstance(value, GPUArray):
        raise TypeError(f"{what} must be a GPUArray, not {type(value).__name__}; gpuarray.to_gpu() makes one")
    require_contiguous(value, what)
    return value


def _require_out(out: GPUArray, like: GPUArray, what: str) -> GPUArray:
    _require_array(out, f"out of {what}")
    if out.shape != like.shape:
        raise ValueError(f"{what}: out has the shape {out.shape}, the result {like.shape}")
    return out


def _choose(
    operation: Operation, criterion: Any, then_: Any, else_: Any, out: GPUArray | None, stream: Stream | None
) -> GPUArray:
    name = operation.name
    for value in (criterion, then_, else_):
        _require_array(value, name)
    if not criterion.shape == then_.shape == else_.shape:
        raise ValueError(
            f"{name}: shapes do not match: criterion {criterion.shape}, then_ {then_.shape}, else_ {else_.shape}"
        )
    if then_.dtype != else_.dtype:
        raise ValueError(f"{name}: dtypes do not match: then_ is {then_.dtype}, else_ is {else_.dtype}")
    require_numbers(criterion.dtype)
    result = empty_like(then_) if out is None else _require_out(out, then_, name)
    chosen = then_.dtype
    return launch(operation, (criterion, then_, else_), result, stream, types=(criterion.dtype, chosen, chosen))  # type: ignore[no-any-return]


def if_positive(
    criterion: GPUArray, then_: GPUArray, else_: GPUArray, out: GPUArray | None = None, stream: Stream | None = None
) -> GPUArray:
    """Elements of ``then_`` where ``criterion > 0``, elsewhere of ``else_``."""
    return _choose(IF_POSITIVE, criterion, then_, else_, out, stream)


def where(
    criterion: GPUArray, then_: GPUArray, else_: GPUArray, out: GPUArray | None = None, stream: Stream | None = None
) -> GPUArray:
    """Elements of ``then_`` where ``criterion != 0``, elsewhere of ``else_``."""
    return _choose(IF_NONZERO, criterion, then_, else_, out, stream)


def _extreme(operation: str, a: Any, b: Any, out: GPUArray | None, stream: Stream | None) -> GPUArray:
    arrays = [value for value in (a, b) if not is_scalar(value)]
    if not arrays:
        raise TypeError(f"{operation}: one of the two is a GPUArray at least")
    for array in arrays:
        _require_array(array, operation)
        require_numbers(array.dtype)
    if len(arrays) == 2 and a.shape != b.shape:
        raise ValueError(f"{operation}: shapes do not match: {a.shape} and {b.shape}")
    result = empty_like(arrays[0]) if out is None else _require_out(out, arrays[0], operation)
    return launch(BINARY[operation], (a, b), result, stream, value_type=arrays[0].dtype)  # type: ignore[no-any-return]


def minimum(a: Any, b: Any, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray:
    """The smaller of each two elements, in the first array's type; a number before a NaN."""
    return _extreme("minimum", a, b, out, stream)


def maximum(a: Any, b: Any, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray:
    """The larger of each two elements, in the first array's type; a number before a NaN."""
    return _extreme("maximum", a, b, out, stream)


def _logical(operation: str, x1: Any, x2: Any, out: GPUArray | None, allocator: Allocator | None) -> GPUArray:
    arrays = [value for value in (x1, x2) if not is_scalar(value)]
    for array in arrays:
        if not isinstance(array, GPUArray):
            raise ValueError(f"{operation} can take either scalar or GPUArrays as inputs, not {type(array).__name__}")
        require_contiguous(array, operation)
        require_numbers(array.dtype)
    if not arrays:
        result = empty((), np.bool_, allocator or mem_alloc) if out is None else out
        both = bool(x1) and bool(x2) if operation == "logical_and" else bool(x1) or bool(x2)
        return result.fill(both)
    shape = broadcast_shape(arrays[0], arrays[-1])
    result = empty(shape, np.bool_, allocator or arrays[0].allocator) if out is None else out
    if result.shape != shape or result.dtype != np.bool_:
        raise ValueError(f"{operation}: out has {result.shape} elements of {result.dtype}, the result {shape} of bool")
    # Each operand in its own type: a number that is not 0 may be 0 in the other's.
    operands = [value if isinstance(value, GPUArray) else bool(value) for value in (x1, x2)]
    types = [value.dtype if isinstance(value, GPUArray) else np.dtype(bool) for value in operands]
    return launch(BINARY[operation], operands, result, value_type=np.dtype(bool), types=types)  # type: ignore[no-any-return]


def logical_and(x1: Any, x2: Any, /, out: GPUArray | None = None, *, allocator: Allocator | None = None) -> GPUArray:
    """Whether both are not 0: an array of bool."""
    return _logical("logical_and", x1, x2, out, allocator)


def logical_or(x1: Any, x2: Any, /, out: GPUArray | None = None, *, allocator: Allocator | None = None) -> GPUArray:
    """Whether one of the two is not 0 at least: an array of bool."""
    return _logical("logical_or", x1, x2, out, allocator)


def logical_not(x: Any, /, out: GPUArray | None = None, *, allocator: Allocator | None = None) -> GPUArray:
    """Whether it is 0: an array of bool."""
    if is_scalar(x):
        return (empty((), np.bool_, allocator or mem_alloc) if out is None else out).fill(not x)
    require_numbers(_require_array(x, "logical_not").dtype)
    result = empty(x.shape, np.bool_, allocator or x.allocator) if out is None else out
    if result.shape != x.shape or result.dtype != np.bool_:
        raise ValueError(
            f"logical_not: out has {result.shape} elements of {result.dtype}, the result {x.shape} of bool"
        )
    return launch(UNARY["logical_not"], (x,), result, types=(x.dtype,))  # type: ignore[no-any-return]
