"""Sorting data in host memory that is larger than the device's memory that the sort may take: in pieces."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import LegacyPinnedMemoryResource
from cuprum.parallel import out_of_core

LIMIT = 1 << 20  # bytes
N = 2 * LIMIT // 4  # twice as much


def main() -> int:
    # Page-locked, so that copies in both directions and kernels run at once.
    page_locked = LegacyPinnedMemoryResource()
    memory = [page_locked.allocate(4 * N, stream=None) for _ in range(2)]
    numbers, target = (np.frombuffer(memoryview(each), np.int32) for each in memory)
    numbers[:] = np.arange(N - 1, -1, -1)

    limit = out_of_core.DeviceMemory(limit=LIMIT)
    largest = np.empty(1, np.int32)
    out_of_core.Reduce(limit, np.int32, "maximum")(numbers, largest)
    # The sorted runs may overwrite the input.
    out_of_core.RadixSort(limit, np.int32)(numbers, target, keys_scratch=numbers)

    ok = largest[0] == N - 1 and np.array_equal(target, np.arange(N))
    print(f"{4 * N} bytes sorted with {LIMIT} of the device: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
