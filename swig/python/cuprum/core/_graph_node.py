"""Nodes of graphs."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._adjacency_set import AdjacencySet
from cuprum.core._graph_arguments import (
    WAIT_CONDITIONS,
    WRITE,
    GraphCondition,
    address_and_owner,
    condition_number,
    fill_pattern,
    known_events,
    native_condition,
    native_definition,
    native_event,
)
from cuprum.core._graph_functions import as_function, is_function_pointer
from cuprum.core._graph_options import GraphConditionalType, GraphMemoryType
from cuprum.core._stream import WaitCondition, native_word

if TYPE_CHECKING:
    from cuprum.core._buffer import Buffer
    from cuprum.core._device import Device
    from cuprum.core._event import Event
    from cuprum.core._graph_definition import GraphDefinition
    from cuprum.core._launch import LaunchConfig
    from cuprum.core._module import Kernel

#: CUPRUM_GRAPH_NODE_VALUE_*.
_TYPE, _NATIVE, _GRID, _BLOCK, _SHARED_MEMORY, _DESTINATION, _SOURCE, _SIZE = 0, 1, 2, 5, 8, 9, 10, 11
_VALUE, _ELEMENT_SIZE, _WIDTH, _HEIGHT, _PITCH, _ADDRESS, _DEVICE, _MEMORY_TYPE = 12, 13, 14, 15, 16, 17, 18, 19
_PEER_DEVICES, _EVENT, _CONDITION, _CONDITIONAL_TYPE, _BODY_COUNT = 20, 21, 22, 23, 24
_WAIT_CONDITION, _FLUSH, _CLUSTER, _COOPERATIVE, _PRIORITY, _CARVEOUT, _DOMAIN = 25, 26, 27, 30, 31, 32, 33

_MEMORY_TYPES = list(GraphMemoryType)
_CONDITIONAL_TYPES = list(GraphConditionalType)


class GraphPosition:
    """Where nodes are added: at the beginning of a graph, or after a node."""

    __slots__ = ()

    def _position(self, operation: str) -> tuple[int, int]:
        """The handle of the definition, and the node."""
        raise NotImplementedError

    @property
    def _owner(self) -> GraphDefinition:
        raise NotImplementedError

    def launch(self, config: LaunchConfig, kernel: Kernel, *args: object) -> KernelNode:
        """A kernel's launch. The graph keeps the kernel, and the buffers among the arguments."""
        at = self._position(_operations.GRAPH_DEFINITION_ADD_KERNEL)
        return KernelNode._of(self._owner, _cuprum.graph_definition_add_kernel(*at, config, kernel, *args))

    def memcpy(
        self, dst: Buffer | int, src: Buffer | int, size: int, *, dst_owner: Any = None, src_owner: Any = None
    ) -> MemcpyNode:
        """A copy of ``size`` bytes between memory of devices and page-locked host memory: buffers, or addresses.

        The graph keeps buffers; of an address, the buffer that is given as its owner.
        """
        operation = _operations.GRAPH_DEFINITION_ADD_MEMCPY
        at = self._position(operation)
        to, to_owner = _address_of(dst, dst_owner, operation)
        source, source_owner = _address_of(src, src_owner, operation)
        node = _cuprum.cuprum_graph_definition_add_memcpy(*at, to, source, size, to_owner, source_owner)
        return MemcpyNode._of(self._owner, node)

    def memset(
        self, dst: Buffer | int, value: Any, width: int, height: int = 1, pitch: int = 0, *, dst_owner: Any = None
    ) -> MemsetNode:
        """A fill of ``height`` rows of ``width`` elements, ``pitch`` bytes from one row to the next.

        ``value`` is an int from 0 to 255, for bytes, or 1, 2 or 4 bytes.
        """
        operation = _operations.GRAPH_DEFINITION_ADD_MEMSET
        at = self._position(operation)
        address, owner = _address_of(dst, dst_owner, operation)
        pattern, size = fill_pattern(value)
        node = _cuprum.cuprum_graph_definition_add_memset(*at, address, pattern, size, width, height, pitch, owner)
        return MemsetNode._of(self._owner, node)

    def callback(self, fn: Any, *, user_data: Any = None) -> HostCallbackNode:
        """A function that runs on a thread of the driver's in every launch: a callable without arguments.

        It must not use CUDA, nor wait for a thread that does. What it raises goes to ``sys.unraisablehook``. A function
        pointer of ctypes, ``void (*)(void*)``, gets ``user_data``: an int, or bytes, which are copied.
        """
        at = self._position(_operations.GRAPH_DEFINITION_ADD_CALLBACK)
        node = HostCallbackNode._of(self._owner, _cuprum.graph_definition_add_callback(*at, as_function(fn, user_data)))
        node._remember(fn)
        return node

    def record(self, event: Event) -> EventRecordNode:
        """Records the event, which the graph keeps."""
        operation = _operations.GRAPH_DEFINITION_ADD_EVENT_RECORD
        at = self._position(operation)
        node = _cuprum.cuprum_graph_definition_add_event_record(*at, native_event(event, operation))
        return EventRecordNode._of(self._owner, node)

    def wait(self, event: Event) -> EventWaitNode:
        """Waits for the event, which the graph keeps."""
        operation = _operations.GRAPH_DEFINITION_ADD_EVENT_WAIT
        at = self._position(operation)
        node = _cuprum.cuprum_graph_definition_add_event_wait(*at, native_event(event, operation))
        return EventWaitNode._of(self._owner, node)

    def wait_value32(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str = WaitCondition.GREATER_OR_EQUAL,
        *,
        flush: bool = False,
    ) -> MemoryOperationNode:
        """Waits until the 4 bytes at byte ``offset`` of the buffer, which the graph keeps, fulfil the condition.

        As ``Stream.wait_value32``.
        """
        return self._word(buffer, offset, value, 4, WAIT_CONDITIONS.index(WaitCondition(condition)), flush)

    def wait_value64(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str = WaitCondition.GREATER_OR_EQUAL,
        *,
        flush: bool = False,
    ) -> MemoryOperationNode:
        """``wait_value32`` with 8 bytes."""
        return self._word(buffer, offset, value, 8, WAIT_CONDITIONS.index(WaitCondition(condition)), flush)

    def write_value32(self, buffer: Buffer, offset: int, value: int) -> MemoryOperationNode:
        """Writes the 4 bytes at byte ``offset`` of the buffer, which the graph keeps. As ``Stream.write_value32``."""
        return self._word(buffer, offset, value, 4, WRITE, False)

    def write_value64(self, buffer: Buffer, offset: int, value: int) -> MemoryOperationNode:
        """``write_value32`` with 8 bytes."""
        return self._word(buffer, offset, value, 8, WRITE, False)

    def _word(
        self, buffer: Buffer, offset: int, value: int, size: int, condition: int, flush: bool
    ) -> MemoryOperationNode:
        operation = _operations.GRAPH_DEFINITION_ADD_MEMORY_OPERATION
        at = self._position(operation)
        native = native_word(buffer, operation)
        node = _cuprum.cuprum_graph_definition_add_memory_operation(
            *at, native, offset, value, size, condition, int(flush)
        )
        return MemoryOperationNode._of(self._owner, node)

    def signal_external_semaphore(self, semaphore: int, value: int) -> GraphNode:
        """Signals a semaphore of another interface, with the value of its timeline or fence.

        ``semaphore`` is a ``CUexternalSemaphore``, which the program keeps (``cuImportExternalSemaphore``).
        """
        return self._semaphore(semaphore, value, 0)

    def wait_external_semaphore(self, semaphore: int, value: int) -> GraphNode:
        """Waits for a semaphore of another interface; as ``signal_external_semaphore``."""
        return self._semaphore(semaphore, value, 1)

    def _semaphore(self, semaphore: int, value: int, wait: int) -> GraphNode:
        at = self._position(_operations.GRAPH_DEFINITION_ADD_EXTERNAL_SEMAPHORE)
        node = _cuprum.cuprum_graph_definition_add_external_semaphore(*at, int(semaphore), value, wait)
        return GraphNode._of(self._owner, node)

    def embed(self, child: GraphDefinition) -> ChildGraphNode:
        """A copy of another graph as one node. It can have no allocation, free and conditional nodes."""
        operation = _operations.GRAPH_DEFINITION_ADD_CHILD_GRAPH
        at = self._position(operation)
        node = _cuprum.cuprum_graph_definition_add_child_graph(*at, native_definition(child, operation))
        return ChildGraphNode._of(self._owner, node)

    def join(self, *nodes: GraphNode) -> EmptyNode:
        """A node that does nothing, after this position and all of those."""
        at = self._position(_operations.GRAPH_DEFINITION_ADD_EMPTY)
        joined = EmptyNode._of(self._owner, _cuprum.cuprum_graph_definition_add_empty(*at))
        try:
            joined.pred.update(nodes)
        except BaseException:
            joined.destroy()
            raise
        return joined

    def allocate(
        self,
        size: int,
        *,
        device: Device | int | None = None,
        memory_type: GraphMemoryType | str = GraphMemoryType.DEVICE,
        peer_access: Sequence[Device | int] | None = None,
    ) -> AllocNode:
        """Memory that is there from this node on, at the same address (``dptr``) in every launch.

        On the graph's device, or ``device``. Further devices that shall use it are ``peer_access``.
        """
        at = self._position(_operations.GRAPH_DEFINITION_ADD_ALLOCATION)
        kind = _MEMORY_TYPES.index(GraphMemoryType(memory_type))
        peers = sum(1 << int(peer) for peer in set(peer_access or ()))
        chosen = -1 if device is None else int(device)
        node = _cuprum.cuprum_graph_definition_add_allocation(*at, size, chosen, kind, peers)
        return AllocNode._of(self._owner, node)

    def deallocate(self, dptr: int) -> FreeNode:
        """Frees what an allocation node has allocated."""
        at = self._position(_operations.GRAPH_DEFINITION_ADD_FREE)
        return FreeNode._of(self._owner, _cuprum.cuprum_graph_definition_add_free(*at, int(dptr)))

    def if_then(self, condition: GraphCondition) -> IfNode:
        """Runs ``then`` where the condition is not 0."""
        return IfNode._of(self._owner, self._conditional(condition, GraphConditionalType.IF, 1))

    def if_else(self, condition: GraphCondition) -> IfElseNode:
        """Runs ``then`` where the condition is not 0, else ``else_``."""
        return IfElseNode._of(self._owner, self._conditional(condition, GraphConditionalType.IF, 2))

    def while_loop(self, condition: GraphCondition) -> WhileNode:
        """Runs ``body`` again and again while the condition is not 0."""
        return WhileNode._of(self._owner, self._conditional(condition, GraphConditionalType.WHILE, 1))

    def switch(self, condition: GraphCondition, count: int) -> SwitchNode:
        """Runs that of ``count`` ``branches`` whose number the condition is."""
        return SwitchNode._of(self._owner, self._conditional(condition, GraphConditionalType.SWITCH, count))

    def _conditional(self, condition: GraphCondition, kind: GraphConditionalType, count: int) -> int:
        at = self._position(_operations.GRAPH_DEFINITION_ADD_CONDITIONAL)
        return _cuprum.cuprum_graph_definition_add_conditional(
            *at, native_condition(condition), _CONDITIONAL_TYPES.index(kind), count
        )


