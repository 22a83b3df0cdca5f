"""Explicit memory, InOut, and a launch that is timed."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

a = np.arange(16, dtype=np.float32).reshape(4, 4)
a_gpu = cuda.mem_alloc(a.size * a.dtype.itemsize)
cuda.memcpy_htod(a_gpu, a)

mod = SourceModule("""
    __global__ void doublify(float *a)
    {
      int idx = threadIdx.x + threadIdx.y*4;
      a[idx] *= 2;
    }
    """)
func = mod.get_function("doublify")
func(a_gpu, block=(4, 4, 1), grid=(1, 1), shared=0)

a_doubled = np.empty_like(a)
cuda.memcpy_dtoh(a_doubled, a_gpu)
print(a_doubled)

func(cuda.InOut(a), block=(4, 4, 1))
print(np.array_equal(a, a_doubled))

seconds = func(a_gpu, block=(4, 4, 1), time_kernel=True)
print(type(seconds).__name__, 0 < seconds < 60)

a_gpu.free()
try:
    a_gpu.free()
except cuda.LogicError:
    print("freed twice is an error")
