"""Reads capi/distributed.toml: the algorithms over several devices, beside what the C header says about them."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import pathlib
from typing import Any

from algorithms import TableError, text
from description import Description, Function, Parameter
from tables import load_table, require_all_read, require_known, take_functions

FILE = pathlib.Path(__file__).resolve().parents[1] / "distributed.toml"
_PREFIX = "cuprum_distributed_"


class Role(enum.Enum):
    """What a parameter of a build function or a call is."""

    COMMUNICATOR = enum.auto()
    ENUMERATOR = enum.auto()
    TYPE = enum.auto()
    OPERATOR = enum.auto()
    SHARDS = enum.auto()  # a list, with its length
    VALUE = enum.auto()  # with its size
    NUMBER = enum.auto()


@dataclasses.dataclass(frozen=True)
class Argument:
    """A parameter, or several that stand for one thing: init and init_size."""

    role: Role
    name: str
    doc: str
    optional: bool
    #: Of shards and values: the type of their elements, a text of the build function.
    of: str = ""
    is_written: bool = False


@dataclasses.dataclass(frozen=True)
class Algorithm:
    name: str
    build: Function
    call: Function
    build_arguments: tuple[Argument, ...]
    call_arguments: tuple[Argument, ...]
    summary: str
    build_doc: str
    #: One sentence, or two: without and with what may be left out.
    call_docs: tuple[str, ...]
    enums: dict[str, str]
    types: dict[str, str]
    #: Whether a call gives reduced shards.
    has_result: bool
    #: What a call does, where parameters may be left out.
    python_call: str
    python_names: dict[str, str]
    python_defaults: dict[str, str]
    operands: str

    @property
    def forms(self) -> list[list[Argument]]:
        """The parameters of the calls: without and with what may be left out."""
        needed = [each for each in self.call_arguments if not each.optional]
        return [needed] if len(needed) == len(self.call_arguments) else [needed, list(self.call_arguments)]

    @property
    def value_types(self) -> list[str]:
        """Texts of the build function that calls need again, for the bytes of values."""
        return list(dict.fromkeys(each.of for each in self.call_arguments if each.role == Role.VALUE))


def load(description: Description, file: pathlib.Path = FILE) -> list[Algorithm]:
    """The algorithms, in the order of the table."""
    return load_table(description, file, _PREFIX, _algorithm)


def _algorithm(functions: dict[str, Function], row: dict[str, Any]) -> Algorithm:
    name, build, call = take_functions(functions, _PREFIX, row)
    docs, type_docs = row.pop("docs"), row.pop("type_docs")
    enums, types = row.pop("enums", {}), row.pop("types")
    of = row.pop("shards") | row.pop("values", {})
    written = row.pop("written", [])
    python = row.pop("python")
    algorithm = Algorithm(
        name=name,
        build=build,
        call=call,
        build_arguments=tuple(_arguments(build, docs | type_docs, {}, [])),
        call_arguments=tuple(_arguments(call, docs, of, written)),
        summary=text(row.pop("summary")),
        build_doc=text(row.pop("build")),
        call_docs=tuple(map(text, row.pop("calls"))),
        enums=enums,
        types=types,
        has_result=any(each.name == "reduced_out" for each in call.parameters),
        python_call=text(python.pop("call", "")),
        python_names=python.pop("names", {}),
        python_defaults=python.pop("defaults", {}),
        operands=python.pop("operands", ""),
    )
    require_all_read(name, row, python)
    _check(algorithm, docs, type_docs, of, written)
    return algorithm


def _arguments(function: Function, docs: dict[str, str], of: dict[str, str], written: list[str]) -> list[Argument]:
    found: list[Argument] = []
    taken: set[Parameter] = set()
    for parameter, following in itertools.zip_longest(function.parameters, function.parameters[1:]):
        if parameter in taken or parameter.is_output or parameter.type == "cuprum_distributed_algorithm":
            continue
        role = _role(function, parameter)
        if role in (Role.SHARDS, Role.VALUE):
            taken.add(following)
        name = parameter.name
        is_bound = role in (Role.SHARDS, Role.VALUE)
        if is_bound and name not in of:
            raise TableError(f"{function.name}: the table does not say of which type the elements of {name} are")
        doc = "whose devices have the data" if role == Role.COMMUNICATOR else docs.get(name)
        if doc is None:
            raise TableError(f"{function.name}: the table has no text for {name}")
        found.append(Argument(role, name, text(doc), parameter.nullable, of[name] if is_bound else "", name in written))
    return found


def _role(function: Function, parameter: Parameter) -> Role:
    match parameter.type:
        case "cuprum_communicator":
            return Role.COMMUNICATOR
        case "int32_t":
            return Role.ENUMERATOR
        case "const char*":
            return Role.TYPE
        case "cuprum_parallel_operator":
            return Role.OPERATOR
        case "const cuprum_shard*":
            return Role.SHARDS
        case "const void*":
            return Role.VALUE
        case "uint64_t":
            return Role.NUMBER
    raise TableError(f"{function.name}: what is {parameter.name}, a {parameter.type}?")


def _check(
    algorithm: Algorithm, docs: dict[str, str], type_docs: dict[str, str], of: dict[str, str], written: list[str]
) -> None:
    def names(role: Role) -> set[str]:
        return {each.name for each in algorithm.build_arguments if each.role == role}

    everything = {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments)}
    require_known(
        algorithm.name,
        (
            ("docs", docs, everything),
            ("type_docs", type_docs, names(Role.TYPE)),
            ("shards or values", of, {each.name for each in algorithm.call_arguments}),
            ("written", written, {each.name for each in algorithm.call_arguments if each.role == Role.SHARDS}),
            ("elements", of.values(), names(Role.TYPE)),
            ("types", algorithm.types, names(Role.TYPE)),
            ("enums", algorithm.enums, names(Role.ENUMERATOR)),
            ("python.names", algorithm.python_names, everything),
            ("python.defaults", algorithm.python_defaults, names(Role.TYPE) | names(Role.ENUMERATOR)),
        ),
    )
    if missing := (names(Role.TYPE) - set(algorithm.types)) | (names(Role.ENUMERATOR) - set(algorithm.enums)):
        raise TableError(f"{algorithm.name}: the table has no type for {min(missing)}")
    if bool(algorithm.operands) != bool(names(Role.OPERATOR)):
        raise TableError(f"{algorithm.name}: python.operands is for an operator, and an operator needs it")
    if bool(algorithm.python_call) != (len(algorithm.forms) > 1):
        raise TableError(f"{algorithm.name}: python.call is for parameters that may be left out, and these need it")
    if len(algorithm.call_docs) != len(algorithm.forms):
        raise TableError(f"{algorithm.name}: calls: expected {len(algorithm.forms)} sentences")
