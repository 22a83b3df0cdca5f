"""Streams: queues of work on a device."""

from __future__ import annotations

import _thread
import enum
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from cuprum import _operations
from cuprum._errors import Error
from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._event import Event, EventOptions
from cuprum.core._members import StreamMembers
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from cuprum._typing import HostMemory
    from cuprum.core._buffer import Buffer
    from cuprum.core._context import Context, DeviceResources
    from cuprum.core._graph_builder import GraphBuilder


@dataclass
class StreamOptions:
    """Options for a new stream.

    - ``nonblocking``: does not wait for the legacy default stream, nor that for it.
    - ``priority``: lower numbers go first; None is the driver's default, 0.
    """

    nonblocking: bool = True
    priority: int | None = None


#: Held while a stream gets its list of copies, which most never have.
_making_the_list = _thread.allocate_lock()


class WaitCondition(enum.StrEnum):
    """How a stream compares a word of memory with the value that it waits for."""

    #: ``word - value``, taken as a signed number, is not negative: a counter may wrap around.
    GREATER_OR_EQUAL = "greater_or_equal"
    EQUAL = "equal"
    #: ``word & value`` is not 0.
    BITWISE_AND = "bitwise_and"
    #: ``~(word | value)`` is not 0.
    BITWISE_NOR = "bitwise_nor"


#: CUPRUM_WAIT_*, which have the enumeration's order.
_CONDITION_NUMBERS = {condition: number for number, condition in enumerate(WaitCondition)}


@runtime_checkable
class IsStreamType(Protocol):
    """Anything that can lend a stream: ``(version, address)`` with version 0."""

    def __cuda_stream__(self) -> tuple[int, int]: ...


class Stream(StreamMembers, _cuprum.StreamHandle):
    """A queue of work on a device. Made by ``Device.create_stream``; ``Stream.from_handle`` borrows one."""

    __slots__ = ("_in_flight", "_lender")
    # StreamHandle has handle, is_nonblocking, priority, is_done, sync, record, wait and close, in C
    # (stream_handle.hpp). It leaves the unusual cases to _is_done, _sync, _record, _wait and _close.

    #: Host memory of asynchronous copies, held until the stream is known to have passed them; unset before the first.
    _in_flight: list[memoryview]
    #: The object that this stream was borrowed from, kept alive; unset where there is none.
    _lender: object

    def __init__(self) -> None:
        """Raises TypeError: streams come from ``Device.create_stream`` and ``Stream.from_handle``."""
        raise TypeError("make streams with Device.create_stream(), or borrow one with Stream.from_handle()")

    @classmethod
    def _wrap(cls, native: int, lender: object = None) -> Stream:
        stream = cls.__new__(cls)
        stream._native = native
        if lender is not None:
            stream._lender = lender
        return stream

    @classmethod
    def from_handle(cls, handle: int) -> Stream:
        """Borrows a ``CUstream`` of the current device; the caller keeps it alive."""
        return cls._wrap(_cuprum.cuprum_stream_from_native(_current.device_id(), handle))

    @property
    def context(self) -> Context:
        """The context that its work runs in: a default stream's is the current device's primary context."""
        from cuprum.core._context import Context

        return Context._wrap(_cuprum.cuprum_context_of_stream(self._open_native(_operations.CONTEXT_OF_STREAM)))

    @property
    def resources(self) -> DeviceResources:
        """What its work may use: that of a green context's streams is a part of the device."""
        return self.context.resources

    def create_graph_builder(self) -> GraphBuilder:
        """A builder that captures what is put into this stream; the legacy default stream cannot be captured."""
        from cuprum.core._graph_builder import GraphBuilder

        return GraphBuilder._create(self)

    def _is_done(self) -> bool:
        native = self._open_native(_operations.STREAM_IS_DONE)
        passed = self._take_in_flight()
        done = False
        try:
            done = bool(_cuprum.cuprum_stream_is_done(native))
        finally:
            if not done:
                self._put_back(passed)
        return done

    def _sync(self) -> None:
        passed = self._take_in_flight()
        try:
            self._wait_for_work()
        except BaseException:
            self._put_back(passed)
            raise

    def _record(self, event: Event | None = None, options: EventOptions | Mapping[str, Any] | None = None) -> Event:
        if event is None:
            device_id = _cuprum.cuprum_stream_device(self._open_native(_operations.STREAM_RECORD))
            event = Event._create(device_id, as_options(EventOptions, options))
        elif not isinstance(event, Event):
            raise TypeError(f"event must be an Event, not {type(event).__name__}")
        elif options is not None:
            raise ValueError("options are for a new event: leave event out, or leave options out")
        return self.record(event)

    _record.__qualname__ = "Stream.record"

    def _wait(self, event_or_stream: Event | Stream | IsStreamType) -> None:
        if isinstance(event_or_stream, Event):
            self.wait(event_or_stream)
        else:
            native = self._open_native(_operations.STREAM_WAIT_STREAM)
            other = as_stream(event_or_stream)  # alive during the call, also where it only borrows
            _cuprum.cuprum_stream_wait_stream(native, other._open_native(_operations.STREAM_WAIT_STREAM))

    _wait.__qualname__ = "Stream.wait"

    def wait_value32(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str = WaitCondition.GREATER_OR_EQUAL,
        *,
        flush: bool = False,
    ) -> None:
        """Later work waits until the 4 bytes at byte ``offset`` of the buffer fulfil the condition.

        Whoever writes them: the CPU, a kernel, another stream or another device. With ``flush`` what other devices have
        written before is then visible, too, where the device can do that. The buffer must live until then.
        """
        operation = _operations.STREAM_WAIT_VALUE32
        _cuprum.cuprum_stream_wait_value32(
            self._open_native(operation),
            native_word(buffer, operation),
            offset,
            value,
            _CONDITION_NUMBERS[WaitCondition(condition)],
            int(flush),
        )

    def wait_value64(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str = WaitCondition.GREATER_OR_EQUAL,
        *,
        flush: bool = False,
    ) -> None:
        """``wait_value32`` with 8 bytes."""
        operation = _operations.STREAM_WAIT_VALUE64
        _cuprum.cuprum_stream_wait_value64(
            self._open_native(operation),
            native_word(buffer, operation),
            offset,
            value,
            _CONDITION_NUMBERS[WaitCondition(condition)],
            int(flush),
        )

    def write_value32(self, buffer: Buffer, offset: int, value: int) -> None:
        """Writes the 4 bytes at byte ``offset`` of the buffer after all work so far.

        The memory that this work wrote has become visible before they do.
        """
        operation = _operations.STREAM_WRITE_VALUE32
        _cuprum.cuprum_stream_write_value32(self._open_native(operation), native_word(buffer, operation), offset, value)

    def write_value64(self, buffer: Buffer, offset: int, value: int) -> None:
        """``write_value32`` with 8 bytes."""
        operation = _operations.STREAM_WRITE_VALUE64
        _cuprum.cuprum_stream_write_value64(self._open_native(operation), native_word(buffer, operation), offset, value)

    def _close(self) -> None:
        if self._held() and self._native:
            self._leave_in_flight()
        self._has_copies = False
        self.close()

    def _take_in_flight(self) -> list[memoryview]:
        """The memory of all copies so far; what another thread adds after this is in a new list."""
        self._has_copies = False
        passed, self._in_flight = self._held(), []
        return passed

    def _held(self) -> list[memoryview]:
        try:
            return self._in_flight
        except AttributeError:
            with _making_the_list:  # two threads may copy in a new stream
                if not hasattr(self, "_in_flight"):
                    self._in_flight = []
            return self._in_flight

    def _leave_in_flight(self) -> None:
        """Gives the memory of copies that are still under way to the device, which outlives the stream."""
        try:
            is_done = self.is_done
        except Error:
            is_done = False
        try:
            if not is_done:
                self.device._keep_until_sync(self._take_in_flight())
        except Error:
            pass  # the stream belongs to the process that this one was forked from: its copies use that one's memory

    def _put_back(self, memory: list[memoryview]) -> None:
        self._held().extend(memory)
        self._has_copies = True

    def _hold(self, memory: HostMemory) -> None:
        """Keeps host memory alive until the stream has passed the copy that uses it."""
        # A memoryview holds more than a reference would: it keeps a bytearray from moving its memory.
        held = self._held()
        held.append(memoryview(cast("memoryview", memory)))
        self._has_copies = True
        # Ask the driver only when the list has doubled since it was last found busy: once per copy would cost more.
        if len(held) & (len(held) - 1) == 0 and len(held) >= 16:
            self.is_done  # noqa: B018 - clears the list when it is

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stream):
            return NotImplemented
        if self.is_closed or other.is_closed:
            return self is other
        return (self.device.device_id, self.handle) == (other.device.device_id, other.handle)

    def __hash__(self) -> int:
        return id(self) if self.is_closed else hash((self.device.device_id, self.handle))

    def __repr__(self) -> str:
        return "<Stream closed>" if self.is_closed else f"<Stream {self.handle:#x} of {self.device!r}>"


