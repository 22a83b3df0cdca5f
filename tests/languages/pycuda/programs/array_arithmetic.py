"""Arrays on the device: arithmetic with arrays and with numbers, and what types the results have."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray

a = np.arange(12, dtype=np.float32).reshape(3, 4)
b = np.full((3, 4), 2, np.float32)
a_gpu, b_gpu = gpuarray.to_gpu(a), gpuarray.to_gpu(b)

a_doubled = (2 * a_gpu).get()
print(a_doubled)
print((a_gpu + b_gpu).get())
print((a_gpu - 1).get())
print((1 - a_gpu).get())
print((a_gpu * b_gpu).get())
print((a_gpu / b_gpu).get())
print((8 / (a_gpu + 1)).get().round(4))
print((a_gpu**2).get())
print((b_gpu**a_gpu).get())
print((-a_gpu).get()[0, 1:], abs(a_gpu - 5).get())

total = a_gpu.copy()
total += b_gpu
total *= 3
total -= a_gpu
total /= 2
print(total.get())

integers = gpuarray.to_gpu(np.array([7, -7, 9], np.int32))
print((integers + 1).dtype, (integers + 1.5).dtype, (a_gpu + 1.5).dtype, (a_gpu * np.float64(2)).dtype)
print((integers + 1.5).get(), (integers * 2).get(), (integers / integers).get())
print(a_gpu.mul_add(2, b_gpu, -1).get())
print(a_gpu.shape, a_gpu.dtype, a_gpu.size, a_gpu.nbytes, a_gpu.strides, len(a_gpu), a_gpu.ndim)
