"""The algorithms over elements in place, in one call: ``reduce(data)``, ``sort(data)``.

Host data is copied to the device and back; with ``execution="host"`` the work is done where it is, on the host's own
cores. Arrays on the device are read there, and results stay there, as a ``DeviceArray``.

The order of arguments is the same in all: the data, then the initial value, then the operator; what follows has names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel import _algorithms, _on_device
from cuprum.parallel._algorithm import SortOrder, initial_value
from cuprum.parallel._data import host_array, host_bytes, is_in_place
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._identity import identity
from cuprum.parallel._iterators import Iterator, as_iterator
from cuprum.parallel._operators import Operator, OpKind, as_operator
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import as_scalar

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike

    Array = np.ndarray[Any, Any]


def _first(init: Any, op: OperatorLike, elements: np.dtype[Any], dtype: DTypeLike | None) -> Array:
    """The initial value: as it is given, or the operator's identity. Its type is the accumulator's."""
    if isinstance(init, (str, OpKind, Operator)) or callable(init):
        raise TypeError(
            "an operator is given where the initial value is expected; give it by name, op=..., or after the initial "
            "value"
        )
    accumulator = elements if dtype is None else np.dtype(dtype)
    if init is None:
        return identity(op, accumulator)
    first = initial_value(init, accumulator)
    return first if dtype is None else first.astype(accumulator)


def _reduce_on_host(elements: Iterator, first: Array, op: OperatorLike, size: int) -> Any:
    value = np.empty(1, first.dtype)
    _algorithms.reduce_into(d_in=elements, d_out=value, num_items=size, op=op, h_init=first, execution="host")
    return as_scalar(value[0])


def reduce(
    data: Any,
    init: Any = None,
    op: OperatorLike = OpKind.PLUS,
    *,
    dtype: DTypeLike | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """``op(...op(init, x0)..., xn-1)``, in any order of evaluation, as a NumPy scalar.

    ``data`` is host data, an array on the device, or an iterator with an end. ``init`` may be left out where ``op`` has
    an identity: sums, products, minima and maxima (infinities, or the largest and smallest integer), bitwise and
    logical operators.

    The accumulator is of type ``dtype``, or else of ``init``'s; Python's own numbers take the elements' type where they
    fit. So a sum of int8 is an int8, which wraps around; ``dtype=np.int64`` makes it wide.
    """
    if is_in_place(data, execution) or isinstance(data, Iterator):
        elements = as_iterator(data, on_host=is_host(execution))
        first = _first(init, op, elements.dtype, dtype)
        if not is_host(execution):
            return _on_device.reduce(elements, first, op)
        if elements.size is None:
            raise TypeError("reducing: the iterator has no end; use reduce_into() with num_items")
        return _reduce_on_host(elements, first, op, elements.size)
    values = host_array(data)
    first = _first(init, op, values.dtype, dtype)
    operator, _ = as_operator(op, [first.dtype, first.dtype], first.dtype)
    result = np.empty(1, first.dtype)
    _cuprum.cuprum_parallel_reduce_array(
        host_bytes(result),
        *native_execution(execution),
        type_text(values.dtype),
        host_bytes(values),
        type_text(first.dtype),
        first.tobytes(),
        operator._open_native("reducing"),
    )
    return as_scalar(result[0])


def scan(
    data: Any,
    init: Any = None,
    op: OperatorLike = OpKind.PLUS,
    *,
    exclusive: bool = False,
    dtype: DTypeLike | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """The prefix sums over an operator: of host data as an array of its shape, of an array on the device as a
    ``DeviceArray``.

    Inclusive: result i combines the elements up to i, starting from ``init`` if given. Exclusive: those before i,
    starting from ``init``, which may be left out where ``op`` has an identity, as in ``reduce``. Accumulates in
    ``dtype``, or else in ``init``'s type, or else in the elements'.
    """
    is_plain = init is None and not exclusive
    if is_in_place(data, execution):
        elements = as_iterator(data)
        first = None if is_plain else _first(init, op, elements.dtype, dtype)
        accumulator = _accumulator(first, elements.dtype, dtype)
        return _on_device.scan(elements, first, op, accumulator, exclusive=exclusive)
    values = host_array(data)
    first = None if is_plain else _first(init, op, values.dtype, dtype)
    accumulator = _accumulator(first, values.dtype, dtype)
    operator, _ = as_operator(op, [accumulator, accumulator], accumulator)
    result = np.empty(values.shape, accumulator)
    _cuprum.cuprum_parallel_scan_array(
        host_bytes(result),
        *native_execution(execution),
        0 if exclusive else 1 if is_plain else 2,
        type_text(values.dtype),
        host_bytes(values),
        type_text(accumulator),
        b"" if first is None else first.tobytes(),
        operator._open_native("scanning"),
    )
    return result


def _accumulator(first: Array | None, elements: np.dtype[Any], dtype: DTypeLike | None) -> np.dtype[Any]:
    result: np.dtype[Any] = elements if dtype is None else np.dtype(dtype)
    return result if first is None else first.dtype


def transform(
    data: Any,
    op: OperatorLike,
    *,
    second: Any = None,
    dtype: DTypeLike | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """``op`` of every element, or of every pair of elements with those of ``second``: of host data as an array of its
    shape, of an array on the device as a ``DeviceArray``.

    ``dtype`` is that of the results. Without it, tracing a function finds it, and text has the elements' type.
    """
    if is_in_place(data, execution) or is_in_place(second, execution):
        inputs = [as_iterator(item) for item in (data, second) if item is not None]
        operator, traced = as_operator(op, [item.dtype for item in inputs], dtype)
        output = np.dtype(dtype) if dtype is not None else traced if traced is not None else inputs[0].dtype
        return _on_device.transform(inputs[0], inputs[1] if len(inputs) == 2 else None, operator, output)
    values = host_array(data)
    others = None if second is None else host_array(second)
    if others is not None and others.shape != values.shape:
        raise ValueError(f"the two inputs have the shapes {values.shape} and {others.shape}")
    operands = [values.dtype] if others is None else [values.dtype, others.dtype]
    operator, traced = as_operator(op, operands, dtype)
    output = np.dtype(dtype) if dtype is not None else traced if traced is not None else values.dtype
    result = np.empty(values.shape, output)
    _cuprum.cuprum_parallel_transform_array(
        host_bytes(result),
        *native_execution(execution),
        type_text(output),
        type_text(values.dtype),
        host_bytes(values),
        None if others is None else type_text(others.dtype),
        b"" if others is None else host_bytes(others),
        operator._open_native("transforming"),
    )
    return result


def _sorted(
    keys: Any, values: Any, order: SortOrder, op: OperatorLike | None, execution: ExecutionLike
) -> tuple[Array, Array | None]:
    given = host_array(keys)
    others = None if values is None else host_array(values)
    if others is not None and others.size != given.size:
        raise ValueError(f"there are {given.size} keys and {others.size} values")
    operator = None if op is None else as_operator(op, [given.dtype, given.dtype], np.bool_)[0]
    sorted_keys = np.empty(given.size, given.dtype)
    moved = None if others is None else np.empty(others.size, others.dtype)
    _cuprum.cuprum_parallel_sort_array_to(
        host_bytes(sorted_keys),
        bytearray() if moved is None else host_bytes(moved),
        *native_execution(execution),
        type_text(given.dtype),
        host_bytes(given),
        None if others is None else type_text(others.dtype),
        b"" if others is None else host_bytes(others),
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
) -> Any:
    """The elements in order, as a new array: by their bits, or by ``op``, whether ``a`` comes before ``b``. Stable.

    Host data gives an array of one dimension, an array on the device a ``DeviceArray``.
    """
    if is_in_place(data, execution):
        return _on_device.sort(data, None, order, op)[0]
    return _sorted(data, None, order, op, execution)[0]


def sort_by_key(
    keys: Any,
    values: Any,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    op: OperatorLike | None = None,
    execution: ExecutionLike = "device",
) -> tuple[Any, Any]:
    """Keys in order, and values moved with them, as two new arrays. Both are host data, or both are on the device.

    By the keys' bits, or by ``op``, whether the key ``a`` comes before ``b``. Stable.
    """
    if is_in_place(keys, execution) or is_in_place(values, execution):
        on_device = _on_device.sort(keys, values, order, op)
        return on_device[0], on_device[1]
    return _sorted(keys, values, order, op, execution)


def _extreme(kind: int, data: Any, execution: ExecutionLike) -> int:
    if is_in_place(data, execution):
        return _on_device.arg_extreme(data, largest=kind == 1)
    values = host_array(data)
    if values.size == 0:
        raise ValueError("the array has no elements, so there is no extreme one")
    return _cuprum.cuprum_parallel_arg_reduce_array(
        *native_execution(execution), kind, type_text(values.dtype), host_bytes(values)
    )


def argmin(data: Any, *, execution: ExecutionLike = "device") -> int:
    """The position of the first smallest element; of the first NaN if there is one. ValueError for no elements."""
    return _extreme(0, data, execution)


def argmax(data: Any, *, execution: ExecutionLike = "device") -> int:
    """The position of the first largest element; of the first NaN if there is one. ValueError for no elements."""
    return _extreme(1, data, execution)
