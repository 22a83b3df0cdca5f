"""Algorithms of random types, operators and iterators, on the device and on the host's cores, against NumPy: selections
and what goes by runs. The others are in test_random_sums.py and test_random_orders.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import OpKind
from random_case import Array, Random, Where


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def heads_of(keys: Array) -> Array:
    """Where runs begin."""
    if len(keys) == 0:
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))


def runs_of(case: Random, keys: Array, values: Array) -> list[Array]:
    return np.split(values, heads_of(keys)[1:]) if case.count else []


def scans_by_key(case: Random) -> None:
    keys, values = case.keys(), case.elements()
    init = case.type.type(5)
    together: dict[str, Any] = {"op": case.op, "num_items": case.count, "execution": case.where}
    out = case.room(case.type)
    parallel.inclusive_scan_by_key(d_in_keys=case.input(keys), d_in_values=case.input(values), d_out=out, **together)
    runs = runs_of(case, keys, values)
    case.expect(out, np.concatenate([case.function.accumulate(run, dtype=case.type) for run in runs] or [values]))
    parallel.exclusive_scan_by_key(
        d_in_keys=case.input(keys), d_in_values=case.input(values), d_out=out, init_value=init, **together
    )
    expected = [case.function.accumulate(np.concatenate([[init], run[:-1]]), dtype=case.type) for run in runs]
    case.expect(out, np.concatenate(expected or [values]))


def reductions_by_key(case: Random) -> None:
    keys, values = case.keys(), case.elements()
    out, out_keys, number = case.room(case.type), case.room(keys.dtype), case.room(np.uint64, 1)
    parallel.reduce_by_key(
        d_in_keys=case.input(keys),
        d_in_values=case.input(values),
        d_out_keys=out_keys,
        d_out_values=out,
        d_num_runs_out=number,
        op=case.op,
        num_items=case.count,
        execution=case.where,
    )
    runs = runs_of(case, keys, values)
    case.expect(number, [len(runs)])
    case.expect(out_keys, keys[heads_of(keys)], len(runs))
    case.expect(out, [case.function.reduce(run, dtype=case.type) for run in runs], len(runs))


def selections_by_flags(case: Random) -> None:
    values, flags = case.elements(), case.elements(2, np.dtype(case._one_of([np.bool_, np.uint8, np.int32])))
    keeps = flags != 0
    for function, is_partition in ((parallel.select_flagged, False), (parallel.partition_flagged, True)):
        out, number = case.room(case.type), case.room(np.uint64, 1)
        call: Callable[..., None] = function
        call(
            d_in=case.input(values),
            d_flags=case.input(flags),
            d_out=out,
            d_num_selected_out=number,
            num_items=case.count,
            execution=case.where,
        )
        selected = values[keeps]
        case.expect(number, [len(selected)])
        case.expect(out, selected, len(selected))
        if is_partition:  # the rest backwards
            assert case.taken(out)[len(selected) :].tolist() == values[~keeps][::-1].tolist()


def partitions(case: Random) -> None:
    values = case.elements(3)
    out, number = case.room(case.type), case.room(np.uint64, 1)
    parallel.partition(
        d_in=case.input(values),
        d_out=out,
        d_num_selected_out=number,
        select_op=OpKind.LOGICAL_NOT,
        num_items=case.count,
        execution=case.where,
    )
    selected = values[values == 0]
    case.expect(number, [len(selected)])
    case.expect(out, np.concatenate([selected, values[values != 0][::-1]]))


def unique_elements_and_runs(case: Random) -> None:
    values = case.elements(2)
    heads = heads_of(values)
    lengths = np.diff(np.append(heads, case.count))
    out, number = case.room(case.type), case.room(np.uint64, 1)
    together: dict[str, Any] = {"num_items": case.count, "execution": case.where}
    parallel.unique(d_in=case.input(values), d_out=out, d_num_selected_out=number, **together)
    case.expect(number, [len(heads)])
    case.expect(out, values[heads], len(heads))
    of_runs = case.room(np.int32)
    parallel.run_length_encode(
        d_in=case.input(values), d_out=out, d_lengths_out=of_runs, d_num_runs_out=number, **together
    )
    case.expect(out, values[heads], len(heads))
    case.expect(of_runs, lengths, len(heads))
    offsets = case.room(np.int32)
    parallel.non_trivial_runs(
        d_in=case.input(values), d_offsets_out=offsets, d_lengths_out=of_runs, d_num_runs_out=number, **together
    )
    is_long = lengths > 1
    case.expect(number, [is_long.sum()])
    case.expect(offsets, heads[is_long], int(is_long.sum()))
    case.expect(of_runs, lengths[is_long], int(is_long.sum()))


def adjacent_differences(case: Random) -> None:
    values = case.elements()
    out = case.room(case.type)
    together: dict[str, Any] = {"op": case.op, "num_items": case.count, "execution": case.where}
    parallel.adjacent_difference_left(d_in=case.input(values), d_out=out, **together)
    case.expect(out, np.concatenate([values[:1], case.function(values[1:], values[:-1])]))
    parallel.adjacent_difference_right(d_in=case.input(values), d_out=out, **together)
    case.expect(out, np.concatenate([case.function(values[:-1], values[1:]), values[-1:]]))


#: Few on the device, where each is compiled; their seeds are the first ones of the host's.
@pytest.mark.parametrize(("where", "seed"), [*(("host", i) for i in range(25)), ("device", 0), ("device", 1)])
@pytest.mark.parametrize(
    "algorithm",
    [
        scans_by_key,
        reductions_by_key,
        selections_by_flags,
        partitions,
        unique_elements_and_runs,
        adjacent_differences,
    ],
    ids=lambda algorithm: str(algorithm.__name__),
)
def test_random_ones_against_numpy(algorithm: Callable[[Random], None], where: Where, seed: int) -> None:
    with np.errstate(over="ignore"):
        algorithm(Random(seed, where))
