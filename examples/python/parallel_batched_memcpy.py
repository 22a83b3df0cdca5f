"""A batch of copies: the parts of a text in another order, in one call."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray


def main() -> int:
    device = Device(0)
    device.set_current()
    text = DeviceArray.from_numpy(np.frombuffer(b"world hello ", np.uint8))
    found = DeviceArray.empty(12, np.uint8)
    begin, to = (each.__cuda_array_interface__["data"][0] for each in (text, found))
    parallel.batched_memcpy(
        d_sources=DeviceArray.from_numpy(np.array([begin, begin + 6], np.uint64)),
        d_targets=DeviceArray.from_numpy(np.array([to + 6, to], np.uint64)),
        d_sizes=DeviceArray.from_numpy(np.array([6, 6], np.int32)),
    )
    device.sync()
    is_right = found.to_numpy().tobytes() == b"hello world "
    print("ok" if is_right else "WRONG")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
