"""Two arrays are added: memory of a device's pool, copies through page-locked memory."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = """
template <typename T> __global__ void vector_add(const T* a, const T* b, T* c, size_t n) {
    const size_t first = threadIdx.x + size_t(blockIdx.x) * blockDim.x;
    for (size_t i = first; i < n; i += size_t(gridDim.x) * blockDim.x) c[i] = a[i] + b[i];
}
"""

device = Device()
device.set_current()
stream = device.create_stream()

arch = "".join(str(part) for part in device.compute_capability)
program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{arch}"))
module = program.compile("cubin", name_expressions=("vector_add<float>",))
kernel = module.get_kernel("vector_add<float>")

size = 5000
pinned = LegacyPinnedMemoryResource()
host = pinned.allocate(3 * size * 4)
a, b, c = np.from_dlpack(host).view(np.float32).reshape(3, size)
rng = np.random.default_rng(1)
a[:], b[:] = rng.random(size, dtype=np.float32), rng.random(size, dtype=np.float32)

buffer = device.allocate(3 * size * 4, stream=stream)
buffer.copy_from(host, stream=stream)
address = int(buffer.handle)
config = LaunchConfig(grid=16, block=256)
launch(stream, config, kernel, address, address + size * 4, address + 2 * size * 4, np.uint64(size))
buffer.copy_to(host, stream=stream)
stream.sync()

assert np.allclose(c, a + b)
buffer.close(stream)
host.close()
stream.close()
print("done")
