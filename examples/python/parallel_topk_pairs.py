"""The top key with its value: who is the cheapest."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    prices = DeviceArray.from_numpy(np.array([70, 42, 31, 55], np.int32))
    shops = DeviceArray.from_numpy(np.array([1, 2, 3, 4], np.int32))
    lowest = DeviceArray.empty(1, np.int32)
    cheapest = DeviceArray.empty(1, np.int32)
    parallel.topk_min_pairs(
        d_in_keys=prices,
        d_in_values=shops,
        d_out_keys=lowest,
        d_out_values=cheapest,
        k=1,
    )
    device.sync()
    is_right = lowest.to_numpy().tolist() == [31]
    is_right = is_right and cheapest.to_numpy().tolist() == [3]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
