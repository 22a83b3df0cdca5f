"""Copies of arrays: from the host, to the host, and within the device, whatever their strides."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuprum.compat.pycuda._kernels import state_of_context
from cuprum.compat.pycuda._layout import compact_strides
from cuprum.compat.pycuda._native import (
    memcpy_dtod,
    memcpy_dtod_async,
    memcpy_dtoh,
    memcpy_dtoh_async,
    memcpy_htod,
    memcpy_htod_async,
)
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import UNARY
from cuprum.compat.pycuda._usable import usable_address

HostArray = np.ndarray[Any, Any]


def axes_by_stride(array: Any) -> list[int]:
    """The axes from the one that moves slowest in memory to the fastest."""
    return sorted(range(len(array.shape)), key=lambda axis: (-abs(array.strides[axis]), axis))


def is_compact(array: Any) -> bool:
    """Whether the elements lie without gaps, in some order of the axes."""
    if array.size == 0:
        return True
    packed = compact_strides(array.shape, array.strides, array.dtype.itemsize)
    return all(
        size == 1 or own == each for size, own, each in zip(array.shape, array.strides, packed, strict=True)
    )  # fmt: skip


def host_array_like(array: Any, *, pagelocked: bool) -> HostArray:
    """A new host array of the device array's shape, whose axes have the same order."""
    axes = axes_by_stride(array)
    shape = tuple(array.shape[axis] for axis in axes)
    if pagelocked:
        from cuprum.compat.pycuda.driver import pagelocked_empty

        dense: HostArray = pagelocked_empty(shape, array.dtype)
    else:
        dense = np.empty(shape, array.dtype)
    return dense.transpose(np.argsort(axes)) if len(axes) > 1 else dense


def _in_memory_order(host: HostArray, axes: list[int]) -> HostArray:
    """The elements in one dimension, as a device array with that order of axes has them; a copy only if necessary."""
    return np.ascontiguousarray(host.transpose(axes)).reshape(-1)


def _synchronize(stream: Any) -> None:
    from cuprum.compat.pycuda._context import Context

    if stream is None:
        Context.synchronize()
    else:
        stream.synchronize()


def copy_from_host(array: Any, host: HostArray, *, is_async: bool = False, stream: Any = None) -> None:
    """Fills a device array from a host array of its shape and type."""
    if array.size == 0:
        return
    if not is_compact(array):
        packed = array._new(array.shape, array.dtype)
        copy_from_host(packed, host, is_async=is_async, stream=stream)
        copy_on_device(array, packed, stream)
        _synchronize(stream)  # before `packed` goes
        return
    source = _in_memory_order(host, axes_by_stride(array))
    address = usable_address(array, state_of_context())
    if not is_async:
        memcpy_htod(address, source)
    elif np.may_share_memory(source, host):
        memcpy_htod_async(address, source, stream)
    else:  # a copy that was made here, and goes with this function
        _synchronize(stream)
        memcpy_htod(address, source)


def copy_to_host(host: HostArray, array: Any, *, is_async: bool = False, stream: Any = None) -> None:
    """Fills a host array from a device array of its shape and type."""
    if array.size == 0:
        return
    if not is_compact(array):
        packed = array._new(array.shape, array.dtype)
        copy_on_device(packed, array, stream)
        if stream is not None:
            _synchronize(stream)
        copy_to_host(host, packed)
        return
    axes = axes_by_stride(array)
    address = usable_address(array, state_of_context())
    destination = host.transpose(axes)
    if destination.flags.c_contiguous and destination.flags.writeable:
        flat = destination.reshape(-1)
        if is_async:
            memcpy_dtoh_async(flat, address, stream)
        else:
            memcpy_dtoh(flat, address)
        return
    if is_async:
        _synchronize(stream)
    flat = np.empty(array.size, array.dtype)
    memcpy_dtoh(flat, address)
    destination[...] = flat.reshape(destination.shape)


def copy_on_device(destination: Any, source: Any, stream: Any = None, *, is_async: bool = True) -> None:
    """Copies between device arrays of one shape and one type."""
    if destination.size == 0:
        return
    is_same_order = destination._order & source._order or (
        destination.strides == source.strides and is_compact(destination)
    )
    if destination._overlaps(source):
        if destination.strides == source.strides and destination.ptr == source.ptr:
            return
        source = source.copy()  # what is written would be read afterwards
        copy_on_device(destination, source, stream)
        _synchronize(stream)
        return
    if not is_same_order:
        launch(UNARY["copy"], (source,), destination, stream, types=(source.dtype,))
        return
    state = state_of_context()
    addresses = usable_address(destination, state), usable_address(source, state)
    if is_async and stream is not None:
        memcpy_dtod_async(*addresses, source.nbytes, stream)
    else:
        memcpy_dtod(*addresses, source.nbytes)
