"""Integers of 128 bits: as NumPy holds them, and what the algorithms make of them, against Python's own."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import ConstantIterator, CountingIterator, DeviceArray, OpKind, int128, uint128
from cuprum.parallel import pack_int128 as pack
from cuprum.parallel import unpack_int128 as unpack

Place = Literal["device", "host"]
PLACES = ["device", "host"]


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def wrapped(number: int) -> int:
    return (number + (1 << 127)) % (1 << 128) - (1 << 127)


def numbers(count: int = 1000) -> list[int]:
    random = np.random.default_rng(count)
    halves = random.integers(0, 1 << 64, (count, 2), dtype=np.uint64)
    return [wrapped(int(high) << 64 | int(low)) >> int(low) % 4 * 31 for low, high in halves]


def test_numpy_holds_them_as_two_halves() -> None:
    values = [0, -1, (1 << 127) - 1, -(1 << 127), 1 << 64]
    array = pack(values)
    assert (array.dtype, array.itemsize) == (int128, 16)
    assert unpack(array).tolist() == values
    assert unpack(pack([[1, 2], [3, (1 << 128) - 1]], uint128)).tolist() == [[1, 2], [3, (1 << 128) - 1]]
    assert unpack(pack(np.arange(-2, 3, dtype=np.int16))).tolist() == [-2, -1, 0, 1, 2]
    assert unpack(np.zeros(2, int128)).tolist() == [0, 0]
    # What NumPy does with the array keeps its type.
    assert parallel.reduce(np.concatenate([array, array])[1::2].copy(), execution="host") == wrapped(
        sum((values * 2)[1::2])
    )


def test_what_does_not_fit_is_refused() -> None:
    for values, dtype in (([1 << 127], int128), ([-(1 << 127) - 1], int128), ([-1], uint128), ([1 << 128], uint128)):
        with pytest.raises(OverflowError, match="does not fit into 128 bits"):
            pack(values, dtype)
    with pytest.raises(TypeError, match="expected integers"):
        pack(["x"])
    with pytest.raises(TypeError, match="int128 or uint128"):
        pack([1], np.int64)
    with pytest.raises(TypeError, match="int128 or uint128"):
        unpack(np.zeros(3))


@pytest.mark.parametrize("execution", PLACES)
def test_sums_extremes_scans_and_sorts(execution: Place) -> None:
    values = numbers()
    array = pack(values)
    assert parallel.reduce(array, execution=execution) == wrapped(sum(values))
    assert parallel.reduce(array, 1 << 100, execution=execution) == wrapped(sum(values) + (1 << 100))
    assert parallel.reduce(array, op=OpKind.MINIMUM, execution=execution) == min(values)
    assert parallel.reduce(array, op="bit_and", execution=execution) == 0
    sums = unpack(parallel.scan(array, exclusive=True, execution=execution)).tolist()
    assert sums == [wrapped(sum(values[:i])) for i in range(len(values))]
    assert unpack(parallel.sort(array, execution=execution)).tolist() == sorted(values)
    keys = pack([abs(value) * 2 for value in values], uint128)
    in_order, moved = parallel.sort_by_key(
        keys, np.arange(len(values)), order=parallel.SortOrder.DESCENDING, execution=execution
    )
    expected = sorted(range(len(values)), key=lambda i: -abs(values[i]))
    assert moved.tolist() == expected
    assert unpack(in_order).tolist() == [abs(values[i]) * 2 for i in expected]
    assert parallel.argmax(array, execution=execution) == values.index(max(values))


def test_functions_are_recorded() -> None:
    values = numbers(100)
    array = pack(values)
    doubled = parallel.transform(array, lambda a: (a * 3 - (1 << 70)) ^ 5, dtype=int128)
    assert unpack(doubled).tolist() == [wrapped(value * 3 - (1 << 70)) ^ 5 for value in values]
    assert parallel.reduce(array, 0, lambda a, b: a + b) == wrapped(sum(values))
    assert unpack(parallel.sort(array, op=lambda a, b: a > b)).tolist() == sorted(values, reverse=True)
    negative = parallel.select(array, lambda a: a < 0)
    assert unpack(negative).tolist() == [value for value in values if value < 0]
    with pytest.raises(TypeError, match=r"cannot decide by a value"):
        parallel.reduce(array, 0, lambda a, b: a if a > b else b)
    with pytest.raises(TypeError, match=r"expected an integer of 128 bits"):
        parallel.transform(array, lambda a: 0.5, dtype=int128)


def test_iterators_and_structs_have_them() -> None:
    out = DeviceArray.from_numpy(np.zeros(3, int128))
    counting = CountingIterator(1 << 100, dtype=int128)
    parallel.unary_transform(d_in=counting + 5, d_out=out, op=OpKind.IDENTITY, num_items=3)
    Device(0).sync()
    assert unpack(out.to_numpy()).tolist() == [(1 << 100) + 5 + i for i in range(3)]
    constant = ConstantIterator(-7, dtype=int128)
    parallel.unary_transform(d_in=constant, d_out=out, op="a * 2", num_items=3)
    Device(0).sync()
    assert unpack(out.to_numpy()).tolist() == [-14] * 3
    pair = np.dtype({"names": ["weight", "id"], "formats": [np.int32, int128], "offsets": [0, 16], "itemsize": 32})
    pairs = np.zeros(4, pair)
    pairs["weight"] = [3, 1, 4, 1]
    pairs["id"] = pack([1 << 90, 2 << 90, 3 << 90, 4 << 90])
    by_id: Any = parallel.sort(pairs, op="b.id < a.id")
    assert by_id["weight"].tolist() == [1, 4, 1, 3]
