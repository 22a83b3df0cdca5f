"""Keeping the elements that fulfil a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithms import POOL, Algorithm, item_count, native_stream
from cuprum.parallel._arrays import elements_of
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._operators import Operator, as_operator

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike


def count_address(array: Any, stream: Stream | None, name: str, *, on_host: bool) -> int:
    """Where how many were selected goes: one uint64 or int64."""
    address, size, dtype = elements_of(array, on_host=on_host, writable=True, stream=stream)
    if dtype not in (np.dtype(np.uint64), np.dtype(np.int64)) or size < 1:
        raise TypeError(f"{name} is of {size} elements of {dtype}, expected one of uint64 or int64")
    return address


class Select(Algorithm):
    """The elements of which ``cond`` is true go to ``d_out``, in their order, and their number to
    ``d_num_selected_out``."""

    __slots__ = ("_dtype",)
    _dtype: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in: Any,
        d_out: Any,
        d_num_selected_out: Any,
        cond: Operator | None = None,
        num_items: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Selects of ``num_items`` elements, or of all. ``d_out`` has room for all of them.

        ``cond`` is the condition that it was built for, with the state of this call; None: as it was built.
        ``temp_storage=None`` does nothing and returns the bytes of temporary storage that the call needs. The call is
        asynchronous, in ``stream``'s order.
        """
        turn = self._turn(stream)
        elements = as_iterator(d_in, turn, on_host=self._on_host)
        count = item_count(num_items, elements)
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        _cuprum.cuprum_parallel_select(
            self._open_native("selecting"),
            native_stream(turn, "selecting"),
            elements._open_native("selecting"),
            self._elements(d_out, self._dtype, count, "d_out", turn),
            count_address(d_num_selected_out, turn, "d_num_selected_out", on_host=self._on_host),
            count,
            self._operator(cond),
            *storage,
        )
        return storage[1]


def make_select(
    *,
    d_in: Any,
    d_out: Any = None,
    d_num_selected_out: Any = None,
    cond: OperatorLike,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> Select:
    """Builds a selection of the elements of which ``cond`` is true.

    With ``compute_capability`` it is built ahead of time and can only be saved.
    """
    elements = as_iterator(d_in, on_host=is_host(execution))
    operator, _ = as_operator(cond, [elements.dtype], np.bool_)
    native = _cuprum.cuprum_parallel_select_build(
        *native_execution(execution, compute_capability),
        elements._open_native("building a selection"),
        operator._open_native("building a selection"),
    )
    algorithm: Select = Select._make(native, operator, execution)
    algorithm._dtype = elements.dtype
    return algorithm


@overload
def select(data: Any, cond: OperatorLike, *, execution: ExecutionLike = "device") -> Any: ...
@overload
def select(
    *,
    d_in: Any,
    d_out: Any,
    d_num_selected_out: Any,
    cond: OperatorLike,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def select(
    data: Any = None,
    cond: OperatorLike | None = None,
    *,
    d_in: Any = None,
    d_out: Any = None,
    d_num_selected_out: Any = None,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """Selects the elements of which ``cond`` is true, in their order.

    ``select(data, cond)`` returns them: of host data as an array of one dimension, of an array on the device as a
    ``DeviceArray``. With ``cuda.compute``'s names it writes them to ``d_out``, which has room for all elements, and
    their number to ``d_num_selected_out``, one uint64. On the host's cores ``cond`` is a
    well-known operator of one operand, such as ``OpKind.IDENTITY``.
    """
    if cond is None:
        raise TypeError("select() needs a condition: select(data, cond), or cond= beside d_in=")
    if d_in is None:
        from cuprum.parallel._one_shot import select_elements

        return select_elements(data, cond, execution)
    with make_select(d_in=d_in, cond=cond, execution=execution) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in=d_in,
            d_out=d_out,
            d_num_selected_out=d_num_selected_out,
            num_items=num_items,
            stream=stream,
        )
    return None
