"""The calls over data that return results, on host data and on arrays on the device, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from cuprum import InvalidArgument, Unsupported, parallel
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind

Place = Literal["device", "host", "array"]
Call = Callable[..., Any]
SIZES = (0, 1, 1003)


@pytest.fixture(params=["device", "host", "array"])
def call(request: pytest.FixtureRequest) -> Call:
    """Calls over host data, there or on the host's cores, or over arrays on the device."""
    Device(0).set_current()
    place: Place = request.param

    def run(function: Call, *data: Any, **options: Any) -> Any:
        if place != "array":
            return function(*data, execution=place, **options)
        found = function(*(DeviceArray.from_numpy(x) if type(x) is np.ndarray else x for x in data), **options)
        if isinstance(found, tuple):
            return tuple(each.to_numpy() for each in found)
        assert isinstance(found, DeviceArray)
        return found.to_numpy()

    return run


def random(size: int, high: int = 1000, dtype: Any = np.int32) -> np.ndarray[Any, Any]:
    return np.random.default_rng(size).integers(0, high, size).astype(dtype)


@pytest.mark.parametrize("size", SIZES)
def test_samples_are_counted(call: Call, size: int) -> None:
    samples = random(size, 100)
    found = call(parallel.histogram_even, samples, 10, 0, 90)
    assert np.array_equal(found, np.histogram(samples[samples < 90], bins=9, range=(0, 90))[0])
    assert found.dtype == np.int64
    levels = np.array([5, 50, 99.5])
    found = call(parallel.histogram_range, samples, levels)
    assert np.array_equal(found, np.histogram(samples, levels)[0])


@pytest.mark.parametrize("size", SIZES)
def test_extremes_are_selected(call: Call, size: int) -> None:
    keys = random(size)
    ordered, k = np.sort(keys), size // 2
    assert np.array_equal(np.sort(call(parallel.topk_min_keys, keys, k)), ordered[:k])
    assert np.array_equal(np.sort(call(parallel.topk_max_keys, keys, k)), ordered[size - k :])
    top, places = call(parallel.topk_max_pairs, keys, np.arange(size), k)
    assert np.array_equal(np.sort(top), ordered[size - k :])
    assert np.array_equal(keys[places], top)
    if size == 0:
        with pytest.raises(ValueError, match="no elements"):
            call(parallel.min_max, keys)
    else:
        assert call(parallel.min_max, keys).tolist() == [ordered[0], ordered[-1]]


@pytest.mark.parametrize("size", SIZES)
def test_runs_are_scanned(call: Call, size: int) -> None:
    keys, values = random(size, 2), random(size, 9, np.int64)
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if size else np.zeros(0, np.int64)
    runs = np.split(values, begins[1:]) if size else []
    inclusive = np.concatenate([np.cumsum(run) for run in runs] or [values])
    exclusive = np.concatenate([np.cumsum(np.append(5, run[:-1])) for run in runs] or [values])
    assert np.array_equal(call(parallel.inclusive_scan_by_key, keys, values, OpKind.PLUS), inclusive)
    assert np.array_equal(call(parallel.exclusive_scan_by_key, keys, values, 5, OpKind.PLUS), exclusive)


