"""Python's classes of the algorithms that are built for a place and called with data there: what python_distributed.py
and python_out_of_core.py have in common."""

from __future__ import annotations

import abc

from python_text import call_lines, docstring
from tables import Algorithm, Argument, Role

_INDENT = " " * 8


class Kind(abc.ABC):
    """What differs: the place, and how data is given."""

    base: str
    #: The parameter of the constructor, its type, and what C is given.
    place: tuple[str, str, str]
    describes_place = True
    data_type: str

    @abc.abstractmethod
    def kept(self, algorithm: Algorithm) -> dict[str, str]:
        """The attributes with types that calls need again, and the texts of the build function that these are."""

    @abc.abstractmethod
    def made(self, operator: str) -> list[str]:
        """What the base is constructed with."""

    @abc.abstractmethod
    def result(self, algorithm: Algorithm) -> str:
        """The type of what a call returns."""

    def does(self, algorithm: Algorithm) -> str:
        """What a call does."""
        return algorithm.python_call or algorithm.forms[0].doc

    @abc.abstractmethod
    def data(self, argument: Argument, name: str) -> tuple[list[str], list[str]]:
        """Statements before the call, and what C is given."""

    @abc.abstractmethod
    def called(self, algorithm: Algorithm) -> tuple[str, list[str]]:
        """What stands before the call of C, and statements after it."""


def text(head: str, kind: Kind, algorithms: list[Algorithm]) -> str:
    """The whole module."""
    return "\n\n".join([head, *(_class(kind, each) for each in algorithms)])


def _class(kind: Kind, algorithm: Algorithm) -> str:
    kept = sorted(kind.kept(algorithm))
    slots = ", ".join(f'"{name}"' for name in kept) + ("," if len(kept) == 1 else "")
    lines = [
        f"class {algorithm.name}({kind.base}):",
        *docstring("    ", algorithm.summary),
        "",
        f"    __slots__ = ({slots})",
        "",
        *_constructor(kind, algorithm),
        "",
        *_caller(kind, algorithm),
    ]
    return "\n".join(lines) + "\n"


def _name(algorithm: Algorithm, argument: Argument) -> str:
    """keys_out of keys_target, which C does not call keys_out, as that would be a result of the function."""
    name = argument.name
    if name.endswith("_target"):
        name = name.removesuffix("_target") + "_out"
    return algorithm.python_names.get(name, name)


def _describe(algorithm: Algorithm, arguments: list[Argument]) -> str:
    """The parameters, in a sentence or two."""
    return " ".join(f"`{_name(algorithm, each)}`: {each.doc}." for each in arguments)


def _constructor(kind: Kind, algorithm: Algorithm) -> list[str]:
    keywords = [each for each in algorithm.build_arguments if each.role == Role.ENUMERATOR]
    ordered = [each for each in algorithm.build_arguments if each not in keywords]
    parameters = [_declared(kind, algorithm, each) for each in ordered]
    if keywords:
        parameters += ["*", *(_declared(kind, algorithm, each) for each in keywords)]
    lines = call_lines(
        "    def __init__(", ["self", *parameters], "    ) -> None:" if _is_long(parameters) else ") -> None:"
    )
    described = [each for each in (*ordered, *keywords) if kind.describes_place or each.role != Role.PLACE]
    notes = []
    for each in described:
        default = algorithm.python_defaults.get(each.name)
        if each.role == Role.TYPE and default:
            of = next((other for other in described if other.name == default), None)
            notes.append(f"`{_name(algorithm, each)}` is by default {f'`{_name(algorithm, of)}`' if of else default}.")
    lines += docstring(_INDENT, algorithm.build_doc, _describe(algorithm, described), " ".join(notes))
    lines.append(f'{_INDENT}operation = "{algorithm.build.does}"')
    for each in described:
        if each.role == Role.TYPE:
            lines.append(f"{_INDENT}{each.name}_type = {_type(algorithm, each)}")
    if algorithm.operands:
        type_ = f"{algorithm.operands}_type"
        lines.append(f"{_INDENT}operator, _ = as_operator(op, ({type_}, {type_}), {type_})")
    values = [_build_value(kind, algorithm, each) for each in algorithm.build_arguments]
    lines += call_lines(
        f"{_INDENT}built = _cuprum.{algorithm.build.name}(", values, f"{_INDENT})" if _is_long(values) else ")"
    )
    made = ", ".join(kind.made("operator" if algorithm.operands else "None"))
    lines.append(f"{_INDENT}super().__init__({made})")
    return [*lines, *(f"{_INDENT}self.{kept} = {name}_type" for kept, name in kind.kept(algorithm).items())]


