"""A green context: its streams' kernels run on a part of the device's multiprocessors."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import ContextOptions, Device, LaunchConfig, Program, SMResourceOptions, launch

SOURCE = """
extern "C" __global__ void where(unsigned int* numbers) {
    unsigned int number;
    asm("mov.u32 %0, %%smid;" : "=r"(number));
    numbers[blockIdx.x] = number;
}
"""
BLOCKS = 512


def main() -> int:
    device = Device(0)
    where = Program(SOURCE, "where.cu").compile().get_kernel("where")
    multiprocessors = device.resources.sm
    (part,), _ = multiprocessors.split(SMResourceOptions())  # as few as there can be
    green = device.create_context(ContextOptions(resources=[part]))
    stream = green.create_stream()
    memory = device.allocate(4 * BLOCKS, stream=stream)
    launch(stream, LaunchConfig(grid=BLOCKS, block=1024), where, memory)
    numbers = np.empty(BLOCKS, np.uint32)
    memory.copy_to_host(numbers, stream=stream)
    stream.sync()

    used = len(set(numbers.tolist()))
    print(f"a kernel on {part.sm_count} of {multiprocessors.sm_count} multiprocessors of {device.name}: it used {used}")
    return 0 if 0 < used <= part.sm_count else 1


if __name__ == "__main__":
    sys.exit(main())
