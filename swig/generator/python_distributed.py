"""Python's classes of the algorithms over several devices, cuprum.parallel._distributed_algorithms, from the C header
and capi/distributed.toml."""

from __future__ import annotations

from distributed_description import Algorithm, Argument, Role
from members import ORIGIN
from python_algorithms import call_lines, docstring

_HEAD = f'''"""The algorithms over several devices: built once for a communicator, called with lists of shards."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import SortOrder, host_value
from cuprum.parallel._distributed import (
    Communicator,
    DistributedAlgorithm,
    ReducedShard,
    ScanKind,
    ShardList,
    initial_bytes,
    native_communicator,
    take_reduced,
)
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._distributed import ShardsLike
    from cuprum.parallel._operators import OperatorLike
'''
_INDENT = " " * 8


def text(algorithms: list[Algorithm]) -> str:
    """The whole module."""
    return "\n\n".join([_HEAD, *map(_class, algorithms)])


def _class(algorithm: Algorithm) -> str:
    kept = [f"_{name}" for name in _kept(algorithm)]
    slots = ", ".join(f'"{name}"' for name in kept) + ("," if len(kept) == 1 else "")
    lines = [
        f"class {algorithm.name}(DistributedAlgorithm):",
        *docstring("    ", algorithm.summary),
        "",
        f"    __slots__ = ({slots})",
        "",
        *_constructor(algorithm),
        "",
        *_caller(algorithm),
    ]
    return "\n".join(lines) + "\n"


def _kept(algorithm: Algorithm) -> list[str]:
    """The types that calls need again."""
    return ["keys", algorithm.operands] if algorithm.has_result else algorithm.value_types


def _name(algorithm: Algorithm, argument: Argument) -> str:
    """keys_out of keys_target, which C does not call keys_out, as that would be a result of the function."""
    name = argument.name
    if name.endswith("_target"):
        name = name.removesuffix("_target") + "_out"
    return algorithm.python_names.get(name, name)


def _describe(algorithm: Algorithm, arguments: list[Argument]) -> str:
    """The parameters, in a sentence or two."""
    return " ".join(f"`{_name(algorithm, each)}`: {each.doc}." for each in arguments)


def _constructor(algorithm: Algorithm) -> list[str]:
    keywords = [each for each in algorithm.build_arguments if each.role == Role.ENUMERATOR]
    ordered = [each for each in algorithm.build_arguments if each not in keywords]
    parameters = [_declared(algorithm, each) for each in ordered]
    if keywords:
        parameters += ["*", *(_declared(algorithm, each) for each in keywords)]
    lines = call_lines(
        "    def __init__(", ["self", *parameters], "    ) -> None:" if _is_long(parameters) else ") -> None:"
    )
    described = [each for each in (*ordered, *keywords) if each.role != Role.COMMUNICATOR]
    notes = []
    for each in described:
        default = algorithm.python_defaults.get(each.name)
        if each.role == Role.TYPE and default:
            of = next((other for other in described if other.name == default), None)
            notes.append(f"`{_name(algorithm, each)}` is by default {f'`{_name(algorithm, of)}`' if of else default}.")
    lines += docstring(_INDENT, algorithm.build_doc, _describe(algorithm, described), " ".join(notes))
    lines.append(f'{_INDENT}operation = "{algorithm.build.does}"')
    for each in described:
        if each.role == Role.TYPE:
            lines.append(f"{_INDENT}{each.name}_type = {_type(algorithm, each)}")
    if algorithm.operands:
        type_ = f"{algorithm.operands}_type"
        lines.append(f"{_INDENT}operator, _ = as_operator(op, ({type_}, {type_}), {type_})")
    values = [_build_value(algorithm, each) for each in algorithm.build_arguments]
    lines += call_lines(
        f"{_INDENT}built = _cuprum.{algorithm.build.name}(", values, f"{_INDENT})" if _is_long(values) else ")"
    )
    lines.append(f"{_INDENT}super().__init__(built, communicator, {'operator' if algorithm.operands else 'None'})")
    return [*lines, *(f"{_INDENT}self._{name} = {name}_type" for name in _kept(algorithm))]


