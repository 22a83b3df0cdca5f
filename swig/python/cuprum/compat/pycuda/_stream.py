"""Streams and events."""

from __future__ import annotations

from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import Context, current_context, release_in
from cuprum.compat.pycuda._errors import check, value_of
from cuprum.compat.pycuda._memory import stream_handle
from cuprum.compat.pycuda._native import EventBase, StreamBase


class _OfContext:
    """An object of the driver's that is destroyed in its context."""

    __slots__ = ()

    #: The driver's handle; 0 once it is destroyed.
    handle: int
    _context: Context
    _destroy_function: str

    def _give_back(self) -> None:
        handle, self.handle = self.handle, 0  # type: ignore[misc]  # of the derived classes' base in C++
        release_in(self._context, getattr(_driver, self._destroy_function), self._destroy_function, handle)

    def __del__(self) -> None:
        if self.handle:
            try:
                self._give_back()
            except Exception:  # the driver or the context is gone
                return


class Stream(StreamBase, _OfContext):
    """A queue of work. ``flags`` are ``driver.stream_flags``; lower numbers of ``priority`` go first."""

    __slots__ = ("__weakref__",)
    _destroy_function = "cuStreamDestroy"

    def __init__(self, flags: int = 0, priority: int = 0) -> None:
        """Makes one in the current context."""
        self._context = current_context("Stream")
        if priority:
            made = _driver.cuStreamCreateWithPriority(int(flags), priority)
        else:
            made = _driver.cuStreamCreate(int(flags))
        self.handle = int(value_of(made, "cuStreamCreate"))

    def _wait_for_event(self, evt: Event) -> None:
        check(_driver.cuStreamWaitEvent(self.handle, evt.handle, 0), "cuStreamWaitEvent")

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def __eq__(self, other: object) -> bool:
        return self.handle == other.handle if isinstance(other, Stream) else NotImplemented

    def __hash__(self) -> int:
        return hash((Stream, self.handle))

    def __repr__(self) -> str:
        return f"<Stream {self.handle:#x}>"


class Event(EventBase, _OfContext):
    """A point in a stream's work. ``flags`` are ``driver.event_flags``."""

    __slots__ = ("__weakref__",)
    _destroy_function = "cuEventDestroy"

    def __init__(self, flags: int = 0) -> None:
        """Makes one in the current context."""
        self._context = current_context("Event")
        self.handle = int(value_of(_driver.cuEventCreate(int(flags)), "cuEventCreate"))

    def _record(self, stream: Any = None) -> Event:
        check(_driver.cuEventRecord(self.handle, stream_handle(stream)), "cuEventRecord")
        return self

    def time_since(self, event: Event) -> float:
        """Milliseconds since ``event``; both are done."""
        return float(value_of(_driver.cuEventElapsedTime(event.handle, self.handle), "cuEventElapsedTime"))

    def time_till(self, event: Event) -> float:
        """Milliseconds until ``event``; both are done."""
        return event.time_since(self)

    def ipc_handle(self) -> bytearray:
        """What ``Event.from_ipc_handle`` of another process takes. Its flags are INTERPROCESS | DISABLE_TIMING."""
        from cuprum.compat.pycuda._ipc import handle_of_event

        return handle_of_event(self.handle)

    @classmethod
    def from_ipc_handle(cls, handle: Any) -> Event:
        """The event of another process."""
        from cuprum.compat.pycuda._ipc import open_event

        event = cls.__new__(cls)
        event._context = current_context("Event.from_ipc_handle")
        event.handle = open_event(handle)
        return event

    def __repr__(self) -> str:
        return f"<Event {self.handle:#x}>"
