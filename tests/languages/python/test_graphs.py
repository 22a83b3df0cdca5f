"""Graphs: captured, described node by node, launched, updated."""

from __future__ import annotations

import ctypes
import gc
import pathlib
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState
from cuprum.core import (
    Buffer,
    CUDAError,
    Device,
    GraphMemoryResource,
    Kernel,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    Stream,
    WaitCondition,
    launch,
)
from cuprum.core.graph import (
    EmptyNode,
    EventWaitNode,
    Graph,
    GraphBuilder,
    GraphCompleteOptions,
    GraphCondition,
    GraphDefinition,
    IfElseNode,
    KernelNode,
    MemoryOperationNode,
    MemsetNode,
    SwitchNode,
    WhileNode,
)

pytestmark = pytest.mark.usefixtures("no_leaks")

SOURCE = """
extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned);
extern "C" __global__ void increment(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 1; }
extern "C" __global__ void count_down(cudaGraphConditionalHandle again, int* x) {
    x[0] -= 1;
    x[1] += 10;
    cudaGraphSetConditional(again, x[0] > 0);
}
"""
ONE = LaunchConfig(grid=1, block=32)


@pytest.fixture(scope="module")
def code() -> Any:
    return Program(SOURCE, "c++", {"name": "graphs.cu"}).compile()


@pytest.fixture
def increment(code: Any) -> Iterator[Kernel]:
    with code.get_kernel("increment") as kernel:
        yield kernel


@pytest.fixture
def stream(device: Device) -> Iterator[Stream]:
    device.set_current()
    with device.create_stream() as stream:
        yield stream
        stream.sync()


@pytest.fixture
def numbers(device: Device) -> Iterator[Buffer]:
    with device.allocate(16) as buffer:
        buffer.copy_from_host(np.arange(1, 5, dtype=np.int32))
        yield buffer


def values(buffer: Buffer) -> list[int]:
    result = np.zeros(4, np.int32)
    buffer.copy_to_host(result)
    return result.tolist()


def run(graph: Graph, stream: Stream, buffer: Buffer) -> list[int]:
    graph.launch(stream)
    stream.sync()
    return values(buffer)


def comes_true(device: Device, condition: Callable[[], bool]) -> bool:
    """A driver lets go of what a graph has kept in its own time."""
    until = time.monotonic() + 10
    while not condition() and time.monotonic() < until:
        device.sync()
        gc.collect()
        time.sleep(0.001)
    return condition()


def test_what_is_put_into_a_builder_is_captured(
    device: Device, stream: Stream, increment: Kernel, numbers: Buffer
) -> None:
    with device.create_graph_builder() as builder:
        assert not builder.is_building
        assert builder.begin_building() is builder
        assert builder.is_building
        launch(builder, ONE, increment, numbers, 4)
        numbers.fill(0, stream=builder)
        launch(builder, ONE, increment, numbers, 4)
        assert builder.end_building() is builder
        assert values(numbers) == [1, 2, 3, 4], "nothing has run"
        with builder.complete() as graph, builder.graph_definition as definition:
            assert len(definition.nodes()) == 3
            assert len(definition.edges()) == 2
            assert run(graph, stream, numbers) == [1, 1, 1, 1]
            graph.launch(stream=stream)
            graph.upload(stream)
            assert graph.handle != 0
            assert graph.device == device


def test_a_stream_makes_a_builder_of_itself(stream: Stream, increment: Kernel, numbers: Buffer) -> None:
    with stream.create_graph_builder() as builder:
        assert builder.stream is stream
        builder.begin_building("thread_local")
        assert stream.is_capturing
        launch(stream, ONE, increment, numbers, 4)
        builder.end_building()
        with builder.complete(GraphCompleteOptions(upload_stream=stream)) as graph:
            assert run(graph, stream, numbers) == [2, 3, 4, 5]


def test_the_legacy_default_stream_cannot_be_captured(device: Device) -> None:
    with pytest.raises(InvalidArgument, match="the legacy default stream cannot be captured"):
        device.default_stream.create_graph_builder()


def test_builders_are_split_and_joined(device: Device, stream: Stream, increment: Kernel, numbers: Buffer) -> None:
    first = device.create_graph_builder().begin_building()
    launch(first, ONE, increment, numbers, 4)
    same, second, third = first.split(3)
    assert same is first
    assert second.is_join_required
    launch(second, ONE, increment, numbers, 2)
    assert GraphBuilder.join(second, first, third) is first
    assert second.is_closed
    first.end_building()
    with first.graph_definition as definition, first.complete() as graph:
        assert len(definition.nodes()) == 2
        assert run(graph, stream, numbers) == [3, 4, 4, 5]
    first.close()


