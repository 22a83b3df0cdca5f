"""A device's memory resource as numba-cuda's memory manager."""

from __future__ import annotations

import ctypes
from typing import Any, NoReturn

from numba.cuda import HostOnlyCUDAMemoryManager, MemoryInfo, MemoryPointer

from cuprum.core import Device

__all__ = ["NumbaMemoryManager"]


class NumbaMemoryManager(HostOnlyCUDAMemoryManager):  # type: ignore[misc]
    """Numba's arrays have memory of what the device allocates from: ``Device.memory_resource``.

    ``numba.cuda.set_memory_manager(NumbaMemoryManager)`` before numba's first use of a device chooses it, and so does
    the environment variable ``NUMBA_CUDA_MEMORY_MANAGER=cuprum.allocators.numba``. Memory is allocated and freed in the
    order of the default stream, with which numba's own streams are ordered. Page-locked memory stays numba's.
    """

    @property
    def interface_version(self) -> int:
        return 1

    def initialize(self) -> None:
        """Numba calls it for each context; there is nothing to do."""

    def _own_device(self) -> Device:
        return Device(self.context.device.id)

    def memalloc(self, size: int) -> MemoryPointer:
        """``size`` bytes, which can be used in every stream."""
        device = self._own_device()
        stream = device.default_stream
        buffer = device.allocate(size, stream=stream)
        stream.sync()
        return MemoryPointer(self.context, ctypes.c_void_p(buffer.handle), size, finalizer=buffer.close)

    def get_memory_info(self) -> MemoryInfo:
        """The device's free and total memory, in bytes."""
        info = self._own_device().memory_info
        return MemoryInfo(free=info.free, total=info.total)

    def get_ipc_handle(self, memory: Any) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "numba's IPC handles are of memory that numba has allocated; share a pool instead: "
            "DeviceMemoryResource(device, {'ipc_enabled': True})"
        )


_numba_memory_manager = NumbaMemoryManager  #: What numba looks for.
