"""Turns the model of the libraries (bindings/generator/model.py) into what the Python bindings are: classes, constants
and functions with what Python passes and gets for each parameter.

The rules are those of cuda.bindings. A pointer that the library writes through is no argument: its value is returned,
after the status. Everything else is an argument, in C's order. conventions.py has the exceptions.
"""

from __future__ import annotations

import dataclasses
import keyword
import pathlib
import re
import sys
from typing import Any

import conventions

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bindings" / "generator"))
import libraries
import model

LIBRARIES = ("driver", "runtime", "nvrtc", "nvjitlink", "nvvm", "nvml", "nccl")
TITLES = {library.name: library.title for library in libraries.LIBRARIES}

#: What a call returns first.
STATUSES = {
    "driver": "CUresult",
    "runtime": "cudaError_t",
    "nvrtc": "nvrtcResult",
    "nvjitlink": "nvJitLinkResult",
    "nvvm": "nvvmResult",
    "nvml": "nvmlReturn_t",
    "nccl": "ncclResult_t",
}


@dataclasses.dataclass
class Field:
    name: str
    type: Type | None
    offset: int
    count: int
    form: str


@dataclasses.dataclass
class Type:
    """A number of C, or a class of Python's: an enumeration, a handle, a structure."""

    name: str
    library: str
    kind: str
    size: int
    alignment: int
    signed: bool = False
    number: bool = False
    tag: str = ""
    enumerators: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    fields: list[Field] = dataclasses.field(default_factory=list)
    aliases: dict[str, set[str]] = dataclasses.field(default_factory=dict)  # library -> names

    @property
    def is_class(self) -> bool:
        return self.kind in ("enumeration", "handle", "structure")


def _number(name: str, kind: str, size: int, signed: bool = False) -> Type:
    return Type(name, "", kind, size, size, signed)


NUMBERS = {
    "i8": _number("int8", "signed_integer", 1, True),
    "u8": _number("uint8", "unsigned_integer", 1),
    "i16": _number("int16", "signed_integer", 2, True),
    "u16": _number("uint16", "unsigned_integer", 2),
    "i32": _number("int32", "signed_integer", 4, True),
    "u32": _number("uint32", "unsigned_integer", 4),
    "i64": _number("int64", "signed_integer", 8, True),
    "u64": _number("uint64", "unsigned_integer", 8),
    "f32": _number("float32", "real", 4, True),
    "f64": _number("float64", "real", 8, True),
    "char": _number("character", "character", 1, True),
}


@dataclasses.dataclass
class Parameter:
    name: str
    c_type: str
    shape: str
    type: Type | None
    passing: str
    partner: int = -1
    optional: bool = False
    count: int = 0
    attributes: list[tuple[int, Type, int]] = dataclasses.field(default_factory=list)
    counted_by: int = -1  # the position of the number that says how many elements there are, of an array that is passed
    is_written: bool = False  # the library writes there, and null is no value of it

    @property
    def is_returned(self) -> bool:
        return self.passing in (
            "out",
            "out_text",
            "out_address",
            "out_bytes",
            "out_string",
            "out_elements",
            "out_borrowed",
            "out_by_attribute",
            "out_list_by_attribute",
            "in_out_count",
            "in_out",
        )

    @property
    def is_argument(self) -> bool:
        return not (self.passing.startswith("out") or self.passing == "capacity")


@dataclasses.dataclass
class Function:
    name: str
    library: str
    summary: str
    declaration: str
    parameters: list[Parameter]
    result: str
    status_type: Type
    structure_type: Type | None  # of the result if it is a structure
    blocking: bool
    later: int = -1

    @property
    def arguments(self) -> list[int]:
        """The positions of the parameters that Python passes; those that may be left out come last."""
        positions = [i for i, p in enumerate(self.parameters) if p.is_argument]
        return sorted(positions, key=lambda i: self.parameters[i].optional)

    @property
    def returned(self) -> list[Parameter]:
        return [p for p in self.parameters if p.is_returned]


@dataclasses.dataclass
class Constant:
    name: str
    value: int


