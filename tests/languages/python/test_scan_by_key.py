"""Scans by key and differences of neighbours against NumPy's, on the device and on the host's cores."""

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


def run(function: Callable[..., None], place: Place, output: np.ndarray[Any, Any], **arguments: Any) -> list[Any]:
    """What a function writes."""
    Device(0).set_current()

    def there(value: Any) -> Any:
        return DeviceArray.from_numpy(value) if place == "device" and isinstance(value, np.ndarray) else value

    written = there(output)
    function(d_out=written, execution=place, **{name: there(value) for name, value in arguments.items()})
    if place == "device":
        Device(0).sync()
        written = written.to_numpy()
    result: list[Any] = written.tolist()
    return result


@pytest.mark.parametrize("place", ["device", "host"])
def test_runs_are_scanned_and_neighbours_subtracted_as_by_numpy(place: Place) -> None:
    for count in (0, 1, 20011):
        random = np.random.default_rng(count)
        keys = np.sort(random.integers(0, 300, count)).astype(np.int16)
        values = random.integers(-100, 100, count).astype(np.int32)
        runs = [values[keys == key].astype(np.int64) for key in np.unique(keys)]
        sums = [each for run_ in runs for each in np.cumsum(run_).tolist()]
        before = [7 + total - value for total, value in zip(sums, values.tolist(), strict=True)]
        empty = np.zeros(count, np.int64)
        given: dict[str, Any] = {"d_in_keys": keys, "d_in_values": values, "op": OpKind.PLUS}
        assert run(parallel.inclusive_scan_by_key, place, empty, **given) == sums
        assert run(parallel.exclusive_scan_by_key, place, empty, **given, init_value=7) == before
        left = np.diff(values, prepend=np.int32(0))
        assert run(parallel.adjacent_difference_left, place, np.zeros_like(values), d_in=values) == left.tolist()
        right = -np.diff(values, append=np.int32(0))
        assert run(parallel.adjacent_difference_right, place, np.zeros_like(values), d_in=values) == right.tolist()


def test_functions_combine_and_compare_on_the_device() -> None:
    values = np.random.default_rng(1).integers(0, 1000, 5000).astype(np.int32)
    largest = run(
        parallel.inclusive_scan_by_key,
        "device",
        np.zeros_like(values),
        d_in_keys=parallel.CountingIterator(np.int32(0)),
        d_in_values=values,
        op=lambda a, b: parallel.where(a > b, a, b),
        equality_op=lambda a, b: a // 1000 == b // 1000,
    )
    assert largest == np.maximum.accumulate(values.reshape(5, 1000), axis=1).ravel().tolist()
    rises = run(
        parallel.adjacent_difference_left, "device", np.zeros(5000, np.bool_), d_in=values, op=lambda a, b: a > b
    )
    assert rises[1:] == (values[1:] > values[:-1]).tolist()


def test_operators_values_and_memory_that_do_not_fit_are_refused() -> None:
    data, other = np.zeros(8, np.int32), np.zeros(8, np.int32)
    keyed: dict[str, Any] = {"d_in_keys": data, "d_in_values": data, "execution": "host"}
    with pytest.raises(Unsupported, match="cannot be combined by it in any order"):
        parallel.inclusive_scan_by_key(d_out=other, op=OpKind.MINUS, **keyed)
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.exclusive_scan_by_key(d_out=data, op=OpKind.PLUS, init_value=0, **keyed)
    with pytest.raises(TypeError, match="init_value"):
        parallel.exclusive_scan_by_key(d_out=other, op=OpKind.PLUS, **keyed)
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.adjacent_difference_right(d_in=data, d_out=data, execution="host")
    with pytest.raises(Unsupported, match="are compiled for a device"):
        parallel.adjacent_difference_left(d_in=data, d_out=other, op=lambda a, b: a - 2 * b, execution="host")
