"""Random numbers: pi from points in a square."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.curandom import rand as curand
from pycuda.reduction import ReductionKernel

np.random.seed(7)
n = 50000
x, y = curand((n,)), curand((n,), dtype=np.float32)
print(x.dtype, x.shape, float(x.get().min()) >= 0, float(x.get().max()) <= 1)
inside = ReductionKernel(np.int32, "0", "a+b", "x[i]*x[i] + y[i]*y[i] < 1 ? 1 : 0", "float *x, float *y")
pi = 4 * float(inside(x, y).get()) / n
print(abs(pi - np.pi) < 0.05)
doubles, integers = curand((1001,), np.float64), curand((1001,), np.uint32)
print(doubles.dtype, integers.dtype, abs(float(doubles.get().mean()) - 0.5) < 0.05)
print(abs(float(integers.get().astype(np.float64).mean()) / 2**32 - 0.5) < 0.05)
print(len(np.unique(curand((1000,), np.float64).get())), gpuarray.max(x).get() <= 1)
