"""Selections by flags, unique elements and elements in two parts against NumPy's, on the device and on the host's
cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind

Place = Literal["device", "host"]
PLACES: tuple[Place, ...] = ("device", "host")


def run(
    function: Callable[..., None], data: np.ndarray[Any, Any], place: Place, **others: Any
) -> tuple[list[Any], int]:
    """What a function writes for the elements: all of its output, and its count."""
    Device(0).set_current()

    def there(value: Any) -> Any:
        return DeviceArray.from_numpy(value) if place == "device" and isinstance(value, np.ndarray) else value

    output, count = there(np.zeros_like(data)), there(np.full(1, 99, np.int32))
    arrays = {name: there(value) for name, value in others.items()}
    function(d_in=there(data), d_out=output, d_num_selected_out=count, execution=place, **arrays)
    if place == "device":
        Device(0).sync()
        output, count = output.to_numpy(), count.to_numpy()
    return output.tolist(), int(count[0])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float32])
def test_parts_and_runs_are_those_of_numpy(place: Place, dtype: Any) -> None:
    for count in (0, 1, 20011):
        random = np.random.default_rng(count)
        data = random.integers(0, 3, count).astype(dtype)
        flags = random.integers(0, 2, count).astype(np.bool_)
        kept, number = run(parallel.select_flagged, data, place, d_flags=flags)
        assert kept[:number] == data[flags].tolist()
        assert number == np.count_nonzero(flags)
        expected = [*data[flags], *data[~flags][::-1]]
        assert run(parallel.partition_flagged, data, place, d_flags=flags) == (expected, number)
        zeros = data == 0
        expected = [*data[zeros], *data[~zeros][::-1]]
        parts = run(parallel.partition, data, place, select_op=OpKind.LOGICAL_NOT)
        assert parts == (expected, int(np.count_nonzero(zeros)))
        is_first = np.append(True, data[1:] != data[:-1])[:count]
        kept, number = run(parallel.unique, data, place)
        assert kept[:number] == data[is_first].tolist()


@pytest.mark.parametrize("place", ["device", "host"])
def test_unique_elements_are_returned(place: Place) -> None:
    data = np.random.default_rng(3).integers(0, 3, 5000).astype(np.int16)
    expected = data[np.append(True, data[1:] != data[:-1])]
    assert np.array_equal(parallel.unique(data, execution=place), expected)
    assert np.array_equal(parallel.unique(data[:0], OpKind.EQUAL_TO, execution=place), data[:0])
    Device(0).set_current()
    on_device = parallel.unique(DeviceArray.from_numpy(np.sort(data)), lambda a, b: a == b)
    assert isinstance(on_device, DeviceArray)
    assert on_device.to_numpy().tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match=r"unique\(\) takes data, or d_in= with their outputs"):
        parallel.unique()  # type: ignore[call-overload]


@pytest.mark.parametrize("place", ["device", "host"])
def test_parts_are_returned(place: Place) -> None:
    data = np.random.default_rng(3).integers(0, 3, 5000).astype(np.int16)
    expected = [*data[data == 0], *data[data != 0][::-1]]
    parts, number = parallel.partition(data, OpKind.LOGICAL_NOT, execution=place)
    assert parts.tolist() == expected
    assert number == np.count_nonzero(data == 0)
    Device(0).set_current()
    parts, number = parallel.partition(DeviceArray.from_numpy(data), lambda a: a == 0)
    assert parts.to_numpy().tolist() == expected
    assert number == np.count_nonzero(data == 0)
    with pytest.raises(TypeError, match=r"partition\(\) needs a condition"):
        parallel.partition(data)  # type: ignore[call-overload]


def test_functions_decide_on_the_device() -> None:
    data = np.random.default_rng(1).integers(-100, 100, 5000).astype(np.int32)
    above = data > 20
    expected = [*data[above], *data[~above][::-1]]
    assert run(parallel.partition, data, "device", select_op=lambda a: a > 20) == (
        expected,
        int(np.count_nonzero(above)),
    )
    kept, number = run(parallel.unique, np.sort(data), "device", op=lambda a, b: a // 10 == b // 10)
    assert [each // 10 for each in kept[:number]] == sorted({int(each) // 10 for each in data})


def test_flags_and_memory_that_do_not_fit_are_refused() -> None:
    data, output, count = np.zeros(8, np.int32), np.zeros(8, np.int32), np.zeros(1, np.int64)
    arrays: dict[str, Any] = {"d_in": data, "d_out": output, "d_num_selected_out": count, "execution": "host"}
    with pytest.raises(InvalidArgument, match="they are of complex64, expected bool or numbers"):
        parallel.select_flagged(d_flags=np.zeros(8, np.complex64), **arrays)
    with pytest.raises(ValueError, match="num_items is 8, and an input has 7 elements"):
        parallel.partition_flagged(d_flags=np.zeros(7, np.bool_), **arrays | {"num_items": 8})
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.partition(select_op=OpKind.IDENTITY, **arrays | {"d_out": data})
    with pytest.raises(TypeError, match="expected one integer"):
        parallel.unique(**arrays | {"d_num_selected_out": np.zeros(1, np.float32)})
