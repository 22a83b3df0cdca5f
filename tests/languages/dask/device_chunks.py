"""Arrays on a device that stand in for CuPy's, which does not run on the simulator: what chunks are asked for.

A module of its own, since the functions for an array are looked for where its type is from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from cuprum.core import Buffer
from cuprum.parallel import DeviceArray


class Array:
    """The elements of an array on the device, every ``step``-th one."""

    ndim = 1

    def __init__(self, elements: Any, dtype: Any, size: int, offset: int = 0, step: int = 1) -> None:
        self._elements, self._offset, self._step = elements, offset, step
        self.dtype = np.dtype(dtype)
        self.size = size

    @property
    def shape(self) -> tuple[int]:
        return (self.size,)

    @property
    def nbytes(self) -> int:
        return self.size * int(self.dtype.itemsize)

    def __len__(self) -> int:
        return self.size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        interface = dict(self._elements.__cuda_array_interface__)
        address = interface["data"][0] + self._offset * self.dtype.itemsize
        strides = None if self._step == 1 else (self._step * self.dtype.itemsize,)
        return interface | {"shape": self.shape, "data": (address, False), "strides": strides}

    def __getitem__(self, part: Any) -> Array:
        if part in (Ellipsis, ()):
            return self
        (part,) = part if isinstance(part, tuple) else (part,)
        begin, end, step = part.indices(self.size)
        size = len(range(begin, end, step))
        return Array(self._elements, self.dtype, size, self._offset + begin * self._step, self._step * step)

    def get(self) -> np.ndarray[Any, Any]:
        """A copy in host memory."""
        size = len(self._elements)
        values = np.empty(size, self.dtype)
        if size:
            address = self._elements.__cuda_array_interface__["data"][0]
            Buffer.from_handle(address, values.nbytes).copy_to_host(values.view(np.uint8))
        return values[self._offset :][:: self._step][: self.size]

    def copy(self) -> Array:
        return asarray(self.get())

    def astype(self, dtype: Any, **_: Any) -> Array:
        return asarray(self.get().astype(dtype))

    def __reduce__(self) -> Any:
        return asarray, (self.get(),)

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        """CuPy has each of NumPy's functions."""
        if function is np.concatenate:
            return asarray(np.concatenate([each.get() for each in arguments[0]]))
        return NotImplemented


def asarray(values: Any) -> Array:
    if isinstance(values, Array):
        return values
    if isinstance(values, DeviceArray):
        return Array(values, values.dtype, values.size)
    return Array(DeviceArray.from_numpy(values), values.dtype, len(values))


def ascontiguousarray(array: Array) -> Array:
    return array if array._step == 1 else array.copy()
