"""Copies and fills of regions, and of arrays of any strides."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from cuprum import InvalidArgument, InvalidState
from cuprum.core import Buffer, Device, LegacyPinnedMemoryResource, Region
from cuprum.core.utils import StridedMemoryView


@pytest.fixture
def stream() -> Any:
    return Device(0).create_stream()


def on_device(array: np.ndarray[Any, Any], stream: Any) -> Buffer:
    buffer = Device(0).allocate(array.nbytes, stream=stream)
    buffer.copy_from_host(array, stream=stream)
    return buffer


def content(buffer: Buffer, stream: Any) -> np.ndarray[Any, Any]:
    array = np.empty(buffer.size, np.uint8)
    buffer.copy_to_host(array, stream=stream)
    stream.sync()
    return array


def test_a_part_of_a_matrix_is_copied_in_and_out(stream: Any) -> None:
    matrix = np.arange(60, dtype=np.uint8).reshape(6, 10)
    buffer = on_device(matrix, stream)
    middle = Region(width=4, height=3, offset=12, row_pitch=10)
    assert middle.packed() == Region(4, 3)
    part = np.empty((3, 4), np.uint8)
    buffer.copy_region_to_host(part, middle, stream=stream)
    stream.sync()
    assert (part == matrix[1:4, 2:6]).all()
    buffer.copy_region_to_host(part, middle)
    assert (part == matrix[1:4, 2:6]).all()

    matrix[1:4, 2:6] = 200
    buffer.copy_region_from_host(matrix, middle, middle, stream=stream)
    assert (content(buffer, stream) == matrix.reshape(-1)).all()
    matrix[1:4, 2:6] = part
    buffer.copy_region_from_host(part, middle)
    assert (content(buffer, stream) == matrix.reshape(-1)).all()


def test_regions_are_copied_between_buffers_and_filled(stream: Any) -> None:
    source = on_device(np.arange(24, dtype=np.uint8), stream)
    target = LegacyPinnedMemoryResource().allocate(48)
    seen = np.frombuffer(memoryview(target), np.uint8).reshape(4, 12)
    seen[:] = 0
    right = Region(width=6, height=4, offset=6, row_pitch=12)
    target.copy_region_from(source, right, stream=stream)
    stream.sync()
    assert (seen[:, 6:] == np.arange(24).reshape(4, 6)).all()
    assert not seen[:, :6].any()
    target.fill_region(b"\x01\x02", right, stream=stream)
    target.fill_region(9, Region(1, 4, row_pitch=12), stream=stream)
    stream.sync()
    assert seen.tolist() == [[9, 0, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2]] * 4


def test_mistakes_are_errors_that_say_what_to_do(stream: Any) -> None:
    buffer = on_device(np.zeros(100, np.uint8), stream)
    with pytest.raises(InvalidArgument, match=r"filling a region.*10 bytes x 11 rows.*ends at byte 110.*100 bytes"):
        buffer.fill_region(0, Region(10, 11), stream=stream)
    with pytest.raises(InvalidArgument, match="overlaps the source"):
        buffer.copy_region_from(buffer, Region(10, offset=5), Region(10), stream=stream)
    with pytest.raises(InvalidArgument, match="row pitch smaller than its width"):
        buffer.fill_region(0, Region(10, 2, row_pitch=9), stream=stream)
    with pytest.raises(InvalidArgument, match="has no bytes"):
        buffer.copy_region_from_host(b"", Region(0))
    with pytest.raises(InvalidArgument, match=r"ends at byte 10, and the host memory has 9 bytes"):
        buffer.copy_region_from_host(bytes(9), Region(10))
    with pytest.raises(TypeError, match="region must be a Region, not tuple"):
        buffer.fill_region(0, (10, 10), stream=stream)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="src must be a Buffer, not bytes; copy_region_from_host"):
        buffer.copy_region_from(b"", Region(1), stream=stream)  # type: ignore[arg-type]
    with pytest.raises((OverflowError, ValueError, TypeError), match="width"):
        buffer.fill_region(0, Region(-1), stream=stream)
    with pytest.raises(ValueError, match="read-only"):
        buffer.copy_region_to_host(bytes(10), Region(10))
    buffer.close()
    with pytest.raises(InvalidState, match="closed"):
        buffer.fill_region(0, Region(1), stream=stream)
    with pytest.raises(InvalidState, match="closed"):
        buffer.copy_region_from_host(b"1", Region(1))
    with pytest.raises(InvalidState, match="closed"):
        buffer.copy_region_to_host(bytearray(1), Region(1))
    with pytest.raises(InvalidState, match="closed"):
        buffer.copy_region_from(buffer, Region(1), stream=stream)


def test_a_devices_row_pitch_keeps_rows_aligned() -> None:
    pitch = Device(0).row_pitch(100)
    assert pitch >= 100
    assert Device(0).row_pitch(pitch) == pitch


SLICES = (slice(None), slice(1, None), slice(None, None, 2), slice(None, None, -1), slice(-1, 0, -2))


def slicings(dimensions: int, choose: random.Random) -> tuple[slice, ...]:
    return tuple(choose.choice(SLICES) for _ in range(dimensions))


@pytest.mark.parametrize("dimensions", [0, 1, 2, 3, 4])
def test_views_of_any_strides_are_copied(dimensions: int, stream: Any) -> None:
    choose = random.Random(dimensions)
    for _ in range(40):
        whole = tuple(choose.randint(3, 6) for _ in range(dimensions))
        host = np.arange(int(np.prod(whole)), dtype=np.int16).reshape(whole)
        order = list(range(dimensions))
        if choose.random() < 0.3:
            choose.shuffle(order)
        picked = host.transpose(order)[slicings(dimensions, choose)]
        host_view = StridedMemoryView.from_array_interface(picked)

        # The device's array has gaps of its own.
        room = tuple(length + choose.randint(0, 2) for length in picked.shape)
        backing = np.full(room, -1, np.int16)
        buffer = on_device(backing, stream)
        place = tuple(slice(0, length) for length in picked.shape)
        device_view = strided(buffer, backing[place])
        device_view.copy_from(host_view, stream)
        expected = backing.copy()
        expected[place] = picked
        assert (content(buffer, stream).view(np.int16).reshape(room) == expected).all()

        back = np.zeros_like(host)
        target = back.transpose(order)[slicings(dimensions, choose)]
        if target.shape == picked.shape:
            device_view.copy_to(StridedMemoryView.from_array_interface(target))
            assert (target == picked).all()
            assert back.sum() == picked.sum()

        other = on_device(np.zeros(room, np.int16), stream)
        strided(other, backing[place]).copy_from(device_view, stream)
        between = content(other, stream).view(np.int16).reshape(room)
        assert (between[place] == picked).all()


def strided(buffer: Buffer, like: np.ndarray[Any, Any]) -> StridedMemoryView:
    """A view of a buffer with an array's shape and strides."""

    class Array:
        __cuda_array_interface__ = {
            "shape": like.shape,
            "typestr": like.dtype.str,
            "data": (buffer.handle, False),
            "version": 3,
            "strides": like.strides,
        }

    return StridedMemoryView.from_cuda_array_interface(Array(), -1)


