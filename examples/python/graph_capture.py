"""A graph of what is put into a stream: captured once, launched often, and updated with another one's parameters."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Buffer, Device, Kernel, LaunchConfig, Program, launch
from cuprum.core.graph import GraphBuilder

SOURCE = """
extern "C" __global__ void multiply_add(float* values, float factor, float summand, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * factor + summand;
}
"""
N = 10_000
LAUNCHES = 3


def build(device: Device, kernel: Kernel, values: Buffer, factor: float) -> GraphBuilder:
    """``values = (values * factor + 1) * 2``, in two steps."""
    config = LaunchConfig.for_num_elements(N, 256)
    builder = device.create_graph_builder().begin_building()
    launch(builder, config, kernel, values, factor, 1.0, N)
    launch(builder, config, kernel, values, 2.0, 0.0, N)
    return builder.end_building()


def main() -> int:
    device = Device(0)
    device.set_current()
    kernel = Program(SOURCE).compile().get_kernel("multiply_add")
    stream = device.create_stream()
    values = device.allocate(4 * N, stream=stream)
    values.fill(0, stream=stream)

    graph = build(device, kernel, values, 1.0).complete()
    for _ in range(LAUNCHES):
        graph.launch(stream)  # 0, 2, 6, 14
    graph.update(build(device, kernel, values, 3.0))
    graph.launch(stream)  # (14 * 3 + 1) * 2

    result = np.zeros(N, np.float32)
    values.copy_to_host(result, stream=stream)
    stream.sync()
    wrong = int(np.count_nonzero(result != 86))
    print(f"a graph launched {LAUNCHES + 1} times on {device.name}: {wrong} of {N} values wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
