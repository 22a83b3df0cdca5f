"""The smallest or largest element on the device, and where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithms import POOL, Algorithm, item_count, native_stream
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike

_MINIMUM, _MAXIMUM = range(2)


class ArgReduceInto(Algorithm):
    """Writes one element of ``result_dtype``: the first extreme element's ``index`` and ``value``.

    Of floating-point elements the first NaN is the answer where there is one; of no elements the index is -1.
    """

    __slots__ = ("result_dtype",)
    #: A struct of the fields ``index``, int64, and ``value``, of the elements' type.
    result_dtype: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in: Any,
        d_out: Any,
        num_items: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Writes the extreme one of ``num_items`` elements, or of all, to ``d_out[0]``.

        ``temp_storage=None`` does nothing and returns the bytes of temporary storage that the call needs. The call is
        asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        elements = as_iterator(d_in, turn, on_host=self._on_host)
        count = item_count(num_items, elements)
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        _cuprum.cuprum_parallel_arg_reduce(
            self._open_native("finding the extreme element"),
            native_stream(turn, "finding the extreme element"),
            elements._open_native("finding the extreme element"),
            self._elements(d_out, self.result_dtype, 1, "d_out", turn),
            count,
            *storage,
        )
        return storage[1]


def _make(kind: int, d_in: Any, compute_capability: Any, execution: ExecutionLike) -> ArgReduceInto:
    elements = as_iterator(d_in, on_host=is_host(execution))
    native = _cuprum.cuprum_parallel_arg_reduce_build(
        *native_execution(execution, compute_capability),
        kind,
        elements._open_native("building an arg-reduction"),
    )
    algorithm: ArgReduceInto = ArgReduceInto._make(native, None, execution)
    algorithm.result_dtype = np.dtype([("index", np.int64), ("value", elements.dtype)], align=True)
    return algorithm


def make_argmin_into(
    *, d_in: Any, compute_capability: Any = None, execution: ExecutionLike = "device"
) -> ArgReduceInto:
    """Builds a search for the first of the smallest elements."""
    return _make(_MINIMUM, d_in, compute_capability, execution)


def make_argmax_into(
    *, d_in: Any, compute_capability: Any = None, execution: ExecutionLike = "device"
) -> ArgReduceInto:
    """Builds a search for the first of the largest elements."""
    return _make(_MAXIMUM, d_in, compute_capability, execution)


def argmin_into(
    *,
    d_in: Any,
    d_out: Any,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Writes the first of the smallest elements, index and value, to ``d_out[0]``, of ``result_dtype``."""
    with make_argmin_into(d_in=d_in, execution=execution) as algorithm:
        algorithm(temp_storage=POOL, d_in=d_in, d_out=d_out, num_items=num_items, stream=stream)


def argmax_into(
    *,
    d_in: Any,
    d_out: Any,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None:
    """Writes the first of the largest elements, index and value, to ``d_out[0]``, of ``result_dtype``."""
    with make_argmax_into(d_in=d_in, execution=execution) as algorithm:
        algorithm(temp_storage=POOL, d_in=d_in, d_out=d_out, num_items=num_items, stream=stream)
