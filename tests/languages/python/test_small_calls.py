"""What calls keep for the next one, and that it is never out of date."""

from __future__ import annotations

import gc
import pathlib
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import cuprum.parallel as par
import numpy as np
import pytest
from conftest import RunPython
from cuprum import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import _algorithms, _kept_operators, _operators

FLOATS = np.arange(1000, dtype=np.float32)


class Array:
    """One of another library, as it is at the moment."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.memory = par.DeviceArray.from_numpy(values)
        self.dtype = values.dtype
        self.shape = values.shape
        self.stream: int | None = None
        self.is_read_only = False
        self.strides: tuple[int, ...] | None = None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.memory._buffer.handle, self.is_read_only),
            "strides": self.strides,
            "stream": self.stream,
            "version": 3,
        }


class Tensor(Array):
    """One of PyTorch's, by what is asked of these. Asking for the interface would take longer than a launch."""

    requires_grad, is_cuda, asked = False, True, 0

    def is_contiguous(self) -> bool:
        return self.strides is None

    def data_ptr(self) -> int:
        return self.memory._buffer.handle

    def numel(self) -> int:
        return int(np.prod(self.shape))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        type(self).asked += 1
        return super().__cuda_array_interface__


Tensor.__module__ = "torch"
KINDS: list[Callable[[np.ndarray[Any, Any]], Any]] = [Array, Tensor, par.DeviceArray.from_numpy]


