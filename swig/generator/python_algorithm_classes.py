"""Python's classes of the algorithms: objects that are built once and called."""

from __future__ import annotations

from algorithms import Argument, Role
from python_algorithm_names import OPERATORS, AlgorithmNames
from python_text import call_lines, docstring


class AlgorithmClass(AlgorithmNames):
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
                    parameters.append(f"{name}: Any{' = None' if self.may_be_left_out(argument) else ''}")
                    documented.append(self.documentation(argument))
                case Role.COUNT if self.is_told(argument):
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
            lines = self.unbuffered("buffers")
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
            lines.append(f"{OPERATORS[index]} = self._operators[{index}].of_call({self.of(state.name)})")
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
                return [f"operator_handle({OPERATORS[self.algorithm.of(Role.STATE).index(argument)]})"]
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
