"""Merges of sorted sequences against NumPy's stable sort, on the device and on the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument, Unsupported
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind

Place = Literal["device", "host"]


def merged(place: Place, first: Any, second: Any, op: Any = OpKind.LESS) -> tuple[list[Any], list[Any]]:
    """The keys, and the positions that they had one after the other."""
    Device(0).set_current()
    count = len(first) + len(second)
    keys = np.zeros(count, first.dtype)
    positions = np.arange(count, dtype=np.int64)
    values = np.zeros(count, np.int64)
    alone = np.zeros(count, first.dtype)
    arrays = [first, positions[: len(first)], second, positions[len(first) :], keys, values, alone]
    arrays = [np.ascontiguousarray(each) for each in arrays]
    if place == "device":
        arrays = [DeviceArray.from_numpy(each) for each in arrays]
    parallel.merge_pairs(
        d_in_keys1=arrays[0],
        d_in_values1=arrays[1],
        d_in_keys2=arrays[2],
        d_in_values2=arrays[3],
        d_out_keys=arrays[4],
        d_out_values=arrays[5],
        op=op,
        execution=place,
    )
    parallel.merge_keys(d_in_keys1=arrays[0], d_in_keys2=arrays[2], d_out_keys=arrays[6], op=op, execution=place)
    if place == "device":
        Device(0).sync()
        arrays = [each.to_numpy() for each in arrays]
    assert arrays[4].tolist() == arrays[6].tolist()
    return arrays[4].tolist(), arrays[5].tolist()


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, np.float64])
def test_keys_of_every_type_are_merged_as_by_a_stable_sort(place: Place, dtype: Any) -> None:
    random = np.random.default_rng(np.dtype(dtype).itemsize)
    for first_count, second_count in ((0, 0), (1, 0), (0, 1), (3000, 1), (5000, 7003)):
        first = np.sort(random.integers(-50, 50, first_count).astype(dtype))
        second = np.sort(random.integers(-50, 50, second_count).astype(dtype))
        both = np.concatenate([first, second])
        order = np.argsort(both, kind="stable")
        keys, positions = merged(place, first, second)
        assert keys == both[order].tolist()
        assert positions == order.tolist()
        keys, _ = merged(place, first[::-1], second[::-1], OpKind.GREATER)
        assert keys == both[order][::-1].tolist()


def test_functions_compare_structs_on_the_device() -> None:
    point = np.dtype([("x", np.float32), ("weight", np.int32)], align=True)
    random = np.random.default_rng(3)
    parts = []
    for count in (1000, 2000):
        part = np.zeros(count, point)
        part["x"] = np.arange(count)
        part["weight"] = np.sort(random.integers(0, 90, count))
        parts.append(part)
    keys, positions = merged("device", parts[0], parts[1], op=lambda a, b: a["weight"] < b["weight"])
    both = np.concatenate(parts)
    order = np.argsort(both["weight"], kind="stable")
    assert positions == order.tolist()
    assert keys == both[order].tolist()


def test_what_does_not_fit_is_refused() -> None:
    keys, out = np.zeros(4, np.int32), np.zeros(8, np.int32)
    given: dict[str, Any] = {"d_in_keys1": keys, "d_in_keys2": keys, "execution": "host"}
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.merge_keys(**given, d_out_keys=keys, num_items1=2, num_items2=2)
    with pytest.raises(ValueError, match="d_out_keys"):
        parallel.merge_keys(**given, d_out_keys=np.zeros(7, np.int32))
    with pytest.raises(ValueError, match="num_items2"):
        parallel.merge_keys(**given, d_out_keys=out, num_items2=5)
    with pytest.raises(InvalidArgument, match="expected the same type"):
        parallel.merge_keys(d_in_keys1=keys, d_in_keys2=keys.astype(np.int64), d_out_keys=out, execution="host")
    with pytest.raises(Unsupported, match="are compiled for a device"):
        parallel.merge_keys(**given, d_out_keys=out, op=lambda a, b: a < 2 * b)
