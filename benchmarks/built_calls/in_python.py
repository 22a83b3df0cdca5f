"""Calls of built algorithms in Python, as built_calls.hpp says."""

from __future__ import annotations

import time
from collections.abc import Callable

import cuprum.parallel as par
import numpy as np
from cuprum.core import Device

COUNT, BATCHES, CALLS = 1024, 81, 200


def main() -> None:
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    d_in, d_out = (par.DeviceArray.from_numpy(np.zeros(COUNT, np.float32)) for _ in range(2))
    reduce = par.make_reduce_into(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS, h_init=0.0)
    scan = par.make_inclusive_scan(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS)
    square = par.make_unary_transform(d_in=d_in, d_out=d_out, op="a * a")
    sort = par.make_radix_sort(d_in_keys=d_in, d_out_keys=d_out)
    pool = par.POOL

    # A loop for each, as a program would write it: calling a lambda would cost something, too.
    def reduces() -> None:
        for _ in range(CALLS):
            reduce(temp_storage=pool, d_in=d_in, d_out=d_out, num_items=COUNT, h_init=0.0, stream=stream)

    def scans() -> None:
        for _ in range(CALLS):
            scan(temp_storage=pool, d_in=d_in, d_out=d_out, num_items=COUNT, stream=stream)

    def transforms() -> None:
        for _ in range(CALLS):
            square(d_in=d_in, d_out=d_out, num_items=COUNT, stream=stream)

    def sorts() -> None:
        for _ in range(CALLS):
            sort(temp_storage=pool, d_in_keys=d_in, d_out_keys=d_out, num_items=COUNT, stream=stream)

    loops: dict[str, Callable[[], None]] = {
        "reduce": reduces,
        "inclusive scan": scans,
        "transform": transforms,
        "radix sort": sorts,
    }
    for name, loop in loops.items():
        least = float("inf")
        for _ in range(BATCHES):
            begin = time.perf_counter()
            loop()
            least = min(least, (time.perf_counter() - begin) / CALLS * 1e6)
            stream.sync()
        print(f"{name}\t{least:.3f}")


if __name__ == "__main__":
    main()
