"""A struct as a kernel's argument, by value, and a grid that has a thread for each element."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

SOURCE = """
struct Motion { float start; double speed; short steps; };

extern "C" __global__ void move(Motion motion, double* places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) places[i] = motion.start + motion.speed * motion.steps * i;
}
"""
# As the kernel's: align=True lays fields out as compilers do.
MOTION = np.dtype([("start", np.float32), ("speed", np.float64), ("steps", np.int16)], align=True)
N = 1000


def main() -> int:
    device = Device(0)
    move = Program(SOURCE, "c++").compile().get_kernel("move")
    stream = device.create_stream()
    places = device.allocate(8 * N, stream=stream)
    motion = np.array((0.5, 0.25, 4), MOTION)[()]
    launch(stream, LaunchConfig.for_num_elements(N, 128), move, motion, places, N)
    result = np.empty(N)
    places.copy_to_host(result, stream=stream)
    stream.sync()

    wrong = int(np.count_nonzero(result != 0.5 + np.arange(N)))
    print(f"{N} places by a struct of {MOTION.itemsize} bytes on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
