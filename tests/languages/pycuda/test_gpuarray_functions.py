"""The functions of ``gpuarray``: new arrays, choices, reductions, joined arrays, and elements that are picked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import driver, gpuarray

Array = np.ndarray[Any, Any]


def same(device: gpuarray.GPUArray, host: Any) -> bool:
    result = device.get()
    return result.shape == np.shape(host) and bool(np.array_equal(result, host))


def test_new_arrays() -> None:
    assert same(gpuarray.zeros((2, 3)), np.zeros((2, 3)))
    assert gpuarray.zeros(3).dtype == np.float64
    assert same(gpuarray.ones((3,), np.complex64), np.ones(3))
    assert gpuarray.ones((2, 3), np.float32, order="F").strides == (4, 8)
    assert gpuarray.empty(np.int64(3), np.int8).shape == (3,)
    assert gpuarray.empty(np.array([2, 3]), np.int8).shape == (2, 3)
    assert gpuarray.empty is gpuarray.GPUArray


def test_arrays_like_others() -> None:
    rows = gpuarray.to_gpu(np.zeros((2, 3), np.float32))
    columns = gpuarray.to_gpu(np.zeros((2, 3), np.float32, order="F"))
    assert gpuarray.empty_like(columns).strides == (4, 8)
    assert gpuarray.ones_like(columns, np.float64).strides == (8, 16)
    assert gpuarray.zeros_like(columns, order="C").strides == (12, 4)
    assert gpuarray.empty_like(rows, order="F").strides == (4, 8)
    assert gpuarray.empty_like(columns, order="A").strides == (4, 8)
    assert gpuarray.empty_like(rows[:, ::2]).strides == (8, 4)
    assert same(gpuarray.ones_like(rows, np.int32), np.ones((2, 3)))
    with pytest.raises(ValueError, match="Unsupported order"):
        gpuarray.empty_like(rows, order="Z")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((5,), {"dtype": np.int32}),
        ((2, 9), {"dtype": np.float32}),
        ((2, 9, 3), {"dtype": np.int64}),
        ((9, 2, -3), {"dtype": np.int32}),
        ((0, 1, 0.125), {"dtype": np.float64}),
        ((5, 5), {"dtype": np.int32}),
    ],
)
def test_arange(arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    assert same(gpuarray.arange(*arguments, **named), np.arange(*arguments, **named))


def test_arange_says_what_it_has_guessed() -> None:
    with pytest.warns(UserWarning, match="arange guessed the dtype int64"):
        assert same(gpuarray.arange(3), np.arange(3))
    assert same(gpuarray.arange(5, np.dtype(np.int16)), np.arange(5))
    assert same(gpuarray.arange(start=1, stop=4, dtype=np.int32, stream=driver.Stream()), [1, 2, 3])


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, "stop argument required"),
        ((1, 2, 3, 4), {}, "too many arguments"),
        ((1,), {"stop": 3}, "may not specify 'stop' by position and keyword"),
        ((1,), {"size": 3}, "unexpected keyword argument 'size'"),
        ((1, 2, 0), {"dtype": np.int32}, "step is 0"),
    ],
)
def test_arange_refuses(arguments: tuple[Any, ...], named: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gpuarray.arange(*arguments, **named)


@pytest.mark.parametrize("dtype", ["int32", "float16"])
def test_choices(dtype: str) -> None:
    random = np.random.default_rng(1)
    first, second = (random.integers(0, 9, (3, 5)).astype(dtype) for _ in range(2))
    criterion = random.integers(-1, 2, (3, 5)).astype(np.int32)
    devices = gpuarray.to_gpu(first), gpuarray.to_gpu(second)
    chosen = gpuarray.to_gpu(criterion)
    assert same(gpuarray.if_positive(chosen, *devices), np.where(criterion > 0, first, second))
    assert same(gpuarray.where(chosen, *devices), np.where(criterion, first, second))
    assert same(gpuarray.minimum(*devices), np.minimum(first, second))
    assert same(gpuarray.maximum(*devices), np.maximum(first, second))
    assert same(gpuarray.maximum(devices[0], 4), np.maximum(first, 4))
    assert same(gpuarray.minimum(3, devices[0]), np.minimum(3, first))
    out = gpuarray.empty_like(devices[0])
    assert gpuarray.where(chosen, *devices, out=out) is out
    assert gpuarray.minimum(*devices, out=out) is out
    columns = gpuarray.to_gpu(np.asfortranarray(criterion))
    assert same(gpuarray.where(columns, *devices), np.where(criterion, first, second))


def test_a_number_comes_before_a_nan() -> None:
    device = gpuarray.to_gpu(np.array([1, np.nan, -2], np.float32))
    assert same(gpuarray.maximum(device, 0), [1, 0, 0])
    assert float(gpuarray.max(device).get()) == 1
    assert float(gpuarray.min(device).get()) == -2


def test_logical_operations() -> None:
    first, second = np.array([0, 1, 2, 0], np.int32), np.array([0.5, 0, 3, 0], np.float32)
    devices = gpuarray.to_gpu(first), gpuarray.to_gpu(second)
    for name in ("logical_and", "logical_or"):
        function, expected = getattr(gpuarray, name), getattr(np, name)
        assert same(function(*devices), expected(first, second))
        assert function(*devices).dtype == np.bool_
        assert same(function(devices[0], 0.5), expected(first, 0.5))
        assert same(function(0, devices[1]), expected(0, second))
        assert same(function(1, 0), expected(1, 0))
    assert same(gpuarray.logical_not(devices[1]), np.logical_not(second))
    assert same(gpuarray.logical_not(0), True)
    out = gpuarray.empty(4, np.bool_)
    assert gpuarray.logical_and(*devices, out=out) is out


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64", "float16", "float64"])
def test_smallest_and_largest(dtype: str) -> None:
    random = np.random.default_rng(2)
    host = random.integers(0 if dtype[0] in "bu" else -50, 50, 3000).astype(dtype)
    subset = random.integers(0, host.size, 77).astype(np.int32)
    device, chosen = gpuarray.to_gpu(host), gpuarray.to_gpu(subset)
    assert same(gpuarray.min(device), host.min())
    assert same(gpuarray.max(device), host.max())
    if dtype == "int64":
        assert same(gpuarray.subset_min(chosen, device), host[subset].min())
        assert same(gpuarray.subset_max(chosen, device), host[subset].max())
    assert gpuarray.max(device).dtype == host.dtype


@pytest.mark.parametrize("count", [1, 2, 255, 2048, 2049, 100003])
def test_sums(count: int) -> None:
    random = np.random.default_rng(count)
    host = random.integers(-9, 9, count).astype(np.int32)
    other = random.integers(-9, 9, count).astype(np.int32)
    subset = random.integers(0, count, 50).astype(np.uint32)
    device, second, chosen = gpuarray.to_gpu(host), gpuarray.to_gpu(other), gpuarray.to_gpu(subset)
    assert same(gpuarray.sum(device), host.sum())
    assert gpuarray.sum(device).dtype == np.int32
    assert same(gpuarray.sum(device, dtype=np.float64), host.sum())
    assert same(gpuarray.dot(device, second), np.dot(host, other))
    assert same(gpuarray.subset_sum(chosen, device), host[subset].sum())
    assert same(gpuarray.subset_dot(chosen, device, second), np.dot(host[subset], other[subset]))


def test_sums_of_other_types() -> None:
    host = np.array([1 + 2j, -0.5j, 3], np.complex64)
    real = np.array([2, 3, 4], np.float32)
    device = gpuarray.to_gpu(host)
    assert same(gpuarray.dot(device, device), np.dot(host, host))
    assert same(gpuarray.vdot(device, device), np.vdot(host, host))
    assert same(gpuarray.dot(device, gpuarray.to_gpu(real)), np.dot(host, real))
    assert same(gpuarray.vdot(gpuarray.to_gpu(real), gpuarray.to_gpu(real)), np.dot(real, real))
    # As in PyCUDA: what is calculated in has the elements' type.
    assert same(gpuarray.sum(gpuarray.to_gpu(np.full(200, 2, np.uint8))), 400 % 256)
    halves = gpuarray.to_gpu(np.full(100, 0.5, np.float16))
    assert same(gpuarray.sum(halves), 50)
    assert same(gpuarray.sum(halves, dtype=np.float32), 50)
    out = gpuarray.sum(device, allocator=driver.mem_alloc, stream=driver.Stream())
    driver.Context.synchronize()
    assert same(out, host.sum())


def test_any_and_all() -> None:
    for host in ([0, 0, 0], [0, 1, 0], [1, 2, 0.5], [1]):
        device = gpuarray.to_gpu(np.array(host, np.float32))
        for result, expected in ((device.any(), np.any(host)), (device.all(), np.all(host))):
            assert result.dtype == np.bool_
            assert same(result, expected)
    assert same(gpuarray.any(gpuarray.to_gpu(np.array([0, 0.25]))), True)


def test_concatenate_and_stack() -> None:
    random = np.random.default_rng(3)
    hosts = [random.integers(0, 99, shape).astype(np.int32) for shape in ((2, 3), (4, 3), (1, 3))]
    devices = [gpuarray.to_gpu(host) for host in hosts]
    assert same(gpuarray.concatenate(devices), np.concatenate(hosts))
    assert same(
        gpuarray.concatenate([device.T for device in devices], axis=-1), np.concatenate([h.T for h in hosts], -1)
    )
    for axis in (0, 1, 2, -1):
        assert same(gpuarray.stack([devices[0], devices[0] + 1], axis=axis), np.stack([hosts[0], hosts[0] + 1], axis))
    mixed = gpuarray.concatenate([devices[0], devices[0].astype(np.float64) / 2])
    assert mixed.dtype == np.float64
    assert same(mixed, np.concatenate([hosts[0], hosts[0] / 2]))


@pytest.mark.parametrize(
    "dtype", [np.dtype(np.int8), np.dtype(np.float64), np.dtype(np.complex64), gpuarray.vec.float3]
)
@pytest.mark.parametrize("index_type", ["int32", "uint64"])
def test_take_and_put(dtype: np.dtype[Any], index_type: str) -> None:
    host = (np.arange(20 * dtype.itemsize) % 97).astype(np.uint8).view(dtype)
    indices = np.array([7, 0, 19, 7, 3]).astype(index_type)
    device, chosen = gpuarray.to_gpu(host), gpuarray.to_gpu(indices)
    assert np.array_equal(gpuarray.take(device, chosen).get(), host[indices])
    out = [gpuarray.empty(5, dtype), gpuarray.empty(5, dtype)]
    assert gpuarray.multi_take([device, device], chosen, out)[1] is out[1]
    assert np.array_equal(out[1].get(), host[indices])
    places = np.array([4, 2, 0, 1, 3]).astype(index_type)
    placed = gpuarray.multi_put([gpuarray.take(device, chosen)], gpuarray.to_gpu(places), dest_shape=(5,))
    expected = np.empty(5, dtype)
    expected[places] = host[indices]
    assert np.array_equal(placed[0].get(), expected)
    moved = gpuarray.multi_take_put([device], gpuarray.to_gpu(places), chosen, (5,), src_offsets=[0])
    assert np.array_equal(moved[0].get(), expected)


def test_an_offset_is_added_to_the_indices() -> None:
    device = gpuarray.to_gpu(np.arange(10, dtype=np.float32))
    to, source = (gpuarray.to_gpu(np.array(each, np.int32)) for each in ([1, 0], [2, 3]))
    results = gpuarray.multi_take_put([device, device], to, source, dest_shape=(2,), src_offsets=[1, -2])
    assert [result.get().tolist() for result in results] == [[4, 3], [1, 0]]


def test_an_index_that_is_out_of_range_picks_0_and_places_nothing() -> None:
    device = gpuarray.to_gpu(np.arange(1, 5, dtype=np.float32))
    indices = gpuarray.to_gpu(np.array([3, 4, -1, 2**31 - 1, 0], np.int32))
    assert same(gpuarray.take(device, indices), [4, 0, 0, 0, 1])
    out = gpuarray.zeros(4, np.float32)
    gpuarray.multi_put([gpuarray.arange(1, 6, dtype=np.float32)], indices, out=[out])
    assert same(out, [5, 0, 0, 1])


def test_vector_types() -> None:
    vec = gpuarray.vec
    assert vec.float4 == np.dtype([(each, np.float32) for each in "xyzw"])
    assert vec.uchar3.itemsize == 3
    assert vec.double2.itemsize == 16
    made = vec.make_int2(3, -4)
    assert (made["x"], made["y"], made.shape) == (3, -4, ())
    with pytest.raises(TypeError, match="make_float3 takes 3 numbers, not 2"):
        vec.make_float3(1, 2)
    filled = gpuarray.empty(3, vec.float3).fill(vec.make_float3(1, 2, 3))
    assert filled.get().tolist() == [(1, 2, 3)] * 3
