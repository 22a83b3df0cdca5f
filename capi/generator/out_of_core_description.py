"""Reads capi/out_of_core.toml: the algorithms over host memory in pieces, beside what the C header says about them."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any

from algorithms import TableError, text
from description import Description, Function, Parameter
from tables import (
    Algorithm,
    Argument,
    Form,
    Role,
    check,
    load_table,
    make_algorithm,
    names,
    require_known,
    take_functions,
)

FILE = pathlib.Path(__file__).resolve().parents[1] / "out_of_core.toml"
_PREFIX = "cuprum_out_of_core_"
#: How C is given the devices' memory.
_MEMORY = ("memory", "memory_size")


def load(description: Description, file: pathlib.Path = FILE) -> list[Algorithm]:
    """The algorithms, in the order of the table."""
    return load_table(description, file, _PREFIX, _algorithm)


def _algorithm(functions: dict[str, Function], row: dict[str, Any]) -> Algorithm:
    name, build, call = taken = take_functions(functions, _PREFIX, row)
    docs, type_docs = row.pop("docs"), row.pop("type_docs")
    elements, values = row.pop("elements"), row.pop("values", {})
    call_arguments = tuple(_arguments(call, docs, elements, values))
    forms = tuple(_form(name, call_arguments, form) for form in row.pop("call"))
    build_arguments = [_place(build), *_arguments(build, docs | type_docs, {}, {})]
    algorithm = make_algorithm(taken, row, build_arguments, call_arguments, forms, row.pop("result", ""))
    types = names(algorithm, Role.TYPE)
    require_known(
        name,
        (
            ("elements", elements, names(algorithm, Role.DATA)),
            ("values", values, names(algorithm, Role.VALUE)),
            ("the types of elements and values", {*elements.values(), *values.values()}, types),
            ("needs", {each.needs for each in forms} - {""}, types),
        ),
    )
    check(algorithm, docs, type_docs)
    if bool(algorithm.result) != any(each.is_output for each in call.parameters):
        raise TableError(f"{name}: result is for what the call returns, and that needs it")
    return algorithm


def _form(name: str, arguments: tuple[Argument, ...], form: dict[str, Any]) -> Form:
    known = {each.name: each for each in arguments}
    wanted = form["parameters"]
    if wrong := set(wanted) - set(known):
        raise TableError(f"{name}: a call has a parameter {min(wrong)}, and C's has none")
    return Form(tuple(known[each] for each in wanted), text(form["doc"]), form.get("needs", ""))


def _place(build: Function) -> Argument:
    found = tuple(each.name for each in build.parameters[1:3])
    if found != _MEMORY:
        raise TableError(f"{build.name}: expected {', '.join(_MEMORY)}, found {', '.join(found)}")
    return Argument(Role.PLACE, "memory", "of which device, or of which devices, and how much of each a call may take")


def _arguments(
    function: Function, docs: dict[str, str], elements: dict[str, str], values: dict[str, str]
) -> list[Argument]:
    found: list[Argument] = []
    taken: set[Parameter] = set()
    for parameter, following in itertools.zip_longest(function.parameters, function.parameters[1:]):
        is_read = parameter in taken or parameter.is_output or parameter.name in _MEMORY
        if is_read or parameter.type == "cuprum_out_of_core_algorithm":
            continue
        role = _role(function, parameter, elements, values)
        name = parameter.name
        if role in (Role.DATA, Role.VALUE):
            if following is None or following.name != f"{name}_size":
                raise TableError(f"{function.name}: {name} is not followed by its size")
            taken.add(following)
        if name not in docs:
            raise TableError(f"{function.name}: the table has no text for {name}")
        optional = role == Role.TYPE and parameter.nullable
        of = elements.get(name) or values.get(name, "")
        found.append(Argument(role, name, text(docs[name]), optional, of, parameter.type == "void*"))
    return found


def _role(function: Function, parameter: Parameter, elements: dict[str, str], values: dict[str, str]) -> Role:
    if parameter.name in elements:
        return Role.DATA
    if parameter.name in values:
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
