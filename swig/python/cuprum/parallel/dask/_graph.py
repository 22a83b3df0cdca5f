"""Lazy arrays: their checks, and the layers of Dask's graph that make them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from cuprum.parallel._types import type_text

Sizes = Sequence[Any]
#: Of a task in the graph: the layer's name and numbers.
Key = tuple[Any, ...]

#: How many partitions' results one task combines.
FAN_IN = 16


def require_array(name: str, array: Any) -> None:
    """Errors for what is not a Dask array of one dimension, of elements that the algorithms take."""
    if not isinstance(array, da.Array):
        raise TypeError(
            f"{name} is a {type(array).__name__}, expected a Dask array; dask.array.from_array() makes one, and "
            "cuprum.parallel has the same call for arrays that are not Dask's"
        )
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions, expected 1; {name}.ravel() has one")
    type_text(array.dtype)


def aligned(array: Any, other_name: str, other: Any) -> Any:
    """The other array in the partitions of the first. ValueError where sizes that are known differ."""
    require_array(other_name, other)
    if sizes_are_known(array) and sizes_are_known(other):
        if array.size != other.size:
            raise ValueError(f"{other_name} has {other.size} elements, expected {array.size}, as the first array has")
        return other if array.chunks == other.chunks else other.rechunk(array.chunks)
    if array.npartitions != other.npartitions:
        raise ValueError(
            f"{other_name} has {other.npartitions} partitions, expected {array.npartitions}, as the first array has: "
            "their sizes are not known; compute_chunk_sizes() finds them"
        )
    return other


def sizes_of(array: Any) -> Sizes:
    sizes: Sizes = array.chunks[0]
    return sizes


def sizes_are_known(array: Any) -> bool:
    return not any(math.isnan(size) for size in sizes_of(array))


def unknown_sizes(number: int) -> Sizes:
    return (math.nan,) * number


class Graph:
    """The layers of one call. All names have the call's token, which depends on its inputs alone, so that a task that
    is run again is the same task."""

    def __init__(self, call: str, inputs: Sequence[Any], *settings: Hashable) -> None:
        self._call = call
        self._token = tokenize(call, [array.name for array in inputs], *settings)
        self._inputs = list(inputs)
        self._layers: dict[str, dict[Key, Any]] = {}
        self._dependencies: dict[str, set[str]] = {}

    def layer(self, step: str, tasks: dict[Key, Any], *, after: Sequence[str] = ()) -> str:
        """Adds tasks, by the numbers in their keys; ``after``: the layers that they read. Returns its name."""
        name = self.name(step)
        self._layers[name] = {(name, *numbers): task for numbers, task in tasks.items()}
        self._dependencies[name] = set(after)
        return name

    def name(self, step: str = "") -> str:
        return "-".join(["cuprum", self._call, *([step] if step else []), self._token])

    def array(self, name: str, sizes: Sizes | None, dtype: np.dtype[Any], *, like: Any = None) -> Any:
        """The last layer as an array with chunks of ``like``'s kind, else NumPy's; ``sizes`` None: of no dimension."""
        layers = dict(self._layers)
        dependencies = {each: set(after) for each, after in self._dependencies.items()}
        for array in self._inputs:
            graph = array.__dask_graph__()
            layers.update(graph.layers)
            dependencies.update(graph.dependencies)
        chunks = () if sizes is None else (tuple(sizes),)
        meta = np.empty((0,) * len(chunks), dtype) if like is None else meta_from_array(like, ndim=1, dtype=dtype)
        return da.Array(HighLevelGraph(layers, dependencies), name, chunks, meta=meta)

    def combined(self, step: str, keys: Sequence[Key], after: str, combine: Callable[[list[Any]], Any]) -> list[Key]:
        """Layers that combine the results of neighbours until at most ``FAN_IN`` are left. Returns their keys."""
        remaining = list(keys)
        level = 0
        while len(remaining) > FAN_IN:
            groups = [remaining[i : i + FAN_IN] for i in range(0, len(remaining), FAN_IN)]
            after = self.layer(
                f"{step}-{level}", {(i,): (combine, group) for i, group in enumerate(groups)}, after=[after]
            )
            remaining = [(after, i) for i in range(len(groups))]
            level += 1
        return remaining


def partitions(array: Any) -> list[Key]:
    """The keys of an array's chunks."""
    return [(array.name, i) for i in range(array.npartitions)]
