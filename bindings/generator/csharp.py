"""Writes the C# classes Cuprum.Bindings.Driver, Runtime, Nvrtc, NvJitLink, Nvvm, Nvml and Nccl."""

from __future__ import annotations

from managed import Function, Library, Parameter
from model import Facts

_NUMBERS = {
    "i8": "sbyte",
    "u8": "byte",
    "char": "byte",
    "i16": "short",
    "u16": "ushort",
    "i32": "int",
    "u32": "uint",
    "i64": "long",
    "u64": "ulong",
    "f32": "float",
    "f64": "double",
    "address": "IntPtr",
}
# The widest alignment that every place in memory has.
_ORDINARY_ALIGNMENT = 8
_KEYWORDS = {
    *("params", "event", "object", "string", "ref", "in", "out", "base", "fixed", "lock", "result", "default"),
    *("is", "as", "char", "bool", "byte", "operator", "internal", "checked", "decimal", "delegate", "from"),
}


def _name(name: str) -> str:
    return "@" + name if name in _KEYWORDS else name


def _element(p: Parameter) -> str:
    """The type of what a pointer leads to."""
    return _NUMBERS[p.of] if p.kind == "numbers" else p.of


def _passing(p: Parameter) -> str:
    """How a pointer is passed: "array", "out", "ref", or "nullable" for a structure that is read."""
    if p.array or (p.direction == "in" and p.kind != "record"):
        return "array"
    return {"in": "nullable", "out": "out", "inout": "ref"}[p.direction]


def _parameter(p: Parameter) -> str:
    name = _name(p.name)
    simple = {
        "value": _NUMBERS.get(p.of, ""),
        "address": "IntPtr",
        "enum": p.of,
        "struct": p.of,
        "text": "string",
        "texts": "string[]",
        "text_out": "out string",
        "bytes": "byte[]",
    }
    if p.kind in simple:
        return f"{simple[p.kind]} {name}"
    element = _element(p)
    return {"array": f"{element}[]", "out": f"out {element}", "ref": f"ref {element}", "nullable": f"{element}?"}[
        _passing(p)
    ] + f" {name}"


def _described(p: Parameter) -> str:
    what = {
        "value": "A number.",
        "address": "An address or handle.",
        "enum": "An enumerator.",
        "struct": "A structure.",
        "text": "A text, or null.",
        "texts": "Texts, or null.",
        "text_out": "Gets a text.",
        "bytes": "Memory for the characters that the function writes.",
        "numbers": "Numbers",
        "enums": "Enumerators",
        "record": "Structures",
    }[p.kind]
    if p.kind not in ("numbers", "enums", "record"):
        return what
    passing = _passing(p)
    if passing == "array":
        many = f"{what}, as many as {p.count} says" if p.count else what
        written = {"in": "", "out": "; they are set", "inout": "; they are read and set"}[p.direction]
        return many + written + (". Null for none." if p.optional or p.direction == "in" else ".")
    return {"nullable": "A structure, or null.", "out": "Is set.", "ref": "Is read and set."}[passing]


def _is_wide(library: Library, p: Parameter) -> bool:
    """Whether what it leads to must be aligned better than every place in memory is."""
    if p.kind not in ("record", "struct"):
        return False
    tag = next(tag for tag, name in library.names.items() if name == p.of and tag in library.facts["records"])
    return bool(library.facts["records"][tag]["alignment"] > _ORDINARY_ALIGNMENT)


