"""What a rank has of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.core import Buffer
from cuprum.parallel._arrays import DeviceArray, device_elements
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.core._stream import Stream


class Shard:
    """The elements of one rank, in memory of its device. Data that is spread over the ranks of a communicator is a
    shard for each, in their order; shards may have different numbers of elements, and none.

    ``dtype`` is NumPy's type of the elements, ``count`` how many there are.

    Keeps the array alive. Work that another library has in flight on it is waited for in the stream of the rank, where
    the array says its stream; memory of Cuprum's own is read in that stream's order.
    """

    __slots__ = ("_array", "count", "dtype")

    dtype: np.dtype[Any]
    count: int

    def __init__(self, array: Any, dtype: DTypeLike | None = None, count: int | None = None) -> None:
        """``array``: anything in device memory (``__cuda_array_interface__``, DLPack, ``DeviceArray``), or a
        ``Buffer``; None for a rank without elements. ``dtype`` is needed for a ``Buffer`` and for None, which have
        none. ``count``: the first so many elements; None: all."""
        own, size = _extent(array, dtype)
        if dtype is not None and type_text(np.dtype(dtype)) != type_text(own):
            raise TypeError(f"the array has elements of {own}, and dtype is {np.dtype(dtype)}")
        type_text(own)  # or an error that says what it takes
        if count is not None and not 0 <= count <= size:
            raise ValueError(f"count is {count}, expected 0 to {size}: the array has {size} elements")
        self._array = array
        self.dtype, self.count = own, size if count is None else count

    def _memory(self, stream: Stream | None, *, writable: bool) -> Buffer | None:
        """As a buffer, which the stream of the rank will use; None without any."""
        array = self._array
        if array is None or self.count == 0 or isinstance(array, Buffer):
            return array if isinstance(array, Buffer) else None
        if isinstance(array, DeviceArray) and array._offset == 0:
            return array._buffer
        device_id = None if stream is None else stream.device.device_id
        address, size, own = device_elements(array, writable=writable, stream=stream, device_id=device_id)
        if own != self.dtype or size < self.count:
            raise ValueError(
                f"the array has {size} elements of {own} now; its shard was made of {self.count} of {self.dtype}"
            )
        return Buffer.from_handle(address, size * own.itemsize, owner=array)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Shard of {self.count} {self.dtype}>"


def _extent(array: Any, dtype: DTypeLike | None) -> tuple[np.dtype[Any], int]:
    """The type of the elements, and how many there are."""
    if array is None or isinstance(array, Buffer):
        if dtype is None:
            what = "a rank without elements" if array is None else "a Buffer"
            raise TypeError(f"{what} has no element type: give dtype")
        own = np.dtype(dtype)
        return own, 0 if array is None else array.size // own.itemsize
    _, size, found = device_elements(array)
    return found, size
