"""Page-locked host memory: the host fills it in place, copies in a stream return at once, and kernels use it too."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, launch

SOURCE = """
extern "C" __global__ void twice(float* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}
"""
N = 100_000
THREADS = 256


def main() -> int:
    device = Device(0)
    twice = Program(SOURCE, "twice.cu").compile().get_kernel("twice")
    config = LaunchConfig(grid=(N + THREADS - 1) // THREADS, block=THREADS)
    pinned = LegacyPinnedMemoryResource()
    stream = device.create_stream()
    input, output = pinned.allocate(4 * N, stream=stream), pinned.allocate(4 * N, stream=stream)
    on_device = device.allocate(4 * N, stream=stream)

    np.frombuffer(memoryview(input), np.float32)[:] = np.arange(N)
    # None of these four waits for another, and this thread could do other work now.
    on_device.copy_from(input, stream=stream)
    launch(stream, config, twice, on_device, N)
    output.copy_from(on_device, stream=stream)
    launch(stream, config, twice, output, N)  # on the host's memory itself
    stream.sync()

    wrong = int(np.count_nonzero(np.frombuffer(memoryview(output), np.float32) != 4 * np.arange(N, dtype=np.float32)))
    print(f"{N} values in page-locked memory on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
