"""Python: for each object, and each group of members in it, a class that it derives from."""

from __future__ import annotations

from description import Description, Function, Member, Parameter
from members import NUMBERED, ORIGIN, Documentation, handle_class, is_device, of_language, type_name
from names import pascal

_TYPES = {"int32_t": "int", "uint32_t": "int", "uint64_t": "int", "float": "float", "const char*": "str"}
#: The exceptions whose names are not their statuses'.
_ERRORS = {
    "DRIVER": "CUDAError",
    "NVRTC": "NVRTCError",
    "NVJITLINK": "NvJitLinkError",
    "NVVM": "NVVMError",
    "COMPILE": "CompileError",
    "INTERNAL": "InternalError",
}
_HEAD = f'''"""What the objects of cuprum.core have of the C ABI."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING

import cuprum.core as core  # looked into at calls only: it is still being imported now
from cuprum._native import Owner, _cuprum
from cuprum.core import _current

if TYPE_CHECKING:
    from cuprum.core import Device, Kernel
'''


def text(description: Description) -> str:
    """The module cuprum.core._members."""
    classes = []
    for object_, members in of_language(description, "python").items():
        for group in dict.fromkeys(member.group for _, member in members):
            classes.append(_class(object_, group, [pair for pair in members if pair[1].group == group]))
    return "\n\n".join([_HEAD, *classes])


def _class(object_: str, group: str, members: list[tuple[Function, Member]]) -> str:
    base, field, slots = "(Owner)", "", "()"
    if group:
        base, field, slots = "", f"    _{object_}: {pascal(object_)}\n", f'("_{object_}",)'
    elif object_ in NUMBERED:
        base, field = "", f"    {NUMBERED[object_][0]}: int\n"
    name = f"{pascal(object_)}{pascal(group)}Members"
    body = "\n".join(_member(function, member) for function, member in members)
    return f"class {name}{base}:\n    __slots__ = {slots}\n{field}\n{body}"


def _member(function: Function, member: Member) -> str:
    owner = f"self._{member.object}" if member.group else "self"
    opened = f"{owner}._open_native({_words(function)})"
    inputs = [each for each in member.inputs if not is_device(each)]
    if len(inputs) < len(member.inputs) and not member.group:
        raise NotImplementedError(f"{function.name}: in Python an input that is a device needs @group or @by_hand")
    arguments = [f"self.{NUMBERED[member.object][0]}" if member.object in NUMBERED else opened]
    arguments += [_argument(function, each) for each in member.inputs]
    result = "None" if member.output is None else _type(member.output)
    parameters = ["self", *(_declared(each, member.defaults.get(each.name)) for each in inputs)]
    lines = ["    @property"] if member.is_property else []
    lines.append(f"    def {member.name}({', '.join(parameters)}) -> {result}:")
    lines += [f'        """{_text(function)}"""']
    call = f"_cuprum.{function.name}({', '.join(arguments)})"
    lines.append(f"        {call}" if member.output is None else f"        return {_result(member.output, call)}")
    return "\n".join(lines) + "\n"


def _words(function: Function) -> str:
    """What is being done, as a literal: looked up at every call, a constant's name would cost time."""
    return f'"{function.does}"'


def _declared(parameter: Parameter, default: str | None) -> str:
    return f"{parameter.name}: {_type(parameter)}" + ("" if default is None else f" = {default}")


def _type(parameter: Parameter) -> str:
    return type_name(parameter, _TYPES, "bool")


def _argument(function: Function, parameter: Parameter) -> str:
    if is_device(parameter):
        return "_current.device_id()"
    if parameter.is_truth:
        return f"int({parameter.name})"
    if handle_class(parameter):
        return f"{parameter.name}._open_native({_words(function)})"
    return parameter.name


def _result(output: Parameter, call: str) -> str:
    if is_device(output):
        return f"core.Device({call})"
    return f"bool({call})" if output.is_truth else call


def _text(function: Function) -> str:
    documentation = Documentation(function)
    errors = [
        f"{_ERRORS.get(status, pascal(status.lower()))} when {condition}." for status, condition in documentation.errors
    ]
    return " ".join([*documentation.sentences, *errors]).replace("`", "``")
