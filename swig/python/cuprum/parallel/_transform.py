"""Transformations. Written by hand: their inputs are one, two or a list, and may be given by position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import Algorithm, BuiltOperator, item_count, native_stream, operator_handle
from cuprum.parallel._arrays import dtype_of
from cuprum.parallel._data import host_array, host_bytes, is_in_place, sized, written_on_device
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator, built_output, has_type
from cuprum.parallel._operands import OPERAND_NAMES
from cuprum.parallel._operators import Operator, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike


class _Transform(Algorithm):
    __slots__ = ("_output_dtype",)
    _output_dtype: np.dtype[Any]

    def _transform(
        self,
        inputs: Sequence[Any],
        d_out: Any,
        num_items: int | None,
        op: OperatorLike | None,
        stream: Stream | IsStreamType | None,
    ) -> None:
        call_stream = self._call_stream(stream)
        iterators = [as_iterator(it, call_stream, on_host=self._on_host) for it in inputs]
        count = item_count(num_items, *iterators)
        operator = self._operators[0].of_call(op)
        handles = [each._open_native("transforming") for each in iterators]
        many = len(handles) > 2
        _cuprum.run(
            [each._lasting for each in iterators],
            _cuprum.cuprum_parallel_transform_nary if many else _cuprum.cuprum_parallel_transform,
            self._open_native("transforming"),
            native_stream(call_stream, "transforming"),
            *([handles] if many else _pair(handles)),
            *self._output(d_out, self._output_dtype, count, "d_out", call_stream),
            count,
            operator_handle(operator),
        )


def _pair(handles: list[int]) -> tuple[int, int]:
    return handles[0], handles[1] if len(handles) == 2 else 0


class UnaryTransform(_Transform):
    """``d_out[i] = op(d_in[i])``."""

    __slots__ = ()

    def __call__(
        self,
        d_in: Any,
        *,
        d_out: Any,
        num_items: int | None = None,
        op: OperatorLike | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Transforms ``num_items`` elements, None: all, into ``d_out``.

        ``op`` is the operator that it was built for, or an ``Operator`` with the state of this call; None: as it was
        built. The call needs no temporary storage, and is asynchronous, in ``stream``'s order.
        """
        self._transform([d_in], d_out, num_items, op, stream)


