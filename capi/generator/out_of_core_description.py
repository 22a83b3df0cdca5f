"""Reads capi/out_of_core.toml: the algorithms over host memory in pieces, beside what the C header says about them."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import pathlib
from typing import Any

from algorithms import TableError, text
from description import Description, Function, Parameter
from tables import load_table, require_all_read, require_known, take_functions

FILE = pathlib.Path(__file__).resolve().parents[1] / "out_of_core.toml"
_PREFIX = "cuprum_out_of_core_"
#: How C is given a device's memory.
_MEMORY = ("device", "memory_limit", "resource")


class Role(enum.Enum):
    """What a parameter of a build function or a call is."""

    MEMORY = enum.auto()  # a device's: three parameters
    ENUMERATOR = enum.auto()
    TYPE = enum.auto()
    OPERATOR = enum.auto()
    ELEMENTS = enum.auto()  # in host memory, with their size
    VALUE = enum.auto()  # with its size
    NUMBER = enum.auto()


@dataclasses.dataclass(frozen=True)
class Argument:
    """A parameter, or several that stand for one thing: init and init_size."""

    role: Role
    name: str
    doc: str
    #: Of a type: none may be given.
    optional: bool = False
    #: Of elements and values: their type, a text of the build function.
    of: str = ""
    is_written: bool = False


@dataclasses.dataclass(frozen=True)
class Form:
    """A call with some of the parameters; the others are NULL."""

    arguments: tuple[Argument, ...]
    doc: str
    #: A text of the build function that must not be NULL; "" for none.
    needs: str


@dataclasses.dataclass(frozen=True)
class Algorithm:
    name: str
    build: Function
    call: Function
    build_arguments: tuple[Argument, ...]
    #: In C's order.
    call_arguments: tuple[Argument, ...]
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


def load(description: Description, file: pathlib.Path = FILE) -> list[Algorithm]:
    """The algorithms, in the order of the table."""
    return load_table(description, file, _PREFIX, _algorithm)


def _algorithm(functions: dict[str, Function], row: dict[str, Any]) -> Algorithm:
    name, build, call = take_functions(functions, _PREFIX, row)
    docs, type_docs = row.pop("docs"), row.pop("type_docs")
    of = {"elements": row.pop("elements"), "values": row.pop("values", {})}
    python = row.pop("python")
    call_arguments = tuple(_arguments(call, docs, of))
    algorithm = Algorithm(
        name=name,
        build=build,
        call=call,
        build_arguments=tuple(_arguments(build, docs | type_docs, {})),
        call_arguments=call_arguments,
        forms=tuple(_form(name, call_arguments, form) for form in row.pop("call")),
        summary=text(row.pop("summary")),
        build_doc=text(row.pop("build")),
        enums=row.pop("enums", {}),
        types=row.pop("types"),
        result=row.pop("result", ""),
        python_call=text(python.pop("call", "")),
        python_names=python.pop("names", {}),
        python_defaults=python.pop("defaults", {}),
        operands=python.pop("operands", ""),
    )
    require_all_read(name, row, python)
    _check(algorithm, docs, type_docs, of)
    return algorithm


def _form(name: str, arguments: tuple[Argument, ...], form: dict[str, Any]) -> Form:
    known = {each.name: each for each in arguments}
    wanted = form["parameters"]
    if wrong := set(wanted) - set(known):
        raise TableError(f"{name}: a call has a parameter {min(wrong)}, and C's has none")
    return Form(tuple(known[each] for each in wanted), text(form["doc"]), form.get("needs", ""))


def _arguments(function: Function, docs: dict[str, str], of: dict[str, dict[str, str]]) -> list[Argument]:
    found: list[Argument] = []
    taken: set[Parameter] = set()
    if of == {}:
        names = tuple(each.name for each in function.parameters[1:4])
        if names != _MEMORY:
            raise TableError(f"{function.name}: expected {', '.join(_MEMORY)}, found {', '.join(names)}")
        found.append(Argument(Role.MEMORY, "memory", "of which device, and how much of it a call may take"))
        taken.update(function.parameters[1:4])
    for parameter, following in itertools.zip_longest(function.parameters, function.parameters[1:]):
        if parameter in taken or parameter.is_output or parameter.type == "cuprum_out_of_core_algorithm":
            continue
        role = _role(function, parameter, of)
        name = parameter.name
        if role in (Role.ELEMENTS, Role.VALUE):
            if following is None or following.name != f"{name}_size":
                raise TableError(f"{function.name}: {name} is not followed by its size")
            taken.add(following)
        if name not in docs:
            raise TableError(f"{function.name}: the table has no text for {name}")
        found.append(
            Argument(
                role,
                name,
                text(docs[name]),
                role == Role.TYPE and parameter.nullable,
                next((types[name] for types in of.values() if name in types), ""),
                parameter.type == "void*",
            )
        )
    return found


def _role(function: Function, parameter: Parameter, of: dict[str, dict[str, str]]) -> Role:
    if parameter.name in of.get("elements", {}):
        return Role.ELEMENTS
    if parameter.name in of.get("values", {}):
        return Role.VALUE
    match parameter.type:
        case "int32_t":
            return Role.ENUMERATOR
        case "const char*":
            return Role.TYPE
        case "cuprum_parallel_operator":
            return Role.OPERATOR
        case "uint64_t":
            return Role.NUMBER
    raise TableError(f"{function.name}: the table does not say what {parameter.name} is, a {parameter.type}")


def _check(
    algorithm: Algorithm, docs: dict[str, str], type_docs: dict[str, str], of: dict[str, dict[str, str]]
) -> None:
    def names(role: Role) -> set[str]:
        return {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments) if each.role == role}

    everything = {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments)}
    require_known(
        algorithm.name,
        (
            ("docs", docs, everything),
            ("type_docs", type_docs, names(Role.TYPE)),
            ("elements", of["elements"], names(Role.ELEMENTS)),
            ("values", of["values"], names(Role.VALUE)),
            ("the types of elements and values", {*of["elements"].values(), *of["values"].values()}, names(Role.TYPE)),
            ("types", algorithm.types, names(Role.TYPE)),
            ("enums", algorithm.enums, names(Role.ENUMERATOR)),
            ("needs", {each.needs for each in algorithm.forms} - {""}, names(Role.TYPE)),
            ("python.names", algorithm.python_names, everything),
            ("python.defaults", algorithm.python_defaults, names(Role.TYPE) | names(Role.ENUMERATOR)),
        ),
    )
    if missing := (names(Role.TYPE) - set(algorithm.types)) | (names(Role.ENUMERATOR) - set(algorithm.enums)):
        raise TableError(f"{algorithm.name}: the table has no type for {min(missing)}")
    if bool(algorithm.operands) != bool(names(Role.OPERATOR)):
        raise TableError(f"{algorithm.name}: python.operands is for an operator, and an operator needs it")
    if bool(algorithm.python_call) != (len(algorithm.forms) > 1):
        raise TableError(f"{algorithm.name}: python.call is for a call with several forms, and these need it")
    if bool(algorithm.result) != any(each.is_output for each in algorithm.call.parameters):
        raise TableError(f"{algorithm.name}: result is for what the call returns, and that needs it")
