"""An elementwise kernel of one's own, as the documentation has it."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel

a_gpu = gpuarray.to_gpu(np.arange(50, dtype=np.float32))
b_gpu = gpuarray.to_gpu(np.arange(50, 0, -1, dtype=np.float32))

lin_comb = ElementwiseKernel(
    "float a, float *x, float b, float *y, float *z", "z[i] = a*x[i] + b*y[i]", "linear_combination"
)
c_gpu = gpuarray.empty_like(a_gpu)
lin_comb(5, a_gpu, 6, b_gpu, c_gpu)
print(np.abs((c_gpu - (5 * a_gpu + 6 * b_gpu)).get()).max())

clamp = ElementwiseKernel(
    "float *x, float low, float high",
    "x[i] = clamped(x[i], low, high)",
    "clamp",
    preamble="__device__ float clamped(float x, float low, float high) { return fminf(fmaxf(x, low), high); }",
)
clamp(c_gpu, 260, 290)
print(c_gpu.get())

count = gpuarray.zeros(1, np.int32)
counting = ElementwiseKernel(
    "float *x, int *count",
    "if (x[i] > 265) ++mine",
    "counting",
    loop_prep="int mine = 0",
    after_loop="if (mine > 0) atomicAdd(count, mine)",
)
counting(c_gpu, count)
print(count.get())
