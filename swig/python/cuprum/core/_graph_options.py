"""Options of graphs."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuprum.core._graph_builder import GraphBuilder
    from cuprum.core._stream import IsStreamType, Stream


class GraphConditionalType(enum.StrEnum):
    """What a conditional node decides."""

    #: The body runs once, or not at all; or one of two does.
    IF = "if"
    #: The body runs again and again while the condition is not 0.
    WHILE = "while"
    #: The body whose number the condition is runs.
    SWITCH = "switch"


class GraphMemoryType(enum.StrEnum):
    """Where the memory of an allocation node is."""

    DEVICE = "device"
    HOST = "host"
    MANAGED = "managed"


@dataclass
class GraphCompleteOptions:
    """Options of a graph that can be launched.

    - ``auto_free_on_launch``: a launch frees what the one before has allocated and not freed.
    - ``upload_stream``: the graph is taken to the device at once, in this stream.
    - ``device_launch``: kernels can launch it; not together with ``auto_free_on_launch``.
    - ``use_node_priority``: nodes run with priorities of their own, not with the stream's.
    """

    auto_free_on_launch: bool = False
    upload_stream: Stream | GraphBuilder | IsStreamType | None = None
    device_launch: bool = False
    use_node_priority: bool = False


@dataclass
class GraphDebugPrintOptions:
    """What a DOT file has beside nodes and edges: everything (``verbose``), or parameters of nodes by their types."""

    verbose: bool = False
    runtime_types: bool = False
    kernel_node_params: bool = False
    memcpy_node_params: bool = False
    memset_node_params: bool = False
    host_node_params: bool = False
    event_node_params: bool = False
    ext_semas_signal_node_params: bool = False
    ext_semas_wait_node_params: bool = False
    kernel_node_attributes: bool = False
    handles: bool = False
    mem_alloc_node_params: bool = False
    mem_free_node_params: bool = False
    batch_mem_op_node_params: bool = False
    extra_topo_info: bool = False
    conditional_node_params: bool = False

    def _to_flags(self) -> int:
        # The fields have the order of the driver's bits (CU_GRAPH_DEBUG_DOT_FLAGS_*).
        return sum(bool(value) << bit for bit, value in enumerate(vars(self).values()))
