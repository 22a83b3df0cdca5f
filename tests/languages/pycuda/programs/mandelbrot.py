"""The Mandelbrot set, with complex numbers in an elementwise kernel."""

import numpy as np
import pycuda.autoinit
import pycuda.gpuarray as gpuarray
from pycuda.elementwise import ElementwiseKernel

escape = ElementwiseKernel(
    "pycuda::complex<float> *q, int *output, int most",
    """
    {
        float re = 0, im = 0;
        output[i] = 0;
        for (int step = 0; step < most; ++step) {
            const float next = re * re - im * im + real(q[i]);
            im = 2 * re * im + imag(q[i]);
            re = next;
            if (re * re + im * im > 4.0f) {
                output[i] = step;
                break;
            }
        }
    }
    """,
    "escape",
)
width, height = 56, 17
x = np.linspace(-2.1, 0.7, width, dtype=np.float32)
y = np.linspace(-1.2, 1.2, height, dtype=np.float32) * np.complex64(1j)
q = gpuarray.to_gpu(np.ravel(x + y[:, np.newaxis]).astype(np.complex64))
output = gpuarray.empty(q.shape, dtype=np.int32)
escape(q, output, np.int32(30))
for row in output.get().reshape(height, width):
    print("".join(" .:-=+*%#"[min(steps // 2, 8)] if steps else "@" for steps in row).rstrip())
