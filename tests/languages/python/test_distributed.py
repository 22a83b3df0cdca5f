"""Algorithms over several devices, on two and on three of them, against NumPy; and what they refuse."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import cuprum
import numpy as np
import pytest
from cuprum.core import Buffer, Device
from cuprum.parallel import DeviceArray, OpKind, SortOrder, distributed
from cuprum.parallel.distributed import Communicator, ScanKind, Shard

COUNT = 1500
Array = np.ndarray[Any, Any]


def on_device(device: Device, values: Array) -> DeviceArray:
    buffer = device.allocate(values.nbytes)
    if values.nbytes:
        buffer.copy_from_host(np.ascontiguousarray(values).view(np.uint8))
    return DeviceArray(buffer, values.dtype)


def cut(values: Array, ranks: int) -> list[Array]:
    """In parts of different lengths, of which the second one has none if there are three."""
    places = [2 * values.size // 5] * (ranks - 1)
    return np.split(values, places)


def spread(communicator: Communicator, values: Array) -> list[DeviceArray]:
    parts = cut(values, communicator.size)
    return [on_device(communicator.device(rank), part) for rank, part in enumerate(parts)]


def empty(communicator: Communicator, counts: Sequence[int], dtype: Any) -> list[DeviceArray]:
    return [on_device(communicator.device(rank), np.zeros(count, dtype)) for rank, count in enumerate(counts)]


def gather(arrays: Sequence[DeviceArray]) -> Array:
    return np.concatenate([array.to_numpy() for array in arrays])


@pytest.fixture(params=[2, 3])
def communicator(request: pytest.FixtureRequest) -> Communicator:
    """The last device first: ranks are not ordinals."""
    if len(Device.get_all_devices()) < request.param:
        assert not Device(0).is_simulator, "CUPRUM_SIM=devices=3 is missing"
        pytest.skip(f"this machine has fewer than {request.param} GPUs")
    return Communicator(reversed(range(request.param)))


@pytest.fixture
def numbers() -> Array:
    return np.random.default_rng(20261128).integers(-100, 100, COUNT, np.int32)


def test_a_communicator_is_of_all_devices_or_of_a_list(communicator: Communicator) -> None:
    size = communicator.size
    assert [communicator.device(rank).device_id for rank in range(size)] == list(reversed(range(size)))
    assert communicator.stream(0).device is communicator.device(0)
    assert repr(communicator) == f"<Communicator of the devices {', '.join(map(str, reversed(range(size))))}>"
    communicator.sync()
    with Communicator() as every:
        assert [every.device(rank) for rank in range(every.size)] == list(Device.get_all_devices())
    assert repr(every) == "<Communicator, closed>"


def test_reduce(communicator: Communicator, numbers: Array) -> None:
    inputs, sums = spread(communicator, numbers), empty(communicator, [1] * communicator.size, np.int64)
    reduce = distributed.Reduce(communicator, np.int32, accumulator=np.int64)
    reduce(inputs, sums)
    assert gather(sums).tolist() == [numbers.sum()] * communicator.size
    reduce(inputs, sums, 2**40)
    assert gather(sums).tolist() == [numbers.sum() + 2**40] * communicator.size
    extremes = empty(communicator, [1] * communicator.size, np.int32)
    distributed.Reduce(communicator, np.int32, OpKind.MAXIMUM)(inputs, extremes)
    assert set(gather(extremes)) == {numbers.max()}
    distributed.Reduce(communicator, np.int32, lambda a, b: a if a < b else b)(inputs, extremes)
    assert set(gather(extremes)) == {numbers.min()}


def test_scan(communicator: Communicator, numbers: Array) -> None:
    inputs = spread(communicator, numbers)
    outputs = empty(communicator, [array.size for array in inputs], np.int64)
    distributed.Scan(communicator, np.int32, accumulator=np.int64)(inputs, outputs)
    assert np.array_equal(gather(outputs), numbers.cumsum())
    exclusive = distributed.Scan(communicator, np.int32, kind=ScanKind.EXCLUSIVE)
    exclusive(inputs, inputs, 5)  # in place
    assert np.array_equal(gather(inputs), 5 + np.concatenate([[0], numbers.cumsum()[:-1]]))
    with pytest.raises(cuprum.InvalidArgument):
        exclusive(inputs, inputs)
    own = spread(communicator, numbers)
    product = distributed.Scan(communicator, np.int32, "a * b % 97", kind=ScanKind.INCLUSIVE_WITH_INIT)
    product(own, own, 3)
    expected, value = [], 3
    for number in numbers.tolist():
        value = int(np.fmod(value * number, 97))  # as C++ has it
        expected.append(value)
    assert gather(own).tolist() == expected


def test_radix_sort(communicator: Communicator, numbers: Array) -> None:
    keys, values = spread(communicator, numbers), spread(communicator, np.arange(COUNT, dtype=np.int64))
    counts = [0] * (communicator.size - 1) + [COUNT]
    sorted_keys, moved = empty(communicator, counts, np.int32), empty(communicator, counts, np.int64)
    pairs = distributed.RadixSort(communicator, np.int32, np.int64)
    pairs(keys, sorted_keys, values, moved)
    order = np.argsort(numbers, kind="stable")
    assert np.array_equal(gather(sorted_keys), numbers[order])
    assert np.array_equal(gather(moved), order)
    with pytest.raises(cuprum.InvalidArgument):
        pairs(keys, sorted_keys)
    sort = distributed.RadixSort(communicator, np.int32, order=SortOrder.DESCENDING)
    sort(keys, keys)
    assert np.array_equal(gather(keys), np.sort(numbers)[::-1])
    with pytest.raises(cuprum.InvalidArgument):
        sort(keys, sorted_keys, values, moved)


def test_structs_are_sorted_by_their_fields(communicator: Communicator, numbers: Array) -> None:
    dtype = np.dtype([("age", np.uint16), ("weight", np.float32)], align=True)
    people = np.zeros(COUNT, dtype)
    people["age"], people["weight"] = np.abs(numbers), numbers[::-1]
    keys = spread(communicator, people)
    distributed.RadixSort(communicator, dtype)(keys, keys)
    expected = np.sort(people, order=["age", "weight"])
    assert np.array_equal(gather(keys)["age"], expected["age"])
    assert np.array_equal(gather(keys)["weight"], expected["weight"])


def test_histogram_even(communicator: Communicator, numbers: Array) -> None:
    samples = spread(communicator, numbers)
    histograms = empty(communicator, [8] * communicator.size, np.uint32)
    distributed.HistogramEven(communicator, np.int32)(samples, histograms, 8, -64, 64)
    expected = np.histogram(numbers[numbers < 64], 8, (-64, 64))[0]
    for histogram in histograms:
        assert np.array_equal(histogram.to_numpy(), expected)
    with pytest.raises(cuprum.InvalidArgument):
        distributed.HistogramEven(communicator, np.int32)(samples, histograms, 9, -64, 64)
    with pytest.raises(ValueError, match="lower"):
        distributed.HistogramEven(communicator, np.int32)(samples, histograms, 8, 0.5, 64)


def test_reduce_by_key(communicator: Communicator, numbers: Array) -> None:
    values = np.arange(COUNT, dtype=np.float32)
    by_key = distributed.ReduceByKey(communicator, np.int32, np.float32, accumulator=np.float64)
    reduced = by_key(spread(communicator, numbers), spread(communicator, values))
    assert [each.keys._buffer.device_id for each in reduced] == list(reversed(range(communicator.size)))
    keys, inverse = np.unique(numbers, return_inverse=True)
    assert np.array_equal(gather([each.keys for each in reduced]), keys)
    assert np.array_equal(gather([each.values for each in reduced]), np.bincount(inverse, values))
    assert sum(each.size for each in reduced) == keys.size


class Foreign:
    """As other libraries' arrays are: with a stream that they work in."""

    def __init__(self, array: DeviceArray, stream: Any = None) -> None:
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "stream": stream}


