"""The table of the algorithms is read whole, and what does not agree with the C headers is refused."""

from __future__ import annotations

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
for layer in ("capi", "swig"):
    sys.path.insert(0, str(ROOT / layer / "generator"))

import algorithms  # noqa: E402
import csharp_algorithms  # noqa: E402
import csharp_parallel  # noqa: E402
import description  # noqa: E402
import java_algorithms  # noqa: E402
import java_parallel  # noqa: E402

ABI = description.load()
TABLE = algorithms.FILE.read_text(encoding="utf-8")


def load(tmp_path: pathlib.Path, text: str) -> None:
    assert text != TABLE, "the test changes nothing"
    file = tmp_path / "algorithms.toml"
    file.write_text(text, encoding="utf-8")
    algorithms.load(ABI, file)


def test_every_algorithm_and_every_one_shot_function_has_a_row() -> None:
    classes, calls = algorithms.load(ABI)
    names = {function.name for function in ABI.functions}
    assert {each.build.name for each in classes} == {name for name in names if re.search(r"parallel_\w+_build$", name)}
    assert {each.call.name for each in calls} == {name for name in names if re.search(r"parallel_\w+_array$", name)}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('call = "scan"', 'call = "scam"', "Scan: the headers have no cuprum_parallel_scam"),
        (
            'docs = { op = "combines two values; associative", accumulator',
            'docs = { operator = "x", op = "y", accumulator',
            "Reduce: operator is no",
        ),
        ('memory.output = { of = "output"', 'memory.output = { of = "outputs"', "Transform: unknown type outputs"),
        ("memory.selected_count = {", "memory.selected = {", "selected_count is not understood: is it memory"),
        ('docs = { condition = "a condition of one element, `a`" }\nmemory', "memory", "Select: condition has no text"),
        ('calls = ["Selects."]', 'calls = ["Selects.", "Again."]', "Select: calls has 2 sentences, expected 1"),
        ('result = "selected_count"\n', "", "Select: result has to name the memory of one element"),
        ('calling = "selecting"', 'calling = "selecting"\ncolour = "red"', "Select: unknown key colour"),
        ('returns = "those alone"', 'return = "those alone"', "select: unknown key return"),
    ],
)
def test_what_does_not_agree_with_the_headers_is_refused(
    tmp_path: pathlib.Path, before: str, after: str, expected: str
) -> None:
    with pytest.raises(algorithms.TableError, match=re.escape(expected)):
        load(tmp_path, TABLE.replace(before, after))


def test_a_function_without_a_row_is_refused(tmp_path: pathlib.Path) -> None:
    without_select = TABLE[: TABLE.index('[[algorithm]]\nname = "Select"')]
    with pytest.raises(algorithms.TableError, match="no row of cuprum_parallel_select"):
        load(tmp_path, without_select)


def test_generated_lines_are_no_longer_than_written_ones() -> None:
    classes, calls = algorithms.load(ABI)
    texts = [java_parallel.source(calls), csharp_parallel.source(calls)]
    for algorithm in classes:
        texts += [java_algorithms.source(algorithm), csharp_algorithms.source(algorithm)]
    assert [line for text in texts for line in text.splitlines() if len(line) > 120] == []
