"""Graphs that can be launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._graph_arguments import (
    address_and_owner,
    condition_number,
    fill_pattern,
    native_definition,
    native_event,
)
from cuprum.core._graph_builder import GraphBuilder
from cuprum.core._graph_definition import GraphDefinition
from cuprum.core._graph_functions import as_function
from cuprum.core._graph_node import (
    ChildGraphNode,
    EventRecordNode,
    EventWaitNode,
    GraphNode,
    HostCallbackNode,
    KernelNode,
    MemcpyNode,
    MemoryOperationNode,
    MemsetNode,
)
from cuprum.core._members import GraphMembers
from cuprum.core._stream import WaitCondition, as_stream, native_word

if TYPE_CHECKING:
    from cuprum.core._buffer import Buffer
    from cuprum.core._event import Event
    from cuprum.core._launch import LaunchConfig
    from cuprum.core._module import Kernel
    from cuprum.core._stream import IsStreamType, Stream


class Graph(GraphMembers, _cuprum.GraphHandle):
    """A graph that can be launched, as often as one likes.

    Made by ``complete`` of a GraphBuilder and ``instantiate`` of a GraphDefinition. It keeps what its nodes use until
    it is closed and its launches have ended. One launch of it runs at a time, in the order of the calls. Launches and
    updates of one graph must not be under way in several threads at once.
    """

    __slots__ = ()
    # GraphHandle has launch, in C (graph_handle.hpp).
    _destroy = staticmethod(_cuprum.release_graph)

    def __init__(self) -> None:
        """Raises TypeError: graphs come from ``GraphBuilder.complete`` and ``GraphDefinition.instantiate``."""
        raise TypeError("make graphs with GraphBuilder.complete() or GraphDefinition.instantiate()")

    @classmethod
    def _wrap(cls, native: int) -> Graph:
        graph = cls.__new__(cls)
        graph._native = native
        return graph

    def _launch(self, stream: Stream | GraphBuilder | IsStreamType) -> None:
        self.launch(stream)

    _launch.__qualname__ = "Graph.launch"

    def upload(self, stream: Stream | GraphBuilder | IsStreamType) -> None:
        """Takes it to the device ahead of its first launch, in the stream's order."""
        native = self._open_native(_operations.GRAPH_UPLOAD)
        borrowed = as_stream(stream)
        _cuprum.cuprum_graph_upload(native, borrowed._open_native(_operations.GRAPH_UPLOAD))

    def update(self, source: GraphBuilder | GraphDefinition) -> None:
        """Takes the parameters of all nodes from another graph with the same nodes and edges, for later launches.

        CUDAError, which says what differs and in which node, when it is another one; then the graph is as it was.
        """
        native = self._open_native(_operations.GRAPH_UPDATE)
        if isinstance(source, GraphBuilder):
            source = source.graph_definition
        if not isinstance(source, GraphDefinition):
            raise TypeError(f"source must be a GraphBuilder or a GraphDefinition, not {type(source).__name__}")
        _cuprum.cuprum_graph_update(native, source._open_native(_operations.GRAPH_UPDATE))

    def __getitem__(self, node: GraphNode) -> Any:
        """The node as it is in this graph: ``update()`` gives it other parameters, for later launches."""
        if not isinstance(node, GraphNode):
            raise TypeError(f"a graph is indexed by its definition's nodes, not by {type(node).__name__}")
        for kind, view in _VIEWS.items():
            if isinstance(node, kind):
                return view._of(self, node)
        raise TypeError(f"a {type(node).__name__} cannot be changed in a graph that was instantiated")

    def __repr__(self) -> str:
        return "<Graph closed>" if self.is_closed else f"<Graph {self.handle:#x} of {self.device!r}>"


class ExecutableGraphNode:
    """A node of a graph that can be launched: ``graph[node]``."""

    __slots__ = ("_graph", "_node")

    _graph: Graph
    _node: GraphNode

    def __init__(self) -> None:
        """Raises TypeError: ``graph[node]`` makes it."""
        raise TypeError("index a Graph with a node of its definition")

    @classmethod
    def _of(cls, graph: Graph, node: GraphNode) -> ExecutableGraphNode:
        view = cls.__new__(cls)
        view._graph, view._node = graph, node
        return view

    def _natives(self, operation: str) -> tuple[int, int, int]:
        return self._graph._open_native(operation), self._node._definition._open_native(operation), self._node._id

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._node!r} of {self._graph!r}>"


