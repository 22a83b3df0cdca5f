"""numba-cuda: kernels written in Python, compiled through NVVM and linked with nvJitLink."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import cuda, float32, int32


@cuda.jit
def add_arrays(a: Any, b: Any, result: Any) -> None:
    index = cuda.grid(1)
    if index < a.size:
        result[index] = a[index] + b[index]


@cuda.jit
def saxpy(factor: Any, x: Any, y: Any) -> None:
    index = cuda.grid(1)
    if index < x.size:
        y[index] += factor * x[index]


@cuda.jit
def block_sums(values: Any, sums: Any) -> None:
    parts = cuda.shared.array(128, float32)
    index, thread = cuda.grid(1), cuda.threadIdx.x
    parts[thread] = values[index] if index < values.size else 0
    cuda.syncthreads()
    width = 64
    while width > 0:
        if thread < width:
            parts[thread] += parts[thread + width]
        cuda.syncthreads()
        width //= 2
    if thread == 0:
        sums[cuda.blockIdx.x] = parts[0]


@cuda.jit
def histogram(values: Any, bins: Any) -> None:
    index = cuda.grid(1)
    if index < values.size:
        cuda.atomic.add(bins, values[index] % bins.size, 1)


@cuda.jit
def matrix_multiply(a: Any, b: Any, c: Any) -> None:
    row, column = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, column]
        c[row, column] = total


@cuda.jit
def mirror_sums(values: Any, rounds: int) -> None:
    grid = cuda.cg.this_grid()
    index = cuda.grid(1)
    for _ in range(rounds):
        other = values[values.size - 1 - index]
        grid.sync()
        values[index] += other
        grid.sync()


@cuda.reduce
def largest(a: Any, b: Any) -> Any:
    return max(a, b)


@cuda.vectorize(["float32(float32, float32)"])
def scaled_difference(a: Any, b: Any) -> Any:
    return (a - b) * 2


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20261121)


def test_it_is_the_real_compiler_and_not_numbas_own_simulator() -> None:
    from numba.cuda import config

    assert not config.ENABLE_CUDASIM
    assert cuda.is_available()


def test_host_arrays_are_copied_there_and_back(random: np.random.Generator) -> None:
    a, b = random.random(10_000, dtype=np.float32), random.random(10_000, dtype=np.float32)
    result = np.zeros_like(a)
    add_arrays[(a.size + 255) // 256, 256](a, b, result)
    np.testing.assert_array_equal(result, a + b)


def test_saxpy_on_device_arrays_in_a_stream(random: np.random.Generator) -> None:
    x, y = random.random(1000, dtype=np.float32), random.random(1000, dtype=np.float32)
    stream = cuda.stream()
    x_device, y_device = cuda.to_device(x, stream=stream), cuda.to_device(y, stream=stream)
    saxpy[8, 128, stream](np.float32(2), x_device, y_device)
    np.testing.assert_allclose(y_device.copy_to_host(stream=stream), y + 2 * x, rtol=1e-6)


def test_a_reduction_through_shared_memory() -> None:
    values = np.arange(1000, dtype=np.float32)
    sums = np.zeros(8, dtype=np.float32)
    block_sums[8, 128](values, sums)
    np.testing.assert_array_equal(sums, [values[i : i + 128].sum() for i in range(0, 1000, 128)])


def test_cuda_reduce(random: np.random.Generator) -> None:
    values = random.integers(0, 1 << 30, 5000, dtype=np.int32)
    assert largest(values) == values.max()


def test_atomics(random: np.random.Generator) -> None:
    values = random.integers(0, 1000, 4096, dtype=np.int32)
    bins = np.zeros(10, dtype=np.int32)
    histogram[32, 128](values, bins)
    np.testing.assert_array_equal(bins, np.bincount(values % 10, minlength=10))


def test_matrix_multiplication(random: np.random.Generator) -> None:
    a, b = random.random((50, 60), dtype=np.float32), random.random((60, 40), dtype=np.float32)
    c = np.zeros((50, 40), dtype=np.float32)
    matrix_multiply[(4, 3), (16, 16)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)


def test_grid_wide_barriers() -> None:
    values = np.arange(64, dtype=np.int64)
    expected = values.copy()
    for _ in range(3):
        expected = expected + expected[::-1]
    mirror_sums[2, 32](values, 3)
    np.testing.assert_array_equal(values, expected)


def test_events_order_streams_and_tell_the_time() -> None:
    first, second = cuda.stream(), cuda.stream()
    begin, end = cuda.event(), cuda.event()
    x = cuda.to_device(np.ones(512, dtype=np.float32))
    y = cuda.to_device(np.zeros(512, dtype=np.float32))
    begin.record(first)
    for _ in range(5):
        saxpy[4, 128, first](np.float32(1), x, y)
    end.record(first)
    end.wait(second)
    saxpy[4, 128, second](np.float32(10), x, y)
    second.synchronize()
    assert begin.elapsed_time(end) >= 0
    assert (y.copy_to_host() == 15).all()


def test_pinned_and_mapped_memory() -> None:
    pinned = cuda.pinned_array(256, dtype=np.float32)
    pinned[:] = 3
    mapped = cuda.mapped_array(256, dtype=np.float32)
    mapped[:] = 1
    saxpy[2, 128](np.float32(2), cuda.to_device(pinned), mapped)
    cuda.synchronize()
    assert (mapped == 7).all()


def test_a_universal_function(random: np.random.Generator) -> None:
    a, b = random.random(1000, dtype=np.float32), random.random(1000, dtype=np.float32)
    np.testing.assert_allclose(scaled_difference(a, b), (a - b) * 2, rtol=1e-6)


def test_local_arrays_and_warp_shuffles() -> None:
    @cuda.jit
    def warp_sums(values: Any) -> None:
        own = cuda.local.array(4, int32)
        for k in range(4):
            own[k] = values[cuda.grid(1)] + k
        total = own[0] + own[1] + own[2] + own[3]
        for offset in (16, 8, 4, 2, 1):
            total += cuda.shfl_down_sync(0xFFFFFFFF, total, offset)
        if cuda.laneid == 0:
            values[cuda.grid(1)] = total

    values = np.arange(64, dtype=np.int32)
    expected = [int((4 * values[i : i + 32] + 6).sum()) for i in (0, 32)]
    warp_sums[1, 64](values)
    assert [values[0], values[32]] == expected
