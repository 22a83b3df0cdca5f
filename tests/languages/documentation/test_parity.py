"""What the tables of docs/parallel.md say there is in each language, there is; and what there is, they say."""

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
import csharp_distributed  # noqa: E402
import csharp_out_of_core  # noqa: E402
import csharp_parallel  # noqa: E402
import description  # noqa: E402
import distributed_description as distributed  # noqa: E402
import documentation  # noqa: E402
import java_algorithms  # noqa: E402
import java_distributed  # noqa: E402
import java_out_of_core  # noqa: E402
import java_parallel  # noqa: E402
import out_of_core_description as out_of_core  # noqa: E402
import python_algorithms  # noqa: E402
import python_distributed  # noqa: E402
import python_out_of_core  # noqa: E402

LANGUAGES = ("C++", "C", "Python", "Java", "C#")
#: Tables: over host data; and built, with what they are built of.
HOST, BUILT = 0, 1


def tables() -> list[list[list[set[str]]]]:
    """For each table, for each row, the names in its columns."""
    section = (ROOT / "docs" / "parallel.md").read_text().split("## In each language\n")[1].split("\n## ")[0]
    found: list[list[list[set[str]]]] = []
    for line in section.splitlines():
        if line.startswith("| | C++"):
            found.append([])
        elif line.startswith("|") and not line.startswith("|---"):
            cells = line.strip("|").split("|")[1:]
            found[-1].append([set(re.findall(r"`(\w+)`", cell)) for cell in cells])
    host, *built = found
    return [host, [row for table in built for row in table]]


def sources(folder: str, pattern: str) -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / folder).glob(pattern)))


def declared(language: str, table: int) -> set[str]:
    if language == "C++":
        text = sources("parallel/include/cuprum/parallel", "*.hpp")
        return set(re.findall(r"(?:^class |^enum class |\b)(\w+)(?=\(|<| \{| :)", text, re.MULTILINE))
    if language == "C":
        abi = description.load()
        functions = {
            function.name.removeprefix("cuprum_parallel_")
            for function in abi.functions
            if function.name.startswith("cuprum_parallel_")
        }
        return (
            functions
            | abi.structs.keys()
            | set(re.findall(r"CUPRUM_\w+(?= =)", sources("capi/include/cuprum/capi", "parallel.h")))
        )
    if language == "Python":
        written = sources("swig/python/cuprum/parallel", "*.py")
        text = written + python_algorithms.text(*algorithms.load(description.load()))
        return set(re.findall(r"^ *(?:def|class) (\w+)", text, re.MULTILINE))
    text = "\n".join(line for line in managed_source(language, table).splitlines() if "public " in line)
    return set(re.findall(r"\b(\w+)(?=\(|<| \{| extends| implements| :)", text))


def managed_source(language: str, table: int) -> str:
    """Java's or C#'s: what is generated, and what is written by hand."""
    classes, calls = algorithms.load(description.load())
    if language == "Java":
        if table == HOST:
            return java_parallel.source(classes, calls)
        return "\n".join([*map(java_algorithms.source, classes), sources("swig/java/src/io/cuprum", "*.java")])
    if table == HOST:
        return csharp_parallel.source(classes, calls)
    return "\n".join([*map(csharp_algorithms.source, classes), sources("swig/csharp/src", "*.cs")])


def test_the_tables_are_what_is_generated() -> None:
    page = (ROOT / documentation.PAGE).read_text(encoding="utf-8")
    assert page == documentation.page(page, *algorithms.load(description.load())), (
        "regenerate them: swig/generator/generate_interface.py --docs docs"
    )


def test_every_algorithm_and_iterator_of_cuda_compute_is_there_under_its_name() -> None:
    names = documentation.cuda_compute_names()
    assert len(names) == 53
    there = documentation.python_names(algorithms.load(description.load())[0])
    assert {name for name, instead in names.items() if not instead} == names.keys() & there
    assert sum(name.endswith("Iterator") for name in names.keys() & there) == 10
    assert not any(instead for name, instead in names.items() if name.startswith("make_"))


