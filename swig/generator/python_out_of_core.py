"""Python's classes of the algorithms over host memory in pieces, cuprum.parallel._out_of_core_algorithms, from the C
header and capi/out_of_core.toml."""

from __future__ import annotations

from members import ORIGIN
from out_of_core_description import Algorithm, Argument, Role
from python_algorithms import call_lines, docstring

_HEAD = f'''"""The algorithms over host memory in pieces: built once for a device's memory, called with host memory."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import SortOrder, host_value
from cuprum.parallel._distributed import ScanKind, initial_bytes
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._out_of_core import DeviceMemory, OutOfCoreAlgorithm, host_elements, native_memory
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import OperatorLike
'''
_INDENT = " " * 8


def text(algorithms: list[Algorithm]) -> str:
    """The whole module."""
    return "\n\n".join([_HEAD, *map(_class, algorithms)])


def _class(algorithm: Algorithm) -> str:
    kept = [f"_{each.name}_type" for each in algorithm.build_arguments if each.role == Role.TYPE]
    slots = ", ".join(f'"{name}"' for name in sorted(kept))
    lines = [
        f"class {algorithm.name}(OutOfCoreAlgorithm):",
        *docstring("    ", algorithm.summary),
        "",
        f"    __slots__ = ({slots})",
        "",
        *_constructor(algorithm),
        "",
        *_caller(algorithm),
    ]
    return "\n".join(lines) + "\n"


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
    described = [*ordered, *keywords]
    notes = []
    for each in described:
        default = algorithm.python_defaults.get(each.name)
        if each.role == Role.TYPE and default:
            of = next((other for other in described if other.name == default), None)
            notes.append(f"`{each.name}` is by default {f'`{_name(algorithm, of)}`' if of else default}.")
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
    lines.append(f"{_INDENT}super().__init__(built, {'operator' if algorithm.operands else 'None'})")
    kept = [each.name for each in algorithm.build_arguments if each.role == Role.TYPE]
    return [*lines, *(f"{_INDENT}self._{name}_type = {name}_type" for name in kept)]


def _is_long(parts: list[str]) -> bool:
    return len(", ".join(parts)) > 80


def _declared(algorithm: Algorithm, argument: Argument) -> str:
    name = _name(algorithm, argument)
    default = algorithm.python_defaults.get(argument.name)
    match argument.role:
        case Role.MEMORY:
            return "memory: DeviceMemory"
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
        case Role.MEMORY:
            return "*native_memory(memory, operation)"
        case Role.ENUMERATOR:
            return f"{algorithm.enums[argument.name]}({argument.name})"
        case Role.OPERATOR:
            return "operator._open_native(operation)"
    text_ = f"type_text({argument.name}_type)"
    return f"None if {argument.name}_type is None else {text_}" if argument.optional else text_


def _caller(algorithm: Algorithm) -> list[str]:
    needed = set(algorithm.forms[0].arguments)
    # What may be left out comes last.
    arguments = sorted(algorithm.call_arguments, key=lambda each: each not in needed)
    parameters = ["self"]
    for each in arguments:
        type_ = "int" if each.role == Role.NUMBER else "Any"
        parameters.append(f"{_name(algorithm, each)}: {type_}{'' if each in needed else ' = None'}")
    result = "int" if algorithm.result else "None"
    before, end = "    def __call__(", f") -> {result}:"
    lines = call_lines(before, parameters, f"    {end}" if len(before + ", ".join(parameters) + end) > 116 else end)
    does = algorithm.python_call or algorithm.forms[0].doc
    if algorithm.result:
        does = f"{does} Gives {algorithm.result}."
    lines += docstring(_INDENT, does, _describe(algorithm, arguments))
    lines.append(f'{_INDENT}native = self._open_native("{algorithm.call.does}")')
    values = ["native"]
    for each in algorithm.call_arguments:
        name = _name(algorithm, each)
        match each.role:
            case Role.ELEMENTS:
                writable = ", writable=True" if each.is_written else ""
                values.append(f'host_elements("{name}", {name}, self._{each.of}_type{writable})')
            case Role.VALUE if each not in needed:
                values.append(f'initial_bytes("{name}", {name}, self._{each.of}_type)')
            case Role.VALUE:
                values.append(f'host_value("{name}", {name}, self._{each.of}_type)')
            case _:
                values.append(name)
    returning = "return " if algorithm.result else ""
    return [*lines, *call_lines(f"{_INDENT}{returning}_cuprum.{algorithm.call.name}(", values, f"{_INDENT})")]
