"""Copies of rows and of boxes: between device memory, host memory, arrays and contexts."""

from __future__ import annotations

from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._arrays import Array
from cuprum.compat.pycuda._context import Context, current_context
from cuprum.compat.pycuda._errors import LogicError, check
from cuprum.compat.pycuda._memory import stream_handle
from cuprum.compat.pycuda._pointers import device_address

_HOST, _DEVICE, _ARRAY, _UNIFIED = 1, 2, 3, 4


def _number(field: str, doc: str) -> Any:
    """An attribute that is the driver's field of that name."""

    def get(self: Any) -> int:
        return int(getattr(self._parameters, field))

    def put(self: Any, value: int) -> None:
        setattr(self._parameters, field, value)

    return property(get, put, doc=doc)


class _Copy:
    """What all copies have in common: where they begin, and what they copy from and to."""

    _parameters: Any
    _host: list[Any]

    def __init__(self) -> None:
        """A copy of nothing: set source, destination and size."""
        self._host = [None, None]  # what the driver reads and writes, kept

    src_x_in_bytes = _number("srcXInBytes", "Where a row begins in the source.")
    src_y = _number("srcY", "The first row in the source.")
    src_pitch = _number("srcPitch", "Bytes from row to row in the source.")
    dst_x_in_bytes = _number("dstXInBytes", "Where a row begins in the destination.")
    dst_y = _number("dstY", "The first row in the destination.")
    dst_pitch = _number("dstPitch", "Bytes from row to row in the destination.")
    src_memory_type = _number("srcMemoryType", "One of ``driver.memory_type``; set by ``set_src_...``.")
    dst_memory_type = _number("dstMemoryType", "One of ``driver.memory_type``; set by ``set_dst_...``.")
    src_device = _number("srcDevice", "The address of the source on the device.")
    dst_device = _number("dstDevice", "The address of the destination on the device.")
    width_in_bytes = _number("WidthInBytes", "Bytes of a row.")
    height = _number("Height", "Rows.")

    def set_src_host(self, buffer: Any) -> None:
        """Copies from host memory."""
        self._parameters.srcMemoryType = _driver.CUmemorytype(_HOST)
        self._parameters.srcHost = self._kept(0, "set_src_host", buffer, False)

    def set_src_device(self, devptr: Any) -> None:
        """Copies from device memory."""
        self._parameters.srcMemoryType = _driver.CUmemorytype(_DEVICE)
        self._parameters.srcDevice = device_address("set_src_device", devptr)
        self._host[0] = devptr

    def set_src_array(self, array: Array) -> None:
        """Copies from an array."""
        self._parameters.srcMemoryType = _driver.CUmemorytype(_ARRAY)
        self._parameters.srcArray = array.handle
        self._host[0] = array

    def set_src_unified(self, buffer: Any) -> None:
        """Copies from an address that the CPU and devices share."""
        self._parameters.srcMemoryType = _driver.CUmemorytype(_UNIFIED)
        self._parameters.srcDevice = self._unified(0, "set_src_unified", buffer)

    def set_dst_host(self, buffer: Any) -> None:
        """Copies to host memory."""
        self._parameters.dstMemoryType = _driver.CUmemorytype(_HOST)
        self._parameters.dstHost = self._kept(1, "set_dst_host", buffer, True)

    def set_dst_device(self, devptr: Any) -> None:
        """Copies to device memory."""
        self._parameters.dstMemoryType = _driver.CUmemorytype(_DEVICE)
        self._parameters.dstDevice = device_address("set_dst_device", devptr)
        self._host[1] = devptr

    def set_dst_array(self, array: Array) -> None:
        """Copies to an array."""
        self._parameters.dstMemoryType = _driver.CUmemorytype(_ARRAY)
        self._parameters.dstArray = array.handle
        self._host[1] = array

    def set_dst_unified(self, buffer: Any) -> None:
        """Copies to an address that the CPU and devices share."""
        self._parameters.dstMemoryType = _driver.CUmemorytype(_UNIFIED)
        self._parameters.dstDevice = self._unified(1, "set_dst_unified", buffer)

    def _kept(self, side: int, what: str, buffer: Any, is_written: bool) -> int:
        """The address of host memory, which may have gaps: rows are what is copied."""
        import numpy as np

        array = np.asarray(buffer)
        if is_written and not array.flags.writeable:
            raise BufferError(f"{what}: the array that is written to is read-only; copy it first")
        self._host[side] = array
        return int(array.__array_interface__["data"][0])

    def _unified(self, side: int, what: str, buffer: Any) -> int:
        try:
            address = device_address(what, buffer)
        except TypeError:
            return self._kept(side, what, buffer, side == 1)
        self._host[side] = buffer
        return address

    def _require_ends(self) -> None:
        for side, name in enumerate(("src", "dst")):
            if self._host[side] is None and not int(getattr(self._parameters, f"{name}Device")):
                raise LogicError(
                    f"{type(self).__name__}: it has no {'source' if side == 0 else 'destination'}; call "
                    f"set_{name}_host, set_{name}_device or set_{name}_array first",
                    operation=type(self).__name__,
                )


