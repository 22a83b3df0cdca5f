"""Complex numbers: in arrays, and in a kernel of one's own."""

import numpy as np
import pycuda.autoinit
import pycuda.cumath as cumath
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel

z = np.array([1 + 2j, -3 + 0.5j, 2 - 1j, 4j], np.complex64)
z_gpu = gpuarray.to_gpu(z)
print(z_gpu.real.get(), z_gpu.imag.get(), z_gpu.conj().get())
print((z_gpu * z_gpu).get(), (z_gpu + 1).get(), (2j * z_gpu).get())
print(np.allclose((z_gpu / (z_gpu + 1)).get(), z / (z + 1)))
print(abs(z_gpu).dtype, np.allclose(abs(z_gpu).get(), abs(z)))
for name in "exp log sqrt sin cos tan sinh cosh tanh".split():
    result = getattr(cumath, name)(z_gpu)
    print(name, result.dtype, np.allclose(result.get(), getattr(np, name)(z), rtol=1e-4, atol=1e-5))

turn = ElementwiseKernel(
    "pycuda::complex<float> *x, pycuda::complex<float> *y, pycuda::complex<float> c",
    "y[i] = pycuda::conj(x[i]) * c + pycuda::complex<float>(0, i)",
    "turn",
)
turned = gpuarray.empty_like(z_gpu)
turn(z_gpu, turned, np.complex64(1j))
print(turned.get())

real = gpuarray.to_gpu(np.arange(1, 5, dtype=np.float32))
print((z_gpu * real).get(), (real + z_gpu).dtype, (real.astype(np.complex128)).get())
print(gpuarray.sum(z_gpu * z_gpu).get())
