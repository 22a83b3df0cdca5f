"""A reduction by key: the readings of each sensor, added."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind


def main() -> int:
    device = Device(0)
    device.set_current()
    sensors = DeviceArray.from_numpy(np.array([1, 1, 1, 4, 4, 7, 8, 8], np.int32))
    readings = DeviceArray.from_numpy(np.array([0.5, 0.5, 1.0, 2.5, 2.0, 3.5, 4.0, 4.5], np.float32))
    keys = DeviceArray.empty(8, np.int32)
    sums = DeviceArray.empty(8, np.float32)
    count = DeviceArray.empty(1, np.uint64)
    parallel.reduce_by_key(
        d_in_keys=sensors,
        d_in_values=readings,
        d_out_keys=keys,
        d_out_values=sums,
        d_num_runs_out=count,
        op=OpKind.PLUS,
    )
    device.sync()
    is_right = keys.to_numpy()[:4].tolist() == [1, 4, 7, 8]
    is_right = is_right and sums.to_numpy()[:4].tolist() == [2.0, 4.5, 3.5, 8.5]
    is_right = is_right and count.to_numpy().tolist() == [4]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
