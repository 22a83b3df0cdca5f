"""CuPy's memory pool as a memory resource, and memory resources as CuPy's allocator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy

from cuprum._native import _cuprum
from cuprum.allocators._pool import PoolMemoryResource
from cuprum.core import Device, MemoryResource
from cuprum.core._stream import Stream

__all__ = ["CuPyMemoryResource", "cupy_allocator"]


class CuPyMemoryResource(PoolMemoryResource):
    """Allocates from what CuPy allocates from: its memory pool, unless ``cupy.cuda.set_allocator`` has chosen another.

    Memory goes back to the pool when its buffer is closed, after the work in the buffer's stream.
    """

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        # CuPy's pool keeps memory by the current stream.
        with cupy.cuda.Device(self.device_id), _as_cupy_stream(stream, self.device_id):
            memory = cupy.cuda.alloc(size)
        return memory.ptr, memory

    def _give_back(self, memory: Any) -> None:
        """CuPy frees the memory with the last reference to it, which the caller has."""


def _as_cupy_stream(stream: Stream, device_id: int) -> Any:
    """Releases of CuPy from 2026 on take streams through ``__cuda_stream__``."""
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(stream)
    return cupy.cuda.ExternalStream(stream.handle, device_id)


def cupy_allocator(resource: MemoryResource | None = None) -> Callable[[int], cupy.cuda.MemoryPointer]:
    """An allocator for ``cupy.cuda.set_allocator`` and ``cupy.cuda.using_allocator``.

    Arrays of CuPy's then have memory of ``resource``, and keep it; None: memory that the current device allocates. They
    are allocated in CuPy's current stream, and freed in its order. ``cupy.cuda.set_allocator(
    cupy.get_default_memory_pool().malloc)`` makes CuPy use its own pool again.
    """
    if resource is not None and not isinstance(resource, MemoryResource):
        raise TypeError(f"resource must be a MemoryResource, not {type(resource).__name__}")
    if resource is not None and not resource.is_device_accessible:
        raise ValueError(f"{resource!r} allocates memory that no device can use, and CuPy's arrays are on a device")

    def allocate(size: int) -> cupy.cuda.MemoryPointer:
        device = Device(cupy.cuda.Device().id)
        if resource is not None and resource.device_id not in (-1, device.device_id):
            raise ValueError(
                f"{resource!r} allocates on device {resource.device_id}, and CuPy's current device is "
                f"{device.device_id}: make an allocator for it, with a resource of that device"
            )
        if size == 0:
            return cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(0, 0, None, device.device_id), 0)
        current = cupy.cuda.get_current_stream()
        stream = Stream._wrap(_cuprum.cuprum_stream_from_native(device.device_id, current.ptr), lender=current)
        buffer = (resource or device).allocate(size, stream=stream)
        return cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(buffer.handle, size, buffer, device.device_id), 0)

    return allocate
