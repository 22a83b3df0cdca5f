"""A pool of worker processes that share a memory pool and its buffers; in which order all of that ends is random.

shared_pool_workers.py SEED device|pinned
"""

from __future__ import annotations

import multiprocessing
import random
import sys
from typing import Any

from cuda.core import (
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    PinnedMemoryResource,
    PinnedMemoryResourceOptions,
)


def work(job: tuple[Any, list[Any], int]) -> None:
    _, buffers, seed = job
    device = Device()
    device.set_current()
    stream = device.create_stream()
    choice = random.Random(seed)
    for buffer in buffers:
        assert buffer.is_mapped
        if choice.random() < 0.5:
            buffer.close(stream)
    if choice.random() < 0.5:
        stream.close()


def main(seed: int, kind: str) -> None:
    choice = random.Random(seed)
    device = Device()
    device.set_current()
    size = 2 << 20
    if kind == "pinned":
        options = PinnedMemoryResourceOptions(max_size=size, ipc_enabled=True, numa_id=0)
        resource: Any = PinnedMemoryResource(options=options)
    else:
        resource = DeviceMemoryResource(device, options=DeviceMemoryResourceOptions(max_size=size, ipc_enabled=True))
    stream = device.create_stream()
    buffers = [resource.allocate(choice.choice([64, 4096, 100_000]), stream=stream) for _ in range(6)]
    stream.sync()
    jobs = [(resource, buffers[index % 6 : index % 6 + 2], 100 * seed + index) for index in range(8)]
    workers = multiprocessing.get_context("spawn").Pool(choice.choice([1, 2, 3]))
    workers.map(work, jobs)
    # What is left is closed by nobody, or while the workers end.
    if choice.random() < 0.5:
        workers.close()
    if choice.random() < 0.5:
        for buffer in buffers:
            buffer.close(stream)
    if choice.random() < 0.5:
        resource.close()
    if choice.random() < 0.5:
        workers.terminate()
        workers.join()
    print("done")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
