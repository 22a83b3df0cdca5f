"""Traced functions against NumPy: every operator, over every type and over numbers that are known to make trouble.

Hundreds of expressions are one program: a transformation whose results are the fields of a struct.
"""

from __future__ import annotations

import operator
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import Unsupported
from cuprum.parallel import TraceError
from cuprum.parallel._tracing import trace

Array = np.ndarray[Any, Any]
DType = np.dtype[Any]
Function = Callable[..., Any]

BOOL = np.dtype("?")
INTEGERS = [np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
FLOATS = [np.dtype(name) for name in ("f2", "f4", "f8")]
COMPLEX = [np.dtype(name) for name in ("c8", "c16")]
TYPES = [BOOL, *INTEGERS, *FLOATS, *COMPLEX]

BINARY: dict[str, Function] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "fmod": np.fmod, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "minimum": np.minimum, "maximum": np.maximum,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
    "where": lambda a, b: np.where(a, a, b), "where equal": lambda a, b: np.where(a == b, 1, b),
}  # fmt: skip
UNARY: dict[str, Function] = {
    "negative": operator.neg, "positive": operator.pos, "~": operator.invert, "abs": abs, "logical_not": np.logical_not,
    "isnan": np.isnan, "square": np.square, "**0": lambda a: a**0, "**1": lambda a: a**1, "**2": lambda a: a**2,
    "**3": lambda a: a**3, "**4": lambda a: a**4, "**5": lambda a: a**5, "**0.5": lambda a: a**0.5,
    "**-1.0": lambda a: a**-1.0, "**2.0": lambda a: a**2.0, "**2.5": lambda a: a**2.5,
}  # fmt: skip
#: Rounded to the last bit, here and there.
EXACT_FUNCTIONS = ["sqrt", "floor", "ceil", "trunc", "rint"]
FUNCTIONS = [
    "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan",
    "sinh", "cosh", "tanh", "arctan2", "hypot", "power",
]  # fmt: skip
#: What complex numbers do not have on the device.
NOT_COMPLEX = ["**", "<", "<=", ">", ">=", "minimum", "maximum", "**0", "**5", "**0.5", "**-1.0", "**2.0", "**2.5"]
#: Python's, which take the other's type (NEP 50), and NumPy's, which have their own.
CONSTANTS = [
    0, -1, 3, 32, 300, 2**64 - 1, True, -0.0, -2.5, 1e300, float("nan"), np.int8(-1), np.float32(0.1),
]  # fmt: skip


