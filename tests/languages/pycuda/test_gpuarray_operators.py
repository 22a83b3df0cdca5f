"""GPUArray's operators do what NumPy's do: over types, shapes and orders, chosen by a seeded generator.

A kernel is compiled for each operator and combination of types; shapes and orders come on top at no such cost.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum.compat.pycuda import cumath, gpuarray

Array = np.ndarray[Any, Any]

SHAPES: list[tuple[int, ...]] = [(), (1,), (7,), (1000,), (3, 5), (1, 6), (4, 1, 3), (2, 3, 4, 2), (0,), (3, 0, 2)]
INTEGERS = ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"]
REALS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def numbers(random: np.random.Generator, dtype: str, shape: tuple[int, ...], *, low: int = 1, high: int = 9) -> Array:
    """Elements that no operator overflows with, in one of the orders."""
    kind = np.dtype(dtype).kind
    values: Any
    if kind == "b":
        values = random.integers(0, 2, shape)
    elif kind in "iu":
        values = random.integers(low, high, shape)
    elif kind == "f":
        values = random.uniform(low, high, shape)
    else:
        values = random.uniform(low, high, shape) + 1j * random.uniform(low, high, shape)
    array: Array = np.asarray(values).astype(dtype)
    return in_some_order(random, array)


def in_some_order(random: np.random.Generator, array: Array) -> Array:
    """The same array with its axes in another order in memory."""
    if array.ndim < 2:
        return array
    return np.asfortranarray(array) if random.random() < 0.4 else np.ascontiguousarray(array)


def assert_same(device: gpuarray.GPUArray, host: Any, *, dtype: Any = None) -> None:
    """Equal, or as close as the type's precision allows."""
    result = device.get()
    expected = np.asarray(host)
    assert result.shape == expected.shape
    assert result.dtype == (expected.dtype if dtype is None else np.dtype(dtype))
    assert np.array_equal(result, device.copy().get(), equal_nan=result.dtype.kind in "fc")
    if result.dtype.kind in "fc":
        epsilon = float(np.finfo(result.dtype).eps)
        np.testing.assert_allclose(result, expected, rtol=64 * epsilon, atol=64 * epsilon)
    else:
        np.testing.assert_array_equal(result, expected)


BINARY: list[tuple[str, Callable[[Any, Any], Any], list[str]]] = [
    ("add", operator.add, ["float32", "int8", "float16", "complex64"]),
    ("subtract", operator.sub, ["complex128", "uint64"]),
    ("multiply", operator.mul, ["float16", "int16", "complex64"]),
    ("divide", operator.truediv, ["float64", "complex64"]),
    ("power", operator.pow, ["int32", "uint8", "float64"]),
    ("floor_divide", operator.floordiv, ["int32", "float32"]),
    ("remainder", operator.mod, ["uint8", "int32", "float64"]),
    ("and", operator.and_, ["bool"]),
    ("or", operator.or_, ["uint16"]),
    ("xor", operator.xor, ["int64"]),
]


@pytest.mark.parametrize(("name", "function", "dtypes"), BINARY, ids=[each[0] for each in BINARY])
def test_two_arrays(name: str, function: Callable[[Any, Any], Any], dtypes: list[str]) -> None:
    random = np.random.default_rng(sum(map(ord, name)))
    low = -9 if name in ("floor_divide", "remainder", "subtract") else 1
    for dtype in dtypes:
        lowest = low if np.dtype(dtype).kind != "u" else 1
        for shape in SHAPES:
            first = numbers(random, dtype, shape, low=lowest, high=4 if name == "power" else 9)
            second = numbers(random, dtype, shape, high=4)
            if dtype != dtypes[0]:  # which has the orders mixed, for kernels of their own
                second = second.copy(order="F" if first.flags.f_contiguous else "C")
            result = function(gpuarray.to_gpu(first), gpuarray.to_gpu(second))
            assert_same(result, function(first, second), dtype=dtype)


