"""Arg-min and arg-max: the first extreme element and where it is, over host data and on the device."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device


def main() -> int:
    data = ((np.arange(10000) + 5000) * 7919 % 10007).astype(np.int32)
    smallest = parallel.argmin(data)

    stream = Device(0).create_stream()
    d_in = parallel.DeviceArray.from_numpy(data)
    finder = parallel.make_argmax_into(d_in=d_in)
    d_out = parallel.DeviceArray.empty(1, finder.result_dtype)
    finder(temp_storage=parallel.POOL, d_in=d_in, d_out=d_out, stream=stream)
    stream.sync()
    largest = d_out.to_numpy()[0]

    ok = smallest == data.argmin() and largest["index"] == data.argmax() and largest["value"] == data.max()
    print(f"smallest at {smallest}, largest {largest['value']} at {largest['index']}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
