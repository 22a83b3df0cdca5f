"""Differences of neighbours: how much a meter has counted between two readings."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    readings = DeviceArray.from_numpy(np.array([3, 5, 10, 10, 18, 20], np.int32))
    differences = DeviceArray.empty(6, np.int32)
    parallel.adjacent_difference_left(
        d_in=readings,
        d_out=differences,
    )
    device.sync()
    is_right = differences.to_numpy().tolist() == [3, 2, 5, 0, 8, 2]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
