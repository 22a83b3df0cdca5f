"""What a program does, for tools to see: ranges and marks of NVTX, and how many objects are alive.

Nsight Systems shows the ranges, and so does Cuprum's own trace: ``cuprum trace -- python ranges.py``.
"""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, live_objects, nvtx


def main() -> int:
    device = Device(0)
    device.set_current()
    before = live_objects()
    with nvtx.annotate("fill and copy"):
        stream = device.create_stream()
        buffer = device.allocate(4000, stream=stream)
        copying = nvtx.start_range("copying")
        values = np.zeros(1000, np.int32)
        buffer.fill((42).to_bytes(4, "little"), stream=stream)
        nvtx.mark("filled")
        buffer.copy_to_host(values, stream=stream)
        stream.sync()
        nvtx.end_range(copying)
        wrong = int(np.count_nonzero(values != 42))
        during = live_objects()
        wrong += during["stream"] != before["stream"] + 1 or during["buffer"] != before["buffer"] + 1
        buffer.close()
        stream.close()
    after = live_objects()
    wrong += after["stream"] != before["stream"] or after["buffer"] != before["buffer"]
    print(f"ranges on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
