"""A run-length encoding: what a sensor says, and how often it repeats that."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    readings = DeviceArray.from_numpy(np.array([5, 5, 5, 2, 7, 7, 5, 5], np.int32))
    kept = DeviceArray.empty(8, np.int32)
    lengths = DeviceArray.empty(8, np.int32)
    count = DeviceArray.empty(1, np.uint64)
    parallel.run_length_encode(
        d_in=readings,
        d_out=kept,
        d_lengths_out=lengths,
        d_num_runs_out=count,
    )
    device.sync()
    is_right = kept.to_numpy()[:4].tolist() == [5, 2, 7, 5]
    is_right = is_right and lengths.to_numpy()[:4].tolist() == [3, 1, 2, 2]
    is_right = is_right and count.to_numpy().tolist() == [4]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
