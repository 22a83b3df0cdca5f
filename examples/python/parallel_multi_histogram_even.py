"""A histogram of several channels: how bright red, green and blue are in a picture of four pixels with alpha."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    pixels = np.array([[255, 0, 10, 1], [200, 64, 20, 1], [0, 65, 30, 0], [130, 255, 40, 0]], np.uint8)
    counts = DeviceArray.empty(4 + 2 + 4, np.int32)
    parallel.multi_histogram_even(
        d_samples=DeviceArray.from_numpy(pixels.ravel()),
        d_histogram=counts,
        num_channels=4,
        num_output_levels=[5, 3, 5],
        lower_level=[0, 0, 0],
        upper_level=[256, 256, 256],
    )
    device.sync()
    is_right = counts.to_numpy().tolist() == [1, 0, 1, 2, 3, 1, 4, 0, 0, 0]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
