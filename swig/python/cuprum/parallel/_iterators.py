"""Where an algorithm reads its elements, and where it writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.parallel._arrays import device_elements, elements_of
from cuprum.parallel._operators import as_operator
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import as_scalar, is_wide, pack_int128, wide_value

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core import Stream
    from cuprum.parallel._operators import OperatorLike


_MAKING = "making an iterator"
_MODIFIERS = ("stream", "global", "volatile")


class Iterator(Owner):
    """A sequence of elements. Keeps what it reads and writes alive. ``it + n`` is the same from position n on.

    ``dtype`` is NumPy's type of the elements, ``size`` their number (None: without end), and ``on_host`` whether
    they are in host memory (None: in no memory).
    """

    __slots__ = ("_keep", "dtype", "on_host", "size")
    _destroy = staticmethod(_cuprum.cuprum_parallel_iterator_destroy)

    dtype: np.dtype[Any]
    #: How many elements there are; None for those without an end.
    size: int | None
    #: Whether it reads host memory; None where it reads none.
    on_host: bool | None
    #: What it is made of, which it keeps alive.
    _keep: object

    def __init__(self) -> None:
        """Not for callers: only the kinds of iterators can be instantiated. Raises TypeError."""
        raise TypeError(
            "make a ConstantIterator, a CountingIterator or another kind of iterator; arrays are taken as they are"
        )

    def _made_of(self, *parts: Iterator, size: int | None) -> None:
        """Of the type of the first one."""
        self._native = 0
        places = {each.on_host for each in parts if each.on_host is not None}
        if len(places) > 1:
            raise TypeError("the iterator is made of host memory and of device memory")
        self.dtype, self.size, self._keep = parts[0].dtype, size, parts
        self.on_host = places.pop() if places else None

    @property
    def _lasting(self) -> object:
        """What the handle belongs to."""
        return self

    def _parts(self) -> tuple[Iterator, ...]:
        parts: Any = self._keep
        return tuple(parts)

    def _as_output(self, dtype: np.dtype[Any], name: str, *, on_host: bool) -> int:
        """For results of that type."""
        as_iterator(self, on_host=on_host)
        return self._open_native(f"writing to {name}")

    def __add__(self, offset: int) -> Iterator:
        """The same from position ``offset`` on."""
        if not isinstance(offset, (int, np.integer)):
            return NotImplemented
        return self._advanced(int(offset))

    __radd__ = __add__

    def _advanced(self, offset: int) -> Iterator:
        """Of the same kind where there is one."""
        return StridedIterator(self, 1, offset)

    def _size_from(self, offset: int) -> int | None:
        return None if self.size is None else max(0, self.size - offset)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.dtype}>"


class PointerIterator(Iterator):
    """The elements of an array on the device, or of a NumPy array for ``execution="host"``."""

    __slots__ = ("_address",)

    def __init__(self, array: Any, stream: Stream | None = None, *, on_host: bool = False) -> None:
        """``stream`` will read the elements, after the work that the array's library has in flight; None: only
        their type is used."""
        self._native = 0
        self.on_host = on_host
        self._address, self.size, self.dtype = elements_of(array, on_host=on_host, stream=stream)
        self._keep = array
        self._native = _cuprum.cuprum_parallel_iterator_pointer(type_text(self.dtype), self._address)

    def _advanced(self, offset: int) -> Iterator:
        made = PointerIterator.__new__(PointerIterator)
        made._native, made.dtype, made.size = 0, self.dtype, self._size_from(offset)
        made.on_host, made._keep = self.on_host, self._keep
        made._address = self._address + offset * self.dtype.itemsize
        made._native = _cuprum.cuprum_parallel_iterator_pointer(type_text(made.dtype), made._address)
        return made


class _Position(Owner):
    """Where elements of a type begin."""

    __slots__ = ()
    _destroy = staticmethod(_cuprum.cuprum_parallel_iterator_destroy)


class _Reading(Iterator):
    """An array that one call reads. Its beginning is kept for other calls over the same memory; the array is not."""

    __slots__ = ("_position",)
    _position: _Position

    def _open_native(self, operation: str) -> int:
        return self._position._native

    @property
    def _lasting(self) -> object:
        return self._position


#: The last beginnings. An array that lies elsewhere by now, or is of another type, has another one.
_positions: dict[tuple[int, np.dtype[Any]], _Position] = {}


def forget() -> None:
    """Lets go of all of them."""
    _positions.clear()


def _read(array: Any, stream: Stream) -> Iterator:
    """An array on the device, for one call in that stream."""
    address, size, dtype = device_elements(array, stream=stream)
    position = _positions.get((address, dtype))
    if position is None:
        if len(_positions) >= 64:
            _positions.clear()
        position = _Position(_cuprum.cuprum_parallel_iterator_pointer(type_text(dtype), address))
        _positions[address, dtype] = position
    reading = _Reading.__new__(_Reading)
    reading._native = 0
    reading._position = position
    reading.size, reading.dtype, reading.on_host, reading._keep = size, dtype, False, array
    return reading


def _value(value: Any, dtype: DTypeLike | None) -> np.ndarray[Any, Any]:
    result = np.asarray(value if dtype is None else wide_value(value, np.dtype(dtype)), dtype=dtype)
    if result.size != 1:
        raise TypeError(f"expected one value, not {result.size}")
    return result.reshape(())


class ConstantIterator(Iterator):
    """The same value at every position: of its own type, or of ``dtype``."""

    __slots__ = ()

    def __init__(self, value: Any, dtype: DTypeLike | None = None) -> None:
        """``value`` is one number, or a struct as a NumPy scalar. It has no end: calls need ``num_items``."""
        self._native = 0
        constant = _value(value, dtype)
        self.dtype, self.size, self.on_host, self._keep = constant.dtype, None, None, None
        self._native = _cuprum.cuprum_parallel_iterator_constant(type_text(self.dtype), constant.tobytes())

    def _advanced(self, offset: int) -> Iterator:
        return self


class CountingIterator(Iterator):
    """``start``, ``start + 1``, ...: of its own type, or of ``dtype``."""

    __slots__ = ()

    def __init__(self, start: Any, dtype: DTypeLike | None = None) -> None:
        """``start`` is a number. It has no end: calls need ``num_items``."""
        self._native = 0
        first = _value(start, dtype)
        self.dtype, self.size, self.on_host, self._keep = first.dtype, None, None, first
        self._native = _cuprum.cuprum_parallel_iterator_counting(type_text(self.dtype), first.tobytes())

    def _advanced(self, offset: int) -> Iterator:
        first: Any = self._keep
        if is_wide(self.dtype):
            return CountingIterator(pack_int128(as_scalar(first) + offset, self.dtype))
        return CountingIterator(first + np.asarray(offset).astype(first.dtype))


class TransformIterator(Iterator):
    """``transform_op(a)`` of the elements of an iterator or array."""

    __slots__ = ()

    def __init__(self, underlying: Any, transform_op: OperatorLike, value_type: DTypeLike | None = None) -> None:
        """``value_type`` is the results' type, if it is not the function's own. ``underlying`` is an iterator, an array
        on the device, or a NumPy array for ``execution="host"``; it is kept alive.

        Nothing is computed before an algorithm reads the elements.
        """
        self._native = 0
        base = _part(underlying)
        operator, found = as_operator(transform_op, [base.dtype], value_type)
        self.dtype = np.dtype(value_type) if value_type is not None else found if found is not None else base.dtype
        self.size, self.on_host, self._keep = base.size, base.on_host, (base, operator)
        self._native = _cuprum.cuprum_parallel_iterator_transform(
            base._open_native("transforming"), operator._open_native("transforming"), type_text(self.dtype)
        )

    def _advanced(self, offset: int) -> Iterator:
        kept: Any = self._keep
        base, operator = kept
        return TransformIterator(base + offset, operator, self.dtype)


class DiscardIterator(Iterator):
    """An output that what is written to goes nowhere. ``has_type`` says whether it was made for one type."""

    __slots__ = ("_handles", "has_type")

    def __init__(self, reference_iterator: Any = None) -> None:
        """Of the elements' type of an iterator or array; None: of whatever is written."""
        self._native = 0
        self.size, self.on_host, self._keep = None, None, None
        self.has_type = reference_iterator is not None
        self.dtype = (
            as_iterator(reference_iterator, on_host=isinstance(reference_iterator, np.ndarray)).dtype
            if self.has_type
            else np.dtype(np.uint8)
        )
        self._native = _cuprum.cuprum_parallel_iterator_discard(type_text(self.dtype))
        #: Of other types, by their texts.
        self._handles: dict[str, DiscardIterator] = {}

    def _advanced(self, offset: int) -> Iterator:
        return self

    def _as_output(self, dtype: np.dtype[Any], name: str, *, on_host: bool) -> int:
        if self.has_type or dtype == self.dtype:
            return super()._as_output(dtype, name, on_host=on_host)
        text = type_text(dtype)
        if text not in self._handles:
            self._handles[text] = DiscardIterator(ConstantIterator(np.zeros((), dtype)))
        return self._handles[text]._open_native(f"writing to {name}")


