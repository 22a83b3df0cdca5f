"""Memory pools: freed blocks are kept, and given out again for sizes of the same bin."""

from __future__ import annotations

import gc
from operator import index
from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, MemoryError, raise_status, value_of
from cuprum.compat.pycuda._native import PoolBase
from cuprum.compat.pycuda._pointers import DeviceAllocation

_LEADING_BITS = 4
_MOST_BITS = 32


def bitlog2(number: int) -> int:
    """The position of the highest bit: the logarithm to base 2, rounded down."""
    return index(number).bit_length() - 1


class PooledDeviceAllocation(DeviceAllocation):
    """Device memory of a pool, which ``free()`` or the last reference gives back to it."""

    __slots__ = ()

    def __len__(self) -> int:
        return self.size


class MemoryPoolBase(PoolBase):
    """What pools of device memory and of page-locked memory have in common.

    Sizes are rounded up to bins, each of which holds sizes with the same leading bits. A pool serves the context that
    was current when it was made; it may be used by several threads.
    """

    def __init__(self, leading_bits_in_bin_id: int = _LEADING_BITS) -> None:
        """An empty pool. More leading bits, up to 32, make more bins, and round less."""
        bits = index(leading_bits_in_bin_id)
        if not 0 <= bits <= _MOST_BITS:
            raise ValueError(f"{type(self).__name__}: leading_bits_in_bin_id is 0 to {_MOST_BITS}, not {bits}")
        self._leading_bits = bits
        self._context = current_context(type(self).__name__)
        self._is_holding = True

    def free_held(self) -> None:
        """Gives all free blocks back to the driver."""
        for address in self._take_all_held():
            self._release(address)

    def stop_holding(self) -> None:
        """Gives the free blocks back, and from now on each block when it is freed."""
        self._is_holding = False
        self.free_held()

    def _obtain(self, size: int) -> int:
        """The address of a block for ``size`` bytes."""
        current = current_context(type(self).__name__)
        if current is not self._context and current != self._context:
            raise LogicError(
                f"{type(self).__name__}: the pool belongs to a context that is not the current one; make one for each",
                operation="allocating from a pool",
            )
        address = self._take_held(size)
        if not address:
            address = self._allocate_or_tidy(self.alloc_size(self.bin_number(size)))
            self._count_new(size)
        return address

    def _allocate_or_tidy(self, block: int) -> int:
        """From the driver; where it has no more, after the garbage and the free blocks are gone."""
        try:
            return self._acquire(block)
        except MemoryError:
            gc.collect()
            self.free_held()
        return self._acquire(block)

    def _acquire(self, size: int) -> int:
        raise NotImplementedError

    def _release(self, address: int) -> None:
        raise NotImplementedError

    def __del__(self) -> None:
        try:
            self.free_held()
        except Exception:  # the driver or the context is gone
            return


class DeviceMemoryPool(MemoryPoolBase):
    """Device memory that is kept for later allocations: ``allocate`` is an allocator for GPUArrays."""

    def _allocate(self, size: int) -> PooledDeviceAllocation:
        number = index(size)
        if number < 0:
            raise ValueError(f"{type(self).__name__}.allocate: {number} bytes")
        address = self._obtain(number)
        memory: PooledDeviceAllocation = PooledDeviceAllocation._of(address, number, self._context)
        memory._pool = self
        return memory

    #: ``allocate(size)``: ``size`` bytes, at least.
    allocate = __call__ = PoolBase._allocate_pooled

    def _acquire(self, size: int) -> int:
        err, address = _driver.cuMemAlloc(size)
        if err:
            raise_status(err, "cuMemAlloc", f"{size} bytes")
        return int(address)

    def _release(self, address: int) -> None:
        release_in(self._context, _driver.cuMemFree, "cuMemFree", address)


class PageLockedAllocator:
    """How a ``PageLockedMemoryPool`` allocates: with these ``driver.host_alloc_flags``."""

    def __init__(self, flags: int = 0) -> None:
        """Keeps the flags."""
        self.flags = int(flags)


class PageLockedMemoryPool(MemoryPoolBase):
    """Page-locked host memory that is kept for later arrays."""

    def __init__(
        self, allocator: PageLockedAllocator | None = None, leading_bits_in_bin_id: int = _LEADING_BITS
    ) -> None:
        """An empty pool."""
        super().__init__(leading_bits_in_bin_id)
        self._flags = 0 if allocator is None else allocator.flags

    def allocate(self, shape: Any, dtype: Any, order: str = "C") -> Any:
        """An array in page-locked memory, whose block the pool gets back with the last array that uses it."""
        import numpy as np

        from cuprum.compat.pycuda._host_memory import PooledHostAllocation, bytes_of

        dtype = np.dtype(dtype)
        size = bytes_of(shape, dtype)
        address = self._obtain(size)
        memory: PooledHostAllocation = PooledHostAllocation._of(address, size, self._context)
        memory._pool = self
        return memory.array(shape, dtype, order)

    def _acquire(self, size: int) -> int:
        return int(value_of(_driver.cuMemHostAlloc(size, self._flags), "cuMemHostAlloc", f"{size} bytes"))

    def _release(self, address: int) -> None:
        release_in(self._context, _driver.cuMemFreeHost, "cuMemFreeHost", address)
