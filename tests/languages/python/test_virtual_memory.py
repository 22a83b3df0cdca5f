"""Virtual memory resources, whose buffers can grow."""

from __future__ import annotations

import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState, Unsupported
from cuprum.core import Device, LegacyPinnedMemoryResource, Stream, VirtualMemoryResource, VirtualMemoryResourceOptions

pytestmark = pytest.mark.usefixtures("no_leaks")


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
        ({"location_type": "host"}, Unsupported),
        ({"allocation_type": "managed"}, Unsupported),
    ],
)
def test_options_that_cannot_be_had_are_refused(device: Device, options: dict[str, object], error: type) -> None:
    with pytest.raises(error):
        VirtualMemoryResource(device, options)


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
