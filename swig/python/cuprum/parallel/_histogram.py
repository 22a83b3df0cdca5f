"""Histograms. Written by hand: as in cuda.compute, the parameters of what is built and of the one call differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import POOL, Algorithm, host_value, item_count, native_stream
from cuprum.parallel._arrays import dtype_of
from cuprum.parallel._data import host_array, host_bytes, is_in_place, sized, written_on_device
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike


class HistogramEven(Algorithm):
    """How many samples are in each of many bins of one width."""

    __slots__ = ("_counters_dtype", "_levels_dtype")
    _counters_dtype: np.dtype[Any]
    _levels_dtype: np.dtype[Any]

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_samples: Any,
        d_histogram: Any,
        h_num_output_levels: Any,
        h_lower_level: Any,
        h_upper_level: Any,
        num_samples: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Counts ``num_samples`` samples, None: all.

        ``d_histogram`` gets the counts of ``h_num_output_levels - 1`` bins, which divide the numbers from
        ``h_lower_level`` up to, but not including, ``h_upper_level`` evenly; what lies outside is not counted, nor are
        NaNs. These three are numbers, or arrays of one.

        It needs no temporary storage: ``temp_storage=None`` does nothing and returns 0, ``POOL`` and any array run.
        Asynchronous, in ``stream``'s order.
        """
        call_stream = self._call_stream(stream)
        samples = as_iterator(d_samples, call_stream, on_host=self._on_host)
        count = item_count(num_samples, samples, name="num_samples")
        if temp_storage is None:
            return 0
        bins = bin_count(h_num_output_levels)
        _cuprum.cuprum_parallel_histogram_even(
            self._open_native("making a histogram"),
            native_stream(call_stream, "making a histogram"),
            samples._open_native("making a histogram"),
            self._elements(d_histogram, self._counters_dtype, bins, "d_histogram", call_stream),
            bins,
            host_value("h_lower_level", h_lower_level, self._levels_dtype),
            host_value("h_upper_level", h_upper_level, self._levels_dtype),
            count,
        )
        return 0


def bin_count(num_output_levels: Any) -> int:
    levels = np.asarray(num_output_levels)
    if levels.size != 1 or levels.dtype.kind not in "iu":
        raise TypeError(f"the number of levels is one integer, not {num_output_levels!r}")
    number = int(levels.reshape(()))
    if number < 2:
        raise ValueError(f"there are {number} levels, expected at least 2: the bounds of one bin")
    return number - 1


def make_histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    h_num_output_levels: Any = None,
    h_lower_level: Any,
    h_upper_level: Any,
    num_samples: int | None = None,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> HistogramEven:
    """Builds a histogram over bins of one width.

    ``d_histogram`` has integers of 32 or 64 bits, and the levels are of ``h_lower_level``'s type, which samples are
    compared with as C++ compares them. ``h_num_output_levels`` and ``num_samples`` are those of a call: nothing is
    built for them. With ``compute_capability``, or an ``Execution`` ahead of time, it can only be saved.
    """
    del h_num_output_levels, num_samples
    samples = as_iterator(d_samples, on_host=is_host(execution))
    counters = dtype_of(d_histogram, on_host=is_host(execution))
    levels = np.asarray(h_lower_level).dtype
    if np.asarray(h_upper_level).dtype != levels:
        raise TypeError(f"the lower level is of {levels}, and the upper one of {np.asarray(h_upper_level).dtype}")
    native = _cuprum.cuprum_parallel_histogram_even_build(
        *native_execution(execution, compute_capability),
        samples._open_native("building a histogram"),
        type_text(levels),
        type_text(counters),
    )
    algorithm: HistogramEven = HistogramEven._make(native, execution)
    algorithm._counters_dtype = counters
    algorithm._levels_dtype = levels
    return algorithm


def _histogram_of_data(samples: Any, bins: int, lower: Any, upper: Any, execution: ExecutionLike) -> Any:
    if is_in_place(samples, execution):
        return written_on_device(
            histogram_even,
            {"d_histogram": (np.int64, bins)},
            d_samples=sized(samples, "making a histogram")[0],
            num_output_levels=bins + 1,
            lower_level=lower,
            upper_level=upper,
        )
    values = host_array(samples)
    histogram = np.empty(bins, np.int64)
    _cuprum.cuprum_parallel_histogram_even_array(
        host_bytes(histogram),
        *native_execution(execution),
        type_text(histogram.dtype),
        type_text(values.dtype),
        host_bytes(values),
        type_text(lower.dtype),
        lower.tobytes(),
        upper.tobytes(),
    )
    return histogram


@overload
def histogram_even(
    samples: Any,
    num_output_levels: int,
    lower_level: Any,
    upper_level: Any,
    *,
    execution: ExecutionLike = "device",
) -> Any: ...
@overload
def histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    num_output_levels: int,
    lower_level: Any,
    upper_level: Any,
    num_samples: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def histogram_even(
    samples: Any = None,
    num_output_levels: int | None = None,
    lower_level: Any = None,
    upper_level: Any = None,
    *,
    d_samples: Any = None,
    d_histogram: Any = None,
    num_samples: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """Counts the samples in ``num_output_levels - 1`` bins of one width, from ``lower_level`` up to ``upper_level``.

    What lies outside is not counted, nor are NaNs. Levels of two types become the type that NumPy has for both.
    ``histogram_even(samples, num_output_levels, lower_level, upper_level)`` returns the counts, as int64: of host data
    as an array, of arrays on the device as a ``DeviceArray``. With ``cuda.compute``'s names it writes to
    ``d_histogram``.

    On the device asynchronously, in ``stream``'s order; with ``execution='host'`` over NumPy arrays, done when it
    returns.
    """
    if num_output_levels is None or lower_level is None or upper_level is None:
        raise TypeError("histogram_even() needs num_output_levels, lower_level and upper_level")
    dtype = np.result_type(lower_level, upper_level)
    lower, upper = np.asarray(lower_level, dtype), np.asarray(upper_level, dtype)
    if d_samples is None:
        if samples is None:
            raise TypeError("histogram_even() takes samples, or d_samples= and d_histogram=")
        return _histogram_of_data(samples, bin_count(num_output_levels), lower, upper, execution)
    with make_histogram_even(
        d_samples=d_samples,
        d_histogram=d_histogram,
        h_lower_level=lower,
        h_upper_level=upper,
        execution=execution,
    ) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_samples=d_samples,
            d_histogram=d_histogram,
            h_num_output_levels=num_output_levels,
            h_lower_level=lower,
            h_upper_level=upper,
            num_samples=num_samples,
            stream=stream,
        )
    return None
