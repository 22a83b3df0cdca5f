"""Shapes and strides: which byte of an array's memory an element begins at. No device is needed for any of this.

Strides are in bytes, as NumPy's are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import index as as_index
from typing import Any, NamedTuple

import numpy as np

Shape = tuple[int, ...]


def as_shape(shape: Any) -> Shape:
    """A shape that is given as an int, a sequence of ints or an array of them."""
    if isinstance(shape, np.ndarray) and shape.ndim == 0:
        shape = shape.item()
    try:
        dimensions: Iterable[Any] = (as_index(shape),)
    except TypeError:
        dimensions = shape
    try:
        result = tuple(as_index(size) for size in dimensions)
    except TypeError:
        raise TypeError(f"a shape is an int or a tuple of ints, not {shape!r}") from None
    if any(size < 0 for size in result):
        raise ValueError(f"an array cannot have a negative number of elements: its shape is {result}")
    return result


def c_strides(shape: Shape, itemsize: int) -> Shape:
    """The last index moves fastest."""
    strides = []
    for size in reversed(shape):
        strides.append(itemsize)
        itemsize *= size
    return tuple(reversed(strides))


def f_strides(shape: Shape, itemsize: int) -> Shape:
    """The first index moves fastest."""
    return tuple(reversed(c_strides(tuple(reversed(shape)), itemsize)))


def strides_in_order(shape: Shape, itemsize: int, order: str) -> Shape:
    """Those of order ``"C"`` or ``"F"``."""
    if order == "C":
        return c_strides(shape, itemsize)
    if order == "F":
        return f_strides(shape, itemsize)
    raise ValueError(f"invalid order: {order}; it is 'C' or 'F'")


def compact_strides(shape: Shape, strides: Sequence[int], itemsize: int) -> Shape:
    """Strides without gaps that keep the order of the axes."""
    result = [0] * len(shape)
    for axis in sorted(range(len(shape)), key=lambda axis: (abs(strides[axis]), -axis)):
        result[axis] = itemsize
        itemsize *= max(shape[axis], 1)
    return tuple(result)


def _is_contiguous(shape: Shape, strides: Sequence[int], expected: Sequence[int]) -> bool:
    if 0 in shape:
        return True
    return all(
        size == 1 or stride == wanted for size, stride, wanted in zip(shape, strides, expected, strict=True)
    )  # fmt: skip


class ArrayFlags:
    """How an array's elements lie: ``c_contiguous``, ``f_contiguous``, and ``forc``, one of the two."""

    __slots__ = ("c_contiguous", "f_contiguous", "forc")

    c_contiguous: bool
    f_contiguous: bool
    forc: bool

    def __init__(self, ary: Any) -> None:
        shape, strides, itemsize = ary.shape, ary.strides, ary.dtype.itemsize
        self.c_contiguous = _is_contiguous(shape, strides, c_strides(shape, itemsize))
        self.f_contiguous = _is_contiguous(shape, strides, f_strides(shape, itemsize))
        self.forc = self.c_contiguous or self.f_contiguous

    def __repr__(self) -> str:
        return f"  C_CONTIGUOUS : {self.c_contiguous}\n  F_CONTIGUOUS : {self.f_contiguous}"


class View(NamedTuple):
    """A part of an array's memory: ``offset`` is that of its first element, in bytes."""

    shape: Shape
    strides: Shape
    offset: int


def indexed(shape: Shape, strides: Shape, index: Any) -> View:
    """What ``array[index]`` shows, for ints, slices, ``...`` and ``newaxis``."""
    entries = index if isinstance(index, tuple) else (index,)
    ellipses = sum(entry is Ellipsis for entry in entries)
    if ellipses > 1:
        raise IndexError("more than one ellipsis not allowed in index")
    used = sum(entry is not Ellipsis and entry is not None for entry in entries)
    if used > len(shape):
        raise IndexError(f"too many axes in index: {used} for an array of {len(shape)}")
    if not ellipses:
        entries = (*entries, Ellipsis)
    new_shape: list[int] = []
    new_strides: list[int] = []
    offset = axis = 0
    for position, entry in enumerate(entries):
        if entry is None:
            new_shape.append(1)
            new_strides.append(0)
            continue
        if entry is Ellipsis:
            end = axis + len(shape) - used
            new_shape += shape[axis:end]
            new_strides += strides[axis:end]
            axis = end
            continue
        size, stride = shape[axis], strides[axis]
        axis += 1
        if isinstance(entry, slice):
            start, stop, step = entry.indices(size)
            count = len(range(start, stop, step))
            new_shape.append(count)
            new_strides.append(stride * step)
            offset += stride * start if count else 0
        elif isinstance(entry, int | np.integer) and not isinstance(entry, bool):
            element = int(entry) + (size if entry < 0 else 0)
            if not 0 <= element < size:
                raise IndexError(f"subindex in axis {position} out of range: {entry} for {size} elements")
            offset += stride * element
        else:
            raise IndexError(
                f"invalid subindex in axis {position}: {entry!r}; an index has ints, slices, '...' and newaxis, and "
                "take() picks elements by an array of indices"
            )
    return View(tuple(new_shape), tuple(new_strides), offset)


def resolved_shape(shape: Sequence[Any], size: int) -> Shape:
    """A new shape for ``size`` elements, in which one dimension may be -1."""
    dimensions = [as_index(dimension) for dimension in shape]
    if dimensions.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    if -1 in dimensions:
        known = -math.prod(dimensions)
        if known and size % known == 0:
            dimensions[dimensions.index(-1)] = size // known
    if math.prod(dimensions) != size or any(dimension < 0 for dimension in dimensions):
        raise ValueError(f"total size of new array must be unchanged: {tuple(shape)} cannot have {size} elements")
    return tuple(dimensions)


def broadcast(shape: Shape, strides: Shape, to: Shape) -> Shape:
    """The strides that show an array in a larger shape, as NumPy broadcasts it."""
    added = len(to) - len(shape)
    kept = (
        0 if size == 1 and wanted != 1 else stride
        for size, stride, wanted in zip(shape, strides, to[added:], strict=True)
    )
    return (0,) * added + tuple(kept)


def collapsed(shape: Shape, *strides: Shape) -> tuple[Shape, list[Shape]]:
    """The same elements in the same order, of several arrays of one shape, with the fewest axes.

    Axes with one element go, and neighbours that are evenly spaced in all the arrays become one.
    """
    sizes: list[int] = []
    kept: list[list[int]] = [[] for _ in strides]
    for axis, size in enumerate(shape):
        if size == 1:
            continue
        if sizes and all(outer[-1] == own[axis] * size for outer, own in zip(kept, strides, strict=True)):
            sizes[-1] *= size
            for outer, own in zip(kept, strides, strict=True):
                outer[-1] = own[axis]
        else:
            sizes.append(size)
            for outer, own in zip(kept, strides, strict=True):
                outer.append(own[axis])
    return tuple(sizes), [tuple(each) for each in kept]
