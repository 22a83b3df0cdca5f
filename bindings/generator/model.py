"""What is known of the CUDA libraries' interfaces: bindings/tables/<library>.json.

A table holds every function, enumeration, structure, typedef and constant that the headers of some toolkits declare,
each with its variants and the toolkits whose headers have that variant. `newest(table)` is what the newest of these
toolkits says; the code generators for languages that are not compiled against the headers use that.

The tables hold facts alone and need nothing but Python to be read; headers.py reads them from headers.

A parameter has a name, a type as the header spells it, a shape and a direction; "optional" where it is an output that
may be null; "memory" where it points to more than its type says; and, where it is an array, "count", the name of the
parameter that holds its number of elements, or "array".

Shapes. What a type is to a program that has no C compiler, as text:

    i8 u8 i16 u16 i32 u32 i64 u64 f32 f64   numbers; char (text, one byte); void
    enum:TAG struct:TAG union:TAG           named types, by value; TAG is a key of `enums` or `records`
    handle:TAG                              a pointer to a structure that no header defines
    function                                a pointer to a function
    ptr(SHAPE)  ptr(const SHAPE)            a pointer
    array(N,SHAPE)                          an array of N, in structures
    record                                  a structure or union without a name, or declared within the structure that
                                            it is in; its field has `record`
"""

from __future__ import annotations

import copy
import json
import pathlib
from collections.abc import Iterator
from typing import Any

TABLES = pathlib.Path(__file__).resolve().parent.parent / "tables"

# Facts of one declaration: what the JSON holds, less the toolkits.
Facts = dict[str, Any]

# What a table has, in the order of the file. Each maps a name to its variants.
SECTIONS = ("functions", "enums", "enumerators", "records", "typedefs", "constants")
# What may differ between headers without making another variant: the newest headers' word is taken.
_INCIDENTAL = {"functions": ("version", "summary"), "enumerators": ("position",)}


class Table:
    """One library's table: name -> variants, for each section. A variant is its facts and `toolkits`, sorted."""

    def __init__(self, library: str) -> None:
        self.library = library
        self.toolkits: list[int] = []
        self.sections: dict[str, dict[str, list[Facts]]] = {section: {} for section in SECTIONS}

    def merge(self, toolkit: int, found: dict[str, dict[str, Facts]]) -> None:
        """Replaces what was known of `toolkit`."""
        self.toolkits = sorted({*self.toolkits, toolkit})
        for section, names in self.sections.items():
            incidental = _INCIDENTAL.get(section, ())
            for variants in names.values():
                for variant in variants:
                    variant["toolkits"] = [t for t in variant["toolkits"] if t != toolkit]
            for name, facts in found[section].items():
                known = names.setdefault(name, [])
                same = [v for v in known if _essence(v, incidental) == _essence(facts, incidental)]
                if not same:
                    known.append({**facts, "toolkits": [toolkit]})
                    continue
                variant = same[0]
                oldest = min(variant.get("version", 0), facts.get("version", 0))
                if not variant["toolkits"] or toolkit > variant["toolkits"][-1]:
                    variant.update(facts)
                if "version" in variant:
                    variant["version"] = oldest
                variant["toolkits"] = sorted({*variant["toolkits"], toolkit})
            for name in list(names):
                names[name] = sorted((v for v in names[name] if v["toolkits"]), key=lambda v: int(v["toolkits"][0]))
                if not names[name]:
                    del names[name]


def _essence(variant: Facts, incidental: tuple[str, ...]) -> Facts:
    essence = {key: value for key, value in variant.items() if key not in incidental and key != "toolkits"}
    if "parameters" in essence:
        essence["parameters"] = [parameter["type"] for parameter in essence["parameters"]]
    return essence


def runs(some: list[int], toolkits: list[int]) -> list[list[int]]:
    """The first and last of each run of neighbours among `toolkits`."""
    found: list[list[int]] = []
    for toolkit in some:
        before = toolkits[toolkits.index(toolkit) - 1]
        if found and found[-1][1] == before:
            found[-1][1] = toolkit
        else:
            found.append([toolkit, toolkit])
    return found


def path_of(library: str) -> pathlib.Path:
    return TABLES / f"{library}.json"


def load(library: str) -> Table:
    """The committed table; an empty one if there is none."""
    table = Table(library)
    if path_of(library).exists():
        data = json.loads(path_of(library).read_text())
        table.toolkits = data["toolkits"]
        for section in SECTIONS:
            for name, variants in data[section].items():
                for variant in variants:
                    ranges = variant["toolkits"]
                    variant["toolkits"] = [t for t in table.toolkits if any(r[0] <= t <= r[1] for r in ranges)]
                table.sections[section][name] = variants
    return table


def dump(table: Table) -> str:
    """The table's file: one line per variant, so that a difference shows what changed."""
    lines = [
        '{"generated": "by bindings/generator/update_lists.py; do not edit",',
        f' "library": {json.dumps(table.library)},',
        f' "toolkits": {json.dumps(table.toolkits)}',
    ]
    for section in SECTIONS:
        lines[-1] += ","
        lines.append(f' "{section}": {{')
        names = table.sections[section]
        for i, name in enumerate(sorted(names)):
            written = []
            for variant in names[name]:
                written.append(json.dumps({**variant, "toolkits": runs(variant["toolkits"], table.toolkits)}))
            lines.append(f'  "{name}": [' + ",\n    ".join(written) + "]" + ("," if i + 1 < len(names) else ""))
        lines.append(" }")
    lines.append("}")
    return "\n".join(lines) + "\n"


def newest(table: Table) -> dict[str, dict[str, Facts]]:
    """What the newest toolkit's headers declare: section -> name -> facts."""
    return view(table, table.toolkits[-1])


def view(table: Table, version: int) -> dict[str, dict[str, Facts]]:
    """The same for headers of that CUDA version; for one that the table does not know, the newest before it."""
    toolkit = max((known for known in table.toolkits if known <= version), default=table.toolkits[0])
    found: dict[str, dict[str, Facts]] = {}
    for section, names in table.sections.items():
        found[section] = {}
        for name, variants in names.items():
            for variant in variants:
                if toolkit in variant["toolkits"]:
                    facts = copy.deepcopy(variant)
                    facts["since"] = variant["toolkits"][0]
                    del facts["toolkits"]
                    found[section][name] = facts
    return found


def leaves(record: Facts, path: str = "", offset: int = 0) -> Iterator[tuple[str, Facts, int]]:
    """(path, field, offset) of a record's fields, with those of its records without names in their place."""
    for field in record["fields"]:
        inner = field.get("record")
        place = f"{path}{field['name']}"
        if inner and field["shape"] == "record":
            yield from leaves(inner, f"{place}." if field["name"] else path, offset + field["offset"])
        elif field["name"]:
            yield place, field, offset + field["offset"]