@pytest.mark.parametrize("table", [HOST, BUILT], ids=["host", "built"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_is_there(language: str, table: int) -> None:
    column = LANGUAGES.index(language)
    rows = tables()[table]
    named = set().union(*(row[column] for row in rows))
    assert len(rows) >= 6
    assert len(named) >= 5
    assert named <= declared(language, table)
    empty = sum(not row[column] for row in rows)
    # Functions as operators are Python's, Java's and C#'s.
    assert empty <= {"C++": 1, "C": 1, "Python": 0, "Java": 0, "C#": 0}[language]


def test_every_algorithm_is_in_the_tables() -> None:
    host, built = tables()
    in_tables = {name for rows in (host, built) for row in rows for name in row[LANGUAGES.index("C")]}
    functions = {name for name in declared("C", BUILT) if name.endswith(("_build", "_array"))}
    assert {"reduce_build", "scan_build", "reduce_array", "scan_array"} <= functions
    assert functions <= in_tables
    for language, subclass in (
        ("Java", r"public final class (\w+) extends Algorithm\b"),
        ("C#", r"public sealed class (\w+)<[\w, ]+> : Algorithm\b"),
    ):
        subclasses = set(re.findall(subclass, managed_source(language, BUILT)))
        assert subclasses == {each.name for each in algorithms.load(description.load())[0]}
        assert subclasses <= {name for row in built for name in row[LANGUAGES.index(language)]}


def test_every_algorithm_has_an_example_in_every_language() -> None:
    names = {name.removesuffix("_build") for name in declared("C", BUILT) if name.endswith("_build")}
    assert {"reduce", "segmented_reduce", "radix_sort"} <= names
    for name in names:
        camel = "Parallel" + "".join(word.capitalize() for word in name.split("_"))
        for path in (
            f"c/parallel_{name}.c",
            f"cpp/parallel_{name}.cpp",
            f"python/parallel_{name}.py",
            f"java/{camel}.java",
            f"csharp/{camel}.cs",
        ):
            assert (ROOT / "examples" / path).exists(), path


def several_devices(language: str) -> str:
    """The sources that declare what is for several devices."""
    abi = description.load()
    rows = distributed.load(abi)
    match language:
        case "C++":
            return sources("parallel/include/cuprum/parallel/distributed", "*.hpp")
        case "C":
            return (ROOT / "capi/include/cuprum/capi/distributed.h").read_text()
        case "Python":
            folder = "swig/python/cuprum/parallel"
            return sources(folder, "*.py") + python_distributed.text(rows)
        case "Java":
            return java_distributed.source(rows) + sources("swig/java/src/io/cuprum", "*.java")
    return csharp_distributed.source(rows) + sources("swig/csharp/src", "*.cs")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_for_several_devices_is_there(language: str) -> None:
    section = (ROOT / "docs" / "scale.md").read_text().split("## In each language\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")][2:]
    named = [re.findall(r"`([\w.]+)`", row[1 + LANGUAGES.index(language)]) for row in rows]
    declarations = re.findall(r"\b(?:class|struct|record) (\w+)|cuprum_status cuprum_(\w+)", several_devices(language))
    there = {name.removeprefix("cuprum_") for pair in declarations for name in pair}
    assert len(named) == 11
    for names in named:
        assert len(names) == 1
        assert names[0].removeprefix("Distributed.") in there
    in_c = {name for row in rows for name in re.findall(r"`(\w+)`", row[2])}
    assert {row.build.name.removeprefix("cuprum_") for row in distributed.load(description.load())} <= in_c


def in_pieces(language: str) -> str:
    """The sources that declare what is for data larger than a device's memory."""
    rows = out_of_core.load(description.load())
    match language:
        case "C++":
            return sources("parallel/include/cuprum/parallel/out_of_core", "*.hpp")
        case "C":
            return (ROOT / "capi/include/cuprum/capi/out_of_core.h").read_text()
        case "Python":
            folder = "swig/python/cuprum/parallel"
            return (ROOT / folder / "_out_of_core.py").read_text() + python_out_of_core.text(rows)
        case "Java":
            return java_out_of_core.source(rows)
    return csharp_out_of_core.source(rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_for_larger_data_is_there(language: str) -> None:
    section = (ROOT / "docs" / "scale.md").read_text().split("## Data larger than a device's memory\n")[1]
    rows = [line.strip("|").split("|") for line in section.split("\n## ")[0].splitlines() if line.startswith("|")]
    named = [re.findall(r"`([\w.]+)`", row[1 + LANGUAGES.index(language)]) for row in rows[4:9]]
    declarations = re.findall(r"\bclass (\w+)|cuprum_status cuprum_(\w+)", in_pieces(language))
    there = {name for pair in declarations for name in pair}
    assert [names[0].removeprefix("OutOfCore.") in there for names in named] == [True] * 5
    in_c = {name for row in rows[4:9] for name in re.findall(r"`(\w+)`", row[2])}
    assert {row.build.name.removeprefix("cuprum_") for row in out_of_core.load(description.load())} == in_c
