"""Many copies in one call: pieces of the program's own memory, which is page-locked where it lies, go to a device and
come back."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Buffer, Device
from cuprum.core.utils import CopyOptions, copy_batch

PIECES, UNIT = 20, 1000  # piece i has (i + 1) * UNIT numbers
N = PIECES * (PIECES + 1) // 2 * UNIT


def pieces_of(memory: Buffer) -> list[Buffer]:
    found = []
    offset = 0
    for i in range(1, PIECES + 1):
        size = 4 * i * UNIT
        found.append(Buffer.from_handle(int(memory.handle) + offset, size, owner=memory))
        offset += size
    return found


def main() -> int:
    device = Device(0)
    values, result = np.arange(N, dtype=np.int32), np.zeros(N, dtype=np.int32)
    source, target = Buffer.register_host_memory(values), Buffer.register_host_memory(result)
    stream = device.create_stream()
    on_device = [device.allocate(piece.size, stream=stream) for piece in pieces_of(source)]

    copy_batch(stream, pieces_of(source), on_device)
    copy_batch(stream, on_device, pieces_of(target), options=CopyOptions(overlap_mode="prefer_overlap_with_compute"))
    stream.sync()

    right = bool((result == values).all())
    print(f"{PIECES} buffers copied in one call on {device.name}: {'right' if right else 'wrong'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
