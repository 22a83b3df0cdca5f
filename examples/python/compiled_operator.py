"""An operator that is compiled elsewhere, as LTO-IR, and linked into an algorithm: here a loop, over each element."""

from __future__ import annotations

import sys

import numpy as np
from cuprum import parallel
from cuprum.core import Device, Program, ProgramOptions
from cuprum.parallel import Operator

SOURCE = """
extern "C" __device__ int halvings(int a) {
    int steps = 0;
    for (; a > 1; a /= 2) ++steps;
    return steps;
}
"""


def main() -> int:
    Device(0).set_current()
    # Any compiler of device code will do, numba.cuda.compile(abi="c") too.
    options = ProgramOptions(name="halvings.cu", relocatable_device_code=True, link_time_optimization=True)
    code = Program(SOURCE, "c++", options).compile("ltoir")
    op = Operator.compiled("halvings", code, passing="values")
    data = (np.arange(1000) * 7919 % 100003).astype(np.int32)
    steps = parallel.transform(data, op)

    ok = steps.tolist() == [max(int(a).bit_length() - 1, 0) for a in data]
    print(f"{data[-1]} takes {steps[-1]} halvings: {'ok' if ok else 'WRONG'}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
