"""Constant memory, and variables of a module."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

mod = SourceModule("""
__constant__ float weights[4];
__device__ int counter;

__global__ void weigh(const float *in, float *out)
{
  int i = threadIdx.x;
  out[i] = in[i] * weights[i % 4];
  atomicAdd(&counter, 1);
}
""")
weights, size = mod.get_global("weights")
cuda.memcpy_htod(weights, np.array([1, 10, 100, 1000], np.float32))
counter, counter_size = mod.get_global("counter")
cuda.memset_d32(counter, 5, 1)
print(size, counter_size, type(weights).__name__)

values = np.arange(8, dtype=np.float32)
out = np.empty_like(values)
mod.get_function("weigh")(cuda.In(values), cuda.Out(out), block=(8, 1, 1))
print(out, cuda.from_device(counter, 1, np.int32))

for missing in (lambda: mod.get_global("nothing"), lambda: mod.get_function("nothing")):
    try:
        missing()
    except cuda.LogicError as error:
        print(str(error).split(" failed")[0])
