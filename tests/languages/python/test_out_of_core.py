"""Algorithms over host memory that is larger than the device's memory that they may take, against NumPy; and what they
refuse."""

from __future__ import annotations

import array
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.core import Device, DeviceMemoryResource, LegacyPinnedMemoryResource
from cuprum.parallel import OpKind, SortOrder, out_of_core
from cuprum.parallel.out_of_core import DeviceMemory, ScanKind

LIMIT = 65536
COUNT = 40_001  # of 4 bytes: more than twice the memory
MEMORY = DeviceMemory(limit=LIMIT)
Array = np.ndarray[Any, Any]


@pytest.fixture
def numbers() -> Array:
    return np.random.default_rng(1).integers(-1000, 1000, COUNT, dtype=np.int32)


def test_a_reduction_and_a_scan(numbers: Array) -> None:
    total = np.empty(1, np.int64)
    out_of_core.Reduce(MEMORY, np.int32, accumulator=np.int64)(numbers, total, 7)
    assert total[0] == numbers.sum(dtype=np.int64) + 7
    largest = np.empty(1, np.int32)
    reduce = out_of_core.Reduce(MEMORY, np.int32, lambda a, b: a if a > b else b)
    reduce(numbers, largest)
    assert largest[0] == numbers.max()
    largest[0] = 5
    reduce(numbers[:0], largest)
    assert largest[0] == 5
    sums = np.empty(COUNT, np.int64)
    out_of_core.Scan(MEMORY, np.int32, accumulator=np.int64)(numbers, sums)
    assert np.array_equal(sums, np.cumsum(numbers, dtype=np.int64))
    expected = np.cumsum(numbers) - numbers + 3
    out_of_core.Scan(MEMORY, np.int32, kind=ScanKind.EXCLUSIVE)(numbers, numbers, 3)
    assert np.array_equal(numbers, expected)


def test_a_sort_of_keys_in_page_locked_memory(numbers: Array) -> None:
    page_locked = LegacyPinnedMemoryResource()
    keys, target = (page_locked.allocate(4 * COUNT, stream=None) for _ in range(2))
    np.frombuffer(memoryview(keys), np.int32)[:] = numbers
    sort = out_of_core.RadixSort(MEMORY, np.int32, order=SortOrder.DESCENDING)
    sort(keys, target, keys_scratch=keys)
    assert np.array_equal(np.frombuffer(memoryview(target), np.int32), np.sort(numbers)[::-1])


def test_a_sort_of_pairs_is_stable_and_takes_memory_from_a_pool(numbers: Array) -> None:
    device = Device(0)
    pool = DeviceMemoryResource(device, {"max_size": LIMIT})
    sort = out_of_core.RadixSort(DeviceMemory(LIMIT, device, pool), np.int32, np.uint32)
    keys, places = np.empty_like(numbers), np.empty(COUNT, np.uint32)
    sort(numbers, keys, values=np.arange(COUNT, dtype=np.uint32), values_out=places)
    order = np.argsort(numbers, kind="stable")
    assert np.array_equal(places, order)
    assert np.array_equal(keys, numbers[order])
    assert 0 < pool.attributes.used_mem_high <= LIMIT
    assert pool.attributes.used_mem_current == 0


def test_a_sort_of_special_numbers_is_in_the_order_of_a_sort_in_one_piece() -> None:
    special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5], np.float32)
    keys = np.random.default_rng(2).choice(special, COUNT)
    found, expected = np.empty_like(keys), np.empty_like(keys)
    out_of_core.RadixSort(MEMORY, np.float32)(keys, found)
    out_of_core.RadixSort(DeviceMemory(), np.float32)(keys, expected)
    assert np.array_equal(found.view(np.uint32), expected.view(np.uint32))


def test_a_histogram(numbers: Array) -> None:
    counts = np.empty(20, np.uint64)
    out_of_core.HistogramEven(MEMORY, np.int32, counters=np.uint64)(numbers, counts, 20, -500, 500)
    assert np.array_equal(counts, np.histogram(numbers[numbers < 500], 20, (-500, 500))[0])


def test_a_reduction_by_key(numbers: Array) -> None:
    keys = np.abs(numbers) % 97
    different, sums = np.empty(97, np.int32), np.empty(97, np.int64)
    reduce = out_of_core.ReduceByKey(MEMORY, np.int32, np.int32, OpKind.PLUS, np.int64)
    assert reduce(keys, numbers, different, sums) == 97
    assert np.array_equal(different, np.arange(97))
    assert np.array_equal(sums, np.bincount(keys, numbers, 97))
    with pytest.raises(cuprum.InvalidArgument, match="room for 96 keys, and there are 97"):
        reduce(keys, numbers, different[:96], sums)


def test_other_arrays_than_numpys() -> None:
    keys = array.array("i", [3, 1, 2])
    out_of_core.RadixSort(MEMORY, np.int32)(keys, keys)
    assert keys.tolist() == [1, 2, 3]


