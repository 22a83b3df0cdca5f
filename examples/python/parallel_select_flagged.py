"""A selection by flags: the readings that another sensor has confirmed."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    readings = DeviceArray.from_numpy(np.array([21, 35, -4, 18, 40, 2, 31, -1], np.int32))
    confirmed = DeviceArray.from_numpy(np.array([0, 1, 0, 1, 1, 0, 0, 1], np.int32))
    kept = DeviceArray.empty(8, np.int32)
    count = DeviceArray.empty(1, np.uint64)
    parallel.select_flagged(
        d_in=readings,
        d_flags=confirmed,
        d_out=kept,
        d_num_selected_out=count,
    )
    device.sync()
    is_right = kept.to_numpy()[:4].tolist() == [35, 18, 40, -1]
    is_right = is_right and count.to_numpy().tolist() == [4]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
