"""Reductions: each partition to one value, and these to one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _one_shot
from cuprum.parallel._algorithm import initial_value
from cuprum.parallel._identity import identity
from cuprum.parallel._operators import OpKind
from cuprum.parallel.dask._chunks import Array, contiguous, to_host
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import Graph, partitions, require_array
from cuprum.parallel.dask._operators import fingerprint, portable

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import OperatorLike


def reduce(data: Any, init: Any = None, op: OperatorLike = OpKind.PLUS, *, dtype: DTypeLike | None = None) -> Any:
    """``op(...op(init, x0)..., xn-1)``, in any order of evaluation, as a lazy array of no dimension.

    ``init`` and ``dtype`` are those of ``cuprum.parallel.reduce``: the accumulator is of type ``dtype``, or else of
    ``init``'s, or else of the elements'; ``init`` may be left out where ``op`` has an identity.
    """
    require_array("data", data)
    first = _one_shot._first(init, op, data.dtype, dtype)
    operator, _ = portable(op, [first.dtype, first.dtype], first.dtype)
    graph = Graph("reduce", [data], fingerprint(operator), str(first.dtype.descr), first.tobytes())
    neutral = known_identity(operator, first.dtype)
    reduce_one = partial(reduce_partition, op=operator, neutral=neutral, dtype=first.dtype)
    totals = graph.layer(
        "partition", {(i,): (reduce_one, key) for i, key in enumerate(partitions(data))}, after=[data.name]
    )
    keys = graph.combined(
        "combine",
        [(totals, i) for i in range(data.npartitions)],
        totals,
        partial(combine_totals, op=operator, neutral=neutral, dtype=first.dtype),
    )
    total = partial(finish, op=operator, first=first)
    return graph.array(graph.layer("", {(): (total, keys)}, after=[keys[0][0]]), None, first.dtype)


def known_identity(op: OperatorLike, dtype: np.dtype[Any]) -> Array | None:
    """None where there is none that is known. All operators that have one are commutative."""
    try:
        return identity(op, dtype)
    except TypeError:
        return None


def reduce_partition(chunk: Any, *, op: OperatorLike, neutral: Array | None, dtype: np.dtype[Any]) -> Array:
    """An array of the one result; of none for no elements."""
    if len(chunk) == 0:
        return np.empty(0, dtype)
    with on_device(chunk):
        chunk = contiguous(chunk)
        if neutral is None:
            first, chunk = to_host(chunk[:1])[0].astype(dtype), chunk[1:]
        else:
            first = neutral
        if len(chunk) == 0:
            return np.asarray(first, dtype).reshape(1)
        result = _one_shot.reduce(chunk, first, op, dtype=dtype)
    return initial_value(result, dtype).astype(dtype).reshape(1)


def combine_totals(totals: list[Array], *, op: OperatorLike, neutral: Array | None, dtype: np.dtype[Any]) -> Array:
    return reduce_partition(np.concatenate(totals), op=op, neutral=neutral, dtype=dtype)


def finish(totals: list[Array], *, op: OperatorLike, first: Array) -> Array:
    """The reduction of the partitions' results, from the initial value on."""
    values = np.concatenate(totals)
    if len(values) == 0:
        return np.array(first)
    with on_device():
        result = _one_shot.reduce(values, first, op, dtype=first.dtype)
    return initial_value(result, first.dtype).astype(first.dtype)
