#!/usr/bin/env python3
"""Compares cuprum.core with the names of cuda.core, and writes docs/cuda-core.md.

    PYTHONPATH=build/python CUPRUM_DRIVER=sim python scripts/cuda_core_table.py docs/cuda-core.md

The names are those of tests/languages/documentation/cuda_core_names.json (scripts/cuda_core_names.py); why some are not
there is said in cuda_core_reasons.json beside it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pathlib
import pkgutil
import sys
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "languages" / "documentation"
THERE, OTHER, MISSING = "there", "other arguments", "not there"


class Row(NamedTuple):
    """A name of cuda.core: "Stream.record" of the module "graph", and how Cuprum has it."""

    module: str
    name: str
    status: str
    detail: str = ""

    @property
    def path(self) -> str:
        return ".".join(filter(None, (self.module, self.name)))


def native_methods() -> dict[str, list[str]]:
    """The arguments of methods that are written in C, by name, from their stubs: they have no signatures."""
    found: dict[str, list[str]] = {}
    tree = ast.parse((ROOT / "swig" / "python" / "extension.pyi").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            names += ["*"] if node.args.vararg else []
            names += ["**"] if node.args.kwarg else []
            found.setdefault(node.name, []).extend(names)
    return found


NATIVE = native_methods()


def accepted(function: Any, name: str) -> tuple[set[str], bool, bool]:
    """The names of its parameters; whether it takes any by position, and any by name."""
    if isinstance(function, type) and "__init__" not in vars(function) and "__new__" not in vars(function):
        for base in function.__mro__[:-1]:
            if "__init__" in vars(base) or "__new__" in vars(base):
                function = vars(base).get("__init__", vars(base).get("__new__"))
                break
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        names = set(NATIVE.get(name, []))
        return names, "*" in names, "**" in names
    kinds = {each.kind for each in parameters}
    names = {each.name for each in parameters}
    return names, inspect.Parameter.VAR_POSITIONAL in kinds, inspect.Parameter.VAR_KEYWORD in kinds


def compared(module: str, name: str, wanted: list[str], found: Any) -> Row:
    own, any_position, any_name = accepted(found, name.split(".")[-1])
    missing = []
    for each in wanted:
        if each == "*" or each in own or any_name:
            continue
        if each.startswith("*") and (any_position if not each.startswith("**") else any_name):
            continue
        if each.startswith("*") and wanted == ["*args", "**kwargs"]:
            continue  # not the program's to call
        missing.append(each)
    return Row(module, name, OTHER if missing else THERE, ", ".join(missing))


def modules_of_core() -> list[Any]:
    import cuprum.core

    found = [cuprum.core]
    for each in pkgutil.walk_packages(cuprum.core.__path__, "cuprum.core."):
        found.append(importlib.import_module(each.name))
    return found


def find(module: str, name: str, everywhere: list[Any]) -> Any:
    """The object of that name; None where there is none. What members give may be in any module."""
    if module == "(given)":
        prefix, _, plain = name.rpartition(".")
        places = [each for each in everywhere if f".{prefix}" in each.__name__] if prefix else everywhere
        return next((vars(each)[plain] for each in places if plain in vars(each)), None)
    try:
        place = importlib.import_module(".".join(filter(None, ("cuprum.core", module))))
    except ImportError:
        return None
    return getattr(place, name, None)


def rows() -> list[Row]:
    names = json.loads((DATA / "cuda_core_names.json").read_text())["modules"]
    everywhere = modules_of_core()
    result: list[Row] = []
    for module, entries in names.items():
        for name, entry in entries.items():
            found = find(module, name, everywhere)
            if found is None:
                result.append(Row(module, name, MISSING))
                result += [Row(module, f"{name}.{member}", MISSING) for member in entry.get("members", {})]
                continue
            if entry["kind"] == "function":
                result.append(compared(module, name, entry["arguments"], found))
                continue
            result.append(Row(module, name, THERE))
            for member, wanted in entry.get("members", {}).items():
                path = f"{name}.{member}"
                if member == "__init__":
                    result.append(compared(module, path, wanted, found)._replace(name=path))
                elif not hasattr(found, member) and member not in getattr(found, "__annotations__", {}):
                    result.append(Row(module, path, MISSING))
                elif wanted is None:
                    result.append(Row(module, path, THERE))
                else:
                    result.append(compared(module, path, wanted, getattr(found, member)))
    return result


def reason_of(row: Row, reasons: dict[str, str]) -> str:
    """The reason for the name, or for what it is a member of."""
    path = row.path
    while path:
        if path in reasons:
            return reasons[path]
        path = path.rpartition(".")[0]
    return ""


def reasons() -> dict[str, str]:
    loaded: dict[str, str] = json.loads((DATA / "cuda_core_reasons.json").read_text())
    return loaded


def text(table: list[Row]) -> str:
    version = json.loads((DATA / "cuda_core_names.json").read_text())["version"]
    known = reasons()
    there = sum(row.status == THERE for row in table)
    lines = [
        "# cuda.core, name by name",
        "",
        "<!-- Written by scripts/cuda_core_table.py; do not edit. -->",
        "",
        f"Of the {len(table)} public names of cuda.core {version}, with the members of its classes, {there} "
        f"({100 * there / len(table):.1f} %) are in `cuprum.core` under",
        "the same name and with the same arguments. A program for `cuda.core` runs after its imports are changed.",
        "",
    ]
    for module in dict.fromkeys(row.module for row in table):
        title = {"": "cuda.core", "(given)": "Classes that members give"}.get(module, f"cuda.core.{module}")
        here = [row for row in table if row.module == module]
        count = sum(row.status == THERE for row in here)
        lines += [
            f"## {title}",
            "",
            f"{count} of {len(here)}.",
            "",
            "| name | | members that are there |",
            "| --- | --- | --- |",
        ]
        for name in dict.fromkeys(
            row.name.split(".")[0] if module != "(given)" else class_of(row.name) for row in here
        ):
            own = [row for row in here if row.name == name or row.name.startswith(name + ".")]
            head = own[0]
            members = [row.name[len(name) + 1 :] for row in own[1:] if row.status == THERE]
            shown = ", ".join(f"`{member}`" for member in members if member != "__init__")
            lines.append(f"| `{name}` | {head.status} | {shown} |")
        lines.append("")
    rest = [row for row in table if row.status != THERE]
    lines += ["## What is not there, or takes other arguments", "", "| name | | why |", "| --- | --- | --- |"]
    for row in rest:
        path = row.path.replace("(given).", "")
        what = f"without `{row.detail}`" if row.status == OTHER else row.status
        lines.append(f"| `{path}` | {what} | {reason_of(row, known)} |")
    return "\n".join(lines) + "\n"


def class_of(name: str) -> str:
    head, _, rest = name.partition(".")
    return f"{head}.{rest.partition('.')[0]}" if head in ("graph", "system") else head


def main() -> None:
    table = rows()
    pathlib.Path(sys.argv[1]).write_text(text(table))
    there = sum(row.status == THERE for row in table)
    print(f"{there} of {len(table)} ({100 * there / len(table):.1f} %)")
    unexplained = [row.path for row in table if row.status != THERE and not reason_of(row, reasons())]
    print("\n".join(unexplained))


if __name__ == "__main__":
    main()
