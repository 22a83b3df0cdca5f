"""Keeping the first of each run of equal keys, and its item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithms import POOL, Algorithm, item_count, native_stream
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._operators import Operator, OpKind, as_operator
from cuprum.parallel._select import count_address

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike

_BUILDING = "building unique by key"
_CALLING = "keeping the first of equal keys"


class UniqueByKey(Algorithm):
    """The first key of each run of equal ones goes to ``d_out_keys``, its item to ``d_out_items``, in their order, and
    how many they are to ``d_out_num_selected``."""

    __slots__ = ("_item_dtype", "_key_dtype")
    _item_dtype: np.dtype[Any]
    _key_dtype: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_in_keys: Any,
        d_in_items: Any,
        d_out_keys: Any,
        d_out_items: Any,
        d_out_num_selected: Any,
        op: Operator | None = None,
        num_items: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Takes ``num_items`` keys and items, or all. The outputs have room for all of them.

        ``op`` is the operator that it was built for, with the state of this call; None: as it was built.
        ``temp_storage=None`` does nothing and returns the bytes of temporary storage that the call needs. The call is
        asynchronous, in ``stream``'s order.
        """
        in_stream = self._turn(stream)
        keys = as_iterator(d_in_keys, in_stream, on_host=self._on_host)
        items = as_iterator(d_in_items, in_stream, on_host=self._on_host)
        count = item_count(num_items, keys, items)
        storage = self._storage(temp_storage, count)
        if storage is None:
            return self.temp_storage_bytes(count)
        _cuprum.cuprum_parallel_unique_by_key(
            self._open_native(_CALLING),
            native_stream(in_stream, _CALLING),
            keys._open_native(_CALLING),
            items._open_native(_CALLING),
            self._elements(d_out_keys, self._key_dtype, count, "d_out_keys", in_stream),
            self._elements(d_out_items, self._item_dtype, count, "d_out_items", in_stream),
            count_address(d_out_num_selected, in_stream, "d_out_num_selected", on_host=self._on_host),
            count,
            self._operator(op),
            *storage,
        )
        return storage[1]


def make_unique_by_key(
    *,
    d_in_keys: Any,
    d_in_items: Any,
    d_out_keys: Any = None,
    d_out_items: Any = None,
    d_out_num_selected: Any = None,
    op: OperatorLike = OpKind.EQUAL_TO,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> UniqueByKey:
    """Builds it. ``op`` tells whether two neighbouring keys are equal."""
    keys = as_iterator(d_in_keys, on_host=is_host(execution))
    items = as_iterator(d_in_items, on_host=is_host(execution))
    operator, _ = as_operator(op, [keys.dtype, keys.dtype], np.bool_)
    native = _cuprum.cuprum_parallel_unique_by_key_build(
        *native_execution(execution, compute_capability),
        keys._open_native(_BUILDING),
        items._open_native(_BUILDING),
        operator._open_native(_BUILDING),
    )
    algorithm: UniqueByKey = UniqueByKey._make(native, operator, execution)
    algorithm._key_dtype, algorithm._item_dtype = keys.dtype, items.dtype
    return algorithm


@overload
def unique_by_key(
    keys: Any, values: Any, op: OperatorLike = OpKind.EQUAL_TO, *, execution: ExecutionLike = "device"
) -> tuple[Any, Any]: ...
@overload
def unique_by_key(
    *,
    d_in_keys: Any,
    d_in_items: Any,
    d_out_keys: Any,
    d_out_items: Any,
    d_out_num_selected: Any,
    op: OperatorLike = OpKind.EQUAL_TO,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def unique_by_key(
    keys: Any = None,
    values: Any = None,
    op: OperatorLike = OpKind.EQUAL_TO,
    *,
    d_in_keys: Any = None,
    d_in_items: Any = None,
    d_out_keys: Any = None,
    d_out_items: Any = None,
    d_out_num_selected: Any = None,
    num_items: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """Keeps the first of each run of keys that are equal by ``op``, and its item.

    ``unique_by_key(keys, values)`` returns both: of host data as arrays of one dimension, of arrays on the device as
    ``DeviceArray``. With ``cuda.compute``'s names it writes them to ``d_out_keys`` and ``d_out_items``, which have room
    for all, and their number to ``d_out_num_selected``, one uint64: on the device asynchronously, in ``stream``; with
    ``execution="host"`` over NumPy arrays, done when it returns.
    """
    if d_in_keys is None:
        from cuprum.parallel._one_shot import unique_elements

        if keys is None or values is None:
            raise TypeError("unique_by_key() takes keys and values, or d_in_keys= and d_in_items= with their outputs")
        return unique_elements(keys, values, op, execution)
    with make_unique_by_key(d_in_keys=d_in_keys, d_in_items=d_in_items, op=op, execution=execution) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_in_keys=d_in_keys,
            d_in_items=d_in_items,
            d_out_keys=d_out_keys,
            d_out_items=d_out_items,
            d_out_num_selected=d_out_num_selected,
            num_items=num_items,
            stream=stream,
        )
    return None
