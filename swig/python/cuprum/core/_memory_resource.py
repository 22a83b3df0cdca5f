"""Memory resources: what buffers are allocated from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._members import MemoryResourceMembers
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream


class MemoryResource(MemoryResourceMembers):
    """Allocates buffers. Once it is closed it allocates no more, but its buffers keep their memory."""

    __slots__ = ()
    _destroy = staticmethod(_cuprum.cuprum_memory_resource_destroy)

    def __init__(self) -> None:
        """Raises TypeError: only classes that derive from it can be instantiated."""
        raise TypeError(
            "a MemoryResource is one of a kind: make a DeviceMemoryResource(), a "
            "PinnedMemoryResource(), a ManagedMemoryResource() or a LegacyPinnedMemoryResource()"
        )

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """``size`` bytes, usable from any stream when this returns; 0 gives an empty buffer.

        With a stream the memory is freed after the work in it, as ``Buffer.set_deallocation_stream`` says.
        """
        return Buffer._allocate_from(self, size, stream)

    def deallocate(self, ptr: int, size: int, *, stream: Stream | IsStreamType | None = None) -> None:
        """Frees memory of this resource that no buffer owns, after all work that uses it.

        With a stream it waits for that stream; a pool frees the memory in its order. Address 0 is ignored.
        """
        operation = _operations.MEMORY_RESOURCE_DEALLOCATE
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_memory_resource_deallocate(self._open_native(operation), ptr, size, native_of_stream)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' closed' if self.is_closed else ''}>"


class LegacyPinnedMemoryResource(MemoryResource):
    """Page-locked host memory, each buffer a separate allocation by the driver.

    The CPU and the kernels of all devices use the same bytes, and copies between it and a device in a stream are
    asynchronous. Freeing it waits for the device.
    """

    __slots__ = ()

    def __init__(self) -> None:
        """The first allocation loads the driver."""
        self._native = _cuprum.cuprum_memory_resource_create_legacy_pinned()
