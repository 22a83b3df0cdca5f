"""Transformations. Written by hand: their inputs are one or two, and given by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import Algorithm, item_count, native_stream
from cuprum.parallel._arrays import dtype_of
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._operators import as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import Operator, OperatorLike


class TransformInto(Algorithm):
    """``d_out[i] = op(d_in[i])``, or of two inputs."""

    __slots__ = ("_output_dtype",)
    _output_dtype: np.dtype[Any]

    def __call__(
        self,
        *inputs: Any,
        d_out: Any,
        num_items: int | None = None,
        op: Operator | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Transforms ``num_items`` elements, or as many as the shorter of the one or two inputs has, into ``d_out``.

        ``op`` is the operator that it was built for, with the state of this call; None: as it was built. The call needs
        no temporary storage, and is asynchronous, in ``stream``'s order.
        """
        call_stream = self._call_stream(stream)
        iterators = [as_iterator(it, call_stream, on_host=self._on_host) for it in inputs]
        if len(iterators) not in (1, 2):
            raise TypeError(f"one or two inputs are transformed, not {len(iterators)}")
        count = item_count(num_items, *iterators)
        _cuprum.cuprum_parallel_transform(
            self._open_native("transforming"),
            native_stream(call_stream, "transforming"),
            iterators[0]._open_native("transforming"),
            iterators[1]._open_native("transforming") if len(iterators) == 2 else 0,
            self._elements(d_out, self._output_dtype, count, "d_out", call_stream),
            count,
            self._operator(op),
        )


def _make_transform(
    inputs: Sequence[Any], d_out: Any, op: OperatorLike, compute_capability: Any, execution: ExecutionLike
) -> TransformInto:
    iterators = [as_iterator(it, on_host=is_host(execution)) for it in inputs]
    output = dtype_of(d_out, on_host=is_host(execution))
    operator, _ = as_operator(op, [it.dtype for it in iterators], output)
    native = _cuprum.cuprum_parallel_transform_build(
        *native_execution(execution, compute_capability),
        iterators[0]._open_native("building a transformation"),
        iterators[1]._open_native("building a transformation") if len(iterators) == 2 else 0,
        operator._open_native("building a transformation"),
        type_text(output),
    )
    algorithm: TransformInto = TransformInto._make(native, operator, execution)
    algorithm._output_dtype = output
    return algorithm


def make_unary_transform(
    *, d_in: Any, d_out: Any, op: OperatorLike, compute_capability: Any = None, execution: ExecutionLike = "device"
) -> TransformInto:
    """Builds ``d_out[i] = op(d_in[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    return _make_transform([d_in], d_out, op, compute_capability, execution)


def make_binary_transform(
    *,
    d_in1: Any,
    d_in2: Any,
    d_out: Any,
    op: OperatorLike,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> TransformInto:
    """Builds ``d_out[i] = op(d_in1[i], d_in2[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    return _make_transform([d_in1, d_in2], d_out, op, compute_capability, execution)


def unary_transform(
    *,
    d_in: Any,
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i] = op(d_in[i])``, on the device asynchronously in ``stream``, or on the host."""
    with make_unary_transform(d_in=d_in, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_in, d_out=d_out, num_items=num_items, stream=stream)


def binary_transform(
    *,
    d_in1: Any,
    d_in2: Any,
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i] = op(d_in1[i], d_in2[i])``, on the device asynchronously in ``stream``, or on the host."""
    with make_binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_in1, d_in2, d_out=d_out, num_items=num_items, stream=stream)
