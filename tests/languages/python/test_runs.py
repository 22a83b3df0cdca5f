"""Runs of equal elements against NumPy's: reduced, counted and found, on the device and on the host's cores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument, Unsupported
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind

Place = Literal["device", "host"]


def run(function: Callable[..., None], place: Place, outputs: dict[str, Any], **arguments: Any) -> list[list[Any]]:
    """What a function writes for each run."""
    Device(0).set_current()

    def there(value: Any) -> Any:
        return DeviceArray.from_numpy(value) if place == "device" and isinstance(value, np.ndarray) else value

    written = {name: there(value) for name, value in outputs.items()}
    count = there(np.full(1, 99, np.uint32))
    given = {name: there(value) for name, value in arguments.items()}
    function(d_num_runs_out=count, execution=place, **written, **given)
    if place == "device":
        Device(0).sync()
        written, count = {name: array.to_numpy() for name, array in written.items()}, count.to_numpy()
    return [array[: int(count[0])].tolist() for array in written.values()]


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.int8, np.uint64])
def test_runs_are_those_of_numpy(place: Place, dtype: Any) -> None:
    for count in (0, 1, 20011):
        random = np.random.default_rng(count)
        keys = random.integers(0, 2, count).astype(dtype)
        values = random.integers(-100, 100, count).astype(np.int16)
        begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[:count])
        lengths = np.diff(np.append(begins, count))
        empty = {"d_out_keys": np.zeros_like(keys), "d_out_values": np.zeros(count, np.int64)}
        sums = run(parallel.reduce_by_key, place, empty, d_in_keys=keys, d_in_values=values, op=OpKind.PLUS)
        expected = np.add.reduceat(values.astype(np.int64), begins) if count else np.zeros(0)
        assert sums == [keys[begins].tolist(), expected.tolist()]
        empty = {"d_out": np.zeros_like(keys), "d_lengths_out": np.zeros(count, np.int32)}
        assert run(parallel.run_length_encode, place, empty, d_in=keys) == [keys[begins].tolist(), lengths.tolist()]
        empty = {"d_offsets_out": np.zeros(count, np.int64), "d_lengths_out": np.zeros(count, np.int64)}
        found = run(parallel.non_trivial_runs, place, empty, d_in=keys)
        assert found == [begins[lengths > 1].tolist(), lengths[lengths > 1].tolist()]


@pytest.mark.parametrize("place", ["device", "host"])
def test_runs_of_arrays_are_returned(place: Place) -> None:
    random = np.random.default_rng(7)
    keys, values = random.integers(0, 2, 5003).astype(np.int16), random.integers(-100, 100, 5003)
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    sums, lengths = np.add.reduceat(values, begins), np.diff(np.append(begins, keys.size))
    before = keys.copy()
    found, sums_found = parallel.reduce_by_key(keys, values, OpKind.PLUS, execution=place)
    assert np.array_equal(found, keys[begins])
    assert np.array_equal(sums_found, sums)
    found, lengths_found = parallel.run_length_encode(keys, execution=place)
    assert np.array_equal(found, keys[begins])
    assert np.array_equal(lengths_found, lengths)
    assert np.array_equal(keys, before)
    found, lengths_found = parallel.run_length_encode(keys[:0], execution=place)
    assert len(found) == len(lengths_found) == 0
    with pytest.raises(TypeError, match=r"reduce_by_key\(\) takes keys and values"):
        parallel.reduce_by_key(keys, op=OpKind.PLUS)  # type: ignore[call-overload]
    with pytest.raises(InvalidArgument, match="one part has 5003 elements and the other 3"):
        parallel.reduce_by_key(keys, values[:3], OpKind.PLUS, execution=place)


def test_runs_of_arrays_on_the_device_are_returned_there() -> None:
    Device(0).set_current()
    keys, values = np.array([3, 4, 17, 5], np.int32), np.array([1.5, 4, 2, 8])
    found, largest = parallel.reduce_by_key(
        DeviceArray.from_numpy(keys),
        DeviceArray.from_numpy(values),
        lambda a, b: parallel.where(a > b, a, b),
        lambda a, b: a // 10 == b // 10,
    )
    assert found.to_numpy().tolist() == [3, 17, 5]
    assert largest.to_numpy().tolist() == [4, 2, 8]
    found, lengths = parallel.run_length_encode(DeviceArray.from_numpy(keys), lambda a, b: a // 10 == b // 10)
    assert found.to_numpy().tolist() == [3, 17, 5]
    assert lengths.to_numpy().tolist() == [2, 1, 1]
    assert lengths.dtype == np.int64


def test_functions_combine_and_compare_on_the_device() -> None:
    keys = np.sort(np.random.default_rng(1).integers(0, 1000, 5000)).astype(np.int32)
    values = np.random.default_rng(2).integers(0, 1000, 5000).astype(np.int32)
    empty = {"d_out_keys": np.zeros_like(keys), "d_out_values": np.zeros_like(values)}
    largest = run(
        parallel.reduce_by_key,
        "device",
        empty,
        d_in_keys=keys,
        d_in_values=values,
        op=lambda a, b: parallel.where(a > b, a, b),
        equality_op=lambda a, b: a // 100 == b // 100,
    )
    assert largest[1] == [int(values[keys // 100 == hundred].max()) for hundred in range(10)]


def test_types_operators_and_memory_that_do_not_fit_are_refused() -> None:
    data, other, count = np.zeros(8, np.int32), np.zeros(8, np.int32), np.zeros(1, np.int64)
    runs: dict[str, Any] = {"d_in": data, "d_num_runs_out": count, "execution": "host"}
    with pytest.raises(InvalidArgument, match="lengths of type float32"):
        parallel.run_length_encode(d_out=other, d_lengths_out=np.zeros(8, np.float32), **runs)
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.non_trivial_runs(d_offsets_out=other, d_lengths_out=other, **runs)
    keyed: dict[str, Any] = {"d_in_keys": data, "d_in_values": data, "d_num_runs_out": count, "execution": "host"}
    keyed |= {"d_out_keys": other, "d_out_values": np.zeros(8, np.int32)}
    with pytest.raises(Unsupported, match="cannot be combined by it in any order"):
        parallel.reduce_by_key(op=OpKind.MINUS, **keyed)
    with pytest.raises(Unsupported, match="expected a comparison"):
        parallel.reduce_by_key(op=OpKind.PLUS, equality_op=OpKind.PLUS, **keyed)
    with pytest.raises(TypeError, match="expected one integer"):
        parallel.reduce_by_key(op=OpKind.PLUS, **keyed | {"d_num_runs_out": np.zeros(1, np.int16)})
