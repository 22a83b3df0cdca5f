"""What reading capi/distributed.toml and reading capi/out_of_core.toml have in common."""

from __future__ import annotations

import pathlib
import tomllib
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from algorithms import TableError
from description import Description, Function


class Built(Protocol):
    """An algorithm of a table."""

    @property
    def build(self) -> Function: ...


AnyAlgorithm = TypeVar("AnyAlgorithm", bound=Built)


def load_table(
    description: Description,
    file: pathlib.Path,
    prefix: str,
    algorithm: Callable[[dict[str, Function], dict[str, Any]], AnyAlgorithm],
) -> list[AnyAlgorithm]:
    """The algorithms, in the order of the table, each made of its row. All of the prefix's build functions have one."""
    functions = {function.name: function for function in description.functions}
    algorithms = [algorithm(functions, row) for row in tomllib.loads(file.read_text(encoding="utf-8"))["algorithm"]]
    built = {name for name in functions if name.startswith(prefix) and name.endswith("_build")}
    if missing := built - {each.build.name for each in algorithms}:
        raise TableError(f"{file.name} has no row of {min(missing)}")
    return algorithms


def take_functions(functions: dict[str, Function], prefix: str, row: dict[str, Any]) -> tuple[str, Function, Function]:
    """Takes off a row the algorithm's name and its functions, the one that builds and the one that calls."""
    name, function = row.pop("name"), row.pop("function")
    try:
        return name, functions[f"{prefix}{function}_build"], functions[f"{prefix}{function}"]
    except KeyError as missing:
        raise TableError(f"{name}: the headers have no {missing.args[0]}") from None


def require_all_read(name: str, row: dict[str, Any], python: dict[str, Any]) -> None:
    """Once every known key was taken off."""
    if unknown := {*row, *(f"python.{key}" for key in python)}:
        raise TableError(f"{name}: unknown key {min(unknown)}")


def require_known(name: str, keys: Iterable[tuple[str, Iterable[str], set[str]]]) -> None:
    """Of each key, what it names is among the parameters that it may name."""
    for key, given, known in keys:
        if wrong := set(given) - known:
            raise TableError(f"{name}: {key}: {min(wrong)} is not a parameter that this can be of")
