"""Iterators made of each other, read and written, against NumPy."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument, Unsupported
from cuprum.core import Device
from cuprum.parallel import (
    CacheModifiedInputIterator,
    ConstantIterator,
    CountingIterator,
    DeviceArray,
    DiscardIterator,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    StridedIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
)

Where = Literal["device", "host"]
NUMBERS = np.arange(10, 30, dtype=np.int32)


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def place(array: np.ndarray[Any, Any], where: Where) -> Any:
    return array.copy() if where == "host" else DeviceArray.from_numpy(array)


def taken(array: Any) -> Any:
    if isinstance(array, np.ndarray):
        return array
    Device(0).sync()
    return array.to_numpy()


def copied(it: Any, where: Where, count: int) -> Any:
    """What an iterator gives at positions 0 to count - 1."""
    out = place(np.zeros(count, it.dtype), where)
    parallel.unary_transform(d_in=it, d_out=out, op=OpKind.IDENTITY, num_items=count, execution=where)
    return taken(out)


@pytest.mark.parametrize("where", ["device", "host"])
def test_one_of_each_is_read(where: Where) -> None:
    array = place(NUMBERS, where)
    backwards = NUMBERS[::-1]
    cases: list[tuple[Any, Any]] = [
        (ReverseIterator(array), backwards),
        (ReverseIterator(CountingIterator(np.int64(7))), np.arange(7, -13, -1)),
        (ReverseIterator(TransformIterator(array, OpKind.NEGATE) + 19), -backwards),
        (StridedIterator(array, 3, 1), NUMBERS[1::3]),
        (StridedIterator(array, -2, 19), backwards[::2]),
        (PermutationIterator(array, place(np.array([3, 0, 19], np.uint8), where)), NUMBERS[[3, 0, 19]]),
        (PermutationIterator(CountingIterator(np.float32(0.5)), ReverseIterator(array)), backwards + np.float32(0.5)),
        (CacheModifiedInputIterator(array, "global"), NUMBERS),
    ]
    if where == "device":  # in one program
        together = copied(ZipIterator([it for it, _ in cases]), where, 3)
        for name, (_, expected) in zip(together.dtype.names, cases, strict=True):
            assert together[name].tolist() == expected[:3].tolist(), name
        return
    for it, expected in cases:
        assert copied(it, where, len(expected)).tolist() == expected.tolist(), it


@pytest.mark.parametrize("where", ["device", "host"])
def test_zipped_elements_are_structs(where: Where) -> None:
    array = place(NUMBERS, where)
    pairs = ZipIterator(array, CountingIterator(np.int16(100)))
    assert copied(pairs, where, 20).tolist() == list(zip(NUMBERS.tolist(), range(100, 120), strict=True))
    apart = place(np.zeros(20, np.int32), where), place(np.zeros(20, np.int16), where)
    output = ZipIterator([ReverseIterator(apart[0]), apart[1]])
    parallel.unary_transform(d_in=pairs, d_out=output, op=OpKind.IDENTITY, num_items=20, execution=where)
    assert taken(apart[0]).tolist() == NUMBERS[::-1].tolist()
    assert taken(apart[1]).tolist() == list(range(100, 120))


def test_functions_take_the_fields_of_what_is_zipped_and_return_tuples() -> None:
    array = DeviceArray.from_numpy(NUMBERS)
    pairs = ZipIterator(array, CountingIterator(np.int64(0)))
    out = DeviceArray.empty(20, np.int64)
    parallel.unary_transform(d_in=pairs, d_out=out, op=lambda a: a[0] * 1000 + a.field_1, num_items=20)
    assert taken(out).tolist() == (NUMBERS * np.int64(1000) + np.arange(20)).tolist()
    # The largest element and where it is.
    largest = DeviceArray.empty(1, pairs.dtype)
    first = np.zeros(1, pairs.dtype)
    parallel.reduce_into(
        d_in=pairs,
        d_out=largest,
        num_items=20,
        op="if (a.field_0 < b.field_0) return b; return a;",
        h_init=first[0],
    )
    assert taken(largest).tolist() == [(29, 19)]


def test_a_shuffle_is_the_same_on_the_device_and_on_the_hosts_cores() -> None:
    for n in (1, 2, 1000):
        order = copied(ShuffleIterator(n, 42), "device", n)
        assert order.tolist() == copied(ShuffleIterator(n, 42), "host", n).tolist()
        assert sorted(order.tolist()) == list(range(n))
    assert (
        copied(ShuffleIterator(1000, 42), "host", 1000).tolist()
        != copied(ShuffleIterator(1000, 43), "host", 1000).tolist()
    )
    shuffled = copied(PermutationIterator(NUMBERS, ShuffleIterator(20, 1)), "host", 20)
    assert sorted(shuffled.tolist()) == NUMBERS.tolist() != shuffled.tolist()


@pytest.mark.parametrize("where", ["device", "host"])
def test_every_algorithm_that_writes_through_them(where: Where) -> None:
    keys = np.array([3, 3, 0, 4, 4, 4, 0, 9], np.int32)
    array = place(keys, where)
    out = place(np.full(8, -1, np.int32), where)
    count = place(np.zeros(1, np.uint64), where)
    parallel.inclusive_scan(d_in=array, d_out=ReverseIterator(out), op=OpKind.PLUS, num_items=8, execution=where)
    assert taken(out)[::-1].tolist() == np.cumsum(keys).tolist()

    parallel.select(
        d_in=array, d_out=ReverseIterator(out), d_num_selected_out=count, cond=OpKind.IDENTITY, execution=where
    )
    assert int(taken(count)[0]) == 6
    assert taken(out)[::-1][:6].tolist() == keys[keys != 0].tolist()

    parallel.unique_by_key(
        d_in_keys=array,
        d_in_items=CountingIterator(np.int32(0)),
        d_out_keys=DiscardIterator(),
        d_out_items=PermutationIterator(out, place(np.array([7, 6, 5, 4, 3, 2, 1, 0]), where)),
        d_out_num_selected=count,
        op=OpKind.EQUAL_TO,
        execution=where,
    )
    assert int(taken(count)[0]) == 5
    assert taken(out)[::-1][:5].tolist() == [0, 2, 3, 6, 7]

    negative = place(np.zeros(1, np.float64), where)
    parallel.reduce_into(
        d_in=array,
        d_out=TransformOutputIterator(negative, OpKind.NEGATE),
        num_items=8,
        op=OpKind.PLUS,
        h_init=np.float64(0.5),
        execution=where,
    )
    assert taken(negative).tolist() == [-27.5]


def test_a_reduction_is_transformed_as_it_is_written() -> None:
    """As in cuda.compute's documentation: the norm of a vector."""

    def root(a: np.float32) -> np.float32:
        return np.float32(np.sqrt(a))

    vector = np.array([3, 4, 12], np.float32)
    norm = DeviceArray.empty(1, np.float32)
    squares = TransformIterator(DeviceArray.from_numpy(vector), lambda a: a * a)
    output = TransformOutputIterator(norm, root)
    parallel.reduce_into(d_in=squares, d_out=output, num_items=3, op=OpKind.PLUS, h_init=np.float32(0))
    assert taken(norm).tolist() == [13]


