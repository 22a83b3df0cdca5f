"""Histograms of ranges, calls for each element and batches of copies, on the device and on the host's cores."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument, Unsupported
from cuprum.core import Device
from cuprum.parallel import CountingIterator, DeviceArray, StridedIterator, ZipIterator

Place = Literal["device", "host"]


def there(place: Place, value: Any) -> Any:
    return DeviceArray.from_numpy(value) if place == "device" else value


def here(value: Any) -> Any:
    Device(0).sync()
    return value.to_numpy() if isinstance(value, DeviceArray) else value


@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64])
def test_samples_of_every_type_are_counted_as_by_numpy(place: Place, dtype: Any) -> None:
    Device(0).set_current()
    random = np.random.default_rng(np.dtype(dtype).itemsize)
    for count in (0, 1, 5000):
        data = random.integers(0, 200, count).astype(dtype)
        for levels in ([0, 10, 11, 70, 71, 150], [50, 51], np.linspace(5, 190, 1200)):
            bounds = np.asarray(levels, np.float64)
            found = there(place, np.full(len(bounds) - 1, 9, np.int32))
            parallel.histogram_range(
                d_samples=there(place, data), d_levels=there(place, bounds), d_histogram=found, execution=place
            )
            inside = data[data.astype(np.float64) < bounds[-1]]
            expected, _ = np.histogram(inside.astype(np.float64), bounds)
            assert here(found).tolist() == expected.tolist()


@pytest.mark.parametrize("place", ["device", "host"])
def test_channels_are_read_in_steps(place: Place) -> None:
    Device(0).set_current()
    pixels = np.array([1, 200, 2, 100, 3, 200], np.uint8)
    found = there(place, np.zeros(3, np.int64))
    channel = StridedIterator(there(place, pixels), 2, start=1)
    parallel.histogram_range(
        d_samples=channel,
        d_levels=there(place, np.array([0, 3, 150, 256], np.int32)),
        d_histogram=found,
        num_samples=3,
        execution=place,
    )
    assert here(found).tolist() == [0, 1, 2]


def test_a_function_is_called_for_each_position() -> None:
    Device(0).set_current()
    squares: Any = DeviceArray.from_numpy(np.full(3000, -1, np.int32))

    def write_squares(i: int) -> int:
        if i % 2 == 0:
            squares[i] = i * i
        return 0

    parallel.for_each(d_in=CountingIterator(np.int32(0)), num_items=3000, op=write_squares)
    assert here(squares).tolist() == [i * i if i % 2 == 0 else -1 for i in range(3000)]
    with pytest.raises(Unsupported, match="for_each"):
        parallel.for_each(d_in=np.zeros(3, np.int32), op=parallel.OpKind.NEGATE, execution="host")


def test_a_function_is_called_for_each_position_of_an_array() -> None:
    Device(0).set_current()
    shape = (7, 5, 3)
    found: Any = DeviceArray.from_numpy(np.zeros(105, np.int64))

    def store(at):  # type: ignore[no-untyped-def]
        found[at["index"]] = at["i0"] * 10000 + at["i1"] * 100 + at["i2"]
        return True

    positions = parallel.CoordinatesIterator(shape)
    parallel.for_each(d_in=positions, op=store)
    first, second, third = np.indices(shape)
    assert here(found).tolist() == (first * 10000 + second * 100 + third).reshape(-1).tolist()
    assert (positions.size, parallel.CoordinatesIterator(9).dtype.names) == (105, ("index", "i0"))
    with pytest.raises(ValueError, match=r"shape is \(2, -1\)"):
        parallel.CoordinatesIterator((2, -1))
    with pytest.raises(InvalidArgument, match="0 extents"):
        parallel.CoordinatesIterator(())
    with pytest.raises(InvalidArgument, match=r"more than 2\^62 positions"):
        parallel.CoordinatesIterator((1 << 40, 1 << 40))


@pytest.mark.parametrize("place", ["device", "host"])
def test_pieces_of_all_sizes_are_copied(place: Place) -> None:
    Device(0).set_current()
    random = np.random.default_rng(5)
    sizes = np.concatenate([random.integers(0, 50, 500), [9000, 40000]]).astype(np.int64)
    ends = np.cumsum(sizes)
    data = random.integers(0, 256, int(ends[-1])).astype(np.uint8)
    source, target = there(place, data), there(place, np.zeros_like(data))
    if place == "device":
        begin, to = (each.__cuda_array_interface__["data"][0] for each in (source, target))
    else:
        begin, to = source.ctypes.data, target.ctypes.data
    # The pieces in reverse order.
    parallel.batched_memcpy(
        d_sources=there(place, (ends - sizes + begin).astype(np.uint64)),
        d_targets=there(place, (ends[-1] - ends + to).astype(np.uint64)),
        d_sizes=there(place, sizes),
        execution=place,
    )
    pieces = [data[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    assert here(target).tobytes() == np.concatenate(pieces[::-1]).tobytes()


def test_three_inputs_are_transformed_through_a_zip() -> None:
    Device(0).set_current()
    parts = [np.arange(1000, dtype=each) for each in (np.int32, np.float32, np.int64)]
    found = DeviceArray.empty(1000, np.float64)
    together = ZipIterator(*(DeviceArray.from_numpy(each) for each in parts))
    parallel.unary_transform(d_in=together, d_out=found, op=lambda a: a[0] * a[1] + a[2], num_items=1000)
    assert here(found).tolist() == [float(i * i + i) for i in range(1000)]


def test_what_does_not_fit_is_refused() -> None:
    data, counts = np.zeros(8, np.int32), np.zeros(3, np.int32)
    given: dict[str, Any] = {"d_samples": data, "d_histogram": counts, "execution": "host"}
    with pytest.raises(ValueError, match="d_levels has 4 elements"):
        parallel.histogram_range(**given, d_levels=np.arange(4, dtype=np.int32), num_bins=4)
    with pytest.raises(ValueError, match="d_histogram"):
        parallel.histogram_range(**given, d_levels=np.arange(5, dtype=np.int32))
    with pytest.raises(InvalidArgument, match="0 bins"):
        parallel.histogram_range(**given, d_levels=np.arange(1, dtype=np.int32))
    with pytest.raises(InvalidArgument, match="expected uint64"):
        parallel.batched_memcpy(d_sources=data, d_targets=data, d_sizes=data, execution="host")
