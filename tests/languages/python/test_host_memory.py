"""Copies between host and device: anything with the buffer protocol, held while it is in use."""

from __future__ import annotations

import array
import ctypes
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from cuprum.core import Device, Stream

pytestmark = pytest.mark.usefixtures("no_leaks")


@pytest.mark.parametrize(
    "source",
    [
        b"12345678",
        bytearray(b"12345678"),
        memoryview(b"__12345678")[2:],
        array.array("B", b"12345678"),
        np.frombuffer(b"12345678", dtype=np.uint32),
        np.frombuffer(b"12345678", dtype=np.uint16).reshape(2, 2),
        (ctypes.c_uint8 * 8)(*b"12345678"),
    ],
    ids=lambda source: type(source).__name__,
)
def test_anything_with_contiguous_memory_can_be_copied_from(device: Device, source: Any) -> None:
    result = bytearray(8)
    with device.allocate(8) as buffer:
        buffer.copy_from_host(source)
        buffer.copy_to_host(result)
    assert result == b"12345678"


@pytest.mark.parametrize(
    "destination",
    [bytearray(8), memoryview(bytearray(8)), array.array("Q", [0]), np.zeros((2, 2), np.uint16), ctypes.c_uint64(0)],
    ids=lambda destination: type(destination).__name__,
)
def test_anything_writable_can_be_copied_to(device: Device, destination: Any) -> None:
    with device.allocate(8) as buffer:
        buffer.copy_from_host(b"12345678")
        buffer.copy_to_host(destination)
    assert bytes(memoryview(destination).cast("B")) == b"12345678"


def test_memory_that_is_not_contiguous_is_refused(device: Device) -> None:
    with device.allocate(64) as buffer:
        with pytest.raises(ValueError, match=r"C-contiguous, and that of ndarray is not"):
            buffer.copy_from_host(np.zeros((4, 4), np.float32)[::2])
        with pytest.raises(ValueError, match=r"C-contiguous, and that of ndarray is not"):
            buffer.copy_to_host(np.zeros((4, 4), np.float32).T[1:])


def test_memory_that_cannot_be_written_is_refused_as_a_destination(device: Device) -> None:
    constant = np.zeros(4)
    constant.flags.writeable = False
    with device.allocate(64) as buffer:
        for destination in (b"1234", constant):
            with pytest.raises(ValueError, match="must be writable"):
                buffer.copy_to_host(destination)


@pytest.mark.parametrize("thing", [[1, 2], "text", 1, None])
def test_what_has_no_memory_to_lend_is_refused(device: Device, thing: Any) -> None:
    with device.allocate(64) as buffer, pytest.raises(TypeError, match=f"buffer protocol.*got {type(thing).__name__}"):
        buffer.copy_from_host(thing)


def test_offsets_are_bytes(device: Device) -> None:
    result = bytearray(2)
    with device.allocate(8) as buffer:
        buffer.copy_from_host(b"12345678")
        buffer.copy_from_host(b"ab", offset=3)
        buffer.copy_to_host(result, offset=4)
    assert result == b"b6"


def test_host_memory_stays_alive_until_the_stream_has_passed_the_copy(device: Device, stream: Stream) -> None:
    class Memory(bytearray):
        pass

    source = Memory(1 << 16)
    alive = weakref.ref(source)
    with device.allocate(1 << 16, stream=stream) as buffer:
        buffer.copy_from_host(source, stream=stream)
        with pytest.raises(BufferError):
            source.append(0)  # would move it
        del source
        gc.collect()
        assert alive() is not None
        stream.sync()
        assert alive() is None


def test_host_memory_survives_a_stream_that_is_closed_before_the_copy_is_known_to_be_done(device: Device) -> None:
    result = np.zeros(1 << 20, dtype=np.uint8)
    with device.allocate(result.nbytes) as buffer:
        buffer.fill(7, stream=device.default_stream)
        device.sync()
        stream = device.create_stream()
        buffer.copy_to_host(result, stream=stream)
        stream.close()
        device.sync()
    assert (result == 7).all()


def test_the_device_keeps_the_memory_of_closed_streams_until_its_next_sync(device: Device) -> None:
    source = bytearray(b"1234")
    device._keep_until_sync([memoryview(source)])
    with pytest.raises(BufferError):
        source.append(0)  # would move it
    device.sync()
    source.append(0)


def test_many_asynchronous_copies_do_not_pile_up(device: Device, stream: Stream) -> None:
    with device.allocate(4) as buffer:
        for _ in range(200):
            buffer.copy_from_host(b"1234", stream=stream)
            if len(stream._in_flight) % 20 == 0:
                stream.sync()
        assert len(stream._in_flight) < 200


def test_empty_copies_are_allowed(device: Device) -> None:
    with device.allocate(0) as buffer:
        assert buffer.size == 0
        buffer.copy_from_host(b"")
        buffer.copy_to_host(bytearray())


def test_copies_between_buffers(device: Device, stream: Stream) -> None:
    result = bytearray(8)
    with device.allocate(8) as source:
        source.copy_from_host(b"12345678")
        with source.copy_to(stream=stream) as copy, device.allocate(8) as third:
            third.copy_from(copy, stream=stream)
            third.copy_to_host(result, stream=stream)
            stream.sync()
    assert result == b"12345678"


@pytest.mark.parametrize(
    ("value", "expected"), [(0xAB, b"\xab" * 8), (b"\x01", b"\x01" * 8), (b"ab", b"abab" * 2), (b"abcd", b"abcdabcd")]
)
def test_fill_takes_a_byte_or_a_pattern(device: Device, stream: Stream, value: int | bytes, expected: bytes) -> None:
    result = bytearray(8)
    with device.allocate(8) as buffer:
        buffer.fill(value, stream=stream)
        buffer.copy_to_host(result, stream=stream)
        stream.sync()
    assert result == expected


@pytest.mark.parametrize("value", [-1, 256, b"", b"abc", b"abcde"])
def test_fill_refuses_what_is_no_pattern(device: Device, stream: Stream, value: int | bytes) -> None:
    with device.allocate(8) as buffer, pytest.raises(ValueError, match="fill"):
        buffer.fill(value, stream=stream)
