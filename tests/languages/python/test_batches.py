"""Many copies, and many ranges of managed memory, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from cuprum import Error, InvalidArgument, InvalidState, Unsupported
from cuprum.core import Buffer, Device, Host, LegacyPinnedMemoryResource, ManagedMemoryResource
from cuprum.core.utils import (
    CopyOptions,
    MemcpyOverlapMode,
    MemcpySrcAccessOrder,
    copy_batch,
    discard_batch,
    discard_prefetch_batch,
    prefetch_batch,
)

SIZES = (1, 7, 1000, 64)


@pytest.fixture
def stream() -> Any:
    return Device(0).create_stream()


@pytest.fixture
def sources(stream: Any) -> list[Buffer]:
    made = [Device(0).allocate(size, stream=stream) for size in SIZES]
    for number, buffer in enumerate(made):
        buffer.fill(number + 1, stream=stream)
    return made


@pytest.fixture
def pinned() -> list[Buffer]:
    resource = LegacyPinnedMemoryResource()
    return [resource.allocate(size) for size in SIZES]


def contents(buffers: Sequence[Buffer]) -> list[list[int]]:
    return [sorted(set(np.frombuffer(memoryview(buffer), np.uint8).tolist())) for buffer in buffers]


@pytest.mark.parametrize(
    "options",
    [
        None,
        CopyOptions("any", overlap_mode="prefer_overlap_with_compute"),
        CopyOptions(MemcpySrcAccessOrder.DURING_API_CALL, Device(0), Host()),
        [CopyOptions(), CopyOptions(), CopyOptions("any"), CopyOptions("during_api_call")],
    ],
)
def test_batches_are_copied(options: Any, sources: list[Buffer], pinned: list[Buffer], stream: Any) -> None:
    copy_batch(stream, sources, pinned, options=options)
    stream.sync()
    assert contents(pinned) == [[1], [2], [3], [4]]
    copy_batch(stream, [], [], options=None)


def test_batches_are_copied_in_default_streams(sources: list[Buffer], pinned: list[Buffer], stream: Any) -> None:
    stream.sync()
    copy_batch(Device(0).default_stream, sources, pinned)
    Device(0).sync()
    assert contents(pinned) == [[1], [2], [3], [4]]


def test_batches_that_cannot_be_copied_are_refused(sources: list[Buffer], pinned: list[Buffer], stream: Any) -> None:
    with pytest.raises(InvalidArgument, match="sources is 4, that of destinations 3"):
        copy_batch(stream, sources, pinned[:3])
    with pytest.raises(InvalidArgument, match="destination 0 has another size than source 0"):
        copy_batch(stream, sources, pinned[::-1])
    with pytest.raises(InvalidArgument, match="destination 1 overlaps destination 0"):
        copy_batch(stream, [sources[0], sources[0]], [pinned[0], pinned[0]])
    with pytest.raises(TypeError, match="srcs must be a sequence of Buffers, not one Buffer"):
        copy_batch(stream, sources[0], pinned)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dsts must be Buffers, not bytearray"):
        copy_batch(stream, sources, [bytearray(1)] * 4)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="stream must be a Stream, not None"):
        copy_batch(None, sources, pinned)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4 copies, 1 options"):
        copy_batch(stream, sources, pinned, options=[CopyOptions()])
    with pytest.raises(ValueError, match=r"src_access_order must be one of 'stream', .* not 'sideways'"):
        CopyOptions("sideways")
    pinned[2].close()
    with pytest.raises(InvalidState, match="copying a batch of buffers: this Buffer is closed"):
        copy_batch(stream, sources, pinned)


def test_options_are_values() -> None:
    assert CopyOptions("any") == CopyOptions(MemcpySrcAccessOrder.ANY)
    assert CopyOptions(overlap_mode="default").overlap_mode is MemcpyOverlapMode.DEFAULT


def test_managed_memory_is_moved_and_discarded_in_batches(stream: Any) -> None:
    pool = ManagedMemoryResource()
    buffers = [pool.allocate(4096, stream=stream), pool.allocate(100, stream=stream)]
    for buffer in buffers:
        buffer.fill(7, stream=stream)
    refused: list[Error] = []
    everywhere: list[Any] = [Device(0), [Host(), Device(0)]]
    for locations in everywhere:
        try:
            prefetch_batch(stream, buffers, locations)
        except Unsupported as error:  # CUDA 13.0 moves no memory of pools
            refused.append(error)
    stream.sync()
    assert contents(buffers) == [[7], [7]]
    try:
        discard_batch(stream, buffers)
        discard_prefetch_batch(stream, buffers, Device(0))
    except Unsupported as error:
        refused.append(error)
    assert not refused or not Device(0).is_simulator
    buffers[0].fill(3, stream=stream)
    stream.sync()
    assert contents(buffers[:1]) == [[3]]

    with pytest.raises(InvalidArgument, match="buffers is 2, that of locations 3"):
        prefetch_batch(stream, buffers, [Host()] * 3)
    with pytest.raises(TypeError, match="a location is a Device or a Host, not int"):
        prefetch_batch(stream, buffers, 7)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="buffer 0 is not managed memory"):
        discard_batch(stream, [Device(0).allocate(16)])
