"""A merge of sorted keys: the times of two logs in one order."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    first = DeviceArray.from_numpy(np.array([1, 4, 9, 12], np.int32))
    second = DeviceArray.from_numpy(np.array([2, 4, 20], np.int32))
    merged = DeviceArray.empty(7, np.int32)
    parallel.merge_keys(
        d_in_keys1=first,
        d_in_keys2=second,
        d_out_keys=merged,
    )
    device.sync()
    is_right = merged.to_numpy().tolist() == [1, 2, 4, 4, 9, 12, 20]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