class BinaryTransform(_Transform):
    """``d_out[i] = op(d_in1[i], d_in2[i])``."""

    __slots__ = ()

    def __call__(
        self,
        d_in1: Any,
        d_in2: Any,
        *,
        d_out: Any,
        num_items: int | None = None,
        op: OperatorLike | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Transforms ``num_items`` pairs of elements, None: as many as the shorter input has, into ``d_out``.

        ``op`` is the operator that it was built for, or an ``Operator`` with the state of this call; None: as it was
        built. The call needs no temporary storage, and is asynchronous, in ``stream``'s order.
        """
        self._transform([d_in1, d_in2], d_out, num_items, op, stream)


class NaryTransform(_Transform):
    """``d_out[i] = op(d_ins[0][i], d_ins[1][i], ...)``."""

    __slots__ = ()

    def __call__(
        self,
        d_ins: Sequence[Any],
        *,
        d_out: Any,
        num_items: int | None = None,
        op: OperatorLike | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> None:
        """Transforms ``num_items`` elements of each input, None: as many as the shortest has, into ``d_out``.

        ``op`` is the operator that it was built for, or an ``Operator`` with the state of this call; None: as it was
        built. The call needs no temporary storage, and is asynchronous, in ``stream``'s order.
        """
        _check_inputs(d_ins)
        self._transform(d_ins, d_out, num_items, op, stream)


def _check_inputs(inputs: Sequence[Any], name: str = "d_ins") -> None:
    if not 1 <= len(inputs) <= len(OPERAND_NAMES):
        raise ValueError(
            f"{name} has {len(inputs)} inputs, and an operator has 1 to {len(OPERAND_NAMES)} operands: give several as "
            "one input, a ZipIterator, which the operator sees as a tuple"
        )


def _make_transform(
    made: type[_Transform],
    inputs: Sequence[Any],
    d_out: Any,
    op: OperatorLike,
    compute_capability: Any,
    execution: ExecutionLike,
) -> Any:
    iterators = [as_iterator(it, on_host=is_host(execution)) for it in inputs]
    operands = [it.dtype for it in iterators]
    if has_type(d_out):
        output = dtype_of(d_out, on_host=is_host(execution))
        operator, _ = as_operator(op, operands, output)
    else:
        operator, found = as_operator(op, operands, None)
        output = operands[0] if found is None else found
    handles = [each._open_native("building a transformation") for each in iterators]
    where = native_execution(execution, compute_capability)
    rest = (
        operator._open_native("building a transformation"),
        type_text(output),
        built_output(d_out, output, on_host=is_host(execution)),
    )
    if len(handles) > 2:
        native = _cuprum.cuprum_parallel_transform_build_nary(*where, handles, *rest)
    else:
        first, second = _pair(handles)
        native = _cuprum.cuprum_parallel_transform_build(*where, first, second, *rest)
    algorithm: _Transform = made._make(native, execution, BuiltOperator(operator, op, operands, output))
    algorithm._output_dtype = output
    return algorithm


def make_unary_transform(
    *, d_in: Any, d_out: Any, op: OperatorLike, compute_capability: Any = None, execution: ExecutionLike = "device"
) -> UnaryTransform:
    """Builds ``d_out[i] = op(d_in[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    algorithm: UnaryTransform = _make_transform(UnaryTransform, [d_in], d_out, op, compute_capability, execution)
    return algorithm


def make_binary_transform(
    *,
    d_in1: Any,
    d_in2: Any,
    d_out: Any,
    op: OperatorLike,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> BinaryTransform:
    """Builds ``d_out[i] = op(d_in1[i], d_in2[i])``. With ``compute_capability`` ahead of time, only to be saved."""
    algorithm: BinaryTransform = _make_transform(
        BinaryTransform, [d_in1, d_in2], d_out, op, compute_capability, execution
    )
    return algorithm


def make_nary_transform(
    *,
    d_ins: Sequence[Any],
    d_out: Any,
    op: OperatorLike,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> NaryTransform:
    """Builds ``d_out[i] = op(d_ins[0][i], d_ins[1][i], ...)``, of 1 to 8 inputs; on the host's cores of at most 2.

    With ``compute_capability`` ahead of time, only to be saved."""
    _check_inputs(d_ins)
    algorithm: NaryTransform = _make_transform(NaryTransform, d_ins, d_out, op, compute_capability, execution)
    return algorithm


def unary_transform(
    *,
    d_in: Any,
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """``d_out[i] = op(d_in[i])``, on the device asynchronously in ``stream``, or on the host's cores."""
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
    """``d_out[i] = op(d_in1[i], d_in2[i])``, on the device asynchronously in ``stream``, or on the host's cores."""
    with make_binary_transform(d_in1=d_in1, d_in2=d_in2, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_in1, d_in2, d_out=d_out, num_items=num_items, stream=stream)


def _nary_of_data(inputs: Sequence[Any], op: OperatorLike, dtype: DTypeLike | None, execution: ExecutionLike) -> Any:
    _check_inputs(inputs, "inputs")
    if any(is_in_place(each, execution) for each in inputs):
        elements, sizes = zip(*(sized(each, "transforming") for each in inputs), strict=True)
        if len(set(sizes)) > 1:
            raise ValueError(f"the inputs have {', '.join(map(str, sizes))} elements")
        operator, output = _operator_of_data(op, [each.dtype for each in elements], dtype)
        return written_on_device(nary_transform, {"d_out": (output, sizes[0])}, d_ins=elements, op=operator)
    arrays = [host_array(each) for each in inputs]
    if len({each.shape for each in arrays}) > 1:
        raise ValueError(f"the inputs have the shapes {', '.join(str(each.shape) for each in arrays)}")
    operator, output = _operator_of_data(op, [each.dtype for each in arrays], dtype)
    result = np.empty(arrays[0].shape, output)
    _cuprum.cuprum_parallel_transform_array_nary(
        host_bytes(result),
        *native_execution(execution),
        type_text(output),
        [type_text(each.dtype) for each in arrays],
        np.array([each.ctypes.data for each in arrays], np.uint64),
        np.array([each.nbytes for each in arrays], np.uint64),
        operator._open_native("transforming"),
    )
    return result


def _operator_of_data(
    op: OperatorLike, operands: list[np.dtype[Any]], dtype: DTypeLike | None
) -> tuple[Operator, np.dtype[Any]]:
    """The operator, and the type of the results."""
    operator, found = as_operator(op, operands, dtype)
    return operator, np.dtype(dtype) if dtype is not None else operands[0] if found is None else found


@overload
def nary_transform(
    inputs: Sequence[Any], op: OperatorLike, *, dtype: DTypeLike | None = None, execution: ExecutionLike = "device"
) -> Any: ...
@overload
def nary_transform(
    *,
    d_ins: Sequence[Any],
    d_out: Any,
    op: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def nary_transform(
    inputs: Sequence[Any] | None = None,
    op: OperatorLike | None = None,
    *,
    dtype: DTypeLike | None = None,
    d_ins: Sequence[Any] | None = None,
    d_out: Any = None,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """``op`` of the elements at each position of 1 to 8 inputs; on the host's cores of at most 2.

    ``nary_transform([a, b, c], op)`` returns the results: of host data as an array of its shape, of arrays on the
    device as a ``DeviceArray``. ``dtype`` is their type; without it, tracing a function finds it, and text has the
    first input's. With ``cuda.compute``'s names it writes ``d_out[i] = op(d_ins[0][i], d_ins[1][i], ...)``,
    asynchronously in ``stream``.
    """
    if op is None:
        raise TypeError("nary_transform() needs an operator: nary_transform(inputs, op)")
    if d_ins is None:
        if inputs is None:
            raise TypeError("nary_transform() takes inputs, or d_ins= and d_out=")
        return _nary_of_data(inputs, op, dtype, execution)
    with make_nary_transform(d_ins=d_ins, d_out=d_out, op=op, execution=execution) as algorithm:
        algorithm(d_ins, d_out=d_out, num_items=num_items, stream=stream)
    return None
