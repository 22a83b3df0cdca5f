"""Managed memory: pages are moved ahead of their use, advice says how they are used, and content that nobody needs any
more is dropped instead of moved."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import Unsupported
from cuprum.core import Device, Host, LaunchConfig, ManagedBuffer, ManagedMemoryResource, Program, launch
from cuprum.core.utils import prefetch_batch

SOURCE = """
extern "C" __global__ void look_up(const int* table, int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = table[i % 256];
}
"""
N = 100_000
TABLE_SIZE = 256


def advise(table: ManagedBuffer, device: Device) -> str:
    """Advice is a matter of speed alone. Drivers of CUDA 13.0 refuse it for the memory of a pool."""
    try:
        table.read_mostly = True
        table.preferred_location = device
    except Unsupported:
        return "without advice"
    return "with advice"


def main() -> int:
    device = Device(0)
    look_up = Program(SOURCE, "c++").compile().get_kernel("look_up")
    stream = device.create_stream()
    managed = ManagedMemoryResource()
    table = managed.allocate(4 * TABLE_SIZE, stream=stream)
    values = managed.allocate(4 * N, stream=stream)
    stream.sync()  # before the host uses what was allocated in the stream
    np.frombuffer(memoryview(table), np.int32)[:] = np.arange(TABLE_SIZE) ** 2
    advice = advise(table, device)

    prefetch_batch(stream, [table, values], device)  # one location for all
    launch(stream, LaunchConfig.for_num_elements(N, 256), look_up, table, values, N)
    table.discard(stream=stream)  # it need not come back
    values.prefetch(Host(), stream=stream)
    stream.sync()

    expected = (np.arange(N) % TABLE_SIZE) ** 2
    wrong = int(np.count_nonzero(np.frombuffer(memoryview(values), np.int32) != expected))
    print(f"{N} values in managed memory {advice} on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
