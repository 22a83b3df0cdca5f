"""A comparison: whether two readings are the same but for a small error."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    is_same = DeviceArray.empty(1, np.bool_)
    parallel.equal(
        d_in1=DeviceArray.from_numpy(np.array([100, 205, 298], np.int32)),
        d_in2=DeviceArray.from_numpy(np.array([101, 204, 300], np.int32)),
        d_out=is_same,
        op=lambda a, b: abs(a - b) <= 2,
    )
    device.sync()
    is_right = is_same.to_numpy().tolist() == [True]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
