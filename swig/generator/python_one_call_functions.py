"""Python's functions of the algorithms that build and call in one, <name>."""

from __future__ import annotations

import itertools

from algorithms import Argument, OneShot, Role
from array_calls import ArrayArgument, ArrayRole, arguments
from python_algorithm_names import OPERATORS
from python_array_calls import ArrayCall, GivenOperator
from python_make_functions import MakeFunction
from python_text import call_lines, docstring, type_error

RUN = (
    "On the device asynchronously, in `stream`'s order; with `execution='host'` over NumPy arrays, done when it "
    "returns."
)


class AlgorithmFunctions(MakeFunction):
    """make_<name>, and <name>."""

    def texts(self) -> list[str]:
        texts = ["\n".join(self.make()) + "\n"]
        if self.selection:
            texts += ["\n".join(self._selected()) + "\n"]
        return [*texts, "\n".join(self._in_one_call()) + "\n"]

    def _in_one_call(self) -> list[str]:
        name = self.function.name
        arrays = [*self.inputs, *self.memory]
        parameters = [f"{self.of(each.name)}: Any{' = None' if self.may_be_left_out(each) else ''}" for each in arrays]
        operator = self.operator_parameters()
        rest = [f"{self.of(each.name)}: Any" for each in self.algorithm.of(Role.VALUE)]
        rest += [*self.enumerator_parameters(), *self.init_parameter(), *self.determinism_parameter()]
        rest += [f"{self.of(each.name)}: int{' | None = None' * self.is_told(each)}" for each in self.counts]
        rest += ["begin_bit: int | None = None", "end_bit: int | None = None"] if self.algorithm.has(Role.BITS) else []
        rest += [f"{name}: int | None = None" for name in self.python.hints]
        rest += ["stream: Stream | IsStreamType | None = None", 'execution: ExecutionLike = "device"']
        first = self.function.doc or self.algorithm.call_docs[-1]
        hints = [f"`{name}`: {doc}." for name, doc in self.python.hints.items()]
        documented = " ".join([*(self.documentation(each) for each in self.memory), *hints])
        if not self.selection:
            return [
                *call_lines(f"def {name}(", ["*", *parameters, *operator, *rest], ") -> None:"),
                *docstring("    ", first, documented, RUN),
                *(f"    {line}" for line in self._built_and_called()),
            ]
        data = list(self.selection.python)
        positional_init = self.selection.python_results and self.needs_init
        given = [f"{each}: Any" for each in [*data, *self._positional_numbers]]
        if positional_init:
            given += self.init_parameter()
        if self.selection.python_results:
            rest = [each for each in rest if each.split(":")[0] not in {one.split(":")[0] for one in given}]
        required_of_both = [each.split(":")[0] for each in given[len(data) :]]
        keywords = [*parameters, *given[len(data) :]]
        data = [each.split(":")[0] for each in given]
        free = [each if each.endswith("= None") else f"{each} = None" for each in (*given, *parameters)]
        loose = [each if " = " in each else each + " | None = None" for each in operator]
        selection = self.selection
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
            RUN,
        )
        for each in required_of_both:
            lines.append(f"    if {each} is None:")
            lines += type_error("        ", f"{name}() needs {each}: {name}({positional})")
        for each, kind in required.items():
            noun = {"op": "an operator"}.get(kind, f"a {kind}")
            lines.append(f"    if {each} is None:")
            form = f"{name}({positional}), or {each}= beside {self.of(self.inputs[0].name)}="
            lines += type_error("        ", f"{name}() needs {noun}: {form}")
        for index, argument in enumerate(self.operators):
            if default := self.python.of_operator(index)[2]:
                name_of_op = self.of(argument.name)
                lines += [f"    if {name_of_op} is None:", f"        {name_of_op} = OpKind.{default.upper()}"]
        inputs = [self.of(each.name) for each in self.inputs or self.reads if not each.optional]
        lines.append(f"    if {inputs[0]} is None:")
        arrays_given = list(selection.python)
        lines.append(f"        if {' or '.join(f'{each} is None' for each in arrays_given)}:")
        form = f"{' and '.join(arrays_given)}, or {' and '.join(f'{each}=' for each in inputs)} with their outputs"
        lines += type_error("            ", f"{name}() takes {form}")
        values = [*data, *self._named_init, *(self.of(each.name) for each in self.operators)]
        values += [*(each.name for each in self.enumerators() if selection.python_results), "execution"]
        lines += [f"        {each}" for each in call_lines(f"return _{name}_of_data(", values, width=112)]
        return [*lines, *(f"    {line}" for line in self._built_and_called()), "    return None"]

    def _returned(self, data: list[str]) -> tuple[str, str]:
        """What a call over `data` returns, and as what, for its documentation."""
        selection = self.selection
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
        if self.selection is None or not self.selection.python_results:
            return []
        return [self.of(each.name) for each in self.counts if not self.is_told(each)]

    @property
    def _named_init(self) -> list[str]:
        """An initial value that may be left out."""
        if self.selection is None or not self.selection.python_results or self.needs_init or not self.init:
            return []
        return [self.of(self.init.name)]

    def _named(self, rest: list[str]) -> list[str]:
        """What calls over data take by name."""
        of_results = self.selection is not None and bool(self.selection.python_results)
        enumerators = self.enumerator_parameters() if of_results else []
        return [*(f"{each}: Any = None" for each in self._named_init), *enumerators, rest[-1]]

    def _array_call(self, call: OneShot) -> ArrayCall:
        given = [*self.inputs, *(each for each in self.reads if not each.optional)]
        operators = []
        for index, each in enumerate(self.operators):
            operands, result, _ = self.python.of_operator(index)
            operators.append(GivenOperator(self.of(each.name), each.name, operands, result))
        return ArrayCall(
            name=self.function.name,
            call=call,
            inputs={self.of(each.name): each.name for each in given},
            memory=frozenset(self.of(each.name) for each in self.reads),
            numbers=tuple(self._positional_numbers),
            enumerators=tuple(each.name for each in self.enumerators()),
            init=self.of(self.init.name) if self.init and (self.needs_init or self._named_init) else "",
            operators=tuple(operators),
            partial=frozenset(self.of(each.name) for each in self.memory if each.memory and each.memory.is_partial),
            enumerator=self.enumerator,
        )

    def _built_and_called(self) -> list[str]:
        function = self.function
        arrays = [self.of(each.name) for each in (*self.inputs, *self.memory)]
        typed = {name for rules in self.python.types.values() for name in rules}
        typed |= {*self.algorithm.outputs}
        built = [*self.inputs, *(each for each in self.memory if each in self.reads or each.name in typed)]
        given = [self.of(each.name) for each in built]
        given += [self.of(each.name) for each in self.operators]
        given += [each.name for each in self.enumerators()]
        called = [*arrays, *(self.of(each.name) for each in (*self.algorithm.of(Role.VALUE), *self.counts))]
        called += ["begin_bit", "end_bit"] if self.algorithm.has(Role.BITS) else []
        called += self.python.hints
        if self.init:
            given += [self.of(self.init.name)] if self.is_built_with_init else []
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
        if self.selection is None or self.selection.finds or self.selection.python_results:
            return []
        # Where C is given all outputs beside what it reads, none of them is what was read.
        has_own = any(each.role == ArrayRole.RESULT and each.name != "result" for each in self._native)
        return self._outputs if has_own else self._outputs[len(self.inputs) :]

    @property
    def _native(self) -> list[ArrayArgument]:
        """What the function of the C ABI takes, for calls over data."""
        assert self.selection
        return arguments(self.selection.call)

    @property
    def _has_parts(self) -> bool:
        """Whether each output gets a part of the one input."""
        return len(self._outputs) > 1 and {each.memory.of for each in self._outputs if each.memory} == {"input"}

    @property
    def _keeps_all(self) -> bool:
        """Whether all elements are written, and not some of them."""
        selection = self.selection
        if selection is None or selection.finds or selection.compares or selection.python_results:
            return False
        return not any(each.memory and each.memory.is_partial for each in self._outputs)

    def _selected(self) -> list[str]:
        """What the function does with data that is not given under cuda.compute's names."""
        assert self.selection
        if self.selection.python_results:
            return self._array_call(self.selection).lines()
        call, words = self.selection, f'"{self.selection.calling}"'
        data = list(call.python)
        takes_result = any(each.name == "result" for each in call.call.parameters)
        read = [each for each in self._native if each.role in (ArrayRole.READ, ArrayRole.IN_PLACE)]
        in_place = [name for name, each in zip(data, read, strict=False) if each.role == ArrayRole.IN_PLACE]
        operators = [self.of(each.name) for each in self.operators]
        lines = call_lines(
            f"def _{self.function.name}_of_data(",
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
            lines.append(f"    {OPERATORS[index]}, _ = as_operator({given_op}, [{types}], {elements[result]})")
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
        assert self.selection
        given = [f"{each}={each}" for each in operators]
        make = f"make_{self.function.name}"
        if self.selection.finds:
            return "found_on_device", [words, make, *data, *given]
        if self.selection.compares:
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
        assert self.selection
        names = {"data": data[0], "type": data[0], "second": data[-1], "keys": data[0], "positions": "offsets"}
        arguments = []
        for parameter in self.selection.call.parameters:
            name = parameter.name
            base = name.removesuffix("_type").removesuffix("_target")
            of = f"host_{names.get(base, base)}"
            if name == "execution":
                arguments.append("*native_execution(execution)")
            elif parameter.type == "cuprum_parallel_operator":
                variable = OPERATORS[[each.name for each in self.operators].index(name)]
                arguments.append(f"{variable}._open_native({words})")
            elif name == "result":
                arguments.append("host_bytes(selected)")
            elif name.endswith("type"):
                arguments.append(f"type_text({of}.dtype)")
            elif not name.endswith(("_size", "_out")):
                arguments.append(f"host_bytes({of})")
        return arguments
