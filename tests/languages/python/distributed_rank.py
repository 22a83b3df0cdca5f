"""One of several processes with a device each, over NCCL: what test_distributed_over_nccl.py starts.

usage: distributed_rank.py SCENARIO. Its environment says which process it is. Prints "ok", or what was raised.
"""

from __future__ import annotations

import os
import pathlib
import signal
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from cuprum import CUDAError, Error, ErrorDomain, InvalidArgument, InvalidState
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind, distributed
from cuprum.parallel.distributed import Communicator, Message, NcclOptions, Process

COUNT = 900
Array = np.ndarray[Any, Any]


def broadcast_by_file(process: Process, path: pathlib.Path, data: bytearray) -> None:
    """As MPI would, where no TCP is to be used."""
    if process.rank == 0:
        new = path.with_suffix(".new")
        new.write_bytes(data)
        new.rename(path)
        return
    while not path.exists():
        time.sleep(0.005)
    data[:] = path.read_bytes()


class Rank:
    def __init__(self, process: Process, options: NcclOptions) -> None:
        self.rank, self.count = process.rank, process.count
        self.device = Device(process.local_rank)
        self.communicator = Communicator(self.device, process, options)

    def bounds(self, total: int) -> tuple[int, int]:
        """Of this rank's part: each has one element more than the rank before it, or so."""
        cuts = [total * rank * (rank + 1) // (self.count * (self.count + 1)) for rank in range(self.count + 1)]
        return cuts[self.rank], cuts[self.rank + 1]

    def part(self, values: Array) -> Array:
        begin, end = self.bounds(values.size)
        return values[begin:end]

    def on_device(self, values: Array) -> DeviceArray:
        buffer = self.device.allocate(values.nbytes)
        buffer.copy_from_host(np.ascontiguousarray(values).view(np.uint8))
        return DeviceArray(buffer, values.dtype)

    def empty(self, count: int, dtype: Any) -> DeviceArray:
        return self.on_device(np.zeros(count, dtype))


def algorithms(rank: Rank) -> None:
    """All of them against NumPy."""
    numbers = np.random.default_rng(20261128).integers(-100, 100, COUNT, np.int32)  # the same in all processes
    keys, communicator = rank.on_device(rank.part(numbers)), rank.communicator
    total = rank.empty(1, np.int64)
    distributed.Reduce(communicator, np.int32, accumulator=np.int64)([keys], [total], 2**40)
    assert total.to_numpy()[0] == numbers.sum() + 2**40
    sums = rank.empty(keys.size, np.int64)
    distributed.Scan(communicator, np.int32, accumulator=np.int64)([keys], [sums])
    assert np.array_equal(sums.to_numpy(), rank.part(numbers.cumsum()))
    histogram = rank.empty(8, np.uint32)
    distributed.HistogramEven(communicator, np.int32)([keys], [histogram], 8, -64, 64)
    assert np.array_equal(histogram.to_numpy(), np.histogram(numbers[numbers < 64], 8, (-64, 64))[0])
    order = np.argsort(numbers, kind="stable")
    places, moved = rank.on_device(rank.part(np.arange(COUNT))), rank.empty(keys.size, np.int64)
    in_order = rank.empty(keys.size, np.int32)
    distributed.RadixSort(communicator, np.int32, np.int64)([keys], [in_order], [places], [moved])
    assert np.array_equal(in_order.to_numpy(), rank.part(numbers[order]))
    assert np.array_equal(moved.to_numpy(), rank.part(order))
    by_key = distributed.ReduceByKey(communicator, np.int32, np.int64, OpKind.MINIMUM)
    (reduced,) = by_key([keys], [places])
    first = dict(zip(numbers[::-1].tolist(), range(COUNT - 1, -1, -1), strict=True))
    assert all(
        first[key] == value for key, value in zip(reduced.keys.to_numpy(), reduced.values.to_numpy(), strict=True)
    )
    # No key is missing, and none is on two ranks.
    found = rank.on_device(np.array([reduced.size], np.int32))
    distributed.Reduce(communicator, np.int32, accumulator=np.int64)([found], [total])
    assert total.to_numpy()[0] == len(first)


def exchange(rank: Rank) -> None:
    """Every rank sends its number to each, which all list alike."""
    communicator = rank.communicator
    assert (communicator.size, communicator.first_local_rank, communicator.local_size) == (rank.count, rank.rank, 1)
    assert [communicator.is_local(each) for each in range(rank.count)] == [
        each == rank.rank for each in range(rank.count)
    ]
    assert repr(communicator) == f"<Communicator of {rank.count} processes, rank {rank.rank} on device {rank.rank}>"
    own = rank.on_device(np.array([10 + rank.rank], np.int32))
    memory = rank.device.allocate(4 * rank.count)
    communicator.exchange(
        Message(source, target, own, DeviceArray(memory, np.int32, 1, offset=4 * source))
        for source in range(rank.count)
        for target in range(rank.count)
    )
    communicator.sync()
    assert DeviceArray(memory, np.int32).to_numpy().tolist() == [10 + each for each in range(rank.count)]
    other = (rank.rank + 1) % rank.count
    for ask in (communicator.device, communicator.stream):
        with pytest.raises(InvalidArgument, match="another process"):
            ask(other)


def disagreement(rank: Rank) -> None:
    """All hear of it, and the communicator works on."""
    keys, total = rank.on_device(np.ones(3, np.int32)), rank.empty(1, np.int32)
    op = OpKind.MAXIMUM if rank.rank == 1 else OpKind.PLUS
    with pytest.raises(InvalidArgument, match="does not agree with rank"):
        distributed.Reduce(rank.communicator, np.int32, op)([keys], [total])
    distributed.Reduce(rank.communicator, np.int32)([keys], [total])
    assert total.to_numpy()[0] == 3 * rank.count


def death(rank: Rank) -> None:
    """Rank 1 ends in the middle of a sort; the others say so."""
    keys = rank.on_device(np.arange(COUNT, dtype=np.int32))
    sort = distributed.RadixSort(rank.communicator, np.int32)
    if rank.rank == 1:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()

    def sort_for_good() -> None:
        while True:
            sort([keys], [keys])

    with pytest.raises(CUDAError) as raised:
        sort_for_good()
    assert raised.value.domain == ErrorDomain.NCCL
    print(raised.value)
    with pytest.raises(InvalidState, match="it was given up"):
        sort([keys], [keys])


def main() -> None:
    scenario = sys.argv[1]
    process = Process.from_environment(timeout=60)
    if file := os.environ.get("CUPRUM_TEST_BROADCAST_FILE"):
        process.broadcast = lambda data: broadcast_by_file(process, pathlib.Path(file), data)
    if scenario == "absence" and process.rank == 1:
        return
    timeout = float(os.environ.get("CUPRUM_TEST_TIMEOUT", "60"))
    rank = Rank(process, NcclOptions(timeout))
    globals()[scenario](rank)
    print("ok")


if __name__ == "__main__":
    try:
        main()
    except Error as error:
        print("raised:", error)
        sys.exit(2)
