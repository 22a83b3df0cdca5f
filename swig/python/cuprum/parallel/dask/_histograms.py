"""Histograms: the counts of the partitions are added up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.parallel import _algorithms, _histogram
from cuprum.parallel._algorithm import POOL
from cuprum.parallel._arrays import DeviceArray
from cuprum.parallel._types import type_text
from cuprum.parallel.dask._chunks import Array, to_device
from cuprum.parallel.dask._devices import on_device
from cuprum.parallel.dask._graph import Graph, partitions, require_array
from cuprum.parallel.dask._operators import built

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


def histogram_even(
    samples: Any, *, num_output_levels: int, lower_level: Any, upper_level: Any, dtype: DTypeLike = np.int64
) -> Any:
    """How many samples are in each of ``num_output_levels - 1`` bins of one width, from ``lower_level`` up to, but not
    including, ``upper_level``: an array of one chunk, of NumPy's, of ``dtype``, an integer of 32 or 64 bits.

    What lies outside is not counted, nor are NaNs.
    """
    require_array("samples", samples)
    _histogram.bin_count(num_output_levels)
    levels = np.array([lower_level, upper_level], np.result_type(lower_level, upper_level))
    type_text(levels.dtype)
    if not levels[0] < levels[1]:
        raise ValueError(f"lower_level is {levels[0]} and upper_level {levels[1]}, expected a larger one")
    count = partial(count_even, num_output_levels=int(num_output_levels), levels=levels, dtype=_counter(dtype))
    return _histogram_of("histogram-even", samples, count, int(num_output_levels), levels, _counter(dtype))


def histogram_range(samples: Any, levels: Any, *, dtype: DTypeLike = np.int64) -> Any:
    """How many samples are in each of many bins, of which bin i has the numbers from ``levels[i]`` up to, but not
    including, ``levels[i + 1]``: an array of one chunk, of NumPy's, of ``dtype``, an integer of 32 or 64 bits.

    ``levels``, host data, ascend. What lies outside is not counted, nor are NaNs.
    """
    require_array("samples", samples)
    bounds = np.ascontiguousarray(levels)
    type_text(bounds.dtype)
    if bounds.ndim != 1 or len(bounds) < 2:
        raise ValueError(f"levels has the shape {bounds.shape}, expected at least 2 levels in one dimension")
    if not np.all(bounds[:-1] <= bounds[1:]):
        raise ValueError("the levels do not ascend; numpy.sort() puts them in order")
    count = partial(count_range, levels=bounds, dtype=_counter(dtype))
    return _histogram_of("histogram-range", samples, count, len(bounds), bounds, _counter(dtype))


def _counter(dtype: DTypeLike) -> np.dtype[Any]:
    counter = np.dtype(dtype)
    if counter.kind not in "iu" or counter.itemsize not in (4, 8):
        raise TypeError(f"dtype is {counter}, expected an integer of 32 or 64 bits")
    return counter


def _histogram_of(
    call: str, samples: Any, count: Callable[[Any], Array], num_levels: int, levels: Array, dtype: np.dtype[Any]
) -> Any:
    graph = Graph(call, [samples], num_levels, levels.dtype.str, levels.tobytes(), dtype.str)
    counts = graph.layer(
        "partition", {(i,): (count, key) for i, key in enumerate(partitions(samples))}, after=[samples.name]
    )
    keys = graph.combined("combine", [(counts, i) for i in range(samples.npartitions)], counts, add_counts)
    return graph.array(graph.layer("", {(0,): (add_counts, keys)}, after=[keys[0][0]]), (num_levels - 1,), dtype)


def add_counts(counts: list[Array]) -> Array:
    total = counts[0].copy()
    for each in counts[1:]:
        total += each
    return total


def count_even(samples: Any, *, num_output_levels: int, levels: Array, dtype: np.dtype[Any]) -> Array:
    if len(samples) == 0:
        return np.zeros(num_output_levels - 1, dtype)
    with on_device(samples):
        elements = to_device(samples)
        counts = DeviceArray.empty(num_output_levels - 1, dtype)
        bounds = {"h_lower_level": levels[0], "h_upper_level": levels[1]}
        algorithm = built(
            lambda: _histogram.make_histogram_even(d_samples=elements, d_histogram=counts, **bounds),
            "histogram_even",
            *(samples.dtype, levels.dtype, dtype),
        )
        algorithm(
            temp_storage=POOL,
            d_samples=elements,
            d_histogram=counts,
            h_num_output_levels=num_output_levels,
            **bounds,
        )
        return counts.to_numpy()


def count_range(samples: Any, *, levels: Array, dtype: np.dtype[Any]) -> Array:
    if len(samples) == 0:
        return np.zeros(len(levels) - 1, dtype)
    with on_device(samples):
        elements, bounds = to_device(samples), DeviceArray.from_numpy(levels)
        counts = DeviceArray.empty(len(levels) - 1, dtype)
        arrays: dict[str, Any] = {"d_samples": elements, "d_levels": bounds, "d_histogram": counts}
        algorithm = built(
            lambda: _algorithms.make_histogram_range(**arrays),
            "histogram_range",
            *(samples.dtype, levels.dtype, dtype),
        )
        algorithm(temp_storage=POOL, **arrays)
        return counts.to_numpy()
