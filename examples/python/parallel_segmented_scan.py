"""A segmented scan: the running total of each account, whose bookings lie one after another."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind


def main() -> int:
    device = Device(0)
    device.set_current()
    amounts = DeviceArray.from_numpy(np.array([5, 10, -3, 7, 7, -4], np.int32))
    begins = DeviceArray.from_numpy(np.array([0, 3, 3], np.int64))
    ends = DeviceArray.from_numpy(np.array([3, 3, 6], np.int64))
    balances = DeviceArray.empty(6, np.int32)
    parallel.inclusive_segmented_scan(
        d_in=amounts,
        d_out=balances,
        start_offsets_in=begins,
        end_offsets_in=ends,
        op=OpKind.PLUS,
    )
    device.sync()
    is_right = balances.to_numpy().tolist() == [5, 15, 12, 7, 14, 10]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
