"""What the calls over data in one call share: host data, and arrays on the device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._algorithm import POOL
from cuprum.parallel._arrays import DeviceArray, is_on_device, stream_of
from cuprum.parallel._execution import is_host, require_current_device
from cuprum.parallel._iterators import Iterator, as_iterator
from cuprum.parallel._operators import OpKind
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike

    Array = np.ndarray[Any, Any]


def host_bytes(values: Array) -> Array:
    """Contiguous elements as what the buffer protocol can pass whatever their type."""
    return values.reshape(-1).view(np.uint8)


def host_array(data: Any) -> Array:
    """Host data as a contiguous array."""
    if type(data) is np.ndarray and data.ndim > 0 and data.flags.c_contiguous:
        type_text(data.dtype)  # or an error that says what it takes
        return data
    if is_on_device(data) or isinstance(data, Iterator):
        raise TypeError(
            f"expected host data; this {type(data).__name__} is for the device: leave out execution='host', or copy an "
            "array to the host (DeviceArray.to_numpy())"
        )
    has_own_way = hasattr(data, "__array__") or hasattr(data, "__array_interface__")
    values = np.ascontiguousarray(data if has_own_way or not hasattr(data, "__dlpack__") else np.from_dlpack(data))
    type_text(values.dtype)  # or an error that says what it takes
    return values


def host_copy(data: Any) -> Array:
    """Host data as an array of one dimension that is the caller's."""
    return np.array(host_array(data)).reshape(-1)


def is_in_place(data: Any, execution: ExecutionLike) -> bool:
    """Whether the device reads it in place."""
    if type(data) is np.ndarray or is_host(execution) or not (isinstance(data, Iterator) or is_on_device(data)):
        return False
    require_current_device(execution)
    return True


def sized(data: Any, operation: str) -> tuple[Iterator, int]:
    """An array or an iterator with an end, as an iterator, and the number of its elements."""
    elements = as_iterator(data)
    if elements.size is None:
        raise TypeError(
            f"{operation}: the iterator has no end; use the calls that take num_items, such as reduce_into()"
        )
    return elements, elements.size


def selected_on_device(
    operation: str,
    make: Callable[..., Any],
    data: dict[str, Any],
    inputs: dict[str, str | None],
    number: str,
    *,
    numbers: tuple[str, ...] = (),
    keeps_all: bool = False,
    **operators: OperatorLike,
) -> Any:
    """What an algorithm selects of arrays on the device, as a DeviceArray for each of ``data``.

    ``inputs``: the algorithm's inputs, in the order of ``data``, and the output for what is selected of each, if
    anything is; ``number``: the output for how many they are; ``numbers``: outputs for an int64 of each. With
    ``keeps_all`` an array of all elements, and the number.
    """
    elements, sizes = zip(*(sized(array, operation) for array in data.values()), strict=True)
    if len(set(sizes)) > 1:
        raise ValueError("there are " + " and ".join(f"{size} {name}" for name, size in zip(data, sizes, strict=True)))
    given = dict(zip(inputs, elements, strict=True))
    selected = {output: DeviceArray.empty(sizes[0], given[name].dtype) for name, output in inputs.items() if output}
    selected |= {output: DeviceArray.empty(sizes[0], np.int64) for output in numbers}
    found, stream = DeviceArray.empty(1, np.uint64), stream_of(None)
    with make(**given, **selected, **operators) as algorithm:
        algorithm(temp_storage=POOL, **given, **selected, **{number: found}, stream=stream)
        stream.sync()
    count = int(found.to_numpy()[0])
    if keeps_all:
        (every,) = selected.values()
        return every, count
    results = tuple(DeviceArray(array._buffer, array.dtype, count) for array in selected.values())
    return results if len(results) > 1 else results[0]


def parted_on_device(
    operation: str,
    make: Callable[..., Any],
    data: Any,
    outputs: tuple[str, ...],
    number: str,
    **operators: OperatorLike,
) -> tuple[DeviceArray, ...]:
    """The parts of an array on the device, each in its output; ``number``: the output for how many are in each but the
    last."""
    elements, size = sized(data, operation)
    parts = {output: DeviceArray.empty(size, elements.dtype) for output in outputs}
    found, stream = DeviceArray.empty(len(outputs) - 1, np.uint64), stream_of(None)
    with make(d_in=elements, **parts, **operators) as algorithm:
        algorithm(temp_storage=POOL, d_in=elements, **parts, **{number: found}, stream=stream)
        stream.sync()
    counts = [int(count) for count in found.to_numpy()]
    counts.append(size - sum(counts))
    return tuple(
        DeviceArray(part._buffer, part.dtype, count) for part, count in zip(parts.values(), counts, strict=True)
    )


def written_on_device(function: Callable[..., Any], outputs: dict[str, tuple[Any, ...]], **given: Any) -> Any:
    """What a function writes to new arrays on the device: ``outputs`` has their types and sizes. Of those of which it
    leaves some elements as they are, a third item says what these are: the elements to copy, or None for 0."""
    made = {name: _new_on_device(*output) for name, output in outputs.items()}
    stream = stream_of(None)
    function(**given, **made, stream=stream)
    stream.sync()
    results = tuple(made.values())
    return results if len(results) > 1 else results[0]


def _new_on_device(dtype: Any, size: int, *rest: Iterator | None) -> DeviceArray:
    if not rest:
        return DeviceArray.empty(size, dtype)
    if rest[0] is None:
        return DeviceArray.from_numpy(np.zeros(size, dtype))
    from cuprum.parallel._transform import unary_transform

    copy = DeviceArray.empty(size, dtype)
    unary_transform(d_in=rest[0], d_out=copy, op=OpKind.IDENTITY, num_items=size, stream=stream_of(None))
    return copy


def found_on_device(operation: str, make: Callable[..., Any], data: Any, **operator: OperatorLike) -> int:
    """The position that a search finds in an array on the device; -1 if it finds none."""
    elements, size = sized(data, operation)
    found, stream = DeviceArray.empty(1, np.uint64), stream_of(None)
    with make(d_in=elements, d_out=found, **operator) as algorithm:
        algorithm(temp_storage=POOL, d_in=elements, d_out=found, num_items=size, stream=stream)
        stream.sync()
    position = int(found.to_numpy()[0])
    return -1 if position == size else position


def compared_on_device(
    operation: str, make: Callable[..., Any], first: Any, second: Any, **operator: OperatorLike
) -> bool:
    """Whether two arrays on the device are equal."""
    (left, size), (right, other) = sized(first, operation), sized(second, operation)
    if size != other:
        return False
    found, stream = DeviceArray.empty(1, np.bool_), stream_of(None)
    with make(d_in1=left, d_in2=right, **operator) as algorithm:
        algorithm(temp_storage=POOL, d_in1=left, d_in2=right, d_out=found, num_items=size, stream=stream)
        stream.sync()
    return bool(found.to_numpy()[0])