class Plan:
    """The Python bindings of all libraries, as the headers of a CUDA version have them; None: of the newest."""

    def __init__(self, cuda: int | None = None) -> None:
        tables = {library: model.load(library) for library in LIBRARIES}
        self.tables = {
            library: model.newest(table) if cuda is None else model.view(table, cuda)
            for library, table in tables.items()
        }
        self._types: dict[str, Type] = {}  # by shape, or "typedef:NAME" of numbers and functions that have a class
        self._typedefs: dict[str, str] = {}  # name -> key of _types
        for library in LIBRARIES:
            self._declare(library)
        for type_ in self.types:
            self._name(type_)
        for library in LIBRARIES:
            for tag, facts in self.tables[library]["records"].items():
                record = self._types.get(f"{facts['kind']}:{tag}")
                if record is not None and record.library == library and not record.fields:
                    record.fields = list(self._fields(record, facts["fields"], 0))
        self.functions = {
            library: [self._function(library, name, facts) for name, facts in sorted(self._functions(library))]
            for library in LIBRARIES
        }
        self.constants = {
            library: [Constant(name, facts["value"]) for name, facts in self.tables[library]["constants"].items()]
            for library in LIBRARIES
        }

    @property
    def types(self) -> list[Type]:
        """Those with a class, without duplicates."""
        return list({id(t): t for t in self._types.values()}.values())

    def names(self, library: str) -> dict[str, Type]:
        """The classes that the library's module has, by all their names."""
        return {name: t for t in self.types for name in sorted(t.aliases.get(library, ()))}

    def _functions(self, library: str) -> list[tuple[str, dict[str, Any]]]:
        return list(self.tables[library]["functions"].items())

    # --- types ---------------------------------------------------------------------------------------------------

    def _declare(self, library: str) -> None:
        table = self.tables[library]
        for tag, facts in table["enums"].items():
            enumerators = sorted(
                ((n, e) for n, e in table["enumerators"].items() if e["enum"] == tag),
                key=lambda item: item[1]["position"],
            )
            self._add(
                library,
                f"enum:{tag}",
                Type(
                    tag,
                    library,
                    "enumeration",
                    4,
                    4,
                    facts["shape"] == "i32" or self._signed(enumerators),
                    tag=tag,
                    enumerators=[(n, e["value"]) for n, e in enumerators],
                ),
                tag,
            )
        for tag, facts in table["records"].items():
            if facts["kind"] != "opaque":
                self._add(
                    library,
                    f"{facts['kind']}:{tag}",
                    Type(tag, library, "structure", facts["size"], facts["alignment"], tag=tag),
                    tag,
                )
        for name, facts in table["typedefs"].items():
            key = self._typedef_key(library, name, facts)
            if key is None:
                continue
            if key not in self._types:
                size = {"i32": 4, "u32": 4}.get(facts["shape"], 8)
                number = facts["shape"] in NUMBERS
                self._add(
                    library, key, Type(name, library, "handle", size, size, facts["shape"] == "i32", number), name
                )
            else:
                self._add(library, key, self._types[key], name)
            self._typedefs[name] = key

    @staticmethod
    def _signed(enumerators: list[tuple[str, Any]]) -> bool:
        return any(e["value"] < 0 for _, e in enumerators)

    def _typedef_key(self, library: str, name: str, facts: dict[str, Any]) -> str | None:
        """Under what `_types` has the class that a typedef names; None if it names no class."""
        shape: str = facts["shape"]
        if shape.startswith(("enum:", "struct:", "union:")):
            return shape if shape in self._types else None
        if shape.startswith("handle:"):
            return shape
        if re.match(r"PFN_|cudaError_t$", name) or not re.match(r"cu|CU|nv", name):
            return None
        if library == "nvml" and shape in NUMBERS:
            return None  # what these numbers stand for, NVML has as macros
        if shape in ("i32", "u32", "u64") or shape == "function":
            # A typedef of another one is the same class.
            target = facts["type"]
            known = self.tables[library]["typedefs"]
            while target in known and re.match(r"cu|CU|nv", target):
                name, target = target, known[target]["type"]
            return f"typedef:{name}"
        if shape.startswith("ptr(struct:"):
            return f"handle:{name}"
        return None

    def _add(self, library: str, key: str, type_: Type, name: str) -> None:
        type_ = self._types.setdefault(key, type_)
        type_.aliases.setdefault(library, set()).add(name)

    @staticmethod
    def _name(type_: Type) -> None:
        """The class is called as the library that has it first calls it: by the shortest typedef, else by its tag."""
        names = sorted(type_.aliases[type_.library] - {type_.tag}, key=lambda n: (len(n), n))
        type_.name = names[0] if names else type_.name

    def _fields(self, record: Type, fields: list[dict[str, Any]], base: int) -> list[Field]:
        found: list[Field] = []
        for facts in fields:
            offset = base + facts["offset"]
            shape: str = facts["shape"]
            inner = facts.get("record")
            if inner is not None and not facts["name"]:
                found += self._fields(record, inner["fields"], offset)  # its fields are the record's own
                continue
            count = 1
            if match := re.fullmatch(r"array\((\d+),(.*)\)", shape):
                count, shape = int(match.group(1)), match.group(2)
                while match := re.fullmatch(r"array\((\d+),(.*)\)", shape):
                    count, shape = count * int(match.group(1)), match.group(2)
                form = "array"
            else:
                form = "value"
            type_: Type | None
            if inner is not None:
                name = f"{record.name}_{facts['name']}"
                within = Type(name, record.library, "structure", inner["size"], inner["alignment"])
                self._add(record.library, f"within:{name}", within, name)
                within.fields = list(self._fields(within, inner["fields"], 0))
                type_ = within
            elif facts.get("bits"):
                raise SystemExit(f"{record.name}.{facts['name']}: bit fields are not known here")
            else:
                type_, form = self._field_type(shape, facts["type"], form)
            found.append(Field(facts["name"], type_, offset, count, form))
        return found

    def _field_type(self, shape: str, text: str, form: str) -> tuple[Type | None, str]:
        if shape in ("ptr(const char)", "ptr(char)"):
            return NUMBERS["char"], "text"
        if shape == "ptr(ptr(void))":
            return NUMBERS["u64"], "addresses"
        if shape.startswith("ptr("):
            pointed = self.type_of(re.sub(r"^ptr\((const )?(.*)\)$", r"\2", shape), text.rstrip("*"))
            if form == "value" and pointed is not None and pointed.is_class:
                return pointed, "elements"
            return NUMBERS["u64"], "address" if form == "value" else form
        found = self.type_of(shape, text.split("[")[0])
        return (found, form) if found is not None else (NUMBERS["u64"], "address" if form == "value" else form)

    def type_of(self, shape: str, text: str) -> Type | None:
        """The type of a value; null for void and for pointers."""
        name = re.sub(r"\bconst\b|\s", "", text)
        if name in self._typedefs and (shape in NUMBERS or shape == "function"):
            return self._types[self._typedefs[name]]
        if shape in NUMBERS:
            return NUMBERS[shape]
        if shape in self._types:
            return self._types[shape]
        if shape.startswith("ptr(struct:") and name in self._typedefs:
            return self._types[self._typedefs[name]]
        return None

    def named(self, name: str) -> Type:
        """A number by its shape or a class by one of its names."""
        if name in NUMBERS:
            return NUMBERS[name]
        for type_ in self.types:
            if any(name in names for names in type_.aliases.values()):
                return type_
        raise SystemExit(f"conventions.py names a type that does not exist: {name}")

    # --- functions -----------------------------------------------------------------------------------------------

    def _function(self, library: str, name: str, facts: dict[str, Any]) -> Function:
        parameters = [self._parameter(name, p) for p in facts["parameters"]]
        self._relate(name, parameters)
        for parameter, written in zip(parameters, facts["parameters"], strict=True):
            counts = [p["name"] for p in facts["parameters"]].index(written["count"]) if "count" in written else -1
            if parameter.passing in ("elements", "texts", "addresses", "option_values", "text"):
                parameter.counted_by = counts if parameters[counts].passing == "value" else -1
            if library == "nvml" and parameter.passing in ("out_elements", "out_bytes") and counts >= 0:
                parameter.partner = counts
        shape = facts["result_shape"]
        status = self.named(STATUSES[library])
        structure = self.type_of(shape, facts["result"]) if shape.startswith("struct:") else None
        result = {f"enum:{status.tag}": "status", "ptr(const char)": "text"}.get(shape, "structure")
        if result == "structure" and structure is None:
            raise SystemExit(f"{name} returns {facts['result']}, which is not known here")
        declared = ", ".join(self._declared(p) for p in facts["parameters"])
        declaration = f"{facts['result']} {name}({declared})"
        function = Function(
            name,
            library,
            facts["summary"],
            declaration,
            parameters,
            result,
            status,
            structure,
            conventions.PROMPT.fullmatch(name) is None,
        )
        names = [p.name for p in parameters]
        if (later := conventions.LATER_PARAMETERS.get(name)) in names:  # older headers do not have it
            function.later = names.index(later)
        return function

    @staticmethod
    def _declared(parameter: dict[str, Any]) -> str:
        if "(*)" in parameter["type"]:
            return str(parameter["type"]).replace("(*)", f"(*{parameter['name']})", 1)
        return f"{parameter['type']} {parameter['name']}"

    def _parameter(self, function: str, facts: dict[str, Any]) -> Parameter:
        shape, text = facts["shape"], facts["type"]
        name = conventions.NAMES.get(facts["name"], facts["name"])
        name += "_" if keyword.iskeyword(name) else ""
        made = Parameter(name, text, shape, None, "value")
        place = f"{function}.{facts['name']}"
        pointed = re.sub(r"^ptr\((const )?(.*)\)$", r"\2", shape)
        pointed_text = re.sub(r"\*( const)?$", "", text).strip()
        if not shape.startswith("ptr("):
            made.type = self.type_of(shape, text)
            if shape == "function":
                made.passing = "function"
                made.type = made.type or NUMBERS["u64"]
            elif shape.startswith(("struct:", "union:")):
                made.passing = "structure"
            return made
        if text in self._typedefs:  # a pointer that is a handle
            made.type = self._types[self._typedefs[text]]
            return made
        made.passing = self._passing(place, shape, pointed, facts)
        made.type = self.type_of(pointed, pointed_text)
        if made.passing == "array":
            made.passing = "addresses" if made.type is None else "elements"
        if made.passing == "out_borrowed":
            inner = re.sub(r"^ptr\((const )?(.*)\)$", r"\2", pointed)
            made.type = self.type_of(inner, re.sub(r"\*$", "", pointed_text))
        if made.passing == "out" and made.type is None:
            made.passing = "out_address"
        if made.passing == "elements" and made.type is None:
            made.passing = {"ptr(const char)": "texts", "void": "address"}.get(pointed, "addresses")
        if made.passing == "out" and place == "cuGraphMemFreeNodeGetParams.dptr_out":
            made.type = self.named("CUdeviceptr")
        made.count = conventions.COUNTS.get(place, 0)
        made.is_written = facts["direction"] != "in" and not facts.get("optional", False)
        return made

    @staticmethod
    def _passing(place: str, shape: str, pointed: str, facts: dict[str, Any]) -> str:
        for pattern, passing in conventions.PASSINGS:
            if re.fullmatch(pattern, place):
                return passing
        if place.startswith("nvml") and facts["direction"] != "in":
            return conventions.nvml_passing(pointed, facts)
        if shape == "ptr(const char)":
            return "text"
        if shape == "ptr(char)":
            return "buffer"
        if pointed == "void":
            return "address"
        if shape.startswith("ptr(const "):
            return "texts" if pointed == "ptr(const char)" else "elements"
        if pointed == "ptr(const char)":
            return "out_text"
        return "elements" if facts["direction"] == "in" else "out"

    def _relate(self, function: str, parameters: list[Parameter]) -> None:
        """Finds the parameters that belong with one another."""
        names = [p.name for p in parameters]
        for i, parameter in enumerate(parameters):
            place = f"{function}.{parameter.name.rstrip('_')}"
            for pattern, partner in conventions.PARTNERS:
                partner = conventions.NAMES.get(partner, partner)
                if re.fullmatch(pattern, place) and partner in names and partner != parameter.name:
                    parameter.partner = names.index(partner)
                    break
            if parameter.passing == "in_out_count":
                follows = function.startswith("nvml") and any(p.is_argument for p in parameters[i + 1 :])
                parameter.optional = not function.startswith("cuDevSm") and not follows
            if parameter.passing == "function":
                if parameter.partner < 0:
                    following = [j for j in range(i + 1, len(parameters)) if parameters[j].passing == "address"]
                    parameter.partner = following[0] if following else -1
                if parameter.partner >= 0:
                    parameters[parameter.partner].passing = "user_data"
                    parameters[parameter.partner].partner = i
            if parameter.passing == "option_values":
                parameter.partner = i - 1
            if parameter.passing == "capacity":
                parameter.partner = names.index("value")
            if "by_attribute" in parameter.passing:
                self._relate_attribute(function, parameter, parameters)

    def _relate_attribute(self, function: str, parameter: Parameter, parameters: list[Parameter]) -> None:
        candidates = [j for j, p in enumerate(parameters) if p.type is not None and p.type.kind == "enumeration"]
        if len(candidates) != 1:
            raise SystemExit(f"{function}.{parameter.name}: which parameter says its type?")
        parameter.partner = candidates[0]
        enumeration = parameters[candidates[0]].type
        assert enumeration is not None
        for name, value in enumeration.enumerators:
            kind = conventions.attribute_type(enumeration.name, name)
            count = 1 if kind != "char" else 1024
            if name in conventions.ARRAY_ATTRIBUTES:
                count = 0  # as many as the caller asks for
            parameter.attributes.append((value, self.named(kind), count))
