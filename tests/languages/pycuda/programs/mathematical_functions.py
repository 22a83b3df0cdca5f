"""pycuda.cumath against NumPy."""

import numpy as np
import pycuda.autoinit
import pycuda.cumath as cumath
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray

NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan"}
for dtype, precision in ((np.float32, 1e-5), (np.float64, 1e-12)):
    x = np.linspace(0.05, 0.95, 97).astype(dtype)
    x_gpu = gpuarray.to_gpu(x)
    for name in "fabs ceil floor exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh".split():
        result = getattr(cumath, name)(x_gpu)
        expected = getattr(np, NAMES.get(name, name))(x)
        print(name, result.dtype, np.allclose(result.get(), expected, rtol=precision, atol=precision))

x = gpuarray.to_gpu(np.array([1.5, -2.25, 8, 0.1], np.float32))
y = gpuarray.to_gpu(np.array([1, 2, 3, 0.25], np.float32))
print(cumath.fmod(x, y).get())
significand, exponent = cumath.frexp(x)
print(significand.get(), exponent.get())
print(cumath.ldexp(significand, exponent).get())
fraction, whole = cumath.modf(x)
print(fraction.get().round(4), whole.get())

out = gpuarray.empty_like(y)
stream = cuda.Stream()
cumath.sqrt(y, out=out, stream=stream)
stream.synchronize()
print(out.get().round(4))
