"""The algorithms over host memory, in one call. Arrays on the device are taken too, and results are then there.

With ``execution="host"`` they run where the memory is, on the host's own cores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel import _algorithms
from cuprum.parallel._algorithms import SortOrder, initial_value
from cuprum.parallel._arrays import DeviceArray, is_on_device, stream_of
from cuprum.parallel._execution import is_host, place
from cuprum.parallel._iterators import Iterator, as_iterator
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike

    Array = np.ndarray[Any, Any]


def _bytes(values: Array) -> Array:
    """Contiguous elements as what the buffer protocol can pass whatever their type."""
    return values.reshape(-1).view(np.uint8)


def _host(data: Any) -> Array:
    if is_on_device(data):
        raise TypeError(f"expected host data; this {type(data).__name__} is in device memory")
    has_own_way = hasattr(data, "__array__") or hasattr(data, "__array_interface__")
    values = np.ascontiguousarray(data if has_own_way or not hasattr(data, "__dlpack__") else np.from_dlpack(data))
    type_text(values.dtype)  # or an error that says what it takes
    return values


def _reduce_iterator(elements: Iterator, init: Array, op: OperatorLike, size: int, execution: ExecutionLike) -> Any:
    if is_host(execution):
        value = np.empty(1, init.dtype)
        _algorithms.reduce_into(d_in=elements, d_out=value, num_items=size, op=op, h_init=init, execution=execution)
        return value[0]
    result = DeviceArray.empty(1, init.dtype)
    stream = stream_of(None)
    _algorithms.reduce_into(d_in=elements, d_out=result, num_items=size, op=op, h_init=init, stream=stream)
    stream.sync()
    return result.to_numpy()[0]


def reduce(data: Any, init: Any, op: OperatorLike = OpKind.PLUS, *, execution: ExecutionLike = "device") -> Any:
    """``op(...op(init, x0)..., xn-1)``, in any order of evaluation, as a NumPy scalar.

    The accumulator is of ``init``'s type; Python's own numbers take the elements' type where they fit.
    """
    if isinstance(data, Iterator) or is_on_device(data):
        elements = as_iterator(data, on_host=is_host(execution))
        if elements.size is None:
            raise TypeError("the iterator has no end; use reduce_into() with num_items")
        return _reduce_iterator(elements, initial_value(init, elements.dtype), op, elements.size, execution)
    values = _host(data)
    first = initial_value(init, values.dtype)
    operator, _ = as_operator(op, [first.dtype, first.dtype], first.dtype)
    result = np.empty(1, first.dtype)
    _cuprum.cuprum_parallel_reduce_host(
        _bytes(result),
        place(execution),
        type_text(values.dtype),
        _bytes(values),
        type_text(first.dtype),
        first.tobytes(),
        operator._open_native("reducing"),
    )
    return result[0]


def _scan(
    kind: int, data: Any, init: Any, op: OperatorLike, dtype: DTypeLike | None, execution: ExecutionLike
) -> Array:
    values = _host(data)
    first = None if init is None else initial_value(init, values.dtype if dtype is None else np.dtype(dtype))
    accumulator = np.dtype(dtype) if dtype is not None else values.dtype if first is None else first.dtype
    operator, _ = as_operator(op, [accumulator, accumulator], accumulator)
    result = np.empty(values.shape, accumulator)
    _cuprum.cuprum_parallel_scan_host(
        _bytes(result),
        place(execution),
        kind,
        type_text(values.dtype),
        _bytes(values),
        type_text(accumulator),
        b"" if first is None else first.astype(accumulator).tobytes(),
        operator._open_native("scanning"),
    )
    return result


def scan(
    data: Any,
    op: OperatorLike = OpKind.PLUS,
    *,
    init: Any = None,
    exclusive: bool = False,
    dtype: DTypeLike | None = None,
    execution: ExecutionLike = "device",
) -> Array:
    """The prefix sums of host data over an operator, as an array of the shape of ``data``.

    Inclusive, or exclusive, which needs ``init``. Accumulates in ``dtype``, or else in the elements' type.
    """
    if exclusive and init is None:
        raise TypeError("an exclusive scan needs an initial value")
    return _scan(0 if exclusive else 1 if init is None else 2, data, init, op, dtype, execution)


def transform(
    data: Any,
    op: OperatorLike,
    *,
    second: Any = None,
    dtype: DTypeLike | None = None,
    execution: ExecutionLike = "device",
) -> Array:
    """``op`` of every element of host data, or of every pair. ``dtype`` is that of the results; a traced function
    tells it, text has the elements' type by default."""
    values = _host(data)
    others = None if second is None else _host(second)
    if others is not None and others.shape != values.shape:
        raise ValueError(f"the two inputs have the shapes {values.shape} and {others.shape}")
    operands = [values.dtype] if others is None else [values.dtype, others.dtype]
    operator, traced = as_operator(op, operands, dtype)
    output = np.dtype(dtype) if dtype is not None else traced if traced is not None else values.dtype
    result = np.empty(values.shape, output)
    _cuprum.cuprum_parallel_transform_host(
        _bytes(result),
        place(execution),
        type_text(output),
        type_text(values.dtype),
        _bytes(values),
        None if others is None else type_text(others.dtype),
        b"" if others is None else _bytes(others),
        operator._open_native("transforming"),
    )
    return result


