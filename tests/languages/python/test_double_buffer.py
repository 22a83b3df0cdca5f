"""Sorts between two arrays, and how far a reduction's result is the same."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import Unsupported
from cuprum.core import Device
from cuprum.parallel import POOL, Determinism, DeviceArray, DoubleBuffer, OpKind

KEYS = np.array([5, -3, 8, 1, 0, 7], np.int32)
ITEMS = np.arange(6, dtype=np.float32)


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


@pytest.mark.parametrize("where", ["device", "host"])
def test_the_sorted_elements_are_the_current_ones(where: Literal["device", "host"]) -> None:
    place: Any = np.copy if where == "host" else DeviceArray.from_numpy
    taken: Any = np.asarray if where == "host" else DeviceArray.to_numpy
    keys = DoubleBuffer(place(KEYS), place(np.zeros_like(KEYS)))
    items = DoubleBuffer(place(ITEMS), place(np.zeros_like(ITEMS)))
    first = keys.current()
    parallel.radix_sort(
        d_in_keys=keys, d_out_keys=None, d_in_values=items, d_out_values=None, num_items=6, execution=where
    )
    assert keys.alternate() is first
    assert taken(keys.current()).tolist() == sorted(KEYS.tolist())
    assert taken(items.current()).tolist() == ITEMS[np.argsort(KEYS)].tolist()
    with parallel.make_radix_sort(d_in_keys=keys, order=parallel.SortOrder.DESCENDING, execution=where) as algorithm:
        algorithm(temp_storage=None, d_in_keys=keys, num_items=6)
        assert keys.current() is not first  # nothing was sorted
        algorithm(temp_storage=POOL, d_in_keys=keys, num_items=6)
    assert keys.current() is first
    assert taken(first).tolist() == sorted(KEYS.tolist(), reverse=True)


def test_passes_go_back_and_forth_and_need_no_other_memory() -> None:
    keys = np.random.default_rng(1).integers(0, 1 << 24, 20_011).astype(np.uint32)
    buffer = DoubleBuffer(DeviceArray.from_numpy(keys), DeviceArray.empty(keys.size, keys.dtype))
    first, second = buffer.d_buffers
    with parallel.make_radix_sort(d_in_keys=buffer) as sort:
        between = sort(temp_storage=None, d_in_keys=buffer, num_items=keys.size)
        assert between <= sort.temp_storage_bytes(keys.size) - keys.nbytes
        storage = DeviceArray.empty(between, np.uint8)
        # Three passes over 24 bits end in the other array, four over all of them where they began.
        sort(temp_storage=storage, d_in_keys=buffer, begin_bit=0, end_bit=24)
        assert buffer.current() is second
        assert (second.to_numpy() == np.sort(keys)).all()
        sort(temp_storage=storage, d_in_keys=buffer)
        assert buffer.current() is second
        assert (second.to_numpy() == np.sort(keys)).all()
        assert buffer.alternate() is first
        with pytest.raises(ValueError, match="20012 elements"):
            sort(temp_storage=POOL, d_in_keys=buffer, num_items=20_012)


def test_buffers_and_outputs_exclude_each_other() -> None:
    buffer = DoubleBuffer(KEYS.copy(), KEYS.copy())
    with pytest.raises(TypeError, match="where the results go"):
        parallel.radix_sort(d_in_keys=buffer, d_out_keys=KEYS.copy(), num_items=6, execution="host")
    with pytest.raises(TypeError, match="expected both"):
        parallel.radix_sort(d_in_keys=buffer, d_in_values=ITEMS, num_items=6, execution="host")


def test_reductions_say_how_far_they_are_the_same() -> None:
    out = np.zeros(1, np.int32)
    for determinism in Determinism:
        parallel.reduce_into(
            d_in=KEYS, d_out=out, num_items=6, op=OpKind.PLUS, h_init=0, determinism=determinism, execution="host"
        )
        assert out.tolist() == [KEYS.sum()]
    floats = np.zeros(1, np.float32)
    with pytest.raises(Unsupported, match=r"determinism gpu_to_gpu.*float32"):
        parallel.reduce_into(
            d_in=ITEMS,
            d_out=floats,
            num_items=6,
            op=OpKind.PLUS,
            h_init=np.float32(0),
            determinism=Determinism.GPU_TO_GPU,
            execution="host",
        )
