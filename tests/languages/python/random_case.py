"""A case of an algorithm: random elements, types, operators and iterators, for the device or the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from cuprum.core import Device
from cuprum.parallel import (
    CacheModifiedInputIterator,
    DeviceArray,
    OpKind,
    PermutationIterator,
    ReverseIterator,
    StridedIterator,
    TransformIterator,
)

Where = Literal["device", "host"]
Array = np.ndarray[Any, Any]

TYPES = [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]
OPERATORS: dict[OpKind, Any] = {
    OpKind.PLUS: np.add,
    OpKind.MAXIMUM: np.maximum,
    OpKind.MINIMUM: np.minimum,
    OpKind.BIT_XOR: np.bitwise_xor,
    OpKind.BIT_OR: np.bitwise_or,
}


class Random:
    """One case: what is drawn depends on its seed alone, so that the device and the host's cores get the same."""

    def __init__(self, seed: int, where: Where) -> None:
        self.random = np.random.default_rng(seed)
        self.where = where
        self.count = int(self.random.choice([0, 1, 2, 33, 1000, 5003]))
        self.op = self._one_of(list(OPERATORS))
        is_bitwise = self.op in (OpKind.BIT_XOR, OpKind.BIT_OR)
        self.type = np.dtype(self._one_of([each for each in TYPES if not is_bitwise or np.dtype(each).kind in "iu"]))
        self.function = OPERATORS[self.op]

    def _one_of(self, choices: list[Any]) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def elements(self, different: int = 120, dtype: np.dtype[Any] | None = None) -> Array:
        """Whole numbers, of which floating-point sums are exact in any order."""
        return self.random.integers(0, different, self.count).astype(dtype or self.type)

    def keys(self) -> Array:
        return self.elements(3, np.dtype(self._one_of(TYPES)))

    def place(self, array: Array) -> Any:
        return array.copy() if self.where == "host" else DeviceArray.from_numpy(array)

    def room(self, dtype: Any, count: int | None = None) -> Any:
        return self.place(np.zeros(self.count if count is None else count, dtype))

    def taken(self, array: Any) -> Array:
        if self.where == "device":
            Device(0).sync()
            array = array.to_numpy()
        return np.asarray(array)

    def input(self, values: Array, depth: int = 2) -> Any:
        """Memory, or an iterator made of others, that gives these values."""
        kind = int(self.random.integers(6)) if depth else 0
        n = len(values)
        if kind == 0 or n == 0:
            return self.place(values)
        if kind == 1:
            return ReverseIterator(StridedIterator(self.input(values[::-1].copy(), depth - 1), 1) + (n - 1))
        if kind == 2:
            spread = np.ones(3 * n, values.dtype)
            spread[1::3] = values
            return StridedIterator(self.input(spread, depth - 1), 3, 1)
        if kind == 3:
            order = self.random.permutation(n)
            moved = np.empty_like(values)
            moved[order] = values
            return PermutationIterator(self.input(moved, depth - 1), self.place(order.astype(np.int32)))
        if kind == 4 and values.dtype.kind in "iu":
            return TransformIterator(self.input(~values, depth - 1), OpKind.BIT_NOT)
        if self.where == "device":
            return CacheModifiedInputIterator(self.place(values), "stream")
        return self.place(values)

    def expect(self, found: Any, expected: Any, size: int | None = None) -> None:
        assert self.taken(found)[:size].tolist() == np.asarray(expected).tolist()