def special_values(dtype: DType) -> Array:
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        numbers = [0, 1, -1, 2, 3, -3, 7, -8, 31, 32, 63, 64, 65, limits.min, limits.min + 1, limits.max]
        return np.array([n for n in [*numbers, limits.max // 2] if limits.min <= n <= limits.max], dtype)
    if dtype.kind == "f":
        finite = np.finfo(dtype)
        reals: list[float] = [0.0, -0.0, 1, -1, 0.5, -0.75, 3, -3.5, 7, 10.25, np.inf, -np.inf, np.nan]
        return np.array([*reals, finite.max, finite.min, finite.tiny, finite.smallest_subnormal], dtype)
    parts = [0.0, -0.0, 1, -2.5, np.inf, np.nan]
    return np.array([complex(a, b) for a in parts for b in parts], dtype)


def pairs(dtype: DType) -> tuple[Array, Array]:
    """Each special value with each."""
    left, right = np.meshgrid(special_values(dtype), special_values(dtype))
    return left.reshape(-1), right.reshape(-1)


class Program:
    """Expressions over columns of elements, and what NumPy makes of them."""

    def __init__(self, columns: dict[str, Array]) -> None:
        self._columns = columns
        self._rows = max(values.size for values in columns.values())
        self._expressions: list[tuple[str, Function, tuple[str, ...], Array]] = []

    def __len__(self) -> int:
        return len(self._expressions)

    def add(self, name: str, function: Function, *columns: str) -> None:
        """An expression, unless NumPy refuses it: for these types, or for these numbers."""
        try:
            with np.errstate(all="ignore"):
                expected = np.asarray(function(*(self._columns[column] for column in columns)))
        except (TypeError, ArithmeticError, ValueError):
            return
        self._expressions.append((name, function, columns, expected))

    def check(self) -> None:
        """On the device every expression has NumPy's type and NumPy's values."""
        ordered = sorted(self._columns, key=lambda name: -self._columns[name].dtype.itemsize)
        elements = np.zeros(self._rows, struct_of({name: self._columns[name].dtype for name in ordered}))
        for name, values in self._columns.items():
            elements[name] = np.resize(values, self._rows)
        self._expressions.sort(key=lambda expression: -expression[3].dtype.itemsize)  # aligned, without gaps
        fields = struct_of({f"r{i}": item[3].dtype for i, item in enumerate(self._expressions)})
        wrong = []

        def everything(element: Any) -> Any:
            results = []
            for name, function, columns, expected in self._expressions:
                try:
                    result = function(*(element[column] for column in columns))
                except TraceError as error:
                    wrong.append(f"{name}: {error}")
                    result = expected.dtype.type(0)
                if result.dtype != expected.dtype:
                    wrong.append(f"{name}: {result.dtype}, and in NumPy {expected.dtype}")
                results.append(result)
            return tuple(results)

        output = parallel.transform(elements, everything, dtype=fields)
        for i, (name, _, columns, expected) in enumerate(self._expressions):
            result = output[f"r{i}"][: expected.size]
            same = is_same(name, result, expected)
            if not same.all():
                at = int(np.argmin(same))
                operands = ", ".join(f"{elements[column][at]!r}" for column in columns)
                wrong.append(f"{name} of {operands}: {result[at]!r}, and in NumPy {expected[at]!r}")
        assert not wrong, f"{len(wrong)} of {len(self)} expressions differ:\n" + "\n".join(wrong[:40])


def struct_of(fields: dict[str, DType]) -> DType:
    """Fields whose sizes do not grow, with no gaps, and at the end what makes it a multiple of 16 bytes."""
    offsets = np.cumsum([0, *(dtype.itemsize for dtype in fields.values())]).tolist()
    size = -(-offsets[-1] // 16) * 16
    return np.dtype(
        {"names": list(fields), "formats": list(fields.values()), "offsets": offsets[:-1], "itemsize": size}
    )


def is_same(name: str, result: Array, expected: Array) -> Any:
    """The same bits, but for NaNs'. Functions may be some units in the last place off."""
    word = name.split()[0]
    if expected.dtype.kind == "c":
        # A part that is small beside the other may be what rounding leaves of a difference.
        finite = np.where(np.isfinite(expected), np.abs(expected), 0)
        return is_close(result.real, expected.real, 4, finite) & is_close(result.imag, expected.imag, 4, finite)
    is_rounded = word in FUNCTIONS or word.startswith("**") or (word == "abs" and "complex" in name)
    if is_rounded and expected.dtype.kind == "f":
        return is_close(result, expected, 8)
    same = (result == expected) | ((result != result) & (expected != expected))
    if expected.dtype.kind == "f" and word not in ("minimum", "maximum"):
        same &= np.isnan(expected) | (np.signbit(result) == np.signbit(expected))
    return same


def is_close(result: Array, expected: Array, places: int, magnitude: Array | float = 0.0) -> Any:
    """Within some units in the last place of what is expected, or of what that is a part of."""
    with np.errstate(all="ignore"):
        distance = np.abs(result - expected)
        unit = np.spacing(np.maximum(np.maximum(np.abs(expected), magnitude), np.finfo(expected.dtype).tiny))
        return (result == expected) | (np.isnan(result) & np.isnan(expected)) | (distance <= places * unit)


def is_compared(name: str, dtype: DType) -> bool:
    return dtype.kind != "c" or name not in NOT_COMPLEX


@pytest.mark.parametrize("types", [[BOOL, *INTEGERS[:4]], INTEGERS[4:], FLOATS, COMPLEX], ids=str)
def test_operators_of_one_type_mean_what_numpy_means(types: list[DType]) -> None:
    columns: dict[str, Array] = {}
    for dtype in types:
        a, b = pairs(dtype)
        exponents = np.abs(np.minimum(np.abs(b), 70) if dtype.kind == "i" else b)  # NumPy refuses negative ones
        columns |= {f"a_{dtype}": a, f"b_{dtype}": b, f"n_{dtype}": exponents}
    program = Program(columns)
    for dtype in types:
        for name, function in BINARY.items():
            if is_compared(name, dtype):
                right = "n" if name == "**" else "b"
                program.add(f"{name} {dtype}", function, f"a_{dtype}", f"{right}_{dtype}")
        for name, function in UNARY.items():
            if is_compared(name, dtype):
                program.add(f"{name} {dtype}", function, f"b_{dtype}")
    assert len(program) > 40
    program.check()


@pytest.mark.parametrize("types", [["bool", "int32", "uint64"], ["float16", "float64"]], ids=str)
def test_constants_mean_what_numpy_means(types: list[str]) -> None:
    program = Program({f"a_{dtype}": special_values(np.dtype(dtype)) for dtype in types})
    for dtype in types:
        for constant in CONSTANTS:
            for name in ("+", "//", "<<", "<", "!=", "where"):
                if name == "where" and isinstance(constant, int):
                    continue  # NumPy cuts off what does not fit, the trace refuses it
                function = BINARY[name]
                program.add(f"{name} {dtype} {constant!r}", lambda a, f=function, c=constant: f(a, c), f"a_{dtype}")
                if name in ("//", "<"):
                    program.add(f"{name} {constant!r} {dtype}", lambda a, f=function, c=constant: f(c, a), f"a_{dtype}")
    assert len(program) > 100
    program.check()


def test_functions_mean_what_numpy_means() -> None:
    random = np.random.default_rng(1)
    types = [BOOL, *INTEGERS[:2], *INTEGERS[-1:], *FLOATS]
    columns: dict[str, Array] = {}
    for dtype in types:
        for name in "ab":
            special = special_values(dtype)
            ordinary = random.normal(0, 3, 200).astype(dtype) if dtype.kind == "f" else special
            columns[f"{name}_{dtype}"] = random.permutation(np.concatenate([special, ordinary]))
            columns[f"{name}_{dtype}"] = np.resize(columns[f"{name}_{dtype}"], 217)
    program = Program(columns)
    for name in [*EXACT_FUNCTIONS, *FUNCTIONS]:
        function = getattr(np, name)
        for dtype in types:
            if name == "power" and dtype.kind != "f":
                continue
            program.add(f"{name} {dtype}", function, *(f"{column}_{dtype}" for column in "ab"[: function.nin]))
    program.check()


@pytest.mark.parametrize("first_types", [[BOOL, *INTEGERS[:4]], INTEGERS[4:], [*FLOATS, *COMPLEX]], ids=str)
def test_operators_of_two_types_mean_what_numpy_means(first_types: list[DType]) -> None:
    random = np.random.default_rng(2)
    columns = {f"{name}_{dtype}": random.choice(special_values(dtype), 300) for dtype in TYPES for name in "ab"}
    program = Program(columns)
    for first in first_types:
        for second in TYPES:
            for name in ("+", "//", "<<", "<"):
                if first != second and is_compared(name, np.result_type(first, second)):
                    program.add(f"{name} {first} {second}", BINARY[name], f"a_{first}", f"b_{second}")
    assert len(program) > 80
    program.check()


def random_expression(random: np.random.Generator, columns: list[str], depth: int) -> tuple[Function, str]:
    """A function of the columns by their names, and what it looks like. Exact: of integers and bools."""
    if depth == 0 or random.random() < 0.1:
        column = str(random.choice(columns))
        return lambda element: element[column], column
    left, left_text = random_expression(random, columns, depth - 1)
    if random.random() < 0.2:
        name = str(random.choice(["negative", "~", "abs", "**2", "**3"]))
        function = UNARY[name]
        return lambda element: function(left(element)), f"({name} {left_text})"
    names = ["+", "-", "*", "//", "%", "fmod", "<<", ">>", "&", "|", "^", "<", "<=", "==", "!=", "minimum", "maximum"]
    if random.random() < 0.2:
        number = int(random.choice([0, 1, 2, -1, 5, 100]))
        name = str(random.choice(names))
        with_number = BINARY[name]
        return lambda element: with_number(left(element), number), f"({left_text} {name} {number})"
    right, right_text = random_expression(random, columns, depth - 1)
    name = str(random.choice([*names, "logical_xor", "where"]))
    combine = BINARY[name]
    return lambda element: combine(left(element), right(element)), f"({left_text} {name} {right_text})"


def test_the_compiler_does_not_negate_integers_in_16_bits() -> None:
    # ptxas (13.0) takes it that neg.s16 of -32768 is 32768, and makes 128 of -int8(-128) here. The simulator does not.
    types = struct_of({"first": np.dtype(np.int8), "second": np.dtype(np.uint8)})
    elements = parallel.DeviceArray.from_numpy(np.zeros(1, types))
    output = parallel.DeviceArray.from_numpy(np.zeros(1, np.int16))
    negations: dict[str, Function] = {
        "neg": lambda element: np.minimum(element["second"], -element["first"]),
        "sub": lambda element: np.minimum(element["second"], np.int8(0) - element["first"]),
        "mul": lambda element: np.minimum(element["second"], element["first"] * np.int8(-1)),
        "abs": lambda element: np.minimum(element["second"], abs(element["first"])),
    }
    for name, negation in negations.items():
        built = parallel.make_unary_transform(
            d_in=elements, d_out=output, op=negation, compute_capability="compute_90"
        ).save()
        assert b".entry" in built
        assert not re.search(rb"(neg|sub|abs)\.s16\s+%", built), name


def test_random_expressions_of_integers_mean_what_numpy_means() -> None:
    random = np.random.default_rng(3)
    columns = {f"first_{dtype}": random.choice(special_values(dtype), 200) for dtype in [BOOL, *INTEGERS]}
    columns |= {f"second_{dtype}": random.choice(special_values(dtype), 200) for dtype in [BOOL, *INTEGERS]}
    program = Program(columns)
    while len(program) < 120:
        function, text = random_expression(random, list(columns), 4)
        used = [name for name in columns if name in text]
        with np.errstate(all="ignore"):
            try:
                kind = np.asarray(function(columns)).dtype.kind
            except (TypeError, ArithmeticError, ValueError):
                continue
        if kind in "biu" and used:
            names = tuple(columns)
            program.add(text, lambda *values, f=function, n=names: f(dict(zip(n, values, strict=True))), *names)
    program.check()


def test_special_constants_are_numbers() -> None:
    data = np.array([1.5, -2.0], np.float32)
    constants = (1e300, -1e300, float("inf"), float("nan"))
    fields = np.dtype([(f"r{i}", np.float32) for i in range(len(constants))])
    results = parallel.transform(data, lambda a: tuple(a + constant for constant in constants), dtype=fields)
    for name, constant in zip(fields.names or (), constants, strict=True):
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(results[name], data + constant)
    with pytest.raises(TraceError, match="300 does not fit into uint8"):
        parallel.transform(np.ones(1, np.uint8), lambda a: a + 300)
    with pytest.raises(TraceError, match="float32: int too large"):
        parallel.transform(data, lambda a: a + 10**400)
    with pytest.raises(TraceError, match="power -1"):
        parallel.transform(np.ones(1, np.int32), lambda a: a**-1)


def test_negative_powers_of_integers_that_only_the_device_knows_are_0() -> None:
    base, exponent = np.array([2, 1, -3, 0], np.int32), np.array([-1, -2, -3, -4], np.int32)
    assert np.array_equal(parallel.transform(base, lambda a, b: a**b, second=exponent), [0, 0, 0, 0])


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS], ids=str)
def test_plain_operators_are_the_well_known_ones(dtype: DType) -> None:
    """So they are CUB's, with its tunings, and run on the host; they cost nothing more."""
    known: dict[str, Function] = {"a + b": operator.add, "a - b": operator.sub, "a * b": operator.mul}
    known |= {"a < b": operator.lt, "a == b": operator.eq}
    if dtype.kind in "iu":
        known |= {"a & b": operator.and_, "a | b": operator.or_, "a ^ b": operator.xor}
    for text, function in known.items():
        assert trace(function, [dtype, dtype], None)[0] == f"({text})"
    assert trace(operator.neg, [dtype], None)[0] == "(-a)"


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_on_the_host_operators_mean_what_numpy_means_or_are_refused(dtype: DType) -> None:
    left, right = pairs(dtype)
    compared = set()
    for name, function in {**BINARY, **UNARY}.items():
        if not is_compared(name, dtype):
            continue
        second = right if name in BINARY else None
        try:
            with np.errstate(all="ignore"):
                expected = np.asarray(function(left) if second is None else function(left, second))
        except (TypeError, ArithmeticError, ValueError):
            continue
        try:
            result = parallel.transform(left, lambda *values, f=function: f(*values), second=second, execution="host")
        except Unsupported:  # no well-known operator
            continue
        assert result.dtype == expected.dtype
        assert is_same(f"{name} {dtype}", result, expected).all(), name
        compared.add(name)
    assert {"==", "!="} <= compared
    assert dtype.kind == "b" or {"+", "-", "negative"} <= compared


def test_a_deep_expression_is_traced_in_linear_time() -> None:
    def sum_of(count: int) -> Function:
        def function(a: Any, b: Any) -> Any:
            result = a
            for i in range(count):
                result = result * 3 + b if i % 2 else result ^ b
            return result

        return function

    first, second = np.arange(5, dtype=np.int32), np.arange(5, 10, dtype=np.int32)
    results = []

    def work() -> None:
        results.append(parallel.transform(first, sum_of(1000), second=second))

    # Nor does the compiler need a large stack: Java's threads have a megabyte.
    usual = threading.stack_size(1 << 20)
    thread = threading.Thread(target=work)
    thread.start()
    threading.stack_size(usual)
    thread.join()
    with np.errstate(over="ignore"):
        assert np.array_equal(results[0], sum_of(1000)(first, second))
    short, long = (trace(sum_of(count), [first.dtype] * 2, None)[0] for count in (5_000, 50_000))
    assert len(long) < 12 * len(short)
    assert max(map(len, long.splitlines())) < 5000


def test_a_value_that_is_used_again_and_again_is_computed_once() -> None:
    def doubled(a: Any) -> Any:
        for _ in range(60):
            a = a + a
        return a

    assert len(trace(doubled, [np.dtype("i8")], None)[0]) < 60 * 100
    data = np.array([1, -3, 16], np.int64)
    assert np.array_equal(parallel.transform(data, doubled), doubled(data))


def test_sums_of_integers_wrap_where_a_wider_type_would_show_it() -> None:
    """Signed overflow is undefined in C++: the compiler may add in the wider type, or take a + 1 > a for true."""
    data = np.array([2**31 - 1, -(2**31), 5], np.int32)
    functions: list[Function] = [lambda a: a + 1 > a, lambda a: a + a, lambda a: -a, lambda a: a * 3, lambda a: abs(a)]
    fields = np.dtype([(f"r{i}", np.int64) for i in range(len(functions))])
    results = parallel.transform(data, lambda a: tuple(function(a) for function in functions), dtype=fields)
    with np.errstate(over="ignore"):
        for name, function in zip(fields.names or (), functions, strict=True):
            assert np.array_equal(results[name], function(data).astype(np.int64))
        read = parallel.TransformIterator(parallel.DeviceArray.from_numpy(data), lambda a: -a)
        assert parallel.reduce(read, np.int64(0)) == (-data).astype(np.int64).sum()
