"""A memory resource that the program writes: it counts what a pool is asked for. The device then allocates from it."""

from __future__ import annotations

from typing import Any

from cuprum.core import Buffer, Device, DeviceMemoryResource, MemoryResource


class Counting(MemoryResource):
    """Memory of another resource, which it counts."""

    def __init__(self, upstream: MemoryResource) -> None:
        self._upstream = upstream
        self._live: dict[int, Buffer] = {}
        self.bytes = self.most_bytes = 0

    def allocate(self, size: int, *, stream: Any) -> Buffer:
        buffer = self._upstream.allocate(size, stream=stream)
        self._live[buffer.handle] = buffer
        self.bytes += size
        self.most_bytes = max(self.most_bytes, self.bytes)
        return Buffer.from_handle(buffer.handle, size, mr=self, stream=stream)

    def deallocate(self, ptr: int, size: int, *, stream: Any) -> None:
        self.bytes -= size
        self._live.pop(ptr).close(stream)

    @property
    def is_device_accessible(self) -> bool:
        return True

    @property
    def is_host_accessible(self) -> bool:
        return False

    @property
    def device_id(self) -> int:
        return self._upstream.device_id


def main() -> None:
    device = Device(0)
    stream = device.create_stream()
    counting = Counting(DeviceMemoryResource(device, {}))
    device.memory_resource = counting
    first = device.allocate(1000, stream=stream)
    second = device.allocate(2000, stream=stream)
    first.fill(0, stream=stream)
    first.close()
    third = counting.allocate(500, stream=stream)
    assert (counting.bytes, counting.most_bytes) == (2500, 3000)
    second.close()
    third.close()
    stream.sync()
    assert counting.bytes == 0
    print(f"at most {counting.most_bytes} bytes at a time on {device.name}")


if __name__ == "__main__":
    main()
