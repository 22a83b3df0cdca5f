"""The table of the algorithms is read whole, and what does not agree with the C headers is refused."""

from __future__ import annotations

import ast
import pathlib
import re
import shutil
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
for layer in ("capi", "swig"):
    sys.path.insert(0, str(ROOT / layer / "generator"))

import algorithms  # noqa: E402
import csharp_algorithms  # noqa: E402
import csharp_parallel  # noqa: E402
import description  # noqa: E402
import documentation  # noqa: E402
import java_algorithms  # noqa: E402
import java_parallel  # noqa: E402
import python_algorithms  # noqa: E402

ABI = description.load()
TABLE = algorithms.FILE.read_text(encoding="utf-8")

#: A made-up algorithm in the forms of real ones: two inputs, two outputs, a type of its own, a number.
HEADER = """
/* @does building a fold by key
 * @nullable execution
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_fold_by_key_build(cuprum_parallel_algorithm* algorithm_out,
                                                             const cuprum_execution* execution,
                                                             cuprum_parallel_iterator keys,
                                                             cuprum_parallel_iterator values,
                                                             cuprum_parallel_operator op, const char* accumulator);
/* @does folding by key
 * @nullable stream op
 * @blocks */
CUPRUM_API cuprum_status cuprum_parallel_fold_by_key(cuprum_parallel_algorithm algorithm, cuprum_stream stream,
                                                       cuprum_parallel_iterator keys, cuprum_parallel_iterator values,
                                                       uint64_t keys_target, uint64_t output, uint64_t selected_count,
                                                       uint64_t count, cuprum_parallel_operator op, uint64_t storage,
                                                       uint64_t storage_size);
"""
ROW = """
[[algorithm]]
name = "FoldByKey"
build = "fold_by_key_build"
call = "fold_by_key"
summary = "A reduction of each run of equal keys."
builds = ["Builds a fold by key."]
calls = ["Reduces each run."]
types = { keys = "TKey", values = "TValue", accumulator = "T" }
result = "selected_count"
docs = { op = "combines two values; associative and commutative", accumulator = "the type of the results" }
memory.keys_target = { of = "keys", count = "count", partial = true, doc = "gets one key for each run" }
memory.output = { of = "accumulator", count = "count", partial = true, doc = "gets one value for each run" }
memory.selected_count = { of = "uint64", count = 1, doc = "gets how many runs there are" }

[algorithm.python]
class = "FoldByKey"
names = { selected_count = "d_out_num_runs" }
types = { accumulator = ["output"] }
operands = ["accumulator", "accumulator"]
result = "accumulator"
"""


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
            'docs = { op = "combines two values; associative and commutative", accumulator',
            'docs = { operator = "x", op = "y", accumulator',
            "Reduce: operator is no",
        ),
        ('memory.output = { of = "output"', 'memory.output = { of = "outputs"', "Transform: unknown type outputs"),
        ("memory.selected_count = {", "memory.selected = {", "selected_count is not understood: is it memory"),
        ('docs = { condition = "a condition of one element, `a`" }\nmemory', "memory", "Select: condition has no text"),
        (
            'calls = ["Selects the elements."]',
            'calls = ["Selects the elements.", "Again."]',
            "Select: calls has 2 sentences, expected 1",
        ),
        ('result = "selected_count"\n', "", "Select: result has to name the memory of one element"),
        ('call = "select"\n', 'call = "select"\ncolour = "red"\n', "Select: unknown key colour"),
        ('class = "Select"', 'class = "Select"\ncolour = "red"', "Select: unknown key colour for Python"),
        (
            'names = { condition = "cond"',
            'names = { cond = "cond"',
            "Select: cond, which Python names, is not a parameter",
        ),
        (
            'operands = ["input"]',
            'operands = ["inputs"]',
            "Select: Python takes a type from inputs, which is not a param",
        ),
        (
            'kind = "CUPRUM_ARG_MINIMUM"',
            'sort = "CUPRUM_ARG_MINIMUM"',
            "ArgReduce: sort, which Python fixes, is none of",
        ),
        ('returns = "the selected elements"', 'return = "the selected elements"', "select: unknown key return"),
    ],
)
def test_what_does_not_agree_with_the_headers_is_refused(
    tmp_path: pathlib.Path, before: str, after: str, expected: str
) -> None:
    with pytest.raises(algorithms.TableError, match=re.escape(expected)):
        load(tmp_path, TABLE.replace(before, after))


def test_a_function_without_a_row_is_refused(tmp_path: pathlib.Path) -> None:
    begin, end = (TABLE.index(f'[[algorithm]]\nname = "{name}"') for name in ("Select", "UniqueByKey"))
    without_select = TABLE[:begin] + TABLE[end:]
    with pytest.raises(algorithms.TableError, match="no row of cuprum_parallel_select"):
        load(tmp_path, without_select)


def test_generated_lines_are_no_longer_than_written_ones() -> None:
    classes, calls = algorithms.load(ABI)
    texts = [
        java_parallel.source(classes, calls),
        csharp_parallel.source(classes, calls),
        python_algorithms.text(classes, calls),
    ]
    for algorithm in classes:
        texts += [java_algorithms.source(algorithm), csharp_algorithms.source(algorithm)]
    assert [line for text in texts for line in text.splitlines() if len(line) > 120] == []


def test_a_new_algorithm_is_its_row(tmp_path: pathlib.Path) -> None:
    shutil.copytree(description.FOLDER, tmp_path, dirs_exist_ok=True)
    with (tmp_path / "parallel.h").open("a") as header:
        header.write(HEADER)
    table = tmp_path / "algorithms.toml"
    table.write_text(TABLE + ROW, encoding="utf-8")
    classes, calls = algorithms.load(description.load(tmp_path), table)
    assert "class FoldByKey extends Algorithm" in java_algorithms.source(classes[-1])
    assert "class FoldByKey<TKey, TValue, T> : Algorithm" in csharp_algorithms.source(classes[-1])
    module = ast.parse(python_algorithms.text(classes, calls))
    functions = {each.name: each for each in module.body if isinstance(each, ast.FunctionDef)}
    assert [each.arg for each in functions["make_fold_by_key"].args.kwonlyargs] == [
        *("d_in_keys", "d_in_values", "d_out_keys", "d_out", "d_out_num_runs"),
        *("op", "compute_capability", "execution"),
    ]
    assert [each.arg for each in functions["fold_by_key"].args.kwonlyargs] == [
        *("d_in_keys", "d_in_values", "d_out_keys", "d_out", "d_out_num_runs"),
        *("op", "num_items", "stream", "execution"),
    ]
    built = ast.unparse(functions["make_fold_by_key"])
    assert "accumulator = dtype_of(d_out, on_host=is_host(execution))" in built
    assert "_cuprum.cuprum_parallel_fold_by_key_build(" in built
    algorithm = next(each for each in module.body if isinstance(each, ast.ClassDef) and each.name == "FoldByKey")
    call = ast.unparse(algorithm)
    assert "self._elements(d_out_keys, self._keys_dtype, count, 'd_out_keys', call_stream)" in call
    assert "SelectedCount(d_out_num_runs, count, call_stream, 'd_out_num_runs', on_host=self._on_host" in call
    page = documentation.page((ROOT / documentation.PAGE).read_text(encoding="utf-8"), classes, calls)
    assert (
        "| fold by key | `FoldByKey` | `fold_by_key_build` | `make_fold_by_key` | `FoldByKey` | `FoldByKey` |" in page
    )
