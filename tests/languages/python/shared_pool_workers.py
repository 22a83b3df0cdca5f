"""Workers that open and close the buffers of a shared pool, many times; how all of that ends is random.

shared_pool_workers.py SEED spawn|fork|forkserver device|pinned
"""

from __future__ import annotations

import multiprocessing
import random
import sys
from typing import Any

import numpy as np
from cuprum.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    IPCAllocationHandle,
    IPCBufferDescriptor,
    PinnedMemoryResource,
)

ROUNDS = 4
SIZES = (64, 4096, 100_000)
Pool = DeviceMemoryResource | PinnedMemoryResource

#: What a worker has left open: closed when another task comes, or by nobody.
left_open: list[object] = []


def make(kind: str) -> Pool:
    options = {"ipc_enabled": True, "max_size": 8 << 20}
    return DeviceMemoryResource(0, options) if kind == "device" else PinnedMemoryResource(options)


def opened(kind: str, handle: IPCAllocationHandle) -> Pool:
    if kind == "device":
        return DeviceMemoryResource.from_allocation_handle(0, handle)
    return PinnedMemoryResource.from_allocation_handle(handle)


def work(job: tuple[str, IPCAllocationHandle, list[IPCBufferDescriptor], int]) -> int:
    """Every byte of each buffer is what its owner has written; half of what was opened is left open."""
    kind, handle, descriptors, seed = job
    choice = random.Random(seed)
    if choice.random() < 0.5:
        left_open.clear()
    device = Device(0)
    stream = device.create_stream()
    pool = opened(kind, handle)
    wrong = 0
    for number in range(20):
        descriptor = choice.choice(descriptors)
        buffer = Buffer.from_ipc_descriptor(pool, descriptor, stream=stream)
        found = np.zeros(descriptor.size, np.uint8)
        buffer.copy_to_host(found, stream=stream)
        stream.sync()
        wrong += int(np.count_nonzero(found != descriptor.size % 251))
        if choice.random() < 0.5:
            buffer.close()
        elif number % 7 == 0:
            left_open.append(buffer)
    for each in (pool, stream):
        if choice.random() < 0.5:
            each.close()
        else:
            left_open.append(each)
    if choice.random() < 0.5:
        handle.close()
    return wrong


def one_round(workers: Any, kind: str, choice: random.Random, seed: int) -> None:
    device = Device(0)
    stream = device.create_stream()
    pool = make(kind)
    buffers = [pool.allocate(choice.choice(SIZES), stream=stream) for _ in range(5)]
    for buffer in buffers:
        buffer.fill(buffer.size % 251, stream=stream)
    stream.sync()
    descriptors = [buffer.ipc_descriptor for buffer in buffers]
    jobs = [(kind, pool.allocation_handle, descriptors, 100 * seed + index) for index in range(8)]
    assert workers.map(work, jobs, chunksize=1) == [0] * len(jobs)
    if choice.random() < 0.3:
        pool.close()
    for buffer in buffers:
        if choice.random() < 0.7:
            buffer.close()


def main(seed: int, method: str, kind: str) -> None:
    choice = random.Random(seed)
    # A forked child cannot use the driver of its parent: workers are made before that is asked for anything.
    workers = multiprocessing.get_context(method).Pool(choice.choice([1, 2, 3]))
    for number in range(ROUNDS):
        one_round(workers, kind, choice, 1000 * seed + number)
    if choice.random() < 0.5:
        workers.close()
        workers.join()
    elif choice.random() < 0.5:
        workers.terminate()
    print("done")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
