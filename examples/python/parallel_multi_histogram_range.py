"""A histogram of ranges of several channels: red is dark or bright, green dark, medium or bright, blue not counted."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    pixels = np.array([[255, 0, 10], [200, 64, 20], [0, 65, 30], [130, 255, 40]], np.uint8)
    counts = DeviceArray.empty(2 + 3, np.int32)
    parallel.multi_histogram_range(
        d_samples=DeviceArray.from_numpy(pixels.ravel()),
        d_levels=DeviceArray.from_numpy(np.array([0, 128, 256, 0, 60, 200, 256], np.int32)),
        d_histogram=counts,
        num_channels=3,
        num_output_levels=[3, 4],
    )
    device.sync()
    is_right = counts.to_numpy().tolist() == [1, 3, 1, 2, 1]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