class _DefaultStream(Stream):
    """A default stream of whatever device is current when it is used."""

    __slots__ = ("_name",)

    _name: str

    @classmethod
    def _make(cls, handle: int, name: str) -> Stream:
        stream = cls.__new__(cls)
        stream._default_stream = handle
        stream._name = name
        return stream

    @property
    def is_closed(self) -> bool:
        return False

    def close(self) -> None:
        """Does nothing: a default stream always exists."""

    def __repr__(self) -> str:
        return self._name


LEGACY_DEFAULT_STREAM: Stream = _DefaultStream._make(1, "LEGACY_DEFAULT_STREAM")  # CU_STREAM_LEGACY
PER_THREAD_DEFAULT_STREAM: Stream = _DefaultStream._make(2, "PER_THREAD_DEFAULT_STREAM")  # CU_STREAM_PER_THREAD


def native_word(buffer: Buffer, operation: str) -> int:
    """The handle of a buffer that a word is in."""
    if not isinstance(buffer, _cuprum.BufferHandle):
        raise TypeError(f"buffer must be a Buffer, not {type(buffer).__name__}; Buffer.from_handle() borrows memory")
    return buffer._open_native(operation)


def as_stream(stream: Stream | IsStreamType) -> Stream:
    """A Stream for anything that lends one through ``__cuda_stream__``; integers and None do not convert."""
    if isinstance(stream, Stream):
        return stream
    lend = getattr(stream, "__cuda_stream__", None)
    if lend is None:
        raise TypeError(
            f"stream must be a Stream or have __cuda_stream__(), not {type(stream).__name__}; "
            "Device.default_stream is the default stream, and Stream.from_handle() borrows a CUstream"
        )
    version, handle = lend()
    if version != 0:
        raise ValueError(
            f"{type(stream).__name__}.__cuda_stream__() speaks version {version} of the protocol; only 0 is known"
        )
    return Stream._wrap(_cuprum.cuprum_stream_from_native(_current.device_id(), handle), lender=stream)


def native_stream(stream: Stream | IsStreamType | None, operation: str) -> tuple[int, Stream | None]:
    """The handle of an optional stream, 0 for none, and the Stream that keeps it alive."""
    if stream is None:
        return 0, None
    stream = as_stream(stream)
    return stream._open_native(operation), stream
