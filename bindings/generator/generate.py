#!/usr/bin/env python3
"""Makes the function lists of the CUDA libraries and what is generated from them.

Reads the headers of one or more CUDA toolkits with libclang (PyPI: libclang), merges what they declare into
bindings/tables/<library>.json, and writes from there, for every library alike,

    bindings/include/cuprum/bindings/<library>_functions.def   the list, for visitors (an X-macro)
    bindings/include/cuprum/bindings/<library>_functions.hpp   the functions' declarations

    generate.py --headers DIR [--headers DIR ...]     merge these toolkits' headers and write everything
    generate.py --headers DIR --check                 write nothing; fail if a committed file would change. Headers of
                                                      a toolkit that was never merged are not compared.

A toolkit that is merged again replaces what was known of it; what is known of other toolkits stays. So CI needs only
the toolkit at hand to see that the committed files are current.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
import json
import pathlib
import re
import sys
from collections.abc import Callable

import clang.cindex  # type: ignore[import-untyped]
from clang.cindex import CursorKind, TypeKind

BINDINGS = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass(frozen=True)
class Library:
    """What the generator must be told of a library; everything else it reads from the headers."""

    name: str  # the C++ namespace
    title: str
    header: str
    function: str  # regular expression that public function names match
    typedefs: str = ""  # header with PFN_<name>_v<version> types, which say since when a signature exists


LIBRARIES = (
    Library("driver", "CUDA driver", "cuda.h", r"cu[A-Z]\w*", typedefs="cudaTypedefs.h"),
    Library("nvrtc", "NVRTC", "nvrtc.h", r"nvrtc[A-Z]\w*"),
)


@dataclasses.dataclass
class Variant:
    """One signature of a function, and the toolkits whose headers give the function that signature."""

    symbol: str  # the name that the library exports
    query: str  # the name that cuGetProcAddress knows it by
    version: int  # the CUDA version that introduced the signature, 1000 * major + 10 * minor
    result: str
    parameters: list[tuple[str, str]]  # (declaration with "%" for the name, name)
    toolkits: list[int]

    def same_function(self, other: Variant) -> bool:
        return (self.symbol, self.query, self.result, self.parameters) == (
            other.symbol,
            other.query,
            other.result,
            other.parameters,
        )

    def parameter_list(self) -> str:
        return ", ".join(declaration.replace("%", name) for declaration, name in self.parameters)

    def argument_list(self) -> str:
        return ", ".join(name for _, name in self.parameters)


# --- reading headers ---------------------------------------------------------------------------------------------


def toolkit_version(headers: pathlib.Path) -> int:
    match = re.search(
        r"^#define CUDA_VERSION (\d+)",
        (headers / "cuda.h").read_text(errors="replace"),
        re.MULTILINE,
    )
    if not match:
        raise SystemExit(f"{headers}/cuda.h does not define CUDA_VERSION")
    return int(match.group(1))


def parse(headers: pathlib.Path, names: list[str]) -> clang.cindex.TranslationUnit:
    """Parses a file that includes `names`, as C: the C++ parts of the headers are inline helpers, not exports."""
    source = "".join(f"#include <{name}>\n" for name in names)
    arguments = [
        "-x",
        "c",
        "-std=c11",
        "-target",
        "x86_64-unknown-linux-gnu",
        "-ffreestanding",
        "-nostdinc",
        f"-I{headers}",
        f"-I{BINDINGS / 'generator' / 'include'}",
    ]
    unit = clang.cindex.Index.create().parse(
        "list.c",
        args=arguments,
        unsaved_files=[("list.c", source)],
        options=clang.cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
    )
    errors = [str(d) for d in unit.diagnostics if d.severity >= clang.cindex.Diagnostic.Error]
    if errors:
        raise SystemExit(f"{headers} does not parse:\n" + "\n".join(errors))
    return unit


def public_names(unit: clang.cindex.TranslationUnit, pattern: str) -> dict[str, str]:
    """Maps exported symbols to the names that programs write: cuda.h has '#define cuMemAlloc cuMemAlloc_v2'."""
    names = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind != CursorKind.MACRO_DEFINITION or not re.fullmatch(pattern, cursor.spelling):
            continue
        tokens = [token.spelling for token in cursor.get_tokens()][1:]
        if len(tokens) == 4 and tokens[0] in ("__CUDA_API_PTDS", "__CUDA_API_PTSZ"):
            tokens = [tokens[2]]
        if len(tokens) == 1 and re.fullmatch(pattern, tokens[0]):
            names[tokens[0]] = cursor.spelling
    return names


def typedef_versions(header_folders: list[pathlib.Path], name: str) -> dict[str, list[int]]:
    """For each function, the CUDA versions that gave it a new signature, oldest first.

    Read from the text, because the types of signatures that are no longer the default hide behind #if; and from all
    toolkits given, because some list a new function one release late.
    """
    versions: dict[str, set[int]] = {}
    for headers in header_folders:
        text = (headers / name).read_text(errors="replace")
        for function, version in re.findall(r"\*\s*PFN_(cu\w+?)_v(\d{4,5})(?:_ptds|_ptsz)?\)", text):
            versions.setdefault(function, set()).add(int(version))
    return {function: sorted(found) for function, found in versions.items()}


def split_suffix(symbol: str) -> tuple[str, int]:
    """cuMemAlloc_v2 is the second signature of cuMemAlloc."""
    match = re.fullmatch(r"(\w+?)_v(\d)", symbol)
    return (match.group(1), int(match.group(2))) if match else (symbol, 1)


def parameter(cursor: clang.cindex.Cursor, position: int) -> tuple[str, str]:
    name = cursor.spelling or f"argument{position}"
    kind = cursor.type
    if kind.kind == TypeKind.POINTER and kind.get_pointee().kind in (
        TypeKind.FUNCTIONPROTO,
        TypeKind.FUNCTIONNOPROTO,
    ):
        return kind.spelling.replace("(*)", "(*%)", 1), name
    if kind.kind in (TypeKind.INCOMPLETEARRAY, TypeKind.CONSTANTARRAY):
        return kind.element_type.spelling + "* %", name
    spelling = re.sub(r"\s*\*", "*", kind.spelling).replace("*const", "* const")
    return f"{spelling} %", name


def canonical(kind: clang.cindex.Type) -> str:
    return str(kind.get_canonical().spelling)


def read_library(library: Library, headers: pathlib.Path, versions: dict[str, list[int]]) -> dict[str, Variant]:
    toolkit = toolkit_version(headers)
    unit = parse(headers, [library.header] + ([library.typedefs] if library.typedefs else []))
    public = public_names(unit, library.function)
    typedef_types = {
        c.spelling: canonical(c.underlying_typedef_type.get_pointee())
        for c in unit.cursor.get_children()
        if c.kind == CursorKind.TYPEDEF_DECL and c.spelling.startswith("PFN_")
    }
    found: dict[str, Variant] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind != CursorKind.FUNCTION_DECL or not re.fullmatch(library.function, cursor.spelling):
            continue
        if pathlib.Path(cursor.location.file.name).name != library.header or cursor.is_definition():
            continue
        symbol = cursor.spelling
        if re.search(r"_pt(ds|sz)$", symbol):
            continue
        query, rank = split_suffix(symbol)
        version = toolkit
        if library.typedefs:
            known = versions.get(query)
            if not known or rank > len(known):
                raise SystemExit(f"{headers}/{library.typedefs} does not say since when {symbol} exists: {known}")
            version = known[rank - 1]
            expected = typedef_types.get(f"PFN_{query}_v{version}")
            if expected is not None and expected != canonical(cursor.type):
                raise SystemExit(f"{symbol}: {canonical(cursor.type)} but PFN_{query}_v{version} is {expected}")
        parameters = [parameter(argument, i) for i, argument in enumerate(cursor.get_arguments())]
        result = re.sub(r"\s*\*", "*", cursor.result_type.spelling)
        found[public.get(symbol, symbol)] = Variant(symbol, query, version, result, parameters, [toolkit])
    return found


# --- the list ----------------------------------------------------------------------------------------------------


def load_table(path: pathlib.Path) -> tuple[list[int], dict[str, list[Variant]]]:
    if not path.exists():
        return [], {}
    data = json.loads(path.read_text())
    return data["toolkits"], {
        name: [
            Variant(
                v["symbol"],
                v["query"],
                v["version"],
                v["result"],
                [tuple(p) for p in v["parameters"]],
                v["toolkits"],
            )
            for v in variants
        ]
        for name, variants in data["functions"].items()
    }


def merge(table: dict[str, list[Variant]], found: dict[str, Variant], toolkit: int) -> None:
    for variants in table.values():
        for variant in variants:
            variant.toolkits = [t for t in variant.toolkits if t != toolkit]
    for name, new in found.items():
        variants = table.setdefault(name, [])
        for variant in variants:
            if variant.same_function(new):
                variant.toolkits = sorted({*variant.toolkits, toolkit})
                variant.version = min(variant.version, new.version)
                break
        else:
            variants.append(new)
    for name in list(table):
        table[name] = sorted((v for v in table[name] if v.toolkits), key=lambda v: v.toolkits[0])
        if not table[name]:
            del table[name]


def dump_table(toolkits: list[int], table: dict[str, list[Variant]]) -> str:
    lines = [
        '{"generated": "by bindings/generator/generate.py; do not edit",',
        f' "toolkits": {json.dumps(toolkits)},',
        ' "functions": {',
    ]
    for i, name in enumerate(sorted(table)):
        variants = ",\n    ".join(json.dumps(dataclasses.asdict(v)) for v in table[name])
        lines.append(f'  "{name}": [\n    {variants}]' + ("," if i + 1 < len(table) else ""))
    lines.append(" }}")
    return "\n".join(lines) + "\n"


# --- writing code ------------------------------------------------------------------------------------------------


def guard(variant: Variant, toolkits: list[int]) -> str:
    """The preprocessor condition under which the headers have this variant; empty where all have it."""
    conditions = []
    if variant.toolkits[0] != toolkits[0]:
        conditions.append(f"CUDA_VERSION >= {variant.toolkits[0]}")
    if variant.toolkits[-1] != toolkits[-1]:
        until = toolkits[toolkits.index(variant.toolkits[-1]) + 1]
        conditions.append(f"CUDA_VERSION < {until}")
    return " && ".join(conditions)


def guarded(
    variants: dict[str, list[Variant]], toolkits: list[int], write: Callable[[str, Variant], list[str]]
) -> list[str]:
    """`write(name, variant)`'s lines for each variant, neighbours with the same condition in one #if."""
    lines, open_guard = [], ""
    for name in sorted(variants):
        for variant in variants[name]:
            wanted = guard(variant, toolkits)
            if wanted != open_guard:
                if open_guard:
                    lines.append("#endif")
                if wanted:
                    lines.append(f"#if {wanted}")
                open_guard = wanted
            lines += write(name, variant)
    if open_guard:
        lines.append("#endif")
    return lines


