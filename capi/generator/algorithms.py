"""Reads capi/algorithms.toml: the parallel algorithms, beside what the C headers say about their functions."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import pathlib
import re
import tomllib
from typing import Any

from description import Description, Function, Parameter
from names import camel, pascal

FILE = pathlib.Path(__file__).resolve().parents[1] / "algorithms.toml"


class TableError(Exception):
    """Something in the table that does not agree with the headers."""


class Role(enum.Enum):
    """What a parameter of a build function or a call is."""

    EXECUTION = enum.auto()
    ENUMERATOR = enum.auto()
    INPUT = enum.auto()  # an iterator
    OPERATOR = enum.auto()
    TYPE = enum.auto()
    MEMORY = enum.auto()  # an address
    COUNT = enum.auto()
    INIT = enum.auto()  # with its size
    VALUE = enum.auto()  # another value, with its size
    VALUES = enum.auto()  # an array of such, in host memory, with its size
    NUMBER = enum.auto()  # that an algorithm is built for
    INIT_ADDRESS = enum.auto()  # of an initial value in device memory
    BITS = enum.auto()  # two numbers
    STATE = enum.auto()  # the operator of one call
    STORAGE = enum.auto()  # with its size
    OUTPUT = enum.auto()  # an iterator in place of memory, whose name is before its own suffix
    ABSENT = enum.auto()  # this algorithm does not have it


#: What may be left out in an overload of its own.
_WITH_FORMS = (Role.INPUT, Role.MEMORY, Role.INIT)

#: What is written through an iterator, or is memory: the address, and with this suffix the iterator.
OUTPUT_SUFFIX = "_iterator"

#: The operators that a call takes with the state of that call, in the order of those that it was built with.
STATES = ("op", "second_op")


@dataclasses.dataclass(frozen=True)
class Memory:
    """The elements at an address that a call takes."""

    of: str
    #: The parameter that says how many, or their number; "" for one element.
    count: str
    doc: str
    is_read: bool
    #: The call may leave some of them as they are.
    is_partial: bool


@dataclasses.dataclass(frozen=True)
class Argument:
    """A parameter, or several that stand for one thing: init and init_size."""

    role: Role
    name: str
    #: May be left out.
    optional: bool = False
    doc: str = ""
    memory: Memory | None = None
    #: Of a value: its type, a parameter of the build function.
    of: str = ""


@dataclasses.dataclass(frozen=True)
class PythonFunction:
    """<name>, which builds and calls, and make_<name>, which builds."""

    name: str
    doc: str
    #: Parameters of the build function, and the constants of C that they are.
    fixed: dict[str, str]
    #: The same, where the initial value is given; it is needed where this is empty.
    with_init: dict[str, str]


@dataclasses.dataclass(frozen=True)
class Python:
    """How Python has an algorithm."""

    class_name: str
    #: Parameters of the build function and of the call, and their names here.
    names: dict[str, str]
    types: dict[str, list[str]]
    operands: tuple[str, ...]
    result: str
    default_op: str
    #: The same of the second operator, where the two differ.
    second_operands: tuple[str, ...]
    second_result: str
    second_default_op: str
    #: Numbers that calls take because cuda.compute's do, and that change no result.
    hints: dict[str, str]
    #: Whether the build takes how far results are the same from run to run (determinism).
    determinism: bool
    #: Whether inputs may be DoubleBuffers, which take the outputs' place.
    double_buffer: bool
    #: Whether calls take temp_storage, as cuda.compute's do, also where none is needed.
    takes_storage: bool
    functions: tuple[PythonFunction, ...]
    #: Functions that are not generated; then nothing is.
    by_hand: tuple[str, ...]

    def of_operator(self, index: int) -> tuple[tuple[str, ...], str, str]:
        """The types of an operator's operands, that of its result, and the one that it is where none is given."""
        if index == 1 and self.second_operands:
            return self.second_operands, self.second_result, self.second_default_op
        return self.operands, self.result, self.default_op

    @property
    def function_names(self) -> list[str]:
        return [*self.by_hand, *(function.name for function in self.functions)]