def _address_of(memory: Buffer | int, owner: Any, operation: str) -> tuple[int, int]:
    address, native = address_and_owner(memory, operation, owner)
    return address, native if owner is None else owner._open_native(operation)


_Node = TypeVar("_Node", bound="GraphNode")


class GraphNode(GraphPosition):
    """A node of a graph. Made by the methods of GraphDefinition, for what comes first, and of other nodes."""

    __slots__ = ("__weakref__", "_definition", "_id")

    _definition: GraphDefinition
    _id: int

    def __init__(self) -> None:
        """Raises TypeError: methods of definitions and nodes make nodes."""
        raise TypeError("make nodes with the methods of GraphDefinition and of other nodes")

    @classmethod
    def _of(cls: type[_Node], definition: GraphDefinition, number: int) -> _Node:
        node = cls.__new__(cls)
        node._definition, node._id = definition, number
        return node

    @property
    def _owner(self) -> GraphDefinition:
        return self._definition

    def _position(self, operation: str) -> tuple[int, int]:
        return self._definition._open_native(operation), self._id

    def _get(self, which: int) -> int:
        at = self._position(_operations.GRAPH_DEFINITION_NODE_VALUE)
        return _cuprum.cuprum_graph_definition_node_value(*at, which)

    @property
    def type(self) -> int:
        """What it is, a ``CUgraphNodeType``."""
        return self._get(_TYPE)

    @property
    def graph(self) -> GraphDefinition:
        """The definition that it is in."""
        return self._definition

    @property
    def handle(self) -> int:
        """The ``CUgraphNode``, as an integer."""
        return self._get(_NATIVE)

    @property
    def is_valid(self) -> bool:
        """Whether it is there: not destroyed, nor what its graph was a part of."""
        if self._definition.is_closed:
            return False
        at = self._position(_operations.GRAPH_DEFINITION_HAS_NODE)
        return bool(_cuprum.cuprum_graph_definition_has_node(*at))

    def destroy(self) -> None:
        """Removes it and its edges. Nothing happens where it is gone already."""
        if self.is_valid:
            at = self._position(_operations.GRAPH_DEFINITION_DESTROY_NODE)
            _cuprum.cuprum_graph_definition_destroy_node(*at)

    @property
    def pred(self) -> AdjacencySet:
        """The nodes that it comes after: a set, whose changes change the graph."""
        return AdjacencySet(self, GraphNode, is_forward=False)

    @pred.setter
    def pred(self, nodes: Iterable[GraphNode]) -> None:
        AdjacencySet(self, GraphNode, is_forward=False)._become(nodes)

    @property
    def succ(self) -> AdjacencySet:
        """The nodes that come after it: a set, whose changes change the graph."""
        return AdjacencySet(self, GraphNode, is_forward=True)

    @succ.setter
    def succ(self, nodes: Iterable[GraphNode]) -> None:
        AdjacencySet(self, GraphNode, is_forward=True)._become(nodes)

    def __eq__(self, other: object) -> bool:
        return self._id == other._id if isinstance(other, GraphNode) else NotImplemented

    def __hash__(self) -> int:
        return hash((GraphNode, self._id))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._id}>"


