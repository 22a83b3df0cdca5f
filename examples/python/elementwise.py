"""Sum and product of two arrays: two kernels of one program, every copy and launch in the order of one stream."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void add(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] + b[i];
}
extern "C" __global__ void multiply(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] * b[i];
}
"""
N = 1_000_000
THREADS = 256


def main() -> int:
    device = Device(0)
    code = Program(SOURCE, "elementwise.cu").compile()
    random = np.random.default_rng(seed=1)
    a = random.random(N, dtype=np.float32)
    b = random.random(N, dtype=np.float32)
    total = np.empty_like(a)
    product = np.empty_like(a)

    stream = device.create_stream()
    a_device = device.allocate(a.nbytes, stream=stream)
    b_device = device.allocate(b.nbytes, stream=stream)
    result_device = device.allocate(a.nbytes, stream=stream)
    config = LaunchConfig(grid=(N + THREADS - 1) // THREADS, block=THREADS)

    a_device.copy_from_host(a, stream=stream)
    b_device.copy_from_host(b, stream=stream)
    for kernel, result in (("add", total), ("multiply", product)):
        launch(stream, config, code.get_kernel(kernel), a_device, b_device, result_device, N)
        result_device.copy_to_host(result, stream=stream)
    stream.sync()  # nothing above waits for the device; `total` and `product` may be read from here on

    ok = np.array_equal(total, a + b) and np.array_equal(product, a * b)
    print(f"{N} sums and products on {device.name}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
