"""Buffers of managed memory, which moves to where it is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import TYPE_CHECKING

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._host import NO_LOCATION, Host, location_numbers, location_of_numbers
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._stream import IsStreamType, Stream


class ManagedBuffer(Buffer):
    """Managed memory: the CPU and all devices can use it, and its pages move to where they are used.

    Made by ``ManagedMemoryResource.allocate``. Advice applies to all of its pages, until it is changed.
    """

    __slots__ = ()

    def prefetch(self, location: Device | Host, *, stream: Stream | IsStreamType) -> None:
        """Moves the pages, in the order of the stream."""
        operation = _operations.BUFFER_PREFETCH
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_buffer_prefetch(self._open_native(operation), *location_numbers(location), native_of_stream)

    def discard(self, *, stream: Stream | IsStreamType) -> None:
        """From here on in the stream the content is undefined until it is written. Unsupported before CUDA 13."""
        operation = _operations.BUFFER_DISCARD
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_buffer_discard(self._open_native(operation), native_of_stream)

    def discard_prefetch(self, location: Device | Host, *, stream: Stream | IsStreamType) -> None:
        """Discards the content and moves the pages without copying them. Unsupported before CUDA 13."""
        operation = _operations.BUFFER_DISCARD_PREFETCH
        native_of_stream, _ = native_stream(stream, operation)
        _cuprum.cuprum_buffer_discard_prefetch(
            self._open_native(operation), *location_numbers(location), native_of_stream
        )

    @property
    def read_mostly(self) -> bool:
        """Whether each reader gets a copy of the pages: reads are fast, writes are slow."""
        return bool(_cuprum.cuprum_buffer_read_mostly(self._open_native(_operations.BUFFER_READ_MOSTLY)))

    @read_mostly.setter
    def read_mostly(self, value: bool) -> None:
        native = self._open_native(_operations.BUFFER_SET_READ_MOSTLY)
        _cuprum.cuprum_buffer_set_read_mostly(native, int(value))

    @property
    def preferred_location(self) -> Device | Host | None:
        """Where pages stay, accessed remotely from elsewhere; None: they move to where they are used."""
        native = self._open_native(_operations.BUFFER_PREFERRED_LOCATION)
        return location_of_numbers(*_cuprum.cuprum_buffer_preferred_location(native))

    @preferred_location.setter
    def preferred_location(self, location: Device | Host | None) -> None:
        native = self._open_native(_operations.BUFFER_SET_PREFERRED_LOCATION)
        numbers = (NO_LOCATION, 0) if location is None else location_numbers(location)
        _cuprum.cuprum_buffer_set_preferred_location(native, *numbers)

    @property
    def accessed_by(self) -> MutableSet[Device | Host]:
        """The set of places that access the pages without moving them. Changing it changes the driver's advice."""
        self._open_native(_operations.BUFFER_ACCESSED_BY)
        return _AccessedBy(self)

    @accessed_by.setter
    def accessed_by(self, locations: Iterable[Device | Host]) -> None:
        wanted = set(locations)
        for location in wanted:
            location_numbers(location)  # TypeError before anything is changed
        found = self.accessed_by
        for location in set(found) - wanted:
            found.discard(location)
        for location in wanted:
            found.add(location)


class _AccessedBy(MutableSet["Device | Host"]):
    """Asks the driver each time."""

    __slots__ = ("_buffer",)

    def __init__(self, buffer: ManagedBuffer) -> None:
        """Keeps the buffer alive."""
        self._buffer = buffer

    @classmethod
    def _from_iterable(cls, locations: Iterable[Device | Host]) -> set[Device | Host]:  # type: ignore[override]
        return set(locations)

    def __contains__(self, location: object) -> bool:
        from cuprum.core._device import Device

        if not isinstance(location, Device | Host):
            return False
        native = self._buffer._open_native(_operations.BUFFER_ACCESSED_BY)
        return bool(_cuprum.cuprum_buffer_accessed_by(native, *location_numbers(location)))

    def __iter__(self) -> Iterator[Device | Host]:
        from cuprum.core._device import Device

        places: list[Device | Host] = [*Device.get_all_devices(), Host()]
        return iter([each for each in places if each in self])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, value: Device | Host) -> None:
        """Lets it access the pages without moving them."""
        self._set(value, True)

    def discard(self, value: Device | Host) -> None:
        """Withdraws that access."""
        self._set(value, False)

    def _set(self, location: Device | Host, accessed: bool) -> None:
        native = self._buffer._open_native(_operations.BUFFER_SET_ACCESSED_BY)
        _cuprum.cuprum_buffer_set_accessed_by(native, *location_numbers(location), int(accessed))

    def __repr__(self) -> str:
        return repr(set(self))
