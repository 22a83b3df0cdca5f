"""The tables of the algorithms in docs/parallel.md: which names each language has. They are committed, since they are
read there; the test documentation_snippets compares them with what is generated here."""

from __future__ import annotations

import pathlib
import re

from algorithms import Algorithm, OneShot
from names import camel

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path("docs/parallel.md")

#: The modules of cuprum.parallel with calls over host data that are not generated.
_BY_HAND = ("_one_shot", "_histogram", "_multi_histogram")
_NARY_IN_PYTHON = ("nary_transform",)


def page(text: str, algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    """The page with its tables as they should be."""
    for name, table in (
        ("one-shot calls", one_shot_table(algorithms, calls)),
        ("algorithms", built_table(algorithms)),
        ("names of cuda.compute", cuda_compute_table(algorithms)),
    ):
        begin, end = f"<!-- generated: {name} -->\n", f"<!-- end of {name} -->\n"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{PAGE}: expected one block between {begin.strip()} and {end.strip()}")
        text = text.partition(begin)[0] + begin + table + end + text.partition(end)[2]
    return text


def python_names(algorithms: list[Algorithm]) -> set[str]:
    """The public names of cuprum.parallel."""
    written = (ROOT / "swig/python/cuprum/parallel/__init__.py").read_text(encoding="utf-8")
    names = set(re.findall(r'^    "(\w+)",$', written, re.MULTILINE))
    functions = {name for each in algorithms if not each.python.by_hand for name in each.python.function_names}
    return names | functions | {f"make_{name}" for name in functions}


def cuda_compute_names() -> dict[str, str]:
    """The names that cuda.compute has, and what there is in the place of those that cuprum.parallel has not."""
    lines = (ROOT / "docs/cuda-compute-names.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.partition("  ") for line in lines if not line.startswith("#"))
    return {name: instead for name, _, instead in rows}


def cuda_compute_table(algorithms: list[Algorithm]) -> str:
    there = python_names(algorithms)
    lines = ["| `cuda.compute` 1.2.1 | `cuprum.parallel` |", "|---|---|"]
    for name, instead in cuda_compute_names().items():
        if (name in there) == bool(instead):
            raise ValueError(f"docs/cuda-compute-names.txt: {name} is {'there' if instead else 'not there'}")
        lines.append(f"| `{name}` | {instead or 'the same'} |")
    return "\n".join(lines) + "\n"


def built_table(algorithms: list[Algorithm]) -> str:
    rows = []
    for algorithm in algorithms:
        what = re.sub("^building an? ", "", algorithm.building)
        python = [f"make_{name}" for name in algorithm.python.function_names]
        build = algorithm.build.name.removeprefix("cuprum_parallel_")
        rows.append((what, [[algorithm.name], [build], python, [algorithm.name], [algorithm.name]]))
    return _table(["", "C++", "C: `cuprum_parallel_`", "Python", "Java", "C#"], rows)


def one_shot_table(algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    package = ROOT / "swig/python/cuprum/parallel"
    by_hand = "".join((package / f"{name}.py").read_text(encoding="utf-8") for name in _BY_HAND)
    # By the function of one or two inputs, the one of any number.
    nary = {each.nary[2].name.removesuffix("_nary"): (each.nary[2].name,) for each in algorithms if each.nary}
    rows = []
    for function in dict.fromkeys(call.call.name for call in calls):
        group = [call for call in calls if call.call.name == function]
        python = [
            name for call in group for name in call.python_functions if call.python or f"\ndef {name}(" in by_hand
        ]
        columns = [
            [call.name for call in group if call.csharp],
            [name.removeprefix("cuprum_parallel_") for name in (function, *nary.get(function, ()))],
            [*python, *(_NARY_IN_PYTHON if function in nary else ())],
            [camel(call.name) for call in group if call.java],
            [call.csharp_name for call in group if call.csharp],
        ]
        rows.append((group[0].call.does, columns))
    return _table(["", "C++", "C: `cuprum_parallel_`", "Python", "Java: `Parallel`", "C#: `Parallel`"], rows)


def _table(heads: list[str], rows: list[tuple[str, list[list[str]]]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    lines[0] = lines[0].replace("|  |", "| |", 1)
    for what, names in rows:
        cells = [", ".join(f"`{name}`" for name in dict.fromkeys(each)) for each in names]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