#: What Python calls parameters that several algorithms have, as cuda.compute does.
_PYTHON_NAMES = {
    "input": "d_in",
    "output": "d_out",
    "keys": "d_in_keys",
    "keys_in": "d_in_keys",
    "keys_target": "d_out_keys",
    "values": "d_in_values",
    "values_in": "d_in_values",
    "values_target": "d_out_values",
    "count": "num_items",
    "init": "h_init",
}


@dataclasses.dataclass(frozen=True)
class Algorithm:
    name: str
    build: Function
    call: Function
    build_arguments: tuple[Argument, ...]
    call_arguments: tuple[Argument, ...]
    summary: str
    #: One sentence, or two: without and with what may be left out.
    build_docs: tuple[str, ...]
    call_docs: tuple[str, ...]
    #: Names of parameters where what may be left out is.
    alone: dict[str, str]
    enums: dict[str, str]
    types: dict[str, str]
    #: Inputs, and the parameters that say how many of their elements are read, where that is not `count`.
    counts: dict[str, str]
    result: str | None
    #: What sorts between the arrays of a DoubleBuffer, if anything does: a function of the C ABI.
    between: Function | None
    #: What builds it for any number of inputs, what calls that, and what does it over arrays in host memory:
    #: functions of the C ABI, if there are any.
    nary: tuple[Function, Function, Function] | None
    #: What builds it for some fields of structs, if anything does: a function of the C ABI.
    by_fields: Function | None
    python: Python

    @property
    def building(self) -> str:
        """What errors say was being done."""
        return self.build.does

    @property
    def calling(self) -> str:
        return self.call.does

    def of(self, role: Role) -> list[Argument]:
        return [each for each in self.call_arguments if each.role == role]

    def has(self, role: Role) -> bool:
        return bool(self.of(role))

    @property
    def outputs(self) -> list[str]:
        """The memory in whose place iterators can be written through."""
        return [each.name.removesuffix(OUTPUT_SUFFIX) for each in self.build_arguments if each.role == Role.OUTPUT]

    @property
    def inputs(self) -> list[str]:
        """The iterators that it is built for."""
        return [each.name for each in self.build_arguments if each.role == Role.INPUT]

    def count_of(self, input_: str) -> str:
        """The parameter that says how many elements of an input are read; "" where nobody knows."""
        number = self.counts.get(input_, "count")
        return number if any(each.name == number.split(" * ")[0] for each in self.of(Role.COUNT)) else ""

    @property
    def kept_numbers(self) -> list[str]:
        """Those of the build function that calls need again: to count elements."""
        counts = {part for each in self.counts.values() for part in each.split(" * ")}
        return [each.name for each in self.build_arguments if each.role == Role.NUMBER and each.name in counts]


@dataclasses.dataclass(frozen=True)
class OneShot:
    name: str
    csharp_name: str
    call: Function
    #: The C++ header that declares it, without its ending.
    header: str
    calling: str
    doc: str
    returns: str
    operands: int
    #: Of overloads without an operator, where C takes one.
    default_op: str
    fixed: dict[str, str]
    enums: dict[str, str]
    docs: dict[str, str]
    java: tuple[str, ...]
    java_numbers: bool
    csharp: tuple[str, ...]
    #: The array of results that an overload makes, "A result = HostArrays.like(data)"; "" where it makes none.
    java_makes: str
    csharp_makes: str
    #: The arrays that Python's function takes; empty where it is written by hand.
    python: tuple[str, ...]
    #: The outputs that it makes: their types and sizes.
    python_results: dict[str, tuple[str, str]]
    python_functions: tuple[str, ...]

    @property
    def finds(self) -> bool:
        """Whether it gives a position, where others give arrays."""
        return any(each.name == "index_out" for each in self.call.parameters)

    @property
    def compares(self) -> bool:
        """Whether it gives an answer, where others give arrays."""
        return any(each.name == "equal_out" for each in self.call.parameters)


def load(description: Description, file: pathlib.Path = FILE) -> tuple[list[Algorithm], list[OneShot]]:
    """The classes and the one-shot calls, in the order of the table."""
    functions = {function.name: function for function in description.functions}
    classes: list[Algorithm] = []
    calls: list[OneShot] = []
    for row in tomllib.loads(file.read_text(encoding="utf-8"))["algorithm"]:
        one_shots = row.pop("one_shot", [])
        algorithm = _algorithm(functions, row)
        _check_constants(description, algorithm)
        classes.append(algorithm)
        calls += [_one_shot(functions, algorithm, each) for each in one_shots]
    built = {f"cuprum_parallel_{function}" for function in _suffixed(functions, "_build")}
    missing = built - {each.build.name for each in classes}
    missing |= {f"cuprum_parallel_{name}" for name in _suffixed(functions, "_array")} - {
        each.call.name for each in calls
    }
    if missing:
        raise TableError(f"{file.name} has no row of {min(missing)}")
    return classes, calls


