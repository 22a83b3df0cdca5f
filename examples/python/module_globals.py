"""A polynomial whose coefficients are a kernel's __constant__ variable, in blocks of the size that fills the device."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __constant__ float coefficients[3] = {0, 0, 0};
extern "C" __device__ unsigned int evaluations = 0;

extern "C" __global__ void polynomial(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = (coefficients[2] * x[i] + coefficients[1]) * x[i] + coefficients[0];
    atomicAdd(&evaluations, 1u);
}
"""
N = 1000


def main() -> int:
    device = Device(0)
    code = Program(SOURCE, "c++").compile()
    kernel = code.get_kernel("polynomial")
    # Variables are memory of the device: no kernel argument is needed.
    code.get_global("coefficients").set_values([1, 2, 3], np.float32)
    block = kernel.occupancy.max_potential_block_size(0).max_block_size

    values = np.arange(N, dtype=np.float32)
    stream = device.create_stream()
    x = device.allocate(values.nbytes, stream=stream)
    x.copy_from_host(values, stream=stream)
    launch(stream, LaunchConfig(grid=(N + block - 1) // block, block=block), kernel, x, N)
    result = np.empty_like(values)
    x.copy_to_host(result, stream=stream)
    count = code.get_global("evaluations").value(np.uint32, stream=stream)  # once the kernel is done

    ok = bool((result == 3 * values**2 + 2 * values + 1).all()) and count == N
    print(f"{count} values of a polynomial on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