MIXED = [
    ("int32", "float32", "float64"),
    ("int8", "uint8", "int16"),
    ("float32", "complex128", "complex128"),
    ("complex64", "float32", "complex64"),
    ("bool", "int32", "int32"),
    ("uint64", "int64", "float64"),
    ("float16", "float32", "float32"),
]


@pytest.mark.parametrize(("first_type", "second_type", "result_type"), MIXED)
def test_two_types_have_numpys_common_type(first_type: str, second_type: str, result_type: str) -> None:
    random = np.random.default_rng(2)
    for shape in ((5,), (2, 3)):
        first, second = numbers(random, first_type, shape), numbers(random, second_type, shape)
        assert_same(gpuarray.to_gpu(first) * gpuarray.to_gpu(second), first * second, dtype=result_type)


SCALARS: list[tuple[str, Any]] = [
    ("int32", 3),
    ("int32", 2.5),
    ("uint8", 3),
    ("float32", 2),
    ("float32", 0.1),
    ("float32", np.float64(0.1)),
    ("float16", 0.5),
    ("float64", 2.5),
    ("complex64", 2.5),
    ("float32", 1.5 + 2j),
    ("int64", np.int8(3)),
]


@pytest.mark.parametrize(("dtype", "scalar"), SCALARS)
def test_an_array_and_a_number(dtype: str, scalar: Any) -> None:
    random = np.random.default_rng(3)
    for shape in ((), (6,), (3, 4)):
        host = numbers(random, dtype, shape)
        device = gpuarray.to_gpu(host)
        # NumPy takes an array without dimensions for a number.
        flat = host.reshape(-1)
        assert_same(device * scalar, (flat * scalar).reshape(shape))
        assert_same(scalar - device, (scalar - flat).reshape(shape))


def test_what_changes_nothing_is_a_copy_of_the_arrays_type() -> None:
    array = gpuarray.to_gpu(np.array([1, 2], np.int32))
    for result in (array + 0, array + 0.0, array - 0, array / 1):
        assert result.dtype == np.int32
        assert result.gpudata is not array.gpudata
        assert result.get().tolist() == [1, 2]
    assert +array is array


IN_PLACE: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("add", operator.iadd),
    ("subtract", operator.isub),
    ("multiply", operator.imul),
    ("divide", operator.itruediv),
]


@pytest.mark.parametrize(("name", "function"), IN_PLACE)
def test_in_place(name: str, function: Callable[[Any, Any], Any]) -> None:
    random = np.random.default_rng(4)
    for shape in ((9,), (3, 4), (2, 1, 5)):
        first, second = numbers(random, "float32", shape), numbers(random, "float32", shape)
        device = gpuarray.to_gpu(first)
        memory = device.gpudata
        expected = first.copy()
        for value in (second, 3):
            result = function(device, gpuarray.to_gpu(value) if isinstance(value, np.ndarray) else value)
            expected = function(expected, value)
            assert result is device
            assert device.gpudata is memory
        assert_same(device, expected)


def test_in_place_converts_to_the_arrays_type() -> None:
    whole = gpuarray.to_gpu(np.array([1, 2, 3], np.int32))
    whole += gpuarray.to_gpu(np.array([0.9, 1.9, -2.9]))
    assert whole.get().tolist() == [1, 3, 1]
    assert whole.dtype == np.int32


COMPARED: list[Callable[[Any, Any], Any]] = [
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
]


@pytest.mark.parametrize("function", COMPARED)
def test_comparisons_are_0_and_1_in_the_operands_common_type(function: Callable[[Any, Any], Any]) -> None:
    random = np.random.default_rng(5)
    first, second = numbers(random, "int32", (3, 7)), numbers(random, "float32", (3, 7))
    second[0, :3] = first[0, :3]
    devices = gpuarray.to_gpu(first), gpuarray.to_gpu(second)
    assert_same(function(*devices), function(first, second).astype(np.float64))
    assert_same(function(devices[1], 4.25), function(first * 0 + second, 4.25).astype(np.float32))


