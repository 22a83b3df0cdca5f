"""Memory resources: what buffers are allocated from."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NoReturn

from cuprum import _operations
from cuprum._native import Owner, _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._members import MemoryResourceMembers
from cuprum.core._stream import Stream, native_stream

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType

# What memory is (CUPRUM_MEMORY_*).
_DEVICE, _PINNED, _MANAGED, _HOST = 1, 2, 3, 4

# Entered again where a resource asks another one what its memory is, or a buffer ends meanwhile.
_making_handles = threading.RLock()


class MemoryResource(Owner):
    """Allocates buffers. A program writes one of its own by deriving from this class.

    Such a class has ``allocate``, ``deallocate``, ``is_device_accessible``, ``is_host_accessible`` and ``device_id``.
    ``allocate`` gives a Buffer: another resource's, or one that owns an address, ``Buffer.from_handle(ptr, size,
    mr=self, stream=stream)``; closing that calls ``deallocate``, once. Any thread may call both. What ``deallocate``
    raises goes to ``sys.unraisablehook``. The resource lives as long as its buffers do. Buffers that are open when the
    interpreter exits are not freed.
    """

    __slots__ = ()
    _destroy = staticmethod(_cuprum.cuprum_memory_resource_destroy)

    def __init__(self) -> None:
        """Raises TypeError for MemoryResource itself: only classes that derive from it can be instantiated."""
        if type(self) is MemoryResource:
            raise TypeError(
                "a MemoryResource is one of a kind: make a DeviceMemoryResource(), a PinnedMemoryResource(), a "
                "ManagedMemoryResource() or a LegacyPinnedMemoryResource(), or derive a class from it"
            )

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None) -> Buffer:
        """``size`` bytes, which can be used in ``stream`` at once; without one, in all."""
        self._lacks("allocate(self, size, *, stream)")

    def deallocate(self, ptr: int, size: int, *, stream: Stream | IsStreamType | None) -> None:
        """Frees memory that ``allocate`` has put into a buffer with ``mr=self``.

        What uses the memory comes before this in the order of ``stream``: free it in that order, or wait for it. None:
        all work is done.
        """
        self._lacks("deallocate(self, ptr, size, *, stream)")

    @property
    def is_device_accessible(self) -> bool:
        """Whether kernels can use its memory."""
        self._lacks("the property is_device_accessible")

    @property
    def is_host_accessible(self) -> bool:
        """Whether the CPU can use its memory without a copy."""
        self._lacks("the property is_host_accessible")

    @property
    def is_managed(self) -> bool:
        """Whether its memory is managed memory, which moves to where it is used."""
        return False

    @property
    def device_id(self) -> int:
        """The ordinal of the device that the memory is on; -1 for memory that belongs to no device."""
        self._lacks("the property device_id")

    def _lacks(self, what: str) -> NoReturn:
        raise TypeError(f"{type(self).__name__} derives from MemoryResource and must define {what}")

    # A program's own has a handle only once the C ABI must know of it, and may be used again when that was closed.

    @property
    def is_closed(self) -> bool:
        """Whether it was closed; it cannot be used any more."""
        return False

    def _open_native(self, operation: str) -> int:
        with _making_handles:
            if self._native == 0:
                kind = self._kind()
                made = _cuprum.create_user_memory_resource(self, kind, self.device_id if kind == _DEVICE else -1)
                if self._native:  # made meanwhile by what `_kind` has called
                    Owner.close(self)
                self._native = made
            return self._native

    def _kind(self) -> int:
        if self.is_managed:
            return _MANAGED
        if self.is_device_accessible:
            return _PINNED if self.is_host_accessible else _DEVICE
        if not self.is_host_accessible:
            raise ValueError(
                f"{type(self).__name__}: neither devices nor the CPU can use its memory: is_device_accessible or "
                "is_host_accessible must be True"
            )
        return _HOST

    def _take_over(self, ptr: int, size: int, stream: int) -> int:
        """The handle of a buffer that owns the memory."""
        native = self._open_native(_operations.BUFFER_FROM_RESOURCE)
        return _cuprum.buffer_from_user_memory(native, ptr, size, stream)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' closed' if self.is_closed else ''}>"


class NativeMemoryResource(MemoryResourceMembers, MemoryResource):
    """A resource of Cuprum's. Once it is closed it allocates no more, but its buffers keep their memory."""

    __slots__ = ()
    is_closed = Owner.is_closed
    _open_native = Owner._open_native

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

    def _take_over(self, ptr: int, size: int, stream: int) -> int:
        native = self._open_native(_operations.BUFFER_FROM_RESOURCE)
        return _cuprum.cuprum_buffer_from_resource(native, ptr, size, stream)


def _stream_of(numbers: tuple[int, int] | None) -> Stream | None:
    """A stream that core has, by its device and its number."""
    return None if numbers is None else Stream._wrap(_cuprum.cuprum_stream_from_native(*numbers))


def _allocate(resource: MemoryResource, size: int, stream: tuple[int, int] | None) -> Buffer:
    """Called for work of Cuprum's own on a device that allocates from the resource (user_memory_resource.hpp)."""
    buffer = resource.allocate(size, stream=_stream_of(stream))
    name = type(resource).__name__
    if not isinstance(buffer, Buffer):
        raise TypeError(f"{name}.allocate() must return a Buffer, not {type(buffer).__name__}")
    if buffer.size < size:
        raise ValueError(f"{name}.allocate({size}) has returned {buffer!r}, which is smaller")
    return buffer


def _deallocate(
    resource: MemoryResource, buffer: Buffer | None, ptr: int, size: int, stream: tuple[int, int] | None
) -> None:
    """The end of memory: of what ``_allocate`` has returned, or of what a buffer owned."""
    if buffer is None:
        resource.deallocate(ptr, size, stream=_stream_of(stream))
    else:
        buffer.close(_stream_of(stream))


_cuprum.set_memory_functions(_allocate, _deallocate)


class LegacyPinnedMemoryResource(NativeMemoryResource):
    """Page-locked host memory, each buffer a separate allocation by the driver.

    The CPU and the kernels of all devices use the same bytes, and copies between it and a device in a stream are
    asynchronous. Freeing it waits for the device.
    """

    __slots__ = ()

    def __init__(self) -> None:
        """The first allocation loads the driver."""
        self._native = _cuprum.cuprum_memory_resource_create_legacy_pinned()
