"""The table of the algorithms over several devices is read whole; what does not agree with the header is refused."""

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
import csharp_distributed  # noqa: E402
import description  # noqa: E402
import distributed_description as distributed  # noqa: E402
import interface  # noqa: E402
import java_distributed  # noqa: E402
import python_distributed  # noqa: E402

ABI = description.load()
TABLE = distributed.FILE.read_text(encoding="utf-8")


def test_every_algorithm_has_a_row() -> None:
    names = {name for name in (each.name for each in ABI.functions) if re.search(r"distributed_\w+_build$", name)}
    assert {each.build.name for each in distributed.load(ABI)} == names


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('function = "scan"', 'function = "scam"', "Scan: the headers have no cuprum_distributed_scam_build"),
        ('written = ["outputs"]', 'wrote = ["outputs"]', "Reduce: unknown key wrote"),
        ('written = ["outputs"]', 'written = ["output"]', "Reduce: written: output is not a parameter"),
        ('outputs = "each gets one value"\n', "", "cuprum_distributed_reduce: the table has no text for outputs"),
        ('values = { init = "accumulator" }', "", "the table does not say of which type the elements of init are"),
        ('init = "accumulator" }', 'init = "sum" }', "Reduce: elements: sum is not a parameter"),
        ('enums = { kind = "ScanKind" }\n', "", "Scan: the table has no type for kind"),
        ('operands = "accumulator"', "", "Reduce: python.operands is for an operator"),
        ('    "Reduces with an initial value.', '    "", "Reduces.', "Reduce: calls: expected 2 sentences"),
        ('call = """Sorts', 'cull = """Sorts', "RadixSort: unknown key python.cull"),
    ],
)
def test_what_does_not_agree_with_the_header_is_refused(
    tmp_path: pathlib.Path, before: str, after: str, expected: str
) -> None:
    assert before in TABLE
    file = tmp_path / "distributed.toml"
    file.write_text(TABLE.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(algorithms.TableError, match=re.escape(expected)):
        distributed.load(ABI, file)


def test_an_algorithm_without_a_row_is_refused(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "distributed.toml"
    file.write_text(TABLE[: TABLE.rindex("[[algorithm]]")], encoding="utf-8")
    with pytest.raises(algorithms.TableError, match="has no row of cuprum_distributed_reduce_by_key_build"):
        distributed.load(ABI, file)


def test_what_is_generated_is_whole() -> None:
    rows = distributed.load(ABI)
    module = ast.parse(python_distributed.text(rows))
    classes = {each.name: each for each in module.body if isinstance(each, ast.ClassDef)}
    assert classes.keys() == {each.name for each in rows}
    sort = next(each for each in classes["RadixSort"].body if getattr(each, "name", "") == "__call__")
    assert isinstance(sort, ast.FunctionDef)
    assert [each.arg for each in sort.args.args] == ["self", "keys", "keys_out", "values", "values_out"]
    java, csharp = java_distributed.source(rows), csharp_distributed.source(rows)
    for row in rows:
        assert f"public static final class {row.name} extends DistributedAlgorithm {{" in java
        assert re.search(rf"public sealed class {row.name}<[\w, ]+> : DistributedAlgorithm", csharp)
    assert "public void call(List<Shard> keys, List<Shard> keysOut, List<Shard> values, List<Shard> valuesOut)" in (
        " ".join(java.split())
    )
    assert "RadixSort<TKey> : DistributedAlgorithm" in csharp
    assert "RadixSort<TKey, TValue> : DistributedAlgorithm" in csharp
    for text in (java, csharp):
        assert max(map(len, text.splitlines())) <= 120


def test_a_list_of_structures_is_a_list_of_each_field() -> None:
    text = interface.interface(ABI)
    assert (
        "cuprum_adapted_distributed_reduce(cuprum_distributed_algorithm algorithm, const char* const* inputs_type, "
        "uint32_t inputs_type_count, const cuprum_buffer* inputs_memory, uint32_t inputs_memory_count, "
        "const void* inputs_count, uint64_t inputs_count_size, "
    ) in text
    assert "(const cuprum_buffer* inputs_memory, uint32_t inputs_memory_count)" in text  # has a typemap
    assert (
        "cuprum_distributed_reduce(algorithm, inputs.data(), inputs.count(), outputs.data(), outputs.count(), " in text
    )
    # Kernel arguments are a list of unions, which has typemaps of its own.
    assert "cuprum_adapted_launch(" in text
    assert "StructList<cuprum_argument>" not in text
