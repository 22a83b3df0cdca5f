"""A checkpoint of this process: while its GPU memory is in the host's, it holds no GPU, which others may use.

A GPU's driver leaves that to another process; there this one says so.
"""

from __future__ import annotations

import os
import sys

import numpy as np
from cuprum.core import Device, checkpoint


def main() -> int:
    device = Device(0)
    device.set_current()
    if not device.is_simulator:
        print(f"checkpoint on {device.name}: has to be made by another process")
        return 0
    stream = device.create_stream()
    buffer = device.allocate(4000, stream=stream)
    buffer.fill((42).to_bytes(4, "little"), stream=stream)
    stream.sync()

    process = checkpoint.Process(os.getpid())
    process.lock()  # from here on every other call of CUDA waits
    process.checkpoint()  # the GPU is free
    wrong = int(process.state != "checkpointed")
    process.restore()
    process.unlock()

    values = np.zeros(1000, np.int32)
    buffer.copy_to_host(values, stream=stream)
    stream.sync()
    wrong += int(np.count_nonzero(values != 42))
    print(f"checkpoint on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