def _function(library: Library, index: int, f: Function) -> list[str]:
    declared = ", ".join(_parameter(p) for p in f.parameters)
    result = {"enum": f.result_of, "text": "string", "struct": f.result_of}[f.result]
    lines = [f"    /// <summary>{f.summary}</summary>"]
    lines += [f'    /// <param name="{p.name}">{_described(p)}</param>' for p in f.parameters]
    lines += ["    /// <returns>" + ("The status." if f.result == "enum" else "The function's result.") + "</returns>"]
    lines += [f"    public static {result} {f.name}({declared}) {{"]
    body: list[str] = []
    before: list[str] = []  # fixed and using statements around the call
    after: list[str] = []
    for slot, p in enumerate(f.parameters):
        name, own = _name(p.name), f"{p.name}Value"
        place = f"slots[{slot}]"
        if p.kind == "value":
            bits = {"f32": f"NativeCall.Bits({name})", "f64": f"NativeCall.Bits({name})"}.get(
                p.of, f"unchecked((ulong){name})"
            )
            body.append(f"{place} = {bits};")
        elif p.kind == "address":
            if p.is_place:
                body.append(f'NativeCall.CheckPlace("{f.name}", "{p.name}", {name});')
            body.append(f"{place} = unchecked((ulong)(long){name});")
        elif p.kind == "enum":
            body.append(f"{place} = unchecked((ulong)(int){name});")
        elif p.kind == "struct":
            body.append(f"{place} = (ulong)&{name};")
        elif p.kind == "text":
            body.append(f'NativeCall.CheckText("{f.name}", "{p.name}", {name});')
            before.append(f"fixed (byte* {own} = Text.Encode({name}))")
            body.append(f"{place} = (ulong){own};")
        elif p.kind == "texts":
            body.append(f'NativeCall.CheckLength("{f.name}", "{p.name}", {name}, {_count(p)});')
            body.append(f'NativeCall.CheckText("{f.name}", "{p.name}", {name});')
            before.append(f"using (NativeTexts {own} = new NativeTexts({name}))")
            body.append(f"{place} = {own}.Address;")
        elif p.kind == "text_out":
            body += [f"IntPtr {own} = IntPtr.Zero;", f"{place} = (ulong)&{own};"]
            after.append(f"{name} = Text.Decode({own});")
        elif p.kind == "bytes" or _passing(p) == "array":
            element = "byte" if p.kind == "bytes" else _element(p)
            if p.direction != "in" and not p.optional:
                body.append(f'NativeCall.CheckNotNull("{f.name}", "{p.name}", {name});')
            least = _count(p) if p.count else "1" if p.direction != "in" else "0"
            body.append(f'NativeCall.CheckLength("{f.name}", "{p.name}", {name}, {least});')
            before.append(f"fixed ({element}* {own} = {name})")
            body.append(f"{place} = (ulong){own};")
        else:
            element = _element(p)
            wide = _is_wide(library, p)
            passing = _passing(p)
            value = {"nullable": f"{name}.GetValueOrDefault()", "out": f"default({element})", "ref": name}[passing]
            if wide:
                body.append(f"byte* {own}Memory = stackalloc byte[2 * sizeof({element})];")
                body.append(f"{element}* {own} = ({element}*)NativeCall.Align({own}Memory, sizeof({element}));")
                body.append(f"*{own} = {value};")
                address, read = f"(ulong){own}", f"*{own}"
            else:
                body.append(f"{element} {own} = {value};")
                address, read = f"(ulong)&{own}", own
            if passing == "nullable":
                body.append(f"{place} = {name}.HasValue ? {address} : 0;")
            else:
                body.append(f"{place} = {address};")
                after.append(f"{name} = {read};")
    lines.append(f"        ulong* slots = stackalloc ulong[{max(1, len(f.parameters))}];")
    # What the parameters' own statements declare comes first, then fixed and using around the rest.
    declarations = [line for line in body if " = stackalloc" in line or line.startswith("NativeCall.Check")]
    rest = [line for line in body if line not in declarations]
    lines += [f"        {line}" for line in declarations]
    lines += [f"        {line}" for line in before]
    indent = "        "
    if before:
        lines[-1] += " {"
        indent = "            "
    lines += [indent + line for line in rest]
    if f.result == "struct":
        lines += [f"{indent}{result} returned = default({result});"]
        lines += [f"{indent}Functions.Call({index}, slots, (ulong*)&returned);"]
    else:
        lines += [f"{indent}ulong returned = Functions.Call({index}, slots);"]
    lines += [indent + line for line in after]
    given = {
        "enum": f"unchecked(({result})(int)returned)",
        "text": "Text.Decode(unchecked((IntPtr)(long)returned))",
        "struct": "returned",
    }
    lines.append(f"{indent}return {given[f.result]};")
    if before:
        lines.append("        }")
    return [*lines, "    }", ""]


def _count(p: Parameter) -> str:
    return f"unchecked((ulong){_name(p.count)})" if p.count else "0"


def _enum(library: Library, tag: str) -> list[str]:
    name = library.names[tag]
    lines = [f"    /// <summary>The enumeration {name}.</summary>", f"    public enum {name} {{"]
    for enumerator, value in library.enumerators(tag):
        number = (value + 2**31) % 2**32 - 2**31
        lines += [f"        /// <summary>Has the value {value}.</summary>", f"        {enumerator} = {number},"]
    return [*lines, "    }", ""]


