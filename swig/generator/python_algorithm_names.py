"""What an algorithm's parameters are called in Python."""

from __future__ import annotations

from algorithms import Algorithm, Argument, Role
from python_text import call_lines

#: Variables of the generated code.
OPERATORS = ("operator", "second_operator")


class AlgorithmNames:
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

    def is_told(self, count: Argument) -> bool:
        """Whether an input, or what is read, says how many there are."""
        reads = [each for each in self.reads if not each.optional]
        if any(each.memory and each.memory.count in (count.name, f"{count.name} + 1") for each in reads):
            return True
        return any(self.algorithm.count_of(each.name) == count.name for each in self.inputs)

    def may_be_left_out(self, argument: Argument) -> bool:
        is_written = argument.memory is not None and not argument.memory.is_read
        return argument.optional or (self.python.double_buffer and is_written)

    def unbuffered(self, buffers: str) -> list[str]:
        """Arrays in place of DoubleBuffers."""
        if not self.python.double_buffer:
            return []
        names = [self.of(name) for name in ("keys_in", "keys_target", "values_in", "values_target")]
        return call_lines(f"{', '.join([*names, buffers])} = unbuffered(", names, width=112)  # 8 of 120 are its place

    def documentation(self, argument: Argument) -> str:
        return f"`{self.of(argument.name)}`: {argument.doc}."
