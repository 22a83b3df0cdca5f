"""The algorithms in one call over arrays on the device. They are done when they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _algorithms, _arg_reduce
from cuprum.parallel._algorithms import POOL, SortOrder
from cuprum.parallel._arrays import DeviceArray, device_elements, stream_of
from cuprum.parallel._iterators import Iterator, as_iterator
from cuprum.parallel._operators import Operator
from cuprum.parallel._select import make_select
from cuprum.parallel._unique_by_key import make_unique_by_key

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike

    DType = np.dtype[Any]


def sized(data: Any, operation: str) -> tuple[Iterator, int]:
    """An array or an iterator with an end, as an iterator, and how many elements it has."""
    elements = as_iterator(data)
    if elements.size is None:
        raise TypeError(
            f"{operation}: the iterator has no end; use the calls that take num_items, such as reduce_into()"
        )
    return elements, elements.size


def reduce(data: Any, init: np.ndarray[Any, Any], op: OperatorLike) -> Any:
    elements, count = sized(data, "reducing")
    result = DeviceArray.empty(1, init.dtype)
    stream = stream_of(None)
    _algorithms.reduce_into(d_in=elements, d_out=result, num_items=count, op=op, h_init=init, stream=stream)
    stream.sync()
    return result.to_numpy()[0]


def scan(
    data: Any, init: np.ndarray[Any, Any] | None, op: OperatorLike, dtype: DType, *, exclusive: bool
) -> DeviceArray:
    elements, count = sized(data, "scanning")
    result = DeviceArray.empty(count, dtype)
    stream = stream_of(None)
    into = _algorithms.exclusive_scan if exclusive else _algorithms.inclusive_scan
    into(d_in=elements, d_out=result, op=op, init_value=init, num_items=count, stream=stream)
    stream.sync()
    return result


def transform(data: Any, second: Any, op: Operator, dtype: DType) -> DeviceArray:
    elements, count = sized(data, "transforming")
    stream = stream_of(None)
    if second is None:
        result = DeviceArray.empty(count, dtype)
        _algorithms.unary_transform(d_in=elements, d_out=result, op=op, num_items=count, stream=stream)
    else:
        others, other_count = sized(second, "transforming")
        if count != other_count:
            raise ValueError(f"the two inputs have {count} and {other_count} elements")
        result = DeviceArray.empty(count, dtype)
        _algorithms.binary_transform(d_in1=elements, d_in2=others, d_out=result, op=op, num_items=count, stream=stream)
    stream.sync()
    return result


def sort(keys: Any, values: Any, order: SortOrder, op: OperatorLike | None) -> tuple[DeviceArray, DeviceArray | None]:
    _, count, dtype = device_elements(keys)
    sorted_keys = DeviceArray.empty(count, dtype)
    moved = None
    if values is not None:
        _, value_count, value_dtype = device_elements(values)
        if value_count != count:
            raise ValueError(f"there are {count} keys and {value_count} values")
        moved = DeviceArray.empty(count, value_dtype)
    stream = stream_of(None)
    arrays = {"d_in_keys": keys, "d_out_keys": sorted_keys, "d_in_values": values, "d_out_values": moved}
    if op is None:
        _algorithms.radix_sort(**arrays, order=order, stream=stream)
    else:
        _algorithms.merge_sort(**arrays, op=op, stream=stream)
    stream.sync()
    return sorted_keys, moved


def arg_extreme(data: Any, *, largest: bool) -> int:
    elements, count = sized(data, "finding the extreme element")
    if count == 0:
        raise ValueError("no elements: none of them is the extreme one")
    stream = stream_of(None)
    make = _arg_reduce.make_argmax_into if largest else _arg_reduce.make_argmin_into
    with make(d_in=elements) as algorithm:
        result = DeviceArray.empty(1, algorithm.result_dtype)
        algorithm(temp_storage=POOL, d_in=elements, d_out=result, num_items=count, stream=stream)
        stream.sync()
    return int(result.to_numpy()[0]["index"])


def select(data: Any, cond: OperatorLike) -> DeviceArray:
    elements, count = sized(data, "selecting")
    selected, number = DeviceArray.empty(count, elements.dtype), DeviceArray.empty(1, np.uint64)
    stream = stream_of(None)
    with make_select(d_in=elements, cond=cond) as algorithm:
        algorithm(temp_storage=POOL, d_in=elements, d_out=selected, d_num_selected_out=number, stream=stream)
        stream.sync()
    return DeviceArray(selected._buffer, elements.dtype, int(number.to_numpy()[0]))


def unique_by_key(keys: Any, values: Any, op: OperatorLike) -> tuple[DeviceArray, DeviceArray]:
    key_elements, count = sized(keys, "selecting unique keys")
    value_elements, value_count = sized(values, "selecting unique keys")
    if value_count != count:
        raise ValueError(f"there are {count} keys and {value_count} values")
    kept_keys, kept_values = (
        DeviceArray.empty(count, key_elements.dtype),
        DeviceArray.empty(count, value_elements.dtype),
    )
    number, stream = DeviceArray.empty(1, np.uint64), stream_of(None)
    with make_unique_by_key(d_in_keys=key_elements, d_in_items=value_elements, op=op) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in_keys=key_elements,
            d_in_items=value_elements,
            d_out_keys=kept_keys,
            d_out_items=kept_values,
            d_out_num_selected=number,
            stream=stream,
        )
        stream.sync()
    kept = int(number.to_numpy()[0])
    return (
        DeviceArray(kept_keys._buffer, key_elements.dtype, kept),
        DeviceArray(kept_values._buffer, value_elements.dtype, kept),
    )