def _field(library: Library, path: str, field: Facts, offset: int) -> list[str]:
    """The declarations of one field; of an array of structures, one for each element."""
    name = _name(path.replace(".", "_"))
    shape, size = field["shape"], field["size"]

    def declared(kind: str, of: str, at: int, what: str) -> list[str]:
        return [f"        /// <summary>{what}</summary>", f"        [FieldOffset({at})] public {kind} {of};"]

    if shape.startswith("array("):
        length, shape = shape.removeprefix("array(").removesuffix(")").split(",", 1)
        what = f"The field {path}, {length} elements."
        base, _, tag = shape.partition(":")
        if base in ("struct", "union") and library.facts["records"][tag]["kind"] != "opaque":
            each = size // int(length)
            lines = []
            for i in range(int(length)):
                kind = library.names[tag]
                lines += declared(kind, f"{name}_{i}", offset + i * each, f"The field {path}, element {i}.")
            return lines
        kind = {"address": "ulong"}.get(shape) or _NUMBERS.get(shape, "int" if base == "enum" else "")
        if not kind:
            kind = "ulong" if shape.startswith(("ptr", "handle", "function")) else "byte"
        return declared("fixed " + kind, f"{name}[{size if kind == 'byte' else length}]", offset, what)
    what = f"The field {path}."
    base, _, tag = shape.partition(":")
    if shape in _NUMBERS:
        return declared(_NUMBERS[shape], name, offset, what)
    if base == "enum" or (base in ("struct", "union") and library.facts["records"][tag]["kind"] != "opaque"):
        return declared(library.names[tag], name, offset, what)
    if shape == "record":
        return declared("fixed byte", f"{name}[{size}]", offset, what)
    return declared("IntPtr", name, offset, what)


def _record(library: Library, tag: str, facts: Facts) -> list[str]:
    name = library.names[tag]
    lines = [
        f"    /// <summary>The {facts['kind']} {name}, {facts['size']} bytes.</summary>",
        f"    [StructLayout(LayoutKind.Explicit, Size = {facts['size']})]",
        f'    [NativeType("{tag}")]',
        f"    public unsafe struct {name} {{",
    ]
    for path, field, offset in library.fields(facts):
        lines += _field(library, path, field, offset)
    return [*lines, "    }", ""]


def source(library: Library) -> str:
    """The text of <Class>.cs."""
    lines = [
        f"// Generated by generate_managed.py from bindings/tables/{library.name}.json; do not edit.",
        "using System;",
        "using System.Runtime.InteropServices;",
        "using Cuprum.Native;",
        "",
        "namespace Cuprum.Bindings {",
        "",
        "/// <summary>",
        f"/// The functions, types and constants of the {library.title}, 1:1, under their names in C.",
        "/// </summary>",
        "/// <remarks>",
        "/// Each function is looked up at its first call and returns its own status. A call to a missing",
        '/// function returns the library\'s status for that; <see cref="Libraries.TakeFailure"/> then says what',
        "/// is missing.",
        "/// Outputs are out parameters. Addresses are passed on unchecked.",
        "/// </remarks>",
        f"public static unsafe class {library.class_name} {{",
        f'    private static readonly NativeFunctions Functions = new NativeFunctions("{library.name}", new[] {{',
        "        " + ", ".join(f'"{function.name}"' for function in library.functions),
        "    });",
        "",
    ]
    for name, shape, value in library.constants():
        lines.append(f"    /// <summary>The macro {name}.</summary>")
        if shape.startswith(("handle", "ptr")):
            signed = value - 2**64 if value >= 2**63 else value
            lines.append(f"    public static readonly IntPtr {name} = new IntPtr({signed});")
        else:
            kind = {"i32": "int", "u32": "uint", "i64": "long", "u64": "ulong"}.get(shape, "long")
            lines.append(f"    public const {kind} {name} = {value};")
        lines.append("")
    for index, function in enumerate(library.functions):
        lines += _function(library, index, function)
    for tag in sorted(library.facts["enums"]):
        lines += _enum(library, tag)
    for tag, facts in library.records():
        lines += _record(library, tag, facts)
    return "\n".join([*lines[:-1], "}", "", "}"]) + "\n"
