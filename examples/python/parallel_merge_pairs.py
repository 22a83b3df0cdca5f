"""A merge of sorted keys with their values: two logs as one, by their times."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    first_times = DeviceArray.from_numpy(np.array([1, 4, 9], np.int32))
    first_events = DeviceArray.from_numpy(np.array([10, 11, 12], np.int32))
    second_times = DeviceArray.from_numpy(np.array([2, 4], np.int32))
    second_events = DeviceArray.from_numpy(np.array([20, 21], np.int32))
    times = DeviceArray.empty(5, np.int32)
    events = DeviceArray.empty(5, np.int32)
    parallel.merge_pairs(
        d_in_keys1=first_times,
        d_in_values1=first_events,
        d_in_keys2=second_times,
        d_in_values2=second_events,
        d_out_keys=times,
        d_out_values=events,
    )
    device.sync()
    is_right = times.to_numpy().tolist() == [1, 2, 4, 4, 9]
    is_right = is_right and events.to_numpy().tolist() == [10, 20, 11, 21, 12]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
