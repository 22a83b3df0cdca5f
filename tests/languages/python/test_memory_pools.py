"""Memory pools: of a device, of page-locked host memory, and of managed memory."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState, Unsupported
from cuprum.core import (
    Buffer,
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    Host,
    ManagedBuffer,
    ManagedMemoryResource,
    ManagedMemoryResourceOptions,
    MemoryResource,
    PinnedMemoryResource,
    PinnedMemoryResourceOptions,
    Stream,
)

pytestmark = pytest.mark.usefixtures("no_leaks")
MEBIBYTE = 1 << 20


@pytest.fixture
def pool(device: Device) -> Iterator[DeviceMemoryResource]:
    with DeviceMemoryResource(device, DeviceMemoryResourceOptions()) as pool:
        yield pool


@pytest.fixture
def moving(stream: Stream) -> Iterator[ManagedBuffer]:
    with ManagedMemoryResource() as resource, resource.allocate(MEBIBYTE, stream=stream) as buffer:
        stream.sync()
        yield buffer


def test_a_devices_pool_allocates_in_a_stream(device: Device, pool: DeviceMemoryResource, stream: Stream) -> None:
    with pool.allocate(16, stream=stream) as buffer:
        buffer.fill(7, stream=stream)
        back = bytearray(16)
        buffer.copy_to_host(back, stream=stream)
        stream.sync()
        assert back == bytes([7] * 16)
        assert buffer.memory_resource is pool
        assert isinstance(pool, MemoryResource)
        assert (pool.is_device_accessible, pool.is_host_accessible, pool.is_managed) == (True, False, False)
        assert (pool.device_id, pool.is_handle_owned) == (0, True)
        with buffer.copy_to(stream=stream) as copy:
            assert copy.memory_resource is pool
    with pytest.raises(InvalidArgument, match="a pool allocates in a stream"):
        pool.allocate(16)


def test_a_pool_counts_what_it_holds(device: Device, pool: DeviceMemoryResource, stream: Stream) -> None:
    attributes = pool.attributes
    attributes.release_threshold = 2**64 - 1
    assert attributes.release_threshold == 2**64 - 1
    with pool.allocate(MEBIBYTE, stream=stream):
        assert attributes.used_mem_current >= MEBIBYTE
    stream.sync()
    assert attributes.used_mem_current == 0
    assert attributes.used_mem_high >= MEBIBYTE
    assert attributes.reserved_mem_high >= attributes.reserved_mem_current >= MEBIBYTE
    attributes.used_mem_high = 0
    assert attributes.used_mem_high == 0
    assert attributes.reuse_allow_opportunistic is True
    attributes.reuse_allow_opportunistic = False
    assert attributes.reuse_allow_opportunistic is False
    assert attributes.reuse_follow_event_dependencies is True
    assert attributes.reuse_allow_internal_dependencies is True
    with pytest.raises(AttributeError, match="counted by the driver"):
        attributes.used_mem_current = 1
    device.sync()
    pool.trim_to(0)
    assert attributes.reserved_mem_current == 0
    assert "reserved_mem_current=0" in repr(attributes)


def test_a_pool_has_no_more_than_its_limit(device: Device, stream: Stream) -> None:
    with DeviceMemoryResource(device, {"max_size": 4 * MEBIBYTE}) as pool:
        with pytest.raises(MemoryError, match="allocating 1073741824 bytes"):
            pool.allocate(1024 * MEBIBYTE, stream=stream)
        pool.allocate(MEBIBYTE, stream=stream).close()
    with pytest.raises(InvalidArgument):
        DeviceMemoryResource(1000)


def test_a_pool_can_become_the_devices(device: Device, pool: DeviceMemoryResource, stream: Stream) -> None:
    with device.memory_resource as former:
        assert isinstance(former, DeviceMemoryResource)
        assert not former.is_handle_owned
        assert former == DeviceMemoryResource(device) == device.memory_resource != pool
        assert hash(former) == hash(device.memory_resource)
        device.memory_resource = pool
        try:
            assert device.memory_resource is pool
            with device.allocate(16, stream=stream) as buffer:
                assert buffer.memory_resource == pool
                assert buffer.memory_resource is buffer.memory_resource
        finally:
            device.memory_resource = former
        with device.allocate(16, stream=stream) as buffer, device.allocate(16) as unordered:
            assert buffer.memory_resource == former
            assert unordered.memory_resource is None
        with pytest.raises(TypeError, match="not from a PinnedMemoryResource"):
            device.memory_resource = PinnedMemoryResource()


def test_memory_that_no_buffer_owns_is_freed_by_its_pool_only(
    device: Device, pool: DeviceMemoryResource, stream: Stream
) -> None:
    pool.deallocate(0, 0, stream=stream)
    with device.allocate(16) as other:
        for address in (other.handle, 4096):
            with pytest.raises(InvalidArgument, match="was not allocated from the memory pool"):
                pool.deallocate(address, 16, stream=stream)


def test_a_closed_pool_is_refused_and_its_buffers_live(pool: DeviceMemoryResource, stream: Stream) -> None:
    buffer, attributes = pool.allocate(16, stream=stream), pool.attributes
    pool.close()
    buffer.fill(1, stream=stream)
    for use in (
        lambda: pool.allocate(16, stream=stream),
        lambda: pool.trim_to(0),
        lambda: pool.handle,
        lambda: pool.attributes,
        lambda: pool.peer_accessible_by,
        lambda: attributes.used_mem_current,
    ):
        with pytest.raises(InvalidState, match="this DeviceMemoryResource is closed"):
            use()
    buffer.close()


def test_the_device_itself_is_no_peer(device: Device, pool: DeviceMemoryResource) -> None:
    assert set(pool.peer_accessible_by) == set()
    pool.peer_accessible_by = [device, 0]
    pool.peer_accessible_by.add(0)
    assert len(pool.peer_accessible_by) == 0
    assert device not in pool.peer_accessible_by
    with pytest.raises(InvalidArgument):
        pool.peer_accessible_by = [1000]


def test_pinned_memory_is_the_hosts_too(device: Device, stream: Stream) -> None:
    for options in (None, PinnedMemoryResourceOptions(), {"max_size": 4 * MEBIBYTE}):
        with PinnedMemoryResource(options) as pool, pool.allocate(16, stream=stream) as buffer:
            stream.sync()
            np.frombuffer(memoryview(buffer), np.uint8)[:] = range(16)
            with device.allocate(16, stream=stream) as on_device:
                on_device.copy_from(buffer, stream=stream)
                buffer.fill(0, stream=stream)
                buffer.copy_from(on_device, stream=stream)
                stream.sync()
            assert bytes(buffer) == bytes(range(16))
            assert (pool.is_host_accessible, pool.is_managed, pool.device_id, pool.numa_id) == (True, False, -1, -1)
            assert pool.is_handle_owned == (options is not None)
            assert buffer.memory_resource is pool
    with pytest.raises(ValueError, match="NUMA node"):
        PinnedMemoryResource({"numa_id": -1})
    with PinnedMemoryResource({"ipc_enabled": True}) as shareable:
        assert shareable.numa_id >= 0  # memory that is shared is a node's


def test_managed_memory_moves(device: Device, stream: Stream, moving: ManagedBuffer) -> None:
    assert (moving.is_managed, moving.is_host_accessible) == (True, True)
    moving.fill(7, stream=stream)
    for location in (device, Host()):
        moving.prefetch(location, stream=stream)
    stream.sync()
    assert memoryview(moving)[1000] == 7
    moving.discard(stream=stream)
    moving.discard_prefetch(device, stream=stream)
    moving.fill(8, stream=stream)
    stream.sync()
    assert memoryview(moving)[1000] == 8
    with pytest.raises(TypeError, match="a location is a Device or a Host, not int"):
        moving.prefetch(0, stream=stream)  # type: ignore[arg-type]
    moving.close()
    with pytest.raises(InvalidState, match="prefetching a buffer: this ManagedBuffer is closed"):
        moving.prefetch(device, stream=stream)


def test_managed_memory_takes_advice(device: Device, moving: ManagedBuffer) -> None:
    assert moving.read_mostly is False
    try:
        moving.read_mostly = True
    except Unsupported:
        assert not device.is_simulator
        pytest.skip("this driver takes no advice about memory of a pool")
    assert moving.read_mostly is True
    assert moving.preferred_location is None
    for location in (device, Host(), None):
        moving.preferred_location = location
        assert moving.preferred_location == location
    assert moving.accessed_by == set()
    moving.accessed_by = [device]
    assert moving.accessed_by == {device}
    assert device in moving.accessed_by
    assert Host() not in moving.accessed_by
    with pytest.raises(TypeError):
        moving.accessed_by = [device, 0]  # type: ignore[list-item]
    assert moving.accessed_by == {device}
    moving.accessed_by.discard(device)
    assert len(moving.accessed_by) == 0


@pytest.mark.parametrize(
    ("options", "location"),
    [
        ({}, None),
        ({"preferred_location": 0}, ("device", 0)),
        ({"preferred_location": -1}, ("host", None)),
        ({"preferred_location": 0, "preferred_location_type": "device"}, ("device", 0)),
        ({"preferred_location_type": "host"}, ("host", None)),
        ({"preferred_location": 0, "preferred_location_type": "host_numa"}, ("host_numa", 0)),
    ],
)
def test_managed_memory_has_a_preferred_location(
    stream: Stream, options: dict[str, object], location: tuple[str, int | None] | None
) -> None:
    with ManagedMemoryResource(options) as pool, pool.allocate(16, stream=stream) as buffer:
        assert pool.preferred_location == location
        assert pool.device_id == (0 if location == ("device", 0) else -1)
        assert type(buffer) is ManagedBuffer
        assert isinstance(buffer, Buffer)


@pytest.mark.parametrize(
    "options",
    [
        ManagedMemoryResourceOptions(0, "host"),
        ManagedMemoryResourceOptions(None, "device"),
        ManagedMemoryResourceOptions(-1, "device"),
        ManagedMemoryResourceOptions(0, "moon"),
    ],
)
def test_what_is_no_location_is_refused(options: ManagedMemoryResourceOptions) -> None:
    with pytest.raises(ValueError, match="preferred_location"):
        ManagedMemoryResource(options)


def test_a_host_is_a_value() -> None:
    assert Host() is Host()
    assert Host(1) is Host(numa_id=1) is not Host()
    assert (Host(1).numa_id, Host().numa_id) == (1, None)
    assert Host.numa_current().is_numa_current
    for host in (Host(), Host(1), Host.numa_current()):
        assert pickle.loads(pickle.dumps(host)) is host
        assert eval(repr(host)) is host
    with pytest.raises(ValueError, match="give one of them"):
        Host(1, is_numa_current=True)
    with pytest.raises(ValueError, match="from 0 on"):
        Host(-1)
