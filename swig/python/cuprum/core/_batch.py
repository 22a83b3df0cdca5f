"""Many copies, or many ranges of managed memory, in one call."""

from __future__ import annotations

import enum
import itertools
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._host import NO_LOCATION, location_numbers
from cuprum.core._stream import native_stream

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._host import Host
    from cuprum.core._stream import IsStreamType, Stream


class MemcpySrcAccessOrder(enum.StrEnum):
    """When the source of a copy is read."""

    #: In the stream's order.
    STREAM = "stream"
    #: Before the call returns; no earlier work may still write it.
    DURING_API_CALL = "during_api_call"
    #: At any time until the copy is done; no earlier work may still write it.
    ANY = "any"


class MemcpyOverlapMode(enum.StrEnum):
    """Whether a copy should rather overlap with kernels."""

    DEFAULT = "default"
    PREFER_OVERLAP_WITH_COMPUTE = "prefer_overlap_with_compute"


_ORDER_NUMBERS = {
    MemcpySrcAccessOrder.STREAM: _cuprum.CUPRUM_COPY_SOURCE_STREAM,
    MemcpySrcAccessOrder.DURING_API_CALL: _cuprum.CUPRUM_COPY_SOURCE_DURING_API_CALL,
    MemcpySrcAccessOrder.ANY: _cuprum.CUPRUM_COPY_SOURCE_ANY,
}


@dataclass(frozen=True)
class CopyOptions:
    """Hints for a copy of a batch, which change no result.

    - ``src_access_order``: when the source is read.
    - ``src_location_hint``, ``dst_location_hint``: where managed memory is read and written; None: no hint.
    - ``overlap_mode``: whether the copy should rather overlap with kernels.
    """

    src_access_order: MemcpySrcAccessOrder | str = MemcpySrcAccessOrder.STREAM
    src_location_hint: Device | Host | None = None
    dst_location_hint: Device | Host | None = None
    overlap_mode: MemcpyOverlapMode | str = MemcpyOverlapMode.DEFAULT

    def __post_init__(self) -> None:
        """ValueError for a word that is not in the enumeration."""
        for name, words in (("src_access_order", MemcpySrcAccessOrder), ("overlap_mode", MemcpyOverlapMode)):
            value = getattr(self, name)
            if value not in list(words):
                raise ValueError(f"{name} must be one of {', '.join(map(repr, map(str, words)))}, not {value!r}")
            object.__setattr__(self, name, words(value))

    def _numbers(self) -> tuple[int, int, int, int, int, int]:
        return (
            _ORDER_NUMBERS[MemcpySrcAccessOrder(self.src_access_order)],
            *_location(self.src_location_hint),
            *_location(self.dst_location_hint),
            int(self.overlap_mode == MemcpyOverlapMode.PREFER_OVERLAP_WITH_COMPUTE),
        )


def copy_batch(
    stream: Stream | IsStreamType,
    srcs: Sequence[Buffer],
    dsts: Sequence[Buffer],
    *,
    options: CopyOptions | Sequence[CopyOptions] | None = None,
) -> None:
    """Copies each source to the destination of its number, which has the same size, in the stream's order.

    The copies themselves take place in any order or at once: a destination must overlap neither a source nor another
    destination (InvalidArgument). ``options``: one for all, or one for each copy; neighbours with the same options are
    one batch. Where the driver has no batches (before CUDA 13, in default streams, in captures), the buffers are copied
    one after another.
    """
    operation = _operations.COPY_BATCH
    sources, destinations = _handles("srcs", srcs, operation), _handles("dsts", dsts, operation)
    native, _ = _stream(stream, operation)
    if options is not None and not isinstance(options, CopyOptions | Sequence):
        raise TypeError(f"options must be a CopyOptions or a sequence of them, not {type(options).__name__}")
    each = list(options) if isinstance(options, Sequence) else [options or CopyOptions()] * len(srcs)
    if len(each) != len(srcs):
        raise ValueError(f"options must be one for all copies or one for each: {len(srcs)} copies, {len(each)} options")
    if any(not isinstance(option, CopyOptions) for option in each):
        raise TypeError("options must be a CopyOptions or a sequence of them")
    runs = [(numbers, len(list(run))) for numbers, run in itertools.groupby(option._numbers() for option in each)]
    if len(runs) <= 1 or len(sources) != len(destinations):
        _cuprum.cuprum_copy_batch(native, sources, destinations, *(runs[0][0] if runs else CopyOptions()._numbers()))
        return
    start = 0
    for numbers, length in runs:
        run = slice(start, start + length)
        _cuprum.cuprum_copy_batch(native, sources[run], destinations[run], *numbers)
        start += length


def prefetch_batch(
    stream: Stream | IsStreamType, buffers: Sequence[Buffer], locations: Device | Host | Sequence[Device | Host]
) -> None:
    """Moves the pages of managed memory, in the stream's order: to one location, or to one for each buffer."""
    operation = _operations.PREFETCH_BATCH
    handles = _handles("buffers", buffers, operation)
    native, _ = _stream(stream, operation)
    _cuprum.cuprum_prefetch_batch(native, handles, _pairs(locations))


def discard_batch(stream: Stream | IsStreamType, buffers: Sequence[Buffer]) -> None:
    """From here on in the stream the contents are undefined until they are written. Unsupported before CUDA 13."""
    operation = _operations.DISCARD_BATCH
    handles = _handles("buffers", buffers, operation)
    native, _ = _stream(stream, operation)
    _cuprum.cuprum_discard_batch(native, handles)


def discard_prefetch_batch(
    stream: Stream | IsStreamType, buffers: Sequence[Buffer], locations: Device | Host | Sequence[Device | Host]
) -> None:
    """Discards the contents and moves the pages without copying them. Unsupported before CUDA 13."""
    operation = _operations.DISCARD_PREFETCH_BATCH
    handles = _handles("buffers", buffers, operation)
    native, _ = _stream(stream, operation)
    _cuprum.cuprum_discard_prefetch_batch(native, handles, _pairs(locations))


def _handles(name: str, buffers: Sequence[Buffer], operation: str) -> array[int]:
    if isinstance(buffers, Buffer):
        raise TypeError(f"{name} must be a sequence of Buffers, not one Buffer")
    for each in buffers:
        if not isinstance(each, Buffer):
            raise TypeError(f"{name} must be Buffers, not {type(each).__name__}")
    return array("Q", [each._open_native(operation) for each in buffers])


def _stream(stream: Stream | IsStreamType, operation: str) -> tuple[int, Stream | None]:
    if stream is None:
        raise TypeError("stream must be a Stream, not None")
    return native_stream(stream, operation)


def _location(location: Device | Host | None) -> tuple[int, int]:
    return (NO_LOCATION, 0) if location is None else location_numbers(location)


def _pairs(locations: Device | Host | Sequence[Device | Host]) -> array[int]:
    each = locations if isinstance(locations, Sequence) else [locations]
    return array("i", [number for location in each for number in location_numbers(location)])
