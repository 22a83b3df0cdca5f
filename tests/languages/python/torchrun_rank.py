"""One of the processes that torchrun starts, with a GPU each: reduce, scan, sort, histogram and reduction by key
over NCCL against NumPy, with the data in PyTorch's tensors and in Cuprum's arrays.

usage, on a machine with two GPUs, PyTorch and NCCL:
    torchrun --nproc_per_node 2 tests/languages/python/torchrun_rank.py [COUNT]
test_torchrun.py starts it. COUNT: elements in all. Prints "rank R of N: ok", or ends with 1 at the first difference.
CUPRUM_TEST_WITHOUT_TORCH=1 leaves PyTorch out, where it has no GPU (the simulator).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind, distributed
from cuprum.parallel.distributed import Communicator, NcclOptions, Process

Array = np.ndarray[Any, Any]


class Cuprum:
    """Data in memory that Cuprum has allocated."""

    def __init__(self, device: Device) -> None:
        self.device = device

    def on_device(self, values: Array) -> Any:
        buffer = self.device.allocate(values.nbytes)
        buffer.copy_from_host(np.ascontiguousarray(values).view(np.uint8))
        return DeviceArray(buffer, values.dtype)

    def to_numpy(self, array: Any) -> Array:
        result: Array = array.to_numpy()
        return result


class Torch:
    """Data in PyTorch's tensors: what it has in flight on them is waited for by each call."""

    def __init__(self, device: Device) -> None:
        import torch

        torch.cuda.set_device(device.device_id)
        self.torch = torch

    def on_device(self, values: Array) -> Any:
        return self.torch.from_numpy(np.ascontiguousarray(values)).cuda(non_blocking=True)

    def to_numpy(self, array: Any) -> Array:
        result: Array = array.cpu().numpy()
        return result


def check(what: str, found: Array, expected: Array) -> None:
    if found.dtype == expected.dtype and np.array_equal(found, expected):
        return
    message = f"{what}: {found.size} elements of {found.dtype}, expected {expected.size} of {expected.dtype}"
    if found.shape == expected.shape:
        places = np.flatnonzero(found != expected)
        message += f"; {places.size} differ, from {places[:1]} on"
    raise SystemExit(message)


def all_algorithms(
    communicator: Communicator, part: Callable[[Array], Array], memory: Cuprum | Torch, count: int, name: str
) -> None:
    numbers = np.random.default_rng(20261128).integers(-1000, 1000, count, np.int32)  # the same in all processes
    keys = memory.on_device(part(numbers))

    def empty(size: int, dtype: Any) -> Any:
        return memory.on_device(np.zeros(size, dtype))

    size = part(numbers).size
    total = empty(1, np.int64)
    distributed.Reduce(communicator, np.int32, accumulator=np.int64)([keys], [total], 2**40)
    check(f"reduce, {name}", memory.to_numpy(total), np.array([numbers.sum(dtype=np.int64) + 2**40]))

    sums = empty(size, np.int64)
    distributed.Scan(communicator, np.int32, accumulator=np.int64)([keys], [sums])
    check(f"scan, {name}", memory.to_numpy(sums), part(numbers.cumsum(dtype=np.int64)))

    histogram = empty(10, np.int32)
    distributed.HistogramEven(communicator, np.int32, counters=np.int32)([keys], [histogram], 10, -500, 500)
    inside = numbers[(numbers >= -500) & (numbers < 500)]
    check(f"histogram, {name}", memory.to_numpy(histogram), np.histogram(inside, 10, (-500, 500))[0].astype(np.int32))

    order = np.argsort(numbers, kind="stable")
    places, moved, in_order = memory.on_device(part(np.arange(count))), empty(size, np.int64), empty(size, np.int32)
    distributed.RadixSort(communicator, np.int32)([keys], [in_order])
    check(f"sort of keys, {name}", memory.to_numpy(in_order), part(numbers[order]))
    distributed.RadixSort(communicator, np.int32, np.int64)([keys], [in_order], [places], [moved])
    check(f"sort of pairs, {name}", memory.to_numpy(in_order), part(numbers[order]))
    check(f"values of the sort of pairs, {name}", memory.to_numpy(moved), part(order))

    (reduced,) = distributed.ReduceByKey(communicator, np.int32, np.int64, OpKind.MINIMUM)([keys], [places])
    different, first = np.unique(numbers, return_index=True)
    found = reduced.keys.to_numpy()
    check(
        f"values of the reduction by key, {name}", reduced.values.to_numpy(), first[np.searchsorted(different, found)]
    )
    # All keys of all ranks, each once: how many there are, and their sum.
    for of_rank, expected in ((found.size, different.size), (found.sum(dtype=np.int64), different.sum(dtype=np.int64))):
        distributed.Reduce(communicator, np.int64)([memory.on_device(np.array([of_rank], np.int64))], [total])
        check(f"reduction by key, {name}", memory.to_numpy(total), np.array([expected], np.int64))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_003
    process = Process.from_environment(timeout=120)
    device = Device(process.local_rank)
    device.set_current()
    communicator = Communicator(device, process, NcclOptions(120))
    if (communicator.size, communicator.local_size) != (process.count, 1):
        raise SystemExit(f"there are {communicator.size} ranks, expected {process.count}")

    def part(values: Array) -> Array:
        """Of this rank: each has more than the one before it."""
        cuts = [
            values.size * rank * (rank + 1) // (process.count * (process.count + 1))
            for rank in range(process.count + 1)
        ]
        return values[cuts[process.rank] : cuts[process.rank + 1]]

    memories: dict[str, Cuprum | Torch] = {"Cuprum's arrays": Cuprum(device)}
    if os.environ.get("CUPRUM_TEST_WITHOUT_TORCH") != "1":
        memories["PyTorch's tensors"] = Torch(device)
    for name, memory in memories.items():
        all_algorithms(communicator, part, memory, count, name)
    print(f"rank {process.rank} of {process.count}: ok, with {' and '.join(memories)}", flush=True)


if __name__ == "__main__":
    main()
