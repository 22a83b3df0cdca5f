"""Python's functions that build an algorithm, make_<name>."""

from __future__ import annotations

from algorithms import OUTPUT_SUFFIX, Algorithm, Argument, OneShot, PythonFunction, Role
from python_algorithm_names import OPERATORS, AlgorithmNames
from python_text import call_lines, docstring

#: Of everything that is built.
BUILT = "With `compute_capability`, or an `Execution` ahead of time, it can only be saved."


class MakeFunction(AlgorithmNames):
    """make_<name>."""

    def __init__(self, algorithm: Algorithm, function: PythonFunction, selection: OneShot | None) -> None:
        super().__init__(algorithm)
        self.function = function
        self.selection = selection
        self.needs_init = self.init is not None and (
            not self.init.optional or (bool(function.fixed) and not function.with_init)
        )

    def operator_parameters(self) -> list[str]:
        defaults = [self.python.of_operator(index)[2] for index in range(len(self.operators))]
        rests = [f" | None = OpKind.{default.upper()}" if default else "" for default in defaults]
        return [f"{self.of(each.name)}: OperatorLike{rest}" for each, rest in zip(self.operators, rests, strict=True)]

    @property
    def is_built_with_init(self) -> bool:
        """Whether what is built depends on the initial value: on its type, or on whether there is one."""
        return bool(self.init and (self.init.optional or "init" in self.python.types.get("accumulator", ())))

    def init_parameter(self) -> list[str]:
        if not self.init:
            return []
        return [f"{self.of(self.init.name)}: Any{'' if self.needs_init else ' = None'}"]

    def determinism_parameter(self) -> list[str]:
        return ["determinism: Determinism = Determinism.RUN_TO_RUN"] if self.python.determinism else []

    def enumerators(self) -> list[Argument]:
        """Those that the caller gives."""
        arguments = [each for each in self.algorithm.build_arguments if each.role == Role.ENUMERATOR]
        return [each for each in arguments if each.name not in self.function.fixed]

    def enumerator_parameters(self) -> list[str]:
        type_ = "SortOrder | str" if self.algorithm.by_fields else "SortOrder"
        return [f"{each.name}: {type_} = SortOrder.ASCENDING" for each in self.enumerators()]

    # Building.

    def make(self) -> list[str]:
        python = self.python
        parameters = [f"{self.of(each.name)}: Any" for each in self.inputs]
        needed = {rules[0] for rules in python.types.values() if len(rules) == 1}
        for each in self.memory:
            is_needed = not each.optional and (each in self.reads or each.name in needed)
            parameters.append(f"{self.of(each.name)}: Any{'' if is_needed else ' = None'}")
        parameters += self.operator_parameters()
        parameters += [*self.enumerator_parameters(), *(self.init_parameter() if self.is_built_with_init else [])]
        parameters += self.determinism_parameter()
        parameters += ["compute_capability: Any = None", 'execution: ExecutionLike = "device"']
        documented = []
        for each in self.algorithm.build_arguments:
            if each.role == Role.OPERATOR or each in self.enumerators():
                documented.append(self.documentation(each))
        if self.algorithm.by_fields:
            documented.append(
                "In its place, as text, some fields of structs, that which counts most first, each in its own order: "
                '`"age, -place.x"`.'
            )
        if self.init and self.is_built_with_init:
            documented.append(
                f"The results are of `{self.of(self.init.name)}`'s type, or of the elements' for Python's own numbers."
            )
        meaning = self.function.doc if len(python.functions) > 1 else ""
        return [
            *call_lines(f"def make_{self.function.name}(", ["*", *parameters], f") -> {python.class_name}:"),
            *docstring("    ", self.algorithm.build_docs[-1], meaning, " ".join([*documented, BUILT])),
            *(f"    {line}" for line in self._build()),
        ]

    def _build(self) -> list[str]:
        words, python = f'"{self.algorithm.building}"', self.python
        lines = [*self.unbuffered("_")]
        lines += [
            f"{self.variable(each.name)} = as_iterator({self.of(each.name)}, on_host=is_host(execution))"
            for each in self.inputs
        ]
        for name, rules in python.types.items():
            lines += self._dtype(name, rules)
        made: list[str] = []
        for index, each in enumerate(self.operators):
            variable, given = OPERATORS[index], self.of(each.name)
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
                    arguments.append(self.enumerator(name))
                case Role.INPUT:
                    arguments.append(f"{self.variable(name)}._open_native({words})")
                case Role.OPERATOR:
                    arguments.append(f"{OPERATORS[self.operators.index(argument)]}._open_native({words})")
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
            (order,) = (each.name for each in self.enumerators())
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
        if len(rules) == 1 or (rules[0] == "init" and self.needs_init):
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

    def enumerator(self, name: str) -> str:
        function = self.function
        if name not in function.fixed:
            return f"int({name})"
        value = f"_cuprum.{function.fixed[name]}"
        if name not in function.with_init:
            return value
        assert self.init
        return f"{value} if {self.of(self.init.name)} is None else _cuprum.{function.with_init[name]}"
