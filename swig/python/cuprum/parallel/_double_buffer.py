"""Sorts between two arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import key_bits, native_stream, too_few
from cuprum.parallel._arrays import elements_of

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._algorithms import RadixSort


class DoubleBuffer:
    """Two arrays of one type and size that a sort goes back and forth between.

    The elements to be sorted are in ``current()``, and the sorted ones too, which is the other array after a sort. What
    ``alternate()`` has then is not defined. ``d_buffers`` are the two, and ``selector`` says which is current: 0 or 1.
    """

    __slots__ = ("d_buffers", "selector")

    def __init__(self, d_current: Any, d_alternate: Any) -> None:
        """Both are kept; the first is current."""
        self.d_buffers = [d_current, d_alternate]
        self.selector = 0

    def current(self) -> Any:
        """The array that has the elements."""
        return self.d_buffers[self.selector]

    def alternate(self) -> Any:
        """The other array."""
        return self.d_buffers[1 - self.selector]


def unbuffered(
    keys_in: Any, keys_out: Any, values_in: Any, values_out: Any
) -> tuple[Any, Any, Any, Any, tuple[DoubleBuffer, ...]]:
    """Arrays in place of double buffers, which a sort then swaps."""
    buffers = tuple(each for each in (keys_in, values_in) if isinstance(each, DoubleBuffer))
    if buffers and (keys_out is not None or values_out is not None):
        raise TypeError("outputs are given, and the keys or values are in a DoubleBuffer, where the results go")
    if isinstance(keys_in, DoubleBuffer) != isinstance(values_in, DoubleBuffer) and buffers and values_in is not None:
        raise TypeError("the keys are in a DoubleBuffer or the values are; expected both")
    if not buffers:
        return keys_in, keys_out, values_in, values_out, ()
    keys = keys_in.current(), keys_in.alternate()
    values = (None, None) if values_in is None else (values_in.current(), values_in.alternate())
    return (*keys, *values, buffers)


def is_double_buffer(keys: Any, values: Any) -> bool:
    return isinstance(keys, DoubleBuffer) or isinstance(values, DoubleBuffer)


def sort_between(
    sort: RadixSort,
    temp_storage: Any,
    memory: tuple[Any, Any, Any, Any],
    num_items: int | None,
    begin_bit: int | None,
    end_bit: int | None,
    stream: Stream | IsStreamType | None,
) -> int:
    """A call of a radix sort whose keys, and values, are in double buffers: the bytes of temporary storage it needs."""
    keys, keys_alternate, values, values_alternate, buffers = unbuffered(*memory)
    call_stream = sort._call_stream(stream)
    _, size, _ = elements_of(keys, on_host=sort._on_host, stream=call_stream)
    count = size if num_items is None else num_items
    if count > size:
        raise too_few("elements", count, "d_in_keys", size)
    storage = sort._storage(temp_storage, count)
    if storage is None:
        native = sort._open_native("asking for temporary storage")
        return _cuprum.cuprum_parallel_radix_sort_between_storage_bytes(native, count)
    is_alternate = _cuprum.cuprum_parallel_radix_sort_between(
        sort._open_native("sorting"),
        native_stream(call_stream, "sorting"),
        sort._elements(keys, sort._keys_dtype, count, "d_in_keys", call_stream),
        sort._elements(keys_alternate, sort._keys_dtype, count, "d_in_keys", call_stream),
        sort._optional_elements(values, sort._values_dtype, count, "d_in_values", call_stream),
        sort._optional_elements(values_alternate, sort._values_dtype, count, "d_in_values", call_stream),
        count,
        *key_bits(begin_bit, end_bit),
        *storage,
    )
    if is_alternate:
        for buffer in buffers:
            buffer.selector = 1 - buffer.selector
    return storage[1]