def test_large_numbers_are_compared_as_they_are() -> None:
    host = np.array([1, 2**63 + 1, 2**64 - 1], np.uint64)
    assert (gpuarray.to_gpu(host) > 2**63).get().tolist() == [0, 1, 1]
    with pytest.raises(OverflowError, match="-1 does not fit into uint64"):
        gpuarray.to_gpu(host) > -1  # noqa: B015


@pytest.mark.parametrize("dtype", ["int16", "float16", "complex64"])
def test_one_array(dtype: str) -> None:
    random = np.random.default_rng(6)
    for shape in ((5,), (3, 4)):
        host = numbers(random, dtype, shape, low=-9)
        device = gpuarray.to_gpu(host)
        assert_same(-device, -host)
        assert_same(abs(device), abs(host))
        if np.dtype(dtype).kind in "iu":
            assert_same(~device, ~host)
        if np.dtype(dtype).kind == "c":
            assert_same(device.real, host.real)
            assert_same(device.imag, host.imag)
            assert_same(device.conj(), host.conj())
        else:
            assert device.real is device
            assert device.conj() is device
            assert_same(device.imag, host * 0)


def test_arrays_are_broadcast() -> None:
    random = np.random.default_rng(7)
    pairs = [((3, 1), (1, 4)), ((5,), (2, 3, 5)), ((2, 1, 3), (4, 1)), ((), (3, 4)), ((3, 4), ()), ((1,), (0,))]
    for first_shape, second_shape in pairs:
        first, second = numbers(random, "float32", first_shape), numbers(random, "float32", second_shape)
        assert_same(gpuarray.to_gpu(first) + gpuarray.to_gpu(second), first + second)
    total = gpuarray.to_gpu(np.zeros((3, 4), np.float32))
    total += gpuarray.to_gpu(np.arange(4, dtype=np.float32))
    assert_same(total, np.zeros((3, 4), np.float32) + np.arange(4, dtype=np.float32))


def test_arrays_of_different_orders_are_combined_by_their_indices() -> None:
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    rows, columns = gpuarray.to_gpu(host), gpuarray.to_gpu(np.asfortranarray(host))
    assert rows.strides != columns.strides
    assert_same(rows + columns, host + host)
    square = gpuarray.to_gpu(host[:, :3].copy())
    assert_same(square + square.T, host[:, :3] + host[:, :3].T)
    square += square.T
    assert_same(square, host[:, :3] + host[:, :3].T)


def test_an_array_in_place_with_a_view_of_itself() -> None:
    # Many blocks, of which the first changes what the others read.
    host = np.arange(2000, dtype=np.float32).reshape(40, 50)
    table = gpuarray.to_gpu(host)
    table += table[0]
    assert_same(table, host + host[0])
    table -= table
    assert_same(table, host * 0)


@pytest.mark.parametrize("source", ["bool", "int8", "uint32", "int64", "float16", "float32", "complex64"])
def test_astype(source: str) -> None:
    random = np.random.default_rng(8)
    target = {"complex64": "complex128", "float32": "int32", "int64": "float16"}.get(source, "float64")
    for shape in ((5,), (2, 3)):
        host = numbers(random, source, shape)
        assert_same(gpuarray.to_gpu(host).astype(target), host.astype(target))


def test_mul_add() -> None:
    random = np.random.default_rng(9)
    first, second = numbers(random, "float32", (4, 3)), numbers(random, "float32", (4, 3))
    devices = gpuarray.to_gpu(first), gpuarray.to_gpu(second)
    expected = np.float32(2) * first + np.float32(-0.5) * second
    assert_same(devices[0].mul_add(2, devices[1], -0.5), expected)
    out = gpuarray.empty_like(devices[0])
    times: list[tuple[int, float]] = []
    result = devices[0].mul_add(2, devices[1], -0.5, out=out, add_timer=lambda work, time: times.append((work, time())))
    assert result is out
    assert_same(out, expected)
    assert times[0][0] == 36
    assert times[0][1] >= 0


