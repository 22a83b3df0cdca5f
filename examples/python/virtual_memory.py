"""Virtual memory: a buffer grows, and what is in it stays without being copied."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, VirtualMemoryResource, launch

SOURCE = """
extern "C" __global__ void count_on(int* values, int from, int to) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) values[i] = i;
}
"""
LENGTHS = (1000, 300_000, 600_000, 1_500_000)


def main() -> int:
    device = Device(0)
    count_on = Program(SOURCE, "c++").compile().get_kernel("count_on")
    resource = VirtualMemoryResource(device)
    stream = device.create_stream()
    values = resource.allocate(0, stream=stream)
    length = 0
    for longer in LENGTHS:
        values = resource.modify_allocation(values, 4 * longer)
        launch(stream, LaunchConfig.for_num_elements(longer - length, 256), count_on, values, length, longer)
        length = longer
    result = np.empty(length, np.int32)
    values.copy_to_host(result, stream=stream)
    stream.sync()

    wrong = int(np.count_nonzero(result != np.arange(length)))
    unit = resource.granularity >> 10
    print(f"a buffer that grew to {length} values, in units of {unit} KiB, on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
