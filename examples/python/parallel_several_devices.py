"""Algorithms over data that is spread over several devices: each has a shard of it. With one device it has all."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.parallel import DeviceArray, OpKind, distributed

EACH = 5000


def main() -> int:
    communicator = distributed.Communicator()
    devices = [communicator.device(rank) for rank in range(communicator.size)]
    n = len(devices) * EACH

    # n - 1, n - 2, ... 0: as many numbers on each device, in memory of that device.
    memory = [device.allocate(4 * EACH) for device in devices]
    for buffer, part in zip(memory, np.split(np.arange(n - 1, -1, -1, dtype=np.int32), len(devices)), strict=True):
        buffer.copy_from_host(part)
    numbers = [DeviceArray(buffer, np.int32) for buffer in memory]
    maxima = [DeviceArray(device.allocate(4), np.int32) for device in devices]

    distributed.Reduce(communicator, np.int32, OpKind.MAXIMUM)(numbers, maxima)
    distributed.RadixSort(communicator, np.int32)(numbers, numbers)

    found = np.concatenate([shard.to_numpy() for shard in numbers])
    ok = np.array_equal(found, np.arange(n)) and all(shard.to_numpy()[0] == n - 1 for shard in maxima)
    print(f"{n} numbers sorted by {len(devices)} device(s): {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
