"""Streams that call functions of the program between their work, and that wait for words of memory and write them."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LegacyPinnedMemoryResource

ROUNDS = 5


def main() -> int:
    device = Device(0)
    stream = device.create_stream()
    memory = LegacyPinnedMemoryResource().allocate(8, stream=stream)
    words = np.frombuffer(memoryview(memory), np.uint32)  # a counter, and what the stream answers
    words[:] = 0
    seen: list[int] = []

    # The whole of it is put into the stream at once, before any of it runs.
    for round in range(1, ROUNDS + 1):
        stream.wait_value32(memory, 0, round)  # until the counter is that high
        stream.write_value32(memory, 4, 10 * round)
        stream.launch_host_function(lambda: seen.append(int(words[1])))
    for round in range(1, ROUNDS + 1):
        words[0] = round
    stream.sync()

    wrong = sum(got != 10 * (i + 1) for i, got in enumerate(seen)) + abs(len(seen) - ROUNDS)
    print(f"{ROUNDS} rounds of a stream and the CPU on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
