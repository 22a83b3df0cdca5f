"""New arrays: from the host, filled, or like another."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._layout import Shape, compact_strides
from cuprum.compat.pycuda._native import mem_alloc
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import ARANGE
from cuprum.compat.pycuda._scalars import require_numbers

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import Allocator
    from cuprum.compat.pycuda._stream import Stream

empty = GPUArray


def _require_host_array(ary: Any, what: str) -> np.ndarray[Any, Any]:
    if isinstance(ary, np.generic):
        return np.asarray(ary)
    if not isinstance(ary, np.ndarray):
        raise TypeError(f"{what}() copies a numpy.ndarray, not {type(ary).__name__}; numpy.asarray() makes one")
    return ary


def _like_host(ary: np.ndarray[Any, Any], allocator: Allocator) -> GPUArray:
    return GPUArray(ary.shape, ary.dtype, allocator, strides=compact_strides(ary.shape, ary.strides, ary.itemsize))


def to_gpu(ary: Any, allocator: Allocator = mem_alloc) -> GPUArray:
    """A copy of a host array on the device, whose axes have the same order."""
    host = _require_host_array(ary, "to_gpu")
    result = _like_host(host, allocator)
    result.set(host)
    return result


def to_gpu_async(ary: Any, allocator: Allocator = mem_alloc, stream: Stream | None = None) -> GPUArray:
    """``to_gpu`` in a stream, in which ``ary``, which should be page-locked, stays as it is until the copy is done."""
    host = _require_host_array(ary, "to_gpu_async")
    result = _like_host(host, allocator)
    result.set_async(host, stream)
    return result


def zeros(shape: Any, dtype: Any = np.float64, allocator: Allocator = mem_alloc, order: str = "C") -> GPUArray:
    """An array of zeros."""
    return _filled(GPUArray(shape, dtype, allocator, order=order), np.zeros)


def ones(shape: Any, dtype: Any = np.float64, allocator: Allocator = mem_alloc, order: str = "C") -> GPUArray:
    """An array of ones."""
    return _filled(GPUArray(shape, dtype, allocator, order=order), np.ones)


def _filled(array: GPUArray, of_host: Any) -> GPUArray:
    return array.fill(of_host((), array.dtype))


def _order_like(other: GPUArray, order: str) -> tuple[str, Shape | None]:
    """NumPy's ``order``: ``"C"``, ``"F"``, ``"A"`` or ``"K"``; as one of the first two, or as strides for these."""
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"Unsupported order: {order!r}; it is 'C', 'F', 'A' or 'K'")
    if order in ("C", "F"):
        return order, None
    flags = other.flags
    if flags.c_contiguous or (order == "A" and not flags.f_contiguous):
        return "C", None
    return ("F", None) if flags.f_contiguous else ("C", other.strides)


def empty_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of the same shape, with whatever its memory holds; ``order="K"`` keeps the order of the axes."""
    wanted = other_ary.dtype if dtype is None else np.dtype(dtype)
    order, like = _order_like(other_ary, order)
    strides = None if like is None else compact_strides(other_ary.shape, like, wanted.itemsize)
    return GPUArray(other_ary.shape, wanted, other_ary.allocator, strides=strides, order=order)


def zeros_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of zeros of the same shape."""
    return _filled(empty_like(other_ary, dtype, order), np.zeros)


def ones_like(other_ary: GPUArray, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of ones of the same shape."""
    return _filled(empty_like(other_ary, dtype, order), np.ones)


def arange(*args: Any, **kwargs: Any) -> GPUArray:
    """``arange([start,] stop[, step][, dtype], *, allocator, stream)``: numbers spaced by ``step``, ``stop`` excluded.

    ``dtype`` should be given: as the last argument or by name. Without it, it is what NumPy makes of the numbers.
    """
    named = dict(kwargs)
    stream, allocator = named.pop("stream", None), named.pop("allocator", mem_alloc)
    if args and isinstance(args[-1], np.dtype):
        if "dtype" in named:
            raise ValueError("may not specify 'dtype' by position and keyword")
        named["dtype"], args = args[-1], args[:-1]
    if len(args) > 3:
        raise ValueError("too many arguments: arange([start,] stop[, step][, dtype])")
    names = ("stop",) if len(args) == 1 else ("start", "stop", "step")
    for name, value in zip(names, args, strict=False):
        if name in named:
            raise ValueError(f"may not specify '{name}' by position and keyword")
        named[name] = value
    unknown = named.keys() - {"start", "stop", "step", "dtype"}
    if unknown:
        raise ValueError(f"unexpected keyword argument '{min(unknown)}'")
    if "stop" not in named:
        raise ValueError("stop argument required")
    start, stop, step = named.get("start") or 0, named["stop"], named.get("step", 1)
    step = 1 if step is None else step
    dtype = np.dtype(np.array([start, stop, step]).dtype if named.get("dtype") is None else named["dtype"])
    if named.get("dtype") is None and dtype != np.float32:
        warnings.warn(
            f"arange guessed the dtype {dtype}, not float32; say which is meant, as in "
            f"arange({stop}, dtype=numpy.{dtype})",
            stacklevel=2,
        )
    require_numbers(dtype)
    if step == 0:
        raise ValueError("arange: step is 0")
    result = GPUArray((max(0, math.ceil((stop - start) / step)),), dtype, allocator)
    return launch(ARANGE, (start, step), result, stream, value_type=dtype)  # type: ignore[no-any-return]
