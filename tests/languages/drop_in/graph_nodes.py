"""A graph that is described node by node, and changed after it was made."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program
from cuda.core.graph import GraphDefinition, KernelNode, MemsetNode

device = Device()
device.set_current()
stream = device.create_stream()
add = Program('extern "C" __global__ void add(int* x) { x[threadIdx.x] += 1; }', "c++").compile("ptx").get_kernel("add")
host = LegacyPinnedMemoryResource().allocate(16)
numbers = np.from_dlpack(host).view(np.int32)
numbers[:] = 9

definition = GraphDefinition()
cleared = definition.memset(int(host.handle), 0, 16)
added = cleared.launch(LaunchConfig(grid=1, block=4), add, int(host.handle))
again = added.launch(LaunchConfig(grid=1, block=2), add, int(host.handle))
assert isinstance(cleared, MemsetNode)
assert isinstance(again, KernelNode)
assert set(added.pred) == {cleared}
assert set(added.succ) == {again}
assert len(list(definition.nodes())) == 3

graph = definition.instantiate()
graph.upload(stream)
graph.launch(stream)
stream.sync()
assert numbers.tolist() == [2, 2, 1, 1]
del numbers
graph.close()
host.close()
print("done")
