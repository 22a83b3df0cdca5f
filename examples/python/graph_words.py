"""Two graphs in two streams that hand work to each other through a word of memory, which nodes wait for and write."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Program, WaitCondition
from cuprum.core.graph import Graph, GraphDefinition

SOURCE = """
// words: whether there is an item, the item, and the items that were taken, a digit for each.
extern "C" __global__ void make(unsigned* words) { words[1] += 1; }
extern "C" __global__ void take(unsigned* words) { words[2] = 10 * words[2] + words[1]; }
"""
ROUNDS = 5
EXPECTED = 12345


def step(kernel: Kernel, words: Buffer, before: int, after: int) -> Graph:
    """A kernel that runs when the first word is ``before``, and then makes it ``after``."""
    definition = GraphDefinition()
    ready = definition.wait_value32(words, 0, before, WaitCondition.EQUAL)
    ready.launch(LaunchConfig(grid=1, block=1), kernel, words).write_value32(words, 0, after)
    return definition.instantiate()


def main() -> int:
    device = Device(0)
    device.set_current()
    code = Program(SOURCE).compile()
    makers_stream, takers_stream = device.create_stream(), device.create_stream()
    words = device.allocate(3 * 4)  # without a stream: not of a pool
    values = np.zeros(3, np.uint32)
    words.copy_from_host(values)

    maker = step(code.get_kernel("make"), words, 0, 1)
    taker = step(code.get_kernel("take"), words, 1, 0)
    # The launch that another one waits for is put in first: streams may share a queue of the hardware.
    for _ in range(ROUNDS):
        maker.launch(makers_stream)
        taker.launch(takers_stream)
    takers_stream.sync()
    makers_stream.sync()

    words.copy_to_host(values)
    print(f"{ROUNDS} items handed over on {device.name}: {values[2]}")
    return 0 if values[2] == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main())
