"""Devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._buffer import Buffer
from cuprum.core._device_properties import DeviceProperties as DeviceProperties
from cuprum.core._event import Event, EventOptions
from cuprum.core._members import DeviceMembers
from cuprum.core._options import as_options
from cuprum.core._stream import IsStreamType, Stream, StreamOptions, as_stream

if TYPE_CHECKING:
    from typing import Self


class ComputeCapability(NamedTuple):
    """A device's generation: ``major`` is 9 and ``minor`` 0 for an H200."""

    major: int
    minor: int


class MemoryInfo(NamedTuple):
    """A device's memory at one moment, in bytes: ``free`` can still be allocated, ``total`` is all there is."""

    free: int
    total: int


class Device(DeviceMembers):
    """One GPU, or the simulated device. ``Device(1)`` is always the same object.

    Without an ordinal: the device that this thread made current, else device 0. Work goes to the device's primary
    context. Nothing but ``set_current`` changes the caller's current context, and nothing here needs one.
    """

    __slots__ = ("__weakref__", "_default_stream", "_id", "_in_flight", "_properties")

    _instances: dict[int, Device] = {}

    _id: int
    _default_stream: Stream | None
    _properties: DeviceProperties
    #: Host memory of asynchronous copies whose streams were closed before they were done.
    _in_flight: list[memoryview]

    def __new__(cls, device_id: int | None = None) -> Self:
        """The device with that ordinal, or the current one. InvalidArgument when there is none."""
        if device_id is None:
            device_id = _current.device_id()
        known = Device._instances.get(device_id)
        if known is not None:
            return known  # type: ignore[return-value]
        if not isinstance(device_id, int):
            raise TypeError(f"device_id must be an int, not {type(device_id).__name__}")
        _cuprum.cuprum_device_is_simulator(device_id)  # InvalidArgument where there is no such device
        self = super().__new__(cls)
        self._id = device_id
        self._default_stream = None
        self._in_flight = []
        self._properties = DeviceProperties(device_id)
        return Device._instances.setdefault(device_id, self)  # type: ignore[return-value]

    @classmethod
    def get_all_devices(cls) -> tuple[Device, ...]:
        """All devices, in the order of their ordinals."""
        return tuple(cls(i) for i in range(_cuprum.cuprum_device_count()))

    @property
    def device_id(self) -> int:
        """The ordinal, counted from 0."""
        return self._id

    @property
    def compute_capability(self) -> ComputeCapability:
        """The generation, ``(9, 0)``."""
        properties = self._properties
        return ComputeCapability(properties.compute_capability_major, properties.compute_capability_minor)

    @property
    def properties(self) -> DeviceProperties:
        """Limits, sizes and abilities."""
        return self._properties

    @property
    def total_memory(self) -> int:
        """Bytes."""
        return self.memory_info.total

    @property
    def free_memory(self) -> int:
        """Bytes, now."""
        return self.memory_info.free

    @property
    def memory_info(self) -> MemoryInfo:
        """Free and total memory, in bytes, both of this moment."""
        return MemoryInfo(*_cuprum.cuprum_device_memory_info(self._id))

    @property
    def default_stream(self) -> Stream:
        """The legacy default stream of the device."""
        if self._default_stream is None:
            self._default_stream = Stream._wrap(_cuprum.cuprum_stream_default(self._id))
        return self._default_stream

    def set_current(self) -> None:
        """Makes the device current on this thread: for ``Device()``, and its primary context for other CUDA code."""
        _cuprum.cuprum_device_set_current(self._id)
        _current.set_device_id(self._id)

    use = set_current

    def sync(self) -> None:
        """Waits for all work of the device. DeviceFault when a kernel failed."""
        # Taken before the wait: what another thread adds during it is not covered.
        passed, self._in_flight = self._in_flight, []
        try:
            _cuprum.sync_device(self._id)
        except BaseException:
            self._keep_until_sync(passed)
            raise

    synchronize = sync

    def _keep_until_sync(self, memory: list[memoryview]) -> None:
        """Keeps host memory alive until the device is known to have passed the copies that use it."""
        self._in_flight.extend(memory)

    def create_stream(
        self,
        obj: IsStreamType | StreamOptions | Mapping[str, Any] | None = None,
        options: StreamOptions | Mapping[str, Any] | None = None,
    ) -> Stream:
        """Makes a stream, or borrows that of an object with ``__cuda_stream__``."""
        if isinstance(obj, StreamOptions | Mapping):  # the options alone, by position
            obj, options = None, obj
        if obj is not None:
            if options is not None:
                raise ValueError("options are for a new stream: leave obj out, or leave options out")
            return as_stream(obj)
        options = as_options(StreamOptions, options)
        priority = 0 if options.priority is None else options.priority
        return Stream._wrap(_cuprum.cuprum_stream_create(self._id, int(not options.nonblocking), priority))

    def create_event(self, options: EventOptions | Mapping[str, Any] | None = None) -> Event:
        """Makes an event, which ``Stream.record`` then puts into a stream."""
        return Event._create(self._id, as_options(EventOptions, options))

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """Device memory, ``size`` bytes. In a stream: usable there at once, and freed in its order.

        Without one: usable everywhere when this returns, and freed after the work that uses it.
        """
        return Buffer._allocate(self._id, size, stream)

    mem_alloc = allocate

    def __int__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        return self._id == other._id if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash((Device, self._id))

    def __reduce__(self) -> tuple[type[Device], tuple[int]]:
        return Device, (self._id,)

    def __repr__(self) -> str:
        return f"<Device {self._id} ({self.name})>"
