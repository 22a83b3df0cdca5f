"""A call for each position: a function that writes into an array on the device, where it likes."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    squares: Any = DeviceArray.from_numpy(np.zeros(20, np.int32))

    def write_squares(i: int) -> int:
        squares[2 * i] = i * i
        return 0

    parallel.for_each(d_in=CountingIterator(np.int32(0)), num_items=10, op=write_squares)
    device.sync()
    is_right = squares.to_numpy()[::2].tolist() == [i * i for i in range(10)]
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
