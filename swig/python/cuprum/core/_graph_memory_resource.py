"""Memory that graphs allocate and free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._memory_resource import NativeMemoryResource

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._stream import IsStreamType, Stream


class _Attribute:
    """One of the driver's attributes of graph memory (CUgraphMem_attribute)."""

    def __init__(self, number: int, doc: str, settable: bool = False) -> None:
        self._number, self._settable = number, settable
        self.__doc__ = doc

    def __get__(self, attributes: GraphMemoryResourceAttributes | None, owner: object = None) -> Any:
        if attributes is None:
            return self
        native = attributes._resource._open_native(_operations.MEMORY_RESOURCE_GRAPH_ATTRIBUTE)
        return _cuprum.cuprum_memory_resource_graph_attribute(native, self._number)

    def __set__(self, attributes: GraphMemoryResourceAttributes, value: int) -> None:
        if not self._settable:
            raise AttributeError("what graphs hold at present is counted by the driver, and cannot be set")
        if value != 0:
            raise AttributeError(f"it can be set to 0, which makes it the current value, not to {value}")
        native = attributes._resource._open_native(_operations.MEMORY_RESOURCE_SET_GRAPH_ATTRIBUTE)
        _cuprum.cuprum_memory_resource_set_graph_attribute(native, self._number, value)


class GraphMemoryResourceAttributes:
    """What a device holds for its graphs, in bytes. Each is read from the driver every time."""

    __slots__ = ("_resource",)

    used_mem_current = _Attribute(0, "In graphs that run.")
    used_mem_high = _Attribute(1, "The most that has been in graphs. Can be set to 0: the current value.", True)
    reserved_mem_current = _Attribute(2, "Held for graphs, used or not.")
    reserved_mem_high = _Attribute(3, "The most that has been held. Can be set to 0: the current value.", True)

    def __init__(self, resource: GraphMemoryResource) -> None:
        """Made by ``attributes`` of a resource."""
        self._resource = resource

    def __repr__(self) -> str:
        names = [name for name, each in vars(type(self)).items() if isinstance(each, _Attribute)]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


class GraphMemoryResource(NativeMemoryResource):
    """Allocates while a stream's work is captured into a graph, which allocates the memory when it is launched.

    The buffer's address is the same in every launch. A buffer that is closed during the capture is freed by the graph,
    after the work so far in its stream; one that is closed later frees what a launch has allocated, so that the graph
    can be launched again. Resources of the same device are equal, and share what it holds for graphs.
    """

    __slots__ = ()

    def __init__(self, device_id: Device | int) -> None:
        """Unsupported when the device has no memory pools."""
        self._native = _cuprum.cuprum_memory_resource_create_graph(int(device_id))

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """``size`` bytes, which can be used in the graph; 0 gives an empty buffer.

        InvalidState while the stream's work is not captured.
        """
        return Buffer._allocate_from(self, size, stream)

    @property
    def attributes(self) -> GraphMemoryResourceAttributes:
        """What the device holds for its graphs."""
        self._open_native(_operations.MEMORY_RESOURCE_GRAPH_ATTRIBUTE)
        return GraphMemoryResourceAttributes(self)

    def trim(self) -> None:
        """Returns memory that no graph uses to the system."""
        native = self._open_native(_operations.MEMORY_RESOURCE_TRIM_GRAPH_MEMORY)
        _cuprum.cuprum_memory_resource_trim_graph_memory(native)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, GraphMemoryResource):
            return NotImplemented
        return not self.is_closed and not other.is_closed and self.device_id == other.device_id

    def __hash__(self) -> int:
        return object.__hash__(self) if self.is_closed else hash((GraphMemoryResource, self.device_id))
