"""Kernels that are called often: the types of the arguments are said once."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

mod = SourceModule("""
__global__ void saxpy(float *y, const float *x, float a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void fill(double *y, double value, unsigned char add, short times)
{
  y[threadIdx.x] = value * times + add;
}
""")
saxpy = mod.get_function("saxpy").prepare("PPfi")
n = 1000
x = np.arange(n, dtype=np.float32)
y = np.ones(n, np.float32)
x_gpu, y_gpu = cuda.to_device(x), cuda.to_device(y)

saxpy.prepared_call((4, 1), (256, 1, 1), y_gpu, x_gpu, 2.0, n)
stream = cuda.Stream()
saxpy.prepared_async_call((4, 1), (256, 1, 1), stream, y_gpu, x_gpu, np.float32(3), np.int32(n))
stream.synchronize()
get_time = saxpy.prepared_timed_call((4, 1), (256, 1, 1), y_gpu, int(x_gpu), 1, n)
print(0 < get_time() < 60)
result = cuda.from_device_like(y_gpu, y)
print(result[:4], np.array_equal(result, 1 + 6 * x))

fill = mod.get_function("fill")
fill.prepare([np.intp, np.float64, np.uint8, np.dtype(np.int16)])
filled = cuda.mem_alloc(8 * 8)
fill.prepared_call((1, 1), (8, 1, 1), filled, 0.25, 200, -3, shared_size=64)
print(cuda.from_device(filled, 8, np.float64))
