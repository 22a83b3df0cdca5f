"""Reductions, scans, transformations, histograms and searches of random types, operators and iterators, on the device
and on the host's cores, against NumPy.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray, OpKind
from random_case import Array, Random, Where


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def bounds_of(case: Random, segments: int = 9) -> tuple[Array, Array]:
    """Segments in order, with gaps, some of them empty."""
    cuts = np.sort(case.random.integers(0, case.count + 1, 2 * segments)).astype(np.int64)
    return cuts[::2].copy(), cuts[1::2].copy()


def reductions(case: Random) -> None:
    values, init = case.elements(), case.type.type(5)
    out = case.room(case.type, 1)
    for determinism in parallel.Determinism:
        if determinism == parallel.Determinism.GPU_TO_GPU and case.where == "host" and case.type.kind == "f":
            continue
        parallel.reduce_into(
            d_in=case.input(values),
            d_out=out,
            num_items=case.count,
            op=case.op,
            h_init=init,
            determinism=determinism,
            execution=case.where,
        )
        case.expect(out, [case.function.reduce(values, dtype=case.type, initial=init)])


def scans(case: Random) -> None:
    values, init = case.elements(), case.type.type(5)
    out = case.room(case.type)
    together: dict[str, Any] = {"op": case.op, "num_items": case.count, "execution": case.where}
    parallel.inclusive_scan(d_in=case.input(values), d_out=out, init_value=None, **together)
    case.expect(out, case.function.accumulate(values, dtype=case.type))
    parallel.exclusive_scan(d_in=case.input(values), d_out=out, init_value=init, **together)
    case.expect(out, case.function.accumulate(np.concatenate([[init], values]), dtype=case.type)[:-1])


def segmented_sums(case: Random) -> None:
    values, init = case.elements(), case.type.type(5)
    begins, ends = bounds_of(case)
    segments: dict[str, Any] = {
        "start_offsets_in": case.place(begins),
        "end_offsets_in": case.place(ends),
        "num_segments": len(begins),
        "op": case.op,
        "execution": case.where,
    }
    sums = case.room(case.type, len(begins))
    parallel.segmented_reduce(d_in=case.input(values), d_out=sums, h_init=init, **segments)
    parts = [values[begin:end] for begin, end in zip(begins, ends, strict=True)]
    case.expect(sums, [case.function.reduce(part, dtype=case.type, initial=init) for part in parts])
    out = case.room(case.type)
    parallel.inclusive_segmented_scan(d_in=case.input(values), d_out=out, num_items=case.count, **segments)
    expected = np.zeros(case.count, case.type)
    for begin, end in zip(begins, ends, strict=True):
        expected[begin:end] = case.function.accumulate(values[begin:end], dtype=case.type)
    case.expect(out, expected)


def transformations(case: Random) -> None:
    first, second = case.elements(), case.elements()
    out = case.room(case.type)
    together: dict[str, Any] = {"d_out": out, "num_items": case.count, "execution": case.where}
    parallel.binary_transform(d_in1=case.input(first), d_in2=case.input(second), op=case.op, **together)
    case.expect(out, case.function(first, second))
    parallel.unary_transform(d_in=case.input(first), op=OpKind.NEGATE, **together)
    case.expect(out, np.negative(first))


def extremes(case: Random) -> None:
    values = case.elements()
    out = case.room(case.type, 2)
    parallel.min_max(d_in=case.input(values), d_out=out, num_items=case.count, execution=case.where)
    case.expect(out, [values.min(), values.max()] if case.count else [0, 0])
    for find, expected in ((parallel.argmin, np.argmin), (parallel.argmax, np.argmax)):
        if case.count:
            assert find(case.place(values), execution=case.where) == expected(values)


def searches(case: Random) -> None:
    values = case.elements(300)
    flags = (values == 7).astype(case.type)
    out = case.room(np.int64, 1)
    together: dict[str, Any] = {"num_items": case.count, "execution": case.where}
    parallel.find_if(d_in=case.input(flags), d_out=out, cond=OpKind.IDENTITY, **together)
    places = np.flatnonzero(flags)
    case.expect(out, [places[0] if len(places) else case.count])
    same = case.room(np.bool_, 1)
    other = values.copy()
    if case.count > 40:
        other[case.count * 2 // 3] += 1
    for given in (values, other):
        parallel.equal(d_in1=case.input(values), d_in2=case.input(given), d_out=same, **together)
        case.expect(same, [np.array_equal(values, given)])


def histograms(case: Random) -> None:
    values = case.elements(100)
    counts = case.room(np.int32, 8)
    parallel.histogram_even(
        d_samples=case.input(values),
        d_histogram=counts,
        num_output_levels=9,
        lower_level=8,
        upper_level=88,
        num_samples=case.count,
        execution=case.where,
    )
    inside = values[(values >= 8) & (values < 88)].astype(np.int64)
    case.expect(counts, np.bincount((inside - 8) // 10, minlength=8))
    levels = np.sort(case.random.choice(110, 9, replace=False)).astype(np.int32)
    parallel.histogram_range(
        d_samples=case.input(values),
        d_levels=case.place(levels),
        d_histogram=counts,
        num_samples=case.count,
        execution=case.where,
    )
    wide = values.astype(np.int64)
    case.expect(counts, [((wide >= low) & (wide < high)).sum() for low, high in itertools.pairwise(levels)])


def calls_for_each(case: Random) -> None:
    if case.where == "host":
        return
    found: Any = DeviceArray.from_numpy(np.zeros(max(case.count, 1), np.int64))

    def store(i):  # type: ignore[no-untyped-def]
        found[i] = i * 3
        return True

    parallel.for_each(d_in=CountingIterator(np.int64(0)), num_items=case.count, op=store)
    case.expect(found, np.arange(case.count) * 3, case.count)


#: One on the device, where each is compiled; its seed is the first one of the host's.
@pytest.mark.parametrize(("where", "seed"), [*(("host", i) for i in range(25)), ("device", 4)])
@pytest.mark.parametrize(
    "algorithm",
    [reductions, scans, segmented_sums, transformations, extremes, searches, histograms, calls_for_each],
    ids=lambda algorithm: str(algorithm.__name__),
)
def test_random_ones_against_numpy(algorithm: Callable[[Random], None], where: Where, seed: int) -> None:
    with np.errstate(over="ignore"):
        algorithm(Random(seed, where))
