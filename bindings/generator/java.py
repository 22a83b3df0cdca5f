"""Writes the Java classes io.cuprum.bindings.Driver, Runtime, Nvrtc, NvJitLink, Nvvm, Nvml and Nccl."""

from __future__ import annotations

from managed import WIDTHS, Function, Library, Parameter

_NUMBERS = {8: "byte", 16: "short", 32: "int", 64: "long"}
# Methods that NativeStruct has for all structures.
_OF_STRUCTURES = {"address", "layout", "memory", "part", "put"}
_KEYWORDS = {"default", "native", "interface", "class", "package", "short", "long", "int", "new", "final", "enum"}


def _type_of(shape: str) -> str:
    return {"f32": "float", "f64": "double"}.get(shape) or _NUMBERS[WIDTHS[shape]]


def _name(name: str) -> str:
    return name + "_" if name in _KEYWORDS else name


def _parameter_type(p: Parameter) -> str:
    number = _type_of(p.of) if p.kind in ("value", "numbers") else ""
    return {
        "value": number,
        "address": "long",
        "enum": p.of,
        "struct": p.of,
        "text": "String",
        "texts": "String[]",
        "text_out": "String[]",
        "bytes": "byte[]",
        "numbers": f"{number}[]",
        "enums": f"{p.of}[]",
        "record": p.of,
    }[p.kind]


def _described(p: Parameter) -> str:
    """What the parameter takes, for the documentation."""
    what = {
        "value": "a number",
        "address": "an address or handle",
        "enum": "an enumerator",
        "struct": "a structure, by value",
        "text": "a text, or null",
        "texts": "texts, or null",
        "text_out": "an array of one element, which is set",
        "bytes": "memory for the characters that the function writes",
        "numbers": "numbers",
        "enums": "enumerators",
        "record": "a structure",
    }[p.kind]
    if p.kind in ("numbers", "enums"):
        many = f"{what}, as many as {p.count} says" if p.count else what
        one = many if p.array else "an array of one element"
        what = {"in": f"{many}, or null", "out": f"{one}, which is set", "inout": f"{one}, which is read and set"}[
            p.direction
        ]
    elif p.kind == "record":
        what = {"in": "a structure, or null", "out": "a structure that is filled in", "inout": "a structure that is "
                "read and filled in"}[p.direction]  # fmt: skip
    return what + (", or null for none" if p.optional else "")


def _passed(p: Parameter) -> str:
    """The statement that puts the argument into the call."""
    name = _name(p.name)
    label = f'"{p.name}"'
    direction = {"in": "NativeCall.IN", "out": "NativeCall.OUT", "inout": "NativeCall.IN_OUT"}[p.direction]
    if p.optional:
        direction += " | NativeCall.OPTIONAL"
    if p.kind == "value" and p.of in ("f32", "f64"):
        return f"call.real({name})"
    if p.is_place:
        return f"call.place({label}, {name})"
    if p.kind in ("value", "address"):
        return f"call.number({name})"
    if p.kind == "enum":
        return f"call.enumerator({label}, {name})"
    if p.kind == "struct":
        return f"call.structure({label}, {name})"
    if p.kind == "text":
        return f"call.text({label}, {name})"
    if p.kind == "texts":
        return f"call.texts({label}, {name}, {_count(p)})"
    if p.kind == "text_out":
        return f"call.textOut({label}, {name})"
    if p.kind == "record":
        # Several of them are elements of one array, whose first is passed.
        return f"call.record({label}, {name}, {direction}, {_count(p)})"
    if p.kind == "enums":
        return f"call.enumerators({label}, {name}, {direction}, {_count(p)}, {p.of}::of)"
    return f"call.numbers({label}, {name}, {direction}, {_count(p)})"


def _count(p: Parameter) -> str:
    return f"NativeCall.length({_name(p.count)})" if p.count else "1" if p.direction != "in" else "0"


