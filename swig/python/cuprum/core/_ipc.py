"""Memory pools and buffers that processes share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._region import BufferRegions
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from typing import Self
    from uuid import UUID

    from cuprum.core._memory_pool import DeviceMemoryResource, PinnedMemoryResource
    from cuprum.core._stream import IsStreamType, Stream


class IPCAllocationHandle:
    """A pool for another process: owns a file descriptor. From ``allocation_handle`` of a resource.

    It can be sent to processes that ``multiprocessing`` starts, or over its queues and pipes, which duplicate the
    descriptor. Other processes inherit it or get it over a Unix socket: ``int(handle)`` is its number.
    """

    __slots__ = ("_handle", "_uuid")

    _handle: int  #: -1 when closed.
    _uuid: UUID | None

    def __init__(self) -> None:
        """Raises TypeError: a pool has one, DeviceMemoryResource.allocation_handle."""
        raise TypeError(
            "a pool that is made with ipc_enabled has one: allocation_handle of DeviceMemoryResource and "
            "PinnedMemoryResource"
        )

    @classmethod
    def _init(cls, handle: int, uuid: UUID | None = None) -> IPCAllocationHandle:
        made = cls.__new__(cls)
        made._handle, made._uuid = handle, uuid
        return made

    @property
    def handle(self) -> int:
        """The number of the file descriptor; -1 once it is closed."""
        return self._handle

    @property
    def uuid(self) -> UUID | None:
        """What processes know the pool by."""
        return self._uuid

    @property
    def is_closed(self) -> bool:
        """Whether the descriptor is closed."""
        return self._handle < 0

    def close(self) -> None:
        """Closes the descriptor. Calling it again does nothing; pools that were opened with it go on."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)

    def __int__(self) -> int:
        if self._handle < 0:
            raise ValueError("this IPCAllocationHandle is closed")
        return self._handle

    def __del__(self) -> None:
        if getattr(self, "_handle", -1) >= 0:
            self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        from multiprocessing import reduction

        return _received, (reduction.DupFd(int(self)), self._uuid)

    def __repr__(self) -> str:
        return "<IPCAllocationHandle closed>" if self._handle < 0 else f"<IPCAllocationHandle {self._handle}>"


def _received(duplicate: Any, uuid: UUID | None) -> IPCAllocationHandle:
    return IPCAllocationHandle._init(duplicate.detach(), uuid)


class IPCBufferDescriptor:
    """A buffer for another process: picklable, from ``Buffer.ipc_descriptor``, for ``Buffer.from_ipc_descriptor``."""

    __slots__ = ("_reserved", "_size")

    _reserved: bytes
    _size: int

    def __init__(self) -> None:
        """Raises TypeError: a buffer has one, Buffer.ipc_descriptor."""
        raise TypeError("a buffer of a pool that is made with ipc_enabled has one: Buffer.ipc_descriptor")

    @classmethod
    def _init(cls, reserved: bytes, size: int) -> IPCBufferDescriptor:
        descriptor = cls.__new__(cls)
        descriptor._reserved, descriptor._size = reserved, size
        return descriptor

    @property
    def size(self) -> int:
        """The buffer's bytes."""
        return self._size

    def __reduce__(self) -> tuple[Any, ...]:
        return IPCBufferDescriptor._init, (self._reserved, self._size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IPCBufferDescriptor):
            return NotImplemented
        return (self._reserved, self._size) == (other._reserved, other._size)

    def __hash__(self) -> int:
        return hash((IPCBufferDescriptor, self._reserved, self._size))


class BufferSharing(BufferRegions):
    """What buffers have to be shared between processes."""

    __slots__ = ()

    #: BufferHandle's.
    _size: int
    _stream: object
    _resource: Any

    @property
    def ipc_descriptor(self) -> IPCBufferDescriptor:
        """What another process opens the memory with, which has opened its pool already.

        InvalidArgument if the memory is not that of a pool made with ``ipc_enabled``.
        """
        reserved = _cuprum.cuprum_buffer_ipc_handle(self._open_native(_operations.BUFFER_IPC_HANDLE))
        return IPCBufferDescriptor._init(reserved, self._size)

    @classmethod
    def from_ipc_descriptor(
        cls,
        mr: DeviceMemoryResource | PinnedMemoryResource,
        ipc_descriptor: IPCBufferDescriptor,
        *,
        stream: Stream | IsStreamType,
    ) -> Self:
        """Opens memory that another process shares. ``mr``: its pool, opened with ``from_allocation_handle``.

        Freed in the order of ``stream``; close it, and let that work be done, before the other process frees the
        memory. No stream is ordered after the other process's work: share an event for that.
        """
        from cuprum.core._memory_pool import DeviceMemoryResource, PinnedMemoryResource

        operation = _operations.BUFFER_FROM_IPC_HANDLE
        if not isinstance(mr, DeviceMemoryResource | PinnedMemoryResource):
            raise TypeError(f"mr must be a DeviceMemoryResource or a PinnedMemoryResource, not {type(mr).__name__}")
        if not isinstance(ipc_descriptor, IPCBufferDescriptor):
            raise TypeError(f"ipc_descriptor must be an IPCBufferDescriptor, not {type(ipc_descriptor).__name__}")
        if stream is None:
            raise TypeError("stream must be a Stream, not None")
        native_of_stream, keep = native_stream(stream, operation)
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_buffer_from_ipc_handle(
            mr._open_native(operation), ipc_descriptor._reserved, ipc_descriptor._size, native_of_stream
        )
        buffer._size = ipc_descriptor._size
        buffer._stream = keep
        buffer._resource = mr
        return buffer

    @property
    def is_mapped(self) -> bool:
        """Whether it is memory that another process shares."""
        resource = getattr(self, "_resource", None)
        return bool(getattr(resource, "is_mapped", False))
