"""C#'s classes of the algorithms, Cuprum.Reduce<T> and the like, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

import dataclasses

import double_buffer_calls
import field_sorts
import nary_calls
from algorithms import OUTPUT_SUFFIX, Algorithm, Argument, Role, camel_case
from managed_text import FIRST_LINE, Layout, csharp_comment, forms

_LAYOUT = Layout(continuation="    ", width=120)
#: Of what up to two `using` statements stand around.
_INNER = Layout(continuation="    ", width=112)
_SPANS = "#if NETSTANDARD2_1_OR_GREATER || NETCOREAPP || CUPRUM_SPAN"


def source(algorithm: Algorithm) -> str:
    """The whole file."""
    lines = [FIRST_LINE, "using System;", "using Cuprum.Native;", "", "namespace Cuprum {", ""]
    optional_types = any(each.optional for each in algorithm.build_arguments if each.role == Role.TYPE)
    for with_optional in [False, True] if optional_types else [False]:
        lines += _Class(algorithm, with_optional, optional_types).lines()
    return "\n".join([*lines, "}"]) + "\n"


@dataclasses.dataclass(frozen=True)
class _Class:
    """The class; or one of two, without and with the types that may be left out."""

    algorithm: Algorithm
    with_optional: bool
    has_two: bool

    def lines(self) -> list[str]:
        algorithm = self.algorithm
        parameters = list(dict.fromkeys(name for of, name in algorithm.types.items() if self._has_type(of)))
        constraints = " ".join(f"where {name} : struct" for name in parameters)
        summary = algorithm.summary
        if self.with_optional:
            summary = f"{algorithm.name} of keys, with values that move with them. {summary}"
        head = f"public sealed class {algorithm.name}<{', '.join(parameters)}> : Algorithm"
        head = f"{head} {constraints} {{" if len(f"{head} {constraints} {{") <= 120 else f"{head}\n    {constraints} {{"
        return [
            *csharp_comment("", summary, []),
            *_type_parameters(algorithm, parameters),
            head,
            f'    private const string Operation = "{algorithm.calling}";',
            *(f"    private readonly ulong {camel_case(name)};" for name in algorithm.kept_numbers),
            *self._constructors(),
            *field_sorts.csharp(algorithm, has_values=self.with_optional),
            *(line for form in self._forms() for line in self._call_in_a_stream(form)),
            *(line for form in self._forms_through() for line in self._call_in_a_stream(form, through=True)),
            *(line for form in self._forms() for line in self._calls_on_the_host(form)),
            *(line for form in self._forms_through() for line in self._call_through_on_the_host(form)),
            *double_buffer_calls.csharp(algorithm, has_values=self.with_optional),
            *nary_calls.csharp(algorithm),
            "}",
            "",
        ]

    def _has_type(self, of: str) -> bool:
        optional = {each.name for each in self.algorithm.build_arguments if each.role == Role.TYPE and each.optional}
        return self.with_optional or of not in optional

    def _forms(self) -> list[list[Argument]]:
        """The parameters of each overload, but for the state and the storage of a call."""
        left_out = {Role.ABSENT, Role.STATE, Role.STORAGE, Role.INIT_ADDRESS, Role.OUTPUT}
        everything = [each for each in self.algorithm.call_arguments if each.role not in left_out]
        if self.has_two:
            return [[each for each in everything if not each.memory or self._has_type(each.memory.of)]]
        return forms(everything)

    def _forms_through(self) -> list[list[Argument]]:
        """The same with iterators as outputs."""
        return self._forms() if self.algorithm.outputs else []

    def _type(self, argument: Argument) -> str:
        assert argument.memory
        match argument.memory.of:
            case "uint64":
                return "ulong"
            case "bool":
                return "bool"
            case "indexed":
                return f"Indexed<{self.algorithm.types['input']}>"
            case of:
                return self.algorithm.types[of]

    def _sentence(self, sentences: tuple[str, ...], is_whole: bool) -> str:
        return sentences[-1 if is_whole or self.with_optional else 0]

    def _name(self, argument: Argument, form: list[Argument]) -> str:
        is_alone = any(each not in form for each in self.algorithm.of(Role.INPUT))
        return camel_case(self.algorithm.alone.get(argument.name, argument.name) if is_alone else argument.name)

    # Constructors.

    def _constructors(self) -> list[str]:
        arguments = [each for each in self.algorithm.build_arguments if each.role != Role.TYPE]
        arguments.sort(key=lambda each: each.role != Role.EXECUTION)
        outputs = [each for each in arguments if each.role == Role.OUTPUT]
        others = [each for each in arguments if each.role not in (Role.EXECUTION, Role.OUTPUT)]
        optional = [each for each in others if each.optional]
        has_optional = bool(optional)
        choices = [(alone, False) for alone in ([True, False] if optional else [False])]
        choices += [(alone, True) for alone, _ in choices] if outputs else []
        lines: list[str] = []
        for alone, through in choices:
            present = [each for each in arguments if not (alone and each in optional)]
            present = [each for each in present if through or each not in outputs]
            names = {each: self.algorithm.alone.get(each.name, each.name) if alone else each.name for each in arguments}
            names |= {each: _output(each) for each in outputs}
            docs = [(camel_case(names[each]), _build_doc(each)) for each in present]
            parameters = [f"{self._build_type(each)} {camel_case(names[each])}" for each in present]
            sentence = self._sentence(self.algorithm.build_docs, has_optional and not alone)
            lines += ["", *csharp_comment("    ", sentence, docs)]
            lines += _LAYOUT.call(f"    public {self.algorithm.name}(", parameters, ")")
            if alone or (outputs and not through):
                given = [camel_case(names[each]) if each in present else "null" for each in arguments]
                lines.append(f"        : this({', '.join(given)}) {{}}")
            else:
                lines += self._build()
        return lines

    def _build_type(self, argument: Argument) -> str:
        match argument.role:
            case Role.EXECUTION:
                return "Execution"
            case Role.ENUMERATOR:
                return self.algorithm.enums[argument.name]
            case Role.INPUT | Role.OUTPUT:
                return "ElementIterator"
            case Role.NUMBER:
                return "int"
        return "Operator"

    def _build(self) -> list[str]:
        values = ["out built"]
        required = []
        for argument in self.algorithm.build_arguments:
            name = camel_case(argument.name)
            match argument.role:
                case Role.EXECUTION:
                    values += ["where.Kind", "where.DeviceId", "where.ArchitectureList", "(int)where.Determinism"]
                case Role.ENUMERATOR:
                    values.append(f"(int){name}")
                case Role.NUMBER:
                    values.append(name)
                case Role.TYPE:
                    type_ = self.algorithm.types[argument.name]
                    values.append(f"ElementText<{type_}>.Value" if self._has_type(argument.name) else "null")
                case Role.OUTPUT:
                    values.append(f"UseOutput({_output(argument)}, operation)")
                case _:
                    if argument.name in self.algorithm.types:
                        type_ = self.algorithm.types[argument.name]
                        required.append(f'            {name}.RequireType<{type_}>("{name}", operation);')
                    used = f"{name}.Use(operation)"
                    values.append(f"{name} == null ? NativeHandle.None : {used}" if argument.optional else used)
        return [
            "        : base(execution, where => {",
            *(
                [f'            const string operation = "{self.algorithm.building}";']
                if _uses_operation(values)
                else []
            ),
            *required,
            "            IntPtr built;",
            *_LAYOUT.call(f"            CuprumNative.{self.algorithm.build.name}(", values, ");"),
            "            return built;",
            *self._after_building(),
        ]

    def _after_building(self) -> list[str]:
        kept = [f"        this.{camel_case(name)} = (ulong){camel_case(name)};" for name in self.algorithm.kept_numbers]
        return ["        }) {", *kept, "    }"] if kept else ["        }) {}"]

    # Calls in a stream.

    def _call_in_a_stream(self, form: list[Argument], through: bool = False) -> list[str]:
        """`through`: with iterators as outputs."""
        algorithm = self.algorithm
        outputs = algorithm.outputs if through else []
        docs = [("stream", "the stream that the call goes into")]
        parameters = ["Stream stream"]
        for argument in [each for each in form if each.role != Role.BITS]:
            name = self._name(argument, form)
            docs.append((name, argument.doc))
            type_ = {Role.INPUT: "ElementIterator", Role.MEMORY: "Buffer", Role.COUNT: "ulong"}.get(argument.role)
            type_ = "ElementIterator" if argument.name in outputs else type_
            parameters.append(f"{type_ or self._value_type(argument)} {name}")
        for argument in form:
            if argument.role == Role.BITS:
                docs.append(("bits", f"{argument.doc}; by default all"))
                parameters.append("BitRange bits = default(BitRange)")
        for argument in algorithm.of(Role.STATE):
            name = camel_case(argument.name)
            docs.append((name, f"{argument.doc}; null for the one it was built with"))
            parameters.append(f"Operator {name} = null")
        if algorithm.has(Role.STORAGE):
            docs.append(("tempStorage", "at least TempStorageBytes; null for the device's stream-ordered pool"))
            parameters.append("Buffer tempStorage = null")
        values = ["Use(Operation)", "stream.Use(Operation)"]
        for argument in algorithm.call_arguments:
            name = self._name(argument, form)
            match argument.role:
                case Role.INPUT if argument in form:
                    count = camel_case(algorithm.count_of(argument.name)) or "0"
                    values.append(f"{name}.UseOnDevice(Operation, {count})")
                case Role.MEMORY if argument.name in outputs:
                    values.append("0")
                case Role.OUTPUT if through:
                    memory, count = self._written(argument)
                    values.append(f"{memory}.UseOnDevice(Operation, {count})")
                case Role.OUTPUT:
                    values.append("NativeHandle.None")
                case Role.MEMORY if argument in form:
                    count = _number(argument.memory.count) or "1" if argument.memory else ""
                    values.append(f'AddressOf<{self._type(argument)}>(Operation, "{name}", {name}, {count})')
                case Role.STATE:
                    values.append(f"Use({name}, Operation)")
                case Role.STORAGE:
                    values += ["storage.Address", "storage.Size"]
                case _:
                    values += self._plain_values(argument, form)
        before = ["        var storage = new TempStorage(tempStorage);"] if algorithm.has(Role.STORAGE) else []
        return [
            "",
            *csharp_comment("    ", self._form_sentence(form), docs),
            *_LAYOUT.call("    public void Call(", parameters, ") {"),
            *before,
            *self._with_values(form, _native_call(algorithm, values)),
            "    }",
        ]

    def _written(self, argument: Argument) -> tuple[str, str]:
        """An output that may be an iterator, and how many elements are written."""
        memory = next(each for each in self.algorithm.of(Role.MEMORY) if f"{each.name}{OUTPUT_SUFFIX}" == argument.name)
        assert memory.memory
        return camel_case(memory.name), _number(memory.memory.count) or "1"

    def _form_sentence(self, form: list[Argument]) -> str:
        return self._sentence(self.algorithm.call_docs, any(each.optional for each in form if each.role != Role.BITS))

    def _value_type(self, argument: Argument) -> str:
        type_ = "ulong" if argument.of == "uint64" else self.algorithm.types[argument.of or "accumulator"]
        return f"{type_}[]" if argument.role == Role.VALUES else type_

    def _with_values(self, form: list[Argument], lines: list[str]) -> list[str]:
        """With the values where C reads them."""
        values = [each for each in form if each.role in (Role.INIT, Role.VALUE, Role.VALUES)]
        if not values:
            return lines
        usings = []
        for place, each in enumerate(values):
            name, type_ = camel_case(each.name), self._value_type(each).removesuffix("[]")
            if each.role == Role.VALUES:
                usings.append(f"        using (var {name}Value = new PinnedValue<{type_}>({name}))")
                continue
            given = f"{name}, {place}" if place else name
            usings.append(f"        using (var {name}Value = new PinnedValue<{type_}>({given}))")
        usings[-1] += " {"
        return [*usings, *(f"    {line}" for line in lines), "        }"]

    def _plain_values(self, argument: Argument, form: list[Argument]) -> list[str]:
        match argument.role:
            case Role.INPUT:
                return ["NativeHandle.None"]
            case Role.INIT:
                return ["initValue.Address", "initValue.Size"] if argument in form else ["IntPtr.Zero", "0"]
            case Role.VALUE | Role.VALUES:
                name = camel_case(argument.name)
                return [f"{name}Value.Address", f"{name}Value.Size"]
            case Role.BITS:
                return ["bits.Begin", "bits.End"]
            case Role.ABSENT if argument.name == "op":
                return ["NativeHandle.None"]
            case Role.ABSENT | Role.INIT_ADDRESS | Role.MEMORY:
                return ["0"]
        return [camel_case(argument.name)]

    # Calls on the host's cores.

    def _calls_on_the_host(self, form: list[Argument]) -> list[str]:
        lines: list[str] = []
        if any(each.role == Role.INPUT for each in form):
            lines += self._call_over("iterators", form)
        lines += self._call_over("arrays", form)
        lines += ["", _SPANS, *self._call_over("spans", form)[1:], "#endif"]
        if any(each.role == Role.INPUT for each in form):
            lines += self._over_memory(form)
        return [*lines, *self._on_host(form)]

    def _result(self) -> str:
        return next((self._type(each) for each in self.algorithm.of(Role.MEMORY) if not _is_array(each)), "void")

    def _input_types(self, form: list[Argument]) -> dict[Argument, str]:
        inputs = [each for each in form if each.role == Role.INPUT]
        of_the_call = ["TInput"] if len(inputs) == 1 else [f"T{i + 1}" for i in range(len(inputs))]
        return {each: self.algorithm.types.get(each.name, name) for each, name in zip(inputs, of_the_call, strict=True)}

    def _generic(self, form: list[Argument]) -> tuple[str, str]:
        """What follows a method's name, and its parameters."""
        types = [type_ for each, type_ in self._input_types(form).items() if each.name not in self.algorithm.types]
        if not types:
            return "", ""
        return f"<{', '.join(types)}>", "".join(f" where {each} : struct" for each in types)

    def _count(self, form: list[Argument], name: str) -> Argument | None:
        """The memory of an array that says how many there are: elements, if the inputs are arrays too, or segments."""
        of = [each for each in form if each.memory and each.memory.count == name]
        read = [each for each in of if each.memory and each.memory.is_read]
        is_counted = any(self.algorithm.count_of(each.name) == name for each in form if each.role == Role.INPUT)
        return next(iter(read or ([] if is_counted else of)), None)

    def _is_told(self, form: list[Argument], argument: Argument) -> bool:
        """Whether an array says how many there are."""
        if argument.role != Role.COUNT:
            return False
        of_an_input = any(
            self.algorithm.count_of(each.name) == argument.name for each in form if each.role == Role.INPUT
        )
        return of_an_input or self._count(form, argument.name) is not None

    def _call_over(self, what: str, form: list[Argument]) -> list[str]:
        types = self._input_types(form)
        generic, constraints = self._generic(form) if what != "iterators" else ("", "")
        docs, parameters, given, held = [], [], [], []
        for argument in [each for each in form if not self._is_told(form, each) or what == "iterators"]:
            name = self._name(argument, form)
            element, is_read = "", True
            if argument.role == Role.INPUT and what != "iterators":
                element = types[argument]
            elif argument.memory:
                if not _is_array(argument):
                    continue
                element, is_read = self._type(argument), argument.memory.is_read
            if element:
                span = "ReadOnlySpan" if is_read else "Span"
                parameters.append(f"{span}<{element}> {name}" if what == "spans" else f"{element}[] {name}")
                given.append(f"{name}Memory")
                held.append((name, element))
                docs.append((name, "of the type that it was built for" if argument in types else argument.doc))
            elif argument.role == Role.COUNT and (of := self._count(form, argument.name)):
                given.append(f"{camel_case(of.name)}Memory.Count")
            else:
                parameters.append(self._host_parameter(argument, name))
                given.append(name)
                docs.append((name, argument.doc + ("; by default all" if argument.role == Role.BITS else "")))
        sentence = self._form_sentence(form)[:-1] + ", on the host's cores."
        function = "OnHost" if what == "iterators" else f"OverMemory{generic}"
        if not types:
            function, given = "OnHost", self._with_counts(form, given)
        returned = "return " if self._result() != "void" else ""
        head = f"    public {'unsafe ' if what == 'spans' else ''}{self._result()} Call{generic}("
        call = _LAYOUT.call(f"        {'    ' if held else ''}{returned}{function}(", given, ");")
        return [
            "",
            *csharp_comment("    ", sentence, docs),
            *_LAYOUT.call(head, parameters, f"){constraints} {{"),
            *_held(held, what == "spans", call),
            "    }",
        ]

    def _with_counts(self, form: list[Argument], given: list[str]) -> list[str]:
        """Of an algorithm without iterators, whose memory says how many elements there are."""
        counts = [each for each in form if each.role == Role.COUNT]
        memories = [self._count(form, each.name) for each in counts]
        return given + [f"{camel_case(each.name)}Memory.Count" for each in memories if each]

    def _host_parameter(self, argument: Argument, name: str) -> str:
        match argument.role:
            case Role.INPUT:
                return f"ElementIterator {name}"
            case Role.COUNT:
                return f"ulong {name}"
            case Role.BITS:
                return "BitRange bits = default(BitRange)"
        return f"{self._value_type(argument)} {name}"

    def _over_memory(self, form: list[Argument]) -> list[str]:
        """Makes iterators of the inputs."""
        types = self._input_types(form)
        generic, constraints = self._generic(form)
        parameters, given = [], []
        for argument in form:
            name = self._name(argument, form)
            if argument.role == Role.INPUT:
                parameters.append(f"HostMemory {name}")
                given.append(f"{name}Elements")
            elif argument.memory:
                if _is_array(argument):
                    parameters.append(f"HostMemory {name}")
                    given.append(name)
            elif argument.role == Role.COUNT and not self._is_told(form, argument):
                parameters.append(self._host_parameter(argument, name))
                given.append(name)
            elif argument.role == Role.COUNT:
                counted = [each for each in types if self.algorithm.count_of(each.name) == argument.name]
                of = self._count(form, argument.name) or counted[0]
                given.append(f"{self._name(of, form)}.Count")
            else:
                parameters.append(self._host_parameter(argument, name).split(" =")[0])
                given.append(name)
        returned = "return " if self._result() != "void" else ""
        usings = [
            f"        using (ElementIterator {self._name(each, form)}Elements = "
            f"ElementIterator.Of<{type_}>({self._name(each, form)}))"
            for each, type_ in types.items()
        ]
        usings[-1] += " {"
        return [
            "",
            *_LAYOUT.call(f"    private {self._result()} OverMemory{generic}(", parameters, f"){constraints} {{"),
            *usings,
            *_LAYOUT.call(f"            {returned}OnHost(", given, ");"),
            "        }",
            "    }",
        ]

    def _call_through_on_the_host(self, form: list[Argument]) -> list[str]:
        """With iterators for all but the one element that a call may return."""
        outputs = self.algorithm.outputs
        docs, parameters = [], []
        for argument in form:
            name = self._name(argument, form)
            if argument.name in outputs:
                parameters.append(f"ElementIterator {name}")
            elif argument.memory:
                continue
            else:
                parameters.append(self._host_parameter(argument, name))
            docs.append((name, argument.doc))
        values = ["UseOnHost(Operation)", "NativeHandle.None"]
        for argument in self.algorithm.call_arguments:
            name = self._name(argument, form)
            match argument.role:
                case Role.INPUT if argument in form:
                    values.append(f"{name}.Use(Operation, {camel_case(self.algorithm.count_of(argument.name))})")
                case Role.OUTPUT:
                    memory, count = self._written(argument)
                    values.append(f"{memory}.Use(Operation, {count})")
                case Role.MEMORY:
                    values.append("0" if argument.name in outputs else "(ulong)resultMemory.Address.ToInt64()")
                case Role.STATE:
                    values.append("NativeHandle.None")
                case Role.STORAGE:
                    values += ["0", "0"]
                case _:
                    values += self._plain_values(argument, form)
        body = self._with_values(form, _native_call(self.algorithm, values))
        result = "void"
        for each in self.algorithm.of(Role.MEMORY):
            if not _is_array(each) and each.name not in outputs:
                result = self._type(each)
        if result != "void":
            body = [
                f"        var result = new {result}[1];",
                f"        using (var resultMemory = new PinnedValue<{result}>(result)) {{",
                *(f"    {line}" for line in body),
                "        }",
                "        return result[0];",
            ]
        sentence = self._form_sentence(form)[:-1] + ", on the host's cores."
        return [
            "",
            *csharp_comment("    ", sentence, docs),
            *_LAYOUT.call(f"    public {result} Call(", parameters, ") {"),
            *body,
            "    }",
        ]

    def _on_host(self, form: list[Argument]) -> list[str]:
        parameters: list[str] = []
        counts = []
        for argument in form:
            name = self._name(argument, form)
            if argument.memory:
                parameters += [f"HostMemory {name}"] if _is_array(argument) else []
            elif argument.role == Role.COUNT and not self._input_types(form):
                counts.append(f"ulong {name}")
            else:
                parameters.append(self._host_parameter(argument, name).split(" =")[0])
        values = ["UseOnHost(Operation)", "NativeHandle.None"]
        for argument in self.algorithm.call_arguments:
            name = self._name(argument, form)
            match argument.role:
                case Role.INPUT if argument in form:
                    count = camel_case(self.algorithm.count_of(argument.name))
                    count = f", {count}" if count else ""
                    values.append(f"{name}.Use(Operation{count})")
                case Role.OUTPUT:
                    values.append("NativeHandle.None")
                case Role.MEMORY if argument in form and not _is_array(argument):
                    values.append("(ulong)resultMemory.Address.ToInt64()")
                case Role.MEMORY if argument in form and argument.memory:
                    values.append(f'{name}.For(Operation, "{name}", {_number(argument.memory.count)})')
                case Role.STATE:
                    values.append("NativeHandle.None")
                case Role.STORAGE:
                    values += ["0", "0"]
                case _:
                    values += self._plain_values(argument, form)
        body = self._with_values(form, _native_call(self.algorithm, values))
        result = self._result()
        if result != "void":
            body = [
                f"        var result = new {result}[1];",
                f"        using (var resultMemory = new PinnedValue<{result}>(result)) {{",
                *(f"    {line}" for line in body),
                "        }",
                "        return result[0];",
            ]
        head = f"    private {result} OnHost("
        return ["", *_LAYOUT.call(head, [*parameters, *counts], ") {"), *body, "    }"]