class EmptyNode(GraphNode):
    """A node that does nothing: what others come after."""

    __slots__ = ()


class KernelNode(GraphNode):
    """A kernel's launch."""

    __slots__ = ()

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks."""
        return self._get(_GRID), self._get(_GRID + 1), self._get(_GRID + 2)

    @property
    def block(self) -> tuple[int, int, int]:
        """Threads per block."""
        return self._get(_BLOCK), self._get(_BLOCK + 1), self._get(_BLOCK + 2)

    @property
    def shmem_size(self) -> int:
        """Dynamic shared memory per block, bytes."""
        return self._get(_SHARED_MEMORY)

    @property
    def kernel(self) -> Kernel:
        """The kernel."""
        from cuprum.core._module import Kernel

        at = self._position(_operations.GRAPH_DEFINITION_NODE_KERNEL)
        return Kernel._wrap(_cuprum.cuprum_graph_definition_node_kernel(*at))

    @property
    def config(self) -> LaunchConfig:
        """Grid, block and shared memory, with what else was asked for.

        An access policy window and a map of memory domains are not among it.
        """
        from cuprum.core._launch import LaunchConfig, MemorySyncDomain

        x, y, z = (self._get(_CLUSTER + dimension) for dimension in range(3))
        blocks = self.grid
        priority, carveout, domain = self._get(_PRIORITY), self._get(_CARVEOUT), self._get(_DOMAIN)
        return LaunchConfig(
            grid=(blocks[0] // x, blocks[1] // y, blocks[2] // z),
            cluster=None if (x, y, z) == (1, 1, 1) else (x, y, z),
            block=self.block,
            shmem_size=self.shmem_size,
            is_cooperative=bool(self._get(_COOPERATIVE)),
            priority=(priority - (priority >> 63 << 64)) or None,
            preferred_shared_memory_carveout=carveout or None,
            memory_sync_domain=list(MemorySyncDomain)[domain - 1] if domain else None,
        )

    def update(
        self, *, config: LaunchConfig | None = None, kernel: Kernel | None = None, args: Sequence[object] | None = None
    ) -> None:
        """Another launch, for what is instantiated from then on. What is left out stays; a kernel needs arguments."""
        if kernel is not None and args is None:
            raise ValueError("another kernel needs its arguments: args=() for one without")
        if args is not None:
            at = self._position(_operations.GRAPH_DEFINITION_UPDATE_KERNEL)
            _cuprum.graph_definition_update_kernel(*at, config or self.config, kernel or self.kernel, *args)
        elif config is not None:
            at = self._position(_operations.GRAPH_DEFINITION_UPDATE_KERNEL_CONFIG)
            _cuprum.cuprum_graph_definition_update_kernel_config(*at, *config._numbers())


class MemcpyNode(GraphNode):
    """A copy."""

    __slots__ = ()

    @property
    def dst(self) -> int:
        """The address that is written."""
        return self._get(_DESTINATION)

    @property
    def src(self) -> int:
        """The address that is read."""
        return self._get(_SOURCE)

    @property
    def size(self) -> int:
        """Bytes."""
        return self._get(_SIZE)

    def update(
        self,
        *,
        dst: Buffer | int | None = None,
        src: Buffer | int | None = None,
        size: int | None = None,
        dst_owner: Any = None,
        src_owner: Any = None,
    ) -> None:
        """Another copy, for what is instantiated from then on. What is left out stays, with the owner that it has."""
        operation = _operations.GRAPH_DEFINITION_UPDATE_MEMCPY
        to, to_owner = _address_of(self.dst if dst is None else dst, dst_owner, operation)
        source, source_owner = _address_of(self.src if src is None else src, src_owner, operation)
        _cuprum.cuprum_graph_definition_update_memcpy(
            *self._position(operation), to, source, self.size if size is None else size, to_owner, source_owner
        )


class MemsetNode(GraphNode):
    """A fill."""

    __slots__ = ()

    @property
    def dptr(self) -> int:
        """The address that is filled."""
        return self._get(_DESTINATION)

    @property
    def value(self) -> int:
        """The value of each element."""
        return self._get(_VALUE)

    @property
    def element_size(self) -> int:
        """Bytes: 1, 2 or 4."""
        return self._get(_ELEMENT_SIZE)

    @property
    def width(self) -> int:
        """Elements in a row."""
        return self._get(_WIDTH)

    @property
    def height(self) -> int:
        """Rows."""
        return self._get(_HEIGHT)

    @property
    def pitch(self) -> int:
        """Bytes from one row to the next."""
        return self._get(_PITCH)

    def update(
        self,
        *,
        dst: Buffer | int | None = None,
        value: Any = None,
        width: int | None = None,
        height: int | None = None,
        pitch: int | None = None,
        dst_owner: Any = None,
    ) -> None:
        """Another fill, for what is instantiated from then on. What is left out stays, with the owner that it has."""
        operation = _operations.GRAPH_DEFINITION_UPDATE_MEMSET
        address, owner = _address_of(self.dptr if dst is None else dst, dst_owner, operation)
        pattern, size = (self.value, self.element_size) if value is None else fill_pattern(value)
        _cuprum.cuprum_graph_definition_update_memset(
            *self._position(operation),
            address,
            pattern,
            size,
            self.width if width is None else width,
            self.height if height is None else height,
            self.pitch if pitch is None else pitch,
            owner,
        )


class AllocNode(GraphNode):
    """An allocation."""

    __slots__ = ()

    @property
    def dptr(self) -> int:
        """The address, the same in every launch."""
        return self._get(_ADDRESS)

    @property
    def bytesize(self) -> int:
        """Bytes."""
        return self._get(_SIZE)

    @property
    def device_id(self) -> int:
        """The device that the memory is on."""
        return self._get(_DEVICE)

    @property
    def memory_type(self) -> str:
        """``"device"``, ``"host"`` or ``"managed"``."""
        return _MEMORY_TYPES[self._get(_MEMORY_TYPE)]

    @property
    def peer_access(self) -> tuple[int, ...]:
        """Further devices that use it."""
        peers = self._get(_PEER_DEVICES)
        return tuple(device for device in range(peers.bit_length()) if peers >> device & 1)


class FreeNode(GraphNode):
    """The end of an allocation."""

    __slots__ = ()

    @property
    def dptr(self) -> int:
        """The address that is freed."""
        return self._get(_ADDRESS)


#: The callables that nodes were given, by the nodes' numbers: the graphs keep them.
_callbacks: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()


class HostCallbackNode(GraphNode):
    """A function of the program's."""

    __slots__ = ()

    @property
    def callback(self) -> Any:
        """The callable that it was given; None for a function pointer of ctypes."""
        return _callbacks.get(self._id)

    def _remember(self, fn: Any) -> None:
        _callbacks.pop(self._id, None)
        if not is_function_pointer(fn):
            with contextlib.suppress(TypeError):  # what has no weak references
                _callbacks[self._id] = fn

    def update(self, fn: Any, *, user_data: Any = None) -> None:
        """Another function, for what is instantiated from then on."""
        at = self._position(_operations.GRAPH_DEFINITION_UPDATE_CALLBACK)
        _cuprum.graph_definition_update_callback(*at, as_function(fn, user_data))
        self._remember(fn)


