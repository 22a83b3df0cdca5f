"""Memory of another owner as an argument, and a GPUArray-like object with gpudata."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule


class Window(cuda.PointerHolderBase):
    """A part of an allocation."""

    def __init__(self, memory, offset):
        super().__init__()
        self.memory, self.offset = memory, offset
        self.gpudata = self.get_pointer()

    def get_pointer(self):
        return int(self.memory) + self.offset


class Like:
    def __init__(self, gpudata):
        self.gpudata = gpudata


add = SourceModule("""
__global__ void add(int *to, const int *from) { to[threadIdx.x] += from[threadIdx.x]; }
""").get_function("add")
memory = cuda.to_device(np.arange(8, dtype=np.int32))
window = Window(memory, 16)
add(window, memory, block=(4, 1, 1))
print(cuda.from_device(memory, 8, np.int32))
add(Like(memory), Like(window), block=(4, 1, 1))
print(cuda.from_device(memory, 8, np.int32))
print(int(window) - int(memory), int(window).__index__() == window.get_pointer())
cuda.memcpy_htod(window, np.full(2, -1, np.int32))
print(cuda.from_device(memory, 8, np.int32))