FUNCTIONS = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
} | {
    name: name
    for name in [
        "fabs",
        "ceil",
        "floor",
        "exp",
        "log",
        "log10",
        "sqrt",
        "sin",
        "cos",
        "tan",
        "sinh",
        "cosh",
        "tanh",
    ]
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions(name: str) -> None:
    random = np.random.default_rng(10)
    host = random.uniform(0.05, 0.95, (7, 3)).astype(np.float32)
    device = gpuarray.to_gpu(host)
    function = getattr(cumath, name)
    expected = getattr(np, FUNCTIONS[name])(host)
    assert_same(function(device), expected)
    out = gpuarray.empty_like(device)
    assert function(device, out=out) is out
    assert_same(out, expected)
    with pytest.warns(DeprecationWarning, match="please use 'out' or 'stream' keyword arguments"):
        assert function(device, out) is out


@pytest.mark.parametrize("name", ["sqrt", "sin", "tan", "asin", "acos", "atan"])
def test_functions_of_complex_numbers(name: str) -> None:
    random = np.random.default_rng(11)
    host = (random.uniform(-2, 2, 50) + 1j * random.uniform(-2, 2, 50)).astype(np.complex128)
    result = getattr(cumath, name)(gpuarray.to_gpu(host)).get()
    np.testing.assert_allclose(result, getattr(np, FUNCTIONS.get(name, name))(host), rtol=1e-12, atol=1e-12)


def test_functions_of_two_arrays_and_with_two_results() -> None:
    host = np.array([1.5, -2.25, 8, 0.1], np.float64)
    other = np.array([1, 2, 3, 0.25], np.float64)
    device, divisor = gpuarray.to_gpu(host), gpuarray.to_gpu(other)
    assert_same(cumath.fmod(device, divisor), np.fmod(host, other))
    significand, exponent = cumath.frexp(device)
    expected = np.frexp(host)
    assert_same(significand, expected[0])
    assert_same(exponent, expected[1].astype(np.float64))
    assert_same(cumath.ldexp(significand, exponent), host)
    fraction, whole = cumath.modf(device)
    assert_same(fraction, np.modf(host)[0])
    assert_same(whole, np.modf(host)[1])


def test_pythons_power_and_division_of_integers() -> None:
    host = np.array([-3, -2, 2, 3, 10], np.int64)
    device = gpuarray.to_gpu(host)
    assert_same(device**15, host**15)
    assert_same(2 ** gpuarray.to_gpu(np.arange(5, dtype=np.int64)), 2 ** np.arange(5, dtype=np.int64))
    # As in C, and in PyCUDA: the quotient of integers is an integer.
    assert_same(device / gpuarray.to_gpu(np.full(5, 2, np.int64)), np.trunc(host / 2).astype(np.int64))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(device // gpuarray.to_gpu(np.array([0, 2, -2, 0, -3])), host // np.array([0, 2, -2, 0, -3]))


def test_numbers_and_arrays_of_numpys_leave_the_operator_to_the_array() -> None:
    device = gpuarray.to_gpu(np.array([1, 2], np.float32))
    assert (np.float32(2) * device).get().tolist() == [2, 4]
    assert (np.float64(1) - device).dtype == np.float64
    with pytest.raises(TypeError, match=r"copy it to the device with gpuarray\.to_gpu\(\)"):
        device + np.array([1, 2], np.float32)
    with pytest.raises(TypeError):
        np.array([1, 2], np.float32) + device
    with pytest.raises(TypeError, match=r"copy it to the host with get\(\)"):
        np.asarray(device)
    assert (device == None) is False  # noqa: E711
