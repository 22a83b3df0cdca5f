"""A kernel of a module on arrays: a wave on a string, in two buffers, timed by events."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule

step = SourceModule("""
__global__ void step(const float *now, const float *before, float *next, int n)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i == 0 || i == n - 1) next[i] = 0;
    if (i > 0 && i < n - 1) next[i] = 2 * now[i] - before[i] + 0.25f * (now[i - 1] - 2 * now[i] + now[i + 1]);
}
""").get_function("step")

n = 128
start = np.exp(-((np.arange(n, dtype=np.float32) - 40) ** 2) / 20).astype(np.float32)
now, before = gpuarray.to_gpu(start), gpuarray.to_gpu(start)
next_ = gpuarray.empty_like(now)
begin, end = cuda.Event(), cuda.Event()
begin.record()
for _ in range(60):
    step(now, before, next_, np.int32(n), block=(64, 1, 1), grid=(2, 1))
    now, before, next_ = next_, now, before
end.record()
end.synchronize()
print(begin.time_till(end) >= 0)
wave = now.get()
print(int(wave.argmax()), wave.max().round(2), wave[[0, -1]])
print(abs(wave.sum() - start.sum()) < 0.5)
