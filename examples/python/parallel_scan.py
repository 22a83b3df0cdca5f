"""Prefix sums: the running total before each element (exclusive), and the running maximum (inclusive)."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel


def main() -> int:
    data = (np.arange(10000) * 7919 % 10007).astype(np.int32)
    totals = parallel.scan(data, np.int64(100), lambda a, b: a + b, exclusive=True)
    maxima = parallel.scan(data, op=lambda a, b: parallel.maximum(a, b))

    ok = np.array_equal(totals[1:], 100 + data.astype(np.int64).cumsum()[:-1]) and totals[0] == 100
    ok = ok and np.array_equal(maxima, np.maximum.accumulate(data))
    print(f"total before the last {totals[-1]}, maximum {maxima[-1]}: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
