"""The sum of an array: each block sums its part in dynamic shared memory, the host sums the blocks."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void array_sum(const float* input, float* block_sums, int n) {
    extern __shared__ float partial[];
    int thread = threadIdx.x;
    int i = blockIdx.x * blockDim.x + thread;
    partial[thread] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride) partial[thread] += partial[thread + stride];
        __syncthreads();
    }
    if (thread == 0) block_sums[blockIdx.x] = partial[0];
}
"""
N = 100_000
THREADS = 256  # a power of two: the stride is halved down to one
TOLERANCE = 1e-5  # relative


def main() -> int:
    device = Device(0)
    kernel = Program(SOURCE, "array_sum.cu").compile().get_kernel("array_sum")
    values = np.random.default_rng(seed=1).random(N, dtype=np.float32)
    blocks = (N + THREADS - 1) // THREADS
    block_sums = np.empty(blocks, dtype=np.float32)

    stream = device.create_stream()
    values_device = device.allocate(values.nbytes, stream=stream)
    block_sums_device = device.allocate(block_sums.nbytes, stream=stream)
    config = LaunchConfig(grid=blocks, block=THREADS, shmem_size=THREADS * values.itemsize)

    values_device.copy_from_host(values, stream=stream)
    launch(stream, config, kernel, values_device, block_sums_device, N)
    block_sums_device.copy_to_host(block_sums, stream=stream)
    stream.sync()

    result = float(block_sums.sum(dtype=np.float64))
    expected = float(values.sum(dtype=np.float64))
    ok = abs(result - expected) <= TOLERANCE * expected
    print(f"sum of {N} floats on {device.name}: {result:.3f}, expected {expected:.3f}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
