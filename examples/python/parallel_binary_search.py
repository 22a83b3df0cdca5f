"""Binary search: which tax bracket each income is in, by the brackets' lower limits."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    limits = DeviceArray.from_numpy(np.array([0, 12000, 50000, 120000], np.int32))
    incomes = DeviceArray.from_numpy(np.array([49999, 50000, 0, 300000, 12001], np.int32))
    brackets = DeviceArray.empty(5, np.int32)
    # How many limits are at most the income.
    parallel.upper_bound(d_data=limits, d_values=incomes, d_out=brackets)
    device.sync()
    is_right = brackets.to_numpy().tolist() == [2, 3, 1, 4, 2]
    print("brackets", *brackets.to_numpy(), "ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
