"""Reads the headers of the C ABI: the one description of it, from which everything that repeats it is generated.

The headers are read as text, so that a build needs nothing but Python. They keep to a few forms, and whatever else
stands in them is an error here; tests/languages/scripts/test_description.py compares the result with what libclang
reads.

The comment of a function or a structure ends in tags, which the generators read and a reader of the header understands
as well. Each begins a line:

    @does TEXT           what is being done, as errors say it in every language: "waiting for a stream". Every function
                         has it that reports errors.
    @blocks              may wait: for a device, a compiler, a file, or for the driver to be loaded. Languages with a
                         lock on their interpreter let go of it.
    @nullable NAMES      pointers, texts and handles among the parameters that may be NULL; of a structure: fields
    @truth NAMES         numbers among the parameters that are 1 or 0, for true and false

A function cuprum_<object>_<member>(outputs, object, inputs) becomes a member of the object in Java, C# and Python
(swig/generator) by one of

    @property [NAME]     without inputs, with one output
    @method [NAME]       any other; NAME where the member's name is not the function's

whose comment is the member's documentation, its first sentence also what the member gives. `int32_t device` stands for
a device, `int32_t system_device` for a GPU as NVML sees it. Then there are also

    @param NAME TEXT     what an input is
    @default NAME VALUE  an input that may be left out, in languages that have that
    @group NAME          in Python it is found in this property of the object, whose device is the current one
    @by_hand LANGUAGES   of java, csharp and python: those that write the member themselves
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
from collections.abc import Sequence

HEADERS = (
    "base",
    "device",
    "stream",
    "context",
    "buffer",
    "copy",
    "memory_resource",
    "ipc",
    "program",
    "linker",
    "launch",
    "graph",
    "image",
    "tensor_map",
    "parallel",
    "parallel_algorithms",
    "parallel_arrays",
    "distributed",
    "out_of_core",
    "pathfinder",
    "system",
    "checkpoint",
    "trace",
    "bindings",
)
FOLDER = pathlib.Path(__file__).resolve().parents[1] / "include" / "cuprum" / "capi"


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a function, or a field of a structure. `type` is as C writes it: "const char*"."""

    name: str
    type: str
    nullable: bool = False
    #: 1 or 0, for true and false.
    is_truth: bool = False

    @property
    def is_output(self) -> bool:
        return self.name.endswith("_out")

    @property
    def pointee(self) -> str:
        """What a pointer leads to, without const: "char" of "const char*"; "" where it is not a pointer."""
        return self.type.removeprefix("const ").removesuffix("*") if self.type.endswith("*") else ""


@dataclasses.dataclass(frozen=True)
class Member:
    """What a function is to the object that it is called with."""

    #: "object_code"
    object: str
    name: str
    is_property: bool
    inputs: tuple[Parameter, ...]
    output: Parameter | None
    #: What each input is.
    texts: dict[str, str]
    defaults: dict[str, str]
    group: str
    by_hand: frozenset[str]


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    header: str
    comment: str
    result: str
    parameters: tuple[Parameter, ...]
    #: What is being done, in words for errors; "" where the function reports none.
    does: str
    blocks: bool
    member: Member | None = None


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
_TYPEDEF = re.compile(r"typedef (?:int32_t cuprum_status|(?:void|cuprum_status) \(\*\w+\)\([^)]*\));")
_STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\n\} \1;", re.DOTALL)
_ENUM = re.compile(r"enum \{(.*?)\};", re.DOTALL)
_FUNCTION = re.compile(r"CUPRUM_API (\w+|const char\*) (\w+)\(([^;]*)\);")
_EXTERN = re.compile(r'extern "C" \{|\}')
_TAG = re.compile(r"^@(\w+)([^@]*)", re.MULTILINE)
_TAGS = frozenset({"blocks", "by_hand", "default", "does", "group", "method", "nullable", "param", "property", "truth"})
_LANGUAGES = {"csharp", "java", "python"}
#: Types of inputs and outputs that members can have.
_MEMBER_TYPES = {"int32_t", "uint32_t", "uint64_t", "float", "const char*", "cuprum_event", "cuprum_stream"}
#: Objects that are numbers.
_NUMBERED = (Parameter("device", "int32_t"), Parameter("system_device", "int32_t"))
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
    tags = _tags(comment, match[1], frozenset({"nullable"}))
    return Struct(match[1], _with_nullable(_fields(match[2]), tags, match[1], "fields"))


def _function(match: re.Match[str], header: str, comment: str) -> Function:
    name = match[2]
    tags = _tags(comment, name, _TAGS)
    parameters = tuple(_parameters(match[3], name))
    truths = " ".join(tags.get("truth", [])).split()
    if wrong := set(truths) - {each.name for each in parameters if each.type.removesuffix("*") == "int32_t"}:
        raise DescriptionError(f"{name}: @truth {min(wrong)} is not an int32_t among its parameters")
    parameters = _with_nullable(parameters, tags, name, "parameters")
    parameters = tuple(dataclasses.replace(each, is_truth=each.name in truths) for each in parameters)
    return Function(
        name,
        header,
        _TAG.sub("", comment).strip(),
        match[1],
        parameters,
        _does(name, match[1], tags),
        "blocks" in tags,
        _member(name, parameters, tags, comment),
    )


