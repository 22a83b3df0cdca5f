"""Python's classes and functions of the algorithms, cuprum.parallel._algorithms, from the C headers and
capi/algorithms.toml."""

from __future__ import annotations

import itertools
import textwrap

from algorithms import OUTPUT_SUFFIX, Algorithm, Argument, OneShot, PythonFunction, Role
from array_calls import ArrayArgument, ArrayRole, arguments
from members import ORIGIN
from python_array_calls import ArrayCall, GivenOperator

_HEAD = f'''"""The algorithms over elements where they are: objects that are built once, and the same in one call."""
# {ORIGIN}

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from cuprum._native import _cuprum
from cuprum.parallel._algorithm import (
    POOL,
    Algorithm,
    BuiltOperator,
    Determinism,
    SortOrder,
    SelectedCount,
    accumulator_dtype,
    initial_value,
    host_value,
    item_count,
    key_bits,
    native_stream,
    operator_handle,
    require_init,
    require_type,
    too_few,
)
from cuprum.parallel._arrays import dtype_of, elements_of
from cuprum.parallel._data import (
    compared_on_device,
    found_on_device,
    host_array,
    host_bytes,
    host_copy,
    is_in_place,
    parted_on_device,
    selected_on_device,
    sized,
    written_on_device,
)
from cuprum.parallel._double_buffer import is_double_buffer, sort_between, unbuffered
from cuprum.parallel._execution import is_host, native_execution
from cuprum.parallel._iterators import as_iterator, built_output, has_type
from cuprum.parallel._operators import OpKind, as_operator
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core._stream import IsStreamType, Stream
    from cuprum.parallel._execution import ExecutionLike
    from cuprum.parallel._operators import OperatorLike
'''
_RUN = (
    "On the device asynchronously, in `stream`'s order; with `execution='host'` over NumPy arrays, done when it "
    "returns."
)
#: Variables of the generated code.
_OPERATORS = ("operator", "second_operator")
#: Of everything that is built.
_BUILT = "With `compute_capability`, or an `Execution` ahead of time, it can only be saved."


