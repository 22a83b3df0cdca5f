"""Random numbers: Philox's published answers, the distributions, and generators that can be repeated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import _random_generators, compiler, curandom, driver, gpuarray

# Random123's kat_vectors for philox4x32 with 10 rounds: counter, key, result.
KNOWN_ANSWERS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def words(text: str) -> np.ndarray[Any, Any]:
    return np.array([int(word, 16) for word in text.split()], np.uint32)


def test_philox_gives_the_published_answers() -> None:
    function = compiler.SourceModule(
        "#include <cuprum-philox.hpp>\n"
        'extern "C" __global__ void answer(uint4 *counter, uint2 key) { *counter = cuprum::philox(*counter, key); }',
        no_extern_c=True,
    ).get_function("answer")
    for counter, key, answer in KNOWN_ANSWERS:
        words_of = words(counter)
        function(driver.InOut(words_of), words(key), block=(1, 1, 1))
        assert np.array_equal(words_of, words(answer))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rand_is_between_0_and_1(dtype: str) -> None:
    np.random.seed(1)
    for shape in ((), (1,), (3, 5), (20001,)):
        result = curandom.rand(shape, np.dtype(dtype))
        assert result.dtype == dtype
        assert result.shape == shape
        numbers = result.get()
        assert (numbers >= 0).all()
        assert (numbers < 1).all()
    counts = np.histogram(numbers, 10, (0, 1))[0]
    assert abs(counts - 2000.1).max() < 5 * math.sqrt(2000)
    assert len(np.unique(numbers)) > 19900


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_rand_has_all_integers(dtype: type[Any]) -> None:
    np.random.seed(2)
    numbers = curandom.rand((10000,), dtype).get()
    for bit in range(32):
        assert abs(int((numbers >> dtype(bit) & dtype(1)).sum()) - 5000) < 300


def test_rand_is_repeated_by_numpys_seed() -> None:
    results = []
    for seed in (5, 5, 6):
        np.random.seed(seed)
        results.append((curandom.rand(100).get(), curandom.rand(100).get()))
    assert np.array_equal(results[0], results[1])
    assert not np.array_equal(results[0], results[2])
    assert not np.array_equal(*results[0])
    with pytest.raises(NotImplementedError, match="rand: int8"):
        curandom.rand(3, np.int8)


KINDS = [
    curandom.XORWOWRandomNumberGenerator,
    curandom.MRG32k3aRandomNumberGenerator,
    curandom.PhiloxRandomNumberGenerator,
]


def some_seeds(count: int) -> gpuarray.GPUArray:
    return gpuarray.to_gpu(np.arange(count, dtype=np.int32) % 1000)


@pytest.fixture(scope="module", params=["with cuRAND's headers", "without"])
def generators(request: pytest.FixtureRequest) -> Any:
    """One of each class, made with cuRAND's headers if there are any, or without."""
    known = _random_generators._curand_headers
    if request.param == "without":
        _random_generators._curand_headers = lambda: None  # type: ignore[assignment]
    elif known() is None:
        pytest.skip("the toolkit has no curand_kernel.h")
    try:
        kinds = KINDS if request.param != "without" else KINDS[2:]
        yield [kind(seed_getter=some_seeds) for kind in kinds]
    finally:
        _random_generators._curand_headers = known


def test_generators_have_their_distributions(generators: Any) -> None:
    count = 20000
    for generator in generators:
        assert generator.is_curand == (_random_generators._curand_headers() is not None)
        uniform = generator.gen_uniform((count,), np.float32).get()
        assert (uniform > 0).all()
        assert (uniform <= 1).all()
        assert abs(uniform.mean() - 0.5) < 0.02
        doubles = generator.gen_uniform((count - 1,), np.float64).get()
        assert abs(doubles.mean() - 0.5) < 0.02
        whole = generator.gen_uniform((count,), np.uint32).get()
        assert abs(whole.mean() / 2**32 - 0.5) < 0.02
        for dtype, size in ((np.float32, count), (np.float64, count - 1)):
            normal = generator.gen_normal((size,), dtype).get()
            assert abs(normal.mean()) < 0.05
            assert abs(normal.std() - 1) < 0.05
            logarithms = np.log(generator.gen_log_normal((size,), dtype, 0.5, 0.25).get())
            assert abs(logarithms.mean() - 0.5) < 0.02
            assert abs(logarithms.std() - 0.25) < 0.02
        for mean in (3.5, 50.0):
            poisson = generator.gen_poisson((count,), np.uint32, mean).get()
            assert abs(poisson.mean() - mean) < 0.05 * mean
            assert abs(poisson.var() - mean) < 0.1 * mean
        means = gpuarray.to_gpu(np.full(count, 12, np.float32))
        generator.fill_poisson(means)
        assert abs(means.get().mean() - 12) < 0.5


def test_generators_are_repeated_and_skip(generators: Any) -> None:
    for generator in generators[-1:]:
        again = type(generator)(seed_getter=some_seeds, offset=0)
        other = type(generator)(seed_getter=some_seeds, offset=3)
        threads = generator.block_count * generator.generators_per_block
        numbers = again.gen_uniform((4 * threads,), np.float32).get().reshape(4, threads)
        assert np.array_equal(other.gen_uniform((threads,), np.float32).get(), numbers[3])
        skipping = type(generator)(seed_getter=some_seeds)
        skipping.call_skip_ahead(2)
        assert np.array_equal(skipping.gen_uniform((threads,), np.float32).get(), numbers[2])
        steps = gpuarray.zeros(threads, np.uint64)
        skipping.call_skip_ahead_array(steps)
        assert np.array_equal(skipping.gen_uniform((threads,), np.float32).get(), numbers[3])
        moved = type(generator)(seed_getter=lambda count: gpuarray.zeros(count, np.int32))
        moved.call_skip_ahead_sequence(1)
        plain = type(generator)(seed_getter=lambda count: gpuarray.zeros(count, np.int32))
        plain.call_skip_ahead_sequence_array(steps)
        first, second = (each.gen_uniform((threads,), np.float32).get() for each in (moved, plain))
        assert np.array_equal(first[:-1], second[1:])


def test_seeds() -> None:
    uniform = curandom.seed_getter_uniform(10).get()
    assert uniform.dtype == np.int32
    assert len(set(uniform.tolist())) == 1
    assert len(set(curandom.seed_getter_unique(100).get().tolist())) > 90


def test_mistakes_with_generators(generators: Any) -> None:
    generator = generators[-1]
    with pytest.raises(TypeError, match="seed must be GPUArray of integers of right length"):
        type(generator)(seed_getter=lambda count: gpuarray.zeros(3, np.int32))
    with pytest.raises(NotImplementedError, match="fill_normal: there are no such numbers of the type int32"):
        generator.gen_normal((3,), np.int32)
    with pytest.raises(TypeError, match="fill_uniform fills a GPUArray"):
        generator.fill_uniform(np.zeros(3, np.float32))
    with pytest.raises(RuntimeError, match="only contiguous arrays"):
        generator.fill_uniform(gpuarray.zeros(8, np.float32)[::2])
    with pytest.raises(TypeError, match="one for each generator"):
        generator.call_skip_ahead_array(gpuarray.zeros(3, np.uint64))
