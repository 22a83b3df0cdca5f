"""Parts of arrays: views of their memory, copies of them, and new values for them."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray

a = np.arange(24, dtype=np.float32).reshape(4, 6)
a_gpu = gpuarray.to_gpu(a)
print(a_gpu[1].get(), a_gpu[1:3, 2:4].get(), a_gpu[..., 5].get(), a_gpu[2, 3].get())
print(a_gpu[:, ::2].strides, a_gpu[::2].get())
print(a_gpu[1:3].base is a_gpu, a_gpu[1, None].shape)

part = a_gpu[2]
part += 100
print(a_gpu.get())
a_gpu[0] = 5
a_gpu[1:3, 1:3] = np.zeros((2, 2), np.float32)
a_gpu[3] = gpuarray.arange(6, dtype=np.float32)
print(a_gpu.get())

print(a_gpu.T.shape, a_gpu.T.strides, a_gpu.T.get()[1])
print(a_gpu.reshape(3, 8).get()[1], a_gpu.reshape(-1, 2).shape, a_gpu.ravel().shape)
print(a_gpu.view(np.int32).dtype, a_gpu.view(np.int32).get()[0, 0], gpuarray.to_gpu(a[None, :, None]).squeeze().shape)
print(a_gpu.flags.c_contiguous, a_gpu.T.flags.f_contiguous, a_gpu[:, 1:3].flags.forc)
print(a_gpu.reverse().get()[0], a_gpu.astype(np.int32).get()[3])
try:
    a_gpu[:, 1:3] + 1
except RuntimeError as error:
    print("RuntimeError", "only contiguous arrays may be used as arguments to" in str(error))
try:
    a_gpu[4]
except IndexError as error:
    print("IndexError", "out of range" in str(error))
