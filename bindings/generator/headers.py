"""Reads the headers of a CUDA toolkit with libclang (PyPI: libclang) into the facts that model.py keeps."""

from __future__ import annotations

import itertools
import pathlib
import re
from collections.abc import Iterator

import clang.cindex  # type: ignore[import-untyped]
import nccl
import nvml
from clang.cindex import CursorKind, TypeKind
from libraries import Library
from model import SECTIONS, Facts
from parameters import UNCOUNTED_ARRAYS, count_of, direction, optional
from summaries import summary

GENERATOR = pathlib.Path(__file__).resolve().parent


def header_version(library: Library, headers: pathlib.Path) -> int:
    """What the lists call these headers by: 1000 * major + 10 * minor."""
    if not library.version_macro:
        return toolkit_version(headers)
    text = (headers / library.header).read_text(errors="replace")
    match = re.search(rf"^#define {library.version_macro} (\d+)", text, re.MULTILINE)
    if not match:
        raise SystemExit(f"{headers}/{library.header} does not define {library.version_macro}")
    code = int(match.group(1))
    return code // 10000 * 1000 + code // 100 % 100 * 10


def toolkit_version(headers: pathlib.Path) -> int:
    match = re.search(
        r"^#define CUDA_VERSION (\d+)",
        (headers / "cuda.h").read_text(errors="replace"),
        re.MULTILINE,
    )
    if not match:
        raise SystemExit(f"{headers}/cuda.h does not define CUDA_VERSION")
    return int(match.group(1))


def typedef_versions(header_folders: list[pathlib.Path], names: tuple[str, ...]) -> dict[str, list[int]]:
    """For each function, the CUDA versions that gave it a new signature, oldest first.

    Read from the text, because the types of signatures that are no longer the default hide behind #if; and from all
    toolkits given, because some list a new function one release late.
    """
    versions: dict[str, set[int]] = {}
    for headers, name in itertools.product(header_folders, names):
        if not (headers / name).exists():
            continue  # a folder with other libraries' headers
        text = (headers / name).read_text(errors="replace")
        for function, version in re.findall(r"\*\s*PFN_(cu\w+?)_v(\d{4,5})(?:_ptds|_ptsz)?\)", text):
            versions.setdefault(function, set()).add(int(version))
    return {function: sorted(found) for function, found in versions.items()}