def text(algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    """The whole module."""
    selections = {name: call for call in calls if call.python for name in call.python_functions}
    generated = [each for each in algorithms if not each.python.by_hand]
    parts = [_HEAD, _names(generated)]
    for algorithm in generated:
        parts.append(_Class(algorithm).text())
        for function in algorithm.python.functions:
            parts += _Functions(algorithm, function, selections.get(function.name)).texts()
    return "\n\n".join(parts)


def _names(algorithms: list[Algorithm]) -> str:
    functions = [function.name for algorithm in algorithms for function in algorithm.python.functions]
    names = sorted([*functions, *(f"make_{name}" for name in functions)])
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"


def docstring(indent: str, first: str, *paragraphs: str) -> list[str]:
    """A docstring."""
    texts = [each.replace("`", "``") for each in (first, *paragraphs) if each]
    lines = _wrapped(indent, f'"""{texts[0]}')
    for paragraph in texts[1:]:
        lines += ["", *_wrapped(indent, paragraph)]
    if len(texts) == 1 and len(lines[-1]) <= 117:
        lines[-1] += '"""'
    else:
        lines.append(f'{indent}"""')
    return lines


def _wrapped(indent: str, text_: str) -> list[str]:
    return textwrap.wrap(
        text_, 120, initial_indent=indent, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def call_lines(before: str, arguments: list[str], after: str = ")", *, width: int = 120) -> list[str]:
    """A call in one line, or with an argument a line."""
    line = before + ", ".join(arguments) + after
    if len(line) <= width:
        return [line]
    indent = before[: len(before) - len(before.lstrip())]
    return [before, *(f"{indent}    {each}," for each in arguments), indent + after.lstrip()]


def _type_error(indent: str, message: str) -> list[str]:
    """Raises it, in as many lines as it takes."""
    if len(indent) + len(message) <= 99:
        return [f'{indent}raise TypeError("{message}")']
    parts = textwrap.wrap(message, 110 - len(indent), drop_whitespace=False, break_on_hyphens=False)
    return [f"{indent}raise TypeError(", *(f'{indent}    "{each}"' for each in parts), f"{indent})"]


class _Names:
    """What parameters are called here, and what variables stand for them."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm
        self.python = algorithm.python
        arguments = algorithm.call_arguments
        self.inputs = [each for each in arguments if each.role == Role.INPUT]
        self.memory = [each for each in arguments if each.memory]
        self.reads = [each for each in self.memory if each.memory and each.memory.is_read]
        self.init = next((each for each in arguments if each.role == Role.INIT), None)
        self.counts = [each for each in arguments if each.role == Role.COUNT]
        #: Of what temporary storage is for.
        self.count = next((each.name for each in self.counts if each.name == "count"), self.counts[0].name)
        self.operators = [each for each in algorithm.build_arguments if each.role == Role.OPERATOR]
        self.has_operator = bool(self.operators)

    def of(self, name: str) -> str:
        """The parameter's name."""
        return self.python.names.get(name, name)

    @property
    def operator(self) -> str:
        """The parameter that is the operator, of the build function."""
        return self.of(self.operators[0].name)

    @staticmethod
    def variable(name: str) -> str:
        return {"input": "elements"}.get(name, name)

    def is_optional_type(self, name: str) -> bool:
        return any(each.name == name and each.optional for each in self.algorithm.build_arguments)

    @property
    def kept_types(self) -> list[str]:
        """The types that calls check against: of the build function, or inputs."""
        types = [each.memory.of for each in self.memory if each.memory]
        types += ["accumulator"] if self.init else []
        types += [each.of for each in self.algorithm.of(Role.VALUE)]
        return list(dict.fromkeys(each for each in types if each not in ("uint64", "bool", "indexed")))

    @property
    def gives_indexed(self) -> bool:
        return any(each.memory and each.memory.of == "indexed" for each in self.memory)

    def _is_told(self, count: Argument) -> bool:
        """Whether an input, or what is read, says how many there are."""
        reads = [each for each in self.reads if not each.optional]
        if any(each.memory and each.memory.count in (count.name, f"{count.name} + 1") for each in reads):
            return True
        return any(self.algorithm.count_of(each.name) == count.name for each in self.inputs)

    def _may_be_left_out(self, argument: Argument) -> bool:
        is_written = argument.memory is not None and not argument.memory.is_read
        return argument.optional or (self.python.double_buffer and is_written)

    def _unbuffered(self, buffers: str) -> list[str]:
        """Arrays in place of DoubleBuffers."""
        if not self.python.double_buffer:
            return []
        names = [self.of(name) for name in ("keys_in", "keys_target", "values_in", "values_target")]
        return call_lines(f"{', '.join([*names, buffers])} = unbuffered(", names, width=112)  # 8 of 120 are its place

    def documentation(self, argument: Argument) -> str:
        return f"`{self.of(argument.name)}`: {argument.doc}."


class _Class(_Names):
    def text(self) -> str:
        kept = {name: f"_{name}_dtype" for name in self.kept_types}
        slots = [*kept.values(), *(["_takes_init"] if self._init_is_optional else [])]
        slots += ["result_dtype"] if self.gives_indexed else []
        lines = [f"class {self.python.class_name}(Algorithm):", *docstring("    ", self.algorithm.summary), ""]
        quoted = ", ".join(f'"{slot}"' for slot in sorted(slots))
        lines.append(f"    __slots__ = ({quoted}{',' if len(slots) == 1 else ''})")
        for name, slot in kept.items():
            none = " | None" if self.is_optional_type(name) else ""
            lines.append(f"    {slot}: np.dtype[Any]{none}")
        lines += ["    _takes_init: bool"] if self._init_is_optional else []
        if self.gives_indexed:
            lines.append("    #: A struct of the fields ``index``, int64, and ``value``, of the elements' type.")
            lines.append("    result_dtype: np.dtype[Any]")
        return "\n".join([*lines, "", *self._call_lines()]) + "\n"

    @property
    def _init_is_optional(self) -> bool:
        return bool(self.init and self.init.optional)

    @property
    def _takes_address(self) -> bool:
        return self.algorithm.has(Role.INIT_ADDRESS)

    @property
    def _has_storage(self) -> bool:
        return self.algorithm.has(Role.STORAGE)

    @property
    def _returned(self) -> str:
        return "int" if self.python.takes_storage else "None"

    def _call_lines(self) -> list[str]:
        parameters = ["temp_storage: Any = None"] if self.python.takes_storage else []
        documented = []
        for argument in self.algorithm.call_arguments:
            name = self.of(argument.name)
            match argument.role:
                case Role.INPUT | Role.MEMORY | Role.INIT:
                    parameters.append(f"{name}: Any{' = None' if self._may_be_left_out(argument) else ''}")
                    documented.append(self.documentation(argument))
                case Role.COUNT if self._is_told(argument):
                    parameters.append(f"{name}: int | None = None")
                    documented.append(f"`{name}`: {argument.doc}; None: all.")
                case Role.COUNT:
                    parameters.append(f"{name}: int")
                    documented.append(f"`{name}`: {argument.doc}.")
                case Role.VALUE:
                    parameters.append(f"{name}: Any")
                    documented.append(self.documentation(argument))
                case Role.BITS:
                    parameters += ["begin_bit: int | None = None", "end_bit: int | None = None"]
                    documented.append(
                        "`begin_bit`, `end_bit`: which bits of the keys are compared, from 0, the lowest."
                    )
                case Role.STATE:
                    parameters.append(f"{name}: OperatorLike | None = None")
                    documented.append(
                        f"`{name}`: the operator that it was built for, or an `Operator` with the state of this call."
                    )
        for name, meaning in self.python.hints.items():
            parameters.append(f"{name}: int | None = None")
            documented.append(f"`{name}`: {meaning}.")
        parameters.append("stream: Stream | IsStreamType | None = None")
        storage = "`temp_storage=None` does nothing and returns the bytes of temporary storage that the call needs."
        if not self.python.takes_storage:
            storage = "It needs no temporary storage."
        elif not self._has_storage:
            storage = "It needs no temporary storage: `temp_storage=None` does nothing and returns 0, `POOL` runs."
        doc = docstring(
            "        ",
            " ".join(self.algorithm.call_docs) if self._init_is_optional else self.algorithm.call_docs[-1],
            " ".join(documented),
            f"{storage} Asynchronous, in `stream`'s order.",
        )
        return [
            *call_lines("    def __call__(", ["self", "*", *parameters], f") -> {self._returned}:"),
            *doc,
            *(f"        {line}" for line in self._body()),
        ]

    def _body(self) -> list[str]:
        words = f'"{self.algorithm.calling}"'
        if self.algorithm.between:
            lines = self._between()
        else:
            lines = self._unbuffered("buffers")
        lines.append("call_stream = self._call_stream(stream)")
        for each in self.inputs:
            lines.append(
                f"{self.variable(each.name)} = as_iterator({self.of(each.name)}, call_stream, on_host=self._on_host)"
            )
        needed = [each for each in self.reads if not each.optional]
        for each in needed:
            assert each.memory
            name, kept = self.of(each.name), f"self._{each.memory.of}_dtype"
            # Checked inline: another function call would cost as much as the check.
            read = [name, "on_host=self._on_host", "stream=call_stream"]
            lines += call_lines(f"{each.name}, {each.name}_size, {each.name}_dtype = elements_of(", read)
            lines += [f"if {each.name}_dtype != {kept}:", f'    require_type("{name}", {each.name}_dtype, {kept})']
        for each in self.counts:
            lines += self._count(each, needed)
        outputs = [each.memory for each in self.memory if each.memory and not each.memory.is_read]
        sums = {each.count for each in outputs if " + " in each.count}
        lines += [f"together = {each}" for each in sorted(sums)]
        if self._has_storage:
            lines.append(f"storage = self._storage(temp_storage, {self.count})")
            lines += ["if storage is None:", f"    return self.temp_storage_bytes({self.count})"]
        elif self.python.takes_storage:
            lines += ["if temp_storage is None:", "    return 0"]
        if self._init_is_optional:
            assert self.init
            name = self.of(self.init.name)
            lines.append(f"if self._takes_init == ({name} is None):")
            lines.append(f'    raise require_init("{name}", is_needed=self._takes_init)')
        if self._takes_address:
            assert self.init
            name = self.of(self.init.name)
            lines.append(f"init, init_address = self._initial({name}, self._accumulator_dtype, call_stream)")
        for index, state in enumerate(self.algorithm.of(Role.STATE)):
            lines.append(f"{_OPERATORS[index]} = self._operators[{index}].of_call({self.of(state.name)})")
        counted = [each for each in self.memory if each.memory and each.memory.of == "uint64"]
        for each in counted:
            name = self.of(each.name)
            written = [other for other in self.memory if other.memory and not other.memory.is_read]
            others = [self.of(other.name) for other in written if other.memory and other.memory.of != "uint64"]
            assert each.memory
            read = [name, self.count, "call_stream", f'"{name}"', "on_host=self._on_host"]
            read.append(f"apart_from=({', '.join(others)}{',' if len(others) == 1 else ''})")
            read += [f"number={each.memory.count}"] if each.memory.count else []
            lines += call_lines(f"{each.name} = SelectedCount(", read)
        arguments = [f"self._open_native({words})", f"native_stream(call_stream, {words})"]
        for argument in self.algorithm.call_arguments:
            arguments += self._argument(argument, words)
        lasting = [f"{self.variable(each.name)}._lasting" for each in self.inputs]
        kept = f"({', '.join(lasting)}{',' if len(lasting) == 1 else ''})"
        arguments = [kept, f"_cuprum.{self.algorithm.call.name}", *arguments]
        lines += ["_cuprum.run(", *(f"    {each}," for each in arguments), ")"]
        lines += [f"{each.name}.deliver()" for each in counted]
        if self.python.double_buffer and not self.algorithm.between:
            lines += ["for buffer in buffers:", "    buffer.selector = 1 - buffer.selector"]
        if self.python.takes_storage:
            lines.append("return storage[1]" if self._has_storage else "return 0")
        return lines

    def _between(self) -> list[str]:
        keys, _, values, _ = memory = [
            self.of(name) for name in ("keys_in", "keys_target", "values_in", "values_target")
        ]
        given = ["self", "temp_storage", f"({', '.join(memory)})", "num_items", "begin_bit", "end_bit", "stream"]
        return [
            f"if is_double_buffer({keys}, {values}):",
            *call_lines("    return sort_between(", given, ")", width=112),
        ]

    def _count(self, count: Argument, needed: list[Argument]) -> list[str]:
        variable, name = count.name, self.of(count.name)
        inputs = [self.variable(each.name) for each in self.inputs if self.algorithm.count_of(each.name) == count.name]
        if inputs:
            named = [] if name == "num_items" else [f'name="{name}"']
            return [f"{variable} = item_count({', '.join([name, *inputs, *named])})"]
        counted = [each for each in needed if each.memory and each.memory.count in (count.name, f"{count.name} + 1")]
        if not counted:
            return [] if variable == name else [f"{variable} = {name}"]
        what = {"num_items": "elements"}.get(name, name.removeprefix("num_"))
        more = {each.name: " + 1" if each.memory and " + 1" in each.memory.count else "" for each in counted}
        first = f"{counted[0].name}_size{more[counted[0].name].replace('+', '-')}"
        lines = [f"{variable} = {first} if {name} is None else {name}"]
        for each in counted:
            needed_here = f"{variable}{more[each.name]}"
            lines.append(f"if {needed_here} > {each.name}_size:")
            lines.append(f'    raise too_few("{what}", {needed_here}, "{self.of(each.name)}", {each.name}_size)')
        return lines

    def _argument(self, argument: Argument, words: str) -> list[str]:
        name = self.of(argument.name)
        match argument.role:
            case Role.INPUT:
                return [f"{self.variable(argument.name)}._open_native({words})"]
            case Role.MEMORY:
                return [self._address(argument)]
            case Role.COUNT:
                return [argument.name]
            case Role.VALUE:
                return [f'host_value("{name}", {name}, self._{argument.of}_dtype)']
            case Role.INIT:
                if self._takes_address:
                    return ["init"]
                value = f"np.asarray({name}, dtype=self._accumulator_dtype).tobytes()"
                return [f'{value} if self._takes_init else b""' if argument.optional else value]
            case Role.INIT_ADDRESS:
                return ["init_address"]
            case Role.BITS:
                return ["*key_bits(begin_bit, end_bit)"]
            case Role.STATE:
                return [f"operator_handle({_OPERATORS[self.algorithm.of(Role.STATE).index(argument)]})"]
            case Role.STORAGE:
                return ["*storage"]
            case Role.ABSENT:
                return ["0"]
            case Role.OUTPUT:
                return []  # with its memory
        raise NotImplementedError(argument.role)

    def _address(self, argument: Argument) -> str:
        memory, name = argument.memory, self.of(argument.name)
        assert memory
        if argument in self.reads and not argument.optional:
            return argument.name
        if memory.of == "uint64":
            return f"{argument.name}.address"
        dtypes = {"indexed": "self.result_dtype", "bool": "np.dtype(np.bool_)"}
        dtype = dtypes.get(memory.of, f"self._{memory.of}_dtype")
        values = [name, dtype, "together" if " + " in memory.count else memory.count or "1", f'"{name}"', "call_stream"]
        if argument.name in self.algorithm.outputs:
            return f"*self._output({', '.join(values)})"
        values += ["writable=False"] if memory.is_read else []
        return f"self._{'optional_' if argument.optional else ''}elements({', '.join(values)})"


class _Functions(_Names):
    """make_<name>, and <name>."""

    def __init__(self, algorithm: Algorithm, function: PythonFunction, selection: OneShot | None) -> None:
        super().__init__(algorithm)
        self._function = function
        self._selection = selection
        self._needs_init = self.init is not None and (
            not self.init.optional or (bool(function.fixed) and not function.with_init)
        )

    def texts(self) -> list[str]:
        texts = ["\n".join(self._make()) + "\n"]
        if self._selection:
            texts += ["\n".join(self._selected()) + "\n"]
        return [*texts, "\n".join(self._in_one_call()) + "\n"]

    def _operator_parameters(self) -> list[str]:
        defaults = [self.python.of_operator(index)[2] for index in range(len(self.operators))]
        rests = [f" | None = OpKind.{default.upper()}" if default else "" for default in defaults]
        return [f"{self.of(each.name)}: OperatorLike{rest}" for each, rest in zip(self.operators, rests, strict=True)]

    @property
    def _is_built_with_init(self) -> bool:
        """Whether what is built depends on the initial value: on its type, or on whether there is one."""
        return bool(self.init and (self.init.optional or "init" in self.python.types.get("accumulator", ())))

    def _init_parameter(self) -> list[str]:
        if not self.init:
            return []
        return [f"{self.of(self.init.name)}: Any{'' if self._needs_init else ' = None'}"]

    def _determinism_parameter(self) -> list[str]:
        return ["determinism: Determinism = Determinism.RUN_TO_RUN"] if self.python.determinism else []

    def _enumerators(self) -> list[Argument]:
        """Those that the caller gives."""
        arguments = [each for each in self.algorithm.build_arguments if each.role == Role.ENUMERATOR]
        return [each for each in arguments if each.name not in self._function.fixed]

    def _enumerator_parameters(self) -> list[str]:
        type_ = "SortOrder | str" if self.algorithm.by_fields else "SortOrder"
        return [f"{each.name}: {type_} = SortOrder.ASCENDING" for each in self._enumerators()]

    # Building.

    def _make(self) -> list[str]:
        python = self.python
        parameters = [f"{self.of(each.name)}: Any" for each in self.inputs]
        needed = {rules[0] for rules in python.types.values() if len(rules) == 1}
        for each in self.memory:
            is_needed = not each.optional and (each in self.reads or each.name in needed)
            parameters.append(f"{self.of(each.name)}: Any{'' if is_needed else ' = None'}")
        parameters += self._operator_parameters()
        parameters += [*self._enumerator_parameters(), *(self._init_parameter() if self._is_built_with_init else [])]
        parameters += self._determinism_parameter()
        parameters += ["compute_capability: Any = None", 'execution: ExecutionLike = "device"']
        documented = []
        for each in self.algorithm.build_arguments:
            if each.role == Role.OPERATOR or each in self._enumerators():
                documented.append(self.documentation(each))
        if self.algorithm.by_fields:
            documented.append(
                "In its place, as text, some fields of structs, that which counts most first, each in its own order: "
                '`"age, -place.x"`.'
            )
        if self.init and self._is_built_with_init:
            documented.append(
                f"The results are of `{self.of(self.init.name)}`'s type, or of the elements' for Python's own numbers."
            )
        meaning = self._function.doc if len(python.functions) > 1 else ""
        return [
            *call_lines(f"def make_{self._function.name}(", ["*", *parameters], f") -> {python.class_name}:"),
            *docstring("    ", self.algorithm.build_docs[-1], meaning, " ".join([*documented, _BUILT])),
            *(f"    {line}" for line in self._build()),
        ]

    def _build(self) -> list[str]:
        words, python = f'"{self.algorithm.building}"', self.python
        lines = [*self._unbuffered("_")]
        lines += [
            f"{self.variable(each.name)} = as_iterator({self.of(each.name)}, on_host=is_host(execution))"
            for each in self.inputs
        ]
        for name, rules in python.types.items():
            lines += self._dtype(name, rules)
        made: list[str] = []
        for index, each in enumerate(self.operators):
            variable, given = _OPERATORS[index], self.of(each.name)
            operands, result, default_op = python.of_operator(index)
            if default_op:
                lines += [f"if {given} is None:", f"    {given} = OpKind.{default_op.upper()}"]
            types = [f"[{', '.join(self._as_dtype(each) for each in operands)}]", self._as_dtype(result)]
            lines.append(f"{variable}, _ = as_operator({', '.join([given, *types])})")
            made.append(f"BuiltOperator({', '.join([variable, given, *types])})")
        arguments = []
        for argument in self.algorithm.build_arguments:
            name = argument.name
            match argument.role:
                case Role.EXECUTION:
                    required = ", determinism" if python.determinism else ""
                    arguments.append(f"*native_execution(execution, compute_capability{required})")
                case Role.ENUMERATOR:
                    arguments.append(self._enumerator(name))
                case Role.INPUT:
                    arguments.append(f"{self.variable(name)}._open_native({words})")
                case Role.OPERATOR:
                    arguments.append(f"{_OPERATORS[self.operators.index(argument)]}._open_native({words})")
                case Role.TYPE:
                    value = f"type_text({name})"
                    arguments.append(f"None if {name} is None else {value}" if argument.optional else value)
                case Role.OUTPUT:
                    memory = name.removesuffix(OUTPUT_SUFFIX)
                    of = next(each.memory.of for each in self.memory if each.memory and each.name == memory)
                    values = [self.of(memory), self._as_dtype(of), "on_host=is_host(execution)"]
                    arguments.append(f"built_output({', '.join(values)})")
        build = f"_cuprum.{self.algorithm.build.name}"
        if by_fields := self.algorithm.by_fields:
            (order,) = (each.name for each in self._enumerators())
            arguments[arguments.index(f"int({order})")] = "way"
            lines += [
                "build: Any",
                "way: Any",
                f"if isinstance({order}, str):",
                f"    build, way = _cuprum.{by_fields.name}, {order}",
                "else:",
                f"    build, way = {build}, int({order})",
            ]
            build = "build"
        lines += [f"native = {build}(", *(f"    {each}," for each in arguments), ")"]
        make = f"algorithm: {python.class_name} = {python.class_name}._make("
        lines += call_lines(make, ["native", "execution", *made])
        for name in self.kept_types:
            lines.append(f"algorithm._{name}_dtype = {self._as_dtype(name)}")
        if self.init and self.init.optional:
            lines.append(f"algorithm._takes_init = {self.of(self.init.name)} is not None")
        if self.gives_indexed:
            fields = '[("index", np.int64), ("value", elements.dtype)]'
            lines.append(f"algorithm.result_dtype = np.dtype({fields}, align=True)")
        return [*lines, "return algorithm"]

    def _as_dtype(self, name: str) -> str:
        if name == "bool":
            return "np.bool_"
        return f"{self.variable(name)}.dtype" if any(each.name == name for each in self.inputs) else name

    def _dtype(self, name: str, rules: list[str]) -> list[str]:
        """The statements that say what the type of the build function is."""
        if self.is_optional_type(name):
            given = self.of(rules[0])
            return [f"{name} = None if {given} is None else dtype_of({given}, on_host=is_host(execution))"]
        if len(rules) == 1 or (rules[0] == "init" and self._needs_init):
            lines = [f"{name} = {self._dtype_of(rules[0])}"]
        else:
            lines = []
            for rule in rules[:-1]:
                is_given = f"{self.of(rule)} is not None"
                if rule in self.algorithm.outputs:
                    is_given = f"has_type({self.of(rule)})"
                lines.append(f"{'elif' if lines else 'if'} {is_given}:")
                lines.append(f"    {name} = {self._dtype_of(rule)}")
            lines += ["else:", f"    {name} = {self._dtype_of(rules[-1])}"]
        for each in self.reads:
            if each.memory and each.memory.of == name and not each.optional and each.name != rules[0]:
                one, other = self.of(rules[0]), self.of(each.name)
                lines += [
                    f"{each.name} = dtype_of({other}, on_host=is_host(execution))",
                    f"if {each.name} != {name}:",
                    f'    raise TypeError(f"{one} has elements of {{{name}}}, and {other} of {{{each.name}}}")',
                ]
        return lines

    def _dtype_of(self, rule: str) -> str:
        if rule == "init":
            elements = f"{self.variable(self.inputs[0].name)}.dtype"
            if self.algorithm.has(Role.INIT_ADDRESS):
                return f"accumulator_dtype({self.of(rule)}, {elements}, on_host=is_host(execution))"
            return f"initial_value({self.of(rule)}, {elements}).dtype"
        if any(each.name == rule for each in self.inputs):
            return f"{self.variable(rule)}.dtype"
        return f"dtype_of({self.of(rule)}, on_host=is_host(execution))"

    def _enumerator(self, name: str) -> str:
        function = self._function
        if name not in function.fixed:
            return f"int({name})"
        value = f"_cuprum.{function.fixed[name]}"
        if name not in function.with_init:
            return value
        assert self.init
        return f"{value} if {self.of(self.init.name)} is None else _cuprum.{function.with_init[name]}"

    # In one call.

    def _in_one_call(self) -> list[str]:
        name = self._function.name
        arrays = [*self.inputs, *self.memory]
        parameters = [f"{self.of(each.name)}: Any{' = None' if self._may_be_left_out(each) else ''}" for each in arrays]
        operator = self._operator_parameters()
        rest = [f"{self.of(each.name)}: Any" for each in self.algorithm.of(Role.VALUE)]
        rest += [*self._enumerator_parameters(), *self._init_parameter(), *self._determinism_parameter()]
        rest += [f"{self.of(each.name)}: int{' | None = None' * self._is_told(each)}" for each in self.counts]
        rest += ["begin_bit: int | None = None", "end_bit: int | None = None"] if self.algorithm.has(Role.BITS) else []
        rest += [f"{name}: int | None = None" for name in self.python.hints]
        rest += ["stream: Stream | IsStreamType | None = None", 'execution: ExecutionLike = "device"']
        first = self._function.doc or self.algorithm.call_docs[-1]
        hints = [f"`{name}`: {doc}." for name, doc in self.python.hints.items()]
        documented = " ".join([*(self.documentation(each) for each in self.memory), *hints])
        if not self._selection:
            return [
                *call_lines(f"def {name}(", ["*", *parameters, *operator, *rest], ") -> None:"),
                *docstring("    ", first, documented, _RUN),
                *(f"    {line}" for line in self._built_and_called()),
            ]
        data = list(self._selection.python)
        positional_init = self._selection.python_results and self._needs_init
        given = [f"{each}: Any" for each in [*data, *self._positional_numbers]]
        if positional_init:
            given += self._init_parameter()
        if self._selection.python_results:
            rest = [each for each in rest if each.split(":")[0] not in {one.split(":")[0] for one in given}]
        required_of_both = [each.split(":")[0] for each in given[len(data) :]]
        keywords = [*parameters, *given[len(data) :]]
        data = [each.split(":")[0] for each in given]
        free = [each if each.endswith("= None") else f"{each} = None" for each in (*given, *parameters)]
        loose = [each if " = " in each else each + " | None = None" for each in operator]
        selection = self._selection
        returned = "bool" if selection.compares else "Any"
        if selection.python_results:
            returned = "tuple[Any, Any]" if len(selection.python_results) > 1 else "Any"
        elif self._keeps_all:
            returned = "tuple[Any, int]"
        elif not selection.compares and len(self._outputs) > 1:
            returned = f"tuple[{', '.join(['Any'] * len(self._outputs))}]"
        required = {
            self.of(each.name): each.name.replace("_", " ")
            for index, each in enumerate(self.operators)
            if not self.python.of_operator(index)[2]
        }
        lines = [
            "@overload",
            *call_lines(f"def {name}(", [*given, *operator, "*", *self._named(rest)], f") -> {returned}: ..."),
            "@overload",
            *call_lines(f"def {name}(", ["*", *keywords, *operator, *rest], ") -> None: ..."),
            *call_lines(f"def {name}(", [*free[: len(data)], *loose, "*", *free[len(data) :], *rest], ") -> Any:"),
        ]
        positional = ", ".join([*data, *required])
        what, given_back = self._returned(data)
        lines += docstring(
            "    ",
            first,
            f"`{name}({positional})` returns {what}: {given_back}. "
            f"With `cuda.compute`'s names it writes to its outputs. {documented}",
            _RUN,
        )
        for each in required_of_both:
            lines.append(f"    if {each} is None:")
            lines += _type_error("        ", f"{name}() needs {each}: {name}({positional})")
        for each, kind in required.items():
            noun = {"op": "an operator"}.get(kind, f"a {kind}")
            lines.append(f"    if {each} is None:")
            form = f"{name}({positional}), or {each}= beside {self.of(self.inputs[0].name)}="
            lines += _type_error("        ", f"{name}() needs {noun}: {form}")
        for index, argument in enumerate(self.operators):
            if default := self.python.of_operator(index)[2]:
                name_of_op = self.of(argument.name)
                lines += [f"    if {name_of_op} is None:", f"        {name_of_op} = OpKind.{default.upper()}"]
        inputs = [self.of(each.name) for each in self.inputs or self.reads if not each.optional]
        lines.append(f"    if {inputs[0]} is None:")
        arrays_given = list(selection.python)
        lines.append(f"        if {' or '.join(f'{each} is None' for each in arrays_given)}:")
        form = f"{' and '.join(arrays_given)}, or {' and '.join(f'{each}=' for each in inputs)} with their outputs"
        lines += _type_error("            ", f"{name}() takes {form}")
        values = [*data, *self._named_init, *(self.of(each.name) for each in self.operators)]
        values += [*(each.name for each in self._enumerators() if selection.python_results), "execution"]
        lines += [f"        {each}" for each in call_lines(f"return _{name}_of_data(", values, width=112)]
        return [*lines, *(f"    {line}" for line in self._built_and_called()), "    return None"]

    def _returned(self, data: list[str]) -> tuple[str, str]:
        """What a call over `data` returns, and as what, for its documentation."""
        selection = self._selection
        assert selection
        arrays = "of host data as arrays of one dimension, of arrays on the device as `DeviceArray`"
        if selection.finds:
            return "it", "-1 if there is none"
        if selection.compares:
            return "whether it is so", "False where there are not as many in both"
        if len(selection.python_results) == 1:
            return "the result", "of host data as an array of one dimension, of arrays on the device as a `DeviceArray`"
        if self._keeps_all:
            return "all of them and how many are in the first part", arrays
        if selection.python_results:
            return "them", arrays
        return {1: "them", 2: "both"}.get(len(self._outputs), "the three parts"), arrays

    @property
    def _positional_numbers(self) -> list[str]:
        """Of calls that return results: how many there are, where nothing else says so."""
        if self._selection is None or not self._selection.python_results:
            return []
        return [self.of(each.name) for each in self.counts if not self._is_told(each)]

    @property
    def _named_init(self) -> list[str]:
        """An initial value that may be left out."""
        if self._selection is None or not self._selection.python_results or self._needs_init or not self.init:
            return []
        return [self.of(self.init.name)]

    def _named(self, rest: list[str]) -> list[str]:
        """What calls over data take by name."""
        of_results = self._selection is not None and bool(self._selection.python_results)
        enumerators = self._enumerator_parameters() if of_results else []
        return [*(f"{each}: Any = None" for each in self._named_init), *enumerators, rest[-1]]

    def _array_call(self, call: OneShot) -> ArrayCall:
        given = [*self.inputs, *(each for each in self.reads if not each.optional)]
        operators = []
        for index, each in enumerate(self.operators):
            operands, result, _ = self.python.of_operator(index)
            operators.append(GivenOperator(self.of(each.name), each.name, operands, result))
        return ArrayCall(
            name=self._function.name,
            call=call,
            inputs={self.of(each.name): each.name for each in given},
            memory=frozenset(self.of(each.name) for each in self.reads),
            numbers=tuple(self._positional_numbers),
            enumerators=tuple(each.name for each in self._enumerators()),
            init=self.of(self.init.name) if self.init and (self._needs_init or self._named_init) else "",
            operators=tuple(operators),
            partial=frozenset(self.of(each.name) for each in self.memory if each.memory and each.memory.is_partial),
            enumerator=self._enumerator,
        )

    def _built_and_called(self) -> list[str]:
        function = self._function
        arrays = [self.of(each.name) for each in (*self.inputs, *self.memory)]
        typed = {name for rules in self.python.types.values() for name in rules}
        typed |= {*self.algorithm.outputs}
        built = [*self.inputs, *(each for each in self.memory if each in self.reads or each.name in typed)]
        given = [self.of(each.name) for each in built]
        given += [self.of(each.name) for each in self.operators]
        given += [each.name for each in self._enumerators()]
        called = [*arrays, *(self.of(each.name) for each in (*self.algorithm.of(Role.VALUE), *self.counts))]
        called += ["begin_bit", "end_bit"] if self.algorithm.has(Role.BITS) else []
        called += self.python.hints
        if self.init:
            given += [self.of(self.init.name)] if self._is_built_with_init else []
            called.append(self.of(self.init.name))
        given += ["determinism"] if self.python.determinism else []
        # Both are indented once more where they are put.
        given_by_name = [f"{each}={each}" for each in [*given, "execution"]]
        build = call_lines(f"with make_{function.name}(", given_by_name, ") as algorithm:", width=116)
        storage = ["temp_storage=POOL"] if self.python.takes_storage else []
        call = call_lines("    algorithm(", [*storage, *(f"{each}={each}" for each in [*called, "stream"])], width=116)
        return [*build, *call]

    @property
    def _outputs(self) -> list[Argument]:
        """What elements are written to."""
        of = ("uint64", "bool")
        return [each for each in self.memory if each.memory and not each.memory.is_read and each.memory.of not in of]

    @property
    def _extra_outputs(self) -> list[Argument]:
        """Of those, the ones that get what was not read: numbers."""
        if self._selection is None or self._selection.finds or self._selection.python_results:
            return []
        # Where C is given all outputs beside what it reads, none of them is what was read.
        has_own = any(each.role == ArrayRole.RESULT and each.name != "result" for each in self._native)
        return self._outputs if has_own else self._outputs[len(self.inputs) :]

    @property
    def _native(self) -> list[ArrayArgument]:
        """What the function of the C ABI takes, for calls over data."""
        assert self._selection
        return arguments(self._selection.call)

    @property
    def _has_parts(self) -> bool:
        """Whether each output gets a part of the one input."""
        return len(self._outputs) > 1 and {each.memory.of for each in self._outputs if each.memory} == {"input"}

    @property
    def _keeps_all(self) -> bool:
        """Whether all elements are written, and not some of them."""
        selection = self._selection
        if selection is None or selection.finds or selection.compares or selection.python_results:
            return False
        return not any(each.memory and each.memory.is_partial for each in self._outputs)

    def _selected(self) -> list[str]:
        """What the function does with data that is not given under cuda.compute's names."""
        assert self._selection
        if self._selection.python_results:
            return self._array_call(self._selection).lines()
        call, words = self._selection, f'"{self._selection.calling}"'
        data = list(call.python)
        takes_result = any(each.name == "result" for each in call.call.parameters)
        read = [each for each in self._native if each.role in (ArrayRole.READ, ArrayRole.IN_PLACE)]
        in_place = [name for name, each in zip(data, read, strict=False) if each.role == ArrayRole.IN_PLACE]
        operators = [self.of(each.name) for each in self.operators]
        lines = call_lines(
            f"def _{self._function.name}_of_data(",
            [
                *(f"{each}: Any" for each in data),
                *(f"{each}: OperatorLike" for each in operators),
                "execution: ExecutionLike",
            ],
            ") -> Any:",
        )
        lines.append(f"    if {' or '.join(f'is_in_place({each}, execution)' for each in data)}:")
        function, given = self._on_device(words, data, operators)
        lines += call_lines(f"        return {function}(", given)
        for each in data:
            lines.append(f"    host_{each} = {'host_copy' if each in in_place else 'host_array'}({each})")
        elements = {each.name: f"host_{name}.dtype" for each, name in zip(self.inputs, data, strict=True)}
        for output, name in zip(self._outputs, data, strict=False):
            if output.memory:
                elements.setdefault(output.memory.of, f"host_{name}.dtype")
        elements["bool"] = "np.bool_"
        for index, given_op in enumerate(operators):
            operands, result, _ = self.python.of_operator(index)
            types = ", ".join(elements[each] for each in operands)
            lines.append(f"    {_OPERATORS[index]}, _ = as_operator({given_op}, [{types}], {elements[result]})")
        if takes_result:
            lines.append(f"    selected = np.empty(host_{data[0]}.size, host_{data[0]}.dtype)")
        extra = [f"host_{each.name.removesuffix('_target')}" for each in self._extra_outputs if not self._has_parts]
        lines += [f"    {each} = np.empty(host_{data[0]}.size, np.int64)" for each in extra]
        begin, end = "first, second = " if self._has_parts else "count = ", ")"
        if call.finds or call.compares:
            begin, end = ("return bool(", "))") if call.compares else ("return ", ")")
        arguments = self._native_arguments(words, data)
        lines += [f"    {begin}_cuprum.{call.call.name}(", *(f"        {each}," for each in arguments), f"    {end}"]
        if call.finds or call.compares:
            return lines
        if self._keeps_all:
            return [*lines, f"    return host_{data[0]}, count"]
        if self._has_parts:
            every, ends = f"host_{data[0]}", "first + second"
            return [*lines, f"    return {every}[:first], {every}[first : {ends}], {every}[{ends} :]"]
        kept = [f"{each}[:count]" for each in [*(f"host_{name}" for name in in_place), *extra]]
        return [*lines, f"    return {'selected[:count]' if takes_result else ', '.join(kept)}"]

    def _on_device(self, words: str, data: list[str], operators: list[str]) -> tuple[str, list[str]]:
        """What is called for arrays on the device, and with what."""
        assert self._selection
        given = [f"{each}={each}" for each in operators]
        make = f"make_{self._function.name}"
        if self._selection.finds:
            return "found_on_device", [words, make, *data, *given]
        if self._selection.compares:
            return "compared_on_device", [words, make, *data, *given]
        number = next(self.of(each.name) for each in self.memory if each.memory and each.memory.of == "uint64")
        if self._has_parts:
            parts = ", ".join(f'"{self.of(each.name)}"' for each in self._outputs)
            return "parted_on_device", [words, make, data[0], f"({parts})", f'"{number}"', *given]
        arrays = ", ".join(f'"{each}": {each}' for each in data)
        extra = [self.of(each.name) for each in self._extra_outputs]
        outputs = [self.of(each.name) for each in self._outputs if self.of(each.name) not in extra]
        pairs = itertools.zip_longest(self.inputs, outputs)
        inputs = ", ".join(
            f'"{self.of(each.name)}": ' + (f'"{output}"' if output else "None") for each, output in pairs
        )
        values = [words, make, f"{{{arrays}}}", f"{{{inputs}}}", f'"{number}"']
        listed = ", ".join(f'"{each}"' for each in extra)
        values += [f"numbers=({listed}{',' * (len(extra) == 1)})"] if extra else []
        values += ["keeps_all=True"] if self._keeps_all else []
        return "selected_on_device", [*values, *given]

    def _native_arguments(self, words: str, data: list[str]) -> list[str]:
        """Of the function of the C ABI, for host arrays."""
        assert self._selection
        names = {"data": data[0], "type": data[0], "second": data[-1], "keys": data[0], "positions": "offsets"}
        arguments = []
        for parameter in self._selection.call.parameters:
            name = parameter.name
            base = name.removesuffix("_type").removesuffix("_target")
            of = f"host_{names.get(base, base)}"
            if name == "execution":
                arguments.append("*native_execution(execution)")
            elif parameter.type == "cuprum_parallel_operator":
                variable = _OPERATORS[[each.name for each in self.operators].index(name)]
                arguments.append(f"{variable}._open_native({words})")
            elif name == "result":
                arguments.append("host_bytes(selected)")
            elif name.endswith("type"):
                arguments.append(f"type_text({of}.dtype)")
            elif not name.endswith(("_size", "_out")):
                arguments.append(f"host_bytes({of})")
        return arguments
