"""A graph described node by node: a fill, a loop that a kernel ends, a copy and a function of the program's."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program
from cuprum.core.graph import GraphDefinition

# One step towards 1: how many it takes is not known before.
SOURCE = """
extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);
extern "C" __global__ void step(cudaGraphConditionalHandle again, unsigned* value, unsigned* steps) {
    *value = *value % 2 == 0 ? *value / 2 : 3 * *value + 1;
    *steps += 1;
    cudaGraphSetConditional(again, *value != 1);
}
"""
START = 27
EXPECTED = 111  # steps


def main() -> int:
    device = Device(0)
    device.set_current()
    step = Program(SOURCE).compile().get_kernel("step")
    stream = device.create_stream()
    value, steps, result = (device.allocate(4) for _ in range(3))
    calls: list[bool] = []

    definition = GraphDefinition()
    again = definition.create_condition(1)
    filled = definition.memset(value, START.to_bytes(4, "little"), 1).memset(steps, 0, 4)
    loop = filled.while_loop(again)
    loop.body.launch(LaunchConfig(grid=1, block=1), step, again, value, steps)
    loop.memcpy(result, steps, 4).callback(lambda: calls.append(True))

    graph = definition.instantiate()
    graph.launch(stream)
    graph.launch(stream)
    stream.sync()
    counted = np.zeros(1, np.uint32)
    result.copy_to_host(counted)
    print(f"from {START} to 1 in {counted[0]} steps, {len(calls)} times, on {device.name}")
    return 0 if counted[0] == EXPECTED and len(calls) == 2 else 1


if __name__ == "__main__":
    sys.exit(main())
