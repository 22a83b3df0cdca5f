"""Reads the headers of the C ABI: the one description of it, from which everything that repeats it is generated.

The headers are read as text, so that a build needs nothing but Python. They keep to a few forms, and whatever else
stands in them is an error here; tests/languages/scripts/test_description.py compares the result with what libclang
reads.

The comment of a function or a structure may end in tags, which the generators read and a reader of the header
understands as well:

    @blocks            may wait: for a device, a compiler, a file, or for the driver to be loaded. Languages with a lock
                       on their interpreter let go of it.
    @nullable NAMES    pointers, texts and handles among the parameters or fields that may be NULL
"""

from __future__ import annotations

import dataclasses
import pathlib
import re

HEADERS = ("base", "device", "stream", "buffer", "program", "launch", "parallel", "pathfinder", "bindings")
FOLDER = pathlib.Path(__file__).resolve().parents[1] / "include" / "cuprum" / "capi"


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a function, or a field of a structure. `type` is as C writes it: "const char*"."""

    name: str
    type: str
    nullable: bool = False

    @property
    def is_output(self) -> bool:
        return self.name.endswith("_out")

    @property
    def pointee(self) -> str:
        """What a pointer leads to, without const: "char" of "const char*"; "" where it is not a pointer."""
        return self.type.removeprefix("const ").removesuffix("*") if self.type.endswith("*") else ""


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    header: str
    comment: str
    result: str
    parameters: tuple[Parameter, ...]
    blocks: bool


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    fields: tuple[Parameter, ...]
    #: Whether the caller fills it and passes it in.
    is_input: bool = False


@dataclasses.dataclass(frozen=True)
class Description:
    functions: tuple[Function, ...]
    structs: dict[str, Struct]
    #: The handle types, "cuprum_stream", in the order of the headers.
    handles: tuple[str, ...]
    #: CUPRUM_* enumerators by name.
    constants: dict[str, int]


class DescriptionError(Exception):
    """Something in a header that this module does not understand."""


_COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
_PREPROCESSOR = re.compile(r"#(?:[^\n]*\\\n)*[^\n]*")
_HANDLE = re.compile(r"typedef struct (\w+)_s\* \1;")
_TYPEDEF = re.compile(r"typedef (?:int32_t cuprum_status|void \(\*\w+\)\([^)]*\));")
_STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\n\} \1;", re.DOTALL)
_ENUM = re.compile(r"enum \{(.*?)\};", re.DOTALL)
_FUNCTION = re.compile(r"CUPRUM_API (\w+|const char\*) (\w+)\(([^;]*)\);")
_EXTERN = re.compile(r'extern "C" \{|\}')
_PARAMETER = re.compile(r"((?:const )?\w+(?:\*(?:const ?)?)*(?: ?const)?\**) ?(\w+)$")


def load(folder: pathlib.Path = FOLDER) -> Description:
    """Everything that the headers declare."""
    functions: list[Function] = []
    structs: dict[str, Struct] = {}
    handles: list[str] = []
    constants: dict[str, int] = {}
    for header in HEADERS:
        text = (folder / f"{header}.h").read_text(encoding="utf-8")
        position, comment = 0, ""
        while rest := text[position:].lstrip():
            position = len(text) - len(rest)
            if match := _COMMENT.match(rest):
                comment = _comment_text(match[1])
            elif match := _PREPROCESSOR.match(rest):
                comment = ""
            elif match := _HANDLE.match(rest):
                handles.append(match[1])
            elif match := _STRUCT.match(rest):
                structs[match[1]] = _struct(match, comment)
                comment = ""
            elif match := _ENUM.match(rest):
                constants.update(_enumerators(match[1]))
            elif match := _FUNCTION.match(rest):
                functions.append(_function(match, header, comment))
                comment = ""
            elif not (match := _TYPEDEF.match(rest) or _EXTERN.match(rest)):
                line = text.count("\n", 0, position) + 1
                raise DescriptionError(f"{header}.h:{line}: not understood: {rest.splitlines()[0]}")
            position += match.end()
    inputs = {
        parameter.pointee
        for function in functions
        for parameter in function.parameters
        if parameter.type.startswith("const ")
    }
    structs = {name: dataclasses.replace(struct, is_input=name in inputs) for name, struct in structs.items()}
    return Description(tuple(functions), structs, tuple(handles), constants)


def _comment_text(raw: str) -> str:
    return "\n".join(re.sub(r"^ ?\* ?", "", line.strip()) for line in raw.strip().splitlines())


def _struct(match: re.Match[str], comment: str) -> Struct:
    tags = _tags(comment, match[1], {"nullable"})
    return Struct(match[1], _with_nullable(_fields(match[2]), tags, match[1], "fields"))


def _function(match: re.Match[str], header: str, comment: str) -> Function:
    tags = _tags(comment, match[2], {"blocks", "nullable"})
    parameters = _with_nullable(_parameters(match[3], match[2]), tags, match[2], "parameters")
    text = re.sub(r"\s*@\w+[ \w]*", "", comment).strip()
    return Function(match[2], header, text, match[1], parameters, "blocks" in tags)


def _tags(comment: str, name: str, known: set[str]) -> dict[str, list[str]]:
    tags = {found[1]: found[2].split() for found in re.finditer(r"@(\w+)([ \w]*)", comment)}
    if unknown := tags.keys() - known:
        raise DescriptionError(f"{name}: unknown tag @{min(unknown)}")
    return tags


def _with_nullable(found: list[Parameter], tags: dict[str, list[str]], name: str, which: str) -> tuple[Parameter, ...]:
    nullable = tags.get("nullable", [])
    if wrong := set(nullable) - {each.name for each in found if _can_be_null(each)}:
        raise DescriptionError(f"{name}: @nullable {min(wrong)} is no pointer or handle among its {which}")
    return tuple(dataclasses.replace(each, nullable=each.name in nullable) for each in found)


def _can_be_null(parameter: Parameter) -> bool:
    return parameter.type.endswith("*") or parameter.type.startswith("cuprum_")


def _parameters(text: str, function: str) -> list[Parameter]:
    found = []
    for part in [] if text == "void" else " ".join(text.split()).split(", "):
        match = _PARAMETER.match(part)
        if not match:
            raise DescriptionError(f"{function}: parameter not understood: {part}")
        found.append(Parameter(match[2], match[1]))
    return found


def _fields(body: str) -> list[Parameter]:
    """The fields, each of "int32_t a, b;" too. An anonymous union is one field, without a type."""
    body = re.sub(r"union \{.*?\}", "union", _COMMENT.sub("", body), flags=re.DOTALL)
    found = []
    for declaration in filter(None, (each.strip() for each in body.split(";"))):
        type_, names = re.match(r"((?:const )?\w+\*?) (.*)", declaration, re.DOTALL).groups()  # type: ignore[union-attr]
        found += [Parameter(name.strip(), type_) for name in names.split(",")]
    return found


def _enumerators(body: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in filter(None, (part.strip() for part in _COMMENT.sub("", body).split(","))):
        name, value = re.match(r"(\w+) = (-?\d+)$", each).groups()  # type: ignore[union-attr]
        found[name] = int(value)
    return found
