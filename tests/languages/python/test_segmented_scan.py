"""Scans of segments against NumPy's, on the device and on the host's cores."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray, OpKind

Place = Literal["device", "host"]


def run(function: Callable[..., None], place: Place, output: np.ndarray[Any, Any], **arguments: Any) -> list[Any]:
    """What a function writes."""
    Device(0).set_current()

    def there(value: Any) -> Any:
        is_array = place == "device" and isinstance(value, np.ndarray)
        return DeviceArray.from_numpy(np.ascontiguousarray(value)) if is_array else value

    written = there(output)
    function(d_out=written, execution=place, **{name: there(value) for name, value in arguments.items()})
    if place == "device":
        Device(0).sync()
        written = written.to_numpy()
    result: list[Any] = written.tolist()
    return result


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.float32, np.float64])
def test_segments_of_every_type_are_scanned_as_by_numpy(place: Place, dtype: Any) -> None:
    random = np.random.default_rng(np.dtype(dtype).itemsize)
    for lengths in ([], [1], [0, 3, 0], random.integers(0, 40, 200), [5000, 1, 1536, 129]):
        bounds = np.concatenate([[0], np.cumsum(np.asarray(lengths, np.int64))]).astype(np.int32)
        data = random.integers(0, 20, int(bounds[-1])).astype(dtype)
        parts = [data[begin:end] for begin, end in itertools.pairwise(bounds)]
        given: dict[str, Any] = {
            "d_in": data,
            "start_offsets_in": bounds[:-1],
            "end_offsets_in": bounds[1:],
        }
        sums = [each for part in parts for each in np.cumsum(part, dtype=dtype).tolist()]
        largest = [each for part in parts for each in np.maximum.accumulate(part).tolist()]
        empty = np.zeros(len(data), dtype)
        assert run(parallel.inclusive_segmented_scan, place, empty, op=OpKind.PLUS, **given) == sums
        assert run(parallel.inclusive_segmented_scan, place, empty, op=OpKind.MAXIMUM, **given) == largest
        wide = np.zeros(len(data), np.float64)
        after = [float(7 + value) for part in parts for value in np.cumsum(part, dtype=np.float64)]
        before = [each - float(value) for each, value in zip(after, data, strict=True)]
        init = np.float64(7)
        inclusive = run(parallel.inclusive_segmented_scan, place, wide, op=OpKind.PLUS, init_value=init, **given)
        assert inclusive == after
        assert run(parallel.exclusive_segmented_scan, place, wide, op=OpKind.PLUS, init_value=init, **given) == before


def test_functions_combine_what_iterators_make() -> None:
    bounds = np.array([0, 10, 1000, 4000], np.int64)
    found = run(
        parallel.inclusive_segmented_scan,
        "device",
        np.zeros(4000, np.int64),
        d_in=CountingIterator(np.int64(5)),
        start_offsets_in=bounds[:-1],
        end_offsets_in=bounds[1:],
        num_items=4000,
        op=lambda a, b: a if a > b else b,
    )
    assert found == list(range(5, 4005))


def test_what_does_not_fit_is_refused() -> None:
    data, bounds = np.zeros(8, np.int32), np.array([0, 4], np.int32)
    given: dict[str, Any] = {
        "start_offsets_in": bounds,
        "end_offsets_in": bounds,
        "op": OpKind.PLUS,
        "execution": "host",
    }
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.inclusive_segmented_scan(d_in=data, d_out=bounds, num_items=2, **given)
    with pytest.raises(TypeError, match="init_value"):
        parallel.exclusive_segmented_scan(d_in=data, d_out=data, **given)
    with pytest.raises(ValueError, match="num_items"):
        parallel.inclusive_segmented_scan(d_in=data, d_out=data, num_items=9, **given)
    given["end_offsets_in"] = bounds.astype(np.int64)
    with pytest.raises(TypeError, match="end_offsets_in"):
        parallel.inclusive_segmented_scan(d_in=data, d_out=data, **given)