def test_what_was_built_takes_others_of_the_same_kind() -> None:
    array, other = DeviceArray.from_numpy(NUMBERS), DeviceArray.from_numpy(-NUMBERS)
    out = DeviceArray.empty(20, np.int32)
    with parallel.make_unary_transform(
        d_in=ReverseIterator(array), d_out=StridedIterator(out, 1), op=OpKind.IDENTITY
    ) as algorithm:
        algorithm(d_in=ReverseIterator(other), d_out=StridedIterator(out, 1))
        assert taken(out).tolist() == (-NUMBERS[::-1]).tolist()
        algorithm(d_in=ReverseIterator(other) + 5, d_out=StridedIterator(out, 1, 5))
        assert taken(out)[5:].tolist() == (-NUMBERS[::-1])[5:].tolist()
        with pytest.raises(InvalidArgument, match="plain memory, the algorithm was built for strided<pointer<int32>>"):
            algorithm(d_in=ReverseIterator(other), d_out=out)
        with pytest.raises(ValueError, match="d_out has 19 elements, expected 20"):
            algorithm(d_in=ReverseIterator(other), d_out=StridedIterator(out, 1, 1))


class Made:
    """Random iterators, and what NumPy makes of the same."""

    def __init__(self, seed: int, where: Where) -> None:
        self.random = np.random.default_rng(seed)
        self.where = where

    def source(self, count: int, depth: int) -> tuple[Any, np.ndarray[Any, Any]]:
        """One that is read, with the values at positions 0 to count - 1."""
        kind = int(self.random.integers(0, 3 if depth == 0 else 8))
        number = int(self.random.integers(1, 50))
        if kind == 0:
            values = self.random.integers(-1000, 1000, count + 3).astype(np.int32)
            return place(values, self.where), values[:count]
        if kind == 1:
            return CountingIterator(np.int32(number)), np.arange(number, number + count, dtype=np.int32)
        if kind == 2:
            return ConstantIterator(np.int32(number)), np.full(count, number, np.int32)
        if kind == 3:
            base, values = self.source(count, depth - 1)
            return TransformIterator(base, OpKind.BIT_NOT), ~values
        if kind == 4:
            base, values = self.source(count, depth - 1)
            step = StridedIterator(base, -1, count - 1)
            return step, values[::-1]
        if kind == 5:
            base, values = self.source(count + 2 * count, depth - 1)
            return StridedIterator(base, 3, 1), values[1::3][:count]
        if kind == 6:
            base, values = self.source(count, depth - 1)
            order = self.random.integers(0, count, count).astype(np.int64)
            return PermutationIterator(base, place(order, self.where)), values[order]
        base, values = self.source(count + 2, depth - 1)
        it = base if isinstance(base, parallel.Iterator) else StridedIterator(base, 1)
        return it + 2, values[2:]

    def sink(self, count: int, depth: int) -> tuple[Any, Any, Any]:
        """One that is written to, its memory, and a function from what is written to what is there then."""
        kind = int(self.random.integers(0, 1 if depth == 0 else 4))
        if kind == 0:
            memory = place(np.zeros(count, np.int32), self.where)
            return memory, memory, lambda values: values
        base, memory, then = self.sink(count, depth - 1)
        if kind == 1:
            return StridedIterator(base, -1, count - 1), memory, lambda values: then(values[::-1])
        if kind == 2:
            return TransformOutputIterator(base, OpKind.NEGATE), memory, lambda values: then(-values)
        order = self.random.permutation(count)

        def scattered(values: Any) -> Any:
            moved = np.empty_like(values)
            moved[order] = values
            return then(moved)

        return PermutationIterator(base, place(order.astype(np.int64), self.where)), memory, scattered


