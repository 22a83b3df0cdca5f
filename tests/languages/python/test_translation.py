"""Functions with if, loops and local variables, translated from their syntax trees: against Python itself."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cuprum import parallel
from cuprum._errors import InvalidArgument
from cuprum.core import Device
from cuprum.parallel import DeviceArray, OpKind, TraceError
from cuprum.parallel._operators import as_operator

NUMBERS = np.array([0, 1, -1, 2, 7, 10, 27, -50, 97, 100], np.int32)
FLOATS = np.array([0.0, 0.5, -2.25, 3.0, 100.0], np.float64)


def clamp(a: Any) -> Any:
    if a < 0:
        low = 0
    elif a > 50:
        low = 50
    else:
        return a
    return low


def collatz(a: Any) -> Any:
    """How many steps to 1."""
    steps = 0
    n = a if a > 0 else 1
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def horner(a: Any) -> Any:
    total = 0
    for coefficient in (3, -2, 5):
        total = total * a + coefficient
    return total


def divisors(a: Any) -> Any:
    count = 0
    i = 1
    while True:
        if i > a:
            break
        i += 1
        if a % (i - 1) != 0:
            continue
        count += 1
    return count


def triangle(a: Any) -> Any:
    total = 0
    for i in range(a):
        if i % 3 == 0:
            continue
        for j in range(i, 0, -2):
            if j == 5:
                break
            total += j
    return total


def fibonacci(a: Any) -> Any:
    before, last = 0, 1
    for _ in range(max(a, 0) % 40):
        before, last = last, before + last
    return before


def first_square(a: Any) -> Any:
    for i in range(20):
        if i * i >= a:
            return i
    return -1


def greatest_common_divisor(a: Any, b: Any) -> Any:
    while b:
        a, b = b, a % b
    return abs(a)


def of_functions(a: Any) -> Any:
    return greatest_common_divisor(clamp(a), 12) + horner(a)


def logic(a: Any) -> Any:
    inside = (0 <= a < 30 and a % 2 == 1) or a == -50
    return (not inside) * 2 + (a and 7) + (a or 9) + min(a, 3, 5) + max(a, -1)


def narrowing(a: Any) -> Any:
    x = a
    if a > 5:
        x = x * 2
        if a > 50:
            y = x - 1
        else:
            y = 3
        x = x + y
    return x


def newton(a: Any) -> Any:
    """A square root."""
    if a <= 0:
        return 0.0
    guess = a
    for _ in range(60):
        better = 0.5 * (guess + a / guess)
        if better == guess:
            break
        guess = better
    return guess


def mean_of_digits(a: Any) -> Any:
    digits = abs(int(a))
    total, count = 0, 0
    while digits > 0:
        total, count = total + digits % 10, count + 1
        digits //= 10
    return total / count if count else math.sqrt(float(a) ** 2)


ON_INTEGERS = [clamp, collatz, horner, divisors, triangle, fibonacci, first_square, of_functions, logic, narrowing]


@pytest.fixture(autouse=True)
def device() -> None:
    Device(0).set_current()


def test_integers_mean_what_python_means() -> None:
    """All in one program: the fields of a struct."""
    dtype = np.dtype([(function.__name__, np.int64) for function in ON_INTEGERS], align=True)

    def together(a: Any) -> Any:
        return (
            clamp(a), collatz(a), horner(a), divisors(a), triangle(a), fibonacci(a), first_square(a), of_functions(a),
            logic(a), narrowing(a),
        )  # fmt: skip

    out = DeviceArray.empty(NUMBERS.size, dtype)
    wide = DeviceArray.from_numpy(NUMBERS.astype(np.int64))
    parallel.unary_transform(d_in=wide, d_out=out, op=together)
    for function in ON_INTEGERS:
        expected = [int(function(int(a))) for a in NUMBERS]
        assert out.to_numpy()[function.__name__].tolist() == expected, function.__name__


def test_floats_mean_what_python_means() -> None:
    dtype = np.dtype([("newton", np.float64), ("mean", np.float64)], align=True)
    out = DeviceArray.empty(FLOATS.size, dtype)
    parallel.unary_transform(
        d_in=DeviceArray.from_numpy(FLOATS), d_out=out, op=lambda a: (newton(a), mean_of_digits(a))
    )
    np.testing.assert_allclose(out.to_numpy()["newton"], [newton(float(a)) for a in FLOATS], rtol=1e-15)
    np.testing.assert_allclose(out.to_numpy()["mean"], [mean_of_digits(float(a)) for a in FLOATS], rtol=1e-15)


def test_operators_of_two_operands_and_conditions() -> None:
    def closer(a: Any, b: Any) -> Any:
        if abs(a - 30) <= abs(b - 30):
            return a
        return b

    def is_prime(a: Any) -> Any:
        if a < 2:
            return False
        for i in range(2, a):  # noqa: SIM110
            if a % i == 0:
                return False
        return True

    assert parallel.reduce(NUMBERS, np.int32(1000), closer) == 27
    assert parallel.select(NUMBERS, is_prime).tolist() == [2, 7, 97]
    assert parallel.reduce(NUMBERS, np.int32(0), greatest_common_divisor) == 1


def test_arrays_on_the_device_are_read_and_written() -> None:
    table: Any = DeviceArray.from_numpy(np.array([5, 3, 8, 1], np.int64))
    seen: Any = DeviceArray.from_numpy(np.zeros(4, np.int32))

    def looked_up(a: Any) -> Any:
        total = 0
        for i in range(4):
            if i <= a:
                total += table[i]
        seen[a] = a + 100
        return total

    indices = DeviceArray.from_numpy(np.arange(4, dtype=np.int32))
    out = DeviceArray.empty(4, np.int64)
    parallel.unary_transform(d_in=indices, d_out=out, op=looked_up)
    assert out.to_numpy().tolist() == [5, 8, 16, 17]
    assert seen.to_numpy().tolist() == [100, 101, 102, 103]
    # Another array of the same kind needs no other program.
    operator, _ = as_operator(looked_up, [np.dtype(np.int32)], np.dtype(np.int64))
    before = operator.text
    table = DeviceArray.from_numpy(np.zeros(4, np.int64))
    assert as_operator(looked_up, [np.dtype(np.int32)], np.dtype(np.int64))[0].text == before


def test_arrays_are_read_only_where_the_condition_lets_it() -> None:
    table: Any = DeviceArray.from_numpy(np.array([1, 0, 1, 5], np.int32))
    huge = np.int64(1) << 50

    def op(a: Any) -> Any:
        first = table[a] if 0 <= a < 4 else -1
        i = a
        while i < 4 and table[i] > 0:
            i += 1
        return first * 100 + i * (not (a > 4 and table[a] > 0))

    inputs = np.array([0, 1, 2, 3, 5], np.int64)
    inputs[4] = huge
    out = DeviceArray.empty(5, np.int64)
    parallel.unary_transform(d_in=DeviceArray.from_numpy(inputs[:4]), d_out=out, op=op, num_items=4)
    assert out.to_numpy()[:4].tolist() == [101, 1, 104, 504]
    far = DeviceArray.from_numpy(inputs[4:])
    parallel.unary_transform(d_in=far, d_out=out, op=lambda a: table[a] if 0 <= a < 4 else -1, num_items=1)
    assert out.to_numpy()[0] == -1
    parallel.unary_transform(d_in=far, d_out=out, op=lambda a: a < 4 and table[a] > 0, num_items=1)
    assert out.to_numpy()[0] == 0


def test_what_is_known_before_is_decided_before() -> None:
    fast = True

    def op(a: Any) -> Any:
        if fast:
            scale = np.float32(2)
        else:
            scale = unknown(a)  # type: ignore[name-defined]  # noqa: F821
        return a * scale

    operator, dtype = as_operator(op, [np.dtype(np.float32)], None)
    assert "if" not in operator.text
    assert dtype == np.float32


@pytest.mark.parametrize(("op", "kind"), [(lambda a, b: a + b, OpKind.PLUS), (lambda x, y: x < y, OpKind.LESS)])
def test_plain_ones_are_the_well_known_operators(op: Callable[..., Any], kind: OpKind) -> None:
    operator, _ = as_operator(op, [np.dtype(np.int32)] * 2, None)
    assert operator.text.strip("()") in ("a + b", "a < b"), kind


def types_of_variables(a: Any) -> Any:
    small: Any
    wide: Any
    real: Any
    small, wide, real = 0, 0, 0
    for i in range(3):
        small = small + a
        wide = wide + i
        real = real + 0.5
    return small, wide, real


def test_variables_have_the_common_type_of_what_they_are_given() -> None:
    result = np.dtype([("small", np.int16), ("wide", np.int64), ("real", np.float64)], align=True)
    operator, _ = as_operator(types_of_variables, [np.dtype(np.int16)], result)
    assert [line.split(" v")[0] for line in operator.text.splitlines()[1:4]] == ["double", "short", "long long"]


def raises(a: Any) -> Any:
    raise ValueError(a)


def tries(a: Any) -> Any:
    try:
        return 1 if a > 0 else 0
    except KeyError:
        return 2


def ends(a: Any) -> Any:  # noqa: RET503
    if a > 0:
        return a


def unassigned(a: Any) -> Any:
    if a > 0:
        x = a
    return x


def recursive(a: Any) -> Any:
    return 1 if a < 2 else a * recursive(a - 1)


def lists(a: Any) -> Any:
    return sum([a + i for i in range(3)])


def decides_in_a_list(a: Any) -> Any:
    return sum([i for i in range(3) if i < a])


def prints(a: Any) -> Any:
    print("here")
    return a


def over_elements(a: Any) -> Any:
    total = 0
    for x in a:
        total += x
    return total


ON_HOST = np.arange(4)


def reads_host_memory(a: Any) -> Any:
    return ON_HOST[a]


def other_library(a: Any) -> Any:
    return random.Random(a)


def mixed(a: Any) -> Any:
    x = (a, a)
    if a > 0:
        x = a
    return x


@pytest.mark.parametrize(
    ("op", "line", "reason"),
    [
        (raises, 1, "raise cannot be translated"),
        (tries, 1, "try cannot be translated"),
        (ends, 0, "may end without returning"),
        (unassigned, 3, "'x' may not have been assigned"),
        (recursive, 1, "'recursive' calls itself"),
        (decides_in_a_list, 1, "a list comprehension cannot be translated"),
        (prints, 1, "print has no meaning on the device"),
        (over_elements, 2, "a loop goes over something else than range"),
        (reads_host_memory, 1, r"(?s)an array in host memory .*DeviceArray.from_numpy\(\)"),
        (other_library, 1, "'Random' has no meaning on the device"),
        (mixed, 2, "values of several parts"),
    ],
)
def test_what_cannot_be_translated_is_refused_with_line_and_reason(op: Any, line: int, reason: str) -> None:
    place = f"test_translation.py:{op.__code__.co_firstlineno + line}"
    with pytest.raises(TraceError, match=reason) as caught:
        as_operator(op, [np.dtype(np.int64)], None)
    assert place in str(caught.value)
    assert isinstance(caught.value, InvalidArgument)


def test_functions_without_source_and_python_about_known_values_are_traced() -> None:
    assert parallel.transform(NUMBERS, lists).tolist() == (NUMBERS * 3 + 3).tolist()
    scope: dict[str, Any] = {}
    exec("def plain(a): return a * 2\ndef decides(a):\n    return 1 if a > 0 else 0", scope)
    assert parallel.transform(NUMBERS, scope["plain"]).tolist() == (NUMBERS * 2).tolist()
    with pytest.raises(TraceError, match="decides by a value"):
        parallel.transform(NUMBERS, scope["decides"])


def random_function(seed: int) -> str:
    """Statements over three variables, which Python and the device are to agree on."""
    generator = random.Random(seed)
    names = ["x", "y", "z"]

    def expression(depth: int) -> str:
        if depth == 0 or generator.random() < 0.3:
            return generator.choice([*names, "a", f"(a * 0 + {generator.randint(-9, 9)})"])
        left, right = expression(depth - 1), expression(depth - 1)
        return f"({left} {generator.choice(['+', '-', '*', '//', '%', '&', '|', '^'])} {right})"

    def condition() -> str:
        one = f"{expression(1)} {generator.choice(['<', '<=', '==', '!=', '>'])} {expression(1)}"
        return one if generator.random() < 0.7 else f"not {one} or {expression(1)} > 0"

    def block(depth: int, loops: int) -> list[str]:
        lines: list[str] = []
        for _ in range(generator.randint(1, 3)):
            kind = generator.random()
            if depth and kind < 0.35:
                lines += [f"if {condition()}:", *("    " + each for each in block(depth - 1, loops))]
                if generator.random() < 0.6:
                    lines += ["else:", *("    " + each for each in block(depth - 1, loops))]
            elif depth and kind < 0.55:
                name = f"i{depth}"
                lines += [f"for {name} in range({generator.randint(1, 4)}):"]
                lines += ["    " + each for each in block(depth - 1, loops + 1)]
                lines += [f"    {generator.choice(names)} = {expression(1)} + {name}"]
            elif loops and kind < 0.62:
                lines += [f"if {condition()}:", f"    {generator.choice(['break', 'continue'])}"]
            elif kind < 0.67:
                lines += [f"if {condition()}:", f"    return {expression(1)}"]
            elif kind < 0.75:
                first, second = generator.sample(names, 2)
                lines += [f"{first}, {second} = {second}, {expression(1)}"]
            else:
                lines += [f"{generator.choice(names)} = {expression(2)}"]
        return lines

    body = ["x, y, z = a, a * 0 + 1, a - a", *block(3, 0), "return x + y * 3 + z * 7"]
    return "\n".join([f"def f{seed}(a):", *("    " + line for line in body)])


def test_random_functions_mean_what_numpy_means(tmp_path: Any) -> None:
    """Many in one program. Python computes with NumPy's int64, which wraps around too; both give 0 for n // 0."""
    count = 40
    file = tmp_path / "functions.py"
    file.write_text("\n\n".join(random_function(seed) for seed in range(count)), encoding="utf-8")
    scope: dict[str, Any] = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), scope)
    functions = [scope[f"f{seed}"] for seed in range(count)]
    together = "def together(a):\n    return (" + ", ".join(f"f{seed}(a)" for seed in range(count)) + ",)\n"
    (tmp_path / "together.py").write_text(together, encoding="utf-8")
    exec(compile(together, str(tmp_path / "together.py"), "exec"), scope)
    dtype = np.dtype([(f"f{seed}", np.int64) for seed in range(count)], align=True)
    inputs = np.array([0, 1, -1, 3, -8, 12, 100, -999], np.int64)
    out = DeviceArray.empty(inputs.size, dtype)
    parallel.unary_transform(d_in=DeviceArray.from_numpy(inputs), d_out=out, op=scope["together"])
    with np.errstate(all="ignore"):
        for seed, function in enumerate(functions):
            expected = [int(np.int64(function(a))) for a in inputs]
            assert out.to_numpy()[f"f{seed}"].tolist() == expected, random_function(seed)