@pytest.fixture
def python_calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many calls of reductions took the way over Python, in its only element."""
    count = [0]
    former = _algorithms.ReduceInto._call  # type: ignore[attr-defined]

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        return former(self, *args, **kwargs)

    monkeypatch.setattr(_algorithms.ReduceInto, "_call", counted)
    return count


def result_of(array: Any) -> float:
    Device(0).sync()
    memory = array.memory if isinstance(array, Array) else array
    return float(memory.to_numpy()[0])


def sum_of(d_in: Any, d_out: Any, **more: Any) -> par._algorithms.ReduceInto:
    return par.make_reduce_into(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS, h_init=0.0, **more)


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_like_one_before_does_not_enter_python(kind: Any, python_calls: list[int]) -> None:
    d_in, d_out = kind(FLOATS), kind(np.zeros(1, np.float32))
    with sum_of(d_in, d_out) as reduce:
        for turn in range(5):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, num_items=1000, h_init=float(turn))
            assert result_of(d_out) == 499500 + turn
        for _ in range(5):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, num_items=1000, h_init=0.0)
            assert result_of(d_out) == 499500
    assert python_calls[0] <= 6


def test_pytorch_tensors_are_asked_by_methods_in_c() -> None:
    d_in, d_out = Tensor(FLOATS), Tensor(np.zeros(1, np.float32))
    with sum_of(d_in, d_out) as reduce:
        reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)
        before = Tensor.asked
        for _ in range(3):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)
        assert Tensor.asked == before
    assert result_of(d_out) == 499500


@pytest.mark.parametrize("kind", [Array, Tensor])
def test_an_array_that_has_changed_is_read_as_it_is_now(kind: Any) -> None:
    d_in, d_out = kind(FLOATS), kind(np.zeros(1, np.float32))
    with sum_of(d_in, d_out) as reduce:

        def call() -> None:
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)

        for _ in range(2):
            call()
        d_in.memory = par.DeviceArray.from_numpy(FLOATS * 2)
        call()
        assert result_of(d_out) == 999000
        d_in.shape = (10,)
        call()
        assert result_of(d_out) == 90
        d_out.memory = par.DeviceArray.from_numpy(np.zeros(1, np.float32))
        call()
        assert result_of(d_out) == 90
        d_in.strides = (8,)
        with pytest.raises(ValueError, match="not contiguous"):
            call()
        d_in.strides = None
        d_in.dtype = np.dtype(np.int32)
        if kind is Array:
            with pytest.raises((TypeError, ValueError, InvalidArgument), match="int32"):
                call()


def test_a_read_only_output_is_refused_though_it_was_writable_before() -> None:
    d_in, d_out = Array(FLOATS), Array(np.zeros(1, np.float32))
    with sum_of(d_in, d_out) as reduce:
        for _ in range(2):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)
        d_out.is_read_only = True
        with pytest.raises(ValueError, match="read-only"):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)


def test_a_value_that_has_changed_is_taken_as_it_is_now() -> None:
    d_in, d_out = Array(FLOATS), Array(np.zeros(1, np.float32))
    first = np.zeros(1, np.float32)
    with sum_of(d_in, d_out) as reduce:
        for turn in range(4):
            first[0] = turn
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=first)
            assert result_of(d_out) == 499500 + turn
        for value in (0.0, -0.0, 1, True, np.float32(2)):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=value)
            assert result_of(d_out) == 499500 + float(value)


@pytest.mark.parametrize("in_stream", [True, False])
def test_another_librarys_stream_is_waited_for_each_time(in_stream: bool, python_calls: list[int]) -> None:
    producer, stream = Device(0).create_stream(), Device(0).create_stream() if in_stream else None
    d_in, d_out = Array(np.zeros(1000, np.uint32)), Array(np.zeros(1, np.uint32))
    d_in.stream = d_out.stream = producer.handle
    with par.make_reduce_into(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS, h_init=np.uint32(0)) as reduce:
        for turn in range(4):
            producer.launch_host_function(lambda: time.sleep(0.03))
            d_in.memory._buffer.fill(np.uint32(turn).tobytes(), stream=producer)
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=np.uint32(0), stream=stream)
            assert result_of(d_out) == 1000 * turn
    assert python_calls[0] == (1 if in_stream else 4)


def test_the_default_stream_needs_no_wait_for_itself(python_calls: list[int]) -> None:
    d_in, d_out = Array(FLOATS), Array(np.zeros(1, np.float32))
    d_in.stream = d_out.stream = 1
    with sum_of(d_in, d_out) as reduce:
        for _ in range(3):
            reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)
    assert python_calls[0] == 1
    assert result_of(d_out) == 499500


def test_what_is_closed_is_refused_though_it_was_used_before() -> None:
    d_in, d_out = Array(FLOATS), Array(np.zeros(1, np.float32))
    stream = Device(0).create_stream()
    reduce = sum_of(d_in, d_out)
    for _ in range(2):
        reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0, stream=stream)
    stream.sync()
    stream.close()
    with pytest.raises(Exception, match="closed"):
        reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0, stream=stream)
    reduce.close()
    reduce.close()
    with pytest.raises(Exception, match="closed"):
        reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=0.0)


def _repeated_calls() -> dict[str, Callable[[Any, Any], Callable[[], object]]]:
    """Calls with each kind of value that goes to the C ABI: bits of keys, numbers, values in host memory, ranges."""
    pool, number = par.POOL, par.DeviceArray.from_numpy(np.zeros(1, np.uint64))
    begins, ends = (par.DeviceArray.from_numpy(np.array(each, np.int64)) for each in ([0, 10, 10], [10, 10, 30]))
    levels = np.float32(0), np.float32(1000)

    def sort(a: Any, b: Any) -> Callable[[], object]:
        sort = par.make_radix_sort(d_in_keys=a, d_out_keys=b)
        return lambda: sort(temp_storage=pool, d_in_keys=a, d_out_keys=b, num_items=1000, begin_bit=16, end_bit=32)

    def top(a: Any, b: Any) -> Callable[[], object]:
        top = par.make_topk_max_keys(d_in_keys=a, d_out_keys=b)
        return lambda: top(temp_storage=pool, d_in_keys=a, d_out_keys=b, num_items=1000, k=7)

    def select(a: Any, b: Any) -> Callable[[], object]:
        select = par.make_select(d_in=a, d_out=b, d_num_selected_out=number, cond="a > 500")
        return lambda: select(temp_storage=pool, d_in=a, d_out=b, d_num_selected_out=number, num_items=1000)

    def transform(a: Any, b: Any) -> Callable[[], object]:
        sums = par.make_nary_transform(d_ins=[a, a, a], d_out=b, op="a + b + c")
        return lambda: sums(d_ins=[a, a, a], d_out=b, num_items=1000)

    def histogram(a: Any, b: Any) -> Callable[[], object]:
        made = par.make_histogram_even(
            d_samples=a, d_histogram=b, h_num_output_levels=5, h_lower_level=levels[0], h_upper_level=levels[1]
        )
        return lambda: made(
            temp_storage=pool,
            d_samples=a,
            d_histogram=b,
            h_num_output_levels=5,
            h_lower_level=levels[0],
            h_upper_level=levels[1],
            num_samples=1000,
        )

    def segments(a: Any, b: Any) -> Callable[[], object]:
        sums = par.make_segmented_reduce(
            d_in=a, d_out=b, start_offsets_in=begins, end_offsets_in=ends, op=par.OpKind.PLUS, h_init=0.0
        )
        return lambda: sums(
            temp_storage=pool,
            d_in=a,
            d_out=b,
            num_segments=3,
            start_offsets_in=begins,
            end_offsets_in=ends,
            h_init=0.0,
        )

    return {each.__name__: each for each in (sort, top, select, transform, histogram, segments)}


@pytest.mark.parametrize("name", ["sort", "top", "select", "transform", "histogram", "segments"])
def test_every_repetition_does_what_the_first_call_did(name: str) -> None:
    values = np.random.default_rng(7).permutation(FLOATS)
    d_out = par.DeviceArray.from_numpy(np.zeros(1000, np.uint32 if name == "histogram" else np.float32))
    call = _repeated_calls()[name](par.DeviceArray.from_numpy(values), d_out)
    results = []
    for _ in range(4):
        d_out._buffer.fill(0, stream=Device(0).default_stream)
        call()
        Device(0).sync()
        result = d_out.to_numpy()
        results.append(np.sort(result) if name == "top" else result)  # those come in any order
    assert results[0].any()
    for result in results[1:]:
        assert (result == results[0]).all()


def test_a_repetition_that_fails_says_so_and_the_next_one_works(run_python: RunPython) -> None:
    source = """
        import cuprum.parallel as par
        import numpy as np
        from cuprum import CUDAError
        from cuprum.core import Device

        Device(0).set_current()
        d_in, d_out = (par.DeviceArray.from_numpy(np.ones(100, np.float32)) for _ in range(2))
        reduce = par.make_reduce_into(d_in=d_in, d_out=d_out, op=par.OpKind.PLUS, h_init=0.0)
        said = []
        for turn in range(6):
            try:
                reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, num_items=100, h_init=0.0)
            except CUDAError as error:
                said.append((turn, str(error)))
        assert [turn for turn, _ in said] == [3], said
        assert "launching" in said[0][1], said
        assert float(d_out.to_numpy()[0]) == 100
    """
    run_python(source, environment={"CUPRUM_FAULT": "cuLaunchKernelEx:4=2"})


def test_python_threads_call_one_algorithm(python_calls: list[int]) -> None:
    d_in = par.DeviceArray.from_numpy(FLOATS)
    results = [par.DeviceArray.from_numpy(np.zeros(1, np.float32)) for _ in range(4)]
    failures: list[BaseException] = []

    def work(reduce: Any, d_out: Any) -> None:
        try:
            Device(0).set_current()
            with Device(0).create_stream() as stream:
                for turn in range(50):
                    reduce(temp_storage=par.POOL, d_in=d_in, d_out=d_out, h_init=float(turn), stream=stream)
                stream.sync()
        except BaseException as error:
            failures.append(error)

    with sum_of(d_in, results[0]) as reduce:
        threads = [threading.Thread(target=work, args=(reduce, each)) for each in results]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures
    assert [result_of(each) for each in results] == [499549.0] * 4


def test_the_fields_of_a_device_array_are_numbers_and_a_type() -> None:
    array = par.DeviceArray.from_numpy(FLOATS)
    ten: Any = np.int64(10)
    part = par.DeviceArray(array._buffer, np.float32, ten, offset=40)
    assert (part.size, type(part.size), part.dtype) == (10, int, np.dtype(np.float32))
    assert (part.to_numpy() == FLOATS[10:20]).all()
    unmade = par.DeviceArray.__new__(par.DeviceArray)
    with pytest.raises(AttributeError, match="dtype"):
        _ = unmade.dtype


def test_device_arrays_in_a_cycle_are_collected() -> None:
    class Kept(par.DeviceArray):
        pass

    array = Kept(par.DeviceArray.from_numpy(FLOATS)._buffer, np.float32)
    seen = weakref.ref(array)
    array.own = array  # type: ignore[attr-defined]
    del array
    gc.collect()
    assert seen() is None


def test_counts_of_32_bits_are_written_by_every_call() -> None:
    d_in, d_out = Array(FLOATS), Array(np.zeros(1000, np.float32))
    for dtype in (np.uint32, np.uint64):
        count = par.DeviceArray.from_numpy(np.zeros(1, dtype))
        with par.make_select(d_in=d_in, d_out=d_out, d_num_selected_out=count, cond="a >= 990") as select:
            for _ in range(3):
                count._buffer.copy_from_host(np.zeros(1, dtype).view(np.uint8))
                select(temp_storage=par.POOL, d_in=d_in, d_out=d_out, d_num_selected_out=count, num_items=1000)
                assert result_of(count) == 10


def test_calls_on_the_host_take_each_array_where_it_lies() -> None:
    ones, results = np.ones(4, np.int32), [np.zeros(1, np.int32) for _ in range(3)]
    with par.make_reduce_into(
        d_in=ones, d_out=results[0], op=par.OpKind.PLUS, h_init=np.int32(0), execution="host"
    ) as reduce:
        for result in results:
            reduce(temp_storage=par.POOL, d_in=np.ones(4, np.int32), d_out=result, h_init=np.int32(0))
    assert [int(each[0]) for each in results] == [4, 4, 4]


def test_a_call_over_host_data_makes_few_driver_calls(run_python: RunPython, tmp_path: pathlib.Path) -> None:
    trace = tmp_path / "trace.txt"
    source = """
        import numpy as np
        from cuprum.core import nvtx
        from cuprum.parallel import reduce

        data = np.arange(1000, dtype=np.float32)
        for _ in range(3):
            reduce(data)
        nvtx.mark("settled")
        assert reduce(data) == 499500
        nvtx.mark("done")
    """
    run_python(source, environment={"CUPRUM_TRACE": str(trace)})
    settled = trace.read_text().split("settled")[1].split("done")[0]
    calls = [line for line in settled.splitlines() if " cu" in line]
    assert sum("cuLaunchKernel" in line for line in calls) == 1
    assert len(calls) <= 14, settled


@pytest.fixture
def translations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    _kept_operators.forget()
    count = [0]
    former = _operators._of_function

    def counted(*args: Any) -> Any:
        count[0] += 1
        return former(*args)

    monkeypatch.setattr(_operators, "_of_function", counted)
    return count


SCALE = 2.0


def test_a_function_is_translated_once(translations: list[int]) -> None:
    for _ in range(3):
        assert par.reduce(FLOATS, 0.0, lambda a, b: a + b) == 499500
    assert translations[0] == 1
    for _ in range(3):
        assert par.reduce(FLOATS, 0.0, lambda a, b: par.where(a > b, a, b)) == 999
    assert 2 <= translations[0] <= 4


def test_a_function_is_translated_again_when_what_it_refers_to_has_changed() -> None:
    for value in (2.0, 3.0, 0.0, -0.0):
        globals()["SCALE"] = value
        scaled = par.transform(FLOATS, lambda a: a * SCALE)
        assert scaled[999] == 999 * SCALE
        assert np.signbit(scaled[1]) == np.signbit(SCALE)
    for factor in (2, 2.0, 5):
        assert par.transform(FLOATS, lambda a: a * factor, dtype=np.float64)[999] == 999 * factor  # noqa: B023
    numbers = [1.0]

    def first(a: Any) -> Any:
        return a * numbers[0]

    assert par.transform(FLOATS, first)[999] == 999
    numbers[0] = 4.0
    assert par.transform(FLOATS, first)[999] == 3996


def test_sorted_data_is_new_and_the_given_is_as_it_was() -> None:
    given = FLOATS[::-1].copy()
    values = np.arange(1000)
    keys, moved = par.sort_by_key(given, values)
    assert (keys == FLOATS).all()
    assert (moved == values[::-1]).all()
    assert (given[0], values[0]) == (999, 0)
    assert (par.sort(given.reshape(10, 100)) == FLOATS).all()