def _member(
    function: str, parameters: tuple[Parameter, ...], tags: dict[str, list[str]], comment: str
) -> Member | None:
    def refuse(problem: str) -> DescriptionError:
        return DescriptionError(f"{function}: {problem}")

    kinds = tags.keys() & {"property", "method"}
    if not kinds:
        if wrong := tags.keys() & {"by_hand", "default", "group", "param"}:
            raise refuse(f"@{min(wrong)} is for members: say @property or @method")
        return None
    if len(kinds) > 1:
        raise refuse("a member is a @property or a @method, not both")
    outputs = [each for each in parameters if each.is_output]
    taken = parameters[len(outputs) :]
    if not taken or not (taken[0].type.startswith("cuprum_") or taken[0] in _NUMBERED):
        raise refuse("a member's first parameter after its output is the object")
    object_ = taken[0].type.removeprefix("cuprum_") if taken[0].type.startswith("cuprum_") else taken[0].name
    rest = function.removeprefix(f"cuprum_{object_}_")
    if rest == function:
        raise refuse(f"a member of {object_} is called cuprum_{object_}_<member>")
    inputs, is_property = taken[1:], "property" in kinds
    if len(outputs) > 1 or (is_property and (inputs or not outputs)):
        raise refuse("a property has one output and no inputs, a method one output at most")
    for each in (*outputs, *inputs):
        if (each.type.removesuffix("*") if each.is_output else each.type) not in _MEMBER_TYPES:
            raise refuse(f"no member can have a {each.type}, as {each.name} is")
    texts, defaults = (_by_name(tags.get(tag, [])) for tag in ("param", "default"))
    names = {each.name for each in inputs}
    if undocumented := names - {name for name, text in texts.items() if text}:
        raise refuse(f"no '@param {min(undocumented)} TEXT' says what this input is")
    if unknown := (texts.keys() | defaults.keys()) - names:
        raise refuse(f"{min(unknown)} is not an input of it")
    by_hand = frozenset(" ".join(tags.get("by_hand", [])).split())
    if foreign := by_hand - _LANGUAGES:
        raise refuse(f"@by_hand {min(foreign)} is not a language: there are {', '.join(sorted(_LANGUAGES))}")
    if not _TAG.sub("", comment).strip().endswith("."):
        raise refuse("a member needs a comment, of whole sentences: it is the member's documentation in each language")
    name = next(iter(tags.get("property", tags.get("method", [])))) or rest
    group = next(iter(tags.get("group", [""])))
    return Member(object_, name, is_property, inputs, next(iter(outputs), None), texts, defaults, group, by_hand)


def _by_name(entries: list[str]) -> dict[str, str]:
    return {name: text for name, _, text in (entry.partition(" ") for entry in entries)}


def _does(name: str, result: str, tags: dict[str, list[str]]) -> str:
    reports_errors = result == "cuprum_status" and name != "cuprum_error_last"
    does = " ".join(tags.get("does", []))
    if reports_errors and not re.fullmatch(r"[a-z]+ing( .*[^.])?", does):
        raise DescriptionError(
            f"{name}: expected a tag that says what is being done, for errors, such as '@does waiting for a stream'; "
            + (f"found '@does {does}'" if "does" in tags else "there is none")
        )
    if does and not reports_errors:
        raise DescriptionError(f"{name}: @does is for functions that report errors, and this one does not")
    return does


def _tags(comment: str, name: str, known: frozenset[str]) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    for found in _TAG.finditer(comment):
        tags.setdefault(found[1], []).append(" ".join(found[2].split()))
    if unknown := tags.keys() - known:
        raise DescriptionError(f"{name}: unknown tag @{min(unknown)}; known are @{', @'.join(sorted(known))}")
    return tags


def _with_nullable(
    found: Sequence[Parameter], tags: dict[str, list[str]], name: str, which: str
) -> tuple[Parameter, ...]:
    nullable = " ".join(tags.get("nullable", [])).split()
    if wrong := set(nullable) - {each.name for each in found if _can_be_null(each)}:
        raise DescriptionError(f"{name}: @nullable {min(wrong)} is not a pointer or handle among its {which}")
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
    """The fields, each of "int32_t a, b;" too. An anonymous union is one field, without a type.

    The type of "int32_t a[3];" is "int32_t[3]"."""
    body = re.sub(r"union \{.*?\}", "union", _COMMENT.sub("", body), flags=re.DOTALL)
    found = []
    for declaration in filter(None, (each.strip() for each in body.split(";"))):
        type_, names = re.match(r"((?:const )?\w+\*?) (.*)", declaration, re.DOTALL).groups()  # type: ignore[union-attr]
        for each in names.split(","):
            name, bracket, count = each.strip().partition("[")
            found.append(Parameter(name, type_ + bracket + count))
    return found


def _enumerators(body: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in filter(None, (part.strip() for part in _COMMENT.sub("", body).split(","))):
        name, value = re.match(r"(\w+) = (-?\d+)$", each).groups()  # type: ignore[union-attr]
        found[name] = int(value)
    return found
