"""Work that is captured: two branches that join, launched again and again."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, launch

SOURCE = 'extern "C" __global__ void add(int* x, int what) { atomicAdd(x, what); }'

device = Device()
device.set_current()
stream = device.create_stream()
add = Program(SOURCE, "c++").compile("ptx").get_kernel("add")
host = LegacyPinnedMemoryResource().allocate(8)
numbers = np.from_dlpack(host).view(np.int32)
numbers[:] = 0
config = LaunchConfig(grid=1, block=1)
address = int(host.handle)

builder = device.create_graph_builder().begin_building()
assert builder.is_building
launch(builder, config, add, address, np.int32(1))
left, right = builder.split(2)
launch(left, config, add, address, np.int32(10))
launch(right, config, add, address + 4, np.int32(5))
builder = left.join(left, right)
launch(builder, config, add, address, np.int32(100))
graph = builder.end_building().complete()
for _ in range(3):
    graph.launch(stream)
stream.sync()
assert numbers.tolist() == [333, 15]
graph.close()
builder.close()
del numbers
host.close()
print("done")
