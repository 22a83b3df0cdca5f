"""Java: for each object a class that it derives from, with its members."""

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

_NUMBERS = {"int32_t": "int", "uint32_t": "int", "uint64_t": "long", "float": "float", "const char*": "String"}
#: What the output's array is of, where that is not what the member gives.
_ARRAYS = {"uint32_t": "long"}
#: Names that java.lang.Object has taken.
_NAMES = {"wait": "waitFor"}


def files(description: Description) -> dict[str, str]:
    """The text of each file by its name, "StreamMembers.java"."""
    return {
        f"{pascal(object_)}Members.java": _file(object_, members)
        for object_, members in of_language(description, "java").items()
    }


def _file(object_: str, members: list[tuple[Function, Member]]) -> str:
    class_ = pascal(object_)
    is_handle = object_ not in NUMBERED
    body = "\n".join(_member(function, member, is_handle) for function, member in members)
    if is_handle:
        head = f"""abstract class {class_}Members extends NativeObject {{
    {class_}Members(long handle, LongConsumer destroy) {{
        super(handle, destroy);
    }}
"""
    else:
        head = f"""abstract class {class_}Members {{
    {class_}Members() {{}}

    abstract int {NUMBERED[object_][1]}();
"""
    imports = ["io.cuprum.internal.CuprumNative"]
    if "Operations." in body:
        imports.append("io.cuprum.internal.Operations")
    if "Reference." in body:
        imports.append("java.lang.ref.Reference")
    if "Objects." in body:
        imports.append("java.util.Objects")
    if is_handle:
        imports.append("java.util.function.LongConsumer")
    lines = "".join(f"import {name};\n" for name in imports)
    comment = f"/** What {{@link {class_}}} has of the C ABI. */"
    return f"// {ORIGIN}\npackage io.cuprum;\n\n{lines}\n{comment}\n{head}\n{body}}}\n"


def _member(function: Function, member: Member, is_handle: bool) -> str:
    output = member.output
    result = "void" if output is None else _type(output)
    parameters = ", ".join(f"{_type(each)} {camel(each.name)}" for each in member.inputs)
    name = _NAMES.get(member.name, camel(member.name))
    lines = [
        *_comment(function, member),
        f"    public {result} {name}({parameters}) {{",
        *(
            f'        Objects.requireNonNull({camel(each.name)}, "{camel(each.name)} must not be null");'
            for each in member.inputs
            if each.type == "const char*" or is_device(each) or handle_class(each)
        ),
    ]
    arguments = [_argument(function, each) for each in member.inputs]
    arguments.insert(
        0, f"open(Operations.{operation(function).upper()})" if is_handle else f"{NUMBERED[member.object][1]}()"
    )
    if output:
        element = _ARRAYS.get(plain_type(output), _NUMBERS[plain_type(output)])
        lines.append(f"        {element}[] result = new {element}[1];")
        arguments.insert(0, "result")
    call = f"CuprumNative.{function.name}({', '.join(arguments)});"
    used = ["this"] if is_handle else []
    used += [camel(each.name) for each in member.inputs if handle_class(each)]
    if used:
        lines += ["        try {", f"            {call}", "        } finally {"]
        lines += [f"            Reference.reachabilityFence({each});" for each in used]
        lines.append("        }")
    else:
        lines.append(f"        {call}")
    if output:
        lines.append(f"        return {_result(output)};")
    return "\n".join([*lines, "    }\n"])


def _type(parameter: Parameter) -> str:
    return type_name(parameter, _NUMBERS, "boolean")


def _argument(function: Function, parameter: Parameter) -> str:
    name = camel(parameter.name)
    if is_device(parameter):
        return f"{name}.deviceId()"
    if parameter.is_truth:
        return f"{name} ? 1 : 0"
    if handle_class(parameter):
        return f"{name}.open(Operations.{operation(function).upper()})"
    return f"Integer.toUnsignedLong({name})" if parameter.type == "uint32_t" else name


def _result(output: Parameter) -> str:
    if is_device(output):
        return "new Device(result[0])"
    if output.is_truth:
        return "result[0] != 0"
    return "(int) result[0]" if output.type == "uint32_t*" else "result[0]"


def _comment(function: Function, member: Member) -> list[str]:
    documentation = Documentation(function)
    first, *rest = documentation.sentences
    head = f"{{@return {_text(documentation.gives)}}}" if member.output else _text(first)
    if rest:
        # After {@return} the sentence is the tag's own.
        head += " " + " ".join(map(_text, rest))
    tags = [f"@param {camel(each.name)} {_text(member.texts[each.name])}" for each in member.inputs]
    tags += [f"@throws {exception(status)} when {_text(condition)}" for status, condition in documentation.errors]
    if not tags:
        return [f"    /** {head} */"]
    return ["    /**", f"     * {head}", "     *", *(f"     * {tag}" for tag in tags), "     */"]


def _text(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"{@code \1}", html.escape(text, quote=False))
