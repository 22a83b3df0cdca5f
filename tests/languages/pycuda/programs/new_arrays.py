"""New arrays: filled, counted, like others, joined, and pickled."""

import pickle

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray

print(gpuarray.zeros((2, 3), np.float32).get(), gpuarray.ones(4, np.int16).get())
print(gpuarray.arange(5, dtype=np.float32).get(), gpuarray.arange(2, 9, 3, dtype=np.int32).get())
print(gpuarray.arange(1, 2, 0.25, dtype=np.float64).get())
f_order = gpuarray.to_gpu(np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3)))
print(f_order.strides, gpuarray.zeros_like(f_order).strides, gpuarray.ones_like(f_order, np.float32).dtype)
print(gpuarray.empty_like(f_order, order="C").strides, gpuarray.zeros((2, 3), np.float32, order="F").strides)

first = gpuarray.arange(3, dtype=np.int32)
second = first + 10
print(gpuarray.concatenate((first, second)).get(), gpuarray.stack((first, second)).get())
print(gpuarray.concatenate((first.reshape(3, 1), second.reshape(3, 1)), axis=1).get())

copied = pickle.loads(pickle.dumps(second))
print(type(copied).__name__, copied.get(), copied.dtype)
first.fill(3)
print(first, repr(first))

point = gpuarray.vec.make_float4(1, 2, 3, 4)
points = gpuarray.zeros(2, gpuarray.vec.float4)
points.fill(point)
print(points.get(), gpuarray.vec.float2.itemsize)
host = np.zeros(3, np.int32)
second.get(host)
print(host)
second.set(np.array([7, 8, 9], np.int32))
print(second.get(), second[1:].get())
