"""Histograms of several channels. Written by hand: each channel has its own bins, which a call takes as lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import POOL, Algorithm, host_value, item_count, native_stream
from cuprum.parallel._arrays import dtype_of
from cuprum.parallel._data import host_array, host_bytes, is_in_place, sized, written_on_device
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._histogram import bin_count
from cuprum.parallel._iterators import as_iterator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from typing import Self

    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike


class _OfChannels(Algorithm):
    __slots__ = ("_channels", "_counters_dtype", "_levels_dtype")
    _channels: int
    _counters_dtype: np.dtype[Any]
    _levels_dtype: np.dtype[Any]

    @classmethod
    def _built(
        cls,
        build: Any,
        doing: str,
        d_samples: Any,
        d_histogram: Any,
        channels: tuple[int, int],
        levels: np.dtype[Any],
        compute_capability: Any,
        execution: ExecutionLike,
    ) -> Self:
        samples = as_iterator(d_samples, on_host=is_host(execution))
        counters = dtype_of(d_histogram, on_host=is_host(execution))
        native = build(
            *native_execution(execution, compute_capability),
            samples._open_native(doing),
            *channels,
            type_text(levels),
            type_text(counters),
        )
        algorithm: Self = cls._make(native, execution)
        algorithm._channels = channels[0]
        algorithm._counters_dtype, algorithm._levels_dtype = counters, levels
        return algorithm

    def _pixels(self, num_pixels: int | None, samples: Any) -> int:
        """How many there are; None: as many as there are samples for."""
        needed = None if num_pixels is None else num_pixels * self._channels
        return item_count(needed, samples, name="num_pixels * num_channels") // self._channels


def _bins(h_num_output_levels: Sequence[int]) -> list[int]:
    return [bin_count(number) for number in h_num_output_levels]


class MultiHistogramEven(_OfChannels):
    """How many samples of each channel are in each of many bins of one width."""

    __slots__ = ()

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_samples: Any,
        d_histogram: Any,
        h_num_output_levels: Sequence[int],
        h_lower_level: Sequence[Any],
        h_upper_level: Sequence[Any],
        num_pixels: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Counts the samples of ``num_pixels`` pixels, None: of all.

        ``h_num_output_levels``, ``h_lower_level`` and ``h_upper_level`` have a number for each channel that is counted.
        ``d_histogram`` gets the counts of the first channel's bins, one less than it has levels, and behind them those
        of the others. Bins are those of ``HistogramEven``.

        It needs no temporary storage: ``temp_storage=None`` does nothing and returns 0, ``POOL`` and any array run.
        Asynchronous, in ``stream``'s order.
        """
        call_stream = self._call_stream(stream)
        samples = as_iterator(d_samples, call_stream, on_host=self._on_host)
        count = self._pixels(num_pixels, samples)
        if temp_storage is None:
            return 0
        bins = _bins(h_num_output_levels)
        lower, upper = (
            b"".join(host_value(name, value, self._levels_dtype) for value in values)
            for name, values in (("h_lower_level", h_lower_level), ("h_upper_level", h_upper_level))
        )
        _cuprum.cuprum_parallel_multi_histogram_even(
            self._open_native("making a histogram of several channels"),
            native_stream(call_stream, "making a histogram of several channels"),
            samples._open_native("making a histogram of several channels"),
            self._elements(d_histogram, self._counters_dtype, sum(bins), "d_histogram", call_stream),
            np.array(bins, np.uint64),
            lower,
            upper,
            count,
        )
        return 0


class MultiHistogramRange(_OfChannels):
    """How many samples of each channel are in each of many ranges."""

    __slots__ = ()

    def __call__(
        self,
        *,
        temp_storage: Any = None,
        d_samples: Any,
        d_levels: Any,
        d_histogram: Any,
        h_num_output_levels: Sequence[int],
        num_pixels: int | None = None,
        stream: Stream | IsStreamType | None = None,
    ) -> int:
        """Counts the samples of ``num_pixels`` pixels, None: of all.

        ``h_num_output_levels`` has the number of levels of each channel that is counted, and ``d_levels`` those of the
        first, in ascending order, and behind them those of the others. ``d_histogram`` gets the counts of the first
        channel's bins, one less than it has levels, and behind them those of the others.

        It needs no temporary storage: ``temp_storage=None`` does nothing and returns 0, ``POOL`` and any array run.
        Asynchronous, in ``stream``'s order.
        """
        call_stream = self._call_stream(stream)
        samples = as_iterator(d_samples, call_stream, on_host=self._on_host)
        count = self._pixels(num_pixels, samples)
        if temp_storage is None:
            return 0
        bins = _bins(h_num_output_levels)
        levels = sum(bins) + len(bins)
        _cuprum.cuprum_parallel_multi_histogram_range(
            self._open_native("making a histogram of ranges of several channels"),
            native_stream(call_stream, "making a histogram of ranges of several channels"),
            samples._open_native("making a histogram of ranges of several channels"),
            self._elements(d_levels, self._levels_dtype, levels, "d_levels", call_stream, writable=False),
            self._elements(d_histogram, self._counters_dtype, sum(bins), "d_histogram", call_stream),
            np.array(bins, np.uint64),
            count,
        )
        return 0


