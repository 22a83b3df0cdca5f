"""usage: exchange.py save NUMBER FILE | exchange.py load NUMBER FILE [NUMBER FILE ...]

Saves a reduction by an operator of that number, or loads some and calls them.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np
from cuprum import parallel
from cuprum.parallel import DeviceArray


def main(mode: str, *rest: str) -> None:
    data = np.arange(1, 1001, dtype=np.int32)
    for number, path in zip(rest[::2], rest[1::2], strict=True):
        op = f"a + b + {number}"
        if mode == "save":
            reduction = parallel.make_reduce_into(
                d_in=DeviceArray.empty(0, np.int32), op=op, h_init=np.int64(0), compute_capability="compute_80"
            )
            pathlib.Path(path).write_bytes(reduction.save())
        else:
            parallel.load_builds(pathlib.Path(path).read_bytes())
            print(parallel.reduce(data, np.int64(0), op))


main(*sys.argv[1:])
