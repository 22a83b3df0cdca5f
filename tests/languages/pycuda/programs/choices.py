"""Choosing between elements, and comparing them."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray

a = np.array([3, -1, 4, -1, 5, -9], np.float32)
b = np.array([2, 7, -1, 8, 5, 8], np.float32)
a_gpu, b_gpu = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
print(gpuarray.if_positive(a_gpu, a_gpu, b_gpu).get())
print(gpuarray.minimum(a_gpu, b_gpu).get(), gpuarray.maximum(a_gpu, b_gpu).get())
print(gpuarray.maximum(a_gpu, 0).get(), gpuarray.minimum(1, b_gpu).get())

for compared in (a_gpu < b_gpu, a_gpu <= b_gpu, a_gpu == b_gpu, a_gpu != b_gpu, a_gpu > 3, a_gpu >= 3):
    print(compared.dtype, compared.get())
positive = a_gpu > 0
print(gpuarray.where(positive, a_gpu, b_gpu).get())
print(positive.any().get(), positive.all().get())

i_gpu, j_gpu = gpuarray.to_gpu(np.array([0, 1, 2], np.int32)), gpuarray.to_gpu(np.array([0, 0, 3], np.int32))
print(
    gpuarray.logical_and(i_gpu, j_gpu).get(), gpuarray.logical_or(i_gpu, j_gpu).get(), gpuarray.logical_not(i_gpu).get()
)
print(bool(gpuarray.to_gpu(np.array([3.0]))), bool(gpuarray.to_gpu(np.array([0]))))
try:
    bool(a_gpu)
except ValueError as error:
    print("ValueError", str(error).startswith("The truth value of an array with"))