def test_what_does_not_fit_is_refused(numbers: Array) -> None:
    target = np.empty_like(numbers)
    with pytest.raises(cuprum.InvalidArgument, match=r"1000 bytes may be taken, and 40001 elements need at least \d+"):
        out_of_core.RadixSort(DeviceMemory(1000), np.int32)(numbers, target)
    sort = out_of_core.RadixSort(MEMORY, np.int32)
    with pytest.raises(TypeError, match="keys has elements of float64, and the algorithm was built for int32"):
        sort(numbers.astype(np.float64), target)
    with pytest.raises(TypeError, match="values was given, and the algorithm was built without values"):
        sort(numbers, target, values=numbers)
    with pytest.raises(cuprum.InvalidArgument, match="there are 40000"):
        sort(numbers, target[1:])
    with pytest.raises(ValueError, match="keys_out is not contiguous"):
        sort(numbers[::2], target[::2])
    target.flags.writeable = False
    with pytest.raises(ValueError, match="keys_out cannot be written to"):
        sort(numbers, target)
    with pytest.raises(cuprum.InvalidArgument, match="device 0"):
        out_of_core.RadixSort(DeviceMemory(LIMIT, 0, LegacyPinnedMemoryResource()), np.int32)
    with pytest.raises(TypeError, match="memory must be a DeviceMemory or several, not int"):
        out_of_core.Reduce(LIMIT, np.int32)  # type: ignore[arg-type]
    sort.close()
    with pytest.raises(cuprum.InvalidState, match="closed"):
        sort(numbers, numbers)


@pytest.fixture
def devices() -> list[DeviceMemory]:
    """As many as there are, three in the test python_distributed; the last one first."""
    return [DeviceMemory(LIMIT, device) for device in reversed(Device.get_all_devices())]


def test_the_same_on_several_devices(numbers: Array, devices: list[DeviceMemory]) -> None:
    total, sums = np.empty(1, np.int64), np.empty(COUNT, np.int64)
    out_of_core.Reduce(devices, np.int32, accumulator=np.int64)(numbers, total, 7)
    assert total[0] == numbers.sum(dtype=np.int64) + 7
    out_of_core.Scan(devices, np.int32, accumulator=np.int64)(numbers, sums)
    assert np.array_equal(sums, np.cumsum(numbers, dtype=np.int64))
    histogram = np.empty(10, np.uint32)
    out_of_core.HistogramEven(tuple(devices), np.int32)(numbers, histogram, 10, -500, 500)
    inside = numbers[(numbers >= -500) & (numbers < 500)]
    assert np.array_equal(histogram, np.histogram(inside, 10, (-500, 500))[0])
    keys, places = np.empty_like(numbers), np.empty(COUNT, np.uint32)
    sort = out_of_core.RadixSort((each for each in devices), np.int32, np.uint32)
    sort(numbers, keys, values=np.arange(COUNT, dtype=np.uint32), values_out=places)
    order = np.argsort(numbers, kind="stable")
    assert np.array_equal(places, order)
    assert np.array_equal(keys, numbers[order])
    by_key = out_of_core.ReduceByKey(devices, np.int32, np.int32)
    groups, results = np.empty(100, np.int32), np.empty(100, np.int32)
    assert by_key(np.abs(numbers) % 100, numbers, groups, results) == 100
    assert np.array_equal(groups, np.arange(100))
    assert np.array_equal(results, np.bincount(np.abs(numbers) % 100, numbers).astype(np.int32))


def test_memory_of_a_pool_of_each_device(numbers: Array, devices: list[DeviceMemory]) -> None:
    pools = [DeviceMemoryResource(each.device, {"max_size": LIMIT}) for each in devices]
    memory = [DeviceMemory(LIMIT, each.device, pool) for each, pool in zip(devices, pools, strict=True)]
    out_of_core.RadixSort(memory, np.int32)(numbers, numbers)
    assert np.all(numbers[:-1] <= numbers[1:])
    for pool in pools:
        assert pool.attributes.used_mem_high > 0
        assert pool.attributes.used_mem_current == 0


def test_devices_that_do_not_fit_are_refused(devices: list[DeviceMemory]) -> None:
    with pytest.raises(cuprum.InvalidArgument, match="there are none, expected at least one"):
        out_of_core.Reduce([], np.int32)
    with pytest.raises(cuprum.InvalidArgument, match="given twice"):
        out_of_core.RadixSort([*devices, devices[0]], np.int32)
    with pytest.raises(TypeError, match="memory must be a DeviceMemory, not int"):
        out_of_core.RadixSort([*devices, 1], np.int32)  # type: ignore[list-item]
    with pytest.raises(cuprum.Error, match="99"):
        out_of_core.RadixSort([*devices, DeviceMemory(device=99)], np.int32)
    with pytest.raises(ValueError, match="device is 4294967296, expected an ordinal"):
        out_of_core.RadixSort(DeviceMemory(device=1 << 32), np.int32)
    with pytest.raises(ValueError, match="limit is 18446744073709551616"):
        out_of_core.RadixSort(DeviceMemory(1 << 64), np.int32)
