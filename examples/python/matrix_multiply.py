"""C = A * B with one thread for each element of C, in a two-dimensional grid."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}
"""
ROWS, INNER, COLUMNS = 1000, 1000, 1000  # no multiples of the block: its edges are tested too
BLOCK = 16
TOLERANCE = 1e-2  # INNER roundings of sums of about 250


def main() -> int:
    device = Device(0)
    kernel = Program(SOURCE, "matrix_multiply.cu").compile().get_kernel("matrix_multiply")
    random = np.random.default_rng(seed=1)
    a = random.random((ROWS, INNER), dtype=np.float32)
    b = random.random((INNER, COLUMNS), dtype=np.float32)
    c = np.empty((ROWS, COLUMNS), dtype=np.float32)

    stream = device.create_stream()
    a_device = device.allocate(a.nbytes, stream=stream)
    b_device = device.allocate(b.nbytes, stream=stream)
    c_device = device.allocate(c.nbytes, stream=stream)
    config = LaunchConfig(grid=((COLUMNS + BLOCK - 1) // BLOCK, (ROWS + BLOCK - 1) // BLOCK), block=(BLOCK, BLOCK))

    a_device.copy_from_host(a, stream=stream)
    b_device.copy_from_host(b, stream=stream)
    launch(stream, config, kernel, a_device, b_device, c_device, ROWS, INNER, COLUMNS)
    c_device.copy_to_host(c, stream=stream)
    stream.sync()

    max_error = float(np.max(np.abs(a.astype(np.float64) @ b.astype(np.float64) - c)))
    ok = max_error <= TOLERANCE
    shapes = f"{ROWS}x{INNER} times {INNER}x{COLUMNS}"
    print(f"{shapes} on {device.name}: max error {max_error:.1e}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