def _check_constants(description: Description, algorithm: Algorithm) -> None:
    for function in algorithm.python.functions:
        if unknown := {*function.fixed.values(), *function.with_init.values()} - description.constants.keys():
            raise TableError(f"{algorithm.name}: the headers have no {min(unknown)}, which Python fixes")


def _suffixed(functions: dict[str, Function], suffix: str) -> list[str]:
    prefix = "cuprum_parallel_"
    return [name.removeprefix(prefix) for name in functions if name.startswith(prefix) and name.endswith(suffix)]


def _function(functions: dict[str, Function], row: str, name: str) -> Function:
    function = functions.get(f"cuprum_parallel_{name}")
    if not function:
        raise TableError(f"{row}: the headers have no cuprum_parallel_{name}")
    return function


def text(paragraph: str) -> str:
    """A text of a table, in one line."""
    return " ".join(paragraph.split())


def _algorithm(functions: dict[str, Function], row: dict[str, Any]) -> Algorithm:
    name = row["name"]
    build = _function(functions, name, row["build"])
    call = _function(functions, name, row["call"])
    docs = row.pop("docs", {})
    values = row.pop("values", {})
    arrays = row.pop("arrays", {})
    enums = row.pop("enums", {})
    optional_types = {each.name for each in build.parameters if each.type == "const char*" and each.nullable}
    memory = {
        each: Memory(
            fields["of"],
            "" if fields["count"] == 1 else str(fields["count"]),
            text(fields["doc"]),
            fields.get("read", False),
            fields.get("partial", False),
        )
        for each, fields in row.pop("memory").items()
    }
    without = row.pop("without", [])
    algorithm = Algorithm(
        name=name,
        build=build,
        call=call,
        build_arguments=tuple(_build_arguments(build, enums, docs)),
        call_arguments=tuple(_call_arguments(call, memory, values, arrays, without, optional_types, docs)),
        summary=text(row.pop("summary")),
        build_docs=tuple(row.pop("builds")),
        call_docs=tuple(row.pop("calls")),
        alone=row.pop("alone", {}),
        enums=enums,
        types=row.pop("types"),
        counts=row.pop("counts", {}),
        result=row.pop("result", None),
        between=_function(functions, name, row.pop("between")) if "between" in row else None,
        nary=_nary(functions, name, row.pop("nary")) if "nary" in row else None,
        by_fields=_function(functions, name, row.pop("by_fields")) if "by_fields" in row else None,
        python=_python(name, row["call"], row.pop("python")),
    )
    for key in ("name", "build", "call"):
        row.pop(key)
    if row:
        raise TableError(f"{name}: unknown key {min(row)}")
    _check(algorithm, memory, docs)
    return algorithm


def _nary(functions: dict[str, Function], name: str, row: dict[str, str]) -> tuple[Function, Function, Function]:
    build, call, array = (_function(functions, name, row[each]) for each in ("build", "call", "array"))
    return build, call, array


def _python(name: str, call: str, row: dict[str, Any]) -> Python:
    given = row.pop("functions", [{"name": call}])
    functions = [
        PythonFunction(each.pop("name"), text(each.pop("doc", "")), each.pop("fixed", {}), each.pop("with_init", {}))
        for each in given
    ]
    by_hand = tuple(row.pop("by_hand", ()))
    python = Python(
        class_name=row.pop("class", ""),
        names=_PYTHON_NAMES | row.pop("names", {}),
        types=row.pop("types", {}),
        operands=tuple(row.pop("operands", ())),
        result=row.pop("result", ""),
        default_op=row.pop("default_op", ""),
        second_operands=tuple(row.pop("second_operands", ())),
        second_result=row.pop("second_result", ""),
        second_default_op=row.pop("second_default_op", ""),
        hints=row.pop("hints", {}),
        determinism=row.pop("determinism", False),
        double_buffer=row.pop("double_buffer", False),
        takes_storage=row.pop("takes_storage", True),
        functions=() if by_hand else tuple(functions),
        by_hand=by_hand,
    )
    if unknown := sorted({*row, *(key for each in given for key in each)}):
        raise TableError(f"{name}: unknown key {unknown[0]} for Python")
    return python