class ReverseIterator(Iterator):
    """An iterator or array backwards: an array from its last element on, an iterator from where it stands.

    An iterator is moved to where it is to begin by adding to it: ``ReverseIterator(it + (n - 1))``. Read and written as
    what it is made of.
    """

    __slots__ = ("_last",)

    def __init__(self, underlying: Any) -> None:
        """``underlying`` is kept alive."""
        base = _part(underlying)
        is_array = not isinstance(underlying, Iterator)
        self._made(base, (base.size or 0) - 1 if is_array else 0, base.size if is_array else None)

    def _made(self, base: Iterator, last: int, size: int | None) -> None:
        self._made_of(base, size=size)
        self._last = last
        self._native = _cuprum.cuprum_parallel_iterator_reverse(base._open_native(_MAKING), last)

    def _advanced(self, offset: int) -> Iterator:
        made = ReverseIterator.__new__(ReverseIterator)
        made._made(self._parts()[0], self._last - offset, self._size_from(offset))
        return made


class StridedIterator(Iterator):
    """Elements of an iterator or array at a distance from each other: ``start``, ``start + step``, ...

    Read and written as what it is made of.
    """

    __slots__ = ("_start", "_step")

    def __init__(self, underlying: Any, step: int, start: int = 0) -> None:
        """``underlying`` is kept alive. ``step`` may be negative, and 1 to skip the first elements."""
        base = _part(underlying)
        size = None
        if base.size is not None and step != 0:
            left = base.size - start if step > 0 else start + 1
            size = max(0, -(-left // abs(step)))
        self._made_of(base, size=size)
        self._start, self._step = start, step
        self._native = _cuprum.cuprum_parallel_iterator_strided(base._open_native(_MAKING), step, start)

    def _advanced(self, offset: int) -> Iterator:
        return StridedIterator(self._parts()[0], self._step, self._start + offset * self._step)


class PermutationIterator(Iterator):
    """``values[indices[i]]`` at position i. Written where ``values`` can be; the indices are different then."""

    __slots__ = ()

    def __init__(self, values: Any, indices: Any) -> None:
        """Both are iterators or arrays, and kept alive. The indices are integers, and not checked."""
        elements, positions = _part(values), _part(indices)
        self._made_of(elements, positions, size=positions.size)
        self._native = _cuprum.cuprum_parallel_iterator_permutation(
            elements._open_native(_MAKING), positions._open_native(_MAKING)
        )

    def _advanced(self, offset: int) -> Iterator:
        values, indices = self._parts()
        return PermutationIterator(values, indices + offset)


class ZipIterator(Iterator):
    """The elements of several iterators or arrays, a struct at each position: its fields are field_0, field_1, ...

    Functions see them as ``a.field_0`` or ``a[0]``, and return tuples. Read where all parts can be, and written where
    all can be.
    """

    __slots__ = ()

    def __init__(self, *args: Any) -> None:
        """Iterators and arrays, or one sequence of them; kept alive."""
        given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        parts = [_part(each) for each in given]
        if not parts:
            raise ValueError("a zip iterator is made of at least one iterator")
        sizes = [each.size for each in parts if each.size is not None]
        self._made_of(*parts, size=min(sizes, default=None))
        self.dtype = np.dtype([(f"field_{i}", each.dtype) for i, each in enumerate(parts)], align=True)
        native = 0
        for i, each in enumerate(parts):
            text = type_text(self.dtype) if i == len(parts) - 1 else None
            former, native = native, _cuprum.cuprum_parallel_iterator_zip(native, each._open_native(_MAKING), text)
            if former:
                _cuprum.cuprum_parallel_iterator_destroy(former)
        self._native = native

    def _advanced(self, offset: int) -> Iterator:
        return ZipIterator([part + offset for part in self._parts()])


class TransformOutputIterator(Iterator):
    """Writes ``transform_op(a)`` to an iterator or array of what is written to it."""

    __slots__ = ()

    def __init__(self, underlying: Any, transform_op: OperatorLike, output_value_type: DTypeLike | None = None) -> None:
        """``underlying`` is kept alive. ``output_value_type`` is the type of what is written; None: what the function's
        parameter is annotated with, or else the type of ``underlying``."""
        base = _part(underlying)
        self._made_of(base, size=base.size)
        if output_value_type is None:
            output_value_type = _annotated(transform_op)
        self.dtype = base.dtype if output_value_type is None else np.dtype(output_value_type)
        operator, _ = as_operator(transform_op, [self.dtype], base.dtype)
        self._keep = (base, operator)
        self._native = _cuprum.cuprum_parallel_iterator_transform_output(
            base._open_native(_MAKING), operator._open_native(_MAKING), type_text(self.dtype)
        )

    def _advanced(self, offset: int) -> Iterator:
        kept: Any = self._keep
        base, operator = kept
        return TransformOutputIterator(base + offset, operator, self.dtype)


class CacheModifiedInputIterator(Iterator):
    """An array on the device, loaded in a way of its own: ``"stream"`` (likely to be read once), ``"global"`` (cached
    for all multiprocessors only) or ``"volatile"`` (fetched again)."""

    __slots__ = ()

    def __init__(self, array: Any, modifier: str = "stream") -> None:
        """``array`` is kept alive. On the host's cores it is read like any other."""
        self._native = 0
        if modifier not in _MODIFIERS:
            raise ValueError(f"the modifier is {modifier!r}, expected one of {', '.join(map(repr, _MODIFIERS))}")
        self.on_host = isinstance(array, np.ndarray)
        address, self.size, self.dtype = elements_of(array, on_host=self.on_host)
        self._keep = array
        self._native = _cuprum.cuprum_parallel_iterator_cache_modified(
            type_text(self.dtype), address, _MODIFIERS.index(modifier)
        )


class ShuffleIterator(Iterator):
    """A permutation of 0 to ``num_items - 1`` at random, as int64: the same for the same seed, wherever it is read."""

    __slots__ = ()

    def __init__(self, num_items: int, seed: int = 0) -> None:
        """Positions from ``num_items`` on begin again."""
        self._native = 0
        if num_items <= 0:
            raise ValueError(f"num_items is {num_items}, expected at least 1")
        self.dtype, self.size, self.on_host, self._keep = np.dtype(np.int64), num_items, None, None
        self._native = _cuprum.cuprum_parallel_iterator_shuffle(num_items, seed % 2**64)


class CoordinatesIterator(Iterator):
    """The positions of an array of a shape, on the device alone: structs of int64 with the fields ``index`` and, for
    the coordinates, ``i0``, ``i1`` and so on, of which the last counts fastest.

    ``for_each`` over it calls a function for each position of the array.
    """

    __slots__ = ()

    def __init__(self, shape: int | Sequence[int]) -> None:
        """``shape`` is as NumPy has it, of 1 to 8 extents."""
        self._native = 0
        extents = [int(extent) for extent in (shape if isinstance(shape, Sequence) else [shape])]
        if any(extent < 0 for extent in extents):
            raise ValueError(f"shape is {shape}, expected extents from 0 on")
        names = ["index", *(f"i{i}" for i in range(len(extents)))]
        self.dtype, self.on_host, self._keep = np.dtype([(name, np.int64) for name in names]), None, None
        self.size = math.prod(extents)
        text = ",".join(map(str, extents))
        self._native = _cuprum.cuprum_parallel_iterator_coordinates(text, type_text(self.dtype))


def _part(elements: Any) -> Iterator:
    return as_iterator(elements, on_host=_is_host(elements))


def _is_host(elements: Any) -> bool:
    if isinstance(elements, Iterator):
        return bool(elements.on_host)
    return isinstance(elements, np.ndarray)


def _annotated(op: OperatorLike) -> Any:
    """What a function's parameter is annotated with, if that is a type of elements."""
    if isinstance(op, (str, np.ufunc)) or not callable(op):
        return None
    found = [hint for name, hint in getattr(op, "__annotations__", {}).items() if name != "return"]
    try:
        return np.dtype(found[0]) if len(found) == 1 else None
    except TypeError:
        return None


def has_type(output: Any) -> bool:
    """Whether an output says which type results are to be of."""
    return output is not None and not (isinstance(output, DiscardIterator) and not output.has_type)


def built_output(output: Any, dtype: np.dtype[Any], *, on_host: bool) -> int:
    """The iterator that an algorithm is built to write results of that type through; 0: memory."""
    return output._as_output(dtype, "the output", on_host=on_host) if isinstance(output, Iterator) else 0


def as_iterator(elements: Any, stream: Stream | None = None, *, on_host: bool = False) -> Iterator:
    """An iterator as it is; an array, where the algorithm runs, as one read in ``stream`` (None: to build with)."""
    if not isinstance(elements, Iterator):
        return PointerIterator(elements, stream, on_host=on_host) if stream is None else _read(elements, stream)
    if elements.on_host is not None and elements.on_host != on_host:
        raise TypeError(
            "the iterator is one over host memory, and the algorithm runs on a device"
            if elements.on_host
            else "the iterator is one over device memory, but the algorithm runs on the host's cores (execution='host')"
        )
    return elements
