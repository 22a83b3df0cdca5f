"""Events: points in a stream to wait for and to measure between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._members import EventMembers

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from cuprum.core._context import Context


@dataclass
class EventOptions:
    """Options for a new event.

    - ``timing_enabled``: time can be measured from and to it; costs a little when it is recorded.
    - ``blocking_sync``: ``sync()`` sleeps instead of spinning.
    - ``ipc_enabled``: can be shared with other processes, and cannot measure time.
    """

    timing_enabled: bool = False
    blocking_sync: bool = False
    ipc_enabled: bool = False


#: Its fields are the class's own defaults: the class need not be made for it (_lazy_dataclass).
_DEFAULT_OPTIONS = object.__new__(EventOptions)


class IPCEventDescriptor:
    """An event for another process: picklable, from ``Event.ipc_descriptor``, for ``Event.from_ipc_descriptor``."""

    __slots__ = ("_is_blocking_sync", "_reserved")

    _reserved: bytes
    _is_blocking_sync: bool

    def __init__(self) -> None:
        """Raises TypeError: an event has one, Event.ipc_descriptor."""
        raise TypeError("an event that is made with ipc_enabled has one: Event.ipc_descriptor")

    @classmethod
    def _init(cls, reserved: bytes, is_blocking_sync: bool) -> IPCEventDescriptor:
        descriptor = cls.__new__(cls)
        descriptor._reserved = reserved
        descriptor._is_blocking_sync = is_blocking_sync
        return descriptor

    def __reduce__(self) -> tuple[Any, ...]:
        return IPCEventDescriptor._init, (self._reserved, self._is_blocking_sync)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IPCEventDescriptor):
            return NotImplemented
        return (self._reserved, self._is_blocking_sync) == (other._reserved, other._is_blocking_sync)

    def __hash__(self) -> int:
        return hash((IPCEventDescriptor, self._reserved, self._is_blocking_sync))


class Event(EventMembers, _cuprum.EventHandle):
    """A point in a stream's work. Made by ``Device.create_event`` and ``Stream.record``.

    ``end - start`` is the time between two events in milliseconds; both need ``timing_enabled`` and must have happened.
    """

    __slots__ = ("_options",)
    # EventHandle has handle, is_done, sync and close, in C (event_handle.hpp).

    #: Unset where they are the default ones.
    _options: EventOptions

    def __init__(self) -> None:
        """Raises TypeError: events come from ``Device.create_event`` and ``Stream.record``."""
        raise TypeError("make events with Device.create_event() or Stream.record()")

    def _chosen(self) -> EventOptions:
        try:
            return self._options
        except AttributeError:
            return _DEFAULT_OPTIONS

    @classmethod
    def _create(cls, device_id: int, options: EventOptions) -> Event:
        event = cls.__new__(cls)
        event._native = _cuprum.cuprum_event_create(
            device_id, int(options.timing_enabled), int(options.blocking_sync), int(options.ipc_enabled)
        )
        event._options = options
        return event

    @property
    def context(self) -> Context:
        """The context that it was made in: its device's primary context."""
        return self.device.context

    @property
    def is_timing_enabled(self) -> bool:
        """Time can be measured from and to it."""
        return self._chosen().timing_enabled

    @property
    def is_blocking_sync(self) -> bool:
        """``sync()`` sleeps instead of spinning."""
        return self._chosen().blocking_sync

    @property
    def is_ipc_enabled(self) -> bool:
        """Can be shared with other processes."""
        return self._chosen().ipc_enabled

    @property
    def ipc_descriptor(self) -> IPCEventDescriptor:
        """What another process opens the event with; picklable, as the event itself then is."""
        reserved = _cuprum.cuprum_event_ipc_handle(self._open_native(_operations.EVENT_IPC_HANDLE))
        return IPCEventDescriptor._init(reserved, bool(self._chosen().blocking_sync))

    @classmethod
    def from_ipc_descriptor(cls, ipc_descriptor: IPCEventDescriptor) -> Event:
        """Opens the event that another process shares, for the current device.

        It goes on when its maker has closed it. A process cannot open an event of its own.
        """
        if not isinstance(ipc_descriptor, IPCEventDescriptor):
            raise TypeError(f"ipc_descriptor must be an IPCEventDescriptor, not {type(ipc_descriptor).__name__}")
        is_blocking_sync = ipc_descriptor._is_blocking_sync
        event = cls.__new__(cls)
        event._native = _cuprum.cuprum_event_from_ipc_handle(
            _current.device_id(), ipc_descriptor._reserved, int(is_blocking_sync)
        )
        event._options = EventOptions(blocking_sync=is_blocking_sync, ipc_enabled=True)
        return event

    def __reduce__(self) -> Any:
        if self.is_closed or not self.is_ipc_enabled:
            return super().__reduce__()
        return Event.from_ipc_descriptor, (self.ipc_descriptor,)

    def __sub__(self, start: Event) -> float:
        if not isinstance(start, Event):
            return NotImplemented
        return _cuprum.cuprum_event_elapsed_time(
            start._open_native(_operations.EVENT_ELAPSED_TIME), self._open_native(_operations.EVENT_ELAPSED_TIME)
        )

    def __repr__(self) -> str:
        return "<Event closed>" if self.is_closed else f"<Event {self.handle:#x}>"
