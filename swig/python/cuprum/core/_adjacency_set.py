"""The nodes before and after a node of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import TYPE_CHECKING, Any, cast

from cuprum import _operations
from cuprum._native import _cuprum

if TYPE_CHECKING:
    from cuprum.core._graph_node import GraphNode


class AdjacencySet(MutableSet["GraphNode"]):
    """The nodes before a node, or those after it. Changes go to the graph."""

    __slots__ = ("_is_forward", "_node", "_node_type")

    def __init__(self, node: GraphNode, node_type: type[GraphNode], *, is_forward: bool) -> None:
        """Made by ``pred`` and ``succ`` of a node; ``node_type`` is GraphNode, whose module imports this one."""
        self._node, self._node_type, self._is_forward = node, node_type, is_forward

    @classmethod
    def _from_iterable(cls, nodes: Iterable[Any]) -> Any:
        return set(nodes)

    def _nodes(self) -> set[GraphNode]:
        mine, theirs = (0, 1) if self._is_forward else (1, 0)
        return {edge[theirs] for edge in self._node._definition.edges() if edge[mine] == self._node}

    def __contains__(self, node: object) -> bool:
        return node in self._nodes()

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self._nodes())

    def __len__(self) -> int:
        return len(self._nodes())

    def _edge(self, node: GraphNode) -> tuple[int, int]:
        if not isinstance(node, self._node_type):
            raise TypeError(f"a graph has GraphNodes, not {type(node).__name__}")
        return (self._node._id, node._id) if self._is_forward else (node._id, self._node._id)

    def add(self, value: GraphNode) -> None:
        """An edge more."""
        native = self._node._definition._open_native(_operations.GRAPH_DEFINITION_ADD_DEPENDENCY)
        _cuprum.cuprum_graph_definition_add_dependency(native, *self._edge(value))

    def discard(self, value: GraphNode) -> None:
        """An edge less, where there is one."""
        if value in self._nodes():
            native = self._node._definition._open_native(_operations.GRAPH_DEFINITION_REMOVE_DEPENDENCY)
            _cuprum.cuprum_graph_definition_remove_dependency(native, *self._edge(value))

    def update(self, *others: Iterable[GraphNode] | GraphNode) -> None:
        """Edges to all of these."""
        for each in others:
            for node in [each] if isinstance(each, self._node_type) else cast("Iterable[GraphNode]", each):
                self.add(node)

    def _become(self, nodes: Iterable[GraphNode]) -> None:
        wanted = set(nodes)
        for node in self._nodes() - wanted:
            self.discard(node)
        self.update(wanted)

    def __eq__(self, other: object) -> bool:
        return self._nodes() == (other._nodes() if isinstance(other, AdjacencySet) else other)

    __hash__ = None  # type: ignore[assignment]  # a set that changes

    def __repr__(self) -> str:
        return repr(self._nodes())