def _is_long(parts: list[str]) -> bool:
    return len(", ".join(parts)) > 80


def _declared(kind: Kind, algorithm: Algorithm, argument: Argument) -> str:
    name = _name(algorithm, argument)
    default = algorithm.python_defaults.get(argument.name)
    match argument.role:
        case Role.PLACE:
            return f"{kind.place[0]}: {kind.place[1]}"
        case Role.ENUMERATOR:
            return f"{name}: {algorithm.enums[argument.name]} = {default}"
        case Role.OPERATOR:
            return f"{name}: OperatorLike = OpKind.PLUS"
    return f"{name}: DTypeLike | None = None" if default or argument.optional else f"{name}: DTypeLike"


def _type(algorithm: Algorithm, argument: Argument) -> str:
    name, default = _name(algorithm, argument), algorithm.python_defaults.get(argument.name)
    if argument.optional:
        return f"None if {name} is None else np.dtype({name})"
    if not default:
        return f"np.dtype({name})"
    is_type = any(each.name == default for each in algorithm.build_arguments)
    otherwise = f"{default}_type" if is_type else f"np.dtype(np.{default})"
    return f"{otherwise} if {name} is None else np.dtype({name})"


def _build_value(kind: Kind, algorithm: Algorithm, argument: Argument) -> str:
    match argument.role:
        case Role.PLACE:
            return kind.place[2]
        case Role.ENUMERATOR:
            return f"{algorithm.enums[argument.name]}({_name(algorithm, argument)})"
        case Role.OPERATOR:
            return "operator._open_native(operation)"
    text_ = f"type_text({argument.name}_type)"
    return f"None if {argument.name}_type is None else {text_}" if argument.optional else text_


def _caller(kind: Kind, algorithm: Algorithm) -> list[str]:
    needed = set(algorithm.forms[0].arguments)
    # What may be left out comes last.
    arguments = sorted(algorithm.call_arguments, key=lambda each: each not in needed)
    parameters = ["self"]
    for each in arguments:
        type_ = {Role.DATA: kind.data_type, Role.VALUE: "Any"}.get(each.role, "int")
        optional = "" if each in needed else " = None" if type_ == "Any" else " | None = None"
        parameters.append(f"{_name(algorithm, each)}: {type_}{optional}")
    before, end = "    def __call__(", f") -> {kind.result(algorithm)}:"
    lines = call_lines(before, parameters, f"    {end}" if len(before + ", ".join(parameters) + end) > 116 else end)
    lines += docstring(_INDENT, kind.does(algorithm), _describe(algorithm, arguments))
    lines.append(f'{_INDENT}native = self._open_native("{algorithm.call.does}")')
    attributes = {name: attribute for attribute, name in kind.kept(algorithm).items()}
    values = ["native"]
    for each in algorithm.call_arguments:
        name = _name(algorithm, each)
        match each.role:
            case Role.DATA:
                made, given = kind.data(each, name)
                lines += [f"{_INDENT}{statement}" for statement in made]
                values += given
            case Role.VALUE:
                read = "host_value" if each in needed else "initial_bytes"
                values.append(f'{read}("{name}", {name}, self.{attributes[each.of]})')
            case _:
                values.append(name)
    begin, after = kind.called(algorithm)
    lines += call_lines(f"{_INDENT}{begin}_cuprum.{algorithm.call.name}(", values, f"{_INDENT})")
    return [*lines, *(f"{_INDENT}{each}" for each in after)]
