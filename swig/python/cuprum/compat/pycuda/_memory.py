"""Linear device memory: helpers that allocate, copies and fills."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context
from cuprum.compat.pycuda._errors import check, raise_status
from cuprum.compat.pycuda._native import mem_alloc, memcpy_dtoh, memcpy_htod
from cuprum.compat.pycuda._pointers import DeviceAllocation, device_address, host_memory, require_room

if TYPE_CHECKING:
    from cuprum.compat.pycuda._context import Context
    from cuprum.compat.pycuda._stream import Stream


def stream_handle(stream: Any) -> int:
    """The ``CUstream`` of a Stream, of an object with ``__cuda_stream__``, or the default stream for None."""
    if stream is None:
        return 0
    handle = getattr(stream, "handle", None)
    if handle is not None:
        return handle  # type: ignore[no-any-return]
    lend = getattr(stream, "__cuda_stream__", None)
    if lend is None:
        raise TypeError(
            f"the stream is a {type(stream).__name__}; give a driver.Stream, or None for the default stream"
        )
    return int(lend()[1])


def _memcpy_htod(dest: Any, src: Any) -> None:
    memory, size = host_memory("memcpy_htod", src, False)
    require_room("memcpy_htod", dest, size)
    err = _driver.cuMemcpyHtoD(device_address("memcpy_htod", dest), memory, size)[0]
    if err:
        raise_status(err, "cuMemcpyHtoD", f"{size} bytes")


def _memcpy_htod_async(dest: Any, src: Any, stream: Stream | None = None) -> None:
    memory, size = host_memory("memcpy_htod_async", src, False)
    require_room("memcpy_htod_async", dest, size)
    address = device_address("memcpy_htod_async", dest)
    err = _driver.cuMemcpyHtoDAsync(address, memory, size, stream_handle(stream))[0]
    if err:
        raise_status(err, "cuMemcpyHtoDAsync", f"{size} bytes")


def _memcpy_dtoh(dest: Any, src: Any) -> None:
    memory, size = host_memory("memcpy_dtoh", dest, True)
    require_room("memcpy_dtoh", src, size)
    err = _driver.cuMemcpyDtoH(memory, device_address("memcpy_dtoh", src), size)[0]
    if err:
        raise_status(err, "cuMemcpyDtoH", f"{size} bytes")


def _memcpy_dtoh_async(dest: Any, src: Any, stream: Stream | None = None) -> None:
    memory, size = host_memory("memcpy_dtoh_async", dest, True)
    require_room("memcpy_dtoh_async", src, size)
    address = device_address("memcpy_dtoh_async", src)
    err = _driver.cuMemcpyDtoHAsync(memory, address, size, stream_handle(stream))[0]
    if err:
        raise_status(err, "cuMemcpyDtoHAsync", f"{size} bytes")


def _memcpy_dtod(dest: Any, src: Any, size: int) -> None:
    _require_both("memcpy_dtod", dest, src, index(size))
    addresses = device_address("memcpy_dtod", dest), device_address("memcpy_dtod", src)
    check(_driver.cuMemcpyDtoD(*addresses, size), "cuMemcpyDtoD", f"{size} bytes")


def _memcpy_dtod_async(dest: Any, src: Any, size: int, stream: Stream | None = None) -> None:
    _require_both("memcpy_dtod_async", dest, src, index(size))
    addresses = device_address("memcpy_dtod_async", dest), device_address("memcpy_dtod_async", src)
    check(_driver.cuMemcpyDtoDAsync(*addresses, size, stream_handle(stream)), "cuMemcpyDtoDAsync", f"{size} bytes")


def memcpy_peer(
    dest: Any, src: Any, size: int, dest_context: Context | None = None, src_context: Context | None = None
) -> None:
    """Copies between contexts, None being the current one."""
    _require_both("memcpy_peer", dest, src, index(size))
    both = _peer("memcpy_peer", dest, dest_context, src, src_context)
    check(_driver.cuMemcpyPeer(*both, size), "cuMemcpyPeer", f"{size} bytes")


def memcpy_peer_async(
    dest: Any,
    src: Any,
    size: int,
    dest_context: Context | None = None,
    src_context: Context | None = None,
    stream: Stream | None = None,
) -> None:
    """Copies between contexts in a stream, None being the current context."""
    _require_both("memcpy_peer_async", dest, src, index(size))
    both = _peer("memcpy_peer_async", dest, dest_context, src, src_context)
    check(_driver.cuMemcpyPeerAsync(*both, size, stream_handle(stream)), "cuMemcpyPeerAsync", f"{size} bytes")


def _peer(
    what: str, dest: Any, dest_context: Context | None, src: Any, src_context: Context | None
) -> tuple[int, int, int, int]:
    current = current_context(what)
    return (
        device_address(what, dest),
        (dest_context or current).handle,
        device_address(what, src),
        (src_context or current).handle,
    )


def _require_both(what: str, dest: Any, src: Any, size: int) -> None:
    require_room(what, dest, size)
    require_room(what, src, size)


def _require_fill(what: str, dest: Any, data: int, size: int, width: int) -> tuple[int, int, int]:
    value, number = index(data), index(size)
    if not -(1 << (8 * width - 1)) <= value < 1 << (8 * width):
        raise OverflowError(f"{what}: {value} does not fit into {8 * width} bits")
    require_room(what, dest, number * width)
    return device_address(what, dest), value % (1 << (8 * width)), number


def _memset_d8(dest: Any, data: int, size: int) -> None:
    check(_driver.cuMemsetD8(*_require_fill("memset_d8", dest, data, size, 1)), "cuMemsetD8")


def _memset_d16(dest: Any, data: int, size: int) -> None:
    check(_driver.cuMemsetD16(*_require_fill("memset_d16", dest, data, size, 2)), "cuMemsetD16")


def _memset_d32(dest: Any, data: int, size: int) -> None:
    check(_driver.cuMemsetD32(*_require_fill("memset_d32", dest, data, size, 4)), "cuMemsetD32")


def _memset_d8_async(dest: Any, data: int, size: int, stream: Stream | None = None) -> None:
    filled = _require_fill("memset_d8_async", dest, data, size, 1)
    check(_driver.cuMemsetD8Async(*filled, stream_handle(stream)), "cuMemsetD8Async")


def _memset_d16_async(dest: Any, data: int, size: int, stream: Stream | None = None) -> None:
    filled = _require_fill("memset_d16_async", dest, data, size, 2)
    check(_driver.cuMemsetD16Async(*filled, stream_handle(stream)), "cuMemsetD16Async")


def _memset_d32_async(dest: Any, data: int, size: int, stream: Stream | None = None) -> None:
    filled = _require_fill("memset_d32_async", dest, data, size, 4)
    check(_driver.cuMemsetD32Async(*filled, stream_handle(stream)), "cuMemsetD32Async")


def memset_d2d8(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Sets ``width`` elements of 8 bits in each of ``height`` rows, which are ``pitch`` bytes apart."""
    address, value, _ = _require_fill("memset_d2d8", dest, data, 0, 1)
    check(_driver.cuMemsetD2D8(address, pitch, value, width, height), "cuMemsetD2D8")


