"""An elementwise kernel on a part of an array: range= and slice=."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel

number = ElementwiseKernel("int *x", "x[i] = i + 100", "number")
array = gpuarray.zeros(16, np.int32)
number(array, range=slice(2, 9, 3))
print(array.get())
number(array, slice=slice(-4, None))
print(array.get())
number(array, slice=slice(None, None, 5))
print(array.get())
array.fill(7)
number(array, range=slice(0, 16, 1))
print(array.get())
