"""Memory that devices use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core import _current, _dlpack
from cuprum.core._ipc import BufferSharing
from cuprum.core._region import fill_pattern
from cuprum.core._stream import IsStreamType, Stream, native_stream

if TYPE_CHECKING:
    from typing import Self

    from cuprum._typing import HostMemory
    from cuprum.core._batch import CopyOptions
    from cuprum.core._memory_resource import MemoryResource


class Buffer(BufferSharing, _cuprum.BufferHandle):
    """A piece of memory that devices use: their own, or page-locked host memory.

    Made by ``Device.allocate`` and ``MemoryResource.allocate``; ``Buffer.from_handle`` borrows one.

    Copies without a stream have finished when they return. Copies in a stream are asynchronous; the host memory is kept
    alive until the stream has passed them, and must not be changed before that. Between page-locked host memory and a
    device they return at once; the driver may wait for pageable host memory.

    Memory that the CPU can use (``is_host_accessible``) has the buffer protocol: ``memoryview(buffer)`` and
    ``numpy.frombuffer(buffer, dtype)`` are views of it, without a copy, which keep the memory alive even after the
    buffer is closed. They are in no stream's order: wait for the work that uses the memory first.
    """

    # `_resource` and `_is_borrowed` are set where they say something: allocations are frequent.
    __slots__ = ("_is_borrowed", "_registered", "_resource", "_stream")
    # BufferHandle has handle, size, device_id, fill, copy_from, close, _allocate and _allocate_from, in C
    # (buffer_handle.hpp). It leaves the unusual cases to _fill, _copy_from, _close_in, _allocate_in and
    # _allocate_from_resource.

    #: The stream it is freed in, or what owns borrowed memory.
    _stream: object
    _resource: MemoryResource
    _is_borrowed: bool
    #: Host memory that the buffer has registered, kept as long as this object: views and calls may use it until then.
    _registered: memoryview

    def __init__(self) -> None:
        """Raises TypeError: buffers are allocated, or borrowed with ``Buffer.from_handle``."""
        raise TypeError("make buffers with Device.allocate(), or borrow memory with Buffer.from_handle()")

    @classmethod
    def _allocate_in(cls, device_id: int, size: int, stream: Stream | IsStreamType | None) -> Buffer:
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_ALLOCATE)
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_buffer_allocate(device_id, size, native_of_stream)
        buffer._size = size
        buffer._stream = keep
        return buffer

    @classmethod
    def from_handle(
        cls,
        ptr: int,
        size: int,
        mr: MemoryResource | None = None,
        owner: object = None,
        *,
        stream: Stream | IsStreamType | None = None,
    ) -> Buffer:
        """Borrows ``size`` bytes at an address, on the device that they are on. ``owner`` is kept alive with it.

        With ``mr`` the buffer owns the memory, which that resource has allocated and no other buffer owns: closing it
        calls ``mr.deallocate``, after the work in ``stream``. Without a stream that is the default stream of the
        device, and for host memory that no device uses, none.
        """
        if mr is None:
            if stream is not None:
                raise ValueError("stream is for memory that the buffer frees: give mr, its memory resource, too")
            return cls._borrowed(_cuprum.cuprum_buffer_from_native(_current.of_memory(ptr), ptr, size), owner)
        if owner is not None:
            raise ValueError("mr owns the memory: leave owner out, or leave mr out to borrow the memory")
        return cls._taken_over(mr, ptr, size, stream)

    @classmethod
    def _taken_over(cls, resource: MemoryResource, ptr: int, size: int, stream: Stream | IsStreamType | None) -> Buffer:
        from cuprum.core._device import Device
        from cuprum.core._memory_resource import MemoryResource

        if not isinstance(resource, MemoryResource):
            raise TypeError(f"mr must be a MemoryResource, not {type(resource).__name__}")
        if stream is None and resource.is_device_accessible:
            device_id = resource.device_id
            stream = Device(None if device_id < 0 else device_id).default_stream
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_FROM_RESOURCE)
        buffer = cls.__new__(cls)
        buffer._native = resource._take_over(ptr, size, native_of_stream)
        buffer._size = size
        buffer._stream = keep
        buffer._resource = resource
        return buffer

    @classmethod
    def _owned(cls, native: int) -> Buffer:
        buffer = cls.__new__(cls)
        buffer._native = native
        buffer._size = _cuprum.cuprum_buffer_size(native)
        buffer._stream = None
        return buffer

    @classmethod
    def _borrowed(cls, native: int, owner: object) -> Buffer:
        buffer = cls.__new__(cls)
        buffer._native = native
        buffer._size = _cuprum.cuprum_buffer_size(native)
        buffer._stream = owner
        buffer._is_borrowed = True
        return buffer

    @classmethod
    def register_host_memory(cls, memory: HostMemory) -> Buffer:
        """Page-locks host memory until the buffer is closed.

        ``memory`` is anything contiguous and writable with the buffer protocol: a NumPy array, a bytearray. It is kept
        alive as long as this object. The host and the kernels of all devices use the same bytes, and copies between it
        and a device in a stream are asynchronous. Closing waits for the stream of ``set_deallocation_stream``, without
        one for all devices. Memory that is page-locked already is a CUDAError.
        """
        view = memoryview(memory)  # type: ignore[arg-type]
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_buffer_register_host_memory(memory)
        buffer._size = view.nbytes
        buffer._stream = None
        buffer._registered = view
        buffer._has_registered = True
        return buffer

    @classmethod
    def _allocate_from_resource(cls, resource: MemoryResource, size: int, stream: Stream | IsStreamType | None) -> Self:
        native_of_stream, keep = native_stream(stream, _operations.MEMORY_RESOURCE_ALLOCATE)
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_memory_resource_allocate(
            resource._open_native(_operations.MEMORY_RESOURCE_ALLOCATE), size, native_of_stream
        )
        buffer._size = size
        buffer._stream = keep
        buffer._resource = resource
        return buffer

    @property
    def memory_resource(self) -> MemoryResource | None:
        """What it was allocated from: a pool of the device for memory that ``Device.allocate`` made in a stream.

        None for memory that it made without a stream, and for borrowed and registered memory.
        """
        resource: MemoryResource | None = getattr(self, "_resource", None)
        if resource is None and not self.is_closed:
            native = _cuprum.cuprum_buffer_memory_resource(self._native)
            if native:
                from cuprum.core._memory_pool import DeviceMemoryResource

                resource = self._resource = DeviceMemoryResource._wrap(native)
        return resource

    def copy_from_host(
        self, source: HostMemory, *, offset: int = 0, stream: Stream | IsStreamType | None = None
    ) -> None:
        """Copies host memory into the buffer, from byte ``offset`` on.

        ``source`` is anything contiguous with the buffer protocol: bytes, array.array, a NumPy array.
        """
        native = self._open_native(_operations.BUFFER_COPY_FROM_HOST)
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_COPY_FROM_HOST)
        if keep is None:
            _cuprum.sync_default_stream(_cuprum.cuprum_buffer_device(native))
        _cuprum.cuprum_buffer_copy_from_host(native, offset, source, native_of_stream)
        if keep is not None:
            keep._hold(source)

    def copy_to_host(
        self, destination: HostMemory, *, offset: int = 0, stream: Stream | IsStreamType | None = None
    ) -> None:
        """Fills ``destination`` from the buffer, from byte ``offset`` on.

        ``destination`` is anything contiguous and writable with the buffer protocol; its size says how much is copied.
        """
        native = self._open_native(_operations.BUFFER_COPY_TO_HOST)
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_COPY_TO_HOST)
        if keep is None:
            _cuprum.sync_default_stream(_cuprum.cuprum_buffer_device(native))
        _cuprum.cuprum_buffer_copy_to_host(destination, native, offset, native_of_stream)
        if keep is not None:
            keep._hold(destination)

    def copy_to(
        self, dst: Buffer | None = None, *, stream: Stream | IsStreamType, options: CopyOptions | None = None
    ) -> Buffer:
        """Copies to another buffer of the same size, which is made when none is given, of the same kind of memory.

        Returns that buffer. With ``options`` it is a batch of one copy (``utils.copy_batch``), with their hints.
        """
        native = self._open_native(_operations.BUFFER_COPY)
        if dst is not None and not isinstance(dst, Buffer):
            raise TypeError(f"dst must be a Buffer, not {type(dst).__name__}; copy_to_host() copies to host memory")
        if dst is None:
            resource = self.memory_resource
            if resource is None:
                dst = Buffer._allocate(_cuprum.cuprum_buffer_device(native), self._size, stream)
            else:
                dst = resource.allocate(self._size, stream=stream)
        if options is not None:
            from cuprum.core._batch import copy_batch

            copy_batch(stream, [self], [dst], options=options)
            return dst
        dst.copy_from(self, stream=stream)
        return dst

    def _copy_from(self, src: Buffer, *, stream: Stream | IsStreamType, options: CopyOptions | None = None) -> None:
        if not isinstance(src, Buffer):
            raise TypeError(f"src must be a Buffer, not {type(src).__name__}; copy_from_host() copies host memory")
        if src._size != self._size:
            raise ValueError(
                f"both buffers must have the same size: {src._size} bytes cannot be copied to {self._size} bytes"
            )
        if options is not None:
            from cuprum.core._batch import copy_batch

            copy_batch(stream, [src], [self], options=options)
            return
        native_of_stream, _ = native_stream(stream, _operations.BUFFER_COPY)
        _cuprum.cuprum_buffer_copy(
            self._open_native(_operations.BUFFER_COPY),
            0,
            src._open_native(_operations.BUFFER_COPY),
            0,
            self._size,
            native_of_stream,
        )

    def _fill(self, value: int | bytes | bytearray | memoryview, *, stream: Stream | IsStreamType) -> None:
        pattern = fill_pattern(value)
        native_of_stream, _ = native_stream(stream, _operations.BUFFER_FILL)
        _cuprum.cuprum_buffer_fill(
            self._open_native(_operations.BUFFER_FILL),
            *pattern,
            native_of_stream,
        )

    # Python's own errors about the arguments shall name the methods that were called.
    _fill.__qualname__ = "Buffer.fill"
    _copy_from.__qualname__ = "Buffer.copy_from"

    if TYPE_CHECKING:  # BufferHandle's, which Owner's would hide from type checkers

        def close(self, stream: Stream | IsStreamType | None = None) -> None: ...

    def _close_in(self, stream: Stream | IsStreamType | None = None) -> None:
        if stream is not None and self._native and not getattr(self, "_is_borrowed", False):
            self.set_deallocation_stream(stream)
        self._close_now()

    _close_in.__qualname__ = "Buffer.close"

    def set_deallocation_stream(self, stream: Stream | IsStreamType) -> None:
        """The memory will be freed after the work in ``stream``, which is kept alive until then.

        Makes no stream wait: what still uses the memory must come before that in the stream's order. Memory that was
        allocated without a stream, and host memory, is freed by a call that waits for the stream.
        """
        native = self._open_native(_operations.BUFFER_SET_DEALLOCATION_STREAM)
        if stream is None:
            raise TypeError("stream must be a Stream, not None")
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_SET_DEALLOCATION_STREAM)
        _cuprum.cuprum_buffer_set_deallocation_stream(native, native_of_stream)
        self._stream = keep

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": (self._size,),
            "typestr": "|u1",
            "data": (self.handle, False),
            "version": 3,
            "strides": None,
            "stream": _dlpack.interface_stream(self._stream),
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        if not self.is_host_accessible:
            return _dlpack.CUDA, self.device_id
        if not self.is_device_accessible:
            return _dlpack.CPU, 0
        return (_dlpack.CUDA_MANAGED, self.device_id) if self.is_managed else (_dlpack.CUDA_HOST, 0)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """The bytes as int8, for other libraries. ``stream`` waits for the stream that the buffer was allocated in."""
        device = self.__dlpack_device__()
        capsule = _dlpack.give(
            self, self.handle, device, None, (self._size,), max_version=max_version, dl_device=dl_device, copy=copy
        )
        _dlpack.order_after(stream, self._stream)
        return capsule

    def __repr__(self) -> str:
        if self.is_closed:
            return f"<Buffer of {self._size} bytes, closed>"
        return f"<Buffer of {self._size} bytes at {self.handle:#x} on device {self.device_id}>"
