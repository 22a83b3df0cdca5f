"""What the generators for Java and C# have in common: the headers' interface, sorted by what a parameter is to a
program that has no pointers."""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterator

import model
from libraries import LIBRARIES
from model import Facts, leaves

# Library's name in the tables -> class in the languages.
CLASSES = {
    "driver": "Driver",
    "runtime": "Runtime",
    "nvrtc": "Nvrtc",
    "nvjitlink": "NvJitLink",
    "nvvm": "Nvvm",
    "nvml": "Nvml",
    "nccl": "Nccl",
}
TITLES = {library.name: library.title for library in LIBRARIES}
WIDTHS = {"i8": 8, "u8": 8, "char": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64, "address": 64}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """`kind` says what is passed, `of` of which type:

    value     a number: `of` is its shape
    address   a pointer or handle that is passed as a number
    enum      an enumerator by value: `of` is its tag
    struct    a structure by value: `of` is its tag
    text      text in
    texts     an array of texts in
    text_out  the address of a text, given out
    bytes     characters given out, in memory of the caller
    numbers   a pointer to numbers of shape `of`, which is "address" for addresses and handles
    enums     a pointer to enumerators of tag `of`
    record    a pointer to structures of tag `of`
    """

    name: str
    kind: str
    of: str
    direction: str
    optional: bool
    count: str  # the parameter that holds the number of elements, of an array
    array: bool  # whether there may be several elements

    @property
    def is_place(self) -> bool:
        """Whether it is the address of memory, of a type that the header leaves open, that the function writes to."""
        return self.kind == "address" and self.direction != "in" and not self.optional


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    summary: str
    parameters: list[Parameter]
    result: str  # "enum", "text" or "struct"
    result_of: str


class Library:
    """What the headers of one CUDA version declare of a library, with the names that programs use for types."""

    def __init__(self, name: str, version: int) -> None:
        self.name = name
        self.class_name = CLASSES[name]
        self.title = TITLES[name]
        self.facts = model.view(model.load(name), version)
        self.names = self._type_names()
        self.functions = [self._function(name, facts) for name, facts in sorted(self.facts["functions"].items())]

    def enumerators(self, tag: str) -> list[tuple[str, int]]:
        """(name, value) in the header's order."""
        found = [(f["position"], n, f["value"]) for n, f in self.facts["enumerators"].items() if f["enum"] == tag]
        return [(name, value) for _, name, value in sorted(found)]

    def records(self) -> Iterator[tuple[str, Facts]]:
        """(tag, facts) of the structures and unions that have fields."""
        return ((tag, facts) for tag, facts in sorted(self.facts["records"].items()) if facts["kind"] != "opaque")

    def fields(self, record: Facts) -> list[tuple[str, Facts, int]]:
        """(path, field, offset); bit-fields are left out. In the languages, paths have _ for dots."""
        return [(path, field, offset) for path, field, offset in leaves(record) if "bits" not in field]

    def constants(self) -> Iterator[tuple[str, str, int]]:
        """(name, shape, value) of macros, those that are another name of an enumerator included."""
        return ((name, f["shape"], f["value"]) for name, f in sorted(self.facts["constants"].items()))

    def status(self) -> str:
        """The name of the enumeration that the functions return."""
        return next(function.result_of for function in self.functions if function.result == "enum")

    def _type_names(self) -> dict[str, str]:
        """Tag -> the name that the functions' declarations use most, else the newest typedef's, else the tag."""
        used: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)

        def use(text: str, shape: str) -> None:
            tag = re.search(r"(?:enum|struct|union):(\w+)", shape)
            word = re.match(r"(?:const )?(\w+)", text)
            if tag and word:
                used[tag.group(1)][word.group(1)] += 1

        for facts in self.facts["functions"].values():
            use(facts["result"], facts["result_shape"])
            for parameter in facts["parameters"]:
                use(parameter["type"], parameter["shape"])
        names = {}
        for tag in [*self.facts["enums"], *self.facts["records"]]:
            typedefs = [
                name
                for name, facts in self.facts["typedefs"].items()
                if re.fullmatch(rf"(?:enum|struct|union):{tag}", facts["shape"]) and not re.search(r"_v\d+$", name)
            ]
            if used[tag]:
                names[tag] = used[tag].most_common(1)[0][0]
            elif tag in typedefs or not typedefs:
                names[tag] = tag
            else:
                names[tag] = min(typedefs, key=lambda name: (len(name), name))
        # Two tags never share a name.
        for name, count in collections.Counter(names.values()).items():
            if count > 1:
                names.update({tag: tag for tag, chosen in names.items() if chosen == name})
        return names

    def _function(self, name: str, facts: Facts) -> Function:
        result = facts["result_shape"]
        if result == "ptr(const char)":
            kind, of = "text", ""
        else:
            kind, tag = result.split(":")
            of = self.names[tag]
        return Function(name, facts["summary"], [self._parameter(p) for p in facts["parameters"]], kind, of)

    def _parameter(self, facts: Facts) -> Parameter:
        kind, of = _kind(facts["shape"], facts["direction"])
        if kind in ("enum", "struct", "enums", "record"):
            # Tags have changed between toolkits where the typedefs' names have not.
            of = self.names.get(of) or str(re.sub(r"^const |\W.*", "", facts["type"]))
        count = facts.get("count", "")
        if facts.get("memory", False):  # of a size that the structure does not say
            kind, of, count = "address", "", ""
        if kind == "text" and count:  # bytes, which a text of these languages is not
            kind, of = "numbers", "u8"
        several = bool(count) or facts.get("array", False)
        return Parameter(facts["name"], kind, of, facts["direction"], facts.get("optional", False), count, several)


def _kind(shape: str, direction: str) -> tuple[str, str]:
    if shape in WIDTHS or shape in ("f32", "f64"):
        return "value", shape
    if shape.startswith("handle:") or shape == "function":
        return "address", ""
    base, _, tag = shape.partition(":")
    if base in ("enum", "struct", "union"):
        return ("enum" if base == "enum" else "struct"), tag
    target = shape.removeprefix("ptr(").removesuffix(")").removeprefix("const ")
    if target == "void":
        return "address", ""
    if target == "char":
        return ("bytes" if direction == "out" else "text"), ""
    if target == "ptr(const char)":
        return ("text_out" if direction == "out" else "texts"), ""
    if target in WIDTHS or target == "f32":
        return "numbers", target
    base, _, tag = target.partition(":")
    if base in ("struct", "union"):
        return "record", tag
    if base == "enum":
        return "enums", tag
    return "numbers", "address"
