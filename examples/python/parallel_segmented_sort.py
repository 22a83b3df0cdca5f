"""A segmented sort: the scores of each group in descending order, and whose they are."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, SortOrder


def main() -> int:
    device = Device(0)
    device.set_current()
    scores = DeviceArray.from_numpy(np.array([12, 40, 31, 7, 25, 18, 3], np.int32))
    players = DeviceArray.from_numpy(np.arange(7, dtype=np.int32))
    offsets = np.array([0, 3, 7], np.int64)  # group i is [offsets[i], offsets[i + 1])
    best, whose = DeviceArray.empty(7, np.int32), DeviceArray.empty(7, np.int32)
    parallel.segmented_sort(
        d_in_keys=scores,
        d_out_keys=best,
        d_in_values=players,
        d_out_values=whose,
        start_offsets_in=DeviceArray.from_numpy(offsets[:-1]),
        end_offsets_in=DeviceArray.from_numpy(offsets[1:]),
        order=SortOrder.DESCENDING,
    )
    device.sync()
    is_right = best.to_numpy().tolist() == [40, 31, 12, 25, 18, 7, 3]
    is_right = is_right and whose.to_numpy().tolist() == [1, 2, 0, 4, 5, 3, 6]
    print("scores", *best.to_numpy(), "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
