"""64-bit values stay 64 bits wide on every way through the interface."""

from __future__ import annotations

import cuprum
import pytest
from cuprum import _cuprum
from cuprum.core import Buffer, Device, Stream

WIDE = 0xFFFFFFFF00000001


def test_addresses_and_sizes_of_borrowed_memory() -> None:
    with Buffer.from_handle(WIDE, 16) as buffer:
        assert buffer.handle == WIDE
        assert _cuprum.cuprum_buffer_native(buffer._native) == WIDE
        assert buffer.__cuda_array_interface__["data"] == (WIDE, False)
    with Buffer.from_handle(16, WIDE) as buffer:
        assert buffer.size == WIDE
        assert _cuprum.cuprum_buffer_size(buffer._native) == WIDE


def test_handles_of_borrowed_streams(device: Device, stream: Stream) -> None:
    with Stream.from_handle(stream.handle) as borrowed:
        assert borrowed.handle == stream.handle
        assert borrowed.__cuda_stream__() == (0, stream.handle)
    if device.is_simulator:  # a real driver follows it
        with pytest.raises(cuprum.CUDAError, match="0xffffffff00000001"):
            Stream.from_handle(WIDE)


@pytest.mark.parametrize("value", [WIDE, (1 << 64) - 1, 1 << 63])
def test_handles_passed_in_reach_c_whole(value: int) -> None:
    # Cut to 32 bits, WIDE would be 1.
    with pytest.raises(cuprum.InvalidHandle) as caught:
        _cuprum.cuprum_buffer_size(value)
    assert f"{value:x}" in str(caught.value).lower()


def test_offsets_and_sizes_passed_in_reach_c_whole(device: Device) -> None:
    with device.allocate(8) as buffer:
        with pytest.raises(cuprum.InvalidArgument) as caught:
            buffer.copy_from_host(b"1", offset=WIDE)
        assert str(WIDE) in str(caught.value)
    with pytest.raises(MemoryError) as exhausted:
        device.allocate(WIDE)
    assert str(WIDE) in str(exhausted.value)


def test_sizes_given_out_are_whole(device: Device) -> None:
    assert 0 < device.free_memory <= device.total_memory
    assert device.total_memory > 1 << 32 or device.is_simulator


def test_32_bit_numbers_are_refused_when_they_are_wider() -> None:
    for value in (WIDE, 1 << 31, -(1 << 31) - 1):
        with pytest.raises(OverflowError):
            _cuprum.cuprum_device_name(value)
