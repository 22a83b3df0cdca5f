"""A histogram of ranges: how many people are children, of working age, and older."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    ages = DeviceArray.from_numpy(np.array([3, 70, 35, 17, 18, 64, 65, 40], np.int32))
    levels = DeviceArray.from_numpy(np.array([0, 18, 65, 150], np.int32))
    people = DeviceArray.empty(3, np.int32)
    parallel.histogram_range(
        d_samples=ages,
        d_levels=levels,
        d_histogram=people,
    )
    device.sync()
    is_right = people.to_numpy().tolist() == [2, 4, 2]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