def _check(algorithm: Algorithm, memory: dict[str, Memory], docs: dict[str, str]) -> None:
    names = {each.name for each in (*algorithm.build_arguments, *algorithm.call_arguments)}
    described = {*memory, *docs, *algorithm.enums, *algorithm.alone, *filter(None, [algorithm.result])}
    described |= {*algorithm.counts, *(part for each in algorithm.counts.values() for part in each.split(" * "))}
    if unknown := described - names:
        raise TableError(
            f"{algorithm.name}: {min(unknown)} is not a parameter of {algorithm.build.name} or {algorithm.call.name}"
        )
    known = {each.name for each in algorithm.build_arguments if each.role in (Role.TYPE, Role.INPUT)}
    known |= {"uint64", "bool", "indexed"}
    if (
        unknown := (
            {each.of for each in memory.values()}
            | {each.of for role in (Role.VALUE, Role.VALUES) for each in algorithm.of(role)}
            | {*algorithm.types}
        )
        - known
    ):
        raise TableError(f"{algorithm.name}: unknown type {min(unknown)}")
    if {name for name, each in memory.items() if not each.count} != {*filter(None, [algorithm.result])}:
        raise TableError(f"{algorithm.name}: result has to name the memory of one element, and there is one at most")
    python = algorithm.python
    if unknown := {*python.types, *python.names} - names - _PYTHON_NAMES.keys():
        raise TableError(f"{algorithm.name}: {min(unknown)}, which Python names, is not a parameter")
    types = itertools.chain(*(python.of_operator(i)[0] for i in (0, 1)), [python.result, python.second_result])
    if unknown := {*types, *itertools.chain(*python.types.values())} - names - {"bool", ""}:
        raise TableError(f"{algorithm.name}: Python takes a type from {min(unknown)}, which is not a parameter")
    fixed = {key for each in python.functions for key in (*each.fixed, *each.with_init)}
    if unknown := fixed - algorithm.enums.keys():
        raise TableError(f"{algorithm.name}: {min(unknown)}, which Python fixes, is none of the enums")
    for each in (*algorithm.build_arguments, *algorithm.call_arguments):
        if not each.doc and each.role not in (Role.ABSENT, Role.EXECUTION):
            raise TableError(f"{algorithm.name}: {each.name} has no text in docs")
    outputs = {each.name for each in algorithm.of(Role.OUTPUT)}
    if outputs != {f"{name}{OUTPUT_SUFFIX}" for name in algorithm.outputs} or {*algorithm.outputs} - {*memory}:
        raise TableError(f"{algorithm.name}: an output's iterator is named after its memory, in the build and the call")
    optional = any(each.optional for each in algorithm.call_arguments if each.role in _WITH_FORMS)
    if len(algorithm.call_docs) != 1 + optional:
        raise TableError(f"{algorithm.name}: calls has {len(algorithm.call_docs)} sentences, expected {1 + optional}")


def _build_arguments(build: Function, enums: dict[str, str], docs: dict[str, str]) -> list[Argument]:
    found = []
    for parameter in build.parameters[1:]:
        name, doc = parameter.name, docs.get(parameter.name, "")
        match parameter.type:
            case "const cuprum_execution*":
                found.append(Argument(Role.EXECUTION, name))
            case "cuprum_parallel_iterator" if name.endswith(OUTPUT_SUFFIX):
                doc = "what the results are written through; its kind and type are compiled in"
                found.append(Argument(Role.OUTPUT, name, True, doc))
            case "cuprum_parallel_iterator":
                doc = doc or "its kind and type are compiled in"
                found.append(Argument(Role.INPUT, name, parameter.nullable, doc))
            case "cuprum_parallel_operator":
                found.append(Argument(Role.OPERATOR, name, False, doc))
            case "const char*":
                found.append(Argument(Role.TYPE, name, parameter.nullable, doc))
            case "int32_t" if name in enums:
                found.append(Argument(Role.ENUMERATOR, name, False, doc))
            case "int32_t" if doc:
                found.append(Argument(Role.NUMBER, name, False, doc))
            case type_:
                raise TableError(f"{build.name}: {type_} {name} is not understood")
    return found


