"""Host memory for devices: page-locked, aligned, registered and managed, as NumPy arrays.

An array's memory belongs to the object that its ``base`` leads to, and is given back with the last array that uses it.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context
from cuprum.compat.pycuda._errors import check, value_of
from cuprum.compat.pycuda._memory import stream_handle
from cuprum.compat.pycuda._pointers import ContextMemory, DeviceAllocation, host_memory

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


def _array_over(memory: Any, address: int, shape: Any, dtype: np.dtype[Any], order: str) -> Array:
    """An array over host memory, whose ``base`` is ``memory``."""
    import numpy as np

    lengths = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    lengths = tuple(int(length) for length in lengths)
    strides, step = [], dtype.itemsize
    for length in lengths if order == "F" else lengths[::-1]:
        strides.append(step)
        step *= length
    interface: dict[str, Any] = {
        "version": 3,
        "shape": lengths,
        "typestr": dtype.str,
        "strides": tuple(strides if order == "F" else strides[::-1]),
        "data": (address, False),
    }
    if dtype.fields:
        interface["descr"] = dtype.descr
    memory.__array_interface__ = interface
    array = np.asarray(memory)
    # The interface cannot describe every type: what it leaves out is set afterwards.
    return array if array.dtype == dtype else array.view(dtype)


class HostPointer(ContextMemory):
    """Host memory that a device can reach too."""

    __slots__ = ("__array_interface__",)

    def get_device_pointer(self) -> int:
        """The device's address of it, where it was made with the flag DEVICEMAP."""
        if not self._address:
            self._refuse_freed("asking for the device's address")
        return int(value_of(_driver.cuMemHostGetDevicePointer(self._address, 0), "cuMemHostGetDevicePointer"))

    def array(self, shape: Any, dtype: np.dtype[Any], order: str) -> Array:
        """The memory as an array, whose ``base`` this is."""
        return _array_over(self, self._address, shape, dtype, order)


class PagelockedHostAllocation(HostPointer):
    """Page-locked host memory: the ``base`` of what ``pagelocked_empty`` returns."""

    __slots__ = ()
    _free_function = "cuMemFreeHost"

    def get_flags(self) -> int:
        """The ``driver.host_alloc_flags`` that it was allocated with."""
        return int(value_of(_driver.cuMemHostGetFlags(self._address), "cuMemHostGetFlags"))


HostAllocation = PagelockedHostAllocation


class PooledHostAllocation(HostPointer):
    """Page-locked memory of a pool."""

    __slots__ = ()

    def __len__(self) -> int:
        return self.size


class RegisteredHostMemory(HostPointer):
    """Host memory that ``register_host_memory`` has page-locked: the ``base`` of what it returns."""

    __slots__ = ("_owner",)
    _free_function = "cuMemHostUnregister"
    _owner: Any

    def unregister(self) -> None:
        """Lets the system move the memory again. Also done with the last array that was returned."""
        self.free()


class ManagedAllocation(DeviceAllocation):
    """Managed memory, which the CPU and devices reach: the ``base`` of what ``managed_empty`` returns."""

    __slots__ = ("__array_interface__",)

    def get_device_pointer(self) -> int:
        """The device's address, which is the CPU's as well."""
        return int(self)

    def attach(self, mem_flags: Any, stream: Any = None) -> None:
        """Says which stream uses it: one of ``driver.mem_attach_flags``."""
        handle = stream_handle(stream)
        check(_driver.cuStreamAttachMemAsync(handle, int(self), 0, int(mem_flags)), "cuStreamAttachMemAsync")

    def array(self, shape: Any, dtype: np.dtype[Any], order: str) -> Array:
        """The memory as an array, whose ``base`` this is."""
        return _array_over(self, self._address, shape, dtype, order)


ManagedAllocationOrStub = ManagedAllocation