class _CanBeDisabled(ExecutableGraphNode):
    __slots__ = ()

    @property
    def is_enabled(self) -> bool:
        """Whether it runs."""
        return bool(_cuprum.cuprum_graph_is_node_enabled(*self._natives(_operations.GRAPH_IS_NODE_ENABLED)))

    def enable(self) -> None:
        """It runs in later launches."""
        _cuprum.cuprum_graph_set_node_enabled(*self._natives(_operations.GRAPH_SET_NODE_ENABLED), 1)

    def disable(self) -> None:
        """Later launches leave it out."""
        _cuprum.cuprum_graph_set_node_enabled(*self._natives(_operations.GRAPH_SET_NODE_ENABLED), 0)


class ExecutableKernelNode(_CanBeDisabled):
    """A kernel node of a graph that can be launched."""

    __slots__ = ()

    def update(self, *, config: LaunchConfig, kernel: Kernel, args: Sequence[object]) -> None:
        """Another launch, for later launches of the graph; ``args`` are all arguments of the kernel."""
        _cuprum.graph_update_kernel(*self._natives(_operations.GRAPH_UPDATE_KERNEL), config, kernel, *args)


class ExecutableMemcpyNode(_CanBeDisabled):
    """A memcpy node of a graph that can be launched."""

    __slots__ = ()

    def update(self, *, dst: Buffer | int, src: Buffer | int, size: int) -> None:
        """Another copy, for later launches of the graph."""
        operation = _operations.GRAPH_UPDATE_MEMCPY
        (to, to_owner), (source, source_owner) = address_and_owner(dst, operation), address_and_owner(src, operation)
        _cuprum.cuprum_graph_update_memcpy(*self._natives(operation), to, source, size, to_owner, source_owner)


class ExecutableMemsetNode(_CanBeDisabled):
    """A memset node of a graph that can be launched."""

    __slots__ = ()

    def update(self, *, dst: Buffer | int, value: Any, width: int, height: int = 1, pitch: int = 0) -> None:
        """Another fill, for later launches of the graph."""
        operation = _operations.GRAPH_UPDATE_MEMSET
        address, owner = address_and_owner(dst, operation)
        pattern, size = fill_pattern(value)
        _cuprum.cuprum_graph_update_memset(
            *self._natives(operation), address, pattern, size, width, height, pitch, owner
        )


class ExecutableChildGraphNode(ExecutableGraphNode):
    """A child graph node of a graph that can be launched."""

    __slots__ = ()

    def update(self, child: GraphDefinition) -> None:
        """Another graph with the same nodes and edges, for later launches."""
        operation = _operations.GRAPH_UPDATE_CHILD_GRAPH
        _cuprum.cuprum_graph_update_child_graph(*self._natives(operation), native_definition(child, operation))


class ExecutableMemoryOperationNode(ExecutableGraphNode):
    """A memory operation node of a graph that can be launched."""

    __slots__ = ()

    def update(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str | None = None,
        *,
        flush: bool = False,
    ) -> None:
        """Another word of the same size, for later launches.

        A node that waits needs a condition, one that writes has none.
        """
        operation = _operations.GRAPH_UPDATE_MEMORY_OPERATION
        assert isinstance(self._node, MemoryOperationNode)
        _cuprum.cuprum_graph_update_memory_operation(
            *self._natives(operation),
            native_word(buffer, operation),
            offset,
            value,
            self._node.word_size,
            condition_number(condition),
            int(flush),
        )


class _ExecutableEventNode(ExecutableGraphNode):
    __slots__ = ()

    def update(self, event: Event) -> None:
        """Another event, for later launches of the graph."""
        operation = _operations.GRAPH_UPDATE_EVENT
        _cuprum.cuprum_graph_update_event(*self._natives(operation), native_event(event, operation))


class ExecutableEventRecordNode(_ExecutableEventNode):
    """An event record node of a graph that can be launched."""

    __slots__ = ()


class ExecutableEventWaitNode(_ExecutableEventNode):
    """An event wait node of a graph that can be launched."""

    __slots__ = ()


class ExecutableHostCallbackNode(ExecutableGraphNode):
    """A host callback node of a graph that can be launched."""

    __slots__ = ()

    def update(self, fn: Any, *, user_data: Any = None) -> None:
        """Another function, for later launches of the graph."""
        natives = self._natives(_operations.GRAPH_UPDATE_CALLBACK)
        _cuprum.graph_update_callback(*natives, as_function(fn, user_data))


_VIEWS: dict[type[GraphNode], type[ExecutableGraphNode]] = {
    KernelNode: ExecutableKernelNode,
    MemcpyNode: ExecutableMemcpyNode,
    MemsetNode: ExecutableMemsetNode,
    ChildGraphNode: ExecutableChildGraphNode,
    EventRecordNode: ExecutableEventRecordNode,
    EventWaitNode: ExecutableEventWaitNode,
    HostCallbackNode: ExecutableHostCallbackNode,
    MemoryOperationNode: ExecutableMemoryOperationNode,
}