def _call_arguments(
    call: Function,
    memory: dict[str, Memory],
    values: dict[str, str],
    arrays: dict[str, str],
    without: list[str],
    optional_types: set[str],
    docs: dict[str, str],
) -> list[Argument]:
    found: list[Argument] = []
    for parameter in call.parameters[2:]:
        name = parameter.name
        if name in without:
            found.append(Argument(Role.ABSENT, name))
        elif name in memory:
            of = memory[name].of
            found.append(Argument(Role.MEMORY, name, of in optional_types, memory[name].doc, memory[name]))
        elif name in values:
            found.append(Argument(Role.VALUE, name, False, docs.get(name, ""), of=values[name]))
        elif name in arrays:
            found.append(Argument(Role.VALUES, name, False, docs.get(name, ""), of=arrays[name]))
        elif name in ("init_size", "end_bit", "storage_size") or name.removesuffix("_size") in {*values, *arrays}:
            pass
        else:
            found.append(_call_argument(call, parameter, docs))
    return found


def _call_argument(call: Function, parameter: Parameter, docs: dict[str, str]) -> Argument:
    name = parameter.name
    match parameter.type, name:
        case "cuprum_parallel_iterator", _ if name.endswith(OUTPUT_SUFFIX):
            return Argument(Role.OUTPUT, name, True, "of the kind that it was built for")
        case "cuprum_parallel_iterator", _:
            return Argument(Role.INPUT, name, parameter.nullable, "of the kind that it was built for")
        case "cuprum_parallel_operator", _:
            if name not in STATES:
                raise TableError(f"{call.name}: the operators with the states of a call are called {', '.join(STATES)}")
            return Argument(Role.STATE, name, True, "the operator with the state of this call")
        case "const void*", "init":
            return Argument(Role.INIT, name, parameter.nullable, "of the accumulator's type; comes before the elements")
        case "uint64_t", "init_address":
            return Argument(Role.INIT_ADDRESS, name, True, "where the initial value is in device memory")
        case "int32_t", "begin_bit":
            return Argument(Role.BITS, "bits", True, "which bits of the keys are compared")
        case "uint64_t", "storage":
            return Argument(Role.STORAGE, "temp_storage", True, "at least what temp_storage_bytes says")
        case "uint64_t", "count":
            return Argument(Role.COUNT, name, False, docs.get(name, "how many elements there are"))
        case "uint64_t", _ if name in docs:
            return Argument(Role.COUNT, name, False, docs[name])
    raise TableError(f"{call.name}: {parameter.type} {name} is not understood: is it memory?")


def _one_shot(functions: dict[str, Function], algorithm: Algorithm, row: dict[str, Any]) -> OneShot:
    name = row.pop("name")
    call = OneShot(
        name=name,
        csharp_name=row.pop("csharp_name", pascal(name)),
        call=_function(functions, name, row.pop("call")),
        header=algorithm.build.name.removeprefix("cuprum_parallel_").removesuffix("_build"),
        calling=algorithm.calling,
        doc=text(row.pop("doc")),
        returns=row.pop("returns", ""),
        operands=row.pop("operands", 0),
        default_op=row.pop("default_op", ""),
        fixed=row.pop("fixed", {}),
        enums=algorithm.enums,
        docs=row.pop("docs"),
        java=tuple(row.pop("java")),
        java_numbers=row.pop("java_numbers", False),
        csharp=tuple(row.pop("csharp")),
        java_makes=row.pop("java_makes", ""),
        csharp_makes=row.pop("csharp_makes", ""),
        python=tuple(row.pop("python", ())),
        python_results={
            output: (type_, size)
            for output, made in row.pop("python_results", {}).items()
            for type_, _, size in [made.partition(": ")]
        },
        python_functions=tuple(row.pop("python_functions", [name])),
    )
    if row:
        raise TableError(f"{name}: unknown key {min(row)}")
    return call


def camel_case(name: str) -> str:
    """keysOut of keys_target, which C does not call keys_out, as that would be a result of the function."""
    return camel(re.sub("_target$", "_out", name))