class AlignedHostAllocation(HostPointer):
    """Host memory that begins at a multiple of some alignment: the ``base`` of what ``aligned_empty`` returns."""

    __slots__ = ("_memory",)

    def __init__(self, size: int, alignment: int) -> None:
        """``size`` bytes; ``alignment`` is a power of two."""
        if alignment <= 0 or alignment & (alignment - 1):
            raise ValueError(f"aligned_empty: the alignment is a power of two, not {alignment}")
        self._memory = (ctypes.c_char * (size + alignment))()
        self._address = -(-ctypes.addressof(self._memory) // alignment) * alignment
        self.size = size

    def _give_back(self, address: int) -> None:
        self._memory = (ctypes.c_char * 0)()


def bytes_of(shape: Any, dtype: np.dtype[Any]) -> int:
    size = dtype.itemsize
    for length in shape if isinstance(shape, tuple | list) else (shape,):
        size *= int(length)
    return size


def _in_order(order: str) -> str:
    if order not in ("C", "F"):
        raise ValueError(f"order must be 'C' or 'F', not {order!r}")
    return order


def pagelocked_empty(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Array:
    """An array in page-locked memory. ``mem_flags`` are ``driver.host_alloc_flags``."""
    import numpy as np

    dtype = np.dtype(dtype)
    context = current_context("pagelocked_empty")
    size = max(bytes_of(shape, dtype), 1)
    address = value_of(_driver.cuMemHostAlloc(size, int(mem_flags)), "cuMemHostAlloc", f"{size} bytes")
    memory: PagelockedHostAllocation = PagelockedHostAllocation._of(int(address), size, context)
    return memory.array(shape, dtype, _in_order(order))


def pagelocked_zeros(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Array:
    """``pagelocked_empty``, and zero."""
    result = pagelocked_empty(shape, dtype, order, mem_flags)
    result.fill(0)
    return result


def _order_of(array: Array, order: str | None = None) -> str:
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def pagelocked_empty_like(array: Array, mem_flags: int = 0) -> Array:
    """``pagelocked_empty`` of the shape, type and order of another array."""
    return pagelocked_empty(array.shape, array.dtype, _order_of(array), mem_flags)


def pagelocked_zeros_like(array: Array, mem_flags: int = 0) -> Array:
    """``pagelocked_zeros`` of the shape, type and order of another array."""
    return pagelocked_zeros(array.shape, array.dtype, _order_of(array), mem_flags)


def aligned_empty(shape: Any, dtype: Any, order: str = "C", alignment: int = 4096) -> Array:
    """An array that begins at a multiple of ``alignment``: what ``register_host_memory`` takes."""
    import numpy as np

    dtype = np.dtype(dtype)
    memory = AlignedHostAllocation(bytes_of(shape, dtype), alignment)
    return memory.array(shape, dtype, _in_order(order))


def aligned_zeros(shape: Any, dtype: Any, order: str = "C", alignment: int = 4096) -> Array:
    """``aligned_empty``, and zero."""
    result = aligned_empty(shape, dtype, order, alignment)
    result.fill(0)
    return result


def aligned_empty_like(array: Array, alignment: int = 4096) -> Array:
    """``aligned_empty`` of the shape, type and order of another array."""
    return aligned_empty(array.shape, array.dtype, _order_of(array), alignment)


def aligned_zeros_like(array: Array, alignment: int = 4096) -> Array:
    """``aligned_zeros`` of the shape, type and order of another array."""
    return aligned_zeros(array.shape, array.dtype, _order_of(array), alignment)


def managed_empty(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Array:
    """An array in managed memory. ``mem_flags`` are ``driver.mem_attach_flags``; 0 is GLOBAL."""
    import numpy as np

    dtype = np.dtype(dtype)
    context = current_context("managed_empty")
    size = max(bytes_of(shape, dtype), 1)
    address = value_of(_driver.cuMemAllocManaged(size, int(mem_flags) or 1), "cuMemAllocManaged", f"{size} bytes")
    memory: ManagedAllocation = ManagedAllocation._of(int(address), size, context)
    return memory.array(shape, dtype, _in_order(order))


def managed_zeros(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Array:
    """``managed_empty``, and zero."""
    result = managed_empty(shape, dtype, order, mem_flags)
    result.fill(0)
    return result


def managed_empty_like(array: Array, mem_flags: int = 0) -> Array:
    """``managed_empty`` of the shape, type and order of another array."""
    return managed_empty(array.shape, array.dtype, _order_of(array), mem_flags)


def managed_zeros_like(array: Array, mem_flags: int = 0) -> Array:
    """``managed_zeros`` of the shape, type and order of another array."""
    return managed_zeros(array.shape, array.dtype, _order_of(array), mem_flags)


def register_host_memory(ary: Any, flags: int = 0) -> Array:
    """The same memory, page-locked until the last array that this returned is gone, or ``base.unregister()``."""
    import numpy as np

    _, size = host_memory("register_host_memory", ary, False)
    context = current_context("register_host_memory")
    array = np.asarray(ary)
    address = array.__array_interface__["data"][0]
    check(_driver.cuMemHostRegister(address, size, int(flags)), "cuMemHostRegister", f"{size} bytes")
    memory: RegisteredHostMemory = RegisteredHostMemory._of(address, size, context)
    memory._owner = ary
    return memory.array(array.shape, array.dtype, _order_of(array))


def owner_of(array: Any) -> Any:
    """What the memory of an array belongs to."""
    base = array
    while True:
        below = getattr(base, "base", None)
        if below is None:
            return base
        base = below


def managed_address(array: Any) -> int | None:
    """The address of the first element, where the memory is managed."""
    if not isinstance(owner_of(array), ManagedAllocation):
        return None
    address: int = array.__array_interface__["data"][0]
    return address
