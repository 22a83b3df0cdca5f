"""Memory pools: freed blocks are kept, and given out again for sizes of the same bin."""

from __future__ import annotations

import gc
import threading
from operator import index
from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import current_context, release_in
from cuprum.compat.pycuda._errors import LogicError, MemoryError, raise_status, value_of
from cuprum.compat.pycuda._pointers import DeviceAllocation

_LEADING_BITS = 4
_MOST_SIZES = 1024  # of which the bin is remembered


def bitlog2(number: int) -> int:
    """The position of the highest bit: the logarithm to base 2, rounded down."""
    return index(number).bit_length() - 1


class PooledDeviceAllocation(DeviceAllocation):
    """Device memory of a pool, which ``free()`` or the last reference gives back to it."""

    __slots__ = ("_pool",)
    _pool: DeviceMemoryPool

    def _give_back(self, address: int) -> None:
        self._pool._take_back(address, self.size)

    def __len__(self) -> int:
        return self.size


class MemoryPoolBase:
    """What pools of device memory and of page-locked memory have in common.

    Sizes are rounded up to bins, each of which holds sizes with the same leading bits. A pool serves the context that
    was current when it was made; it may be used by several threads.
    """

    def __init__(self, leading_bits_in_bin_id: int = _LEADING_BITS) -> None:
        """An empty pool. More leading bits make more bins, and round less."""
        self._bits = leading_bits_in_bin_id
        self._context = current_context(type(self).__name__)
        self._lock = threading.RLock()
        self._bins: dict[int, list[int]] = {}
        #: Of sizes that were asked for: the free blocks of the bin, and the bytes of its blocks.
        self._sizes: dict[int, tuple[list[int], int]] = {}
        self._is_holding = True
        self._held = 0
        self._active = 0
        self._managed_bytes = 0
        self._active_bytes = 0

    @property
    def held_blocks(self) -> int:
        """Blocks that are free, and kept."""
        return self._held

    @property
    def active_blocks(self) -> int:
        """Blocks that are in use."""
        return self._active

    @property
    def managed_bytes(self) -> int:
        """Bytes of all blocks, free or in use."""
        return self._managed_bytes

    @property
    def active_bytes(self) -> int:
        """Bytes of the blocks in use, as they were asked for."""
        return self._active_bytes

    def bin_number(self, size: int) -> int:
        """The bin of a size."""
        length = max(index(size), 1).bit_length() - 1
        shift = length - self._bits
        shifted = size >> shift if shift >= 0 else size << -shift
        return length << self._bits | shifted & ((1 << self._bits) - 1)

    def alloc_size(self, bin_nr: int) -> int:
        """The bytes of a block of that bin."""
        exponent, mantissa = bin_nr >> self._bits, bin_nr & ((1 << self._bits) - 1)
        shift = exponent - self._bits
        head = 1 << self._bits | mantissa
        if shift < 0:
            return head >> -shift
        return head << shift | ((1 << shift) - 1)

    def free_held(self) -> None:
        """Gives all free blocks back to the driver."""
        with self._lock:
            addresses = []
            for number, free in self._bins.items():
                self._managed_bytes -= self.alloc_size(number) * len(free)
                addresses += free
                free.clear()
            self._held = 0
        for address in addresses:
            self._release(address)

    def stop_holding(self) -> None:
        """Gives the free blocks back, and from now on each block when it is freed."""
        self._is_holding = False
        self.free_held()

    def _bin_of(self, size: int) -> tuple[list[int], int]:
        number = self.bin_number(size)
        with self._lock:
            if len(self._sizes) >= _MOST_SIZES:
                self._sizes.clear()
            found = self._sizes[size] = self._bins.setdefault(number, []), self.alloc_size(number)
        return found

    def _obtain(self, size: int) -> int:
        """The address of a block for ``size`` bytes."""
        current = current_context(type(self).__name__)
        if current is not self._context and current != self._context:
            raise LogicError(
                f"{type(self).__name__}: the pool belongs to a context that is not the current one; make one for each",
                operation="allocating from a pool",
            )
        free, block = self._sizes.get(size) or self._bin_of(size)
        with self._lock:
            if free:
                self._held -= 1
                self._active += 1
                self._active_bytes += size
                return free.pop()
        address = self._allocate_or_tidy(block)
        with self._lock:
            self._active += 1
            self._managed_bytes += block
            self._active_bytes += size
        return address

    def _allocate_or_tidy(self, block: int) -> int:
        """From the driver; where it has no more, after the garbage and the free blocks are gone."""
        try:
            return self._acquire(block)
        except MemoryError:
            gc.collect()
            self.free_held()
        return self._acquire(block)

    def _take_back(self, address: int, size: int) -> None:
        free, block = self._sizes.get(size) or self._bin_of(size)
        with self._lock:
            self._active -= 1
            self._active_bytes -= size
            if self._is_holding:
                free.append(address)
                self._held += 1
                return
            self._managed_bytes -= block
        self._release(address)

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

    def allocate(self, size: int) -> PooledDeviceAllocation:
        """``size`` bytes, at least."""
        number = index(size)
        if number < 0:
            raise ValueError(f"{type(self).__name__}.allocate: {number} bytes")
        address = self._obtain(number)
        memory: PooledDeviceAllocation = PooledDeviceAllocation._of(address, number, self._context)
        memory._pool = self
        return memory

    __call__ = allocate

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
