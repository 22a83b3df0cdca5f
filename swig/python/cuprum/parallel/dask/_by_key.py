"""Reductions by key: each partition to its different keys, which are exchanged so that equal ones meet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _algorithms
from cuprum.parallel._algorithm import SortOrder
from cuprum.parallel.dask import _splitters
from cuprum.parallel.dask._chunks import contiguous, like
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import Graph, aligned, partitions, require_array, unknown_sizes
from cuprum.parallel.dask._operators import fingerprint, portable
from cuprum.parallel.dask._orders import Order, Run
from cuprum.parallel.dask._sorts import add_exchange, getattr_of, sort_partition
from cuprum.parallel.dask._splitters import Samples

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike
    from cuprum.parallel.dask._chunks import Array

_ORDER = Order(SortOrder.ASCENDING)


def reduce_by_key(keys: Any, values: Any, op: OperatorLike) -> tuple[Any, Any]:
    """Each key once, in ascending order, and its values, combined by ``op`` in their own type and in their order.

    Unlike ``cuprum.parallel.reduce_by_key``, which says the same of neighbours that are equal, the keys need not be in
    order. Two arrays with as many chunks as ``keys``, of sizes that are not known before they are computed. Keys are
    numbers; each NaN is a key of its own.
    """
    require_array("keys", keys)
    values = aligned(keys, "values", values)
    if keys.dtype.names is not None:
        raise TypeError(f"the keys are structs, {keys.dtype}; expected numbers or bool")
    _ORDER.require(keys.dtype)
    operator, _ = portable(op, [values.dtype, values.dtype], values.dtype)
    parts = keys.npartitions
    everyone = range(parts)
    graph = Graph("reduce-by-key", [keys, values], fingerprint(operator))
    chunks = zip(partitions(keys), partitions(values), strict=True)
    reduce_one = partial(reduce_partition, op=operator)
    runs = graph.layer(
        "partition", {(i,): (reduce_one, *pair) for i, pair in enumerate(chunks)}, after=[keys.name, values.name]
    )
    if parts > 1:
        sample = partial(sample_closely, parts=parts)
        samples = graph.layer("samples", {(i,): (sample, (runs, i)) for i in everyone}, after=[runs])
        choose = partial(choose_splitters, parts=parts)
        splitters = graph.layer("splitters", {(): (choose, [(samples, i) for i in everyone])}, after=[samples])
        cut = {(i,): (partial(cut_at_keys, partition=i, parts=parts), (runs, i), (splitters,)) for i in everyone}
        cuts = graph.layer("cuts", cut, after=[runs, splitters])
        merge = partial(merge_and_reduce, op=operator)
        runs = add_exchange(graph, runs, cuts, [(cuts, i) for i in everyone], parts, merge)

    def of_runs(field: str, array: Any) -> Any:
        tasks = {(i,): (partial(getattr_of, field), (runs, i)) for i in everyone}
        name = graph.layer(field, tasks, after=[runs])
        return graph.array(name, unknown_sizes(parts), array.dtype, like=array)

    return of_runs("keys", keys), of_runs("values", values)


def reduce_partition(keys: Any, values: Any, *, op: OperatorLike) -> Run:
    return reduce_run(sort_partition(keys, values, order=_ORDER), op)


def reduce_run(run: Run, op: OperatorLike) -> Run:
    """Each key of a run once."""
    if len(run.keys) == 0:
        return run
    with on_device(run.keys):
        keys, values = contiguous(run.keys), contiguous(run.values)
        found, combined = _algorithms.reduce_by_key(keys, values, op)
        return Run(like(keys, found), like(values, combined)).part(0, len(found))


def sample_closely(run: Run, *, parts: int) -> Samples:
    with on_device(run.keys):
        return _splitters.take_samples(run, _splitters.close_step(len(run.keys), parts))


def choose_splitters(samples: list[Samples], *, parts: int) -> Array:
    with on_device():
        return _splitters.choose_splitters(samples, order=_ORDER, parts=parts)


def cut_at_keys(run: Run, splitters: Array, *, partition: int, parts: int) -> Array:
    """How many keys come before each bound of the result's parts (first index) in each partition (second index): in
    this one, the others are not looked at."""
    cuts = np.zeros((parts + 1, parts), np.int64)
    with on_device(run.keys):
        if len(splitters):
            cuts[1:-1, partition] = _ORDER.lower_bounds(run.keys, splitters)
    cuts[-1, partition] = len(run.keys)
    return cuts


def merge_and_reduce(runs: list[Run], *, op: OperatorLike) -> Run:
    with on_device(*(run.keys for run in runs)):
        return reduce_run(_ORDER.merge(runs), op)
