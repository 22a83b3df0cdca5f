"""cuprum.parallel.dask against NumPy, in this thread: partitions of every size, skewed keys, bad input."""

from __future__ import annotations

import inspect
import itertools
import math
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import dask
import dask.array as da
import device_chunks
import numpy as np
import pytest
from cuprum import Error, core
from cuprum import parallel as on_one
from cuprum.parallel import Operator, OpKind, SortOrder, TraceError, where
from cuprum.parallel import dask as parallel
from cuprum.parallel.dask import _splitters
from cuprum.parallel.dask._orders import Order, Run
from dask.utils import key_split

Values = np.ndarray[Any, Any]
COUNT = 1000
#: Uneven, empty, one, one element in each of many.
CHUNKS = [
    (300, 0, 500, 200),
    (COUNT,),
    (0, 0, COUNT),
    (1, COUNT - 1, 0),
    (COUNT // 10,) * 10,
    (0,) * 3 + (1,) * 40 + (960,),
]


@pytest.fixture(autouse=True)
def _in_this_thread() -> Iterator[None]:
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(params=CHUNKS, ids=lambda chunks: f"{len(chunks)}-of-{max(chunks)}")
def chunks(request: pytest.FixtureRequest) -> tuple[int, ...]:
    sizes: tuple[int, ...] = request.param
    assert sum(sizes) == COUNT
    return sizes


def lazy(values: Values, chunks: tuple[int, ...]) -> Any:
    return da.from_array(values, chunks=(chunks,))


def on_devices(values: Values, chunks: tuple[int, ...]) -> Any:
    """With chunks on the device."""
    return lazy(values, chunks).map_blocks(device_chunks.asarray, meta=device_chunks.asarray(values[:0]))


def random(dtype: Any = np.int32, seed: int = 1) -> Values:
    return np.random.default_rng(seed).integers(-50, 50, COUNT).astype(dtype)


def larger(a: Any, b: Any) -> Any:
    if a > b:
        return a
    return b


@pytest.mark.parametrize(
    ("dtype", "arguments", "expected"),
    [
        (np.int32, {}, lambda values: values.sum(dtype=np.int32)),
        (np.int32, {"op": larger, "init": -100}, np.max),
        (np.int32, {"op": "a + b", "init": 7, "dtype": np.int64}, lambda values: values.sum() + 7),
        (np.float32, {"op": OpKind.MINIMUM}, np.min),
        (np.float32, {"op": np.add, "init": np.float32(0.5)}, lambda values: values.sum() + np.float32(0.5)),
    ],
    ids=["sum", "function", "text", "minimum", "ufunc"],
)
def test_reductions(chunks: tuple[int, ...], dtype: Any, arguments: dict[str, Any], expected: Any) -> None:
    values = random(dtype)
    result = parallel.reduce(lazy(values, chunks), **arguments)
    wanted = np.asarray(expected(values))
    assert (result.shape, result.dtype) == ((), np.dtype(arguments.get("dtype", dtype)))
    computed = result.compute()
    assert computed.dtype == result.dtype
    assert computed == wanted


def test_of_nothing() -> None:
    nothing = lazy(np.empty(0, np.int32), (0, 0))
    assert parallel.reduce(nothing).compute() == 0
    assert parallel.reduce(nothing, 5, larger).compute() == 5
    for result in (
        parallel.scan(nothing),
        parallel.sort(nothing),
        parallel.transform(nothing, OpKind.NEGATE),
        *parallel.sort_by_key(nothing, nothing),
        *parallel.reduce_by_key(nothing, nothing, "plus"),
    ):
        assert result.compute().tolist() == []
        assert result.compute().dtype == result.dtype == np.int32
    counts = parallel.histogram_even(nothing, num_output_levels=3, lower_level=0, upper_level=2)
    assert counts.compute().tolist() == [0, 0]


@pytest.mark.parametrize("exclusive", [False, True])
def test_scans(chunks: tuple[int, ...], exclusive: bool) -> None:
    values = random()
    result = parallel.scan(lazy(values, chunks), 10, exclusive=exclusive, dtype=np.int64)
    assert (result.chunks, result.dtype) == ((chunks,), np.int64)
    sums = values.cumsum(dtype=np.int64) + 10
    assert result.compute().tolist() == (sums - values if exclusive else sums).tolist()
    if not exclusive:
        assert parallel.scan(lazy(values, chunks)).compute().tolist() == values.cumsum(dtype=np.int32).tolist()


LINE = np.dtype([("slope", np.int32), ("height", np.int32)], align=True)


def then(a: Any, b: Any) -> Any:
    """The line ``b`` after the line ``a``: associative, not commutative."""
    return a.slope * b.slope, a.height * b.slope + b.height


def test_a_scan_keeps_the_order_of_an_operator_that_is_not_commutative(chunks: tuple[int, ...]) -> None:
    lines = np.zeros(COUNT, LINE)
    lines["slope"] = np.random.default_rng(2).choice([-1, 1], COUNT)
    lines["height"] = random()
    expected = lines.copy().view(np.recarray)
    for i in range(1, COUNT):
        expected[i] = then(expected[i - 1], expected[i])
    assert parallel.scan(lazy(lines, chunks), op=then).compute().tolist() == expected.tolist()


def test_transformations(chunks: tuple[int, ...]) -> None:
    values, others = random(), random(seed=2)
    halves = parallel.transform(lazy(values, chunks), lambda a: a / 2)
    assert (halves.chunks, halves.dtype) == ((chunks,), np.float64)
    assert halves.compute().tolist() == (values / 2).tolist()
    second = da.from_array(others, chunks=333)
    sums = parallel.transform(lazy(values, chunks), lambda a, b: where(a > b, a, b), second=second)
    assert sums.compute().tolist() == np.maximum(values, others).tolist()


def test_operators_with_a_state_go_to_the_workers() -> None:
    scaled = Operator("a * scale", state=np.array((3,), [("scale", "i4")]))
    data = lazy(random(), (500, 500))
    first, second = (parallel.transform(data, op) for op in (scaled, scaled.with_state((4,))))
    assert first.name != second.name
    assert first.compute().tolist() == (random() * 3).tolist()
    assert second.compute().tolist() == (random() * 4).tolist()


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_histograms(chunks: tuple[int, ...], dtype: Any) -> None:
    samples = random(dtype)
    even = parallel.histogram_even(lazy(samples, chunks), num_output_levels=11, lower_level=-40, upper_level=40)
    assert (even.shape, even.dtype, even.npartitions) == ((10,), np.int64, 1)
    inside = samples[(samples >= -40) & (samples < 40)]
    assert even.compute().tolist() == np.histogram(inside, 10, (-40, 40))[0].tolist()
    levels = np.array([-50, -3, 0, 0, 49], dtype)
    ranges = parallel.histogram_range(lazy(samples, chunks), levels, dtype=np.uint32)
    assert ranges.dtype == np.uint32
    wanted = [int(((samples >= low) & (samples < high)).sum()) for low, high in itertools.pairwise(levels)]
    assert ranges.compute().tolist() == wanted


KEYS = {
    "random": random(),
    "all equal": np.full(COUNT, 7, np.int32),
    "sorted": np.arange(COUNT, dtype=np.int32),
    "reversed": np.arange(COUNT, dtype=np.int32)[::-1].copy(),
    "two": (random() > 0).astype(np.int32),
    "different": np.random.default_rng(3).permutation(COUNT).astype(np.int32),
}


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("order", SortOrder, ids=lambda order: str(order.name))
def test_sorts_are_stable_and_parts_have_the_sizes_that_are_wanted(
    chunks: tuple[int, ...], kind: str, order: SortOrder
) -> None:
    keys, values = KEYS[kind], np.arange(COUNT)
    expected = np.argsort(keys if order == SortOrder.ASCENDING else -keys, kind="stable")
    sorted_keys, moved = parallel.sort_by_key(lazy(keys, chunks), lazy(values, chunks), order=order)
    assert sorted_keys.chunks == moved.chunks == (chunks,)
    assert_parts(sorted_keys, keys[expected], chunks)
    assert_parts(moved, expected, chunks)
    evened = parallel.sort(lazy(keys, chunks), order=order, chunks=COUNT // 4)
    assert_parts(evened, keys[expected], (COUNT // 4,) * 4)
    assert_parts(parallel.sort(lazy(keys, chunks), order=order, chunks=-1), keys[expected], (COUNT,))


def assert_parts(array: Any, expected: Values, sizes: tuple[int, ...]) -> None:
    """Each chunk has the size and the elements that it should have."""
    begin = 0
    parts = dask.compute(*array.to_delayed())
    assert [len(part) for part in parts] == list(sizes)
    for part in parts:
        assert part.tolist() == expected[begin : begin + len(part)].tolist()
        begin += len(part)


@pytest.mark.parametrize("order", SortOrder, ids=lambda order: str(order.name))
def test_nans_and_zeros_are_where_a_sort_on_one_device_has_them(order: SortOrder) -> None:
    keys = random(np.float32)
    keys[::7], keys[3::11], keys[5::13], keys[6::13] = np.nan, -np.float32(np.nan), 0.0, -0.0
    sorted_keys = parallel.sort(lazy(keys, (300, 0, 500, 200)), order=order).compute()
    assert sorted_keys.view(np.uint32).tolist() == on_one.sort(keys, order=order).view(np.uint32).tolist()


def test_a_sort_by_a_comparison(chunks: tuple[int, ...]) -> None:
    keys = random()
    expected = keys[np.argsort(keys % 10, kind="stable")]
    assert parallel.sort(lazy(keys, chunks), op=lambda a, b: a % 10 < b % 10).compute().tolist() == expected.tolist()


def test_sizes_that_are_not_known() -> None:
    values = random()
    positive = lazy(values, (300, 0, 500, 200))
    positive = positive[positive > 0]
    kept = values[values > 0]
    assert parallel.reduce(positive).compute() == kept.sum()
    assert parallel.scan(positive).compute().tolist() == kept.cumsum().tolist()
    assert parallel.transform(positive, OpKind.PLUS, second=positive).compute().tolist() == (2 * kept).tolist()
    result = parallel.sort(positive, chunks=3)
    assert len(result.chunks[0]) == 3
    assert all(math.isnan(size) for size in result.chunks[0])
    assert result.compute().tolist() == np.sort(kept).tolist()
    sizes = [len(part) for part in dask.compute(*result.to_delayed())]
    assert max(sizes) - min(sizes) <= 1
    with pytest.raises(ValueError, match=r"expected how many chunks .* compute_chunk_sizes"):
        parallel.sort(positive, chunks=(10, 20))
    with pytest.raises(ValueError, match="values has 2 partitions, expected 4"):
        parallel.sort_by_key(positive, lazy(values, (500, 500)))
    computed = parallel.sort_by_key(positive, lazy(values, (300, 0, 500, 200)))[0]
    with pytest.raises(ValueError, match=r"a partition has \d+ keys and \d+ values; rechunk"):
        computed.compute()


@pytest.mark.parametrize("kind", KEYS)
def test_reductions_by_key(chunks: tuple[int, ...], kind: str) -> None:
    keys, values = KEYS[kind], random(np.int64, seed=5)
    found, sums = parallel.reduce_by_key(lazy(keys, chunks), lazy(values, chunks), OpKind.PLUS)
    assert (len(found.chunks[0]), len(sums.chunks[0])) == (len(chunks), len(chunks))
    found_keys, found_sums = dask.compute(found, sums)
    different, places = np.unique(keys, return_inverse=True)
    assert found_keys.tolist() == different.tolist()
    expected = np.zeros(len(different), np.int64)
    np.add.at(expected, places, values)
    assert found_sums.tolist() == expected.tolist()
    # No part has more than its share by much: a sixteenth, and the same key of every partition.
    share = sum(len(np.unique(part)) for part in np.split(keys, np.cumsum(chunks)[:-1])) / len(chunks)
    for part in dask.compute(*found.to_delayed()):
        assert len(part) <= share * 17 / 16 + 2 * len(chunks)


def test_values_of_a_key_are_combined_in_their_order() -> None:
    lines = np.zeros(COUNT, LINE)
    lines["slope"], lines["height"] = np.random.default_rng(2).choice([-1, 1], COUNT), random()
    keys = (np.arange(COUNT) % 3).astype(np.int32)
    chunks = (300, 0, 500, 200)
    found, combined = dask.compute(*parallel.reduce_by_key(lazy(keys, chunks), lazy(lines, chunks), then))
    assert found.tolist() == [0, 1, 2]
    for key in range(3):
        first, *others = lines[keys == key].view(np.recarray)
        for line in others:
            first.slope, first.height = then(first, line)
        assert combined[key].tolist() == first.tolist()


def test_chunks_on_the_device_stay_there(chunks: tuple[int, ...]) -> None:
    keys, values = random(), random(np.int64, seed=5)
    lazy_keys, lazy_values = on_devices(keys, chunks), on_devices(values, chunks)
    assert parallel.reduce(lazy_keys).compute() == keys.sum()
    by_key = parallel.reduce_by_key(lazy_keys, lazy_values, OpKind.PLUS)
    different, places = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(different), np.int64)
    np.add.at(sums, places, values)
    order = np.argsort(keys, kind="stable")
    sorted_keys, moved = parallel.sort_by_key(lazy_keys, lazy_values)
    for array, expected in [
        (parallel.scan(lazy_keys), keys.cumsum(dtype=np.int32)),
        (parallel.transform(lazy_keys, lambda a: a * 2), keys * 2),
        (sorted_keys, keys[order]),
        (moved, values[order]),
        (by_key[0], different),
        (by_key[1], sums),
    ]:
        assert isinstance(array._meta, device_chunks.Array)
        parts = dask.compute(*array.to_delayed())
        assert all(isinstance(part, device_chunks.Array) for part in parts)
        assert np.concatenate([part.get() for part in parts]).tolist() == expected.tolist()
    counts = parallel.histogram_even(lazy_keys, num_output_levels=3, lower_level=-50, upper_level=50)
    assert counts.compute().tolist() == [(keys < 0).sum(), (keys >= 0).sum()]


def test_what_is_current_stays_current() -> None:
    assert len(core.Device.get_all_devices()) >= 2, "run with CUPRUM_SIM=devices=2"
    core.Device(1).set_current()
    try:
        parallel.sort(lazy(random(), (500, 500))).compute()
        assert core.Device().device_id == 1
        with dask.config.set({"cuprum.device": 1}):
            assert parallel.reduce(lazy(random(), (500, 500))).compute() == random().sum()
    finally:
        core.Device(0).set_current()


@pytest.mark.parametrize("kind", KEYS)
def test_few_keys_are_sent_to_find_the_cuts(kind: str) -> None:
    """What docs/scale.md says: about the square root of the number of keys, whatever the keys are."""
    partitions, size = 8, COUNT
    order = Order(SortOrder.ASCENDING)
    parts = [np.sort(KEYS[kind]) for _ in range(partitions)]
    runs = [Run(part, None) for part in parts]
    step = _splitters.exact_step(size, partitions - 1)
    samples = [_splitters.take_samples(run, step) for run in runs]
    assert sum(len(each.keys) for each in samples) <= partitions * (size / step + 1)
    brackets = _splitters.bracket(samples, order=order, sizes=None, parts=partitions)
    assert (brackets.low.sum(axis=1) <= brackets.ranks).all()
    assert (brackets.high.sum(axis=1) >= brackets.ranks).all()
    assert ((brackets.high - brackets.low).sum(axis=1) <= 4 * partitions * step).all()


def test_layers_have_readable_names_that_depend_on_the_inputs_alone() -> None:
    data = lazy(random(), (500, 500))
    result = parallel.sort(data)
    steps = {key_split(key) for key in dict(result.__dask_graph__()) if str(key_split(key)).startswith("cuprum")}
    assert steps == {
        f"cuprum-sort-{step}"
        for step in ("partition", "samples", "bracket", "undecided", "cuts", "piece", "merge", "keys")
    }
    assert result.name == parallel.sort(data).name
    with dask.annotate(resources={"GPU": 1}):
        layers = parallel.sort(data).__dask_graph__().layers
    ours = [layer for name, layer in layers.items() if name.startswith("cuprum")]
    assert len(ours) == len(steps)
    assert all(layer.annotations == {"resources": {"GPU": 1}} for layer in ours)
    assert parallel.reduce(data, op=larger, init=0).name == parallel.reduce(data, op=larger, init=0).name
    calls: list[tuple[Any, dict[str, Any]]] = [
        (data, {}),
        (data + 1, {}),
        (data, {"order": SortOrder.DESCENDING}),
        (data, {"op": "a < b"}),
        (data, {"op": "b < a"}),
        (data, {"chunks": 100}),
    ]
    names = [parallel.sort(other, **arguments).name for other, arguments in calls]
    assert len(set(names)) == len(names)


def test_an_operator_that_cannot_be_translated_is_refused_where_it_is_given() -> None:
    data = lazy(random(), (500, 500))

    def prints(a: Any, b: Any) -> Any:
        print(a)
        return a + b

    line = prints.__code__.co_firstlineno + 1
    with pytest.raises(TraceError, match=rf"test_dask.py:{line}: 'print' has no meaning on the device") as caught:
        parallel.reduce(data, 0, prints)
    assert pathlib.Path(caught.traceback[0].path).name == "test_dask.py"
    on_device: Any = on_one.DeviceArray.from_numpy(random())
    with pytest.raises(TypeError, match="reads an array on the device, and other workers cannot"):
        parallel.transform(data, lambda a: on_device[a])


def test_an_operator_that_does_not_compile_is_an_error_of_the_task() -> None:
    result = parallel.transform(lazy(random(), (500, 500)), "a +* b")
    with pytest.raises(Error, match=r"a \+\* b"):
        result.compute()


def test_bad_input_is_refused_where_it_is_given() -> None:
    data = lazy(random(), (500, 500))
    square = da.zeros((4, 4), chunks=2)
    for call in (parallel.reduce, parallel.scan, parallel.sort):
        with pytest.raises(ValueError, match=r"data has 2 dimensions, expected 1; data.ravel\(\) has one"):
            call(square)
        with pytest.raises(TypeError, match="data is a ndarray, expected a Dask array"):
            call(random())
        with pytest.raises(TypeError, match="no type for the dtype datetime64"):
            call(da.from_array(np.zeros(4, "datetime64[s]"), chunks=2))
    with pytest.raises(ValueError, match="second has 2 dimensions"):
        parallel.transform(data, "a + b", second=square)
    with pytest.raises(ValueError, match="values has 999 elements, expected 1000"):
        parallel.sort_by_key(data, da.zeros(999, chunks=500))
    with pytest.raises(ValueError, match="values has 999 elements, expected 1000"):
        parallel.reduce_by_key(data, da.zeros(999, chunks=500), "plus")
    with pytest.raises(Error, match="complex"):
        parallel.sort(da.zeros(4, dtype=np.complex64, chunks=2))
    with pytest.raises(TypeError, match="the keys are structs"):
        parallel.reduce_by_key(da.from_array(np.zeros(4, LINE), chunks=2), da.zeros(4, chunks=2), "plus")
    with pytest.raises(TypeError, match="an initial value is needed"):
        parallel.reduce(data, op="a * b + 1")
    with pytest.raises(ValueError, match="at least 2"):
        parallel.histogram_even(data, num_output_levels=1, lower_level=0, upper_level=1)
    with pytest.raises(ValueError, match="lower_level is 2 and upper_level 1"):
        parallel.histogram_even(data, num_output_levels=3, lower_level=2, upper_level=1)
    with pytest.raises(ValueError, match="the levels do not ascend"):
        parallel.histogram_range(data, [3, 1])
    with pytest.raises(TypeError, match="expected an integer of 32 or 64 bits"):
        parallel.histogram_range(data, [1, 3], dtype=np.float32)
    with pytest.raises(ValueError, match="Chunks do not add up"):
        parallel.sort(data, chunks=((1, 2),))


def test_without_dask_the_error_says_what_to_install() -> None:
    program = "import sys\nsys.modules['dask'] = None\nimport cuprum.parallel\nimport cuprum.parallel.dask"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 1
    assert re.search(r"ImportError: cuprum.parallel.dask needs Dask .*pip install 'cuprum\[dask\]'", ended.stderr)


def test_every_public_name_says_what_it_is() -> None:
    assert all((inspect.getdoc(getattr(parallel, name)) or "").strip() for name in parallel.__all__)