#: Few on the device, where each is compiled.
@pytest.mark.parametrize(("where", "seed"), [*(("host", i) for i in range(60)), *(("device", i) for i in range(4))])
def test_random_ones_against_numpy(where: Where, seed: int) -> None:
    made = Made(seed, where)
    count = int(made.random.integers(1, 3000))
    it, values = made.source(count, 3)
    output, memory, then = made.sink(count, 2)
    parallel.inclusive_scan(d_in=it, d_out=output, op=OpKind.PLUS, num_items=count, execution=where)
    with np.errstate(over="ignore"):
        expected = then(np.cumsum(values, dtype=np.int32))
    assert taken(memory).tolist() == expected.tolist()


def test_what_they_cannot_do_is_refused() -> None:
    out = np.zeros(20, np.int32)

    def transform(d_in: Any, d_out: Any, op: Any = OpKind.IDENTITY) -> None:
        parallel.unary_transform(d_in=d_in, d_out=d_out, op=op, num_items=4, execution="host")

    with pytest.raises(InvalidArgument, match=r"constant<int32>\): it can only be read, and is an output"):
        transform(NUMBERS, ConstantIterator(np.int32(1)))
    with pytest.raises(InvalidArgument, match="it can only be written to"):
        transform(DiscardIterator(NUMBERS), out)
    with pytest.raises(InvalidArgument, match="it can only be read, and a transform output iterator writes to it"):
        TransformOutputIterator(CountingIterator(0), OpKind.NEGATE)
    with pytest.raises(InvalidArgument, match=r"indices of float64\): expected integers"):
        PermutationIterator(NUMBERS, np.array([0.5]))
    with pytest.raises(InvalidArgument, match="some can only be read and others only be written to"):
        ZipIterator(CountingIterator(0), DiscardIterator())
    nowhere = DiscardIterator(np.zeros(1, np.int64))
    with pytest.raises(TypeError, match="d_out is an iterator, and this algorithm takes memory there"):
        parallel.lower_bound(
            d_data=NUMBERS, num_items=20, d_values=NUMBERS, num_values=20, d_out=nowhere, execution="host"
        )
    with pytest.raises(ValueError, match="at least one iterator"):
        ZipIterator()
    with pytest.raises(ValueError, match="the modifier is 'never'"):
        CacheModifiedInputIterator(NUMBERS, "never")
    with pytest.raises(ValueError, match="num_items is 0"):
        ShuffleIterator(0)
    with pytest.raises(TypeError, match="host memory and of device memory"):
        ZipIterator(NUMBERS, DeviceArray.from_numpy(NUMBERS))
    with pytest.raises(TypeError, match="over host memory, and the algorithm runs on a device"):
        parallel.unary_transform(d_in=ReverseIterator(NUMBERS), d_out=DiscardIterator(), op=OpKind.IDENTITY)
    deep: Any = NUMBERS
    for _ in range(9):
        deep = TransformIterator(deep, OpKind.NEGATE)
    with pytest.raises(Unsupported, match="more than 8 nested iterators"):
        transform(deep, out)
