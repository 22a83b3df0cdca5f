"""Memory that graphs allocate. Other code begins and ends captures: here the tests do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cuprum import InvalidArgument, InvalidState
from cuprum.bindings import driver
from cuprum.core import Buffer, Device, DeviceMemoryResource, GraphMemoryResource, Stream

pytestmark = pytest.mark.usefixtures("no_leaks")

MODE = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL


@pytest.fixture
def resource(device: Device) -> Iterator[GraphMemoryResource]:
    device.set_current()  # the driver makes graphs in the current context
    with GraphMemoryResource(device) as resource:
        resource.trim()
        yield resource
        resource.trim()


def ok(answer: tuple[Any, ...]) -> Any:
    assert answer[0] == driver.CUresult.CUDA_SUCCESS
    return answer[1] if len(answer) > 1 else None


def begin(stream: Stream) -> None:
    ok(driver.cuStreamBeginCapture(stream.handle, MODE))


def end(stream: Stream) -> Any:
    graph = ok(driver.cuStreamEndCapture(stream.handle))
    executable = ok(driver.cuGraphInstantiate(graph, 0))
    ok(driver.cuGraphDestroy(graph))
    return executable


def test_a_graph_allocates_in_each_launch(device: Device, stream: Stream, resource: GraphMemoryResource) -> None:
    with device.allocate(64) as result:
        begin(stream)
        with resource.allocate(64, stream=stream) as buffer:
            assert buffer.memory_resource is resource
            buffer.fill(7, stream=stream)
            result.copy_from(buffer, stream=stream)
        executable = end(stream)
        for _ in range(2):
            result.fill(0, stream=stream)
            ok(driver.cuGraphLaunch(executable, stream.handle))
            stream.sync()
            back = bytearray(64)
            result.copy_to_host(back)
            assert back == bytes([7]) * 64
        ok(driver.cuGraphExecDestroy(executable))


def test_a_buffer_may_outlive_the_capture(stream: Stream, resource: GraphMemoryResource) -> None:
    begin(stream)
    buffer = resource.allocate(64, stream=stream)
    buffer.fill(7, stream=stream)
    executable = end(stream)
    ok(driver.cuGraphLaunch(executable, stream.handle))
    stream.sync()
    back = bytearray(64)
    buffer.copy_to_host(back)
    assert back == bytes([7]) * 64
    assert resource.attributes.used_mem_current >= 64
    assert driver.cuGraphLaunch(executable, stream.handle)[0] != driver.CUresult.CUDA_SUCCESS
    buffer.close()
    stream.sync()
    resource.trim()
    assert resource.attributes.used_mem_current == resource.attributes.reserved_mem_current == 0
    ok(driver.cuGraphExecDestroy(executable))


def test_it_needs_a_capture(device: Device, stream: Stream, resource: GraphMemoryResource) -> None:
    with pytest.raises(InvalidState, match="the stream's work is not captured into a graph"):
        resource.allocate(16, stream=stream)
    with pytest.raises(InvalidArgument, match="it is allocated in a stream whose work is captured"):
        resource.allocate(16)
    with pytest.raises(TypeError, match="not from a GraphMemoryResource"):
        device.memory_resource = resource


def test_attributes(stream: Stream, resource: GraphMemoryResource) -> None:
    attributes = resource.attributes
    begin(stream)
    resource.allocate(64, stream=stream).close()
    executable = end(stream)
    ok(driver.cuGraphLaunch(executable, stream.handle))
    stream.sync()
    assert attributes.reserved_mem_high >= attributes.reserved_mem_current >= 64
    assert attributes.used_mem_high >= 64
    ok(driver.cuGraphExecDestroy(executable))
    resource.trim()
    attributes.reserved_mem_high = 0
    attributes.used_mem_high = 0
    assert repr(attributes) == (
        "GraphMemoryResourceAttributes(used_mem_current=0, used_mem_high=0, reserved_mem_current=0, "
        "reserved_mem_high=0)"
    )
    with pytest.raises(AttributeError, match="cannot be set"):
        attributes.used_mem_current = 0
    with pytest.raises(AttributeError, match="can be set to 0"):
        attributes.used_mem_high = 7


def test_those_of_a_device_are_equal(device: Device, resource: GraphMemoryResource) -> None:
    with GraphMemoryResource(device.device_id) as same, DeviceMemoryResource(device, {}) as pool:
        assert same == resource
        assert hash(same) == hash(resource)
        assert resource != pool
    assert same != resource
    assert (resource.device_id, resource.is_device_accessible, resource.is_host_accessible) == (0, True, False)


def test_memory_is_taken_over(stream: Stream, resource: GraphMemoryResource) -> None:
    begin(stream)
    buffer = resource.allocate(64, stream=stream)
    executable = end(stream)
    ok(driver.cuGraphLaunch(executable, stream.handle))
    address = buffer.handle
    buffer.close()
    ok(driver.cuGraphLaunch(executable, stream.handle))
    Buffer.from_handle(address, 64, mr=resource, stream=stream).close()
    ok(driver.cuGraphLaunch(executable, stream.handle))
    resource.deallocate(address, 64, stream=stream)
    stream.sync()
    ok(driver.cuGraphExecDestroy(executable))
