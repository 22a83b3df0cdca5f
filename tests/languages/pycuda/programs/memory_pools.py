"""Pools of device memory and of page-locked memory."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.tools import DeviceMemoryPool, PageLockedMemoryPool, bitlog2


def state(pool):
    return pool.active_blocks, pool.held_blocks, pool.managed_bytes, pool.active_bytes


pool = DeviceMemoryPool()
print([pool.bin_number(size) for size in (1, 2, 15, 16, 17, 100, 1000, 4096, 4097, 1 << 20)])
print([pool.alloc_size(pool.bin_number(size)) for size in (1, 2, 15, 16, 17, 100, 1000, 4096, 4097, 1 << 20)])
blocks = [pool.allocate(1000 + i) for i in range(5)]
print(state(pool), len(blocks[0]))
addresses = {int(block) for block in blocks}
blocks[0].free()
del blocks[3:]
print(state(pool))
again = pool.allocate(1001)
print(int(again) in addresses, state(pool))
cuda.memcpy_htod(again, np.arange(250, dtype=np.int32))
print(cuda.from_device(again, 3, np.int32))
pool.free_held()
print(state(pool))
pool.stop_holding()
del blocks, again
print(state(pool))

host_pool = PageLockedMemoryPool()
array = host_pool.allocate((3, 5), np.float32)
array[:] = 2
print(array.shape, array.sum(), state(host_pool)[:2])
del array
print(state(host_pool)[:2])
print([bitlog2(number) for number in (1, 2, 3, 4, 1023, 1024)])
