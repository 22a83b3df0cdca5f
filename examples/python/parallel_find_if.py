"""A search: when a level was first exceeded."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    levels = DeviceArray.from_numpy(np.array([3, 5, 8, 12, 7, 15], np.int32))
    first = DeviceArray.empty(1, np.int32)
    parallel.find_if(
        d_in=levels,
        d_out=first,
        cond=lambda a: a > 10,
    )
    device.sync()
    is_right = first.to_numpy().tolist() == [3]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
