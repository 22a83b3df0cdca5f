"""Work of one stream after that of another, without the host."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, StreamOptions, launch

SOURCE = """
extern "C" __global__ void fill(int* x, int value) { x[threadIdx.x] = value; }
extern "C" __global__ void twice(const int* x, int* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
"""

device = Device()
device.set_current()
first = device.create_stream(options=StreamOptions(nonblocking=True, priority=0))
second = device.create_stream(options=StreamOptions(nonblocking=True))
assert first.is_nonblocking
assert first != second
module = Program(SOURCE, "c++").compile("ptx")
host = LegacyPinnedMemoryResource().allocate(256)
numbers = np.from_dlpack(host).view(np.int32)

x, y = int(host.handle), int(host.handle) + 128
one_block = LaunchConfig(grid=(1, 1, 1), block=(32, 1, 1), shmem_size=0)
for value in range(5):
    launch(first, one_block, module.get_kernel("fill"), x, np.int32(value))
    second.wait(first)
    launch(second, one_block, module.get_kernel("twice"), x, y)
    first.wait(second.record())
first.sync()
assert (numbers[32:] == 8).all()
del numbers
host.close()
print("done")
