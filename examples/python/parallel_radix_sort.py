"""A radix sort by the bits of numbers: keys alone over host data, and on the device keys with values, largest first."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, DoubleBuffer


def main() -> int:
    data = (np.arange(10000) * 7919 % 10007 - 5000).astype(np.int32)
    keys = parallel.sort(data)

    stream = Device(0).create_stream()
    d_positions = DeviceArray.empty(data.size, np.int32)
    parallel.radix_sort(
        d_in_keys=DeviceArray.from_numpy(data),
        d_out_keys=DeviceArray.empty(data.size, np.int32),
        d_in_values=DeviceArray.from_numpy(np.arange(data.size, dtype=np.int32)),
        d_out_values=d_positions,
        order=parallel.SortOrder.DESCENDING,
        stream=stream,
    )
    # Once more, between two arrays: no other memory is needed for the keys.
    between = DoubleBuffer(DeviceArray.from_numpy(data), DeviceArray.empty(data.size, np.int32))
    parallel.radix_sort(d_in_keys=between, stream=stream)
    stream.sync()

    ok = np.array_equal(keys, np.sort(data)) and np.array_equal(keys, between.current().to_numpy())
    ok = ok and np.array_equal(data[d_positions.to_numpy()], keys[::-1])
    print(f"smallest {keys[0]}, largest {keys[-1]}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
