"""C#'s classes of the algorithms that are built for a place and called with data there: what csharp_distributed.py and
csharp_out_of_core.py have in common."""

from __future__ import annotations

import abc
import re

from algorithms import camel_case
from managed_text import Layout, csharp_comment, wrapped
from names import pascal
from tables import Algorithm, Form, Role

_LAYOUT = Layout(continuation="    ", width=120)
_INDENT = "        "


class Kind(abc.ABC):
    """What differs: the place, and how data is given."""

    #: The file up to the first class.
    head: str
    base: str
    #: The type and the name of the constructor's parameter.
    place: tuple[str, str]
    #: Its types, where there are several: a constructor for each.
    place_types: tuple[str, ...] = ()
    #: What the function that builds is given by the base.
    built: tuple[str, ...]
    #: What C is given for no data.
    none: tuple[str, ...]
    #: What a call returns, where it does; and the type and the name of what C writes.
    result_type: str
    result: tuple[str, str]

    @abc.abstractmethod
    def returns(self, algorithm: Algorithm) -> str:
        """The documentation of what a call returns; "" for nothing."""

    @abc.abstractmethod
    def data_type(self, element: str) -> str:
        """The type of data with such elements."""

    def making(self, _name: str) -> list[str]:
        """Statements before the call of C."""
        return []

    @abc.abstractmethod
    def data(self, name: str) -> list[str]:
        """What C is given."""

    @abc.abstractmethod
    def pin(self, name: str) -> str:
        """What holds data in its place while C reads and writes it."""

    @abc.abstractmethod
    def taken(self, data: list[str]) -> str:
        """What is returned, made of what C has written."""


def source(kind: Kind, algorithms: list[Algorithm]) -> str:
    """The whole file."""
    lines: list[str] = []
    for algorithm in algorithms:
        # What may be left out is a class of its own, with fewer type parameters.
        optional = any(each.optional and each.role == Role.TYPE for each in algorithm.build_arguments)
        for alone in (True, False) if optional else (False,):
            lines += ["", *_class(kind, algorithm, alone=alone, has_two=optional)]
    return "\n".join([kind.head, *lines[1:], "}", "", "}"]) + "\n"


def _class(kind: Kind, algorithm: Algorithm, *, alone: bool, has_two: bool) -> list[str]:
    types = {
        each.name: algorithm.types[each.name]
        for each in algorithm.build_arguments
        if each.role == Role.TYPE and not (alone and each.optional)
    }
    docs = {each.name: each.doc for each in algorithm.build_arguments}
    lines = csharp_comment("    ", algorithm.summary, [])
    for name, type_ in types.items():
        lines += wrapped("    /// ", f'<typeparam name="{type_}">{_sentence(docs[name])}</typeparam>')
    constraints = " ".join(f"where {type_} : struct" for type_ in types.values())
    header = f"    public sealed class {algorithm.name}<{', '.join(types.values())}> : {kind.base}"
    whole = f"{header} {constraints} {{"
    lines += [whole] if len(whole) <= 120 else [header, f"        {constraints} {{"]
    lines += [
        f"        private const string Operation = Operations.{_constant(algorithm.call.name)};",
    ]
    for place in kind.place_types or kind.place[:1]:
        lines += ["", *_constructor(kind, algorithm, place, alone=alone)]
    for form in algorithm.forms:
        if not has_two or bool(form.needs) != alone:
            lines += ["", *_call(kind, algorithm, form)]
    return [*lines, "    }"]


def _constant(function: str) -> str:
    return pascal(function.removeprefix("cuprum_"))


def _sentence(text: str) -> str:
    text = re.sub("`([^`]*)`", r"<c>\1</c>", text)
    return text[0].upper() + text[1:] + "."


def _constructor(kind: Kind, algorithm: Algorithm, place: str, *, alone: bool) -> list[str]:
    parameters, docs, values = [], [], []
    for each in algorithm.build_arguments:
        name = camel_case(each.name)
        match each.role:
            case Role.PLACE:
                parameters.append(f"{place} {kind.place[1]}")
            case Role.ENUMERATOR:
                parameters.append(f"{algorithm.enums[each.name]} {name}")
                values.append(f"(int){name}")
            case Role.OPERATOR:
                parameters.append(f"Operator {name}")
                values.append(f"Require.NotNull({name}, nameof({name})).Use(operation)")
            case _:
                values.append("null" if alone and each.optional else f"ElementText<{algorithm.types[each.name]}>.Value")
                continue
        docs.append((name, each.doc))
    lines = csharp_comment(_INDENT, algorithm.build_doc, docs)
    if algorithm.operands:
        lines.append(
            f'{_INDENT}/// <exception cref="CompileException">The operator\'s text does not compile.</exception>'
        )
    building, built = f"Operations.{_constant(algorithm.build.name)}", ", ".join(kind.built)
    native = ["out built", *kind.built, *values]
    return [
        *lines,
        *_LAYOUT.call(f"{_INDENT}public {algorithm.name}(", parameters, ")"),
        f"{_INDENT}    : base({kind.place[1]}, {building}, ({built}, operation) => {{",
        f"{_INDENT}        IntPtr built;",
        *_LAYOUT.call(f"{_INDENT}        CuprumNative.{algorithm.build.name}(", native, ");"),
        f"{_INDENT}        return built;",
        f"{_INDENT}    }}) {{}}",
    ]


def _call(kind: Kind, algorithm: Algorithm, form: Form) -> list[str]:
    values = [f"out {kind.result[1]}"] if algorithm.result else []
    values.append("Use(Operation)")
    data, pins = [], []
    places = iter(range(2))
    for each in algorithm.call_arguments:
        name = camel_case(each.name)
        if each.role == Role.NUMBER:
            values.append(name)
        elif each not in form.arguments:
            values += kind.none if each.role == Role.DATA else ("IntPtr.Zero", "0")
        elif each.role == Role.DATA:
            data.append(name)
            pins.append(kind.pin(name))
            values += kind.data(name)
        else:
            type_ = algorithm.types[each.of]
            pins.append(f"using (var {name}Value = new PinnedValue<{type_}>({name}, {next(places)}))")
            values += [f"{name}Value.Address", f"{name}Value.Size"]
    parameters = []
    for each in form.arguments:
        type_ = algorithm.types.get(each.of, "")
        declared = {Role.DATA: kind.data_type(type_), Role.VALUE: type_}.get(each.role, "ulong")
        parameters.append(f"{declared} {camel_case(each.name)}")
    docs = [(camel_case(each.name), each.doc) for each in form.arguments]
    lines = csharp_comment(_INDENT, form.doc, docs, kind.returns(algorithm))
    returned = kind.result_type if algorithm.result else "void"
    lines += _LAYOUT.call(f"{_INDENT}public {returned} Call(", parameters, ") {")
    inner = f"{_INDENT}    "
    lines += [f"{inner}{each}" for name in data for each in kind.making(name)]
    if algorithm.result:
        lines.append(f"{inner}{' '.join(kind.result)};")
    pins[-1] += " {"
    lines += [f"{inner}{pin}" for pin in pins]
    lines += [*_LAYOUT.call(f"{inner}    CuprumNative.{algorithm.call.name}(", values, ");"), f"{inner}}}"]
    if algorithm.result:
        lines.append(f"{inner}return {kind.taken(data)};")
    return [*lines, f"{_INDENT}}}"]