def _function(library: Library, index: int, f: Function) -> list[str]:
    declared = ", ".join(f"{_parameter_type(p)} {_name(p.name)}" for p in f.parameters)
    result = {"enum": f.result_of, "text": "String", "struct": f.result_of}[f.result]
    lines = ["    /**", f"     * {f.summary}"]
    lines += ["     *"] + [f"     * @param {_name(p.name)} {_described(p)}" for p in f.parameters]
    lines += [f"     * @return {'the status' if f.result == 'enum' else 'the function`s result'}".replace("`", "'")]
    if any(p.kind not in ("value", "address", "text") for p in f.parameters):
        lines.append("     * @throws IllegalArgumentException for an argument that is null or too short")
    lines += ["     */", f"    public static {result} {f.name}({declared}) {{"]
    lines.append(f"        NativeCall call = NativeCall.begin(FUNCTIONS, {index}, {len(f.parameters)});")
    lines += [f"        {_passed(p)};" for p in f.parameters]
    if f.result == "enum":
        lines.append(f"        return {result}.of((int) call.invoke());")
    elif f.result == "text":
        lines.append("        return call.invokeForText();")
    else:
        lines += [
            f"        {result} result = new {result}();",
            "        call.invokeInto(result);",
            "        return result;",
        ]
    return [*lines, "    }", ""]


def _enum(library: Library, tag: str) -> list[str]:
    name = library.names[tag]
    lines = [
        f"    /** The enumeration {name}. */",
        f"    public static final class {name} extends NativeEnum {{",
    ]
    values = library.enumerators(tag)
    for enumerator, value in values:
        number = (value + 2**31) % 2**32 - 2**31  # an int, as C's enumerations are passed
        lines += [
            f"        /** Has the value {value}. */",
            f'        public static final {name} {enumerator} = new {name}("{enumerator}", {number});',
        ]
    known = ", ".join(enumerator for enumerator, _ in values)
    lines += [
        f"        private static final {name}[] KNOWN = {{{known}}};",
        "",
        f"        private {name}(String name, int value) {{",
        "            super(name, value);",
        "        }",
        "",
        "        /**",
        "         * The enumerator of that value; a new object if it has no name, such as several flags together.",
        "         *",
        "         * @param value any number",
        "         * @return never null",
        "         */",
        f"        public static {name} of(int value) {{",
        f"            {name} known = find(KNOWN, value);",
        f"            return known != null ? known : new {name}(null, value);",
        "        }",
        "    }",
        "",
    ]
    return lines


_ACCESS = {"byte": "", "short": "Short", "int": "Int", "long": "Long", "float": "Float", "double": "Double"}


def _accessors(library: Library, owner: str, name: str, shape: str, size: int, offset: int, path: str) -> list[str]:
    """The methods that read and write one field."""
    method = name + "_" if name in _OF_STRUCTURES else _name(name)
    index, at, count = "", str(offset), 0
    if shape.startswith("array("):
        length, shape = shape.removeprefix("array(").removesuffix(")").split(",", 1)
        count = int(length)
        size //= count
        index, at = "int index", f"{offset} + {size} * check(index, {count})"
    base, _, tag = shape.partition(":")
    note = f", element index of {count}" if count else ""
    parameter_note = ["         * @param index from 0"] if count else []

    def method_pair(kind: str, read: str, write: str) -> list[str]:
        setter = ", ".join(part for part in (index, f"{kind} value") if part)
        return [
            "        /**",
            f"         * The field {path}{note}.",
            "         *",
            *parameter_note,
            "         * @return its value",
            "         */",
            f"        public {kind} {method}({index}) {{",
            f"            return {read};",
            "        }",
            "",
            "        /**",
            f"         * Sets the field {path}{note}.",
            "         *",
            *parameter_note,
            "         * @param value what it is to be",
            "         * @return this object",
            "         */",
            f"        public {owner} {method}({setter}) {{",
            f"            {write};",
            "            return this;",
            "        }",
            "",
        ]

    if shape in WIDTHS or shape in ("f32", "f64"):
        kind = _type_of(shape)
        access = _ACCESS[kind]
        return method_pair(kind, f"memory().get{access}({at})", f"memory().put{access}({at}, value)")
    if base == "enum":
        enumeration = library.names[tag]
        return method_pair(
            enumeration, f"{enumeration}.of(memory().getInt({at}))", f"memory().putInt({at}, value.value())"
        )
    if base in ("struct", "union") and library.facts["records"][tag]["kind"] != "opaque":
        record = library.names[tag]
        return method_pair(record, f"new {record}(part({at}, {record}.LAYOUT))", f"put({at}, value)")
    if base == "handle" or shape == "function" or shape.startswith("ptr("):
        return method_pair("long", f"memory().getLong({at})", f"memory().putLong({at}, value)")
    return [  # elements that have no type of their own
        "        /**",
        f"         * The bytes of the field {path}{note}.",
        "         *",
        *parameter_note,
        "         * @return a view of this structure's memory",
        "         */",
        f"        public java.nio.ByteBuffer {method}({index}) {{",
        f"            return part({at}, {size});",
        "        }",
        "",
    ]


