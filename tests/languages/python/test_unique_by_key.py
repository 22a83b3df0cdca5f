"""The first of each run of equal keys, and its item, on the device and on the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind


@pytest.mark.parametrize("execution", ["device", "host"])
@pytest.mark.parametrize("count", [0, 1, 20011])
def test_keeps_the_first_of_each_run(execution: Literal["device", "host"], count: int) -> None:
    Device(0).set_current()
    keys = np.random.default_rng(count).integers(0, 3, count).astype(np.int32)
    items = np.arange(count, dtype=np.float64)
    is_first = np.ones(count, bool)
    is_first[1:] = keys[1:] != keys[:-1]
    place: Any = (lambda array: array.copy()) if execution == "host" else DeviceArray.from_numpy
    out_keys, out_items = place(keys), place(items)
    selected = place(np.zeros(1, np.uint64))
    parallel.unique_by_key(
        d_in_keys=place(keys),
        d_in_items=place(items),
        d_out_keys=out_keys,
        d_out_items=out_items,
        d_out_num_selected=selected,
        op=OpKind.EQUAL_TO,
        execution=execution,
    )
    if execution == "device":
        Device(0).sync()
        out_keys, out_items, selected = out_keys.to_numpy(), out_items.to_numpy(), selected.to_numpy()
    number = int(selected[0])
    assert number == is_first.sum()
    assert out_keys[:number].tolist() == keys[is_first].tolist()
    assert out_items[:number].tolist() == items[is_first].tolist()


def test_takes_an_operator_of_ones_own() -> None:
    Device(0).set_current()
    keys = DeviceArray.from_numpy(np.array([1, 5, 12, 18, 7], np.int32))
    out, selected = DeviceArray.from_numpy(np.zeros(5, np.int32)), DeviceArray.from_numpy(np.zeros(1, np.uint64))
    items = parallel.CountingIterator(np.int32(0))
    out_items = DeviceArray.from_numpy(np.zeros(5, np.int32))
    parallel.unique_by_key(
        d_in_keys=keys,
        d_in_items=items,
        d_out_keys=out,
        d_out_items=out_items,
        d_out_num_selected=selected,
        op="a / 10 == b / 10",
    )
    Device(0).sync()
    assert selected.to_numpy()[0] == 3
    assert out.to_numpy()[:3].tolist() == [1, 12, 7]
    assert out_items.to_numpy()[:3].tolist() == [0, 2, 4]


@pytest.mark.parametrize("execution", ["device", "host"])
@pytest.mark.parametrize("count", [0, 1, 5003])
def test_in_one_call_gives_the_kept_keys_and_items(execution: Literal["device", "host"], count: int) -> None:
    Device(0).set_current()
    keys = np.random.default_rng(count + 1).integers(0, 3, count).astype(np.int16)
    items = np.arange(count, dtype=np.float32)
    is_first = np.ones(count, bool)
    is_first[1:] = keys[1:] != keys[:-1]
    before = keys.copy()
    kept_keys, kept_items = parallel.unique_by_key(keys, items, execution=execution)
    assert kept_keys.tolist() == keys[is_first].tolist()
    assert kept_items.tolist() == items[is_first].tolist()
    assert (keys == before).all()
    if execution == "device":
        on_device = parallel.unique_by_key(DeviceArray.from_numpy(keys), DeviceArray.from_numpy(items))
        assert [part.to_numpy().tolist() for part in on_device] == [kept_keys.tolist(), kept_items.tolist()]


def test_says_what_one_call_takes() -> None:
    with pytest.raises(TypeError, match="takes keys and values"):
        parallel.unique_by_key(np.zeros(3, np.int32))  # type: ignore[call-overload]
    on_device = DeviceArray.from_numpy(np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="there are 3 keys and 2 values"):
        parallel.unique_by_key(on_device, DeviceArray.from_numpy(np.zeros(2, np.int32)))
