"""Two programs that are compiled apart and linked into one."""

import numpy as np
from cuda.core import (
    Device,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Linker,
    LinkerOptions,
    Program,
    ProgramOptions,
    launch,
)

KERNEL = """
extern __device__ int twice(int value);
extern "C" __global__ void apply(int* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }
"""
FUNCTION = "__device__ int twice(int value) { return 2 * value; }"

device = Device()
device.set_current()
stream = device.create_stream()
arch = f"sm_{device.arch}"
options = ProgramOptions(relocatable_device_code=True, arch=arch)
parts = [Program(source, "c++", options).compile("ptx") for source in (KERNEL, FUNCTION)]
linked = Linker(*parts, options=LinkerOptions(arch=arch)).link("cubin")
assert linked.code_type == "cubin"

host = LegacyPinnedMemoryResource().allocate(16)
numbers = np.from_dlpack(host).view(np.int32)
numbers[:] = [1, 2, 3, 4]
launch(stream, LaunchConfig(grid=1, block=4), linked.get_kernel("apply"), host)
stream.sync()
assert numbers.tolist() == [2, 4, 6, 8]
del numbers
host.close()
print("done")
