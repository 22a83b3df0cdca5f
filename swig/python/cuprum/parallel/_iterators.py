"""Where an algorithm reads its elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.parallel._arrays import elements_of
from cuprum.parallel._operators import as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core import Stream
    from cuprum.parallel._operators import OperatorLike


class Iterator(Owner):
    """A sequence of elements. Keeps what it reads alive.

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
    _keep: object

    def __init__(self) -> None:
        """Not for callers: only the kinds of iterators can be instantiated. Raises TypeError."""
        raise TypeError(
            "make a ConstantIterator, a CountingIterator or a TransformIterator; arrays are taken as they are"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.dtype}>"


class PointerIterator(Iterator):
    """The elements of an array on the device, or of a NumPy array for ``execution="host"``."""

    __slots__ = ()

    def __init__(self, array: Any, stream: Stream | None = None, *, on_host: bool = False) -> None:
        """``stream`` will read the elements, after the work that the array's library has in flight; None: only
        their type is used."""
        self._native = 0
        self.on_host = on_host
        address, self.size, self.dtype = elements_of(array, on_host=on_host, stream=stream)
        self._keep = array
        self._native = _cuprum.cuprum_parallel_iterator_pointer(type_text(self.dtype), address)


def _value(value: Any, dtype: DTypeLike | None) -> np.ndarray[Any, Any]:
    result = np.asarray(value, dtype=dtype)
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


class CountingIterator(Iterator):
    """``start``, ``start + 1``, ...: of its own type, or of ``dtype``."""

    __slots__ = ()

    def __init__(self, start: Any, dtype: DTypeLike | None = None) -> None:
        """``start`` is a number. It has no end: calls need ``num_items``."""
        self._native = 0
        first = _value(start, dtype)
        self.dtype, self.size, self.on_host, self._keep = first.dtype, None, None, None
        self._native = _cuprum.cuprum_parallel_iterator_counting(type_text(self.dtype), first.tobytes())


class TransformIterator(Iterator):
    """``op(a)`` of the elements of an iterator or array. ``dtype`` is the results' type, if tracing cannot find it."""

    __slots__ = ()

    def __init__(self, it: Any, op: OperatorLike, dtype: DTypeLike | None = None) -> None:
        """``it`` is an iterator, an array on the device, or a NumPy array for ``execution="host"``; it is kept alive.

        Nothing is computed before an algorithm reads the elements.
        """
        self._native = 0
        base = as_iterator(it, on_host=isinstance(it, np.ndarray))
        operator, traced = as_operator(op, [base.dtype], dtype)
        self.dtype = np.dtype(dtype) if dtype is not None else traced if traced is not None else base.dtype
        self.size, self.on_host, self._keep = base.size, base.on_host, (base, operator)
        self._native = _cuprum.cuprum_parallel_iterator_transform(
            base._open_native("transforming"), operator._open_native("transforming"), type_text(self.dtype)
        )


def as_iterator(elements: Any, stream: Stream | None = None, *, on_host: bool = False) -> Iterator:
    """An iterator as it is; an array, where the algorithm runs, as one read in ``stream`` (None: to build with)."""
    if not isinstance(elements, Iterator):
        return PointerIterator(elements, stream, on_host=on_host)
    if elements.on_host is not None and elements.on_host != on_host:
        raise TypeError(
            "the iterator reads host memory, and the algorithm runs on a device"
            if elements.on_host
            else "the iterator reads device memory, but the algorithm runs on the host's cores (execution='host')"
        )
    return elements