def memset_d2d16(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Sets ``width`` elements of 16 bits in each of ``height`` rows, which are ``pitch`` bytes apart."""
    address, value, _ = _require_fill("memset_d2d16", dest, data, 0, 2)
    check(_driver.cuMemsetD2D16(address, pitch, value, width, height), "cuMemsetD2D16")


def memset_d2d32(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """Sets ``width`` elements of 32 bits in each of ``height`` rows, which are ``pitch`` bytes apart."""
    address, value, _ = _require_fill("memset_d2d32", dest, data, 0, 4)
    check(_driver.cuMemsetD2D32(address, pitch, value, width, height), "cuMemsetD2D32")


def memset_d2d8_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None) -> None:
    """``memset_d2d8`` in a stream."""
    address, value, _ = _require_fill("memset_d2d8_async", dest, data, 0, 1)
    check(_driver.cuMemsetD2D8Async(address, pitch, value, width, height, stream_handle(stream)), "cuMemsetD2D8Async")


def memset_d2d16_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None) -> None:
    """``memset_d2d16`` in a stream."""
    address, value, _ = _require_fill("memset_d2d16_async", dest, data, 0, 2)
    check(_driver.cuMemsetD2D16Async(address, pitch, value, width, height, stream_handle(stream)), "cuMemsetD2D16Async")


def memset_d2d32_async(dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None) -> None:
    """``memset_d2d32`` in a stream."""
    address, value, _ = _require_fill("memset_d2d32_async", dest, data, 0, 4)
    check(_driver.cuMemsetD2D32Async(address, pitch, value, width, height, stream_handle(stream)), "cuMemsetD2D32Async")


def mem_alloc_pitch(width: int, height: int, access_size: int) -> tuple[DeviceAllocation, int]:
    """``height`` rows of ``width`` bytes, aligned for accesses of 4, 8 or 16 bytes; with the bytes from row to row."""
    context = current_context("mem_alloc_pitch")
    err, address, pitch = _driver.cuMemAllocPitch(width, height, access_size)
    if err:
        raise_status(err, "cuMemAllocPitch", f"{height} rows of {width} bytes, accesses of {access_size}")
    return DeviceAllocation._of(int(address), pitch * height, context), pitch


def mem_get_info() -> tuple[int, int]:
    """Bytes that are free on the device of the current context, and bytes in all."""
    err, free, total = _driver.cuMemGetInfo()
    if err:
        raise_status(err, "cuMemGetInfo")
    return free, total


def mem_get_address_range(devptr: Any) -> tuple[int, int]:
    """Where the allocation that an address lies in begins, and its bytes."""
    address = device_address("mem_get_address_range", devptr)
    err, base, size = _driver.cuMemGetAddressRange(address)
    if err:
        raise_status(err, "cuMemGetAddressRange")
    return int(base), size


def to_device(bf_obj: Any) -> DeviceAllocation:
    """A copy of host memory on the device."""
    _, size = host_memory("to_device", bf_obj, False)
    memory = mem_alloc(size)
    memcpy_htod(memory, bf_obj)
    return memory


def mem_alloc_like(ary: Any) -> DeviceAllocation:
    """As much device memory as the array has."""
    return mem_alloc(ary.nbytes)


def from_device(devptr: Any, shape: Any, dtype: Any, order: str = "C") -> Any:
    """A NumPy array of that shape and type with what is at ``devptr``."""
    import numpy as np

    result = np.empty(shape, dtype, order)  # type: ignore[call-overload]
    memcpy_dtoh(result, devptr)
    return result


def from_device_like(devptr: Any, other_ary: Any) -> Any:
    """A NumPy array like ``other_ary`` with what is at ``devptr``."""
    import numpy as np

    result = np.empty_like(other_ary)
    memcpy_dtoh(result, devptr)
    return result
