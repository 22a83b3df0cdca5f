"""What the resources over other libraries' pools have in common."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from cuprum.core import Buffer, Device, MemoryResource
from cuprum.core._stream import Stream, as_stream

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType


class PoolMemoryResource(MemoryResource):
    """Device memory of a pool that gives each stream memory of its own and takes it back in that stream's order."""

    def __init__(self, device: Device | int | None = None) -> None:
        """``device``: a Device or its ordinal; None is the current one."""
        super().__init__()
        self._device = device if isinstance(device, Device) else Device(device)
        #: By address: what the pool calls the memory, and the stream whose memory it is.
        self._taken: dict[int, tuple[Any, Stream]] = {}
        self._lock = threading.Lock()

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        """The address of memory in the order of the stream, and what ``_give_back`` is given for it."""
        raise NotImplementedError

    def _give_back(self, memory: Any) -> None:
        """Returns it to the pool; its stream has been made to wait for what still uses it."""
        raise NotImplementedError

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """``size`` bytes of the pool, which can be used in ``stream`` at once; without one, in the default stream."""
        if size < 0:
            raise ValueError(f"size is a number of bytes, not {size}")
        own = self._device.default_stream if stream is None else as_stream(stream)
        if own.device != self._device:
            raise ValueError(f"{type(self).__name__} allocates on {self._device}, and the stream is of {own.device}")
        if size == 0:
            return Buffer.from_handle(0, 0, mr=self, stream=own)
        address, memory = self._take(size, own)
        with self._lock:
            self._taken[address] = memory, own
        return Buffer.from_handle(address, size, mr=self, stream=own)

    def deallocate(self, ptr: int, size: int, *, stream: Stream | IsStreamType | None = None) -> None:
        """Returns memory to the pool, after the work so far in ``stream``, if one is given."""
        with self._lock:
            found = self._taken.pop(ptr, None)
        if found is None:
            raise ValueError(f"{type(self).__name__} has not allocated memory at {ptr:#x}, or it was freed before")
        memory, own = found
        if stream is not None and stream != own:
            own.wait(stream)
        self._give_back(memory)

    @property
    def is_device_accessible(self) -> bool:
        return True

    @property
    def is_host_accessible(self) -> bool:
        return False

    @property
    def device_id(self) -> int:
        return self._device.device_id