class Memcpy2D(_Copy):
    """A copy of ``height`` rows of ``width_in_bytes`` bytes: set its attributes, then call it."""

    def __init__(self) -> None:
        """A copy of nothing: set source, destination and size."""
        super().__init__()
        self._parameters = _driver.CUDA_MEMCPY2D()

    def __call__(self, aligned: Any = False) -> None:
        """Copies, at once or in a stream: ``copy(aligned=True)`` or ``copy(stream)``.

        ``aligned`` rows begin where ``mem_alloc_pitch`` puts them; other rows are copied as they are.
        """
        self._require_ends()
        if isinstance(aligned, bool | int):
            if aligned:
                check(_driver.cuMemcpy2D(self._parameters), "cuMemcpy2D")
            else:
                check(_driver.cuMemcpy2DUnaligned(self._parameters), "cuMemcpy2DUnaligned")
        else:
            check(_driver.cuMemcpy2DAsync(self._parameters, stream_handle(aligned)), "cuMemcpy2DAsync")


class _Copy3D(_Copy):
    src_z = _number("srcZ", "The first slice in the source.")
    src_lod = _number("srcLOD", "0.")
    src_height = _number("srcHeight", "Rows from slice to slice in the source.")
    dst_z = _number("dstZ", "The first slice in the destination.")
    dst_lod = _number("dstLOD", "0.")
    dst_height = _number("dstHeight", "Rows from slice to slice in the destination.")
    depth = _number("Depth", "Slices.")


class Memcpy3D(_Copy3D):
    """A copy of ``depth`` slices of ``height`` rows of ``width_in_bytes`` bytes: set its attributes, then call it."""

    def __init__(self) -> None:
        """A copy of nothing: set source, destination and size."""
        super().__init__()
        self._parameters = _driver.CUDA_MEMCPY3D()

    def __call__(self, stream: Any = None) -> None:
        """Copies, at once or in a stream."""
        self._require_ends()
        if stream is None:
            check(_driver.cuMemcpy3D(self._parameters), "cuMemcpy3D")
        else:
            check(_driver.cuMemcpy3DAsync(self._parameters, stream_handle(stream)), "cuMemcpy3DAsync")


class Memcpy3DPeer(_Copy3D):
    """``Memcpy3D`` between two contexts, the current one where none is set."""

    def __init__(self) -> None:
        """A copy of nothing: set source, destination, contexts and size."""
        super().__init__()
        self._parameters = _driver.CUDA_MEMCPY3D_PEER()

    def set_src_context(self, context: Context) -> None:
        """The context of the source."""
        self._parameters.srcContext = context.handle

    def set_dst_context(self, context: Context) -> None:
        """The context of the destination."""
        self._parameters.dstContext = context.handle

    def __call__(self, stream: Any = None) -> None:
        """Copies, at once or in a stream."""
        self._require_ends()
        current = current_context("Memcpy3DPeer").handle
        for side in ("srcContext", "dstContext"):
            if not int(getattr(self._parameters, side)):
                setattr(self._parameters, side, current)
        if stream is None:
            check(_driver.cuMemcpy3DPeer(self._parameters), "cuMemcpy3DPeer")
        else:
            check(_driver.cuMemcpy3DPeerAsync(self._parameters, stream_handle(stream)), "cuMemcpy3DPeerAsync")
