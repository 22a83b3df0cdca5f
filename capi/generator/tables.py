"""What reading capi/distributed.toml and reading capi/out_of_core.toml have in common."""

from __future__ import annotations

import dataclasses
import enum
import pathlib
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

from algorithms import TableError, text
from description import Description, Function


class Role(enum.Enum):
    """What a parameter of a build function or a call is."""

    PLACE = enum.auto()  # where it runs: a communicator, or a part of a device's memory
    ENUMERATOR = enum.auto()
    TYPE = enum.auto()
    OPERATOR = enum.auto()
    DATA = enum.auto()  # a list of shards with its length, or host memory with its size
    VALUE = enum.auto()  # with its size
    NUMBER = enum.auto()


@dataclasses.dataclass(frozen=True)
class Argument:
    """A parameter, or several that stand for one thing: init and init_size."""

    role: Role
    name: str
    doc: str
    #: A type that need not be given, or what a call may be given none of.
    optional: bool = False
    #: Of data and values: the type of their elements, a text of the build function.
    of: str = ""
    is_written: bool = False


@dataclasses.dataclass(frozen=True)
class Form:
    """A call with some of the parameters; the others are NULL."""

    arguments: tuple[Argument, ...]
    doc: str
    #: A text of the build function that must not be NULL; "" for none.
    needs: str = ""


@dataclasses.dataclass(frozen=True)
class Algorithm:
    """One that is built for a place and called with data there."""

    name: str
    build: Function
    call: Function
    build_arguments: tuple[Argument, ...]
    #: In C's order.
    call_arguments: tuple[Argument, ...]
    #: The shortest first.
    forms: tuple[Form, ...]
    summary: str
    build_doc: str
    enums: dict[str, str]
    types: dict[str, str]
    #: What a call returns; "" for nothing.
    result: str
    #: What a call does, where it has several forms.
    python_call: str
    #: What parameters are called, where that is not C's name.
    python_names: dict[str, str]
    python_defaults: dict[str, str]
    operands: str

    @property
    def type_names(self) -> list[str]:
        """The texts of the build function that are types."""
        return [each.name for each in self.build_arguments if each.role == Role.TYPE]

    @property
    def value_types(self) -> list[str]:
        """Those of them that the bytes of values need."""
        return list(dict.fromkeys(each.of for each in self.call_arguments if each.role == Role.VALUE))


def make_algorithm(
    functions: tuple[str, Function, Function],
    row: dict[str, Any],
    build_arguments: Iterable[Argument],
    call_arguments: tuple[Argument, ...],
    forms: tuple[Form, ...],
    result: str,
) -> Algorithm:
    """With the rest of the row, of which nothing may be left."""
    name, build, call = functions
    python = row.pop("python")
    algorithm = Algorithm(
        name=name,
        build=build,
        call=call,
        build_arguments=tuple(build_arguments),
        call_arguments=call_arguments,
        forms=forms,
        summary=text(row.pop("summary")),
        build_doc=text(row.pop("build")),
        enums=row.pop("enums", {}),
        types=row.pop("types"),
        result=result,
        python_call=text(python.pop("call", "")),
        python_names=python.pop("names", {}),
        python_defaults=python.pop("defaults", {}),
        operands=python.pop("operands", ""),
    )
    if unknown := {*row, *(f"python.{key}" for key in python)}:
        raise TableError(f"{name}: unknown key {min(unknown)}")
    return algorithm


def check(algorithm: Algorithm, docs: dict[str, str], type_docs: dict[str, str]) -> None:
    """That what the table names is there, and nothing is missing."""
    everything = {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments)}
    types, enumerators = names(algorithm, Role.TYPE), names(algorithm, Role.ENUMERATOR)
    require_known(
        algorithm.name,
        (
            ("docs", docs, everything),
            ("type_docs", type_docs, types),
            ("types", algorithm.types, types),
            ("enums", algorithm.enums, enumerators),
            ("python.names", algorithm.python_names, everything),
            ("python.defaults", algorithm.python_defaults, types | enumerators),
        ),
    )
    if missing := (types - set(algorithm.types)) | (enumerators - set(algorithm.enums)):
        raise TableError(f"{algorithm.name}: the table has no type for {min(missing)}")
    if bool(algorithm.operands) != bool(names(algorithm, Role.OPERATOR)):
        raise TableError(f"{algorithm.name}: python.operands is for an operator, and an operator needs it")
    if bool(algorithm.python_call) != (len(algorithm.forms) > 1):
        raise TableError(f"{algorithm.name}: python.call is for a call with several forms, and these need it")


def names(algorithm: Algorithm, role: Role) -> set[str]:
    """The parameters of a role, of both functions."""
    return {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments) if each.role == role}


def load_table(
    description: Description,
    file: pathlib.Path,
    prefix: str,
    algorithm: Callable[[dict[str, Function], dict[str, Any]], Algorithm],
) -> list[Algorithm]:
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


def require_known(name: str, keys: Iterable[tuple[str, Iterable[str], set[str]]]) -> None:
    """Of each key, what it names is among the parameters that it may name."""
    for key, given, known in keys:
        if wrong := set(given) - known:
            raise TableError(f"{name}: {key}: {min(wrong)} is not a parameter that this can be of")
