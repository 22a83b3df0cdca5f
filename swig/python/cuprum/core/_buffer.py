"""Device memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import Owner, _cuprum
from cuprum.core import _current, _dlpack
from cuprum.core._stream import IsStreamType, Stream, as_stream, native_stream

if TYPE_CHECKING:
    from cuprum._typing import HostMemory


class Buffer(Owner, _cuprum.BufferHandle):
    """A piece of device memory. Made by ``Device.allocate``; ``Buffer.from_handle`` borrows one.

    Copies without a stream have finished when they return. Copies in a stream are asynchronous; the host memory is kept
    alive until the stream has passed them, and must not be changed before that.
    """

    __slots__ = ("_stream",)
    _destroy = staticmethod(_cuprum.release_buffer)
    # BufferHandle has handle, size, device_id, fill and copy_from, in C (buffer_handle.hpp). It leaves to _fill and
    # _copy_from what is not the usual case.

    #: The stream it is freed in, or what owns borrowed memory.
    _stream: object

    def __init__(self) -> None:
        """Raises TypeError: buffers come from ``Device.allocate`` and ``Buffer.from_handle``."""
        raise TypeError("make buffers with Device.allocate(), or borrow memory with Buffer.from_handle()")

    @classmethod
    def _allocate(cls, device_id: int, size: int, stream: Stream | IsStreamType | None) -> Buffer:
        native_of_stream, keep = native_stream(stream, _operations.BUFFER_ALLOCATE)
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_buffer_allocate(device_id, size, native_of_stream)
        buffer._size = size
        buffer._stream = keep
        return buffer

    @classmethod
    def from_handle(cls, ptr: int, size: int, *, owner: object = None) -> Buffer:
        """Borrows ``size`` bytes at a device address of the current device. ``owner`` is kept alive with the buffer."""
        buffer = cls.__new__(cls)
        buffer._native = _cuprum.cuprum_buffer_from_native(_current.device_id(), ptr, size)
        buffer._size = size
        buffer._stream = owner
        return buffer

    @property
    def is_device_accessible(self) -> bool:
        """Kernels can use the memory: True."""
        return True

    @property
    def is_host_accessible(self) -> bool:
        """The host can use the memory without a copy: False."""
        return False

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

    def copy_to(self, dst: Buffer | None = None, *, stream: Stream | IsStreamType) -> Buffer:
        """Copies to another buffer of the same size, which is made when none is given. Returns that buffer."""
        native = self._open_native(_operations.BUFFER_COPY)
        if dst is not None and not isinstance(dst, Buffer):
            raise TypeError(f"dst must be a Buffer, not {type(dst).__name__}; copy_to_host() copies to host memory")
        if dst is None:
            dst = Buffer._allocate(_cuprum.cuprum_buffer_device(native), self._size, stream)
        dst.copy_from(self, stream=stream)
        return dst

    def _copy_from(self, src: Buffer, *, stream: Stream | IsStreamType) -> None:
        if not isinstance(src, Buffer):
            raise TypeError(f"src must be a Buffer, not {type(src).__name__}; copy_from_host() copies host memory")
        if src._size != self._size:
            raise ValueError(
                f"both buffers must have the same size: {src._size} bytes cannot be copied to {self._size} bytes"
            )
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
        if isinstance(value, int):
            if not 0 <= value <= 255:
                raise ValueError(f"a fill value is a byte, 0 to 255, not {value}; pass bytes for a wider pattern")
            pattern = bytes([value])
        else:
            try:
                pattern = bytes(memoryview(value))
            except TypeError:
                raise TypeError(
                    f"a fill value is an int from 0 to 255 or a pattern in bytes, not {type(value).__name__}: "
                    "np.float32(1.5).tobytes() is the pattern of a float"
                ) from None
            if len(pattern) not in (1, 2, 4):
                raise ValueError(f"a fill pattern has 1, 2 or 4 bytes, not {len(pattern)}")
        native_of_stream, _ = native_stream(stream, _operations.BUFFER_FILL)
        _cuprum.cuprum_buffer_fill(
            self._open_native(_operations.BUFFER_FILL),
            int.from_bytes(pattern, "little"),
            len(pattern),
            native_of_stream,
        )

    # Python's own errors about the arguments shall name the methods that were called.
    _fill.__qualname__ = "Buffer.fill"
    _copy_from.__qualname__ = "Buffer.copy_from"

    def close(self, stream: Stream | IsStreamType | None = None) -> None:
        """Frees the memory, after the work so far in ``stream`` if one is given. Calling it again does nothing."""
        if stream is not None and self._native:
            # The C ABI frees in the order of the stream it was allocated in, else with a wait for the device.
            own = self._stream
            if isinstance(own, Stream) and not own.is_closed:
                own.wait(stream)
            else:
                as_stream(stream).sync()
        super().close()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        # No stream: the caller orders its work after ours, as with every other use of a Buffer.
        return {
            "shape": (self._size,),
            "typestr": "|u1",
            "data": (self.handle, False),
            "version": 3,
            "strides": None,
            "stream": None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return _dlpack.CUDA, self.device_id

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
