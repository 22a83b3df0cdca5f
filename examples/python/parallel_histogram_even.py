"""A histogram: how many grades are in each fifth of the scale."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    grades = DeviceArray.from_numpy(np.array([12, 99, 55, 43, 60, 61, 0, 100, 38], np.float32))
    counts = DeviceArray.empty(5, np.int32)
    # From 0 up to, but not including, 100.
    parallel.histogram_even(
        d_samples=grades,
        d_histogram=counts,
        num_output_levels=6,
        lower_level=np.float32(0),
        upper_level=np.float32(100),
    )
    device.sync()
    is_right = counts.to_numpy().tolist() == [2, 1, 2, 2, 1]
    print("grades", *counts.to_numpy(), "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
