"""Python's functions over arrays that return results, in one call: merge_keys(first, second). Part of
cuprum.parallel._algorithms."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from algorithms import OneShot
from array_calls import ArrayArgument, ArrayRole, arguments


@dataclasses.dataclass(frozen=True)
class GivenOperator:
    name: str
    #: In C.
    native: str
    #: Names of types, as in the table.
    operands: tuple[str, ...]
    result: str


@dataclasses.dataclass(frozen=True)
class ArrayCall:
    """The function that <name> calls with arrays, _<name>_of_data: it makes the results and fills them."""

    name: str
    call: OneShot
    #: The inputs under cuda.compute's names, in the order of the arrays that are given, and their names in the table.
    inputs: dict[str, str]
    #: Those of the inputs that are memory, and not read through iterators.
    memory: frozenset[str]
    #: Numbers, as `k`.
    numbers: tuple[str, ...]
    #: The initial value; "" where there is none.
    init: str
    #: Numbers of C that the caller gives, as `order`, with their types.
    enumerators: tuple[str, ...]
    operators: tuple[GivenOperator, ...]
    #: Outputs of which the algorithm leaves some elements as they are.
    partial: frozenset[str]
    #: What a number of C is that the function fixes.
    enumerator: Callable[[str], str]

    def lines(self) -> list[str]:
        parameters = [f"{each}: Any" for each in (*self.call.python, *self.numbers)]
        parameters += [f"{self.init}: Any"] if self.init else []
        parameters += [f"{each.name}: OperatorLike" for each in self.operators]
        parameters += [f"{each}: SortOrder" for each in self.enumerators]
        return [
            f"def _{self.name}_of_data(",
            *(f"    {each}," for each in parameters),
            "    execution: ExecutionLike,",
            ") -> Any:",
            *(f"    {each}" for each in (*self._on_device(), *self._on_host())),
        ]

    def _on_device(self) -> list[str]:
        """Where an array is on the device."""
        arrays = self.call.python
        called = [*self._sizes("on"), "return written_on_device(", f"    {self.name},", "    {"]
        for output, (type_, size) in self.call.python_results.items():
            rest = (f", on_{type_}" if self._is_in_place else ", None") if output in self.partial else ""
            called.append(f'        "{output}": ({self._dtype(type_, "on")}, {self._size(size, "on")}{rest}),')
        called.append("    },")
        for name, each in zip(self.inputs, arrays, strict=True):
            called.append(f"    {name}={each if name in self.memory else f'on_{each}'},")
        called += [f"    {each}={each}," for each in self.numbers]
        called += [f"    {self.init}=initial,"] if self.init else []
        called += [f"    {each}={each}," for each in (*(op.name for op in self.operators), *self.enumerators)]
        called.append(")")
        text = "\n".join(called)
        read = []
        for each in arrays:
            size = self._count(each, "on")
            elements, first = (f"on_{each}, {size}", "") if size in text else (f"on_{each}", "[0]")
            read.append(f'{elements} = sized({each}, "{self.call.calling}"){first}')
        is_in_place = " or ".join(f"is_in_place({each}, execution)" for each in arrays)
        if len(arrays) > 2:
            is_in_place = f"any(is_in_place(each, execution) for each in ({', '.join(arrays)}))"
        return [f"if {is_in_place}:", *(f"    {each}" for each in (*read, *called))]

    def _on_host(self) -> list[str]:
        """Where all are in host memory."""
        lines = [f"host_{each} = host_array({each})" for each in self.call.python]
        lines += self._sizes("host")
        for output, (type_, size) in self.call.python_results.items():
            make = "zeros" if output in self.partial else "empty"
            made = f"np.{make}({self._size(size, 'host')}, {self._dtype(type_, 'host')})"
            lines.append(f"{output} = {f'host_copy({type_})' if self._is_in_place else made}")
        for index, op in enumerate(self.operators):
            types = ", ".join(self._operand(operand) for operand in op.operands)
            lines.append(f"operator_{index}, _ = as_operator({op.name}, [{types}], {self._operand(op.result)})")
        values = [f"    {each}," for each in self._native(f'"{self.call.calling}"')]
        lines += [f"_cuprum.{self.call.call.name}(", *values, ")"]
        return [*lines, f"return {', '.join(self.call.python_results)}"]

    @property
    def _is_in_place(self) -> bool:
        """Whether C writes over what it reads, for which it is given a copy."""
        return any(each.role == ArrayRole.IN_PLACE for each in arguments(self.call.call))

    def _sizes(self, prefix: str) -> list[str]:
        """What is looked at before there are results: initial values, and whether there is anything at all."""
        lines = []
        if self.init:
            values = f"{prefix}_{self.call.python[1 if 'values' in self.call.python else 0]}"
            made = f"initial_value({self.init}, {values}.dtype)"
            is_needed = any(type_ == "init" for type_, _ in self.call.python_results.values())
            lines.append(f"initial = {'' if is_needed else f'None if {self.init} is None else '}{made}")
        if any(size.isdigit() for _, size in self.call.python_results.values()):
            lines.append(f"if {self._count(self.call.python[0], prefix)} == 0:")
            lines.append('    raise ValueError("the array has no elements, so there is no extreme one")')
        return lines

    def _size(self, size: str, prefix: str) -> str:
        for each in sorted(self.call.python, key=len, reverse=True):
            size = re.sub(rf"(?<![\w.]){each}\b", self._count(each, prefix), size)
        return f"max(0, {size})" if " - " in size else size

    @staticmethod
    def _count(array: str, prefix: str) -> str:
        """How many elements an array has."""
        return f"on_{array}_size" if prefix == "on" else f"host_{array}.size"

    def _dtype(self, type_: str, prefix: str) -> str:
        if type_ == "int64":
            return "np.int64"
        if type_ == "init":
            return "initial.dtype"
        if type_.startswith("init or "):
            return f"{prefix}_{type_.removeprefix('init or ')}.dtype if initial is None else initial.dtype"
        return f"{prefix}_{type_}.dtype"

    def _operand(self, name: str) -> str:
        """A type of the table."""
        if name == "bool":
            return "np.bool_"
        inputs = dict(zip(self.inputs.values(), self.call.python, strict=True))
        return f"host_{inputs[name]}.dtype" if name in inputs else f"{next(iter(self.call.python_results))}.dtype"

    def _native(self, words: str) -> list[str]:
        """What the function of the C ABI is called with."""
        known = {each.name: each for each in arguments(self.call.call)}
        given = (ArrayRole.READ, ArrayRole.IN_PLACE)
        reads = [each.name for each in known.values() if each.role in given and not each.optional]
        results = [each.name for each in known.values() if each.role == ArrayRole.RESULT]
        written = [each.name for each in known.values() if each.role == ArrayRole.IN_PLACE and not each.optional]
        results = results or written
        variables = {name: f"host_{each}" for name, each in zip(reads, self.call.python, strict=True)}
        variables |= dict(zip(results, self.call.python_results, strict=True))
        values = []
        for parameter in self.call.call.parameters:
            name = parameter.name
            if name in known:
                values.append(self._value(known[name], variables, words))
            elif not name.endswith("_size"):
                of = next(each.name for each in known.values() if each.type == name)
                values.append(f"type_text({variables[of]}.dtype)" if of in variables else "None")
        return values

    def _value(self, argument: ArrayArgument, variables: dict[str, str], words: str) -> str:
        match argument.role:
            case ArrayRole.EXECUTION:
                return "*native_execution(execution)"
            case ArrayRole.ENUMERATOR:
                return self.enumerator(argument.name)
            case ArrayRole.OPERATOR:
                index = [each.native for each in self.operators].index(argument.name)
                return f"operator_{index}._open_native({words})"
            case ArrayRole.VALUE:
                return 'b"" if initial is None else initial.tobytes()' if argument.optional else "initial.tobytes()"
        return f"host_bytes({variables[argument.name]})" if argument.name in variables else "bytearray()"
