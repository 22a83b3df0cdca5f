"""Sorts, merges, binary searches, the top keys and selections of random types and iterators, on the device and on the
host's cores, against NumPy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import OpKind, SortOrder
from random_case import TYPES, Array, Random, Where


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def order_of(keys: Array, order: SortOrder) -> Array:
    """Where the keys come from, stably."""
    if order == SortOrder.ASCENDING:
        return np.argsort(keys, kind="stable")
    return len(keys) - 1 - np.argsort(keys[::-1], kind="stable")[::-1]


def sorts(case: Random) -> None:
    keys, values = case.elements(50), np.arange(case.count, dtype=np.int32)
    order = SortOrder(int(case.random.integers(2)))
    out, moved = case.room(case.type), case.room(np.int32)
    together: dict[str, Any] = {
        "d_in_keys": case.place(keys),
        "d_out_keys": out,
        "d_in_values": case.place(values),
        "d_out_values": moved,
        "num_items": case.count,
        "execution": case.where,
    }
    expected = order_of(keys, order)
    parallel.radix_sort(**together, order=order)
    case.expect(out, keys[expected])
    case.expect(moved, expected)
    op = OpKind.LESS if order == SortOrder.ASCENDING else OpKind.GREATER
    parallel.merge_sort(**together, op=op)
    case.expect(out, keys[expected])
    case.expect(moved, expected)


def sorts_of_structs(case: Random) -> None:
    """By their fields in their order, as NumPy sorts them."""
    fields = [(f"f{i}", case._one_of(TYPES)) for i in range(int(case.random.integers(1, 5)))]
    keys = np.zeros(case.count, np.dtype(fields, align=True))
    for name, _ in fields:
        keys[name] = case.elements(4)
    out, moved = case.room(keys.dtype), case.room(np.int32)
    parallel.radix_sort(
        d_in_keys=case.place(keys),
        d_out_keys=out,
        d_in_values=case.place(np.arange(case.count, dtype=np.int32)),
        d_out_values=moved,
        order=SortOrder.ASCENDING,
        num_items=case.count,
        execution=case.where,
    )
    expected = np.argsort(keys, kind="stable")
    case.expect(moved, expected)
    case.expect(out, keys[expected])


def sorts_by_fields(case: Random) -> None:
    """By some fields, each in its own order, as a merge sort does."""
    fields = [(f"f{i}", case._one_of(TYPES)) for i in range(int(case.random.integers(1, 5)))]
    keys = np.zeros(case.count, np.dtype(fields, align=True))
    for name, _ in fields:
        keys[name] = case.elements(4)
    chosen = case.random.permutation([name for name, _ in fields])[: int(case.random.integers(1, 4))]
    order = ", ".join(f"{'-' * int(case.random.integers(2))}{name}" for name in chosen)
    together: dict[str, Any] = {
        "d_in_keys": case.place(keys),
        "d_in_values": case.place(np.arange(case.count, dtype=np.int32)),
        "num_items": case.count,
        "execution": case.where,
    }
    out, moved = case.room(keys.dtype), case.room(np.int32)
    parallel.merge_sort(
        **together, d_out_keys=out, d_out_values=moved, op=parallel.Operator.by_fields(keys.dtype, order)
    )
    expected = case.taken(moved)
    out, moved = case.room(keys.dtype), case.room(np.int32)
    parallel.radix_sort(**together, d_out_keys=out, d_out_values=moved, order=order)
    case.expect(moved, expected)
    case.expect(out, keys[expected])


def segmented_sorts(case: Random) -> None:
    keys, values = case.elements(50), np.arange(case.count, dtype=np.int32)
    order = SortOrder(int(case.random.integers(2)))
    cuts = np.concatenate([[0], np.sort(case.random.integers(0, case.count + 1, 7)), [case.count]]).astype(np.int64)
    out, moved = case.room(case.type), case.room(np.int32)
    parallel.segmented_sort(
        d_in_keys=case.place(keys),
        d_out_keys=out,
        d_in_values=case.place(values),
        d_out_values=moved,
        start_offsets_in=case.place(cuts[:-1].copy()),
        end_offsets_in=case.place(cuts[1:].copy()),
        order=order,
        execution=case.where,
    )
    expected = np.concatenate([begin + order_of(keys[begin:end], order) for begin, end in itertools.pairwise(cuts)])
    case.expect(out, keys[expected])
    case.expect(moved, expected)


def merges(case: Random) -> None:
    first, second = np.sort(case.elements(50)), np.sort(case.elements(50))
    numbers = np.arange(case.count, dtype=np.int32)
    out, moved = case.room(case.type, 2 * case.count), case.room(np.int32, 2 * case.count)
    together: dict[str, Any] = {"num_items1": case.count, "num_items2": case.count, "execution": case.where}
    parallel.merge_pairs(
        d_in_keys1=case.input(first),
        d_in_values1=case.input(numbers),
        d_in_keys2=case.input(second),
        d_in_values2=case.input(numbers),
        d_out_keys=out,
        d_out_values=moved,
        **together,
    )
    keys = np.concatenate([first, second])
    expected = np.argsort(keys, kind="stable")
    case.expect(out, keys[expected])
    case.expect(moved, np.concatenate([numbers, numbers])[expected])
    parallel.merge_keys(d_in_keys1=case.input(first), d_in_keys2=case.input(second), d_out_keys=out, **together)
    case.expect(out, keys[expected])


def binary_searches(case: Random) -> None:
    data, values = np.sort(case.elements(50)), case.elements(60)
    out = case.room(np.uint32)
    for search, side in ((parallel.lower_bound, "left"), (parallel.upper_bound, "right")):
        search(
            d_data=case.input(data),
            d_values=case.input(values),
            d_out=out,
            num_items=case.count,
            num_values=case.count,
            execution=case.where,
        )
        case.expect(out, np.searchsorted(data, values, side=side))  # type: ignore[call-overload]


def top_keys(case: Random) -> None:
    keys = case.elements(5000)
    k = case.count // 3
    values = keys.astype(np.float64)
    for select, select_pairs, expected in (
        (parallel.topk_min_keys, parallel.topk_min_pairs, np.sort(keys)[:k]),
        (parallel.topk_max_keys, parallel.topk_max_pairs, np.sort(keys)[case.count - k :]),
    ):
        out, moved = case.room(case.type, k), case.room(np.float64, k)
        together: dict[str, Any] = {"k": k, "num_items": case.count, "execution": case.where}
        select(d_in_keys=case.input(keys), d_out_keys=out, **together)
        assert np.sort(case.taken(out)).tolist() == expected.tolist()
        select_pairs(
            d_in_keys=case.input(keys), d_in_values=case.input(values), d_out_keys=out, d_out_values=moved, **together
        )
        assert np.sort(case.taken(out)).tolist() == expected.tolist()
        assert case.taken(moved).tolist() == case.taken(out).astype(np.float64).tolist()


def selections(case: Random) -> None:
    values = case.elements(3)
    out, number = case.room(case.type), case.room(np.uint64, 1)
    together: dict[str, Any] = {"num_items": case.count, "execution": case.where}
    parallel.select(d_in=case.input(values), d_out=out, d_num_selected_out=number, cond=OpKind.IDENTITY, **together)
    kept = values[values != 0]
    case.expect(number, [len(kept)])
    case.expect(out, kept, len(kept))
    parts = [case.room(case.type) for _ in range(3)]
    numbers = case.room(np.uint64, 2)
    parallel.three_way_partition(
        d_in=case.input(values),
        d_first_part_out=parts[0],
        d_second_part_out=parts[1],
        d_unselected_out=parts[2],
        d_num_selected_out=numbers,
        select_first_part_op=OpKind.LOGICAL_NOT,
        select_second_part_op=OpKind.IDENTITY,
        **together,
    )
    case.expect(numbers, [case.count - len(kept), len(kept)])
    case.expect(parts[1], kept, len(kept))
    keys, first = case.elements(2), np.zeros(case.count, np.bool_)
    first[:1] = True
    first[1:] = keys[1:] != keys[:-1]
    out_values = case.room(np.int32)
    parallel.unique_by_key(
        d_in_keys=case.input(keys),
        d_in_items=case.input(np.arange(case.count, dtype=np.int32)),
        d_out_keys=out,
        d_out_items=out_values,
        d_out_num_selected=number,
        op=OpKind.EQUAL_TO,
        **together,
    )
    case.expect(number, [first.sum()])
    case.expect(out, keys[first], int(first.sum()))
    case.expect(out_values, np.flatnonzero(first), int(first.sum()))


#: One on the device, where each is compiled; its seed is one of the host's.
@pytest.mark.parametrize(("where", "seed"), [*(("host", i) for i in range(25)), ("device", 4)])
@pytest.mark.parametrize(
    "algorithm",
    [sorts, sorts_of_structs, sorts_by_fields, segmented_sorts, merges, binary_searches, top_keys, selections],
    ids=lambda algorithm: str(algorithm.__name__),
)
def test_random_ones_against_numpy(algorithm: Callable[[Random], None], where: Where, seed: int) -> None:
    with np.errstate(over="ignore"):
        algorithm(Random(seed, where))
