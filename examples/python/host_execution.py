"""The parallel algorithms on the host's own cores: real data, no GPU, no driver."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.parallel import POOL, OpKind, SortOrder, argmax, make_reduce_into, reduce, scan, sort_by_key


def built_once(data: np.ndarray) -> int:
    """Over NumPy arrays, where algorithms on a device take the device's."""
    total = np.empty(1, np.int64)
    sum_of = make_reduce_into(d_in=data, op=OpKind.PLUS, h_init=np.int64(0), execution="host")
    sum_of(temp_storage=POOL, d_in=data, d_out=total, h_init=0)
    return int(total[0])


def main() -> int:
    data = (np.arange(1_000_000) * 7919 % 1000003).astype(np.int32)
    keys, positions = sort_by_key(data, np.arange(data.size), order=SortOrder.DESCENDING, execution="host")
    results = {
        "reduce": reduce(data, np.int64(0), lambda a, b: a + b, execution="host") == data.sum(dtype=np.int64),
        "argmax": argmax(data, execution="host") == data.argmax(),
        "inclusive scan": np.array_equal(
            scan(data, op=OpKind.MAXIMUM, execution="host"),
            np.maximum.accumulate(data),
        ),
        "sort by key": np.array_equal(keys, np.sort(data)[::-1]) and np.array_equal(data[positions], keys),
        "built once": built_once(data) == data.sum(dtype=np.int64),
    }
    for what, ok in results.items():
        print(f"{what:28} {'ok' if ok else 'WRONG'}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