def test_what_was_split_off_must_be_joined(device: Device) -> None:
    builder = device.create_graph_builder().begin_building()
    _, other = builder.split(2)
    other.callback(int)
    with pytest.raises(InvalidState, match="join all builders that were split off"):
        builder.end_building()
    with pytest.raises(ValueError, match="at least 2"):
        builder.split(1)


def test_a_capture_that_has_failed_says_so(device: Device, numbers: Buffer) -> None:
    builder = device.create_graph_builder().begin_building()
    numbers.fill(0, stream=builder)
    with pytest.raises(CUDAError):
        builder.stream.sync()
    with pytest.raises(InvalidState, match="build again without that call"):
        builder.end_building()


def test_functions_are_called_in_every_launch(device: Device, stream: Stream) -> None:
    calls: list[str] = []
    numbers_seen: list[int] = []
    prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    builder = device.create_graph_builder().begin_building()
    builder.callback(lambda: calls.append("python"))
    builder.callback(
        prototype(lambda data: numbers_seen.append(ctypes.cast(data, ctypes.POINTER(ctypes.c_int))[0])),
        user_data=np.int32(7).tobytes(),
    )
    with builder.end_building().complete() as graph:
        for _ in range(3):
            graph.launch(stream)
        stream.sync()
    assert calls == ["python"] * 3
    assert numbers_seen == [7] * 3
    with pytest.raises(TypeError, match="callable"):
        GraphDefinition().callback(7)
    with pytest.raises(TypeError, match=r"void \(\*\)\(void\*\)"):
        GraphDefinition().callback(ctypes.CFUNCTYPE(ctypes.c_int)(int))
    with pytest.raises(ValueError, match="user_data"):
        GraphDefinition().callback(int, user_data=7)


