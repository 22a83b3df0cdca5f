"""Writes the C++ header that stands in for a library's own, which a build need not have: what the table knows of it.

Each declaration has the condition under which the headers of the toolkit compiled against have it, as the lists do.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cpp import declared, guarded, number, origin, wrapped
from libraries import Library
from model import Facts, Table


def header(library: Library, table: Table) -> str:
    sections = table.sections
    lines = [
        *origin(library, table),
        f"// Stands in for {library.header}, whatever of it there is: a program that includes that before keeps it,",
        "// and one that includes it after has these declarations.",
        "#pragma once",
        "",
        "#include <cuda.h>  // CUDA_VERSION",
        "",
        *(f"#include <{name}>" for name in sorted({"cstddef", *library.includes})),
        "",
        f"#if !defined({library.guard})",
        f"#define {library.guard}",
        "",
        'extern "C" {',
        "",
    ]
    lines += guarded(
        {
            name: [v for v in variants if v["kind"] == "opaque"][:1]  # only declared: in all toolkits alike
            for name, variants in sections["records"].items()
        },
        table.toolkits,
        lambda name, _: [f"struct {name};"],
    )
    for tag in sorted(sections["enums"]):
        lines += _enumeration(table, tag)
    for section, name in _ordered(table):
        write: Callable[[str, Facts], list[str]] = _typedef if section == "typedefs" else _record
        lines += guarded({name: sections[section][name]}, table.toolkits, write)
    lines += guarded(sections["constants"], table.toolkits, _constant)
    lines += guarded(sections["functions"], table.toolkits, _function)
    return "\n".join([*lines, "", '}  // extern "C"', "", f"#endif  // {library.guard}"]) + "\n"


def _ordered(table: Table) -> list[tuple[str, str]]:
    """The typedefs and records, each after those that it is made of."""
    names = {name: section for section in ("typedefs", "records") for name in sorted(table.sections[section])}
    found: list[tuple[str, str]] = []
    seen: set[str] = set()

    def add(name: str) -> None:
        if name in seen or name not in names:
            return
        seen.add(name)
        for variant in table.sections[names[name]][name]:
            for word in re.findall(r"\w+", _spelled(variant)):
                add(word)
        found.append((names[name], name))

    for name in names:
        add(name)
    return found


def _spelled(variant: Facts) -> str:
    """All types that a declaration names."""
    inner = " ".join(
        field["type"] + (" " + _spelled(field["record"]) if "record" in field else "")
        for field in variant.get("fields", ())
    )
    return f"{variant.get('type', '')} {inner}"


def _enumeration(table: Table, tag: str) -> list[str]:
    enumerators = {
        name: [v for v in variants if v["enum"] == tag] for name, variants in table.sections["enumerators"].items()
    }
    body = {f"{v['position']:06} {name} {v['value']}": [v] for name, vs in enumerators.items() for v in vs}
    return [
        f"enum {tag} {{",
        *guarded(body, table.toolkits, lambda key, v: [f"    {key.split(' ')[1]} = {number(v['value'])},"]),
        "};",
    ]


def _typedef(name: str, v: Facts) -> list[str]:
    return [] if v["type"] == name else [f"typedef {_named(v['type'], name)};"]


def _record(name: str, v: Facts) -> list[str]:
    return [] if v["kind"] == "opaque" else [f"{v['kind']} {name} {{", *_fields(v, "    "), "};"]


def _fields(record: Facts, indent: str) -> list[str]:
    lines = []
    for field in record["fields"]:
        bits = f" : {field['bits']}" if "bits" in field else ""
        if inner := field.get("record"):
            extents = "".join(re.findall(r"\[\d+\]", field["type"])) or _extents(field["shape"])
            lines += [f"{indent}{inner['kind']} {{", *_fields(inner, indent + "    ")]
            lines.append(f"{indent}}} {field['name']}{extents};" if field["name"] else f"{indent}}};")
        else:
            lines.append(f"{indent}{_named(field['type'], field['name'])}{bits};")
    return lines


def _extents(shape: str) -> str:
    return "".join(f"[{count}]" for count in re.findall(r"array\((\d+),", shape))


def _named(type_: str, name: str) -> str:
    """The declaration of something of that type."""
    if "(*)" in type_:
        return type_.replace("(*)", f"(*{name})", 1)
    match = re.fullmatch(r"(.*?)\s*((?:\[\d+\])*)", type_)
    assert match is not None
    return f"{match.group(1)} {name}{match.group(2)}"


def _constant(name: str, v: Facts) -> list[str]:
    return [f"#define {name} {v.get('alias') or number(v['value'])}"]


def _function(name: str, v: Facts) -> list[str]:
    lines = [f"#define {name} {v['symbol']}"] if v["symbol"] != name else []
    return lines + wrapped(f"{v['result']} {v['symbol']}(", [declared(p) for p in v["parameters"]], ");")