def test_broadcast_sources_are_repeated(stream: Any) -> None:
    row = np.arange(5, dtype=np.float32)
    buffer = on_device(np.zeros((3, 5), np.float32), stream)
    view = StridedMemoryView.from_buffer(buffer, (3, 5), dtype=np.float32)
    view.copy_from(StridedMemoryView.from_array_interface(np.broadcast_to(row, (3, 5))), stream)
    assert (content(buffer, stream).view(np.float32).reshape(3, 5) == row).all()


def test_a_part_of_a_volume_is_few_copies(stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = itertools.count()
    copy = Buffer.copy_region_from_host
    monkeypatch.setattr(Buffer, "copy_region_from_host", lambda *a, **k: (next(calls), copy(*a, **k))[1])
    volume = np.zeros((8, 9, 10), np.float64)
    buffer = on_device(volume, stream)
    part = StridedMemoryView.from_array_interface(np.ones((4, 4, 4)))
    strided(buffer, volume[2:6, 3:7, 1:5]).copy_from(part, stream)
    assert next(calls) == 1


def test_views_that_do_not_match_are_refused(stream: Any) -> None:
    buffer = on_device(np.zeros(12, np.float32), stream)
    view = StridedMemoryView.from_buffer(buffer, (3, 4), dtype=np.float32)
    host = StridedMemoryView.from_array_interface(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError, match=r"different shapes: \(4, 3\)"):
        view.copy_from(StridedMemoryView.from_array_interface(np.zeros((4, 3), np.float32)), stream)
    with pytest.raises(ValueError, match="different types: int32"):
        view.copy_from(StridedMemoryView.from_array_interface(np.zeros((3, 4), np.int32)), stream)
    with pytest.raises(ValueError, match="read-only"):
        view.copy_to(StridedMemoryView.from_array_interface(np.broadcast_to(np.float32(0), (3, 4))), stream)
    with pytest.raises(ValueError, match=r"numpy\.copyto"):
        host.copy_from(host, stream)
    with pytest.raises(TypeError, match="stream must be a Stream"):
        view.copy_from(view, None)
    with pytest.raises(InvalidArgument, match="overlaps"):
        view.copy_from(view, stream)
    shared = np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (3, 4), (0, 4))
    with pytest.raises(ValueError, match="share memory"):
        view.copy_to(StridedMemoryView.from_array_interface(shared), stream)
    empty = StridedMemoryView.from_array_interface(np.zeros((0, 4), np.float32))
    StridedMemoryView.from_buffer(buffer, (0, 4), dtype=np.float32).copy_from(empty, stream)
