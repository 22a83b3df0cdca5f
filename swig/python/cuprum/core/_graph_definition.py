"""Graphs that are described node by node."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._graph_arguments import GraphCondition
from cuprum.core._graph_node import EmptyNode, GraphNode, GraphPosition, node_of
from cuprum.core._graph_options import GraphCompleteOptions, GraphDebugPrintOptions
from cuprum.core._members import GraphDefinitionMembers
from cuprum.core._options import as_options
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from cuprum.core._graph import Graph


class GraphDefinition(GraphDefinitionMembers, GraphPosition):
    """What a graph does: nodes, and which of them come before which.

    Its methods add nodes at the beginning; those of nodes, after these. The graph runs on the device that is current
    when it is made. It keeps what its nodes use, and so does what is instantiated from it.
    """

    __slots__ = ()
    _destroy = staticmethod(_cuprum.release_graph_definition)

    def __init__(self) -> None:
        """An empty graph, of the current device."""
        self._native = _cuprum.cuprum_graph_definition_create(_current.device_id())

    @classmethod
    def _wrap(cls, native: int) -> GraphDefinition:
        definition = cls.__new__(cls)
        definition._native = native
        return definition

    def _position(self, operation: str) -> tuple[int, int]:
        return self._open_native(operation), 0

    @property
    def _owner(self) -> GraphDefinition:
        return self

    @property
    def is_valid(self) -> bool:
        """Whether it is there: not closed, nor is it a part of a node that was destroyed."""
        if self.is_closed:
            return False
        return bool(_cuprum.cuprum_graph_definition_is_valid(self._native))

    def empty(self) -> EmptyNode:
        """A node that does nothing."""
        return self.join()

    def create_condition(self, default_value: int | None = None) -> GraphCondition:
        """A condition for one conditional node. Without a default it keeps the value of the launch before."""
        native = self._open_native(_operations.GRAPH_DEFINITION_CREATE_CONDITION)
        has_default = int(default_value is not None)
        return GraphCondition(_cuprum.cuprum_graph_definition_create_condition(native, has_default, default_value or 0))

    def nodes(self) -> set[GraphNode]:
        """All nodes."""
        native = self._open_native(_operations.GRAPH_DEFINITION_NODES)
        return {node_of(self, each) for each in _numbers(_cuprum.cuprum_graph_definition_nodes(native))}

    def edges(self) -> set[tuple[GraphNode, GraphNode]]:
        """All edges, each from the first to the second."""
        native = self._open_native(_operations.GRAPH_DEFINITION_EDGES)
        numbers = _numbers(_cuprum.cuprum_graph_definition_edges(native))
        nodes = {each: node_of(self, each) for each in set(numbers)}
        return {(nodes[a], nodes[b]) for a, b in zip(numbers[::2], numbers[1::2], strict=True)}

    def instantiate(self, options: GraphCompleteOptions | Mapping[str, Any] | None = None) -> Graph:
        """A graph that can be launched."""
        from cuprum.core._graph import Graph

        options = as_options(GraphCompleteOptions, options)
        operation = _operations.GRAPH_DEFINITION_INSTANTIATE
        native = self._open_native(operation)
        upload, _stream = native_stream(options.upload_stream, operation)
        graph = _cuprum.cuprum_graph_definition_instantiate(
            native,
            int(options.auto_free_on_launch),
            int(options.device_launch),
            int(options.use_node_priority),
            upload,
        )
        return Graph._wrap(graph)

    def debug_dot_print(
        self, path: str | os.PathLike[str], options: GraphDebugPrintOptions | Mapping[str, Any] | None = None
    ) -> None:
        """Writes the graph to a file in DOT, the language of Graphviz."""
        native = self._open_native(_operations.GRAPH_DEFINITION_DEBUG_DOT_PRINT)
        flags = as_options(GraphDebugPrintOptions, options)._to_flags()
        _cuprum.cuprum_graph_definition_debug_dot_print(native, os.fspath(path), flags)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphDefinition):
            return NotImplemented
        if self is other or self.is_closed or other.is_closed:
            return self is other
        return self.handle == other.handle

    def __hash__(self) -> int:
        return id(self) if not self.is_valid else hash((GraphDefinition, self.handle))

    def __repr__(self) -> str:
        return "<GraphDefinition closed>" if self.is_closed else f"<GraphDefinition of {self.device!r}>"


def _numbers(array: bytes) -> tuple[int, ...]:
    return struct.unpack(f"={len(array) // 8}Q", array)
