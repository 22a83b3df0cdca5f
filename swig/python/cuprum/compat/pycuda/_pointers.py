"""What stands for device memory, and what stands for host memory: how arguments become addresses."""

from __future__ import annotations

from operator import index
from typing import Any, NoReturn

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import Context, current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, value_of
from cuprum.compat.pycuda._native import MemoryBase


class PointerHolderBase:
    """Derive from it, and define ``get_pointer()``, to pass memory of other packages to kernels and copies."""

    def get_pointer(self) -> int:
        """The device address."""
        raise NotImplementedError(f"{type(self).__name__} derives from PointerHolderBase and must define get_pointer()")

    def as_buffer(self, size: int, offset: int = 0) -> Any:
        """``size`` bytes behind the address as a buffer: for memory that the CPU can reach."""
        return as_buffer(index(self), size, offset)

    def __int__(self) -> int:
        return index(self.get_pointer())

    def __index__(self) -> int:
        return index(self.get_pointer())


def as_buffer(address: int, size: int, offset: int) -> Any:
    """A buffer over memory that the CPU can reach."""
    import ctypes

    return memoryview((ctypes.c_char * size).from_address(address + offset)).cast("B")


class ContextMemory(MemoryBase):
    """Memory of a context, freed there: whichever context is current, and in whichever thread."""

    __slots__ = ("__weakref__",)

    def __init__(self) -> None:
        """Raises TypeError: functions of ``driver`` allocate."""
        raise TypeError(f"a {type(self).__name__} comes from a function of driver, such as mem_alloc")

    @classmethod
    def _of(cls, address: int, size: int, context: Context) -> Any:
        memory = cls.__new__(cls)
        memory._address = address
        memory._context = context
        memory.size = size
        return memory

    #: The driver's function for it.
    _free_function = "cuMemFree"

    def _give_back(self, address: int) -> None:
        """What ``free()`` and the last reference do."""
        release_in(self._context, getattr(_driver, self._free_function), self._free_function, address)

    def _refuse_freed(self, what: str) -> NoReturn:
        raise LogicError(
            f"{what}: this {type(self).__name__} has been freed; keep it until the last use, or allocate again",
            operation=what,
        )


class DeviceAllocation(ContextMemory):
    """Device memory: an argument of kernels and copies, and, as an int, its address."""

    __slots__ = ()

    def as_buffer(self, size: int, offset: int = 0) -> Any:
        """``size`` bytes of it as a buffer: for memory that the CPU can reach, such as managed memory."""
        return as_buffer(index(self), size, offset)

    __int__ = __index__ = MemoryBase._open_address

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._address:#x}, {self.size} bytes>" if self._address else "<freed memory>"


def _mem_alloc(bytes: int) -> DeviceAllocation:
    context = current_context("mem_alloc")
    size = index(bytes)
    if size <= 0:
        raise LogicError(f"mem_alloc: {size} bytes; ask for at least 1", operation="mem_alloc")
    err, address = _driver.cuMemAlloc(size)
    if err:
        value_of((err, None), "cuMemAlloc", f"{size} bytes")
    return DeviceAllocation._of(int(address), size, context)  # type: ignore[no-any-return]


def device_address(what: str, memory: Any) -> int:
    """The address that the argument of ``what`` stands for."""
    if isinstance(memory, DeviceAllocation):
        return int(memory)
    try:
        return index(memory)
    except TypeError:
        pass
    inner = getattr(memory, "gpudata", None)
    if inner is not None:
        return device_address(what, inner)
    try:
        return int(memory.__cuda_array_interface__["data"][0])
    except AttributeError:
        raise TypeError(
            f"{what}: {type(memory).__name__} is not device memory; give what mem_alloc returns, a GPUArray, an "
            "address as an int, or an array with __cuda_array_interface__"
        ) from None


def require_room(what: str, memory: Any, size: int) -> None:
    """Raises where the whole of an allocation is smaller than what is copied."""
    if isinstance(memory, DeviceAllocation) and memory.size < size:
        raise LogicError(
            f"{what}: {size} bytes do not fit into an allocation of {memory.size} bytes; allocate a.nbytes",
            operation=what,
        )


def host_memory(what: str, memory: Any, is_written: bool) -> tuple[Any, int]:
    """What the driver takes for host memory, and how many bytes it has."""
    try:
        view = memoryview(memory)
    except (TypeError, BufferError, ValueError):
        return _without_buffer(what, memory)
    if not view.contiguous:
        refuse_strides(what, memory)
    if is_written and view.readonly:
        raise BufferError(f"{what}: the {type(memory).__name__} that is written to is read-only; copy it first")
    return (view if view.c_contiguous else memory.T), view.nbytes


def refuse_strides(what: str, memory: Any) -> NoReturn:
    """For an array with gaps, whose bytes are not one range."""
    shape, strides = getattr(memory, "shape", ""), getattr(memory, "strides", "")
    raise ValueError(
        f"{what}: the array is not contiguous (shape {shape}, strides {strides}): copy it first, with "
        "numpy.ascontiguousarray(a), or copy rows of it with Memcpy2D"
    )


def _without_buffer(what: str, memory: Any) -> tuple[Any, int]:
    # NumPy's dates are arrays that do not export a buffer.
    flags = getattr(memory, "flags", None)
    if flags is not None and hasattr(memory, "__array_interface__"):
        if not flags.forc:
            refuse_strides(what, memory)
        return memory.__array_interface__["data"][0], memory.nbytes
    raise TypeError(
        f"{what}: {type(memory).__name__} is not host memory; give a NumPy array, bytes, a bytearray or another buffer"
    )
