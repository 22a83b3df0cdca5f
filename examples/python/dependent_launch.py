"""Kernels in a row, each of which may start before the one in front has finished (programmatic dependent launch)."""

from __future__ import annotations

import array
import sys

from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void add_one(float* values, int n) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");  // for the results of the kernel in front
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}
"""
N = 100_000
BLOCK = 256
KERNELS = 10


def main() -> int:
    device = Device(0)
    add_one = Program(SOURCE, "c++").compile().get_kernel("add_one")
    stream = device.create_stream()
    values = device.allocate(4 * N, stream=stream)
    values.fill(0, stream=stream)

    first = LaunchConfig.for_num_elements(N, BLOCK)
    dependent = LaunchConfig(first.grid, block=BLOCK, programmatic_stream_serialization=True)
    launch(stream, first, add_one, values, N)
    for _ in range(1, KERNELS):
        launch(stream, dependent, add_one, values, N)

    result = array.array("f", bytes(4 * N))
    values.copy_to_host(result, stream=stream)
    stream.sync()
    wrong = N - result.count(KERNELS)
    print(f"{KERNELS} kernels in a row on {device.name}: {wrong} of {N} values wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
