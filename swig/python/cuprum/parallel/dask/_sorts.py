"""A sample sort: each partition is sorted, cut where the partitions of the result begin, exchanged, and merged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np

from cuprum.parallel._algorithm import SortOrder
from cuprum.parallel.dask import _splitters
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import (
    Graph,
    Key,
    aligned,
    partitions,
    require_array,
    sizes_are_known,
    sizes_of,
    unknown_sizes,
)
from cuprum.parallel.dask._operators import fingerprint, portable
from cuprum.parallel.dask._orders import Order, Run
from cuprum.parallel.dask._splitters import Brackets, Samples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cuprum.parallel._operators import OperatorLike
    from cuprum.parallel.dask._chunks import Array


def sort(
    data: Any,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    op: OperatorLike | None = None,
    chunks: Any = None,
) -> Any:
    """The elements in order: by their bits, or by ``op``, whether ``a`` comes before ``b``. Stable.

    ``chunks``: the sizes of the result's chunks, as ``rechunk`` takes them, or how many chunks of about one size where
    the sizes of ``data``'s are not known. None: those of ``data``, or as many of about one size. They are exactly so
    large, whatever the keys are.
    """
    return _sorted("sort", data, None, order, op, chunks)[0]


def sort_by_key(
    keys: Any,
    values: Any,
    *,
    order: SortOrder = SortOrder.ASCENDING,
    op: OperatorLike | None = None,
    chunks: Any = None,
) -> tuple[Any, Any]:
    """Keys in order, and values moved with them. Stable. The arguments are those of ``sort``."""
    require_array("keys", keys)
    sorted_keys, moved = _sorted("sort-by-key", keys, aligned(keys, "values", values), order, op, chunks)
    return sorted_keys, moved


def _sorted(
    call: str, keys: Any, values: Any, order: SortOrder, op: OperatorLike | None, chunks: Any
) -> tuple[Any, Any]:
    require_array("keys" if values is not None else "data", keys)
    operator = None if op is None else portable(op, [keys.dtype, keys.dtype], np.bool_)[0]
    chosen = Order(SortOrder(order), operator)
    chosen.require(keys.dtype)
    sizes = _result_sizes(keys, chunks)
    known = None if isinstance(sizes, int) else sizes
    parts = sizes if isinstance(sizes, int) else len(sizes)
    inputs = [keys] if values is None else [keys, values]
    graph = Graph(call, inputs, int(order), fingerprint(operator), known, parts)
    merged = _add_layers(graph, inputs, chosen, known, parts)
    result_sizes = unknown_sizes(parts) if known is None else known

    def of_runs(field: str) -> str:
        return graph.layer(
            field, {(i,): (partial(getattr_of, field), (merged, i)) for i in range(parts)}, after=[merged]
        )

    sorted_keys = graph.array(of_runs("keys"), result_sizes, keys.dtype, like=keys)
    if values is None:
        return sorted_keys, None
    return sorted_keys, graph.array(of_runs("values"), result_sizes, values.dtype, like=values)


def _result_sizes(keys: Any, chunks: Any) -> Sequence[int] | int:
    """The sizes of the result's chunks; how many there are where these are not known."""
    if sizes_are_known(keys):
        wanted = keys.chunks if chunks is None else da.core.normalize_chunks(chunks, keys.shape, dtype=keys.dtype)
        return tuple(int(size) for size in wanted[0])
    if chunks is None:
        return len(sizes_of(keys))
    if not isinstance(chunks, int) or chunks < 1:
        raise ValueError(
            f"chunks is {chunks!r}, and the sizes of the array's chunks are not known: expected how many chunks the "
            "result is to have; compute_chunk_sizes() finds the sizes"
        )
    return chunks


def _add_layers(graph: Graph, inputs: list[Any], order: Order, sizes: Sequence[int] | None, parts: int) -> str:
    """Returns the layer of the result's runs."""
    chunks = list(zip(*(partitions(array) for array in inputs), strict=True))
    names = [array.name for array in inputs]
    everyone = range(len(chunks))
    sort_one = partial(sort_partition, order=order)
    runs = graph.layer("partition", {(i,): (sort_one, *chunks[i]) for i in everyone}, after=names)
    if len(chunks) == 1 and parts == 1:
        return runs
    sample = partial(sample_exactly, cuts=parts - 1)
    samples = graph.layer("samples", {(i,): (sample, (runs, i)) for i in everyone}, after=[runs])
    of_all: list[Key] = [(samples, i) for i in everyone]
    bracket = partial(bracket_cuts, order=order, sizes=sizes, parts=parts)
    brackets = graph.layer("bracket", {(): (bracket, of_all)}, after=[samples])
    open_keys = graph.layer(
        "undecided",
        {(i,): (partial(undecided_keys, partition=i), (runs, i), (brackets,)) for i in everyone},
        after=[runs, brackets],
    )
    decide = partial(cut, order=order)
    cuts = graph.layer(
        "cuts", {(): (decide, (brackets,), [(open_keys, i) for i in everyone])}, after=[brackets, open_keys]
    )
    return add_exchange(graph, runs, cuts, [(cuts,) for _ in everyone], parts, partial(merge, order=order))


def add_exchange(
    graph: Graph, runs: str, cuts: str, cuts_of: Sequence[Key], parts: int, merge: Callable[[list[Run]], Run]
) -> str:
    """What lies between two cuts of each partition's run goes to one task, which merges it. Returns the layer of these.

    ``cuts_of``: the task in the layer ``cuts`` that each partition's are from.
    """
    pieces = graph.layer(
        "piece",
        {
            (i, part): (partial(piece, partition=i, part=part), (runs, i), key)
            for i, key in enumerate(cuts_of)
            for part in range(parts)
        },
        after=[runs, cuts],
    )
    return graph.layer(
        "merge",
        {(part,): (merge, [(pieces, i, part) for i in range(len(cuts_of))]) for part in range(parts)},
        after=[pieces],
    )


def sort_partition(keys: Any, values: Any = None, *, order: Order) -> Run:
    if values is not None and len(keys) != len(values):
        raise ValueError(f"a partition has {len(keys)} keys and {len(values)} values; rechunk one like the other")
    with on_device(keys):
        return order.sort(keys, values)


def sample_exactly(run: Run, *, cuts: int) -> Samples:
    with on_device(run.keys):
        return _splitters.take_samples(run, _splitters.exact_step(len(run.keys), cuts))


def bracket_cuts(samples: list[Samples], *, order: Order, sizes: Sequence[int] | None, parts: int) -> Brackets:
    with on_device():
        return _splitters.bracket(samples, order=order, sizes=sizes, parts=parts)


def undecided_keys(run: Run, brackets: Brackets, *, partition: int) -> list[Array]:
    with on_device(run.keys):
        return _splitters.undecided(run, brackets, partition)


def cut(brackets: Brackets, keys: list[list[Array]], *, order: Order) -> Array:
    with on_device():
        return _splitters.cut(brackets, keys, order=order)


def piece(run: Run, cuts: Array, *, partition: int, part: int) -> Run:
    with on_device(run.keys):
        return run.part(cuts[part, partition], cuts[part + 1, partition])


def merge(runs: list[Run], *, order: Order) -> Run:
    with on_device(*(run.keys for run in runs)):
        return order.merge(runs)


def getattr_of(field: str, run: Run) -> Any:
    return getattr(run, field)
