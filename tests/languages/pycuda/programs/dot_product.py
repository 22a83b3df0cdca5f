"""Reduction kernels: the dot product of the documentation, and others."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.reduction import ReductionKernel

a = gpuarray.arange(400, dtype=np.float32)
b = gpuarray.arange(400, dtype=np.float32)

krnl = ReductionKernel(
    np.float32,
    neutral="0",
    reduce_expr="a+b",
    map_expr="x[i]*y[i]",
    arguments="float *x, float *y",
)
my_dot_prod = krnl(a, b).get()
print(my_dot_prod, my_dot_prod.shape, my_dot_prod.dtype)

largest = ReductionKernel(np.int32, "-1", "max(a, b)", "x[i] % m", "int *x, int m", name="largest")
print(largest(gpuarray.arange(1000, dtype=np.int32), np.int32(37)).get())

counted = ReductionKernel(np.int32, "0", "a+b", "x[i] > limit ? 1 : 0", "float *x, float limit")
print(counted(a, np.float32(299.5)).get())

out = gpuarray.empty((), np.float32)
krnl(a, b, out=out)
print(out.get())

long = gpuarray.to_gpu(np.ones(100001, np.int32))
print(gpuarray.sum(long).get(), gpuarray.sum(long, dtype=np.int64).get().dtype)
print(gpuarray.max(a).get(), gpuarray.min(b).get())
subset = gpuarray.to_gpu(np.array([1, 10, 100], np.int32))
print(gpuarray.subset_dot(subset, a, b, dtype=np.float32).get(), gpuarray.subset_max(subset, a).get())
print(gpuarray.subset_sum(subset, a).get(), gpuarray.subset_min(subset, a).get())