def _is_long(parts: list[str]) -> bool:
    return len(", ".join(parts)) > 80


def _declared(algorithm: Algorithm, argument: Argument) -> str:
    name = _name(algorithm, argument)
    default = algorithm.python_defaults.get(argument.name)
    match argument.role:
        case Role.COMMUNICATOR:
            return "communicator: Communicator"
        case Role.ENUMERATOR:
            return f"{name}: {algorithm.enums[argument.name]} = {default}"
        case Role.OPERATOR:
            return f"{name}: OperatorLike = OpKind.PLUS"
    return f"{name}: DTypeLike | None = None" if default or argument.optional else f"{name}: DTypeLike"


def _type(algorithm: Algorithm, argument: Argument) -> str:
    name, default = _name(algorithm, argument), algorithm.python_defaults.get(argument.name)
    if argument.optional:
        return f"None if {name} is None else np.dtype({name})"
    if not default:
        return f"np.dtype({name})"
    is_type = any(each.name == default for each in algorithm.build_arguments)
    otherwise = f"{default}_type" if is_type else f"np.dtype(np.{default})"
    return f"{otherwise} if {name} is None else np.dtype({name})"


def _build_value(algorithm: Algorithm, argument: Argument) -> str:
    match argument.role:
        case Role.COMMUNICATOR:
            return "native_communicator(communicator, operation)"
        case Role.ENUMERATOR:
            return f"{algorithm.enums[argument.name]}({_name(algorithm, argument)})"
        case Role.OPERATOR:
            return "operator._open_native(operation)"
    text_ = f"type_text({argument.name}_type)"
    return f"None if {argument.name}_type is None else {text_}" if argument.optional else text_


def _caller(algorithm: Algorithm) -> list[str]:
    arguments = list(algorithm.call_arguments)
    result = "list[ReducedShard]" if algorithm.has_result else "None"
    parameters = ["self"]
    for each in arguments:
        type_ = {Role.SHARDS: "ShardsLike", Role.VALUE: "Any"}.get(each.role, "int")
        default = " = None" if each.optional else ""
        optional = " | None" if each.optional and each.role == Role.SHARDS else ""
        parameters.append(f"{_name(algorithm, each)}: {type_}{optional}{default}")
    before, end = "    def __call__(", f") -> {result}:"
    lines = call_lines(before, parameters, f"    {end}" if len(before + ", ".join(parameters) + end) > 116 else end)
    lines += docstring(_INDENT, algorithm.python_call or algorithm.call_docs[0], _describe(algorithm, arguments))
    lines.append(f'{_INDENT}native = self._open_native("{algorithm.call.does}")')
    values = ["native"]
    for each in arguments:
        name = _name(algorithm, each)
        match each.role:
            case Role.SHARDS:
                writable = ", writable=True" if each.is_written else ""
                lines.append(f'{_INDENT}{name}_list = ShardList("{name}", {name}, self._streams{writable})')
                values += [f"{name}_list.types", f"{name}_list.memory", f"{name}_list.counts"]
            case Role.VALUE if each.optional:
                values.append(f'initial_bytes("{name}", {name}, self._{each.of})')
            case Role.VALUE:
                values.append(f'host_value("{name}", {name}, self._{each.of})')
            case _:
                values.append(name)
    if not algorithm.has_result:
        return [*lines, *call_lines(f"{_INDENT}_cuprum.{algorithm.call.name}(", values, f"{_INDENT})")]
    lines += call_lines(f"{_INDENT}reduced = _cuprum.{algorithm.call.name}(", values, f"{_INDENT})")
    kept = ", ".join(f"self._{name}" for name in _kept(algorithm))
    return [*lines, f"{_INDENT}return take_reduced(reduced, len(self._streams), {kept})"]