def _number(count: str) -> str:
    """How many elements there are, where the table says it: of arrays their Sum and Length."""
    return camel_case(count).replace("sum(", "Sum(").replace("length(", "Length(")


def _output(argument: Argument) -> str:
    """keysOutIterator of keys_target_iterator."""
    return f"{camel_case(argument.name.removesuffix(OUTPUT_SUFFIX))}Iterator"


def _is_array(argument: Argument) -> bool:
    """Else it is one element, which a call on the host's cores returns."""
    return bool(argument.memory and argument.memory.count)


def _uses_operation(values: list[str]) -> bool:
    return any("(operation)" in value for value in values)


def _build_doc(argument: Argument) -> str:
    return "where it will run, or what it is built for" if argument.role == Role.EXECUTION else argument.doc


def _type_parameters(algorithm: Algorithm, names: list[str]) -> list[str]:
    docs = {each.name: each.doc for each in algorithm.build_arguments if each.role == Role.TYPE}
    for name in algorithm.inputs:
        docs[name] = "the type of the elements" if name in ("input", "data") else f"the {name}' type"
    of = {name: of for of, name in reversed(algorithm.types.items())}
    return [
        f'/// <typeparam name="{name}">{docs[of[name]][0].upper()}{docs[of[name]][1:]}.</typeparam>' for name in names
    ]


def _native_call(algorithm: Algorithm, values: list[str]) -> list[str]:
    return _INNER.call(f"        CuprumNative.{algorithm.call.name}(", values, ");")


def _held(held: list[tuple[str, str]], are_spans: bool, call: list[str]) -> list[str]:
    """Arrays or spans as HostMemory, where they stay during the call."""
    if not held:
        return call
    if are_spans:
        starts = [f"{name}Start = &HostSpan.Start<{element}>({name})" for name, element in held]
        lines = _LAYOUT.call("        fixed (byte* ", starts, ") {")
        memories = [
            f"            var {name}Memory = new HostMemory((IntPtr){name}Start, (ulong){name}.Length);"
            for name, _ in held
        ]
    else:
        lines = [f"        using (var {name}Pin = new PinnedValue<{element}>({name}))" for name, element in held]
        lines[-1] += " {"
        memories = [f"            HostMemory {name}Memory = HostMemory.Of({name}Pin);" for name, _ in held]
    return [*lines, *memories, *call, "        }"]