def test_what_a_function_raises_is_reported(stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda report: raised.append(report.exc_type))
    definition = GraphDefinition()
    definition.callback(lambda: 1 // 0)
    with definition.instantiate() as graph:
        graph.launch(stream)
        stream.sync()
    assert raised == [ZeroDivisionError]


def test_nodes_are_added_after_others(stream: Stream, increment: Kernel, numbers: Buffer, device: Device) -> None:
    definition = GraphDefinition()
    with device.allocate(16) as copy, device.create_event() as event:
        launched = definition.launch(ONE, increment, numbers, 4)
        filled = launched.memset(numbers, b"\x07\0\0\0", 2)
        copied = filled.memcpy(copy, numbers, 16)
        recorded = copied.record(event)
        waiting = recorded.wait(event)
        assert (launched.grid, launched.block, launched.shmem_size) == ((1, 1, 1), (32, 1, 1), 0)
        assert launched.config == ONE
        assert launched.kernel.handle == increment.handle
        assert (filled.dptr, filled.value, filled.element_size, filled.width) == (numbers.handle, 7, 4, 2)
        assert (copied.dst, copied.src, copied.size) == (copy.handle, numbers.handle, 16)
        assert recorded.event is event
        assert definition.nodes() == {launched, filled, copied, recorded, waiting}
        assert {type(node) for node in definition.nodes()} >= {KernelNode, MemsetNode, EventWaitNode}
        assert filled.pred == {launched}
        assert filled.succ == {copied}
        with definition.instantiate() as graph:
            assert run(graph, stream, copy) == [7, 7, 4, 5]


def test_edges_are_a_set() -> None:
    definition = GraphDefinition()
    first, second, third = definition.empty(), definition.empty(), definition.empty()
    first.succ.add(second)
    third.pred = {first, second}
    assert definition.edges() == {(first, second), (first, third), (second, third)}
    third.pred.discard(first)
    third.pred.discard(first)
    assert third.pred == {second}
    with pytest.raises(InvalidArgument, match="comes after the second already"):
        first.pred.add(third)
    joined = definition.join(first, third)
    assert isinstance(joined, EmptyNode)
    assert joined.pred == {first, third}
    second.destroy()
    second.destroy()
    assert not second.is_valid
    assert definition.nodes() == {first, third, joined}
    with pytest.raises(InvalidArgument, match="no node"):
        second.record(Device(0).create_event())


def test_memory_of_graphs(device: Device, stream: Stream, numbers: Buffer) -> None:
    definition = GraphDefinition()
    allocated = definition.allocate(16)
    assert (allocated.bytesize, allocated.device_id, allocated.memory_type) == (16, 0, "device")
    assert allocated.peer_access == ()
    freed = allocated.memset(allocated.dptr, 3, 16).memcpy(numbers, allocated.dptr, 16).deallocate(allocated.dptr)
    assert freed.dptr == allocated.dptr
    with definition.instantiate() as graph:
        assert run(graph, stream, numbers) == [0x03030303] * 4
    builder = device.create_graph_builder().begin_building()
    with GraphMemoryResource(0) as resource:
        resource.allocate(16, stream=builder).close()
        builder.end_building()
        with builder.graph_definition as built:
            assert len(built.nodes()) == 2
        resource.trim()


def test_a_loop_that_a_kernel_ends(code: Any, device: Device, stream: Stream, numbers: Buffer) -> None:
    definition = GraphDefinition()
    again = definition.create_condition(default_value=1)
    assert isinstance(again, GraphCondition)
    loop = definition.while_loop(again)
    with code.get_kernel("count_down") as count_down:
        loop.body.launch(ONE if ONE.block[0] == 1 else LaunchConfig(1, block=1), count_down, again, numbers)
        assert loop.cond_type == "while"
        assert loop.condition == again
        with definition.instantiate() as graph:
            numbers.copy_from_host(np.array([3, 0, 0, 0], np.int32))
            assert run(graph, stream, numbers) == [0, 30, 0, 0]
        builder = device.create_graph_builder().begin_building()
        again = builder.create_condition(1)
        body = builder.while_loop(again).begin_building()
        launch(body, LaunchConfig(1, block=1), count_down, again, numbers)
        body.end_building()
        with builder.end_building().complete() as graph:
            numbers.copy_from_host(np.array([2, 0, 0, 0], np.int32))
            assert run(graph, stream, numbers) == [0, 20, 0, 0]


def test_conditions_choose(device: Device, stream: Stream, increment: Kernel, numbers: Buffer) -> None:
    definition = GraphDefinition()
    # One after the other: the kernels of all three change the same numbers.
    first = definition.if_then(definition.create_condition(1))
    first.then.launch(ONE, increment, numbers, 1)
    either = first.if_else(definition.create_condition(0))
    either.then.launch(ONE, increment, numbers, 2)
    either.else_.launch(ONE, increment, numbers, 3)
    choice = either.switch(definition.create_condition(2), 3)
    choice.branches[2].launch(ONE, increment, numbers, 4)
    assert {type(node) for node in definition.nodes()} >= {IfElseNode, SwitchNode}
    assert WhileNode not in {type(node) for node in definition.nodes()}
    with definition.instantiate() as graph:
        assert run(graph, stream, numbers) == [4, 4, 5, 5]
    builder = device.create_graph_builder().begin_building()
    then, otherwise = builder.if_else(builder.create_condition(0))
    with otherwise.graph_definition as body:
        body.launch(ONE, increment, numbers, 4)
    then.begin_building().end_building()
    builder.switch(builder.create_condition(0), 2)
    with builder.end_building().complete() as graph:
        assert run(graph, stream, numbers) == [5, 5, 6, 6]


def test_graphs_in_graphs(device: Device, stream: Stream, increment: Kernel, numbers: Buffer) -> None:
    child = GraphDefinition()
    child.launch(ONE, increment, numbers, 4)
    definition = GraphDefinition()
    node = definition.embed(child)
    assert len(node.child_graph.nodes()) == 1
    with pytest.raises(InvalidState, match="a part of another graph"):
        node.child_graph.instantiate()
    inner = device.create_graph_builder().begin_building()
    launch(inner, ONE, increment, numbers, 4)
    inner.end_building()
    outer = device.create_graph_builder().begin_building()
    outer.embed(inner)
    outer.embed(inner)
    with definition.instantiate() as once, outer.end_building().complete() as twice:
        assert run(once, stream, numbers) == [2, 3, 4, 5]
        assert run(twice, stream, numbers) == [4, 5, 6, 7]
        with pytest.raises(InvalidState, match="embed the definition"):
            once.launch(device.create_graph_builder().begin_building())


def test_a_child_is_replaced(stream: Stream, increment: Kernel, numbers: Buffer) -> None:
    once, twice, definition = GraphDefinition(), GraphDefinition(), GraphDefinition()
    once.launch(ONE, increment, numbers, 4)
    twice.launch(ONE, increment, numbers, 4).launch(ONE, increment, numbers, 4)
    node = definition.embed(once)
    before = node.child_graph
    node.update(twice)
    assert not before.is_valid
    assert len(node.child_graph.nodes()) == 2
    with definition.instantiate() as graph:
        assert run(graph, stream, numbers) == [3, 4, 5, 6]
    with pytest.raises(InvalidArgument, match="in itself"):
        node.update(definition)
    with pytest.raises(TypeError, match="GraphDefinition"):
        node.update(1)  # type: ignore[arg-type]


def test_nodes_wait_for_words_and_write_them(device: Device, stream: Stream) -> None:
    definition = GraphDefinition()
    with LegacyPinnedMemoryResource().allocate(16) as words:
        seen = np.from_dlpack(words).view(np.uint64)
        seen[:] = 0
        waits = definition.wait_value64(words, 0, 1 << 40, WaitCondition.EQUAL)
        writes = waits.write_value32(words, 8, 5)
        assert isinstance(waits, MemoryOperationNode)
        assert (waits.dptr, waits.value, waits.word_size, waits.condition) == (words.handle, 1 << 40, 8, "equal")
        assert (writes.dptr, writes.value, writes.word_size, writes.condition) == (words.handle + 8, 5, 4, None)
        assert not waits.flush
        assert {type(node) for node in definition.nodes()} == {MemoryOperationNode}
        with definition.instantiate() as graph:
            graph.launch(stream)
            assert not stream.is_done
            seen[0] = 1 << 40
            stream.sync()
            assert seen[1] == 5
            graph[writes].update(words, 8, 6)
            graph.launch(stream)
            stream.sync()
            assert seen[1] == 6
        writes.update(words, 8, 7)
        with definition.instantiate() as graph:
            graph.launch(stream)
            stream.sync()
            assert seen[1] == 7
        with pytest.raises(InvalidArgument, match="not inside of the buffer"):
            definition.write_value32(words, 13, 1)
        with pytest.raises(TypeError, match="must be a Buffer"):
            definition.wait_value32(words.handle, 0, 1)  # type: ignore[arg-type]
        if device.is_simulator:
            with pytest.raises(cuprum.Error, match="external semaphore"):
                definition.signal_external_semaphore(16, 1)


def test_a_captured_kernel_says_how_it_is_launched(device: Device, increment: Kernel, numbers: Buffer) -> None:
    given = LaunchConfig(grid=6, block=32, shmem_size=16, is_cooperative=True, priority=-1)
    builder = device.create_graph_builder().begin_building()
    launch(builder, given, increment, numbers, 4)
    (node,) = builder.end_building().graph_definition.nodes()
    assert isinstance(node, KernelNode)
    assert node.config == given


def test_a_capture_keeps_buffers_and_kernels(device: Device, stream: Stream, code: Any) -> None:
    buffer = device.allocate(16)
    buffer.copy_from_host(np.arange(4, dtype=np.int32))
    with device.allocate(16) as copy:
        builder = device.create_graph_builder().begin_building()
        with code.get_kernel("increment") as kernel:
            launch(builder, ONE, kernel, buffer, 4)
        buffer.copy_to(copy, stream=builder)
        buffer.close()
        graph = builder.end_building().complete()
        builder.close()
        with device.allocate(16) as other:  # not the memory that the graph uses
            other.fill(0, stream=stream)
            assert run(graph, stream, copy) == [1, 2, 3, 4]
        graph.close()


def test_a_graph_takes_over_another(stream: Stream, increment: Kernel, numbers: Buffer, device: Device) -> None:
    definition, source = GraphDefinition(), GraphDefinition()
    definition.launch(ONE, increment, numbers, 4)
    source.launch(ONE, increment, numbers, 1)
    builder = device.create_graph_builder().begin_building()
    launch(builder, ONE, increment, numbers, 2)
    builder.end_building()
    with definition.instantiate() as graph:
        graph.update(source)
        assert run(graph, stream, numbers) == [2, 2, 3, 4]
        graph.update(builder)
        assert run(graph, stream, numbers) == [3, 3, 3, 4]
        source.empty()
        with pytest.raises(CUDAError, match="the nodes or edges differ"):
            graph.update(source)


def test_one_node_is_updated(stream: Stream, increment: Kernel, numbers: Buffer, device: Device) -> None:
    definition = GraphDefinition()
    calls: list[int] = []
    with device.allocate(16) as copy, device.create_event() as event:
        launched = definition.launch(ONE, increment, numbers, 4)
        filled = launched.memset(copy, 0, 16)
        copied = filled.memcpy(copy, numbers, 4)
        called = copied.callback(first := lambda: calls.append(1))
        assert called.callback is first
        recorded = called.record(event)
        with definition.instantiate() as graph, device.create_event() as another:
            graph[launched].update(config=ONE, kernel=increment, args=(numbers, 1))
            graph[filled].update(dst=copy, value=1, width=16)
            graph[copied].update(dst=copy, src=numbers, size=8)
            graph[called].update(lambda: calls.append(2))
            graph[recorded].update(another)
            assert run(graph, stream, copy) == [2, 2, 0x01010101, 0x01010101]
            assert graph[launched].is_enabled
            graph[launched].disable()
            assert not graph[launched].is_enabled
            assert run(graph, stream, numbers) == [2, 2, 3, 4]
            graph[launched].enable()
        assert calls == [2, 2]
        launched.update(config=LaunchConfig(1, block=2))
        assert launched.block == (2, 1, 1)
        launched.update(args=(numbers, 2))
        filled.update(value=9)
        copied.update(size=16)
        called.update(lambda: calls.append(3))
        with definition.instantiate() as graph:
            assert run(graph, stream, copy) == [3, 3, 3, 4]
        assert calls == [2, 2, 3]
        assert filled.value == 9
        with pytest.raises(ValueError, match="args"):
            launched.update(kernel=increment)
        with pytest.raises(TypeError, match="cannot be changed"):
            graph[definition.empty()]


def test_graphs_are_written_as_pictures(device: Device, tmp_path: pathlib.Path) -> None:
    builder = device.create_graph_builder().begin_building()
    builder.callback(int)
    builder.end_building().debug_dot_print(tmp_path / "graph.dot", {"verbose": True})
    assert "digraph" in (tmp_path / "graph.dot").read_text()


def test_a_graph_keeps_what_it_uses(device: Device, stream: Stream, increment: Kernel) -> None:
    class Function:
        def __call__(self) -> None:
            pass

    function = Function()
    seen = weakref.ref(function)
    definition = GraphDefinition()
    buffer = device.allocate(16)
    buffer.copy_from_host(np.arange(4, dtype=np.int32))
    with device.allocate(16) as copy:
        definition.launch(ONE, increment, buffer, 4).memcpy(copy, buffer, 16).callback(function)
        buffer.close()
        del function
        graph = definition.instantiate()
        definition.close()
        assert run(graph, stream, copy) == [1, 2, 3, 4]
        assert seen() is not None
        graph.close()
        assert comes_true(device, lambda: seen() is None)


def test_what_was_closed_says_so(device: Device, stream: Stream) -> None:
    definition = GraphDefinition()
    node = definition.empty()
    graph = definition.instantiate()
    builder = device.create_graph_builder()
    for each in (definition, graph, builder):
        each.close()
        each.close()
        assert each.is_closed
    with pytest.raises(InvalidState, match="closed"):
        graph.launch(stream)
    with pytest.raises(InvalidState, match="closed"):
        builder.begin_building()
    with pytest.raises(InvalidState, match="closed"):
        node.callback(int)
    assert not node.is_valid
    with pytest.raises(TypeError, match="create_graph_builder"):
        GraphBuilder()
    with pytest.raises(TypeError, match="instantiate"):
        Graph()
    assert cuprum.Error is not None


def test_an_update_of_one_operand_keeps_the_owner_of_the_other(device: Device, stream: Stream) -> None:
    device.set_current()
    target, first, second = (device.allocate(4) for _ in range(3))
    second.fill(b"\x07", stream=stream)
    stream.sync()
    definition = GraphDefinition()
    node = definition.memcpy(target, first, 4)
    address = target.handle
    target.close()  # the graph keeps it
    node.update(src=second)
    others = [device.allocate(4) for _ in range(64)]
    assert address not in [int(other.handle) for other in others]
    graph = definition.instantiate()
    graph.launch(stream)
    stream.sync()
