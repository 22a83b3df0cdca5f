"""The top keys, searches and extremes against NumPy, on the device and on the host's cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray

Place = Literal["device", "host"]
TYPES = [np.bool_, np.int8, np.uint16, np.int32, np.uint64, np.float16, np.float32, np.float64]


def run(function: Callable[..., None], place: Place, outputs: dict[str, Any], **arguments: Any) -> list[Any]:
    """What a function writes to its outputs."""
    Device(0).set_current()

    def there(value: Any) -> Any:
        return DeviceArray.from_numpy(value) if place == "device" and isinstance(value, np.ndarray) else value

    written = {name: there(value) for name, value in outputs.items()}
    function(execution=place, **written, **{name: there(value) for name, value in arguments.items()})
    if place == "device":
        Device(0).sync()
        written = {name: value.to_numpy() for name, value in written.items()}
    return list(written.values())


@pytest.mark.parametrize("place", ["device", "host"])
def test_whether_arrays_are_equal_is_returned(place: Place) -> None:
    data = np.arange(5000, dtype=np.int32)
    other = data.copy()
    assert parallel.equal(data, other, execution=place) is True
    other[4321] += 1
    assert parallel.equal(data, other, execution=place) is False
    assert parallel.equal(data, other, parallel.OpKind.LESS_EQUAL, execution=place) is True
    assert parallel.equal(data, other[:100], execution=place) is False
    assert parallel.equal(data[:0], other[:0], execution=place) is True
    Device(0).set_current()
    first, second = DeviceArray.from_numpy(data), DeviceArray.from_numpy(other)
    assert parallel.equal(first, second) is False
    assert parallel.equal(first, second, lambda a, b: a // 10 == b // 10) is True
    assert parallel.equal(first, DeviceArray.from_numpy(data[:3])) is False


@pytest.mark.parametrize("place", ["device", "host"])
def test_the_position_of_an_element_is_returned(place: Place) -> None:
    data = np.zeros(5000, np.int16)
    for position in (4999, 3000, 0):
        data[position] = 7
        assert parallel.find_if(data, parallel.OpKind.IDENTITY, execution=place) == position
    assert parallel.find_if(data[1:3000], parallel.OpKind.IDENTITY, execution=place) == -1
    assert parallel.find_if(data[:0], parallel.OpKind.IDENTITY, execution=place) == -1
    Device(0).set_current()
    assert parallel.find_if(DeviceArray.from_numpy(data), lambda a: a > 8) == -1
    assert parallel.find_if(DeviceArray.from_numpy(data[1:]), lambda a: a > 6) == 2999
    with pytest.raises(TypeError, match=r"find_if\(\) needs a condition"):
        parallel.find_if(data)  # type: ignore[call-overload]


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", TYPES)
def test_top_keys_of_every_type_are_those_of_a_sort(place: Place, dtype: Any) -> None:
    random = np.random.default_rng(np.dtype(dtype).itemsize)
    for count, k in ((0, 0), (1, 1), (5000, 1), (5000, 4999), (20011, 700)):
        keys = (random.integers(-2000, 2000, count) if dtype != np.bool_ else random.integers(0, 2, count)).astype(
            dtype
        )
        ordered = np.sort(keys)
        empty = {"d_out_keys": np.zeros(k, dtype)}
        (lowest,) = run(parallel.topk_min_keys, place, empty, d_in_keys=keys, k=k)
        assert np.sort(lowest).tolist() == ordered[:k].tolist()
        outputs = {"d_out_keys": np.zeros(k, dtype), "d_out_values": np.zeros(k, np.int64)}
        positions = CountingIterator(np.int64(0))
        highest, where = run(parallel.topk_max_pairs, place, outputs, d_in_keys=keys, d_in_values=positions, k=k)
        assert np.sort(highest).tolist() == ordered[count - k :].tolist()
        assert highest.tolist() == keys[where].tolist()
        assert len(set(where.tolist())) == k


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", TYPES)
def test_extremes_are_numpys(place: Place, dtype: Any) -> None:
    random = np.random.default_rng(np.dtype(dtype).itemsize)
    for count in (1, 2, 5000, 20011):
        data = random.integers(0, 2 if dtype == np.bool_ else 100, count).astype(dtype)
        (found,) = run(parallel.min_max, place, {"d_out": np.zeros(2, dtype)}, d_in=data)
        assert found.tolist() == [data.min(), data.max()]
        if np.dtype(dtype).kind == "f":
            data[count // 2] = np.nan
            (found,) = run(parallel.min_max, place, {"d_out": np.zeros(2, dtype)}, d_in=data)
            assert np.isnan(found).all()
    (found,) = run(parallel.min_max, place, {"d_out": np.ones(2, dtype)}, d_in=np.zeros(0, dtype))
    assert found.tolist() == [1, 1]


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.bool_, np.int16, np.float32, np.int64])
def test_the_first_element_and_whether_inputs_are_equal(place: Place, dtype: Any) -> None:
    for count in (0, 1, 5000, 20011):
        for first in {0, count // 2, count}:
            data = np.zeros(count, dtype)
            data[first::7] = 1
            for positions in (np.int32, np.uint64):
                (found,) = run(
                    parallel.find_if, place, {"d_out": np.zeros(1, positions)}, d_in=data, cond=parallel.OpKind.IDENTITY
                )
                assert found.tolist() == [min(first, count)]
            given = {"d_in1": data, "d_in2": np.zeros(count, dtype)}
            (is_equal,) = run(parallel.equal, place, {"d_out": np.zeros(1, np.bool_)}, **given)
            assert is_equal.tolist() == [first == count]


def test_functions_are_conditions_on_the_device() -> None:
    data = np.arange(10000, dtype=np.int32)
    (found,) = run(
        parallel.find_if, "device", {"d_out": np.zeros(1, np.int64)}, d_in=data, cond=lambda a: a * a > 1_000_000
    )
    assert found.tolist() == [1001]
    (is_equal,) = run(
        parallel.equal,
        "device",
        {"d_out": np.zeros(1, np.bool_)},
        d_in1=data,
        d_in2=data + 10,
        op=lambda a, b: abs(a - b) <= 10,
    )
    assert is_equal.tolist() == [True]


def test_what_does_not_fit_is_refused() -> None:
    data, out = np.zeros(8, np.int32), np.zeros(4, np.int32)
    with pytest.raises(InvalidArgument, match="k = 9"):
        parallel.topk_min_keys(d_in_keys=data, d_out_keys=np.zeros(9, np.int32), k=9, execution="host")
    with pytest.raises(ValueError, match="d_out_keys"):
        parallel.topk_min_keys(d_in_keys=data, d_out_keys=out, k=5, execution="host")
    with pytest.raises(InvalidArgument, match="order"):
        parallel.min_max(d_in=np.zeros(8, np.complex64), d_out=np.zeros(2, np.complex64), execution="host")
    with pytest.raises(TypeError, match="d_out"):
        parallel.equal(d_in1=data, d_in2=data, d_out=out, execution="host")
    with pytest.raises(InvalidArgument, match="float32"):
        parallel.find_if(d_in=data, d_out=np.zeros(1, np.float32), cond=parallel.OpKind.IDENTITY, execution="host")
