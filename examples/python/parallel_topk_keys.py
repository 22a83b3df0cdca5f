"""The top keys: the three best scores, which come in no particular order."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    scores = DeviceArray.from_numpy(np.array([7, 42, 3, 42, 19, 42], np.int32))
    best = DeviceArray.empty(3, np.int32)
    parallel.topk_max_keys(
        d_in_keys=scores,
        d_out_keys=best,
        k=3,
    )
    device.sync()
    is_right = best.to_numpy().tolist() == [42, 42, 42]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
