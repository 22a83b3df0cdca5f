"""One reduction per segment of the elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithms import POOL, Algorithm, initial_value, native_stream
from cuprum.parallel._arrays import elements_of
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._operators import as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import Operator, OperatorLike


class SegmentedReduce(Algorithm):
    """``d_out[i]`` is the reduction of the elements from start i up to and without end i. Needs no storage."""

    __slots__ = ("_accumulator", "_offsets")
    _accumulator: np.dtype[Any]
    _offsets: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in: Any,
        d_out: Any,
        start_offsets_in: Any,
        end_offsets_in: Any,
        num_segments: int | None = None,
        op: Operator | None = None,
        h_init: Any,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Reduces each of ``num_segments`` segments, or of as many as ``start_offsets_in`` has, beginning with
        ``h_init``.

        ``op`` is the operator that it was built for, with the state of this call; None: as it was built. It needs no
        temporary storage: ``temp_storage=None`` returns 0 and does nothing, ``POOL`` reduces. Asynchronous, in
        ``stream``'s order.
        """
        turn = self._turn(stream)
        elements = as_iterator(d_in, turn, on_host=self._on_host)
        begins, segments, offsets = elements_of(start_offsets_in, on_host=self._on_host, stream=turn)
        ends, end_count, end_offsets = elements_of(end_offsets_in, on_host=self._on_host, stream=turn)
        if offsets != self._offsets or end_offsets != self._offsets:
            raise TypeError(f"the offsets are {offsets} and {end_offsets}, expected {self._offsets}")
        segments = segments if num_segments is None else num_segments
        if segments > end_count:
            raise ValueError(f"there are {segments} segments, and end_offsets_in has {end_count} elements")
        if temp_storage is None:
            return 0
        _cuprum.cuprum_parallel_segmented_reduce(
            self._open_native("reducing"),
            native_stream(turn, "reducing"),
            elements._open_native("reducing"),
            self._elements(d_out, self._accumulator, segments, "d_out", turn),
            segments,
            begins,
            ends,
            np.asarray(h_init, dtype=self._accumulator).tobytes(),
            self._operator(op),
        )
        return 0


def make_segmented_reduce(
    *,
    d_in: Any,
    d_out: Any = None,
    start_offsets_in: Any,
    end_offsets_in: Any,
    op: OperatorLike,
    h_init: Any,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> SegmentedReduce:
    """Builds a reduction of segments, whose offsets are int32 or int64."""
    elements = as_iterator(d_in, on_host=is_host(execution))
    accumulator = initial_value(h_init, elements.dtype).dtype
    operator, _ = as_operator(op, [accumulator, accumulator], accumulator)
    offsets = elements_of(start_offsets_in, on_host=is_host(execution))[2]
    end_offsets = elements_of(end_offsets_in, on_host=is_host(execution))[2]
    if offsets != end_offsets:
        raise TypeError(f"the offsets are of two types, {offsets} and {end_offsets}")
    native = _cuprum.cuprum_parallel_segmented_reduce_build(
        *native_execution(execution, compute_capability),
        elements._open_native("building a reduction"),
        operator._open_native("building a reduction"),
        type_text(accumulator),
        type_text(offsets),
    )
    algorithm: SegmentedReduce = SegmentedReduce._make(native, operator, execution)
    algorithm._accumulator, algorithm._offsets = accumulator, offsets
    return algorithm


def segmented_reduce(
    *,
    d_in: Any,
    d_out: Any,
    start_offsets_in: Any,
    end_offsets_in: Any,
    op: OperatorLike,
    h_init: Any,
    num_segments: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Reduces each segment [start, end) of the elements by itself. Offsets are int32 or int64."""
    offsets = {"start_offsets_in": start_offsets_in, "end_offsets_in": end_offsets_in}
    built = make_segmented_reduce(d_in=d_in, d_out=d_out, op=op, h_init=h_init, execution=execution, **offsets)
    with built as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in=d_in,
            d_out=d_out,
            num_segments=num_segments,
            h_init=h_init,
            stream=stream,
            **offsets,
        )