def version_text(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"


def wrapped(head: str, items: list[str], tail: str, limit: int = 120) -> list[str]:
    """`head` + the items + `tail`, broken between items where the line would be too long."""
    lines, line = [], head
    for i, item in enumerate(items):
        piece = item + (", " if i + 1 < len(items) else tail)
        if len((line + piece).rstrip()) > limit and line.strip():
            lines.append(line.rstrip())
            line = "    " + piece
        else:
            line += piece
    return [*lines, (line if items else head + tail).rstrip()]


def definition_file(library: Library, toolkits: list[int], table: dict[str, list[Variant]]) -> str:
    def write(name: str, v: Variant) -> list[str]:
        return wrapped(
            "CUPRUM_FUNCTION(",
            [
                name,
                f'"{name}"',
                f'"{v.query}"',
                f'"{v.symbol}"',
                str(v.version),
                v.result,
                f"({v.parameter_list()})",
                f"({v.argument_list()})",
            ],
            ")",
        )

    oldest, newest = version_text(toolkits[0]), version_text(toolkits[-1])
    lines = [
        f"// Generated by bindings/generator/generate.py from bindings/tables/{library.name}.json; do not edit.",
        f"// The functions of {library.header}, for the headers of CUDA {oldest} to {newest}. The visitor defines,",
        "// before it includes this file,",
        "//   CUPRUM_FUNCTION(identifier, name, query, symbol, version, result, parameters, arguments)",
        "// with the name as programs write it, the one that cuGetProcAddress takes, the one that the library exports,",
        "// and the CUDA version (1000 * major + 10 * minor) that introduced this signature"
        + (": what to ask cuGetProcAddress for." if library.typedefs else ", as far as the lists reach back."),
    ]
    return "\n".join(lines + guarded(table, toolkits, write)) + "\n"


def declaration_file(library: Library, toolkits: list[int], table: dict[str, list[Variant]]) -> str:
    def write(name: str, v: Variant) -> list[str]:
        note = (
            f"/// CUDA {version_text(v.version)}"
            if library.typedefs
            else f"/// In toolkits from {version_text(v.version)}"
        )
        if v.symbol != name:
            note += f"; exported as {v.symbol}"
        declarations = [declaration.replace("%", parameter_name) for declaration, parameter_name in v.parameters]
        return [note + ".", *wrapped(f"{v.result} {name}(", declarations, ");")]

    lines = [
        f"// Generated by bindings/generator/generate.py from bindings/tables/{library.name}.json; do not edit.",
        "#pragma once",
        "",
        "#include <cuda.h>"
        if library.header == "cuda.h"
        else f"#include <cuda.h>  // CUDA_VERSION\n#include <{library.header}>",
        "",
        f"namespace cuprum::bindings::{library.name} {{",
        "",
    ]
    return (
        "\n".join(lines + guarded(table, toolkits, write) + ["", f"}}  // namespace cuprum::bindings::{library.name}"])
        + "\n"
    )


# --- the program -------------------------------------------------------------------------------------------------


def generate(header_folders: list[pathlib.Path], only_known: bool) -> dict[pathlib.Path, str]:
    """The files, by path. `only_known`: leaves out toolkits that the lists know nothing of yet."""
    files = {}
    for library in LIBRARIES:
        table_path = BINDINGS / "tables" / f"{library.name}.json"
        toolkits, table = load_table(table_path)
        versions = typedef_versions(header_folders, library.typedefs) if library.typedefs else {}
        for headers in header_folders:
            if not (headers / library.header).exists():
                print(
                    f"{headers} has no {library.header}: nothing merged for {library.name}",
                    file=sys.stderr,
                )
                continue
            toolkit = toolkit_version(headers)
            if only_known and toolkit not in toolkits:
                print(
                    f"{library.name}: the list does not know CUDA {version_text(toolkit)} yet, so only what is "
                    "generated from the list is checked",
                    file=sys.stderr,
                )
                continue
            merge(table, read_library(library, headers, versions), toolkit)
            toolkits = sorted({*toolkits, toolkit})
        if not toolkits:
            raise SystemExit(f"no headers of {library.title} given and no list to start from")
        include = BINDINGS / "include" / "cuprum" / "bindings"
        files[table_path] = dump_table(toolkits, table)
        files[include / f"{library.name}_functions.def"] = definition_file(library, toolkits, table)
        files[include / f"{library.name}_functions.hpp"] = declaration_file(library, toolkits, table)
    return files


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "--headers",
        action="append",
        type=pathlib.Path,
        required=True,
        help="include folder of a CUDA toolkit; may be given several times",
    )
    arguments.add_argument(
        "--check",
        action="store_true",
        help="write nothing, fail if anything would change",
    )
    options = arguments.parse_args()
    status = 0
    for path, text in generate(options.headers, only_known=options.check).items():
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        if options.check:
            status = 1
            name = str(path.relative_to(BINDINGS.parent))
            sys.stdout.writelines(
                difflib.unified_diff(old.splitlines(True), text.splitlines(True), name, name + " (now)")
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path.relative_to(BINDINGS.parent)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
