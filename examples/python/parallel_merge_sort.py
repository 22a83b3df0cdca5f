"""A merge sort by a comparison of one's own: structs, stable, and numbers with values that move with them."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel


def main() -> int:
    keys = (np.arange(5000) * 7919 % 10007).astype(np.int32)
    points = np.zeros(keys.size, np.dtype([("x", np.float32), ("tag", np.int32)], align=True))
    points["x"] = keys % 100
    points["tag"] = np.arange(keys.size)
    by_x = parallel.sort(points, op=lambda a, b: a.x < b.x)
    positions = np.arange(keys.size, dtype=np.int32)
    by_remainder, positions = parallel.sort_by_key(keys, positions, op=lambda a, b: a % 100 < b % 100)

    # Both sorts are stable and by the same remainder, so they agree.
    order = np.argsort(keys % 100, kind="stable")
    ok = np.array_equal(by_remainder, keys[order]) and np.array_equal(by_x["tag"], order)
    ok = ok and np.array_equal(positions, order)
    print(f"first {positions[0]}, last {positions[-1]}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
