"""The parallel algorithms from Python, against NumPy."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import RunPython
from cuprum import parallel
from cuprum._errors import CompileError, InvalidArgument, Unsupported
from cuprum.core import Device, Stream
from cuprum.parallel import POOL, DeviceArray, Operator, OpKind, SortOrder, TraceError
from test_programs import PROGRAMS, with_our_imports

POINT = np.dtype([("x", np.float32), ("weight", np.int64)], align=True)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


def points(random: np.random.Generator, count: int) -> np.ndarray[Any, Any]:
    result = np.zeros(count, POINT)
    result["x"] = random.integers(0, 100, count)
    result["weight"] = random.integers(-1000, 1000, count)
    return result


def test_the_shortest_program_runs(run_python: RunPython) -> None:
    result = run_python(with_our_imports(PROGRAMS / "cuda_python_parallel.py"))
    assert result.stdout.startswith("parallel sum: ")


def test_reduce_takes_the_type_of_the_elements_or_of_the_initial_value() -> None:
    data = np.arange(1000, dtype=np.int32)
    total = parallel.reduce(data, 0)
    assert (total, total.dtype) == (499500, np.int32)
    half = parallel.reduce(data, 0.5, lambda a, b: a + b)
    assert (half, half.dtype) == (499500.5, np.float64)
    wide = parallel.reduce(data, np.int64(2**40), OpKind.PLUS)
    assert (wide, wide.dtype) == (2**40 + 499500, np.int64)
    assert parallel.reduce(data[:0], 7) == 7


def test_reduce_over_structs(random: np.random.Generator) -> None:
    data = points(random, 20011)
    op = lambda a, b: (parallel.maximum(a.x, b.x), a["weight"] + b.weight)  # noqa: E731
    result = parallel.reduce(data, (-1, 5), op)
    assert result["x"] == data["x"].max()
    assert result["weight"] == data["weight"].sum() + 5


def test_scans(random: np.random.Generator) -> None:
    data = random.integers(0, 50, (40, 50)).astype(np.int16)
    sums = parallel.scan(data, dtype=np.int64)
    assert sums.shape == data.shape
    assert np.array_equal(sums.reshape(-1), data.reshape(-1).cumsum())
    exclusive = parallel.scan(data, np.int16(3), lambda a, b: parallel.maximum(a, b), exclusive=True)
    expected = np.maximum.accumulate(np.concatenate([[np.int16(3)], data.reshape(-1)[:-1]]))
    assert np.array_equal(exclusive.reshape(-1), expected)


def test_sorts(random: np.random.Generator) -> None:
    data = random.standard_normal(20011).astype(np.float32)
    assert np.array_equal(parallel.sort(data), np.sort(data))
    assert np.array_equal(parallel.sort(data, order=SortOrder.DESCENDING), np.sort(data)[::-1])
    by_size = parallel.sort(data, op=lambda a, b: abs(a) < abs(b))
    assert np.array_equal(by_size, data[np.argsort(np.abs(data), kind="stable")])
    keys, values = parallel.sort_by_key(data, np.arange(data.size))
    assert np.array_equal(values, np.argsort(data, kind="stable"))
    assert np.array_equal(keys, data[values])


class Foreign:
    """An array of another library: with nothing but the protocol."""

    def __init__(self, array: DeviceArray) -> None:
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


class Exported:
    """The same with DLPack."""

    def __init__(self, array: DeviceArray) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)


@pytest.mark.parametrize("library", [lambda array: array, Foreign, Exported], ids=["own", "interface", "dlpack"])
def test_one_call_over_arrays_on_the_device(library: Any, random: np.random.Generator) -> None:
    """Read where they are, and results stay there."""
    data = random.integers(-50, 50, 3000).astype(np.int32)
    on_device = library(DeviceArray.from_numpy(data))
    assert parallel.reduce(on_device) == data.sum()
    results = {
        "scan": (parallel.scan(on_device), data.cumsum(dtype=np.int32)),
        "wide": (parallel.scan(on_device, exclusive=True, dtype=np.int64), data.cumsum() - data),
        "transform": (parallel.transform(on_device, lambda a: a * 0.5), data * 0.5),
        "pairs": (parallel.transform(on_device, "a - b", second=on_device), data - data),
        "sort": (parallel.sort(on_device), np.sort(data)),
        "descending": (parallel.sort(on_device, order=SortOrder.DESCENDING), np.sort(data)[::-1]),
        "merge": (parallel.sort(on_device, op=lambda a, b: b < a), np.sort(data)[::-1]),
        "select": (parallel.select(on_device, lambda a: a > 10), data[data > 10]),
    }
    for name, (result, expected) in results.items():
        assert isinstance(result, DeviceArray), name
        assert result.dtype == expected.dtype, name
        assert np.array_equal(result.to_numpy(), expected), name
    keys, values = parallel.sort_by_key(on_device, DeviceArray.from_numpy(np.arange(3000)))
    assert np.array_equal(keys.to_numpy(), np.sort(data))
    assert np.array_equal(values.to_numpy(), np.argsort(data, kind="stable"))
    assert parallel.argmin(on_device) == data.argmin()
    assert parallel.argmax(on_device) == data.argmax()


def test_one_call_over_iterators_and_over_nothing() -> None:
    squares = parallel.TransformIterator(DeviceArray.from_numpy(np.arange(10)), lambda a: a * a)
    assert parallel.scan(squares).to_numpy()[-1] == 285
    assert parallel.argmax(squares) == 9
    for call in (parallel.scan, parallel.reduce, parallel.argmin):
        with pytest.raises(TypeError, match="no end"):
            call(parallel.CountingIterator(np.int64(1)))
    empty = DeviceArray.empty(0, np.float32)
    assert parallel.sort(empty).size == parallel.scan(empty).size == parallel.select(empty, "a > 0").size == 0
    assert parallel.reduce(empty) == 0
    with pytest.raises(TypeError, match="this DeviceArray is for the device: leave out execution='host'"):
        parallel.sort(empty, execution="host")
    with pytest.raises(TypeError, match="expected an array in device memory"):
        parallel.transform(empty, "a + b", second=np.ones(3))


@pytest.mark.parametrize("dtype", ["i2", "u8", "f4", "?"])
def test_without_an_initial_value_it_is_the_operators_identity(dtype: str, random: np.random.Generator) -> None:
    data = random.integers(0, 5, 100).astype(dtype)
    named: dict[OpKind, Any] = {OpKind.PLUS: np.add, OpKind.MINIMUM: np.minimum, OpKind.MAXIMUM: np.maximum}
    if np.dtype(dtype).kind in "iu":
        named |= {OpKind.MULTIPLIES: np.multiply, OpKind.BIT_AND: np.bitwise_and, OpKind.BIT_XOR: np.bitwise_xor}
    if dtype == "?":
        named = {OpKind.LOGICAL_AND: np.logical_and, OpKind.LOGICAL_OR: np.logical_or}
    for kind, ufunc in named.items():
        expected = ufunc.reduce(data, dtype=data.dtype)
        assert parallel.reduce(data, op=kind, execution="host") == expected
        assert parallel.reduce(data, op=kind.value, execution="host") == expected
        exclusive = parallel.scan(data, op=kind, exclusive=True, execution="host")
        assert np.array_equal(exclusive[1:], ufunc.accumulate(data, dtype=data.dtype)[:-1])


def test_the_identity_is_the_initial_value_on_the_device_too() -> None:
    data = np.array([3, -1, 2], np.float32)
    assert parallel.reduce(data, op=OpKind.MAXIMUM) == 3
    assert parallel.reduce(data[:0], op=OpKind.MAXIMUM) == -np.inf
    assert parallel.scan(data, exclusive=True).tolist() == [0, 3, 2]


def test_an_identity_is_found_whatever_way_the_operator_is_given() -> None:
    data = np.array([3, -1, 2], np.int16)
    for op in (np.add, "a + b", "b+a", "plus", Operator("a + b"), lambda a, b: a + b, lambda a, b: b + a):
        total = parallel.reduce(data, op=op)
        assert (total, total.dtype) == (4, np.int16)
    assert parallel.reduce(data, op=lambda a, b: parallel.maximum(a, b)) == 3
    assert parallel.reduce(data, dtype=np.int64).dtype == np.int64
    without: list[Any] = [lambda a, b: a + 2 * b, "a - b", OpKind.MINUS, np.hypot]
    for other in without:
        with pytest.raises(TypeError, match="no identity"):
            parallel.reduce(data, op=other)
    with pytest.raises(TypeError, match="no identity"):
        parallel.reduce(np.zeros(3, POINT), op=OpKind.PLUS)


def test_positions_of_extremes(random: np.random.Generator) -> None:
    data = random.integers(-500, 500, 20011)
    assert parallel.argmin(data) == data.argmin()
    assert parallel.argmax(data) == data.argmax()
    floats = data.astype(np.float64)
    floats[[5000, 700]] = np.nan
    assert parallel.argmax(floats) == np.argmax(floats) == 700
    with pytest.raises(ValueError, match="no elements"):
        parallel.argmin([])


# One function of two operands and what NumPy makes of it; all of them are one compile each, so that each covers much.
@pytest.mark.parametrize(
    ("dtypes", "function"),
    [
        pytest.param(
            ("i4", "i4"),
            lambda a, b: (a // b) * 1000 + a % b + (a / b > 1) + (~a & 7) + (a << 2) - abs(b) + 3 * (a == b),
            id="integers",
        ),
        pytest.param(("i1", "i1"), lambda a, b: (a + b) * a - (a // 3) ** 2, id="small integers wrap"),
        pytest.param(
            ("f4", "f4"),
            lambda a, b: np.where((a > b) & (b != 0), a % 3.5, a // 0.75) + np.minimum(a, b) * 2 - 1 / (np.abs(b) + 1),
            id="float32",
        ),
        pytest.param(
            ("f8", "f4"),
            lambda a, b: np.sqrt(np.abs(a)) + np.exp(-(b * b)) * np.sin(a) - np.floor(b) + np.arctan2(a, b) + b**3,
            id="functions",
        ),
        pytest.param(("f2", "f2"), lambda a, b: a * b + np.sqrt(abs(a)), id="halves"),
        pytest.param(("c8", "f4"), lambda a, b: a * b - 2j * a + abs(a), id="complex"),
        pytest.param(("?", "?"), lambda a, b: (a & ~b) | (a ^ b), id="bools"),
    ],
)
def test_traced_functions_mean_what_numpy_means(
    dtypes: tuple[str, str], function: Any, random: np.random.Generator
) -> None:
    first, second = (random.integers(-100, 100, 500).astype(dtype) for dtype in dtypes)
    if np.dtype(dtypes[1]).kind == "i":
        second[second == 0] = 7
    with np.errstate(all="ignore"):
        expected = function(first, second)
    result = parallel.transform(first, function, second=second)
    assert result.dtype == expected.dtype
    tolerance = 1e-3 if dtypes[0] == "f2" else 1e-5
    np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_constants_of_the_function_keep_the_elements_type() -> None:
    data = np.arange(5, dtype=np.float32)
    scale = 0.1
    result = parallel.transform(data, lambda a: a * scale + np.float32(2))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, data * np.float32(0.1) + np.float32(2))


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        (lambda a, b: __import__("random").gauss(a, b), "'gauss' has no meaning on the device"),
        (lambda a, b: a + "x", "a str together with values"),
        (lambda a, b: a + np.ones(3), "ndarray"),
        (lambda a, b: a.x, "'x' was asked of a value that is a float32"),
        (lambda a: a, "is called with 2 values and takes 1"),
        (lambda a, b: None, "returns a NoneType"),
        (lambda a, b: (a, b), "returns 2 values"),
        (lambda a, b: np.linalg.norm(a), "numpy.norm|loops|Python number|no meaning"),
        (lambda a, b: a << 1, "numpy.left_shift for float32 and int"),
        (lambda a, b: a + 1j, "complex128|complex64"),
    ],
)
def test_what_cannot_be_an_operator_is_named(op: Any, reason: str) -> None:
    with pytest.raises(TraceError, match=reason):
        parallel.reduce(np.ones(4, np.float32), 0.0, op)


def test_text_that_does_not_compile_shows_its_own_lines() -> None:
    with pytest.raises(CompileError) as caught:
        parallel.reduce(np.ones(4, np.float32), 0.0, "a +\nnothing + b")
    assert "operator(2)" in caught.value.log
    assert "cub" not in caught.value.log


def test_the_names_of_cuda_compute_over_device_arrays(device: Device, stream: Stream) -> None:
    data = np.arange(5000, dtype=np.int32)
    d_in = DeviceArray.from_numpy(data)
    d_out = DeviceArray.empty(1, np.int64)
    reducer = parallel.make_reduce_into(d_in=d_in, d_out=d_out, op=OpKind.PLUS, h_init=np.int64(1))
    needed = reducer(temp_storage=None, d_in=d_in, d_out=d_out, num_items=5000, h_init=1)
    storage = DeviceArray.empty(needed, np.uint8)
    reducer(temp_storage=storage, d_in=d_in, d_out=d_out, num_items=5000, h_init=1, stream=stream)
    stream.sync()
    assert d_out.to_numpy()[0] == data.sum() + 1
    with pytest.raises(InvalidArgument, match=f"{needed} bytes needed, {needed - 1} given"):
        reducer(temp_storage=DeviceArray(storage._buffer, np.uint8, needed - 1), d_in=d_in, d_out=d_out, h_init=1)

    sums = DeviceArray.empty(5000, np.int64)
    parallel.exclusive_scan(d_in=d_in, d_out=sums, op="a + b", init_value=np.int64(0), stream=stream)
    squares = DeviceArray.empty(5000, np.int64)
    parallel.binary_transform(d_in1=d_in, d_in2=sums, d_out=squares, op=lambda a, b: a * b, stream=stream)
    keys = DeviceArray.empty(5000, np.int32)
    moved = DeviceArray.empty(5000, np.int64)
    parallel.radix_sort(
        d_in_keys=d_in, d_out_keys=keys, d_in_values=sums, d_out_values=moved,
        order=SortOrder.DESCENDING, stream=stream,
    )  # fmt: skip
    stream.sync()
    expected = data.cumsum() - data
    assert np.array_equal(sums.to_numpy(), expected)
    assert np.array_equal(squares.to_numpy(), data * expected)
    assert np.array_equal(keys.to_numpy(), data[::-1])
    assert np.array_equal(moved.to_numpy(), expected[::-1])


def on_host(array: np.ndarray[Any, Any] | DeviceArray) -> np.ndarray[Any, Any]:
    return array.to_numpy() if isinstance(array, DeviceArray) else array


@pytest.mark.parametrize("execution", ["device", "host"])
def test_structs_are_sorted_by_chosen_fields_each_in_its_order(execution: Any) -> None:
    place = np.dtype([("x", np.int16), ("y", np.float32)], align=True)
    dtype = np.dtype([("name", np.int64), ("place", place), ("age", np.uint8)], align=True)
    random = np.random.default_rng(5)
    people = np.zeros(3000, dtype)
    people["name"] = np.arange(3000)
    people["age"] = random.integers(0, 5, 3000)
    people["place"]["x"] = random.integers(-3, 3, 3000)
    people["place"]["y"] = random.integers(-3, 3, 3000) / 2
    for fields, columns in {
        "-age, place.y": (people["place"]["y"], -people["age"].astype(int)),
        "place, -age": (-people["age"].astype(int), people["place"]["y"], people["place"]["x"]),
        "-place.x": (-people["place"]["x"],),
    }.items():
        order = parallel.Operator.by_fields(dtype, fields)
        found = parallel.sort(people, op=order, execution=execution)
        assert found["name"].tolist() == np.lexsort(columns).tolist()
        by_radix = np.empty_like(people) if execution == "host" else DeviceArray.empty(people.size, dtype)
        given = people if execution == "host" else DeviceArray.from_numpy(people)
        parallel.radix_sort(d_in_keys=given, d_out_keys=by_radix, order=fields, execution=execution)
        assert np.array_equal(on_host(by_radix), found)
    keys, moved = parallel.sort_by_key(people, people["name"].copy(), op=order, execution=execution)
    assert np.array_equal(keys["name"], moved)
    for wrong, said in {"nam": "has name, place, age", "age,age": "named twice", "place.z": "has x, y"}.items():
        with pytest.raises(InvalidArgument, match=said):
            parallel.Operator.by_fields(dtype, wrong)
        with pytest.raises(InvalidArgument, match=said):
            parallel.make_radix_sort(d_in_keys=given, order=wrong, execution=execution)
    # Of the age and the place's y, 40 bits: from bit 32 on those of the age.
    parallel.radix_sort(d_in_keys=given, d_out_keys=by_radix, order="-age, place.y", begin_bit=32, execution=execution)
    found = on_host(by_radix)
    assert found["name"].tolist() == np.argsort(-people["age"].astype(int), kind="stable").tolist()
    with pytest.raises(ValueError, match="bits 32 to 0"):
        parallel.radix_sort(d_in_keys=given, d_out_keys=by_radix, begin_bit=32, end_bit=0, execution=execution)
    with pytest.raises(InvalidArgument, match="it is no struct"):
        parallel.Operator.by_fields(np.int32, "x")
    with pytest.raises(InvalidArgument, match="comparison by the fields"):
        parallel.sort(people["place"].copy(), op=order, execution=execution)


def clamped_sum(a: Any, b: Any, c: Any, d: Any) -> Any:
    total = a + b * c
    if total > d:
        return d
    return total


def test_a_transformation_of_many_inputs(stream: Stream) -> None:
    data = np.arange(-500, 500, dtype=np.int32)
    weights = np.linspace(0, 2, data.size)
    d_in, d_weights, d_out = (
        DeviceArray.from_numpy(data),
        DeviceArray.from_numpy(weights),
        DeviceArray.empty(1000, np.float64),
    )
    inputs = [d_in, d_weights, parallel.CountingIterator(np.int64(0)), parallel.ConstantIterator(np.float64(700))]
    with parallel.make_nary_transform(d_ins=inputs, d_out=d_out, op=clamped_sum) as transform:
        for count in (1000, 3, 0):
            transform(inputs, d_out=d_out, num_items=count, stream=stream)
    stream.sync()
    expected = np.minimum(data + weights * np.arange(1000), 700)
    assert np.allclose(d_out.to_numpy(), expected)
    for n in range(1, 9):
        text = " + ".join(f"{name} * {i + 1}" for i, name in enumerate("abcdefgh"[:n]))
        parallel.nary_transform(d_ins=[d_in] * n, d_out=d_out, op=text)
        assert np.array_equal(d_out.to_numpy(), data * (n * (n + 1) // 2))
    parallel.nary_transform(d_ins=[d_in, d_in, d_in], d_out=d_out, op=lambda *each: each[0] * 2 + each[2])
    assert np.array_equal(d_out.to_numpy(), data * 3)
    for op in ("a * b", lambda a, b, c: a * b):
        parallel.nary_transform(d_ins=[d_in, d_weights, d_in], d_out=d_out, op=op)
        assert np.allclose(d_out.to_numpy(), data * weights)
    parallel.nary_transform(d_ins=[d_in, d_in, d_in], d_out=d_out, op=lambda a, b, c: -a)
    assert np.array_equal(d_out.to_numpy(), -data)
    with pytest.raises(InvalidArgument, match=r"it takes 2 operand\(s\), expected an operator of 3"):
        parallel.nary_transform(d_ins=[d_in, d_in, d_in], d_out=d_out, op=OpKind.PLUS)
    with pytest.raises(Unsupported, match="well-known operators have at most 2 operands"):
        parallel.nary_transform(d_ins=[data, data, data], d_out=data.copy(), op="a * b + c", execution="host")
    for wrong in ([], [d_in] * 9):
        with pytest.raises(ValueError, match="an operator has 1 to 8 operands"):
            parallel.make_nary_transform(d_ins=wrong, d_out=d_out, op="a")
        with (
            parallel.make_nary_transform(d_ins=[d_in] * 3, d_out=d_out, op="a + b + c") as three,
            pytest.raises(ValueError, match="an operator has 1 to 8 operands"),
        ):
            three(wrong, d_out=d_out)
    with (
        parallel.make_nary_transform(d_ins=[d_in] * 3, d_out=d_out, op="a + b + c") as three,
        pytest.raises(InvalidArgument, match="2 given, but it was built for 3"),
    ):
        three([d_in, d_in], d_out=d_out)


def test_iterators_are_composed(stream: Stream) -> None:
    squares = parallel.TransformIterator(parallel.CountingIterator(np.int64(1)), lambda a: a * a)
    d_out = DeviceArray.empty(1, np.int64)
    parallel.reduce_into(d_in=squares, d_out=d_out, num_items=1000, op=OpKind.PLUS, h_init=0, stream=stream)
    stream.sync()
    assert d_out.to_numpy()[0] == 333833500
    with pytest.raises(TypeError, match="num_items is needed"):
        parallel.reduce_into(d_in=squares, d_out=d_out, op=OpKind.PLUS, h_init=0)


def test_state_is_bound_per_call(stream: Stream) -> None:
    line = Operator("a * factor", state=np.array((2.0,), [("factor", np.float64)]))
    d_in = DeviceArray.from_numpy(np.arange(100, dtype=np.float64))
    d_out = DeviceArray.empty(100, np.float64)
    scale = parallel.make_unary_transform(d_in=d_in, d_out=d_out, op=line)
    for factor in (2.0, -0.5):
        scale(d_in, d_out=d_out, op=line.with_state((factor,)), stream=stream)
        stream.sync()
        assert np.array_equal(d_out.to_numpy(), np.arange(100) * factor)


def test_segments(stream: Stream) -> None:
    data = DeviceArray.from_numpy(np.arange(100, dtype=np.float32))
    offsets = DeviceArray.from_numpy(np.array([0, 10, 10, 100], np.int32))
    ends = DeviceArray(offsets._buffer, np.int32, 3, offset=4)
    d_out = DeviceArray.empty(3, np.float32)
    parallel.segmented_reduce(
        d_in=data, d_out=d_out, start_offsets_in=offsets, end_offsets_in=ends, num_segments=3,
        op=OpKind.PLUS, h_init=1.0, stream=stream,
    )  # fmt: skip
    stream.sync()
    assert d_out.to_numpy().tolist() == [46.0, 1.0, 4906.0]
    sums = parallel.make_segmented_reduce(
        d_in=data, d_out=d_out, start_offsets_in=offsets, end_offsets_in=ends, op=OpKind.PLUS, h_init=0.0
    )
    arrays: dict[str, Any] = {"d_in": data, "d_out": d_out, "start_offsets_in": offsets, "end_offsets_in": ends}
    assert sums(temp_storage=None, num_segments=3, h_init=2.0, **arrays) == 0
    sums(temp_storage=POOL, num_segments=3, h_init=2.0, stream=stream, **arrays)
    stream.sync()
    assert d_out.to_numpy().tolist() == [47.0, 2.0, 4907.0]
    with pytest.raises(ValueError, match="4 segments, and end_offsets_in has 3"):
        sums(temp_storage=POOL, h_init=0.0, **arrays)


def test_extremes_on_the_device(random: np.random.Generator, stream: Stream) -> None:
    data = random.integers(-1000, 1000, 5000).astype(np.int32)
    d_in = DeviceArray.from_numpy(data)
    for find, expected in ((parallel.make_argmin_into, data.argmin()), (parallel.make_argmax_into, data.argmax())):
        search = find(d_in=d_in)
        d_out = DeviceArray.empty(1, search.result_dtype)
        storage = DeviceArray.empty(search(temp_storage=None, d_in=d_in, d_out=d_out), np.uint8)
        search(temp_storage=storage, d_in=d_in, d_out=d_out, stream=stream)
        stream.sync()
        assert d_out.to_numpy()[0].tolist() == (expected, data[expected])
    parallel.argmin_into(d_in=d_in, d_out=d_out, num_items=0, stream=stream)
    stream.sync()
    assert d_out.to_numpy()[0]["index"] == -1


def test_select_takes_host_data(random: np.random.Generator) -> None:
    data = random.integers(-1000, 1000, (40, 25)).astype(np.int16)
    assert np.array_equal(parallel.select(data, lambda a: a % 3 == 0), data[data % 3 == 0])
    assert parallel.select(data[:0], "a > 0").shape == (0,)
    with pytest.raises(TypeError, match="needs a condition"):
        parallel.select(data)  # type: ignore[call-overload]
    assert np.array_equal(parallel.select(data, cond="a > 0"), data[data > 0])


def test_select_keeps_what_fulfils_the_condition(random: np.random.Generator, stream: Stream) -> None:
    data = random.integers(-500, 500, 20011, dtype=np.int32)
    d_in = DeviceArray.from_numpy(data)
    d_out = DeviceArray.empty(data.size, np.int32)
    d_count = DeviceArray.empty(1, np.uint64)
    parallel.select(
        d_in=d_in, d_out=d_out, d_num_selected_out=d_count, cond=lambda a: (a % 3 == 0) & (a > 0), stream=stream
    )
    stream.sync()
    expected = data[(data % 3 == 0) & (data > 0)]
    assert d_count.to_numpy()[0] == expected.size
    assert np.array_equal(d_out.to_numpy()[: expected.size], expected)
    with parallel.make_select(d_in=d_in, cond=lambda a: (a % 3 == 0) & (a > 0)) as built:
        assert built(d_in=d_in, d_out=d_out, d_num_selected_out=d_count) == built.temp_storage_bytes(data.size) > 0
        with pytest.raises(ValueError, match="overlap"):
            built(temp_storage=POOL, d_in=d_in, d_out=d_out, d_num_selected_out=d_out)
        with pytest.raises(InvalidArgument, match="overlap"):
            built(temp_storage=POOL, d_in=d_in, d_out=d_in, d_num_selected_out=d_count)


def test_wrong_arrays_are_refused() -> None:
    d_in = DeviceArray.from_numpy(np.ones(10, np.float32))
    with pytest.raises(TypeError, match="DeviceArray"):
        parallel.reduce_into(d_in=np.ones(4), d_out=d_in, op=OpKind.PLUS, h_init=0.0)
    with pytest.raises(TypeError, match="d_out has elements of float32, the results are float64"):
        parallel.reduce_into(d_in=d_in, d_out=d_in, op=OpKind.PLUS, h_init=np.float64(0))
    with pytest.raises(ValueError, match="num_items is 11, and an input has 10"):
        parallel.reduce_into(d_in=d_in, d_out=d_in, num_items=11, op=OpKind.PLUS, h_init=0.0)
    with pytest.raises(TypeError, match="no type for the dtype <U3"):
        parallel.sort(np.array(["abc"]))
    packed = np.dtype({"names": ["a", "b"], "formats": [np.int8, np.int32], "offsets": [0, 1], "itemsize": 8})
    with pytest.raises(InvalidArgument, match="not aligned to 4 bytes"):
        parallel.sort(np.zeros(3, packed), op="a.b < b.b")
    with pytest.raises(TypeError, match=r"no identity .* give init="):
        parallel.scan([1, 2], op=OpKind.MINUS, exclusive=True)
    with pytest.raises(TypeError, match="an operator is given where the initial value is expected"):
        parallel.scan([1, 2], lambda a, b: a + b)


def test_overlapping_output_is_refused() -> None:
    keys = DeviceArray.from_numpy(np.ones(10, np.float32))
    with pytest.raises(InvalidArgument, match="overlap"):
        parallel.radix_sort(d_in_keys=keys, d_out_keys=keys, order=SortOrder.ASCENDING)


def test_of_nothing_and_of_one_element() -> None:
    for count in (0, 1):
        data = np.full(count, 3.0, np.float32)
        assert parallel.reduce(data, 2.0) == 2 + 3 * count
        assert np.array_equal(parallel.scan(data), data)
        assert np.array_equal(parallel.sort(data), data)
    assert parallel.argmin(np.full(1, 3.0, np.float32)) == 0


def test_nans_are_sorted_by_their_sign_and_are_the_first_extreme() -> None:
    data = np.array([2, np.nan, -np.inf, np.copysign(np.nan, -1), np.inf, np.nan], np.float32)
    result = parallel.sort(data)
    assert np.isnan(result[[0, -2, -1]]).all()
    assert np.signbit(result[0])
    assert list(result[1:4]) == [-np.inf, 2, np.inf]
    assert parallel.argmax(data) == np.argmax(data) == 1


def test_damaged_builds_are_refused() -> None:
    d_in = DeviceArray.from_numpy(np.ones(4, np.float32))
    saved = parallel.make_reduce_into(d_in=d_in, op="a + b * 5", h_init=0.0, compute_capability="compute_75").save()
    for damaged in (b"", saved[:-1], saved + b"x", saved[:-1] + bytes([saved[-1] ^ 1])):
        with pytest.raises(InvalidArgument):
            parallel.load_builds(damaged)


def test_builds_are_saved_for_a_process_without_a_compiler(tmp_path: pathlib.Path, run_python: RunPython) -> None:
    d_in = DeviceArray.from_numpy(np.ones(4, np.float32))
    ahead = parallel.make_reduce_into(d_in=d_in, op="a + b * 2", h_init=0.0, compute_capability="compute_75")
    (tmp_path / "saved").write_bytes(ahead.save())
    program = f"""
        import pathlib
        import numpy as np
        from cuprum import parallel
        parallel.load_builds(pathlib.Path({str(tmp_path / "saved")!r}).read_bytes())
        print(parallel.reduce(np.ones(4, np.float32), 0.0, "a + b * 2"))
    """
    environment = {"CUPRUM_CACHE": "off"}
    # Its libraries are hidden: what compiles finds no compiler.
    assert float(run_python(program, hide=("libnvrtc",), environment=environment).stdout) >= 4
    refused = run_python(
        program.replace("a + b * 2", "a + b * 3"), hide=("libnvrtc",), environment=environment, check=False
    )
    assert "libnvrtc" in refused.stderr


def test_a_build_is_made_once_however_many_threads_ask(tmp_path: pathlib.Path, run_python: RunPython) -> None:
    program = """
        import concurrent.futures
        import numpy as np
        from cuprum import parallel
        def total(_):
            return parallel.reduce(np.ones(100, np.float32), 0.0, "a + b + 0 * 17")
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            assert set(pool.map(total, range(THREADS))) == {100}
    """

    def compiles(threads: int) -> int:
        trace = tmp_path / f"trace{threads}.json"
        environment = {"CUPRUM_CACHE_DIR": str(tmp_path / f"cache{threads}"), "CUPRUM_TRACE": str(trace)}
        run_python(program.replace("THREADS", str(threads)), environment=environment)
        return trace.read_text().count('"nvrtcCompileProgram"')

    assert compiles(8) == compiles(1) > 0


def test_counts_beyond_32_bits(device: Device, stream: Stream) -> None:
    if device.is_simulator:
        pytest.skip("4 billion elements are for a GPU")
    count = 2**32 + 12345
    ones = parallel.ConstantIterator(np.int8(1))
    d_out = DeviceArray.empty(1, np.int64)
    parallel.reduce_into(d_in=ones, d_out=d_out, num_items=count, op=OpKind.PLUS, h_init=np.int64(0), stream=stream)
    stream.sync()
    assert d_out.to_numpy()[0] == count


def test_numpy_is_needed_by_this_module_alone() -> None:
    code = "import sys; sys.modules['numpy'] = None; import cuprum.core, cuprum.pathfinder"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.usefixtures("no_leaks")
def test_nothing_is_left_behind() -> None:
    data = np.ones(100, np.float32)
    parallel.reduce(data, 0.0, lambda a, b: a + b)
    d_in = DeviceArray.from_numpy(data)
    d_out = DeviceArray.empty(100, np.float32)
    parallel.inclusive_scan(d_in=d_in, d_out=d_out, op=OpKind.PLUS)
    with parallel.make_radix_sort(d_in_keys=d_in) as sort:
        sort(temp_storage=POOL, d_in_keys=d_in, d_out_keys=d_out)
    del d_in, d_out


def test_every_public_name_is_explained() -> None:
    kinds: list[type] = [parallel.Algorithm, *parallel.Algorithm.__subclasses__(), parallel.DeviceArray]
    kinds += [parallel.Operator, parallel.Iterator, *parallel.Iterator.__subclasses__()]
    silent = [name for name in parallel.__all__ if not (getattr(parallel, name).__doc__ or "").strip()]
    for kind in kinds:
        for name, member in vars(kind).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            is_public = not name.startswith("_") or name in ("__init__", "__call__")
            if is_public and callable(function) and not (function.__doc__ or "").strip():
                silent.append(f"{kind.__name__}.{name}")
    assert silent == []


def test_execution_may_be_a_device_or_architectures() -> None:
    data = np.array([5, 1, 7], np.int32)
    device = Device(0)
    for execution in (device, parallel.Execution.on(device), parallel.Execution.DEVICE):
        assert parallel.reduce(data, execution=execution) == 13
        assert parallel.select(data, "a > 1", execution=execution).tolist() == [5, 7]
    ahead = parallel.Execution.ahead_of_time("compute_80")
    with pytest.raises(InvalidArgument, match="at once"):
        parallel.reduce(data, execution=ahead)
    with parallel.make_radix_sort(d_in_keys=DeviceArray.from_numpy(data), execution=ahead) as sort:
        assert len(sort.save()) > 1000


def test_an_execution_that_is_not_where_the_array_is_is_refused() -> None:
    on_device = DeviceArray.from_numpy(np.array([5, 1, 7], np.int32))
    assert parallel.reduce(on_device, execution=Device(0)) == 13
    elsewhere = parallel.Execution("device", 1)
    for call in (parallel.reduce, parallel.sort, parallel.argmin):
        with pytest.raises(ValueError, match="execution is device 1, and the current device is 0"):
            call(on_device, execution=elsewhere)
    with pytest.raises(ValueError, match="expected execution='device' or a Device"):
        parallel.reduce(on_device, execution=parallel.Execution.ahead_of_time("compute_80"))
