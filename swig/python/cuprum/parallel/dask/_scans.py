"""Scans: the results of the partitions before it are each partition's initial value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _one_shot
from cuprum.parallel._operators import OpKind
from cuprum.parallel.dask._chunks import Array, contiguous, like, to_host
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import Graph, Key, partitions, require_array, sizes_of
from cuprum.parallel.dask._operators import fingerprint, portable
from cuprum.parallel.dask._reductions import known_identity, reduce_partition

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import OperatorLike


def scan(
    data: Any,
    init: Any = None,
    op: OperatorLike = OpKind.PLUS,
    *,
    exclusive: bool = False,
    dtype: DTypeLike | None = None,
) -> Any:
    """The prefix sums over an operator, as an array with the chunks of ``data``.

    The arguments are those of ``cuprum.parallel.scan``. Inclusive: result i combines the elements up to i, starting
    from ``init`` if given. Exclusive: those before i. The operator need not be commutative.
    """
    require_array("data", data)
    first = None if init is None and not exclusive else _one_shot._first(init, op, data.dtype, dtype)
    accumulator = _one_shot._accumulator(first, data.dtype, dtype)
    operator, _ = portable(op, [accumulator, accumulator], accumulator)
    graph = Graph(
        "scan",
        [data],
        fingerprint(operator),
        str(accumulator.descr),
        None if first is None else first.tobytes(),
        exclusive,
    )
    total = partial(total_of, op=operator, neutral=known_identity(operator, accumulator), dtype=accumulator)
    chunks = partitions(data)
    totals: list[Key] = []
    if len(chunks) > 1:
        layer = graph.layer("total", {(i,): (total, key) for i, key in enumerate(chunks[:-1])}, after=[data.name])
        totals = [(layer, i) for i in range(len(chunks) - 1)]
    carry = partial(carries_of, op=operator, first=first, dtype=accumulator)
    carries = graph.layer("carries", {(): (carry, totals)}, after=[key[0] for key in totals])
    scans = {
        (i,): (
            partial(scan_partition, index=i, op=operator, exclusive=exclusive, dtype=accumulator),
            key,
            (carries,),
        )
        for i, key in enumerate(chunks)
    }
    name = graph.layer("", scans, after=[data.name, carries])
    return graph.array(name, sizes_of(data), accumulator, like=data)


def total_of(chunk: Any, *, op: OperatorLike, neutral: Array | None, dtype: np.dtype[Any]) -> Array:
    """An array of what all elements come to, in their order; of none for no elements."""
    if neutral is not None or len(chunk) == 0:
        return reduce_partition(chunk, op=op, neutral=neutral, dtype=dtype)
    # Not known to be commutative, and a reduction may change the order: a scan does not.
    with on_device(chunk):
        chunk = contiguous(chunk)
        return to_host(like(chunk, _one_shot.scan(chunk, op=op, dtype=dtype))[-1:])


def carries_of(totals: list[Array], *, op: OperatorLike, first: Array | None, dtype: np.dtype[Any]) -> list[Array]:
    """What each partition starts from: an array of one value, or of none."""
    start = np.empty(0, dtype) if first is None else np.asarray(first, dtype).reshape(1)
    values = np.concatenate([np.empty(0, dtype), *totals])
    if len(values):
        with on_device():
            values = _one_shot.scan(values, first, op, dtype=dtype)
    carries, before = [start], 0
    for total in totals:
        before += len(total)
        carries.append(values[before - 1 : before] if before else start)
    return carries


def scan_partition(
    chunk: Any, carries: list[Array], *, index: int, op: OperatorLike, exclusive: bool, dtype: np.dtype[Any]
) -> Any:
    with on_device(chunk):
        chunk = contiguous(chunk)
        if len(chunk) == 0:
            return chunk.astype(dtype)
        carry = carries[index]
        first = carry[0] if len(carry) else None
        return like(chunk, _one_shot.scan(chunk, first, op, exclusive=exclusive, dtype=dtype))
