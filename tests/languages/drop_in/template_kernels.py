"""Instances of a template, found again by their C++ names, and the compiler's log."""

import io

import numpy as np
from cuda.core import Device, LaunchConfig, ManagedMemoryResource, Program, launch

SOURCE = """
template <typename T, int factor> __global__ void multiply(T* values) { values[threadIdx.x] *= factor; }
"""

device = Device()
device.set_current()
stream = device.create_stream()
names = ("multiply<int, 3>", "multiply<double, -2>")
log = io.StringIO()
module = Program(SOURCE, "c++").compile("ptx", name_expressions=names, logs=log)

memory = ManagedMemoryResource()
for name, kind, factor in zip(names, (np.int32, np.float64), (3, -2), strict=True):
    buffer = memory.allocate(32 * np.dtype(kind).itemsize, stream=stream)
    stream.sync()
    values = np.from_dlpack(buffer).view(kind)
    values[:] = np.arange(32)
    launch(stream, LaunchConfig(grid=1, block=32), module.get_kernel(name), buffer)
    stream.sync()
    assert (values == factor * np.arange(32)).all(), name
    del values
    buffer.close(stream)
print("done")