def make_multi_histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    num_channels: int,
    num_active_channels: int,
    h_lower_level: Sequence[Any],
    h_upper_level: Sequence[Any],
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> MultiHistogramEven:
    """Builds histograms over bins of one width of pixels, of which each is ``num_channels`` samples one after another:
    of the first ``num_active_channels``, all in one sweep.

    ``d_histogram`` has integers of 32 or 64 bits, and the levels are of the type that NumPy has for both lists. With
    ``compute_capability``, or an ``Execution`` ahead of time, it can only be saved.
    """
    return MultiHistogramEven._built(
        _cuprum.cuprum_parallel_multi_histogram_even_build,
        "building a histogram of several channels",
        d_samples,
        d_histogram,
        (num_channels, num_active_channels),
        np.result_type(np.asarray(h_lower_level), np.asarray(h_upper_level)),
        compute_capability,
        execution,
    )


def make_multi_histogram_range(
    *,
    d_samples: Any,
    d_levels: Any,
    d_histogram: Any,
    num_channels: int,
    num_active_channels: int,
    compute_capability: Any = None,
    execution: ExecutionLike = "device",
) -> MultiHistogramRange:
    """Builds histograms of ranges of pixels, of which each is ``num_channels`` samples one after another: of the first
    ``num_active_channels``, all in one sweep.

    ``d_histogram`` has integers of 32 or 64 bits. With ``compute_capability``, or an ``Execution`` ahead of time, it
    can only be saved.
    """
    return MultiHistogramRange._built(
        _cuprum.cuprum_parallel_multi_histogram_range_build,
        "building a histogram of ranges of several channels",
        d_samples,
        d_histogram,
        (num_channels, num_active_channels),
        dtype_of(d_levels, on_host=is_host(execution)),
        compute_capability,
        execution,
    )


def _of_host_data(
    count: Any, samples: Any, num_channels: int, bins: list[int], levels: tuple[object, ...], execution: ExecutionLike
) -> Any:
    values = host_array(samples)
    histogram = np.empty(sum(bins), np.int64)
    count(
        host_bytes(histogram),
        *native_execution(execution),
        type_text(histogram.dtype),
        type_text(values.dtype),
        host_bytes(values),
        num_channels,
        np.array(bins, np.uint64),
        *levels,
    )
    return histogram


def _even_of_data(
    samples: Any, num_channels: int, num_output_levels: Sequence[int], lower: Any, upper: Any, execution: ExecutionLike
) -> Any:
    bins = _bins(num_output_levels)
    if is_in_place(samples, execution):
        return written_on_device(
            multi_histogram_even,
            {"d_histogram": (np.int64, sum(bins))},
            d_samples=sized(samples, "making a histogram of several channels")[0],
            num_channels=num_channels,
            num_output_levels=num_output_levels,
            lower_level=lower,
            upper_level=upper,
        )
    dtype = np.result_type(np.asarray(lower), np.asarray(upper))
    levels = (
        type_text(dtype),
        np.asarray(lower, dtype).tobytes(),
        type_text(dtype),
        np.asarray(upper, dtype).tobytes(),
    )
    count = _cuprum.cuprum_parallel_multi_histogram_even_array
    return _of_host_data(count, samples, num_channels, bins, levels, execution)


