"""Chunks: NumPy's arrays, and arrays on a device of a library that has NumPy's functions, as CuPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from cuprum.core import Buffer
from cuprum.parallel._arrays import DeviceArray, device_elements, is_on_device, stream_of

Array = np.ndarray[Any, Any]


def library_of(chunk: Any) -> Any:
    """The module with the functions for arrays of that kind: numpy, cupy."""
    return sys.modules[type(chunk).__module__.partition(".")[0]] if is_on_device(chunk) else np


def contiguous(chunk: Any) -> Any:
    """The same elements, one after the other."""
    return library_of(chunk).ascontiguousarray(chunk)


def like(chunk: Any, result: Any) -> Any:
    """An algorithm's result as an array of the chunk's kind. The memory is the same."""
    return library_of(chunk).asarray(result) if isinstance(result, DeviceArray) else result


def to_device(chunk: Any, dtype: np.dtype[Any] | None = None) -> DeviceArray:
    """The chunk, or a copy of it on the current device, as elements of its type, or of one of the same size."""
    elements = contiguous(chunk)
    seen_as = elements.dtype if dtype is None else dtype
    if not is_on_device(elements):
        return DeviceArray.from_numpy(elements.view(seen_as))
    address, count, _ = device_elements(elements, stream=stream_of(None))
    return DeviceArray(Buffer.from_handle(address, count * seen_as.itemsize, owner=elements), seen_as, count)


def to_chunk(like_chunk: Any, result: DeviceArray) -> Any:
    """A result on the device, when it is there, as an array of that chunk's kind."""
    if not is_on_device(like_chunk):
        return result.to_numpy()
    # Neither its library nor that of what was read for it knows of our stream.
    stream_of(None).sync()
    return like(like_chunk, result)


def to_host(chunk: Any) -> Array:
    """The chunk as NumPy's array; what is on the current device is copied."""
    if not is_on_device(chunk):
        return np.asarray(chunk)
    return to_device(chunk).to_numpy() if len(chunk) else np.empty(0, chunk.dtype)
