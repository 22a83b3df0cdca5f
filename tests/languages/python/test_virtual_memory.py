"""Virtual memory resources, whose buffers can grow."""

from __future__ import annotations

import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState, Unsupported
from cuprum.bindings import driver
from cuprum.core import (
    Buffer,
    Device,
    LegacyPinnedMemoryResource,
    Stream,
    VirtualMemoryResource,
    VirtualMemoryResourceOptions,
)

pytestmark = pytest.mark.usefixtures("no_leaks")


def access_of(buffer: Buffer) -> int:
    location = driver.CUmemLocation()
    location.type = driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE
    location.id = 0
    error, flags = driver.cuMemGetAccess(location, buffer.handle)
    assert error == driver.CUresult.CUDA_SUCCESS
    return int(flags)


def test_a_buffer_grows_with_its_content(device: Device, stream: Stream) -> None:
    with VirtualMemoryResource(device) as resource, resource.allocate(4000) as buffer:
        unit = resource.granularity
        assert (buffer.size, buffer.handle % unit, buffer.memory_resource) == (4000, 0, resource)
        assert (resource.device_id, resource.is_host_accessible, resource.is_device_accessible) == (0, False, True)
        buffer.copy_from_host(np.arange(1000, dtype=np.float32))
        for units in (1, 2, 5):
            assert resource.modify_allocation(buffer, units * unit) is buffer
            assert buffer.size == units * unit
            buffer.copy_from_host(np.full(units, 7, np.uint8), offset=units * (unit - 1))
        back = np.zeros(1000, np.float32)
        buffer.copy_to_host(back, stream=stream)
        stream.sync()
        assert np.array_equal(back, np.arange(1000))


def test_options_are_those_of_the_resource(device: Device) -> None:
    options = VirtualMemoryResourceOptions(granularity="minimum", handle_type=None, addr_align=1 << 22, peers=[device])
    with VirtualMemoryResource(device, options) as resource, resource.allocate(1) as buffer:
        assert resource.config is options
        assert buffer.handle % (1 << 22) == 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"self_access": "w"}, ValueError),
        ({"granularity": "large"}, ValueError),
        ({"handle_type": "fabric"}, ValueError),
        ({"peers": [-1]}, ValueError),
        ({"peers": [63]}, InvalidArgument),
        ({"addr_align": 3}, InvalidArgument),
        ({"location_type": "here"}, ValueError),
        ({"location_type": "host", "handle_type": "posix_fd"}, InvalidArgument),
        ({"location_type": "host_numa", "handle_type": None, "numa_id": -1}, InvalidArgument),
        ({"allocation_type": "managed"}, Unsupported),
    ],
)
def test_options_that_cannot_be_had_are_refused(device: Device, options: dict[str, object], error: type) -> None:
    with pytest.raises(error):
        VirtualMemoryResource(device, options)


@pytest.mark.parametrize("location_type", ["host", "host_numa", "host_numa_current"])
def test_host_memory_is_used_in_place_and_grows(device: Device, stream: Stream, location_type: str) -> None:
    options = {"location_type": location_type, "handle_type": None}
    with VirtualMemoryResource(device, options) as resource, resource.allocate(16) as buffer:
        assert (resource.device_id, resource.is_host_accessible, resource.is_device_accessible) == (-1, True, True)
        np.frombuffer(memoryview(buffer), np.uint8)[:] = 3
        assert resource.modify_allocation(buffer, 3 * resource.granularity).is_host_accessible
        buffer.copy_from_host(np.full(8, 5, np.uint8), stream=stream)
        stream.sync()
        assert np.frombuffer(memoryview(buffer), np.uint8)[:16].tolist() == [5] * 8 + [3] * 8
        with memoryview(buffer) as view:
            with pytest.raises(InvalidState, match="viewed as host memory"):
                resource.modify_allocation(buffer, 9 * resource.granularity)
            assert view[15] == 3
        resource.modify_allocation(buffer, 9 * resource.granularity)


def test_a_buffer_grows_with_other_options(device: Device, stream: Stream) -> None:
    with VirtualMemoryResource(device) as resource, resource.allocate(16) as buffer:
        buffer.fill(1, stream=stream)
        readable = VirtualMemoryResourceOptions(self_access="r")
        assert resource.modify_allocation(buffer, 16, readable) is buffer
        assert resource.config is readable
        assert access_of(buffer) == driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READ
        resource.modify_allocation(buffer, 3 * resource.granularity, {"self_access": "rw"})
        assert resource.config.self_access == "rw"
        assert access_of(buffer) == driver.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        buffer.fill(2, stream=stream)
        stream.sync()
        with pytest.raises(InvalidArgument, match="a buffer lies in one place"):
            resource.modify_allocation(buffer, 4 * resource.granularity, {"location_type": "host", "handle_type": None})
        assert resource.config.location_type == "device"
        assert buffer.size == 3 * resource.granularity


def test_only_buffers_of_the_resource_grow(device: Device) -> None:
    with (
        VirtualMemoryResource(device) as resource,
        LegacyPinnedMemoryResource() as pinned,
        pinned.allocate(16) as other,
        resource.allocate(16) as buffer,
    ):
        with pytest.raises(InvalidArgument, match="not allocated from this memory resource"):
            resource.modify_allocation(other, 32)
        with pytest.raises(InvalidArgument, match="only become larger"):
            resource.modify_allocation(buffer, 8)
        assert buffer.size == 16
        buffer.close()
        with pytest.raises(InvalidState):
            resource.modify_allocation(buffer, 32)