class _EventNode(GraphNode):
    __slots__ = ()

    @property
    def event(self) -> Event | None:
        """The event that it was given; None where the program has no Event of it any more."""
        return known_events.get(self._get(_EVENT))

    def update(self, event: Event) -> None:
        """Another event, for what is instantiated from then on."""
        operation = _operations.GRAPH_DEFINITION_UPDATE_EVENT
        _cuprum.cuprum_graph_definition_update_event(*self._position(operation), native_event(event, operation))


class EventRecordNode(_EventNode):
    """Records an event."""

    __slots__ = ()


class EventWaitNode(_EventNode):
    """Waits for an event."""

    __slots__ = ()


class MemoryOperationNode(GraphNode):
    """Waits for a word in memory, or writes it. Of one that does more, as a capture makes, this is the first word."""

    __slots__ = ()

    @property
    def dptr(self) -> int:
        """The address of the word."""
        return self._get(_ADDRESS)

    @property
    def value(self) -> int:
        """What the word is compared with, or becomes."""
        return self._get(_VALUE)

    @property
    def word_size(self) -> int:
        """Bytes: 4 or 8."""
        return self._get(_ELEMENT_SIZE)

    @property
    def condition(self) -> WaitCondition | None:
        """What it waits for; None where it writes."""
        number = self._get(_WAIT_CONDITION)
        return WAIT_CONDITIONS[number] if number < len(WAIT_CONDITIONS) else None

    @property
    def flush(self) -> bool:
        """Whether what other devices have written before is visible when the wait ends."""
        return bool(self._get(_FLUSH))

    def update(
        self,
        buffer: Buffer,
        offset: int,
        value: int,
        condition: WaitCondition | str | None = None,
        *,
        word_size: int | None = None,
        flush: bool = False,
    ) -> None:
        """Another word, for what is instantiated from then on: waits for it, or writes it without a condition."""
        operation = _operations.GRAPH_DEFINITION_UPDATE_MEMORY_OPERATION
        _cuprum.cuprum_graph_definition_update_memory_operation(
            *self._position(operation),
            native_word(buffer, operation),
            offset,
            value,
            self.word_size if word_size is None else word_size,
            condition_number(condition),
            int(flush),
        )