class Headers:
    """One library's headers in one toolkit, parsed as C: their C++ parts are inline helpers, not exports."""

    def __init__(self, library: Library, folder: pathlib.Path, versions: dict[str, list[int]]) -> None:
        self.library = library
        self.folder = folder.resolve()
        self.versions = versions
        self.toolkit = header_version(library, folder)
        self.unit = self._parse([*library.headers, *library.typedefs])

    def facts(self) -> dict[str, dict[str, Facts]]:
        """Section -> name -> facts."""
        found: dict[str, dict[str, Facts]] = {section: {} for section in SECTIONS}
        found["functions"] = self._functions()
        for cursor in self._declarations():
            if cursor.kind == CursorKind.ENUM_DECL:
                self._enum(cursor, found)
            elif cursor.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL):
                if cursor.is_definition() or cursor.get_definition() is None:
                    found["records"][_tag(cursor)] = self._record(cursor)
            elif cursor.kind == CursorKind.TYPEDEF_DECL:
                target = cursor.underlying_typedef_type
                found["typedefs"][cursor.spelling] = {"type": type_text(target), "shape": shape(target)}
        found["constants"] = self._constants()
        return found

    # --- parsing -------------------------------------------------------------------------------------------------

    def _parse(self, names: list[str], text: str = "", options: tuple[str, ...] = ()) -> clang.cindex.TranslationUnit:
        source = "".join(f"#include <{name}>\n" for name in names) + text
        arguments = [
            "-x",
            "c",
            "-std=c11",
            "-target",
            "x86_64-unknown-linux-gnu",
            "-ffreestanding",
            "-nostdinc",
            "-ferror-limit=0",
            f"-I{self.folder}",
            f"-I{GENERATOR / 'include'}",
            *options,
        ]
        unit = clang.cindex.Index.create().parse(
            "list.c",
            args=arguments,
            unsaved_files=[("list.c", source)],
            options=clang.cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,
        )
        errors = [str(d) for d in unit.diagnostics if d.severity >= clang.cindex.Diagnostic.Error]
        if errors and not text:
            raise SystemExit(f"{self.folder} does not parse:\n" + "\n".join(errors))
        return unit

    def _is_own(self, cursor: clang.cindex.Cursor) -> bool:
        """Whether the library's header, or one of the toolkit's that it includes, declares it."""
        if cursor.location.file is None:
            return False
        path = pathlib.Path(cursor.location.file.name)
        return path.parent.resolve() == self.folder and path.name not in self.library.typedefs

    def _declarations(self) -> Iterator[clang.cindex.Cursor]:
        return (cursor for cursor in self.unit.cursor.get_children() if self._is_own(cursor))

    # --- functions -----------------------------------------------------------------------------------------------

    def _public_names(self) -> dict[str, str]:
        """Maps exported symbols to the names that programs write: cuda.h has '#define cuMemAlloc cuMemAlloc_v2'."""
        names = {}
        for cursor in self.unit.cursor.get_children():
            if cursor.kind != CursorKind.MACRO_DEFINITION or not re.fullmatch(self.library.function, cursor.spelling):
                continue
            tokens = [token.spelling for token in cursor.get_tokens()][1:]
            if len(tokens) == 4 and re.fullmatch(r"__CUDA(RT)?_API_PT(DS|SZ)", tokens[0]):
                tokens = [tokens[2]]
            if cursor.spelling in self.library.former_names:
                continue
            if len(tokens) == 1 and re.fullmatch(self.library.function, tokens[0]):
                names[tokens[0]] = cursor.spelling
        return names

    def _per_thread_suffixes(self) -> dict[str, str]:
        """For each exported symbol that has a variant for the per-thread default stream, what its name ends with."""
        unit = self._parse([*self.library.headers], options=("-DCUDA_API_PER_THREAD_DEFAULT_STREAM",))
        suffixes = {}
        for cursor in unit.cursor.get_children():
            match = re.fullmatch(r"(\w+)(_pt(?:ds|sz))", cursor.spelling or "")
            if cursor.kind == CursorKind.FUNCTION_DECL and match:
                suffixes[match.group(1)] = match.group(2)
        return suffixes

    def _functions(self) -> dict[str, Facts]:
        public = self._public_names()
        suffixes = self._per_thread_suffixes()
        typedef_types = {
            c.spelling: _canonical(c.underlying_typedef_type.get_pointee())
            for c in self.unit.cursor.get_children()
            if c.kind == CursorKind.TYPEDEF_DECL and c.spelling.startswith("PFN_")
        }
        found: dict[str, Facts] = {}
        for cursor in self.unit.cursor.get_children():
            symbol = cursor.spelling
            if cursor.kind != CursorKind.FUNCTION_DECL or not re.fullmatch(self.library.function, symbol):
                continue
            if pathlib.Path(cursor.location.file.name).name not in self.library.headers or symbol in found:
                continue
            if re.search(r"_pt(ds|sz)$", symbol) or symbol in self.library.left_out:
                continue
            query, rank = _split_suffix(symbol)
            version = self.toolkit
            if self.library.typedefs:
                known = self.versions.get(query)
                if not known or rank > len(known):
                    raise SystemExit(
                        f"{self.folder}: none of {', '.join(self.library.typedefs)} has {symbol}'s version: {known}"
                    )
                version = known[rank - 1]
                expected = typedef_types.get(f"PFN_{query}_v{version}")
                if expected is not None and expected != _canonical(cursor.type):
                    raise SystemExit(f"{symbol}: {_canonical(cursor.type)} but PFN_{query}_v{version} is {expected}")
            name = public.get(symbol, symbol)
            found[name] = {
                "symbol": symbol,
                "query": query,
                "version": version,
                "per_thread": suffixes.get(symbol, ""),
                "result": type_text(cursor.result_type),
                "result_shape": shape(cursor.result_type),
                "summary": summary(name),
                "parameters": _parameters(cursor, name),
            }
        return found

    # --- types ---------------------------------------------------------------------------------------------------

    def _enum(self, cursor: clang.cindex.Cursor, found: dict[str, dict[str, Facts]]) -> None:
        tag = _tag(cursor)
        found["enums"][tag] = {"shape": shape(cursor.enum_type)}
        for position, constant in enumerate(cursor.get_children()):
            if constant.kind == CursorKind.ENUM_CONSTANT_DECL:
                found["enumerators"][constant.spelling] = {
                    "enum": tag,
                    "value": constant.enum_value,
                    "position": position,
                }

    def _record(self, cursor: clang.cindex.Cursor) -> Facts:
        kind = "union" if cursor.kind == CursorKind.UNION_DECL else "struct"
        if cursor.get_definition() is None:
            return {"kind": "opaque", "size": 0, "alignment": 0, "fields": []}
        record = cursor.type
        fields = []
        for field in record.get_fields():
            entry: Facts = {
                "name": field.spelling if re.fullmatch(r"\w+", field.spelling) else "",
                "type": type_text(field.type),
                "shape": shape(field.type),
                "offset": field.get_field_offsetof() // 8,
                "size": field.type.get_size(),
            }
            if field.is_bitfield():
                entry["bits"] = field.get_bitfield_width()
                entry["bit_offset"] = field.get_field_offsetof()
            declaration = _element(field.type).get_declaration()
            if _is_record(declaration) and _is_part(declaration):
                entry["record"] = self._record(declaration)
                entry["type"] = ""
            fields.append(entry)
        return {"kind": kind, "size": record.get_size(), "alignment": record.get_align(), "fields": fields}

    # --- macros --------------------------------------------------------------------------------------------------

    def _constants(self) -> dict[str, Facts]:
        """The macros that have a number as their value, also if it is cast to a pointer."""
        macros = [
            cursor
            for cursor in self.unit.cursor.get_children()
            if cursor.kind == CursorKind.MACRO_DEFINITION
            and self._is_own(cursor)
            and not cursor.spelling.startswith("_")
            and not clang.cindex.conf.lib.clang_Cursor_isMacroFunctionLike(cursor)
        ]
        names = [macro.spelling for macro in macros]
        tokens = {macro.spelling: [token.spelling for token in macro.get_tokens()][1:] for macro in macros}
        # Whether a macro is a number shows when it is used as one: each on a line of its own, so that those that are
        # none leave the others alone.
        text = "".join(
            f"enum {{ cuprum_value_{name} = (long long)({name}) }}; __typeof__({name}) cuprum_type_{name};\n"
            for name in names
        )
        unit = self._parse([*self.library.headers], text)
        bad_lines = {
            d.location.line
            for d in unit.diagnostics
            if d.severity >= clang.cindex.Diagnostic.Error
            and d.location.file is not None
            and d.location.file.name == "list.c"
        }
        found: dict[str, Facts] = {}
        values: dict[str, int] = {}
        for cursor in unit.cursor.get_children():
            if cursor.location.file is None or cursor.location.file.name != "list.c":
                continue
            if cursor.location.line in bad_lines:
                continue
            if cursor.kind == CursorKind.ENUM_DECL:
                for constant in cursor.get_children():
                    values[constant.spelling.removeprefix("cuprum_value_")] = constant.enum_value
            elif cursor.kind == CursorKind.VAR_DECL:
                name = cursor.spelling.removeprefix("cuprum_type_")
                kind = shape(cursor.type)
                value = values[name]
                unsigned = {"u32": 2**32, "u64": 2**64}.get(kind, 2**64 if re.match("ptr|handle", kind) else 0)
                found[name] = {"shape": kind, "value": value % unsigned if unsigned else value}
                if len(tokens[name]) == 1 and re.match(r"(?!INT_M|NULL)[A-Za-z]", tokens[name][0]):
                    found[name]["alias"] = tokens[name][0]  # another name of an enumerator or a macro
        return found


