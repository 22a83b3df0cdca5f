"""A reduction: over host data in one call, and on the device, built once and called as often as wanted."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device


def main() -> int:
    data = np.arange(1, 10001, dtype=np.int32)
    total = parallel.reduce(data, np.int64(0), lambda a, b: a + b)

    stream = Device(0).create_stream()
    d_in = parallel.DeviceArray.from_numpy(data)
    d_out = parallel.DeviceArray.empty(1, np.int64)
    # Squares, made while they are read: a transform-reduction.
    squares = parallel.TransformIterator(d_in, lambda a: a * np.int64(1) * a)
    reduction = parallel.make_reduce_into(d_in=squares, d_out=d_out, op=parallel.OpKind.PLUS, h_init=np.int64(0))
    reduction(temp_storage=parallel.POOL, d_in=squares, d_out=d_out, h_init=0, stream=stream)
    stream.sync()
    total_of_squares = d_out.to_numpy()[0]

    ok = total == 50005000 and total_of_squares == 333383335000
    print(f"sum {total}, sum of squares {total_of_squares}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
