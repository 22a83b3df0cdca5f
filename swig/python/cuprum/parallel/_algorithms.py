"""The algorithms over elements where they are: objects that are built once, and single calls over them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.core import _current
from cuprum.parallel._arrays import device_elements, elements_of, stream_of
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import Iterator, as_iterator
from cuprum.parallel._operators import Operator, OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike


class SortOrder(IntEnum):
    """Which of two keys comes first."""

    #: The smaller one.
    ASCENDING = 0
    #: The larger one; equal keys stay as they are.
    DESCENDING = 1


_EXCLUSIVE, _INCLUSIVE, _INCLUSIVE_WITH_INIT = range(3)


class _Pool:
    """Temporary storage from the device's stream-ordered pool."""

    def __repr__(self) -> str:
        return "POOL"


#: As ``temp_storage`` of a call: from the device's stream-ordered pool.
POOL = _Pool()


def initial_value(init: Any, elements: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An initial value as one of its own type; Python's numbers take the elements' type where they fit (NEP 50)."""
    if isinstance(init, bool):
        return np.asarray(init, dtype=elements if elements.names is None else None)
    if type(init) in (int, float, complex) and elements.names is None:
        kind = {int: "iufc", float: "fc", complex: "c"}[type(init)]
        is_bfloat16 = elements.name == "bfloat16"
        if elements.kind in kind or (is_bfloat16 and not isinstance(init, complex)):
            return np.asarray(init, dtype=elements)
        return np.asarray(init)
    if isinstance(init, tuple) and elements.names is not None:
        return np.asarray(init, dtype=elements)
    value = np.asarray(init)
    if value.size != 1:
        raise TypeError(f"the initial value is one value, not {value.size}")
    return value.reshape(())


class Algorithm(Owner):
    """Built once, called many times, from several threads too; immutable.

    Calls are asynchronous, in the stream's order: the arrays must stay as they are until the stream has passed them,
    and are kept alive by the caller. With ``temp_storage=None`` a call does nothing and returns the bytes of temporary
    storage that it needs, as those of ``cuda.compute`` do; with ``temp_storage=POOL`` it takes them from the device's
    stream-ordered pool.

    Those built with ``execution="host"`` take NumPy arrays, no stream and no temporary storage (``POOL``), and are done
    when they return.
    """

    __slots__ = ("_on_host", "_op")
    _destroy = staticmethod(_cuprum.release_parallel_algorithm)

    _op: Operator | None
    _on_host: bool

    def __init__(self) -> None:
        """Not for callers: ``make_reduce_into()`` and the like make algorithms. Raises TypeError."""
        raise TypeError("algorithms are made by make_reduce_into() and the like")

    @classmethod
    def _make(cls, native: int, op: Operator | None, execution: ExecutionLike) -> Any:
        algorithm = cls.__new__(cls)
        algorithm._native = native
        algorithm._op = op
        algorithm._on_host = is_host(execution)
        return algorithm

    def temp_storage_bytes(self, num_items: int) -> int:
        """The bytes of temporary storage that a call with ``num_items`` elements needs; 0 on the host."""
        native = self._open_native("asking for temporary storage")
        return _cuprum.cuprum_parallel_temp_storage_bytes(native, num_items)

    def save(self) -> bytes:
        """What was compiled for it, for ``load_builds`` in another process or on another machine.

        Unsupported for algorithms on the host, for which nothing is compiled.
        """
        return _cuprum.cuprum_parallel_save(self._open_native("saving builds"))

    def _storage(self, temp_storage: Any, num_items: int) -> tuple[int, int] | None:
        if temp_storage is None:
            return None
        if temp_storage is POOL:
            return 0, 0
        if self._on_host:
            raise TypeError("algorithms on the host take no temporary storage: give POOL")
        address, size, dtype = device_elements(temp_storage, writable=True)
        return address, size * dtype.itemsize

    def _turn(self, stream: Stream | IsStreamType | None) -> Stream | None:
        """The stream of a call; none on the host."""
        if not self._on_host:
            return stream_of(stream)
        if stream is not None:
            raise TypeError("a stream is given, and the algorithm runs on the host (execution='host')")
        return None

    def _elements(
        self, array: Any, dtype: np.dtype[Any], count: int, name: str, turn: Stream | None, *, writable: bool = True
    ) -> int:
        """The address of at least ``count`` elements of that type, for a call in that stream."""
        address, size, own = elements_of(array, on_host=self._on_host, writable=writable, stream=turn)
        if own != dtype and type_text(own) != type_text(dtype):
            raise TypeError(f"{name} has elements of {own}, the results are {dtype}")
        if size < count:
            raise ValueError(f"{name} has {size} elements, expected {count}")
        return address

    def _operator(self, op: Operator | None) -> int:
        return 0 if op is None else op._open_native("calling an algorithm")


def native_stream(turn: Stream | None, operation: str) -> int:
    return 0 if turn is None else turn._open_native(operation)


def item_count(num_items: int | None, *elements: Iterator) -> int:
    sizes = [it.size for it in elements if it.size is not None]
    if num_items is None:
        if not sizes:
            raise TypeError("num_items is needed where no input has an end")
        return min(sizes)
    if any(size < num_items for size in sizes):
        raise ValueError(f"num_items is {num_items}, and an input has {min(sizes)} elements")
    return num_items


class ReduceInto(Algorithm):
    """``d_out[0] = op(...op(h_init, d_in[0])..., d_in[n - 1])``."""

    __slots__ = ("_accumulator",)
    _accumulator: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in: Any,
        d_out: Any,
        num_items: int | None = None,
        op: Operator | None = None,
        h_init: Any,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Reduces ``num_items`` elements, or all of ``d_in``, and writes the result to ``d_out[0]``.

        ``op`` is the operator that it was built for, with the state of this call (``Operator.with_state``); None: as it
        was built. ``temp_storage=None`` does nothing and returns the bytes of temporary storage that the call needs.
        The call is asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        elements = as_iterator(d_in, turn, on_host=self._on_host)
        count = item_count(num_items, elements)
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        _cuprum.cuprum_parallel_reduce(
            self._open_native("reducing"),
            native_stream(turn, "reducing"),
            elements._open_native("reducing"),
            self._elements(d_out, self._accumulator, 1, "d_out", turn),
            count,
            np.asarray(h_init, dtype=self._accumulator).tobytes(),
            self._operator(op),
            *storage,
        )
        return storage[1]


def make_reduce_into(
    *,
    d_in: Any,
    d_out: Any = None,
    op: OperatorLike,
    h_init: Any,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> ReduceInto:
    """Builds a reduction. The accumulator is of ``h_init``'s type, or of the elements' for Python's own numbers.

    With ``compute_capability`` it is built ahead of time and can only be saved.
    """
    elements = as_iterator(d_in, on_host=is_host(execution))
    accumulator = initial_value(h_init, elements.dtype).dtype
    operator, _ = as_operator(op, [accumulator, accumulator], accumulator)
    native = _cuprum.cuprum_parallel_reduce_build(
        *native_execution(execution, compute_capability),
        elements._open_native("building a reduction"),
        operator._open_native("building a reduction"),
        type_text(accumulator),
    )
    algorithm: ReduceInto = ReduceInto._make(native, operator, execution)
    algorithm._accumulator = accumulator
    return algorithm


def reduce_into(
    *,
    d_in: Any,
    d_out: Any,
    num_items: int | None = None,
    op: OperatorLike,
    h_init: Any,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Reduces ``num_items`` elements, or all of ``d_in``, to ``d_out[0]``, beginning with ``h_init``.

    On the device asynchronously, in ``stream``; with ``execution="host"`` over NumPy arrays, done when it returns.
    """
    with make_reduce_into(d_in=d_in, d_out=d_out, op=op, h_init=h_init, execution=execution) as algorithm:
        algorithm(temp_storage=POOL, d_in=d_in, d_out=d_out, num_items=num_items, h_init=h_init, stream=stream)


class ScanInto(Algorithm):
    """A prefix sum over an operator."""

    __slots__ = ("_accumulator", "_takes_init")
    _accumulator: np.dtype[Any]
    _takes_init: bool

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in: Any,
        d_out: Any,
        num_items: int | None = None,
        op: Operator | None = None,
        init_value: Any = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Scans ``num_items`` elements, or all of ``d_in``, into ``d_out``, which may be ``d_in``.

        ``init_value`` is needed by a scan that was built with one. ``op`` is the operator that it was built for, with
        the state of this call; None: as it was built. ``temp_storage=None`` does nothing and returns the bytes of
        temporary storage that the call needs. The call is asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        elements = as_iterator(d_in, turn, on_host=self._on_host)
        count = item_count(num_items, elements)
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        if self._takes_init and init_value is None:
            raise TypeError("init_value is needed: the scan was built with one")
        _cuprum.cuprum_parallel_scan(
            self._open_native("scanning"),
            native_stream(turn, "scanning"),
            elements._open_native("scanning"),
            self._elements(d_out, self._accumulator, count, "d_out", turn),
            count,
            np.asarray(init_value, dtype=self._accumulator).tobytes() if self._takes_init else b"",
            self._operator(op),
            *storage,
        )
        return storage[1]


def _make_scan(
    kind: int, d_in: Any, d_out: Any, op: OperatorLike, init: Any, compute_capability: Any, execution: ExecutionLike
) -> ScanInto:
    elements = as_iterator(d_in, on_host=is_host(execution))
    if init is not None:
        accumulator = initial_value(init, elements.dtype).dtype
    else:
        accumulator = elements.dtype if d_out is None else elements_of(d_out, on_host=is_host(execution))[2]
    operator, _ = as_operator(op, [accumulator, accumulator], accumulator)
    native = _cuprum.cuprum_parallel_scan_build(
        *native_execution(execution, compute_capability),
        kind,
        elements._open_native("building a scan"),
        operator._open_native("building a scan"),
        type_text(accumulator),
    )
    algorithm: ScanInto = ScanInto._make(native, operator, execution)
    algorithm._accumulator = accumulator
    algorithm._takes_init = init is not None
    return algorithm


def make_exclusive_scan(
    *,
    d_in: Any,
    d_out: Any = None,
    op: OperatorLike,
    init_value: Any,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> ScanInto:
    """Builds an exclusive scan: result i is of the elements before i, beginning with ``init_value``."""
    return _make_scan(_EXCLUSIVE, d_in, d_out, op, init_value, compute_capability, execution)


def make_inclusive_scan(
    *,
    d_in: Any,
    d_out: Any = None,
    op: OperatorLike,
    init_value: Any = None,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> ScanInto:
    """Builds an inclusive scan: result i is of the elements up to i, after ``init_value`` if one is given."""
    kind = _INCLUSIVE if init_value is None else _INCLUSIVE_WITH_INIT
    return _make_scan(kind, d_in, d_out, op, init_value, compute_capability, execution)


def exclusive_scan(
    *,
    d_in: Any,
    d_out: Any,
    op: OperatorLike,
    init_value: Any,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i]`` is of ``init_value`` and the elements before i.

    On the device asynchronously, in ``stream``; with ``execution="host"`` over NumPy arrays, done when it returns.
    """
    with make_exclusive_scan(d_in=d_in, d_out=d_out, op=op, init_value=init_value, execution=execution) as algorithm:
        algorithm(temp_storage=POOL, d_in=d_in, d_out=d_out, num_items=num_items, init_value=init_value, stream=stream)


def inclusive_scan(
    *,
    d_in: Any,
    d_out: Any,
    op: OperatorLike,
    init_value: Any = None,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i]`` is of the elements up to i, after ``init_value`` if one is given.

    On the device asynchronously, in ``stream``; with ``execution="host"`` over NumPy arrays, done when it returns.
    """
    with make_inclusive_scan(d_in=d_in, d_out=d_out, op=op, init_value=init_value, execution=execution) as algorithm:
        algorithm(temp_storage=POOL, d_in=d_in, d_out=d_out, num_items=num_items, init_value=init_value, stream=stream)


class Sort(Algorithm):
    """A radix or merge sort of keys, or of keys with values."""

    __slots__ = ("_keys", "_values")
    _keys: np.dtype[Any]
    _values: np.dtype[Any] | None

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in_keys: Any,
        d_out_keys: Any,
        d_in_values: Any = None,
        d_out_values: Any = None,
        num_items: int | None = None,
        begin_bit: int | None = None,
        end_bit: int | None = None,
        op: Operator | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Sorts ``num_items`` keys, or all of them, into ``d_out_keys``, and moves the values with them.

        The outputs do not overlap the inputs. ``begin_bit`` and ``end_bit`` are of a radix sort: only the bits from the
        one up to and without the other are compared, from 0, the lowest. ``op`` is the comparison that a merge sort was
        built for, with the state of this call. ``temp_storage=None`` does nothing and returns the bytes of temporary
        storage that the call needs. The call is asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        keys_in, size, dtype = elements_of(d_in_keys, on_host=self._on_host, stream=turn)
        if type_text(dtype) != type_text(self._keys):
            raise TypeError(f"d_in_keys has elements of {dtype}, the sort was built for {self._keys}")
        count = size if num_items is None else num_items
        if count > size:
            raise ValueError(f"num_items is {count}, and d_in_keys has {size} elements")
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        keys_out = self._elements(d_out_keys, self._keys, count, "d_out_keys", turn)
        values_in = values_out = 0
        if (self._values is None) != (d_in_values is None):
            raise TypeError("values are given to a sort of keys alone" if self._values is None else "values are needed")
        if self._values is not None:
            values_in = self._elements(d_in_values, self._values, count, "d_in_values", turn, writable=False)
            values_out = self._elements(d_out_values, self._values, count, "d_out_values", turn)
        begin, end = 0, 0
        if begin_bit is not None or end_bit is not None:
            begin = begin_bit or 0
            end = self._keys.itemsize * 8 if end_bit is None else end_bit
            if begin == end == 0:
                raise ValueError("the bits from 0 to 0 compare nothing")
        _cuprum.cuprum_parallel_sort(
            self._open_native("sorting"),
            native_stream(turn, "sorting"),
            keys_in,
            keys_out,
            values_in,
            values_out,
            count,
            begin,
            end,
            self._operator(op),
            *storage,
        )
        return storage[1]


def _sort_types(
    d_in_keys: Any, d_in_values: Any, execution: ExecutionLike
) -> tuple[np.dtype[Any], np.dtype[Any] | None]:
    keys = elements_of(d_in_keys, on_host=is_host(execution))[2]
    return keys, None if d_in_values is None else elements_of(d_in_values, on_host=is_host(execution))[2]


def _finish_sort(
    native: int, op: Operator | None, keys: np.dtype[Any], values: np.dtype[Any] | None, execution: ExecutionLike
) -> Sort:
    algorithm: Sort = Sort._make(native, op, execution)
    algorithm._keys, algorithm._values = keys, values
    return algorithm


def make_radix_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    order: SortOrder = SortOrder.ASCENDING,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> Sort:
    """Builds a stable sort by the bits of the keys, of numbers; of values too, where ``d_in_values`` is given.

    With ``compute_capability`` it is built ahead of time and can only be saved.
    """
    keys, values = _sort_types(d_in_keys, d_in_values, execution)
    native = _cuprum.cuprum_parallel_radix_sort_build(
        *native_execution(execution, compute_capability),
        int(order),
        type_text(keys),
        None if values is None else type_text(values),
    )
    return _finish_sort(native, None, keys, values, execution)


def make_merge_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any = None,
    d_in_values: Any = None,
    d_out_values: Any = None,
    op: OperatorLike = OpKind.LESS,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> Sort:
    """Builds a stable sort by a comparison: whether ``a`` comes before ``b``, a strict weak ordering.

    With ``compute_capability`` it is built ahead of time and can only be saved.
    """
    keys, values = _sort_types(d_in_keys, d_in_values, execution)
    operator, _ = as_operator(op, [keys, keys], np.bool_)
    native = _cuprum.cuprum_parallel_merge_sort_build(
        *native_execution(execution, compute_capability),
        operator._open_native("building a merge sort"),
        type_text(keys),
        None if values is None else type_text(values),
    )
    return _finish_sort(native, operator, keys, values, execution)


def radix_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any,
    d_in_values: Any = None,
    d_out_values: Any = None,
    order: SortOrder = SortOrder.ASCENDING,
    num_items: int | None = None,
    begin_bit: int | None = None,
    end_bit: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Sorts keys on the device, or on the host, by their bits, with values if they are given."""
    with make_radix_sort(d_in_keys=d_in_keys, d_in_values=d_in_values, order=order, execution=execution) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in_keys=d_in_keys,
            d_out_keys=d_out_keys,
            d_in_values=d_in_values,
            d_out_values=d_out_values,
            num_items=num_items,
            begin_bit=begin_bit,
            end_bit=end_bit,
            stream=stream,
        )


def merge_sort(
    *,
    d_in_keys: Any,
    d_out_keys: Any,
    d_in_values: Any = None,
    d_out_values: Any = None,
    op: OperatorLike = OpKind.LESS,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Sorts keys on the device, or on the host, by a comparison, with values if they are given."""
    with make_merge_sort(d_in_keys=d_in_keys, d_in_values=d_in_values, op=op, execution=execution) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in_keys=d_in_keys,
            d_out_keys=d_out_keys,
            d_in_values=d_in_values,
            d_out_values=d_out_values,
            num_items=num_items,
            stream=stream,
        )


class TransformInto(Algorithm):
    """``d_out[i] = op(d_in[i])``, or of two inputs."""

    __slots__ = ("_output_dtype",)
    _output_dtype: np.dtype[Any]

    def __call__(
        self,
        *inputs: Any,
        d_out: Any,
        num_items: int | None = None,
        op: Operator | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Transforms ``num_items`` elements, or as many as the shorter of the one or two inputs has, into ``d_out``.

        ``op`` is the operator that it was built for, with the state of this call; None: as it was built. The call needs
        no temporary storage, and is asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        iterators = [as_iterator(it, turn, on_host=self._on_host) for it in inputs]
        if len(iterators) not in (1, 2):
            raise TypeError(f"one or two inputs are transformed, not {len(iterators)}")
        count = item_count(num_items, *iterators)
        _cuprum.cuprum_parallel_transform(
            self._open_native("transforming"),
            native_stream(turn, "transforming"),
            iterators[0]._open_native("transforming"),
            iterators[1]._open_native("transforming") if len(iterators) == 2 else 0,
            self._elements(d_out, self._output_dtype, count, "d_out", turn),
            count,
            self._operator(op),
        )


def _make_transform(
    inputs: Sequence[Any], d_out: Any, op: OperatorLike, compute_capability: Any, execution: ExecutionLike
) -> TransformInto:
    iterators = [as_iterator(it, on_host=is_host(execution)) for it in inputs]
    output = elements_of(d_out, on_host=is_host(execution))[2]
    operator, _ = as_operator(op, [it.dtype for it in iterators], output)
    native = _cuprum.cuprum_parallel_transform_build(
        *native_execution(execution, compute_capability),
        iterators[0]._open_native("building a transformation"),
        iterators[1]._open_native("building a transformation") if len(iterators) == 2 else 0,
        operator._open_native("building a transformation"),
        type_text(output),
    )
    algorithm: TransformInto = TransformInto._make(native, operator, execution)
    algorithm._output_dtype = output
    return algorithm


def make_unary_transform(
    *, d_in: Any, d_out: Any, op: OperatorLike, compute_capability: Any = None, execution: ExecutionLike = "device"
) -> TransformInto:
    """Builds ``d_out[i] = op(d_in[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    return _make_transform([d_in], d_out, op, compute_capability, execution)


def make_binary_transform(
    *,
    d_in1: Any,
    d_in2: Any,
    d_out: Any,
    op: OperatorLike,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> TransformInto:
    """Builds ``d_out[i] = op(d_in1[i], d_in2[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    return _make_transform([d_in1, d_in2], d_out, op, compute_capability, execution)


def unary_transform(
    *,
    d_in: Any,
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i] = op(d_in[i])``, on the device asynchronously in ``stream``, or on the host."""
    with make_unary_transform(d_in=d_in, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_in, d_out=d_out, num_items=num_items, stream=stream)


def binary_transform(
    *,
    d_in1: Any,
    d_in2: Any,
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i] = op(d_in1[i], d_in2[i])``, on the device asynchronously in ``stream``, or on the host."""
    with make_binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_in1, d_in2, d_out=d_out, num_items=num_items, stream=stream)


def load_builds(saved: bytes) -> None:
    """Takes what ``save()`` gave: the same algorithms then need no compiler on the current device."""
    _cuprum.cuprum_parallel_load_builds(_current.device_id(), saved)
