"""The order of a sort, and the runs that are sorted by it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _algorithms, _one_shot
from cuprum.parallel._algorithm import POOL, SortOrder
from cuprum.parallel._arrays import DeviceArray
from cuprum.parallel._operators import Operator
from cuprum.parallel.dask._chunks import Array, contiguous, like, to_chunk, to_device
from cuprum.parallel.dask._operators import built, fingerprint

if TYPE_CHECKING:
    from cuprum.parallel._operators import OperatorLike

DType = np.dtype[Any]


@dataclasses.dataclass(frozen=True)
class Run:
    """Keys in order, and the values that were moved with them, if there are any."""

    keys: Any
    values: Any

    def part(self, begin: int, end: int) -> Run:
        """A copy, which does not keep all of the run alive."""
        return Run(self.keys[begin:end].copy(), None if self.values is None else self.values[begin:end].copy())


@dataclasses.dataclass(frozen=True)
class Order:
    """By the keys' bits, or by ``op``, whether the key ``a`` comes before ``b``. All here is stable, and works on the
    current device."""

    order: SortOrder
    op: OperatorLike | None = None

    def sort(self, keys: Any, values: Any) -> Run:
        keys = contiguous(keys)
        if len(keys) == 0:
            return Run(keys, values)
        if values is None:
            return Run(like(keys, _one_shot.sort(keys, order=self.order, op=self.op)), None)
        moved = contiguous(values)
        sorted_keys, sorted_values = _one_shot.sort_by_key(keys, moved, order=self.order, op=self.op)
        return Run(like(keys, sorted_keys), like(moved, sorted_values))

    def permutation(self, keys: Array) -> Array:
        """The positions of the keys in host memory, in the order of the keys."""
        return np.asarray(self.sort(keys, np.arange(len(keys))).values)

    def merge(self, runs: Sequence[Run]) -> Run:
        """Runs as one: of equal keys those of the earlier run come first. There is at least one run."""
        filled = [run for run in runs if len(run.keys)] or [runs[0]]
        first = filled[0]
        if len(filled) == 1:
            return first
        dtype = self._seen_as(first.keys.dtype)
        loaded: list[tuple[DeviceArray, DeviceArray | None]] = [
            (to_device(run.keys, dtype), None if run.values is None else to_device(run.values)) for run in filled
        ]
        while len(loaded) > 1:
            pairs = zip(loaded[::2], loaded[1::2], strict=False)
            last = loaded[-1:] if len(loaded) % 2 else []
            loaded = [self._merge_two(*pair) for pair in pairs] + last
        keys, values = loaded[0]
        return Run(
            to_chunk(first.keys, DeviceArray(keys._buffer, first.keys.dtype)),
            None if values is None else to_chunk(first.values, values),
        )

    def _merge_two(
        self, first: tuple[DeviceArray, DeviceArray | None], second: tuple[DeviceArray, DeviceArray | None]
    ) -> tuple[DeviceArray, DeviceArray | None]:
        (keys, values), (other_keys, other_values) = first, second
        merged = DeviceArray.empty(keys.size + other_keys.size, keys.dtype)
        arrays: dict[str, Any] = {"d_in_keys1": keys, "d_in_keys2": other_keys, "d_out_keys": merged}
        order = (self.order, fingerprint(self.op))
        if values is None or other_values is None:
            merge = built(
                lambda: _algorithms.make_merge_keys(**arrays, op=self.comparison(keys.dtype)),
                *("merge_keys", keys.dtype, *order),
            )
            merge(temp_storage=POOL, **arrays)
            return merged, None
        moved = DeviceArray.empty(merged.size, values.dtype)
        arrays |= {"d_in_values1": values, "d_in_values2": other_values, "d_out_values": moved}
        merge = built(
            lambda: _algorithms.make_merge_pairs(**arrays, op=self.comparison(keys.dtype)),
            *("merge_pairs", keys.dtype, values.dtype, *order),
        )
        merge(temp_storage=POOL, **arrays)
        return merged, moved

    def lower_bounds(self, keys: Any, splitters: Array) -> Array:
        """How many of the keys, which are in order, come before each splitter."""
        if len(keys) == 0 or len(splitters) == 0:
            return np.zeros(len(splitters), np.int64)
        dtype = self._seen_as(keys.dtype)
        elements, values = to_device(keys, dtype), to_device(splitters, dtype)
        found = DeviceArray.empty(len(splitters), np.int64)
        arrays: dict[str, Any] = {"d_data": elements, "d_values": values, "d_out": found}
        search = built(
            lambda: _algorithms.make_lower_bound(**arrays, comp=self.comparison(dtype)),
            *("lower_bound", dtype, self.order, fingerprint(self.op)),
        )
        search(**arrays)
        return found.to_numpy()

    def comparison(self, dtype: DType) -> OperatorLike:
        """Whether ``a`` comes before ``b``: of the keys as ``_seen_as`` has them, as a radix sort orders them, with a
        place for NaNs."""
        if self.op is not None:
            return self.op
        return Operator.by_fields(dtype, "key" if self.order == SortOrder.ASCENDING else "-key")

    def require(self, dtype: DType) -> None:
        """An error that says why, for keys that have no such order."""
        self.comparison(self._seen_as(dtype))

    def _seen_as(self, dtype: DType) -> DType:
        """A comparison by fields takes structs."""
        return dtype if self.op is not None else np.dtype({"names": ["key"], "formats": [dtype]})
