"""Each segment of the keys sorted, against NumPy, on the device and on the host's cores."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, SortOrder


@pytest.mark.parametrize("execution", ["device", "host"])
@pytest.mark.parametrize("order", SortOrder)
def test_segments_are_sorted_and_stable(order: SortOrder, execution: Literal["device", "host"]) -> None:
    Device(0).set_current()
    generator = np.random.default_rng(3)
    place: Any = (lambda array: array) if execution == "host" else DeviceArray.from_numpy
    offsets = np.concatenate([[0], np.cumsum(generator.integers(0, 300, 50))]).astype(np.int32)
    count = int(offsets[-1])
    keys = generator.integers(0, 20, count).astype(np.int32)
    values = np.arange(count, dtype=np.uint32)
    out_keys, out_values = place(np.zeros(count, np.int32)), place(np.zeros(count, np.uint32))
    parallel.segmented_sort(
        d_in_keys=place(keys),
        d_out_keys=out_keys,
        d_in_values=place(values),
        d_out_values=out_values,
        start_offsets_in=place(offsets[:-1].copy()),
        end_offsets_in=place(offsets[1:].copy()),
        order=order,
        execution=execution,
    )
    if execution == "device":
        Device(0).sync()
        out_keys, out_values = out_keys.to_numpy(), out_values.to_numpy()
    sign = 1 if order is SortOrder.ASCENDING else -1
    expected = np.concatenate(
        [begin + np.argsort(sign * keys[begin:end], kind="stable") for begin, end in itertools.pairwise(offsets)]
    )
    assert out_values.tolist() == expected.tolist()
    assert out_keys.tolist() == keys[expected].tolist()


def test_what_disagrees_is_refused() -> None:
    keys, ends = np.zeros(4, np.int32), np.array([2, 4], np.int64)
    arrays: dict[str, Any] = {"d_in_keys": keys, "d_out_keys": keys.copy(), "end_offsets_in": ends}
    with pytest.raises(TypeError, match="start_offsets_in has elements of int32, and end_offsets_in of int64"):
        parallel.segmented_sort(**arrays, start_offsets_in=ends.astype(np.int32), execution="host")
    with pytest.raises(ValueError, match="there are 3 segments, and start_offsets_in has 2"):
        parallel.segmented_sort(**arrays, start_offsets_in=ends, num_segments=3, execution="host")
    with (
        parallel.make_segmented_sort(**arrays, start_offsets_in=ends, execution="host") as sort,
        pytest.raises(TypeError, match="d_in_values is given, but the algorithm was built without it"),
    ):
        sort(temp_storage=parallel.POOL, **arrays, start_offsets_in=ends, d_in_values=keys, d_out_values=keys)
