"""The table of the algorithms over host memory in pieces is read; what does not agree with the header is refused."""

from __future__ import annotations

import ast
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
for layer in ("capi", "swig"):
    sys.path.insert(0, str(ROOT / layer / "generator"))

import algorithms  # noqa: E402
import csharp_out_of_core  # noqa: E402
import description  # noqa: E402
import java_out_of_core  # noqa: E402
import out_of_core_description as out_of_core  # noqa: E402
import python_out_of_core  # noqa: E402

ABI = description.load()
TABLE = out_of_core.FILE.read_text(encoding="utf-8")


def test_every_algorithm_has_a_row() -> None:
    names = {name for name in (each.name for each in ABI.functions) if re.search(r"out_of_core_\w+_build$", name)}
    assert {each.build.name for each in out_of_core.load(ABI)} == names


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('function = "scan"', 'function = "scam"', "Scan: the headers have no cuprum_out_of_core_scam_build"),
        ('result = "gets one value"\n', "", "cuprum_out_of_core_reduce: the table has no text for result"),
        ('values = { init = "accumulator" }', "", "the table does not say what init is, a const void*"),
        ('values = { init = "accumulator" }', 'values = { init = "sum" }', "the types of elements and values: sum is"),
        ('enums = { kind = "ScanKind" }\n', "", "Scan: the table has no type for kind"),
        ('operands = "accumulator"', "", "Reduce: python.operands is for an operator"),
        ('"elements", "result", "init"]', '"elements", "results"]', "Reduce: a call has a parameter results"),
        ('needs = "values"', 'needs = "value"', "RadixSort: needs: value is not a parameter"),
        ('result = "how many', 'returns = "how many', "ReduceByKey: unknown key returns"),
        ('call = """Sorts', 'cull = """Sorts', "RadixSort: unknown key python.cull"),
    ],
)
def test_what_does_not_agree_with_the_header_is_refused(
    tmp_path: pathlib.Path, before: str, after: str, expected: str
) -> None:
    assert before in TABLE
    file = tmp_path / "out_of_core.toml"
    file.write_text(TABLE.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(algorithms.TableError, match=re.escape(expected)):
        out_of_core.load(ABI, file)


def test_an_algorithm_without_a_row_is_refused(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "out_of_core.toml"
    file.write_text(TABLE[: TABLE.rindex("[[algorithm]]")], encoding="utf-8")
    with pytest.raises(algorithms.TableError, match="has no row of cuprum_out_of_core_reduce_by_key_build"):
        out_of_core.load(ABI, file)


def test_each_language_has_each_class() -> None:
    rows = out_of_core.load(ABI)
    module = ast.parse(python_out_of_core.text(rows))
    classes = {each.name for each in module.body if isinstance(each, ast.ClassDef)}
    assert classes == {row.name for row in rows}
    java, csharp = java_out_of_core.source(rows), csharp_out_of_core.source(rows)
    for row in rows:
        assert f"public static final class {row.name} extends OutOfCoreAlgorithm" in java
        assert f"public sealed class {row.name}<" in csharp