class _NodeWithParts(GraphNode):
    __slots__ = ()

    def _part(self, index: int) -> GraphDefinition:
        from cuprum.core._graph_definition import GraphDefinition

        at = self._position(_operations.GRAPH_DEFINITION_PART)
        return GraphDefinition._wrap(_cuprum.cuprum_graph_definition_part(*at, index))


class ChildGraphNode(_NodeWithParts):
    """Another graph, as one node."""

    __slots__ = ()

    @property
    def child_graph(self) -> GraphDefinition:
        """The copy that this node runs."""
        return self._part(0)

    def update(self, child: GraphDefinition) -> None:
        """Another graph, for what is instantiated from then on.

        The node has a copy of it, and ``child_graph``s that it has given out before are gone.
        """
        operation = _operations.GRAPH_DEFINITION_UPDATE_CHILD_GRAPH
        at = self._position(operation)
        _cuprum.cuprum_graph_definition_update_child_graph(*at, native_definition(child, operation))


class ConditionalNode(_NodeWithParts):
    """A node that a condition decides about."""

    __slots__ = ()

    @property
    def condition(self) -> GraphCondition:
        """The condition."""
        return GraphCondition(self._get(_CONDITION))

    @property
    def cond_type(self) -> GraphConditionalType:
        """What it decides."""
        return _CONDITIONAL_TYPES[self._get(_CONDITIONAL_TYPE)]

    @property
    def branches(self) -> tuple[GraphDefinition, ...]:
        """The graphs among which it decides."""
        return tuple(self._part(index) for index in range(self._get(_BODY_COUNT)))


