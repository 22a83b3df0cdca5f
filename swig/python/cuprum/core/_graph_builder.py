"""Graphs of what is put into a stream."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._graph_arguments import GraphCondition, native_condition
from cuprum.core._graph_definition import GraphDefinition
from cuprum.core._graph_functions import as_function
from cuprum.core._graph_options import GraphCompleteOptions, GraphConditionalType, GraphDebugPrintOptions
from cuprum.core._members import GraphBuilderMembers
from cuprum.core._stream import Stream

if TYPE_CHECKING:
    from cuprum.core._graph import Graph

#: CUPRUM_GRAPH_BUILD_*.
_MODES = ("global", "thread_local", "relaxed")


class GraphBuilder(GraphBuilderMembers, _cuprum.GraphBuilderHandle):
    """Captures what is put into its stream, from ``begin_building()`` to ``end_building()``, into a graph.

    Launches, copies, fills and events; none of it runs. It stands for its stream wherever one is taken. What cannot be
    in a graph, as waiting for the stream, fails and makes the capture invalid. The graph keeps functions given to
    ``callback``, and the kernels, buffers and arrays of captured launches, copies and fills; texture and surface
    objects, and memory of other libraries, are the program's to keep.

    Made by ``create_graph_builder`` of a Device or a Stream.
    """

    __slots__ = ("_is_root",)
    _destroy = staticmethod(_cuprum.release_graph_builder)

    def __init__(self) -> None:
        """Raises TypeError: ``create_graph_builder`` of a Device or a Stream makes builders."""
        raise TypeError("make graph builders with create_graph_builder() of a Device or a Stream")

    @classmethod
    def _wrap(cls, native: int, stream: Stream | None = None) -> GraphBuilder:
        builder = cls.__new__(cls)
        builder._native = native
        builder._stream = stream or Stream._wrap(_cuprum.cuprum_graph_builder_stream(native))
        return builder

    @classmethod
    def _create(cls, stream: Stream) -> GraphBuilder:
        native = stream._open_native(_operations.GRAPH_BUILDER_CREATE)
        return cls._wrap(_cuprum.cuprum_graph_builder_create(native), stream)

    def close(self) -> None:
        """Ends what is being captured, which is lost. Graphs and definitions stay."""
        native, self._native, self._stream = self._native, 0, None
        if native:
            type(self)._destroy(native)

    @property
    def stream(self) -> Stream:
        """The stream that it captures in."""
        self._open_native(_operations.GRAPH_BUILDER_STREAM)
        assert self._stream is not None
        return self._stream

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.stream.handle

    def begin_building(self, mode: str | None = "relaxed") -> GraphBuilder:
        """Begins to capture; once. Returns the builder.

        ``mode`` says which calls that cannot be captured are refused meanwhile: in all threads (``"global"``), in this
        one (``"thread_local"``), or none (``"relaxed"``).
        """
        if mode is not None and mode not in _MODES:
            raise ValueError(f"mode must be one of {', '.join(map(repr, _MODES))}, not {mode!r}")
        native = self._open_native(_operations.GRAPH_BUILDER_BEGIN_BUILDING)
        _cuprum.cuprum_graph_builder_begin_building(native, _MODES.index(mode or "relaxed"))
        return self

    def end_building(self) -> GraphBuilder:
        """Ends the capture. Returns the builder."""
        native = self._open_native(_operations.GRAPH_BUILDER_END_BUILDING)
        _cuprum.cuprum_graph_builder_end_building(native)
        return self

    @property
    def graph_definition(self) -> GraphDefinition:
        """What was built; of the body of a conditional node also before building begins."""
        native = self._open_native(_operations.GRAPH_BUILDER_GRAPH_DEFINITION)
        return GraphDefinition._wrap(_cuprum.cuprum_graph_builder_graph_definition(native))

    def complete(self, options: GraphCompleteOptions | Mapping[str, Any] | None = None) -> Graph:
        """The graph that was built, to be launched."""
        with self.graph_definition as definition:
            return definition.instantiate(options)

    def debug_dot_print(
        self, path: str | os.PathLike[str], options: GraphDebugPrintOptions | Mapping[str, Any] | None = None
    ) -> None:
        """Writes the graph that was built to a file in DOT, the language of Graphviz."""
        with self.graph_definition as definition:
            definition.debug_dot_print(path, options)

    def split(self, count: int) -> tuple[GraphBuilder, ...]:
        """``count`` builders of the graph, this one first: what follows in each is beside the others."""
        if count < 2:
            raise ValueError(f"count must be at least 2, as this builder is one of them, not {count}")
        native = self._open_native(_operations.GRAPH_BUILDER_SPLIT)
        return (self, *(GraphBuilder._wrap(_cuprum.cuprum_graph_builder_split(native)) for _ in range(count - 1)))

    @staticmethod
    def join(*graph_builders: GraphBuilder) -> GraphBuilder:
        """The builder that the others were split off, or the first: what follows comes after all. Closes the others."""
        if len(graph_builders) < 2:
            raise ValueError("give at least two builders to join")
        for builder in graph_builders:
            if not isinstance(builder, GraphBuilder):
                raise TypeError(f"join takes GraphBuilders, not {type(builder).__name__}")
        root = next((each for each in graph_builders if not each.is_join_required), graph_builders[0])
        for builder in graph_builders:
            if builder is not root:
                operation = _operations.GRAPH_BUILDER_JOIN
                _cuprum.cuprum_graph_builder_join(root._open_native(operation), builder._open_native(operation))
                builder.close()
        return root

    def create_condition(self, default_value: int | None = None) -> GraphCondition:
        """A condition for one conditional node. Without a default it keeps the value of the launch before."""
        native = self._open_native(_operations.GRAPH_BUILDER_CREATE_CONDITION)
        has_default = int(default_value is not None)
        return GraphCondition(_cuprum.cuprum_graph_builder_create_condition(native, has_default, default_value or 0))

    def if_then(self, condition: GraphCondition) -> GraphBuilder:
        """The builder of what runs where the condition is not 0."""
        return self._conditional(condition, GraphConditionalType.IF, 1)[0]

    def if_else(self, condition: GraphCondition) -> tuple[GraphBuilder, GraphBuilder]:
        """The builders of what runs where the condition is not 0, and where it is."""
        then, otherwise = self._conditional(condition, GraphConditionalType.IF, 2)
        return then, otherwise

    def while_loop(self, condition: GraphCondition) -> GraphBuilder:
        """The builder of what runs again and again while the condition is not 0."""
        return self._conditional(condition, GraphConditionalType.WHILE, 1)[0]

    def switch(self, condition: GraphCondition, count: int) -> tuple[GraphBuilder, ...]:
        """The builders of what runs where the condition is 0, 1 and so on."""
        return self._conditional(condition, GraphConditionalType.SWITCH, count)

    def _conditional(
        self, condition: GraphCondition, kind: GraphConditionalType, count: int
    ) -> tuple[GraphBuilder, ...]:
        native = self._open_native(_operations.GRAPH_BUILDER_ADD_CONDITIONAL)
        node = _cuprum.cuprum_graph_builder_add_conditional(
            native, native_condition(condition), list(GraphConditionalType).index(kind), count
        )
        return tuple(
            GraphBuilder._wrap(_cuprum.cuprum_graph_builder_take_body(native, node, index)) for index in range(count)
        )

    def embed(self, child: GraphBuilder) -> None:
        """A copy of a graph that was built, as one node."""
        operation = _operations.GRAPH_BUILDER_EMBED
        native = self._open_native(operation)
        if isinstance(child, GraphBuilder):
            with child.graph_definition as definition:
                _cuprum.cuprum_graph_builder_embed(native, definition._open_native(operation))
        elif isinstance(child, GraphDefinition):
            _cuprum.cuprum_graph_builder_embed(native, child._open_native(operation))
        else:
            raise TypeError(f"child must be a GraphBuilder, not {type(child).__name__}")

    def callback(self, fn: Any, *, user_data: Any = None) -> None:
        """A function that runs on a thread of the driver's in every launch: a callable without arguments.

        It must not use CUDA, nor wait for a thread that does. What it raises goes to ``sys.unraisablehook``. A function
        pointer of ctypes, ``void (*)(void*)``, gets ``user_data``: an int, or bytes, which are copied.
        """
        native = self._open_native(_operations.GRAPH_BUILDER_CALLBACK)
        _cuprum.graph_builder_callback(native, as_function(fn, user_data))

    def __repr__(self) -> str:
        return "<GraphBuilder closed>" if self.is_closed else f"<GraphBuilder in {self._stream!r}>"
