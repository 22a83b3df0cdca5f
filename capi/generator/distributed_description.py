"""Reads capi/distributed.toml: the algorithms over several devices, beside what the C header says about them."""

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

FILE = pathlib.Path(__file__).resolve().parents[1] / "distributed.toml"
_PREFIX = "cuprum_distributed_"


def load(description: Description, file: pathlib.Path = FILE) -> list[Algorithm]:
    """The algorithms, in the order of the table."""
    return load_table(description, file, _PREFIX, _algorithm)


def _algorithm(functions: dict[str, Function], row: dict[str, Any]) -> Algorithm:
    name, build, call = taken = take_functions(functions, _PREFIX, row)
    docs, type_docs = row.pop("docs"), row.pop("type_docs")
    of = row.pop("shards") | row.pop("values", {})
    written = row.pop("written", [])
    build_arguments = _arguments(build, docs | type_docs, {}, [])
    call_arguments = tuple(_arguments(call, docs, of, written))
    forms = _forms(name, build_arguments, call_arguments, [text(each) for each in row.pop("calls")])
    has_result = any(each.name == "reduced_out" for each in call.parameters)
    result = "the results, in the order of the ranks" if has_result else ""
    algorithm = make_algorithm(taken, row, build_arguments, call_arguments, forms, result)
    require_known(
        name,
        (
            ("shards or values", of, {each.name for each in call_arguments}),
            ("written", written, names(algorithm, Role.DATA)),
            ("elements", of.values(), names(algorithm, Role.TYPE)),
        ),
    )
    check(algorithm, docs, type_docs)
    return algorithm


def _forms(name: str, build: list[Argument], call: tuple[Argument, ...], docs: list[str]) -> tuple[Form, ...]:
    """Without and with what may be left out."""
    needed = tuple(each for each in call if not each.optional)
    whole = [needed] if needed == call else [needed, call]
    if len(docs) != len(whole):
        raise TableError(f"{name}: calls: expected {len(whole)} sentences")
    needs = next((each.name for each in build if each.role == Role.TYPE and each.optional), "")
    return tuple(
        Form(arguments, doc, needs if index else "")
        for index, (arguments, doc) in enumerate(zip(whole, docs, strict=True))
    )


def _arguments(function: Function, docs: dict[str, str], of: dict[str, str], written: list[str]) -> list[Argument]:
    found: list[Argument] = []
    taken: set[Parameter] = set()
    for parameter, following in itertools.zip_longest(function.parameters, function.parameters[1:]):
        if parameter in taken or parameter.is_output or parameter.type == "cuprum_distributed_algorithm":
            continue
        role = _role(function, parameter)
        if role in (Role.DATA, Role.VALUE):
            taken.add(following)
        name = parameter.name
        is_bound = role in (Role.DATA, Role.VALUE)
        if is_bound and name not in of:
            raise TableError(f"{function.name}: the table does not say of which type the elements of {name} are")
        doc = "whose devices have the data" if role == Role.PLACE else docs.get(name)
        if doc is None:
            raise TableError(f"{function.name}: the table has no text for {name}")
        found.append(Argument(role, name, text(doc), parameter.nullable, of[name] if is_bound else "", name in written))
    return found


def _role(function: Function, parameter: Parameter) -> Role:
    match parameter.type:
        case "cuprum_communicator":
            return Role.PLACE
        case "int32_t":
            return Role.ENUMERATOR
        case "const char*":
            return Role.TYPE
        case "cuprum_parallel_operator":
            return Role.OPERATOR
        case "const cuprum_shard*":
            return Role.DATA
        case "const void*":
            return Role.VALUE
        case "uint64_t":
            return Role.NUMBER
    raise TableError(f"{function.name}: what is {parameter.name}, a {parameter.type}?")
