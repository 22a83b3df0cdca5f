"""C#: the members of each object, as parts of its class."""

from __future__ import annotations

import html
import re

from description import Description, Function, Member, Parameter
from members import (
    NUMBERED,
    ORIGIN,
    Documentation,
    exception,
    handle_class,
    is_device,
    of_language,
    operation,
    plain_type,
    type_name,
)
from names import camel, pascal

_NUMBERS = {"int32_t": "int", "uint32_t": "uint", "uint64_t": "ulong", "float": "float", "const char*": "string"}
#: Where a name of .NET itself is left alone.
_EXCEPTIONS = {"OUT_OF_MEMORY": "MemoryExhaustedException"}
_KEYWORDS = {"event", "object", "operator", "params", "string"}


def text(description: Description) -> str:
    """One file with the parts of all classes."""
    classes = "\n".join(
        f"public partial class {pascal(object_)} {{\n"
        + "\n".join(_member(function, member) for function, member in members)
        + "}\n"
        for object_, members in of_language(description, "csharp").items()
    )
    return f"// {ORIGIN}\nusing Cuprum.Native;\n\nnamespace Cuprum {{\n\n{classes}\n}}\n"


def _member(function: Function, member: Member) -> str:
    output = member.output
    arguments = [_argument(function, each) for each in member.inputs]
    is_handle = member.object not in NUMBERED
    arguments.insert(0, f"Use(Operations.{pascal(operation(function))})" if is_handle else NUMBERED[member.object][2])
    body = []
    if output:
        body.append(f"{_NUMBERS[plain_type(output)]} result;")
        arguments.insert(0, "out result")
    body.append(f"CuprumNative.{function.name}({', '.join(arguments)});")
    if output:
        body.append(f"return {_result(output)};")
    lines = _comment(function, member)
    result = "void" if output is None else _given(output)
    if member.is_property:
        lines += [f"    public {result} {pascal(member.name)} {{", "        get {"]
        lines += [f"            {line}" for line in body] + ["        }", "    }"]
    else:
        parameters = ", ".join(_declared(each, member.defaults.get(each.name)) for each in member.inputs)
        lines.append(f"    public {result} {pascal(member.name)}({parameters}) {{")
        lines += [f"        {line}" for line in body] + ["    }"]
    return "\n".join(lines) + "\n"


def _declared(parameter: Parameter, default: str | None) -> str:
    return f"{_type(parameter)} {_name(parameter)}" + ("" if default is None else f" = {default}")


def _name(parameter: Parameter) -> str:
    name = camel(parameter.name)
    return f"@{name}" if name in _KEYWORDS else name


def _type(parameter: Parameter) -> str:
    return type_name(parameter, _NUMBERS, "bool")


def _given(output: Parameter) -> str:
    return "int" if output.type == "uint32_t*" else _type(output)


def _argument(function: Function, parameter: Parameter) -> str:
    name = _name(parameter)
    if parameter.is_truth:
        return f"{name} ? 1 : 0"
    there = f"Require.NotNull({name}, nameof({name}))"
    if is_device(parameter):
        return f"{there}.DeviceId"
    if handle_class(parameter):
        return f"{there}.Use(Operations.{pascal(operation(function))})"
    return there if parameter.type == "const char*" else name


def _result(output: Parameter) -> str:
    if is_device(output):
        return "new Device(result)"
    if output.is_truth:
        return "result != 0"
    return "(int)result" if output.type == "uint32_t*" else "result"


def _comment(function: Function, member: Member) -> list[str]:
    documentation = Documentation(function)
    lines = [f"    /// <summary>{_text(' '.join(documentation.sentences))}</summary>"]
    lines += [
        f'    /// <param name="{camel(each.name)}">{_sentence(member.texts[each.name])}</param>'
        for each in member.inputs
    ]
    lines += [
        f'    /// <exception cref="{_EXCEPTIONS.get(status, exception(status))}">{_sentence(condition)}</exception>'
        for status, condition in documentation.errors
    ]
    return lines


def _sentence(text: str) -> str:
    return _text(f"{text[:1].upper()}{text[1:]}.")


def _text(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<c>\1</c>", html.escape(text, quote=False))
