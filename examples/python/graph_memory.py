"""Memory of a graph: what it allocates in each launch, and a buffer that it keeps after the program has closed it."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Buffer, Device, GraphMemoryResource
from cuprum.core.graph import Graph

N = 10_000
LAUNCHES = 3


def build(device: Device, memory: GraphMemoryResource, result: Buffer) -> Graph:
    """``result`` becomes a copy of constants, by way of memory that the graph allocates and frees."""
    with device.allocate(4 * N) as constants:
        constants.copy_from_host(np.full(N, 42, np.int32))
        builder = device.create_graph_builder().begin_building()
        with memory.allocate(4 * N, stream=builder) as scratch:  # nothing is allocated yet
            scratch.copy_from(constants, stream=builder)
            result.copy_from(scratch, stream=builder)
        # Closed while it is captured: the graph frees it.
        return builder.end_building().complete()  # which keeps the constants


def main() -> int:
    device = Device(0)
    device.set_current()
    memory = GraphMemoryResource(device)
    stream = device.create_stream()
    result = device.allocate(4 * N)
    memory.attributes.used_mem_high = 0

    graph = build(device, memory, result)
    values = np.zeros(N, np.int32)
    wrong = 0
    for _ in range(LAUNCHES):
        result.fill(0, stream=stream)
        graph.launch(stream)
        result.copy_to_host(values, stream=stream)
        stream.sync()
        wrong += int(np.count_nonzero(values != 42))
    used = memory.attributes.used_mem_high
    print(f"a graph launched {LAUNCHES} times on {device.name}, which allocates: {wrong} values wrong")
    graph.close()
    memory.trim()
    return 0 if wrong == 0 and used >= 4 * N else 1


if __name__ == "__main__":
    sys.exit(main())
