"""A linear system, solved with the operators and reductions of arrays."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel

n = 64
# The matrix has 2 on its diagonal and -1 beside it.
multiply = ElementwiseKernel(
    "double *x, double *y, int count",
    "y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < count ? x[i + 1] : 0)",
    "multiply",
)
dot = ReductionKernel(np.float64, "0", "a+b", "x[i]*y[i]", "double *x, double *y")

b = gpuarray.to_gpu(np.ones(n))
x = gpuarray.zeros(n, np.float64)
residual = b.copy()
direction = residual.copy()
product = gpuarray.empty_like(x)
squared = dot(residual, residual).get()
steps = 0
while squared > 1e-18 and steps < 200:
    multiply(direction, product, np.int32(n))
    alpha = float(squared / dot(direction, product).get())
    x += alpha * direction
    residual -= alpha * product
    former, squared = squared, dot(residual, residual).get()
    direction = residual + float(squared / former) * direction
    steps += 1

exact = np.array([(i + 1) * (n - i) / 2 for i in range(n)])
print(steps <= n, np.allclose(x.get(), exact))
