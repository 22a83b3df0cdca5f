"""Two streams: the second one waits for an event of the first, and other events measure how long a kernel takes."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, EventOptions, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void grow(int* values, int factor, int summand, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * factor + summand;
}
"""
N = 100_000


def main() -> int:
    device = Device(0)
    grow = Program(SOURCE, "c++").compile().get_kernel("grow")
    config = LaunchConfig.for_num_elements(N, 256)
    first, second = device.create_stream(), device.create_stream()
    values = device.allocate(4 * N, stream=first)
    values.fill(0, stream=first)

    start = first.record(options=EventOptions(timing_enabled=True))
    launch(first, config, grow, values, 1, 3, N)
    end = first.record(options=EventOptions(timing_enabled=True))
    second.wait(end)  # not this thread: it goes on
    launch(second, config, grow, values, 5, 1, N)
    result = np.empty(N, np.int32)
    values.copy_to_host(result, stream=second)
    first.wait(second)  # in which the memory is freed
    first.sync()

    wrong = int(np.count_nonzero(result != 16))
    milliseconds = end - start
    print(f"{N} values in two streams, the first kernel in {milliseconds:.3f} ms, on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 and end.is_done and milliseconds >= 0 else 1


if __name__ == "__main__":
    sys.exit(main())
