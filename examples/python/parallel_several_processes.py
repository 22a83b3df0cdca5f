"""One of several processes with a device each, which sort numbers together over NCCL:

    torchrun --nproc-per-node=2 parallel_several_processes.py

mpirun and srun will do, with MASTER_ADDR and MASTER_PORT set. Started alone, it is the only one.
"""

from __future__ import annotations

import sys

import numpy as np
from cuprum import InvalidState, NotFound
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind, distributed

EACH = 5000


def find_process() -> distributed.Process:
    try:
        return distributed.Process.from_environment()
    except InvalidState:
        return distributed.Process(broadcast=lambda data: None)  # to nobody


def main() -> int:
    process = find_process()
    device = Device(process.local_rank)
    try:
        communicator = distributed.Communicator(device, process)
    except NotFound as error:
        print(f"this machine has no NCCL\n{error}")
        return 0
    n, first = process.count * EACH, process.rank * EACH

    # n - 1, n - 2, ... 0 in all, of which this process has its part.
    memory = device.allocate(4 * EACH)
    memory.copy_from_host(np.arange(n - 1, -1, -1, dtype=np.int32)[first : first + EACH])
    numbers = DeviceArray(memory, np.int32)
    largest = DeviceArray(device.allocate(4), np.int32)

    distributed.Reduce(communicator, np.int32, OpKind.MAXIMUM)([numbers], [largest])
    distributed.RadixSort(communicator, np.int32)([numbers], [numbers])

    found = numbers.to_numpy()
    ok = np.array_equal(found, np.arange(first, first + EACH)) and largest.to_numpy()[0] == n - 1
    print(f"process {process.rank} of {process.count} has {found[0]} to {found[-1]}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
