"""Arrays on the device that a function reads or writes: their addresses are an operator's state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel._arrays import device_elements, is_on_device
from cuprum.parallel._symbol import Symbol, as_symbol
from cuprum.parallel._types import cpp_name

if TYPE_CHECKING:
    from cuprum.parallel._promotion import DType

_INT64 = np.dtype(np.int64)


class Captures:
    """The arrays of one operator. Each is a field of its state, in the order in which they are met."""

    def __init__(self) -> None:
        self._arrays: list[Any] = []
        self._addresses: list[int] = []
        self._dtypes: list[DType] = []

    @property
    def arrays(self) -> tuple[Any, ...]:
        """To be kept alive with the operator."""
        return tuple(self._arrays)

    def element(self, array: Any, index: Any) -> Symbol | None:
        """``array[index]``; None for what is no array on the device. Positions are not checked."""
        if isinstance(array, (Symbol, tuple, list, dict, str)) or not is_on_device(array):
            return None
        field = self._field(array)
        name = cpp_name(self._dtypes[field])
        return Symbol(
            self._dtypes[field],
            lambda i: f"reinterpret_cast<{name}*>(captured_{field})[{i}]",
            [as_symbol(index, _INT64)],
        )

    def _field(self, array: Any) -> int:
        for i, known in enumerate(self._arrays):
            if known is array:
                return i
        address, _, dtype = device_elements(array)
        self._arrays.append(array)
        self._addresses.append(address)
        self._dtypes.append(dtype)
        return len(self._arrays) - 1

    def state(self) -> Any:
        """A struct of the addresses; None where there are none."""
        if not self._arrays:
            return None
        fields = [(f"captured_{i}", np.uint64) for i in range(len(self._arrays))]
        return np.array(tuple(self._addresses), fields)
