"""Prefix sums by key, without the element itself: what each customer had paid before, and 100 of credit."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind


def main() -> int:
    device = Device(0)
    device.set_current()
    customers = DeviceArray.from_numpy(np.array([1, 1, 1, 4, 4, 7, 8, 8], np.int32))
    payments = DeviceArray.from_numpy(np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32))
    sums = DeviceArray.empty(8, np.int32)
    parallel.exclusive_scan_by_key(
        d_in_keys=customers,
        d_in_values=payments,
        d_out=sums,
        op=OpKind.PLUS,
        init_value=100,
    )
    device.sync()
    is_right = sums.to_numpy().tolist() == [100, 103, 104, 100, 101, 100, 100, 102]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