class IfNode(ConditionalNode):
    """Runs a graph or not."""

    __slots__ = ()

    @property
    def then(self) -> GraphDefinition:
        """Runs where the condition is not 0."""
        return self._part(0)


class IfElseNode(IfNode):
    """Runs one of two graphs."""

    __slots__ = ()

    @property
    def else_(self) -> GraphDefinition:
        """Runs where the condition is 0."""
        return self._part(1)


class WhileNode(ConditionalNode):
    """Runs a graph again and again."""

    __slots__ = ()

    @property
    def body(self) -> GraphDefinition:
        """Runs while the condition is not 0."""
        return self._part(0)


class SwitchNode(ConditionalNode):
    """Runs one of several graphs."""

    __slots__ = ()


#: By CUPRUM_GRAPH_NODE_*.
_CLASSES: dict[int, type[GraphNode]] = {
    0: KernelNode,
    1: MemcpyNode,
    2: MemsetNode,
    3: HostCallbackNode,
    4: ChildGraphNode,
    5: EmptyNode,
    6: EventWaitNode,
    7: EventRecordNode,
    10: AllocNode,
    11: FreeNode,
    12: MemoryOperationNode,
    13: ConditionalNode,
}


def node_of(definition: GraphDefinition, number: int) -> GraphNode:
    """The node of that number, of its own class."""
    node = GraphNode._of(definition, number)
    kind = node.type
    if kind != 13:
        return _CLASSES.get(kind, GraphNode)._of(definition, number)
    bodies = node._get(_BODY_COUNT)
    decides = _CONDITIONAL_TYPES[node._get(_CONDITIONAL_TYPE)]
    if decides == GraphConditionalType.WHILE:
        return WhileNode._of(definition, number)
    if decides == GraphConditionalType.SWITCH:
        return SwitchNode._of(definition, number)
    return (IfElseNode if bodies == 2 else IfNode)._of(definition, number)
