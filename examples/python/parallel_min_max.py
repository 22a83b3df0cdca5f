"""Both extremes in one sweep: between which temperatures a day was."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    temperatures = DeviceArray.from_numpy(np.array([3.5, -1.25, 8.0, 12.75, 6.5], np.float32))
    extremes = DeviceArray.empty(2, np.float32)
    parallel.min_max(
        d_in=temperatures,
        d_out=extremes,
    )
    device.sync()
    is_right = extremes.to_numpy().tolist() == [-1.25, 12.75]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
