"""Memory pools: a device's, with what it holds; page-locked host memory; and managed memory, which moves."""

from __future__ import annotations

import numpy as np
from cuprum.core import (
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    Host,
    ManagedMemoryResource,
    PinnedMemoryResource,
    Stream,
)

N = 100_000
SIZE = 4 * N


def device_pool(device: Device, stream: Stream) -> None:
    """What is freed stays with the pool, up to its threshold, until it is trimmed."""
    pool = DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=64 << 20))
    pool.attributes.release_threshold = 64 << 20
    for _ in range(3):
        with pool.allocate(SIZE, stream=stream) as buffer:
            buffer.fill(0, stream=stream)
    stream.sync()
    assert pool.attributes.used_mem_current == 0
    assert pool.attributes.reserved_mem_current >= SIZE
    device.sync()  # memory is given back once the driver has waited for its last use
    pool.trim_to(0)
    assert pool.attributes.reserved_mem_current == 0


def host_pools(device: Device, stream: Stream) -> None:
    source = PinnedMemoryResource().allocate(SIZE, stream=stream)
    moving = ManagedMemoryResource().allocate(SIZE, stream=stream)
    stream.sync()  # before the host uses what was allocated in the stream
    np.frombuffer(memoryview(source), np.int32)[:] = np.arange(N)
    moving.prefetch(device, stream=stream)
    moving.copy_from(source, stream=stream)
    moving.prefetch(Host(), stream=stream)
    stream.sync()
    assert np.frombuffer(memoryview(moving), np.int32)[-1] == N - 1


def main() -> None:
    device = Device(0)
    stream = device.create_stream()
    device_pool(device, stream)
    host_pools(device, stream)
    print(f"pools of device, pinned and managed memory on {device.name}")


if __name__ == "__main__":
    main()
