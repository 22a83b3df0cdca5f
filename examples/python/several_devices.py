"""Several devices: each computes a part, and copies it to the first one. With one device it has all parts."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Buffer, Device, LaunchConfig, Program, launch

SOURCE = """
extern "C" __global__ void squares(int* values, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = (first + i) * (first + i);
}
"""
PARTS, N = 4, 1000  # N values in a part
PART_SIZE = 4 * N


def main() -> int:
    devices = Device.get_all_devices()
    squares = Program(SOURCE, "c++").compile().get_kernel("squares")  # it runs on every device
    at_work = []
    for number in range(PARTS):
        device = devices[number % len(devices)]
        device.set_current()  # for streams and memory
        stream = device.create_stream()
        values = device.allocate(PART_SIZE, stream=stream)
        launch(stream, LaunchConfig.for_num_elements(N, 128), squares, values, number * N, N)
        at_work.append((stream, values))
    first = devices[0]
    first.set_current()
    stream = first.create_stream()
    whole = first.allocate(PARTS * PART_SIZE, stream=stream)
    for number, (its_stream, values) in enumerate(at_work):
        stream.wait(its_stream)  # which may be another device's
        part = Buffer.from_handle(int(whole.handle) + number * PART_SIZE, PART_SIZE, owner=whole)
        part.copy_from(values, stream=stream)
    result = np.empty(PARTS * N, np.int32)
    whole.copy_to_host(result, stream=stream)
    stream.sync()

    wrong = int(np.count_nonzero(result != np.arange(PARTS * N) ** 2))
    print(f"{PARTS} parts by {len(devices)} device(s), the first is {first.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
