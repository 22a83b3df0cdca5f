"""The first of each run of equal keys, and its item: of sorted readings the first of each sensor."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    sensors = DeviceArray.from_numpy(np.array([1, 1, 1, 4, 4, 7, 8, 8], np.int32))
    readings = DeviceArray.from_numpy(np.array([0.5, 0.7, 0.9, 2.5, 2.0, 3.5, 4.0, 4.5]))
    first_sensors = DeviceArray.empty(8, np.int32)
    first_readings = DeviceArray.empty(8, np.float64)
    count = DeviceArray.empty(1, np.uint64)
    parallel.unique_by_key(
        d_in_keys=sensors,
        d_in_items=readings,
        d_out_keys=first_sensors,
        d_out_items=first_readings,
        d_out_num_selected=count,
    )
    device.sync()
    number = int(count.to_numpy()[0])
    is_right = first_sensors.to_numpy()[:number].tolist() == [1, 4, 7, 8]
    is_right = is_right and first_readings.to_numpy()[:number].tolist() == [0.5, 2.5, 3.5, 4.0]
    print("first reading of each sensor", "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
