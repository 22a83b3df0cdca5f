"""The parallel algorithms with execution="host", against NumPy. No driver and no compiler take part."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum import parallel
from cuprum._errors import Unsupported
from cuprum.core import Stream
from cuprum.parallel import POOL, DeviceArray, Execution, OpKind, SortOrder

Array = np.ndarray[Any, Any]

INTEGERS = [np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
FLOATS = [np.dtype(name) for name in ("f2", "f4", "f8")]
SIZES = [0, 1, 2, 100, 5000, 200003]

UFUNCS: dict[OpKind, np.ufunc] = {
    OpKind.PLUS: np.add,
    OpKind.MULTIPLIES: np.multiply,
    OpKind.MINIMUM: np.minimum,
    OpKind.MAXIMUM: np.maximum,
    OpKind.BIT_AND: np.bitwise_and,
    OpKind.BIT_OR: np.bitwise_or,
    OpKind.BIT_XOR: np.bitwise_xor,
}


def elements(dtype: np.dtype[Any], count: int, seed: int = 1) -> Array:
    """Of floats small integers, so that sums are exact in any order; of integers all bits."""
    random = np.random.default_rng(seed * 1000003 + count)
    if dtype.kind == "f":
        return random.integers(-3, 4, count).astype(dtype)
    return random.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
@pytest.mark.parametrize("op", UFUNCS, ids=lambda op: op.value)
def test_integers_are_reduced_and_scanned(dtype: np.dtype[Any], op: OpKind) -> None:
    for count in SIZES:
        data = elements(dtype, count)
        init = dtype.type(3)
        with np.errstate(over="ignore"):
            everything = UFUNCS[op].accumulate(np.concatenate([[init], data]), dtype=dtype)
        assert parallel.reduce(data, init, op, execution="host") == everything[-1]
        assert np.array_equal(parallel.scan(data, init, op, exclusive=True, execution="host"), everything[:-1])
        assert np.array_equal(parallel.scan(data, init, op, execution="host"), everything[1:])


@pytest.mark.parametrize("dtype", [*FLOATS, np.dtype("c8"), np.dtype("c16")], ids=str)
def test_floats_are_summed(dtype: np.dtype[Any]) -> None:
    for count in SIZES[:-1] if dtype == "f2" else SIZES:  # halves hold sums up to 2048
        data = elements(np.dtype("f8"), count).astype(dtype)
        if dtype.kind == "c":
            data += 1j * elements(np.dtype("f8"), count, 2)
        sums = np.cumsum(data.astype("c16" if dtype.kind == "c" else "f8")).astype(dtype)
        assert parallel.reduce(data, dtype.type(0), execution="host") == (sums[-1] if count else 0)
        assert np.array_equal(parallel.scan(data, execution=Execution.HOST), sums)


@pytest.mark.parametrize("dtype", [np.dtype("?"), *INTEGERS, *FLOATS], ids=str)
def test_sorts_are_stable_in_both_orders(dtype: np.dtype[Any]) -> None:
    for count in SIZES:
        keys = elements(np.dtype("u1"), count) % 2 == 0 if dtype == "?" else elements(dtype, count)
        order = np.argsort(keys, kind="stable")
        positions = np.arange(count, dtype=np.int32)
        sorted_keys, moved = parallel.sort_by_key(keys, positions, execution="host")
        assert np.array_equal(sorted_keys, keys[order])
        assert np.array_equal(moved, positions[order])
        assert np.array_equal(parallel.sort(keys, op=OpKind.LESS, execution="host"), keys[order])
        descending, moved = parallel.sort_by_key(keys, positions, order=SortOrder.DESCENDING, execution="host")
        assert np.array_equal(descending, keys[order][::-1])
        assert np.array_equal(keys[moved], descending)
        assert all(np.diff(moved)[np.diff(descending.astype("f8")) == 0] > 0)


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS], ids=str)
def test_positions_of_extremes(dtype: np.dtype[Any]) -> None:
    for count in SIZES[1:]:
        data = elements(dtype, count)
        assert parallel.argmin(data, execution="host") == np.argmin(data)
        assert parallel.argmax(data, execution="host") == np.argmax(data)
        if dtype.kind == "f":
            data[count // 2 :: 7] = np.nan
            assert parallel.argmin(data, execution="host") == np.argmin(data)
            assert parallel.argmax(data, execution="host") == np.argmax(data)


def test_elements_are_transformed() -> None:
    first, second = elements(np.dtype("i4"), 5000), elements(np.dtype("i4"), 5000, 2)
    both = parallel.transform(first, OpKind.BIT_XOR, second=second, execution="host")
    assert np.array_equal(both, first ^ second)
    less = parallel.transform(first, "a < b", second=second, dtype=np.bool_, execution="host")
    assert np.array_equal(less, first < second)
    wide = parallel.transform(first.astype("i2"), OpKind.NEGATE, dtype=np.int64, execution="host")
    assert np.array_equal(wide, -first.astype("i2").astype("i8"))


def test_functions_that_are_well_known_operators_are_taken() -> None:
    data = np.arange(1000, dtype=np.float64)
    assert parallel.reduce(data, 0.0, lambda a, b: a + b, execution="host") == data.sum()
    assert parallel.sort(data, op=lambda a, b: a > b, execution="host")[0] == 999


def test_the_names_of_cuda_compute_over_arrays() -> None:
    data = elements(np.dtype("i4"), 5000)
    output = np.empty(1, np.int64)
    parallel.reduce_into(d_in=data, d_out=output, op=OpKind.PLUS, h_init=np.int64(5), execution="host")
    assert output[0] == data.sum(dtype=np.int64) + 5

    negated = parallel.TransformIterator(data, OpKind.NEGATE, np.int64)
    total = parallel.make_reduce_into(d_in=negated, op=OpKind.PLUS, h_init=np.int64(0), execution="host")
    assert total.temp_storage_bytes(5000) == 0
    total(temp_storage=POOL, d_in=negated, d_out=output, num_items=100, h_init=0)
    assert output[0] == -data[:100].sum(dtype=np.int64)
    assert parallel.reduce(negated, np.int64(0), execution="host") == -data.sum(dtype=np.int64)

    sums = np.empty(10, np.int64)
    ones = parallel.ConstantIterator(1, np.int8)
    parallel.exclusive_scan(
        d_in=ones, d_out=sums, op=OpKind.PLUS, init_value=np.int64(7), num_items=10, execution="host"
    )
    assert np.array_equal(sums, np.arange(7, 17))

    keys = np.empty_like(data)
    parallel.radix_sort(d_in_keys=data, d_out_keys=keys, begin_bit=4, end_bit=12, execution="host")
    assert np.array_equal(keys, data[np.argsort((data >> 4) & 255, kind="stable")])
    parallel.merge_sort(d_in_keys=data, d_out_keys=keys, op=OpKind.GREATER, execution="host")
    assert np.array_equal(keys, np.sort(data)[::-1])

    parallel.binary_transform(d_in1=data, d_in2=keys, d_out=keys, op=OpKind.MINIMUM, execution="host")
    assert np.array_equal(keys, np.minimum(data, np.sort(data)[::-1]))
    parallel.unary_transform(
        d_in=parallel.CountingIterator(5, np.int32), d_out=keys, op=OpKind.BIT_NOT, num_items=5000, execution="host"
    )
    assert np.array_equal(keys, ~np.arange(5, 5005))

    begins = np.array([0, 10, 4000], np.int64)
    ends = np.array([10, 10, 5000], np.int64)
    segments = np.empty(3, np.int32)
    parallel.segmented_reduce(
        d_in=data,
        d_out=segments,
        start_offsets_in=begins,
        end_offsets_in=ends,
        op=OpKind.MAXIMUM,
        h_init=np.int32(-(2**31)),
        execution="host",
    )
    assert segments.tolist() == [data[:10].max(), -(2**31), data[4000:].max()]


def test_what_it_cannot_do_is_refused() -> None:
    data = np.ones(10, np.float32)
    with pytest.raises(Unsupported, match="well-known"):
        parallel.reduce(data, 0.0, lambda a, b: a * 2 + b, execution="host")
    with pytest.raises(Unsupported, match="in any order"):
        parallel.reduce(data, 0.0, OpKind.DIVIDES, execution="host")
    with pytest.raises(Unsupported, match="struct"):
        parallel.reduce(np.zeros(3, [("x", "f4")]), 0.0, execution="host")
    with pytest.raises(ValueError, match="'device' or 'host', not 'gpu'"):
        parallel.reduce(data, 0.0, execution="gpu")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="compute_capability is for building ahead of time"):
        parallel.make_reduce_into(d_in=data, op=OpKind.PLUS, h_init=0.0, compute_capability=90, execution="host")
    with pytest.raises(Unsupported, match="nothing is compiled"):
        parallel.make_reduce_into(d_in=data, op=OpKind.PLUS, h_init=0.0, execution="host").save()
    with pytest.raises(ValueError, match="the array is not contiguous"):
        parallel.reduce_into(d_in=data[::2], d_out=data, op=OpKind.PLUS, h_init=0.0, execution="host")
    with pytest.raises(TypeError, match="NumPy array"):
        parallel.reduce_into(d_in=[1, 2], d_out=data, op=OpKind.PLUS, h_init=0.0, execution="host")


def test_memory_and_streams_of_the_device_are_refused(stream: Stream) -> None:
    on_device = DeviceArray.from_numpy(np.ones(10, np.float32))
    on_host = np.ones(10, np.float32)
    pairs: list[dict[str, Any]] = [{"d_in": on_device, "d_out": on_host}, {"d_in": on_host, "d_out": on_device}]
    for arrays in pairs:
        with pytest.raises(TypeError, match="is in device memory"):
            parallel.reduce_into(**arrays, op=OpKind.PLUS, h_init=0.0, execution="host")
        with pytest.raises(TypeError, match="in device memory"):
            parallel.reduce_into(**arrays, op=OpKind.PLUS, h_init=0.0)
    with pytest.raises(TypeError, match="a stream is given"):
        parallel.reduce_into(d_in=on_host, d_out=on_host, op=OpKind.PLUS, h_init=0.0, stream=stream, execution="host")
    reads_device = parallel.TransformIterator(on_device, OpKind.NEGATE)
    with pytest.raises(TypeError, match="is one over device memory"):
        parallel.reduce(reads_device, 0.0, execution="host")


def test_python_goes_on_while_it_works() -> None:
    """The GIL is released: this thread counts while another one sorts."""
    data = elements(np.dtype("f8"), 3_000_000)
    done = threading.Event()
    counted = 0

    def work() -> None:
        parallel.sort(data, execution="host")
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 3


def test_a_forked_child_works_too() -> None:
    data = np.arange(1_000_000)[::-1]
    assert parallel.sort(data, execution="host")[0] == 0
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(20)
        os._exit(0 if parallel.sort(data, execution="host")[0] == 0 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_no_driver_is_needed(run_python: RunPython) -> None:
    result = run_python(
        """
        import numpy as np
        from cuprum.parallel import reduce, sort
        print(reduce(np.arange(10), 0, execution="host"), sort(np.array([3.0, 1.0, 2.0]), execution="host"))
        """,
        hide=("libcuda.so", "libnvrtc", "cuda.h"),
        environment={"CUPRUM_DRIVER": "gpu", "OMP_NUM_THREADS": "2"},
    )
    assert result.stdout == "45 [1. 2. 3.]\n"


def test_selection_runs_on_the_hosts_cores() -> None:
    data = np.array([3, 0, -1, 0, 5], np.int32)
    assert parallel.select(data, OpKind.IDENTITY, execution="host").tolist() == [3, -1, 5]
    selected, count = np.zeros(5, np.int32), np.zeros(1, np.uint64)
    build = parallel.make_select(d_in=data, cond=OpKind.LOGICAL_NOT, execution=parallel.Execution.HOST)
    build(temp_storage=parallel.POOL, d_in=data, d_out=selected, d_num_selected_out=count, cond=None)
    assert count[0] == 2
    parallel.select(
        d_in=data, d_out=selected, d_num_selected_out=count, cond=OpKind.IDENTITY, execution=parallel.Execution.HOST
    )
    assert selected[: int(count[0])].tolist() == [3, -1, 5]
    with pytest.raises(Unsupported, match="a > 1"):
        parallel.select(data, "a > 1", execution="host")


def test_an_execution_is_a_value() -> None:
    assert parallel.Execution.ahead_of_time("sm_90").architectures == ("sm_90",)
    assert parallel.Execution() == parallel.Execution.DEVICE != parallel.Execution.HOST
    with pytest.raises(ValueError, match="no architecture"):
        parallel.Execution.ahead_of_time()
