"""Where sorted partitions are cut, so that what lies between two cuts belongs to one partition of the result.

All keys have one order: by key, then by partition, then by position, so equal keys are no exception. A cut is the
number of keys that come before it. Samples at even distances from each partition, put in order, bound for each cut how
many keys of a partition come before it; the keys that remain undecided are then put in order as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from math import isqrt

import numpy as np

from cuprum.parallel.dask._chunks import Array, to_host
from cuprum.parallel.dask._orders import Order, Run


@dataclasses.dataclass(frozen=True)
class Samples:
    """Every ``step``-th key of a partition of ``count`` keys that are in order."""

    count: int
    step: int
    keys: Array


@dataclasses.dataclass(frozen=True)
class Brackets:
    """Of each partition's keys (second index) at least ``low`` and at most ``high`` come before a cut (first index)."""

    #: How many keys of all partitions come before each cut.
    ranks: Array
    counts: Array
    low: Array
    high: Array


def exact_step(count: int, cuts: int) -> int:
    """The distance of samples at which there are about as many samples as keys that remain undecided."""
    return max(1, isqrt(count // (2 * max(1, cuts))))


def close_step(count: int, parts: int) -> int:
    """The distance of samples that alone cut parts about a sixteenth too large at most."""
    return max(1, count // (16 * parts))


def take_samples(run: Run, step: int) -> Samples:
    return Samples(len(run.keys), step, to_host(run.keys[::step]))


class SortedSamples:
    """The samples of all partitions in one order, and how many keys may come before each."""

    def __init__(self, samples: Sequence[Samples], order: Order) -> None:
        self.counts = np.array([each.count for each in samples], np.int64)
        self.steps = np.array([each.step for each in samples], np.int64)
        numbers = np.array([len(each.keys) for each in samples], np.int64)
        keys = np.concatenate([each.keys for each in samples])
        permutation = order.permutation(keys)
        self.keys = keys[permutation]
        self.partitions = np.repeat(np.arange(len(samples)), numbers)[permutation]
        # A sample stands for itself and the keys up to the next one: before what comes behind it there is it at least,
        # and all of these at most.
        most = np.repeat(self.steps, numbers)
        least = most.copy()
        ends = np.cumsum(numbers)
        filled = numbers > 0
        most[ends[filled] - 1] = (self.counts - (numbers - 1) * self.steps)[filled]
        least[(ends - numbers)[filled]] = 1
        self.most_before = _sums_before(most[permutation])
        self.least_before = _sums_before(least[permutation])

    def last_within(self, ranks: Array) -> Array:
        """For each rank the last sample that at most so many keys come before."""
        return np.searchsorted(self.most_before, ranks, side="right") - 1

    def brackets(self, ranks: Array) -> Brackets:
        below = np.maximum(self.last_within(ranks), 0)
        above = np.searchsorted(self.least_before, ranks, side="left")
        before = self._samples_before(below)
        low = np.where(before == 0, 0, (before - 1) * self.steps + 1)
        high = np.minimum(self._samples_before(above) * self.steps, self.counts)
        return Brackets(ranks, self.counts, low, high)

    def _samples_before(self, positions: Array) -> Array:
        """How many samples of each partition come before a position among all."""
        parts = len(self.counts)
        result = np.zeros((len(positions), parts), np.int64)
        known, done = np.zeros(parts, np.int64), 0
        for i in np.argsort(positions, kind="stable"):
            known = known + np.bincount(self.partitions[done : positions[i]], minlength=parts)
            done = int(positions[i])
            result[i] = known
        return result


def _sums_before(numbers: Array) -> Array:
    return np.cumsum(numbers) - numbers


def ranks_of(total: int, sizes: Sequence[int] | None, parts: int) -> Array:
    """How many keys come before each cut: for parts of these sizes, or of about one."""
    if sizes is not None:
        return np.cumsum(np.array(sizes, np.int64))[:-1]
    return np.array([total * part // parts for part in range(1, parts)], np.int64)


def bracket(samples: list[Samples], *, order: Order, sizes: Sequence[int] | None, parts: int) -> Brackets:
    ranks = ranks_of(sum(each.count for each in samples), sizes, parts)
    return SortedSamples(samples, order).brackets(ranks)


def undecided(run: Run, brackets: Brackets, partition: int) -> list[Array]:
    """The partition's keys of which it is not known on which side of each cut they are."""
    bounds = zip(brackets.low[:, partition], brackets.high[:, partition], strict=True)
    return [to_host(run.keys[low:high]) if high > low else np.empty(0, run.keys.dtype) for low, high in bounds]


def cut(brackets: Brackets, keys: list[list[Array]], *, order: Order) -> Array:
    """How many keys of each partition (second index) come before each bound of the results' parts (first index)."""
    parts = len(brackets.counts)
    positions = np.zeros((len(brackets.ranks) + 2, parts), np.int64)
    positions[-1] = brackets.counts
    for i, rank in enumerate(brackets.ranks):
        low = brackets.low[i]
        missing = int(rank - low.sum())
        numbers = brackets.high[i] - low
        if missing == numbers.sum():
            positions[i + 1] = low + numbers
            continue
        positions[i + 1] = low
        if missing:
            owners = np.repeat(np.arange(parts), numbers)
            first = order.permutation(np.concatenate([each[i] for each in keys]))[:missing]
            positions[i + 1] += np.bincount(owners[first], minlength=parts)
    return positions


def choose_splitters(samples: list[Samples], *, order: Order, parts: int) -> Array:
    """Keys before which about as many keys lie in all partitions as before the cuts: at most ``parts - 1``."""
    ordered = SortedSamples(samples, order)
    total = int(ordered.counts.sum())
    return ordered.keys[ordered.last_within(ranks_of(total, None, parts))] if total else ordered.keys[:0]
