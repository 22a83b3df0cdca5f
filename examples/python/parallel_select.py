"""Selection: the elements that meet a condition, in order; over host data in one call, and on the device."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device


def main() -> int:
    data = (np.arange(10000) * 7919 % 10007).astype(np.int32)
    multiples = parallel.select(data, lambda a: a % 3 == 0)

    stream = Device(0).create_stream()
    d_out = parallel.DeviceArray.empty(10000, np.int64)
    d_selected = parallel.DeviceArray.empty(1, np.uint64)
    # Of 1, 2, 3 and so on, which are in no memory, the squares.
    parallel.select(
        d_in=parallel.CountingIterator(np.int64(1)),
        d_out=d_out,
        d_num_selected_out=d_selected,
        cond="long long r = llrint(sqrt((double)a)); return r * r == a;",
        num_items=10000,
        stream=stream,
    )
    stream.sync()
    squares = d_out.to_numpy()[: d_selected.to_numpy()[0]]

    ok = np.array_equal(multiples, data[data % 3 == 0]) and np.array_equal(squares, np.arange(1, 101) ** 2)
    print(f"{multiples.size} multiples of 3, {squares.size} squares: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
