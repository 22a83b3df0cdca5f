"""Copies between arrays of any strides, by copies of regions."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum.core import _dlpack
from cuprum.core._buffer import Buffer
from cuprum.core._region import Region
from cuprum.core._stream import as_stream

if TYPE_CHECKING:
    from cuprum.core._memoryview import StridedMemoryView
    from cuprum.core._stream import IsStreamType, Stream


class _Axis(NamedTuple):
    """How many elements it has, and how many bytes apart they are in both arrays."""

    length: int
    to: int
    origin: int


def copy(
    destination: StridedMemoryView,
    source: StridedMemoryView,
    stream: Stream | IsStreamType | None,
    blocking: bool | None,
) -> None:
    """``StridedMemoryView.copy_from``."""
    _require_copyable(destination, source)
    if 0 in destination.shape:
        return
    to, origin = _Memory(destination), _Memory(source)
    if to.is_host and origin.is_host:
        raise ValueError("both views are of host memory: copy it with NumPy, numpy.copyto(destination, source)")
    waits = (to.is_host or origin.is_host) if blocking is None else blocking
    with to, origin:
        for to_region, origin_region in _regions(to, origin):
            if to.buffer is None:
                assert origin.buffer is not None
                origin.buffer.copy_region_to_host(to.block(), origin_region, to_region, stream=stream)
            elif origin.buffer is None:
                to.buffer.copy_region_from_host(origin.block(), to_region, origin_region, stream=stream)
            elif stream is None:
                raise TypeError("a copy between devices needs a stream: stream must be a Stream, not None")
            else:
                to.buffer.copy_region_from(origin.buffer, to_region, origin_region, stream=stream)
        if waits and stream is not None:
            as_stream(stream).sync()


def _require_copyable(destination: StridedMemoryView, source: StridedMemoryView) -> None:
    if destination.shape != source.shape:
        raise ValueError(f"the views have different shapes: {source.shape} cannot be copied to {destination.shape}")
    if destination.dtype != source.dtype:
        raise ValueError(f"the views have different types: {source.dtype} cannot be copied to {destination.dtype}")
    if destination.readonly:
        raise ValueError("the destination is read-only")


class _Memory:
    """The bytes that a view reaches, from the lowest address on: a borrowed buffer, or a block of host memory."""

    def __init__(self, view: StridedMemoryView) -> None:
        self._view = view
        size = view.dtype.itemsize
        self.strides = _byte_strides(view)
        reaches = [(length - 1) * stride for length, stride in zip(view.shape, self.strides, strict=True)]
        #: Of the first element, from the lowest address on.
        self.first = -sum(reach for reach in reaches if reach < 0)
        self._address = view.ptr - self.first
        self._size = sum(abs(reach) for reach in reaches) + size
        self.is_host = view.__dlpack_device__()[0] == _dlpack.CPU
        self.buffer: Buffer | None = None
        self.shape, self.item_size = view.shape, size

    def __enter__(self) -> _Memory:
        if not self.is_host:
            self.buffer = Buffer.from_handle(self._address, self._size, owner=self._view)
        return self

    def __exit__(self, *exception: object) -> None:
        if self.buffer is not None:
            self.buffer.close()

    def block(self) -> Any:
        """An object with the buffer protocol, which keeps the view and its memory."""
        block = (ctypes.c_char * self._size).from_address(self._address)
        block._view = self._view  # type: ignore[attr-defined]
        return block


def _byte_strides(view: StridedMemoryView) -> tuple[int, ...]:
    if view.strides is not None:
        return tuple(stride * view.dtype.itemsize for stride in view.strides)
    strides: list[int] = []
    step = view.dtype.itemsize
    for length in reversed(view.shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def _regions(to: _Memory, origin: _Memory) -> Iterator[tuple[Region, Region]]:
    """The copies that together are that of all elements: as few as there may be."""
    to_first, origin_first = to.first, origin.first
    axes: list[_Axis] = []
    for axis in map(_Axis._make, zip(to.shape, to.strides, origin.strides, strict=True)):
        if axis.length == 1:
            continue
        if axis.to == 0:
            raise ValueError("elements of the destination share memory: one of its strides is 0")
        if axis.to < 0 and axis.origin < 0:  # the same elements from the other end
            to_first += (axis.length - 1) * axis.to
            origin_first += (axis.length - 1) * axis.origin
            axis = _Axis(axis.length, -axis.to, -axis.origin)
        axes.append(axis)
    width, axes = _joined(sorted(axes, key=lambda axis: (abs(axis.to), abs(axis.origin))), to.item_size)
    rows = _longest([axis for axis in axes if min(axis.to, axis.origin) >= width])
    slices = None
    if rows is not None:
        to_reach, origin_reach = ((rows.length - 1) * pitch + width for pitch in (rows.to, rows.origin))
        slices = _longest(
            [axis for axis in axes if axis is not rows and axis.to >= to_reach and axis.origin >= origin_reach]
        )
    height, to_row, origin_row = rows or (1, 0, 0)
    depth, to_slice, origin_slice = slices or (1, 0, 0)
    others = [axis for axis in axes if axis is not rows and axis is not slices]
    for place in itertools.product(*(range(axis.length) for axis in others)):
        to_offset = to_first + sum(index * axis.to for index, axis in zip(place, others, strict=True))
        origin_offset = origin_first + sum(index * axis.origin for index, axis in zip(place, others, strict=True))
        yield (
            Region(width, height, depth, to_offset, to_row, to_slice),
            Region(width, height, depth, origin_offset, origin_row, origin_slice),
        )


def _joined(axes: list[_Axis], item_size: int) -> tuple[int, list[_Axis]]:
    """The bytes that are contiguous in both arrays, and the other axes, joined where both arrays permit it."""
    width = item_size
    while axes and axes[0].to == axes[0].origin == width:
        width *= axes.pop(0).length
    joined: list[_Axis] = []
    for axis in axes:
        last = joined[-1] if joined else None
        if last and axis.to == last.to * last.length and axis.origin == last.origin * last.length:
            joined[-1] = last._replace(length=last.length * axis.length)
        else:
            joined.append(axis)
    return width, joined


def _longest(axes: list[_Axis]) -> _Axis | None:
    return max(axes, key=lambda axis: axis.length, default=None)
