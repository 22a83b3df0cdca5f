"""A segmented reduction: the sum of each row of a matrix whose rows have different lengths."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device


def main() -> int:
    data = np.arange(1, 10001, dtype=np.int32)
    offsets = np.array([0, 10, 10, 4000, 10000])  # row i is [offsets[i], offsets[i + 1])

    stream = Device(0).create_stream()
    d_sums = parallel.DeviceArray.empty(4, np.int64)
    parallel.segmented_reduce(
        d_in=parallel.DeviceArray.from_numpy(data),
        d_out=d_sums,
        start_offsets_in=parallel.DeviceArray.from_numpy(offsets[:-1]),
        end_offsets_in=parallel.DeviceArray.from_numpy(offsets[1:]),
        op=parallel.OpKind.PLUS,
        h_init=np.int64(0),
        stream=stream,
    )
    stream.sync()
    sums = d_sums.to_numpy()

    for row, total in enumerate(sums):
        print(f"row {row}: {total}")
    ok = all(sums[i] == data[offsets[i] : offsets[i + 1]].sum() for i in range(4))
    print("ok" if ok else "WRONG")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