@pytest.mark.parametrize("size", SIZES)
def test_sorted_sequences_are_merged_and_searched(call: Call, size: int) -> None:
    first, second = np.sort(random(size)), np.sort(random(size // 2 + 1))
    both = np.sort(np.concatenate([first, second]))
    assert np.array_equal(call(parallel.merge_keys, first, second), both)
    keys, values = call(parallel.merge_pairs, first, np.ones(size), second, np.zeros(second.size))
    assert np.array_equal(keys, both)
    assert values.sum() == size
    assert np.array_equal(call(parallel.lower_bound, first, second), np.searchsorted(first, second, "left"))
    assert np.array_equal(call(parallel.upper_bound, first, second), np.searchsorted(first, second, "right"))


@pytest.mark.parametrize("size", SIZES)
def test_neighbours_are_combined(call: Call, size: int) -> None:
    data = random(size)
    left, right = data.copy(), data.copy()
    left[1:] -= data[:-1]
    right[:-1] -= data[1:]
    assert np.array_equal(call(parallel.adjacent_difference_left, data), left)
    assert np.array_equal(call(parallel.adjacent_difference_right, data), right)


@pytest.mark.parametrize("size", SIZES)
def test_segments_are_reduced_and_scanned(call: Call, size: int) -> None:
    data = random(size, 50)
    begins = np.arange(0, size, 13)
    ends = np.minimum(begins + 11, size)  # two elements between any two are in none
    inclusive, exclusive, after = np.zeros(size, np.int32), np.zeros(size, np.int64), np.zeros(size, np.int64)
    for begin, end in zip(begins, ends, strict=True):
        inclusive[begin:end] = np.cumsum(data[begin:end])
        after[begin:end] = np.cumsum(data[begin:end]) + 3
        exclusive[begin:end] = np.cumsum(np.append(np.int64(3), data[begin : end - 1]))
    sums = np.array([data[begin:end].sum() + 3 for begin, end in zip(begins, ends, strict=True)], np.int64)
    init = np.int64(3)
    assert np.array_equal(call(parallel.segmented_reduce, data, begins, ends, init, OpKind.PLUS), sums)
    assert np.array_equal(call(parallel.inclusive_segmented_scan, data, begins, ends, OpKind.PLUS), inclusive)
    found = call(parallel.inclusive_segmented_scan, data, begins, ends, OpKind.PLUS, init_value=init)
    assert np.array_equal(found, after)
    found = call(parallel.exclusive_segmented_scan, data, begins, ends, init, OpKind.PLUS)
    assert np.array_equal(found, exclusive)
    assert found.dtype == np.int64


@pytest.mark.parametrize("size", SIZES)
def test_elements_are_selected_and_parted(call: Call, size: int) -> None:
    data, flags = random(size), random(size + 1, 2)[:size]
    kept, rest = data[flags != 0], data[flags == 0]
    assert np.array_equal(call(parallel.select_flagged, data, flags), kept)
    assert np.array_equal(call(parallel.select_flagged, data, flags.astype(np.bool_)), kept)
    zeros = np.where(flags != 0, data + 1, 0)
    first, second, others = call(parallel.three_way_partition, zeros, OpKind.LOGICAL_NOT, OpKind.IDENTITY)
    assert np.array_equal(first, zeros[zeros == 0])
    assert np.array_equal(second, zeros[zeros != 0])
    assert others.size == 0
    before = data.copy()
    parts, number = parallel.partition_flagged(data, flags, execution="host")
    assert np.array_equal(parts, np.concatenate([kept, rest[::-1]]))
    assert number == kept.size
    assert np.array_equal(data, before)


def test_arrays_on_the_device_are_parted() -> None:
    Device(0).set_current()
    data, flags = DeviceArray.from_numpy(np.arange(9)), DeviceArray.from_numpy(np.arange(9) % 2)
    parts, number = parallel.partition_flagged(data, flags)
    assert parts.to_numpy().tolist() == [1, 3, 5, 7, 8, 6, 4, 2, 0]
    assert number == 4
    three = parallel.three_way_partition(data, lambda a: a < 2, lambda a: a > 5)
    assert [part.to_numpy().tolist() for part in three] == [[0, 1], [6, 7, 8], [2, 3, 4, 5]]
    host = parallel.three_way_partition(np.arange(9), lambda a: a < 2, lambda a: a > 5)
    assert [part.tolist() for part in host] == [[0, 1], [6, 7, 8], [2, 3, 4, 5]]


@pytest.mark.parametrize("size", SIZES)
def test_runs_are_found(call: Call, size: int) -> None:
    data = random(size, 2)
    begins = np.flatnonzero(np.append(True, data[1:] != data[:-1])) if size else np.zeros(0, np.int64)
    counts = np.diff(np.append(begins, size))
    offsets, lengths = call(parallel.non_trivial_runs, data)
    assert np.array_equal(offsets, begins[counts > 1])
    assert np.array_equal(lengths, counts[counts > 1])


@pytest.mark.parametrize("size", SIZES)
def test_channels_are_counted(call: Call, size: int) -> None:
    pixels = random(3 * size, 100)
    reds = np.histogram(pixels[::3], bins=[0, 50, 100])[0]
    greens = np.histogram(pixels[1::3], bins=[0, 30, 60, 90, 120])[0]
    expected = np.concatenate([reds, greens])
    found = call(parallel.multi_histogram_even, pixels, 3, [3, 5], [0, 0], [100, 120])
    assert np.array_equal(found, expected)
    assert found.dtype == np.int64
    levels = np.array([0, 50, 100, 0, 30, 60, 90, 120])
    assert np.array_equal(call(parallel.multi_histogram_range, pixels, 3, [3, 5], levels), expected)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("on_device", [False, True])
def test_several_inputs_are_transformed(size: int, on_device: bool) -> None:
    Device(0).set_current()
    first, second, third = random(size), random(size + 1)[:size], random(size, 9, np.float64)
    given = [DeviceArray.from_numpy(each) if on_device else each for each in (first, second, third)]
    for op in (lambda a, b, c: a * b + c, "a * b + c"):
        found = parallel.nary_transform(given, op, dtype=np.float64)
        assert np.array_equal(found.to_numpy() if on_device else found, first * second + third)
    found = parallel.nary_transform(given, lambda a, b, c: (a < c) & (b < c))
    assert found.dtype == np.bool_


def test_inputs_that_do_not_go_together_are_refused() -> None:
    Device(0).set_current()
    data = np.arange(6).reshape(2, 3)
    assert parallel.nary_transform([data, data], "plus", execution="host").tolist() == (data + data).tolist()
    with pytest.raises(ValueError, match="shapes"):
        parallel.nary_transform([data, data.reshape(-1)], "a + b")
    with pytest.raises(ValueError, match="inputs has 0"):
        parallel.nary_transform([], "a + b")
    with pytest.raises(ValueError, match="6, 5 elements"):
        parallel.nary_transform([DeviceArray.from_numpy(each) for each in (np.arange(6), np.arange(5))], "a + b")
    with pytest.raises(TypeError, match="needs an operator"):
        parallel.nary_transform([data])  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes inputs"):
        parallel.nary_transform(op="a")  # type: ignore[call-overload]
    with pytest.raises(Unsupported, match="transform two of them"):
        parallel.nary_transform([data, data, data], "a + b + c", execution="host")


@pytest.mark.parametrize("size", SIZES)
def test_segments_are_sorted(call: Call, size: int) -> None:
    keys = random(size)
    begins = np.arange(0, size, 13)
    ends = np.minimum(begins + 11, size)
    expected, before = keys.copy(), keys.copy()
    for begin, end in zip(begins, ends, strict=True):
        expected[begin:end] = np.sort(keys[begin:end])
    assert np.array_equal(call(parallel.segmented_sort, keys, begins, ends), expected)
    assert np.array_equal(keys, before)
    for begin, end in zip(begins, ends, strict=True):
        expected[begin:end] = expected[begin:end][::-1]
    found = call(parallel.segmented_sort, keys, begins, ends, order=parallel.SortOrder.DESCENDING)
    assert np.array_equal(found, expected)


def test_functions_are_operators() -> None:
    Device(0).set_current()
    keys, values = np.array([10, 19, 21, 25], np.int32), np.array([1, 2, 3, 4], np.int32)
    found = parallel.inclusive_scan_by_key(keys, values, lambda a, b: a * b, lambda a, b: a // 10 == b // 10)
    assert found.tolist() == [1, 2, 3, 12]
    assert parallel.merge_keys([9, 4], [8], lambda a, b: a > b).tolist() == [9, 8, 4]


@pytest.mark.parametrize("place", ["device", "host"])
def test_what_does_not_fit_is_refused(place: Literal["device", "host"]) -> None:
    Device(0).set_current()
    data = np.arange(5, dtype=np.int32)
    with pytest.raises(InvalidArgument, match="segment 1"):
        parallel.segmented_reduce(data, [0, 3], [3, 6], 0, OpKind.PLUS, execution=place)
    with pytest.raises(InvalidArgument, match="5 elements and the other 3"):
        parallel.inclusive_scan_by_key(data, data[:3], OpKind.PLUS, execution=place)
    with pytest.raises(InvalidArgument):
        parallel.topk_min_keys(data, 6, execution=place)
    with pytest.raises(InvalidArgument, match="one more than bins"):
        parallel.histogram_range(data, data[:0], execution=place)
    with pytest.raises(InvalidArgument, match="second keys"):
        parallel.merge_keys(data, data.astype(np.float32), execution=place)
    with pytest.raises(TypeError, match=r"merge_keys\(\) takes first and second"):
        parallel.merge_keys(data, execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="needs k"):
        parallel.topk_min_keys(data, execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="needs an operator"):
        parallel.exclusive_scan_by_key(data, data, 0, execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="needs init_value"):
        parallel.exclusive_scan_by_key(data, data, op=OpKind.PLUS, execution=place)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="at least 2"):
        parallel.histogram_even(data, 1, 0, 3, execution=place)
    with pytest.raises(InvalidArgument, match="5 elements and the other 4"):
        parallel.select_flagged(data, data[1:], execution=place)
    with pytest.raises(InvalidArgument, match="multiple of the 2"):
        parallel.multi_histogram_even(data, 2, [3], [0], [4], execution=place)
    with pytest.raises(InvalidArgument, match="one more for each channel"):
        parallel.multi_histogram_range(data, 1, [3], data[:2], execution=place)
    with pytest.raises(TypeError, match="needs num_channels"):
        parallel.multi_histogram_even(data, 2, [3], [0], execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes samples and levels"):
        parallel.multi_histogram_range(data, 2, [3], execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes data and flags"):
        parallel.select_flagged(data, execution=place)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="needs a second condition"):
        parallel.three_way_partition(data, "a > 1", execution=place)  # type: ignore[call-overload]
