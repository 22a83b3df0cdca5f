"""Events: points in a stream to wait for and to measure between."""

from __future__ import annotations

from dataclasses import dataclass

from cuprum import _operations
from cuprum._errors import Unsupported
from cuprum._native import _cuprum
from cuprum.core._members import EventMembers


@dataclass
class EventOptions:
    """How an event is made.

    - ``timing_enabled``: time can be measured from and to it; costs a little when it is recorded.
    - ``blocking_sync``: ``sync()`` sleeps instead of spinning.
    - ``ipc_enabled``: can be shared with other processes; not supported yet.
    """

    timing_enabled: bool = False
    blocking_sync: bool = False
    ipc_enabled: bool = False


class Event(EventMembers, _cuprum.EventHandle):
    """A point in a stream's work. Made by ``Device.create_event`` and ``Stream.record``.

    ``end - start`` is the time between two events in milliseconds; both need ``timing_enabled`` and must have happened.
    """

    __slots__ = ("_options",)
    _destroy = staticmethod(_cuprum.destroy_event)
    # EventHandle has handle, is_done and sync, in C (event_handle.hpp).

    _options: EventOptions

    def __init__(self) -> None:
        """Raises TypeError: events come from ``Device.create_event`` and ``Stream.record``."""
        raise TypeError("make events with Device.create_event() or Stream.record()")

    @classmethod
    def _create(cls, device_id: int, options: EventOptions) -> Event:
        if options.ipc_enabled:
            raise Unsupported("events cannot be shared between processes yet: EventOptions.ipc_enabled must be False")
        event = cls.__new__(cls)
        event._native = _cuprum.cuprum_event_create(device_id, int(options.timing_enabled), int(options.blocking_sync))
        event._options = options
        return event

    @property
    def is_timing_enabled(self) -> bool:
        """Time can be measured from and to it."""
        return self._options.timing_enabled

    @property
    def is_blocking_sync(self) -> bool:
        """``sync()`` sleeps instead of spinning."""
        return self._options.blocking_sync

    @property
    def is_ipc_enabled(self) -> bool:
        """Can be shared with other processes: False, not supported yet."""
        return self._options.ipc_enabled

    def __sub__(self, start: Event) -> float:
        if not isinstance(start, Event):
            return NotImplemented
        return _cuprum.cuprum_event_elapsed_time(
            start._open_native(_operations.EVENT_ELAPSED_TIME), self._open_native(_operations.EVENT_ELAPSED_TIME)
        )

    def __repr__(self) -> str:
        return "<Event closed>" if self.is_closed else f"<Event {self.handle:#x}>"