def _sorted(
    keys: Any, values: Any, order: SortOrder, op: OperatorLike | None, execution: ExecutionLike
) -> tuple[Array, Array | None]:
    sorted_keys = np.array(_host(keys), copy=True).reshape(-1)
    moved = None if values is None else np.array(_host(values), copy=True).reshape(-1)
    if moved is not None and moved.size != sorted_keys.size:
        raise ValueError(f"there are {sorted_keys.size} keys and {moved.size} values")
    operator = None if op is None else as_operator(op, [sorted_keys.dtype, sorted_keys.dtype], np.bool_)[0]
    _cuprum.cuprum_parallel_sort_host(
        place(execution),
        type_text(sorted_keys.dtype),
        _bytes(sorted_keys),
        None if moved is None else type_text(moved.dtype),
        bytearray() if moved is None else _bytes(moved),
        int(order),
        0 if operator is None else operator._open_native("sorting"),
    )
    return sorted_keys, moved


def sort(
    data: Any,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    op: OperatorLike | None = None,
    execution: ExecutionLike = "device",
) -> Array:
    """The elements of host data in order: by their bits, or by ``op``, whether ``a`` comes before ``b``. Stable."""
    return _sorted(data, None, order, op, execution)[0]


def sort_by_key(
    keys: Any,
    values: Any,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    op: OperatorLike | None = None,
    execution: ExecutionLike = "device",
) -> tuple[Array, Array]:
    """Keys in order, and values moved with them. Stable."""
    sorted_keys, moved = _sorted(keys, values, order, op, execution)
    assert moved is not None
    return sorted_keys, moved


def _extreme(kind: int, data: Any, execution: ExecutionLike) -> int:
    values = _host(data)
    if values.size == 0:
        raise ValueError("no elements: none of them is the extreme one")
    return _cuprum.cuprum_parallel_arg_reduce_host(place(execution), kind, type_text(values.dtype), _bytes(values))


def argmin(data: Any, *, execution: ExecutionLike = "device") -> int:
    """The position of the first smallest element of host data; of the first NaN if there is one."""
    return _extreme(0, data, execution)


def argmax(data: Any, *, execution: ExecutionLike = "device") -> int:
    """The position of the first largest element of host data; of the first NaN if there is one."""
    return _extreme(1, data, execution)


def select_from_host(data: Any, condition: OperatorLike) -> Array:
    """The elements of which the condition is true, in their order, as an array of one dimension."""
    values = _host(data)
    operator, _ = as_operator(condition, [values.dtype], np.bool_)
    selected = np.empty(values.size, values.dtype)
    count = _cuprum.cuprum_parallel_select_host(
        _bytes(selected),
        place("device"),
        type_text(values.dtype),
        _bytes(values),
        operator._open_native("selecting"),
    )
    return selected[:count]
