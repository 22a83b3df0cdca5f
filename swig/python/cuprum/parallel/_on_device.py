"""The algorithms in one call over arrays on the device. They are done when they return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _algorithms, _transform
from cuprum.parallel._algorithm import POOL, SortOrder
from cuprum.parallel._arrays import DeviceArray, device_elements, stream_of
from cuprum.parallel._data import sized
from cuprum.parallel._operators import Operator
from cuprum.parallel._wide import as_scalar

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike

    DType = np.dtype[Any]


def reduce(data: Any, init: np.ndarray[Any, Any], op: OperatorLike) -> Any:
    elements, count = sized(data, "reducing")
    result = DeviceArray.empty(1, init.dtype)
    stream = stream_of(None)
    _algorithms.reduce_into(d_in=elements, d_out=result, num_items=count, op=op, h_init=init, stream=stream)
    stream.sync()
    return as_scalar(result.to_numpy()[0])


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
        _transform.unary_transform(d_in=elements, d_out=result, op=op, num_items=count, stream=stream)
    else:
        others, other_count = sized(second, "transforming")
        if count != other_count:
            raise ValueError(f"the two inputs have {count} and {other_count} elements")
        result = DeviceArray.empty(count, dtype)
        _transform.binary_transform(d_in1=elements, d_in2=others, d_out=result, op=op, num_items=count, stream=stream)
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
        raise ValueError("the array has no elements, so there is no extreme one")
    stream = stream_of(None)
    make = _algorithms.make_argmax_into if largest else _algorithms.make_argmin_into
    with make(d_in=elements) as algorithm:
        result = DeviceArray.empty(1, algorithm.result_dtype)
        algorithm(temp_storage=POOL, d_in=elements, d_out=result, num_items=count, stream=stream)
        stream.sync()
    return int(result.to_numpy()[0]["index"])