class ForeignDlpack:
    def __init__(self, array: DeviceArray) -> None:
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


def test_shards_are_of_whatever_is_in_device_memory(communicator: Communicator, numbers: Array) -> None:
    reduce = distributed.Reduce(communicator, np.int32)
    arrays, sums = spread(communicator, numbers), empty(communicator, [1] * communicator.size, np.int32)
    buffers = [array._buffer for array in arrays]
    for given in (
        arrays,
        [Shard(array) for array in arrays],
        [Shard(buffer, np.int32) for buffer in buffers],
        [Foreign(array) for array in arrays],
        [ForeignDlpack(array) for array in arrays],
    ):
        reduce(given, sums)
        assert gather(sums).tolist() == [numbers.sum()] * communicator.size
    parts = [Shard(array, count=array.size // 2) for array in arrays]
    reduce(parts, sums)
    expected = sum(int(part[: part.size // 2].sum()) for part in cut(numbers, communicator.size))
    assert gather(sums)[0] == expected
    behind = [
        Shard(DeviceArray(buffer, np.int32, offset=4)) if buffer.size else Shard(None, np.int32) for buffer in buffers
    ]
    reduce(behind, sums)
    assert gather(sums)[0] == sum(int(part[1:].sum()) for part in cut(numbers, communicator.size))


def test_a_call_comes_after_the_work_of_other_libraries(communicator: Communicator) -> None:
    """In the streams that their arrays name, on the devices where these are."""
    reduce = distributed.Reduce(communicator, np.int32)
    sums = empty(communicator, [1] * communicator.size, np.int32)
    streams = [communicator.device(rank).create_stream() for rank in range(communicator.size)]
    memory = [stream.device.allocate(4 * COUNT) for stream in streams]
    gate = threading.Event()
    for stream, buffer in zip(streams, memory, strict=True):
        buffer.fill(0, stream=stream)
        stream.launch_host_function(gate.wait)
        buffer.fill((1).to_bytes(4, "little"), stream=stream)
    arrays = [
        Foreign(DeviceArray(buffer, np.int32), stream.handle) for stream, buffer in zip(streams, memory, strict=True)
    ]
    threading.Timer(0.2, gate.set).start()
    reduce(arrays, sums)
    assert gather(sums).tolist() == [COUNT * communicator.size] * communicator.size


def test_what_is_no_communicator_is_refused() -> None:
    with pytest.raises(cuprum.InvalidArgument, match="rank 0 and rank 1"):
        Communicator([0, Device(0)])
    with pytest.raises(cuprum.InvalidArgument, match="at least one"):
        Communicator([])
    with pytest.raises(TypeError, match="a rank is a Device or its ordinal, not str"):
        Communicator(["0"])  # type: ignore[list-item]
    with pytest.raises(cuprum.Error):
        Communicator([99])
    with pytest.raises(TypeError, match="must be a Communicator, not list"):
        distributed.Reduce([Device(0)], np.int32)  # type: ignore[arg-type]


def test_ranks_that_there_are_not_are_refused(communicator: Communicator) -> None:
    for ask in (communicator.device, communicator.stream):
        with pytest.raises(cuprum.InvalidArgument, match=f"expected 0 to {communicator.size - 1}"):
            ask(communicator.size)
        with pytest.raises((OverflowError, ValueError, TypeError)):
            ask(-1)


def test_what_is_no_shard_is_refused() -> None:
    buffer = Device(0).allocate(64)
    array = DeviceArray(buffer, np.int32)
    with pytest.raises(TypeError, match="a Buffer has no element type: give dtype"):
        Shard(buffer)
    with pytest.raises(TypeError, match="a rank without elements has no element type"):
        Shard(None)
    with pytest.raises(TypeError, match="dtype is float32"):
        Shard(array, np.float32)
    with pytest.raises(ValueError, match="expected 0 to 16"):
        Shard(array, count=17)
    with pytest.raises(ValueError, match="count is -1"):
        Shard(array, count=-1)
    with pytest.raises(TypeError, match="no type for the dtype"):
        Shard(buffer, "U4")
    with pytest.raises(TypeError, match="expected an array in device memory"):
        Shard(np.zeros(4, np.int32))
    assert repr(Shard(array)) == "<Shard of 16 int32>"
    assert len(Shard(array, count=3)) == 3


def test_shards_that_do_not_fit_are_refused(communicator: Communicator, numbers: Array) -> None:
    reduce = distributed.Reduce(communicator, np.int32)
    inputs, sums = spread(communicator, numbers), empty(communicator, [1] * communicator.size, np.int32)
    last = communicator.size - 1

    def refused(given: Any, results: Any, *words: str) -> None:
        with pytest.raises(cuprum.InvalidArgument) as error:
            reduce(given, results)
        for word in words:
            assert word in str(error.value)

    at_last = f"rank {last} (device 0)"
    refused(inputs[:-1], sums, "one for each rank", f"expected {communicator.size}")
    refused([*inputs, inputs[0]], sums, "one for each rank")
    refused([], sums, "0 shards are given")
    refused(inputs, [*sums[:-1], sums[0]], at_last, "output", f"memory of device {last}, expected of device 0")
    refused([*inputs[:-1], Shard(inputs[-1]._buffer, np.float32)], sums, at_last, "input", "float32")
    refused(inputs, [*sums[:-1], Shard(None, np.int32)], at_last, "it has no memory")
    with pytest.raises(TypeError, match="inputs is a list of shards, one for each rank, not Shard"):
        reduce(Shard(inputs[0]), sums)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="inputs is a list of shards"):
        reduce(3, sums)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="init is one value, not 2"):
        reduce(inputs, sums, [1, 2])
    reduce(inputs, sums)
    assert gather(sums)[0] == numbers.sum()


def test_closed_objects_are_refused(communicator: Communicator, numbers: Array) -> None:
    inputs, sums = spread(communicator, numbers), empty(communicator, [1] * communicator.size, np.int32)
    reduce = distributed.Reduce(communicator, np.int32)
    stream = communicator.stream(0)
    communicator.close()
    communicator.close()
    assert communicator.is_closed
    for use in (
        lambda: communicator.size,
        lambda: communicator.device(0),
        lambda: communicator.stream(0),
        lambda: communicator.sync(),
        lambda: distributed.Reduce(communicator, np.int32),
    ):
        with pytest.raises(cuprum.InvalidState, match="this Communicator is closed"):
            use()
    # What was made of it goes on.
    reduce(inputs, sums)
    assert gather(sums)[0] == numbers.sum()
    stream.sync()
    inputs[0]._buffer.close()
    with pytest.raises(cuprum.InvalidState, match="this Buffer is closed"):
        reduce(inputs, sums)
    reduce.close()
    with pytest.raises(cuprum.InvalidState, match="this Reduce is closed"):
        reduce(inputs, sums)


def test_what_cannot_be_built_is_refused(communicator: Communicator) -> None:
    with pytest.raises(TypeError, match="no type for the dtype"):
        distributed.RadixSort(communicator, "U4")
    with pytest.raises(cuprum.CompileError):
        distributed.Reduce(communicator, np.int32, "a +* b")
    with pytest.raises(ValueError, match="7"):
        distributed.Scan(communicator, np.int32, kind=7)  # type: ignore[arg-type]
    with pytest.raises(cuprum.InvalidArgument, match="520 bytes, and on a device at most 48"):
        distributed.RadixSort(communicator, np.dtype({"names": ["x"], "formats": ["i8"], "itemsize": 520}))


def test_calls_of_several_threads(communicator: Communicator, numbers: Array) -> None:
    reduce = distributed.Reduce(communicator, np.int32)
    found: list[int] = []

    def work() -> None:
        inputs, sums = spread(communicator, numbers), empty(communicator, [1] * communicator.size, np.int32)
        for _ in range(4):
            reduce(inputs, sums)
            found.append(int(gather(sums)[-1]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [int(numbers.sum())] * 16


def test_memory_is_kept_as_long_as_it_is_used(communicator: Communicator) -> None:
    """A shard keeps its array, and what was reduced is its owner's."""
    device = communicator.device(0)
    shard = Shard(DeviceArray(device.allocate(64), np.int32))
    assert isinstance(shard._array._buffer, Buffer)
    by_key = distributed.ReduceByKey(communicator, np.int32, np.int32)
    ones = spread(communicator, np.ones(COUNT, np.int32))
    reduced = by_key(ones, ones)
    by_key.close()
    communicator.close()
    assert gather([each.values for each in reduced]).tolist() == [COUNT]