@overload
def multi_histogram_even(
    samples: Any,
    num_channels: int,
    num_output_levels: Sequence[int],
    lower_level: Sequence[Any],
    upper_level: Sequence[Any],
    *,
    execution: ExecutionLike = "device",
) -> Any: ...
@overload
def multi_histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    num_channels: int,
    num_output_levels: Sequence[int],
    lower_level: Sequence[Any],
    upper_level: Sequence[Any],
    num_pixels: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def multi_histogram_even(
    samples: Any = None,
    num_channels: int | None = None,
    num_output_levels: Sequence[int] | None = None,
    lower_level: Sequence[Any] | None = None,
    upper_level: Sequence[Any] | None = None,
    *,
    d_samples: Any = None,
    d_histogram: Any = None,
    num_pixels: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """Counts the samples of the first ``len(num_output_levels)`` of ``num_channels`` channels in bins of one width.

    The histogram has the counts of the first channel's ``num_output_levels[0] - 1`` bins, and behind them those of the
    others. ``multi_histogram_even(samples, num_channels, num_output_levels, lower_level, upper_level)`` returns it, as
    int64: of host data as an array, of arrays on the device as a ``DeviceArray``. With ``cuda.compute``'s names it is
    written to ``d_histogram``.

    On the device asynchronously, in ``stream``'s order; with ``execution='host'`` over NumPy arrays, done when it
    returns.
    """
    if num_channels is None or num_output_levels is None or lower_level is None or upper_level is None:
        raise TypeError("multi_histogram_even() needs num_channels, num_output_levels, lower_level and upper_level")
    if d_samples is None:
        if samples is None:
            raise TypeError("multi_histogram_even() takes samples, or d_samples= and d_histogram=")
        return _even_of_data(samples, num_channels, num_output_levels, lower_level, upper_level, execution)
    with make_multi_histogram_even(
        d_samples=d_samples,
        d_histogram=d_histogram,
        num_channels=num_channels,
        num_active_channels=len(num_output_levels),
        h_lower_level=lower_level,
        h_upper_level=upper_level,
        execution=execution,
    ) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_samples=d_samples,
            d_histogram=d_histogram,
            h_num_output_levels=num_output_levels,
            h_lower_level=lower_level,
            h_upper_level=upper_level,
            num_pixels=num_pixels,
            stream=stream,
        )
    return None


def _range_of_data(
    samples: Any, num_channels: int, num_output_levels: Sequence[int], levels: Any, execution: ExecutionLike
) -> Any:
    bins = _bins(num_output_levels)
    if is_in_place(samples, execution) or is_in_place(levels, execution):
        return written_on_device(
            multi_histogram_range,
            {"d_histogram": (np.int64, sum(bins))},
            d_samples=sized(samples, "making a histogram of ranges of several channels")[0],
            d_levels=levels,
            num_channels=num_channels,
            num_output_levels=num_output_levels,
        )
    host_levels = host_array(levels)
    count = _cuprum.cuprum_parallel_multi_histogram_range_array
    described = (type_text(host_levels.dtype), host_bytes(host_levels))
    return _of_host_data(count, samples, num_channels, bins, described, execution)


@overload
def multi_histogram_range(
    samples: Any,
    num_channels: int,
    num_output_levels: Sequence[int],
    levels: Any,
    *,
    execution: ExecutionLike = "device",
) -> Any: ...
@overload
def multi_histogram_range(
    *,
    d_samples: Any,
    d_levels: Any,
    d_histogram: Any,
    num_channels: int,
    num_output_levels: Sequence[int],
    num_pixels: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> None: ...
def multi_histogram_range(
    samples: Any = None,
    num_channels: int | None = None,
    num_output_levels: Sequence[int] | None = None,
    levels: Any = None,
    *,
    d_samples: Any = None,
    d_levels: Any = None,
    d_histogram: Any = None,
    num_pixels: int | None = None,
    stream: Stream | IsStreamType | None = None,
    execution: ExecutionLike = "device",
) -> Any:
    """Counts the samples of the first ``len(num_output_levels)`` of ``num_channels`` channels in ranges.

    The levels are the first channel's, in ascending order, and behind them those of the others, and the counts are in
    that order. ``multi_histogram_range(samples, num_channels, num_output_levels, levels)`` returns these, as int64: of
    host data as an array, of arrays on the device as a ``DeviceArray``. With ``cuda.compute``'s names it reads
    ``d_levels`` and writes to ``d_histogram``.

    On the device asynchronously, in ``stream``'s order; with ``execution='host'`` over NumPy arrays, done when it
    returns.
    """
    if num_channels is None or num_output_levels is None:
        raise TypeError("multi_histogram_range() needs num_channels and num_output_levels")
    if d_samples is None:
        if samples is None or levels is None:
            raise TypeError(
                "multi_histogram_range() takes samples and levels, or d_samples=, d_levels= and d_histogram="
            )
        return _range_of_data(samples, num_channels, num_output_levels, levels, execution)
    with make_multi_histogram_range(
        d_samples=d_samples,
        d_levels=d_levels,
        d_histogram=d_histogram,
        num_channels=num_channels,
        num_active_channels=len(num_output_levels),
        execution=execution,
    ) as algorithm:
        algorithm(
            temp_storage=POOL,
            d_samples=d_samples,
            d_levels=d_levels,
            d_histogram=d_histogram,
            h_num_output_levels=num_output_levels,
            num_pixels=num_pixels,
            stream=stream,
        )
    return None
