"""What nodes of graphs are given, as the C ABI takes it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum
from cuprum.core._stream import WaitCondition

if TYPE_CHECKING:
    from cuprum.core._buffer import Buffer
    from cuprum.core._event import Event
    from cuprum.core._graph_definition import GraphDefinition

#: CUPRUM_GRAPH_WRITE_VALUE.
WRITE = -1

#: By CUPRUM_WAIT_*.
WAIT_CONDITIONS = list(WaitCondition)


class GraphCondition(int):
    """A number on the device that decides what a conditional node runs.

    Made by ``create_condition`` of a graph. Kernels of the graph set it (``cudaGraphSetConditional``), and get it as an
    argument: ``launch(..., condition)``. As an integer it is its own handle.
    """

    __slots__ = ()

    @property
    def handle(self) -> int:
        """The ``CUgraphConditionalHandle``, as an integer."""
        return int(self)

    def __repr__(self) -> str:
        return f"<GraphCondition {int(self):#x}>"


def address_and_owner(memory: Buffer | int, operation: str, owner: Any = None) -> tuple[int, int]:
    """The address, and the handle of the buffer that the graph keeps; 0 for none."""
    if isinstance(memory, _cuprum.BufferHandle):
        if owner is not None:
            raise ValueError("an owner is for an address; a Buffer owns its memory itself")
        return memory.handle, memory._open_native(operation)
    if owner is not None and not isinstance(owner, _cuprum.BufferHandle):
        raise TypeError(f"the owner of an address must be a Buffer, not {type(owner).__name__}")
    if not isinstance(memory, int):
        raise TypeError(f"memory of a node must be a Buffer or an address, not {type(memory).__name__}")
    return memory, 0


def fill_pattern(value: Any) -> tuple[int, int]:
    """A fill's value and its size: an int is one byte, bytes are 1, 2 or 4."""
    if isinstance(value, int):
        if not 0 <= value <= 255:
            raise ValueError(f"an int fills bytes and must be from 0 to 255, not {value}; bytes of 2 or 4 fill more")
        return value, 1
    if isinstance(value, str | float) or value is None:
        raise TypeError(f"value must be an int from 0 to 255, or 1, 2 or 4 bytes, not {type(value).__name__}")
    pattern = bytes(value)
    if len(pattern) not in (1, 2, 4):
        raise ValueError(f"value must have 1, 2 or 4 bytes, not {len(pattern)}")
    return int.from_bytes(pattern, "little"), len(pattern)


#: Events that nodes were given, by their ``CUevent``.
known_events: weakref.WeakValueDictionary[int, Event] = weakref.WeakValueDictionary()


def native_event(event: Event, operation: str) -> int:
    """The handle of an event."""
    if not isinstance(event, _cuprum.EventHandle):
        raise TypeError(f"event must be an Event, not {type(event).__name__}")
    native = event._open_native(operation)
    known_events[event.handle] = event
    return native


def native_definition(definition: GraphDefinition, operation: str) -> int:
    """The handle of a definition."""
    from cuprum.core._graph_definition import GraphDefinition

    if not isinstance(definition, GraphDefinition):
        raise TypeError(f"child must be a GraphDefinition, not {type(definition).__name__}")
    return definition._open_native(operation)


def condition_number(condition: WaitCondition | str | None) -> int:
    """CUPRUM_WAIT_*, or CUPRUM_GRAPH_WRITE_VALUE for none."""
    return WRITE if condition is None else WAIT_CONDITIONS.index(WaitCondition(condition))


def native_condition(condition: GraphCondition) -> int:
    """The number of a condition."""
    if not isinstance(condition, GraphCondition):
        raise TypeError(f"condition must be a GraphCondition, not {type(condition).__name__}")
    return condition.handle