def _record(library: Library, tag: str) -> list[str]:
    facts = library.facts["records"][tag]
    name = library.names[tag]
    fields = library.fields(facts)
    lines = [
        f"    /** The {facts['kind']} {name}, {facts['size']} bytes. */",
        f"    public static final class {name} extends NativeStruct {{",
        "        /** Its layout in C. */",
        "        public static final Layout LAYOUT = new Layout(",
        f'                "{tag}", {facts["size"]}, {facts["alignment"]},',
        "                new String[] {" + ", ".join(f'"{path}"' for path, _, _ in fields) + "},",
        "                new int[] {" + ", ".join(f"{offset}, {field['size']}" for _, field, offset in fields) + "});",
        "",
        "        /** One whose bytes are all 0. */",
        f"        public {name}() {{",
        "            super(LAYOUT);",
        "        }",
        "",
        f"        private {name}(java.nio.ByteBuffer memory) {{",
        "            super(memory);",
        "        }",
        "",
        "        /**",
        "         * Structures that are contiguous in memory. To pass all of them, pass the first.",
        "         *",
        "         * @param length how many",
        "         * @return new ones, whose bytes are all 0",
        "         */",
        f"        public static {name}[] array(int length) {{",
        "            java.nio.ByteBuffer[] parts = parts(LAYOUT, length);",
        f"            {name}[] array = new {name}[length];",
        "            for (int i = 0; i < length; ++i) {",
        f"                array[i] = new {name}(parts[i]);",
        "            }",
        "            return array;",
        "        }",
        "",
        "        @Override",
        "        public Layout layout() {",
        "            return LAYOUT;",
        "        }",
        "",
    ]
    for path, field, offset in fields:
        lines += _accessors(library, name, path.replace(".", "_"), field["shape"], field["size"], offset, path)
    return [*lines, "    }", ""]


def source(library: Library) -> str:
    """The text of <Class>.java."""
    names = ", ".join(f'"{function.name}"' for function in library.functions)
    lines = [
        f"// Generated by generate_managed.py from bindings/tables/{library.name}.json; do not edit.",
        "package io.cuprum.bindings;",
        "",
        "import io.cuprum.internal.NativeCall;",
        "",
        "/**",
        f" * The functions, types and constants of the {library.title}, 1:1, under their names in C.",
        " *",
        " * <p>Each function is looked up at its first call and returns its own status. A call to a missing function",
        " * returns the library's status for that; {@link Bindings#takeFailure} then says what is missing.",
        " * Numbers of 64 bits, addresses and handles are long. Output pointers are arrays of one element;",
        " * structures are objects in memory outside the Java heap. Addresses are passed on unchecked.",
        " */",
        f"public final class {library.class_name} {{",
        "    private static final NativeCall.Functions FUNCTIONS =",
        f'            new NativeCall.Functions("{library.name}", names());',
        "",
        f"    private {library.class_name}() {{}}",
        "",
        "    private static String[] names() {",
        "        return new String[] {" + names + "};",
        "    }",
        "",
    ]
    for name, shape, value in library.constants():
        wide = shape in ("u64", "i64") or shape.startswith(("handle", "ptr"))
        kind = "long" if wide else "int"
        number = value - 2**64 if wide and value >= 2**63 else value if wide else (value + 2**31) % 2**32 - 2**31
        lines += [
            f"    /** The macro {name}. */",
            f"    public static final {kind} {name} = {number}{'L' if wide else ''};",
            "",
        ]
    for index, function in enumerate(library.functions):
        lines += _function(library, index, function)
    for tag in sorted(library.facts["enums"]):
        lines += _enum(library, tag)
    for tag, _ in library.records():
        lines += _record(library, tag)
    return "\n".join([*lines[:-1], "}"]) + "\n"
