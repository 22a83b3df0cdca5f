"""Two processes: a stream of the second one waits for an event that the first one has recorded."""

from __future__ import annotations

import multiprocessing
import sys

from cuprum.core import Device, Event, EventOptions, IPCEventDescriptor


def second_process(descriptor: IPCEventDescriptor) -> None:
    device = Device(0)
    event = Event.from_ipc_descriptor(descriptor)
    stream = device.create_stream()
    stream.wait(event)
    stream.sync()
    sys.exit(0 if event.is_done else 1)


def main() -> int:
    device = Device(0)
    stream = device.create_stream()
    buffer = device.allocate(1 << 20, stream=stream)
    for value in range(10):
        buffer.fill(value, stream=stream)
    event = stream.record(options=EventOptions(ipc_enabled=True))
    context = multiprocessing.get_context("spawn")  # a forked process could not use the driver
    other = context.Process(target=second_process, args=(event.ipc_descriptor,))
    other.start()
    other.join()

    right = other.exitcode == 0 and event.is_done
    print(f"another process waited for an event of this one on {device.name}: {'right' if right else 'wrong'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