# --- single declarations -----------------------------------------------------------------------------------------


def _split_suffix(symbol: str) -> tuple[str, int]:
    """cuMemAlloc_v2 is the second signature of cuMemAlloc."""
    match = re.fullmatch(r"(\w+?)_v(\d)", symbol)
    return (match.group(1), int(match.group(2))) if match else (symbol, 1)


def _tag(cursor: clang.cindex.Cursor) -> str:
    """The name of a type: its tag, or that of the typedef which names it."""
    return re.sub(r"^(enum|struct|union) ", "", str(cursor.type.spelling))


def _canonical(kind: clang.cindex.Type) -> str:
    return str(kind.get_canonical().spelling)


def _is_record(declaration: clang.cindex.Cursor) -> bool:
    return declaration.kind in (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL)


def _is_part(declaration: clang.cindex.Cursor) -> bool:
    """Whether a record has no name that C and C++ both know: it has none, or is declared within another."""
    return bool(declaration.is_anonymous()) or _is_record(declaration.lexical_parent)


def _element(kind: clang.cindex.Type) -> clang.cindex.Type:
    while kind.kind == TypeKind.CONSTANTARRAY:
        kind = kind.element_type
    return kind


def type_text(kind: clang.cindex.Type) -> str:
    """The type as the header spells it, in the layout of this project, as C++ and C with typedefs both take it."""
    spelling = re.sub(r"\b(enum|struct|union) (?=\w)", "", kind.spelling)
    return re.sub(r"\s*\*", "*", spelling).replace("*const", "* const").replace("(*)", " (*)").replace("  ", " ")


_NUMBERS = {
    TypeKind.SCHAR: "i8",
    TypeKind.UCHAR: "u8",
    TypeKind.CHAR_S: "char",
    TypeKind.CHAR_U: "char",
    TypeKind.SHORT: "i16",
    TypeKind.USHORT: "u16",
    TypeKind.INT: "i32",
    TypeKind.UINT: "u32",
    TypeKind.LONG: "i64",
    TypeKind.ULONG: "u64",
    TypeKind.LONGLONG: "i64",
    TypeKind.ULONGLONG: "u64",
    TypeKind.FLOAT: "f32",
    TypeKind.DOUBLE: "f64",
    TypeKind.BOOL: "u8",
    TypeKind.VOID: "void",
}


def shape(kind: clang.cindex.Type) -> str:
    """What model.py says of shapes."""
    kind = kind.get_canonical()
    if kind.kind in _NUMBERS:
        return _NUMBERS[kind.kind]
    if kind.kind == TypeKind.POINTER:
        target = kind.get_pointee()
        if target.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
            return "function"
        declaration = target.get_declaration()
        if target.kind == TypeKind.RECORD and declaration.get_definition() is None:
            return "handle:" + _tag(declaration)
        return f"ptr({'const ' if target.is_const_qualified() else ''}{shape(target)})"
    if kind.kind == TypeKind.CONSTANTARRAY:
        return f"array({kind.element_count},{shape(kind.element_type)})"
    if kind.kind == TypeKind.INCOMPLETEARRAY:
        return f"ptr({'const ' if kind.element_type.is_const_qualified() else ''}{shape(kind.element_type)})"
    if kind.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
        return "function"
    declaration = kind.get_declaration()
    if kind.kind == TypeKind.ENUM:
        return "enum:" + _tag(declaration)
    if _is_record(declaration):
        if _is_part(declaration):
            return "record"
        return ("union:" if declaration.kind == CursorKind.UNION_DECL else "struct:") + _tag(declaration)
    raise SystemExit(f"the generator does not know the type {kind.spelling}")


def _is_versioned(kind: clang.cindex.Type) -> bool:
    """Whether it points to a structure that begins with a version."""
    target = kind.get_canonical().get_pointee()
    first = next(iter(target.get_fields()), None) if target.kind == TypeKind.RECORD else None
    return first is not None and first.spelling == "version"


def _nvml_parameter(facts: Facts, function: str, names: list[str], shapes: list[str], is_versioned: bool) -> Facts:
    name, shaped = facts["name"], facts["shape"]
    is_output = shaped.startswith("ptr(") and not shaped.startswith("ptr(const ")
    facts["direction"] = nvml.direction(function, name, shaped, names, shapes, is_versioned) if is_output else "in"
    if facts["direction"] != "in" and nvml.optional(function, name, shaped, names, shapes):
        facts["optional"] = True
    if count := nvml.count_of(function, names, names.index(name), shapes):
        facts["count"] = count
    if nvml.is_memory(function, name):
        facts["memory"] = True
    if nvml.is_uncounted(function, name):
        facts["array"] = True
    return facts


def _parameters(cursor: clang.cindex.Cursor, function: str) -> list[Facts]:
    comment = cursor.raw_comment or ""
    arguments = list(cursor.get_arguments())
    is_nvml = function.startswith("nvml")
    names = [argument.spelling or f"argument{position}" for position, argument in enumerate(arguments)]
    shapes = [shape(argument.type) for argument in arguments]
    found = []
    for position, (argument, name, shaped) in enumerate(zip(arguments, names, shapes, strict=True)):
        kind = argument.type
        if kind.kind in (TypeKind.INCOMPLETEARRAY, TypeKind.CONSTANTARRAY):
            text = type_text(kind.element_type) + "*"
        else:
            text = type_text(kind)
        facts = {"name": name, "type": text, "shape": shaped}
        if is_nvml:
            found.append(_nvml_parameter(facts, function, names, shapes, _is_versioned(kind)))
            continue
        if function.startswith("nccl"):
            found.append({**facts, **nccl.parameter(function, name, shaped)})
            continue
        facts["direction"] = direction(function, name, shaped, comment)
        if facts["direction"] != "in" and optional(function, name, shaped, comment):
            facts["optional"] = True  # null is a value that the function takes
        if count := count_of(function, names, position, shapes):
            facts["count"] = count  # the parameter with the number of elements
            if count in names and direction(function, count, shapes[names.index(count)], comment) == "inout":
                facts.update(
                    {"optional": True} if name != "buffer" else {}
                )  # without the array, the number alone is given
        if (function, name) in UNCOUNTED_ARRAYS:
            facts["array"] = True
        found.append(facts)
    return found
