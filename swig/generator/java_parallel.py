"""Java's one-shot calls, io.cuprum.Parallel, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

import re

import nary_calls
from algorithms import Algorithm, OneShot, camel_case
from array_calls import ArrayArgument, ArrayRole, arguments
from description import Function, Parameter
from managed_text import FIRST_LINE, Layout, java_comment

_LAYOUT = Layout(continuation="        ", width=120)
_ARRAYS = (ArrayRole.READ, ArrayRole.IN_PLACE)
_OPERATORS = ("op", "compare", "condition", "firstCondition", "secondCondition", "equal")
#: What C writes to, and its type in Java, an array of one.
_OUTPUTS = {
    "selected_out": "long",
    "first_count_out": "long",
    "second_count_out": "long",
    "index_out": "long",
    "equal_out": "int",
}
#: Of arrays of numbers: the initial value, which is also the type of the result.
_NUMBERS = {
    "byte": ("int", "long"),
    "short": ("int", "long"),
    "int": ("int", "long"),
    "long": ("long",),
    "float": ("float", "double"),
    "double": ("double",),
}
_ZEROS = {"int": "0", "long": "0L", "float": "0F", "double": "0.0"}
_CLASS = """
/**
 * The parallel algorithms over arrays, in one call, which returns when it is done. On a device it copies in, runs, and
 * copies back; without an {@link Execution} that is device 0. On the host's cores, {@link Execution#HOST}, no driver
 * and no compiler take part. For elements that are on the device already, and for many calls, see {@link Algorithm}.
 *
 * <p>An array is one of Java's own (boolean[], byte[], short[], int[], long[], float[] or double[]), which is copied
 * out of the heap and back, or a {@link HostArray}, which holds elements of any type, structs too; anything else is an
 * IllegalArgumentException.
 *
 * <p>Operators are the names of well-known ones ("plus", "maximum" ...), CUDA C++ over the operands {@code a} and
 * {@code b}, traced functions of {@link Symbol}s, {@code (a, b) -> a.plus(b)}, or an {@link Operator}. Without one,
 * elements are summed or sorted in ascending order. A text that does not compile is a {@link CompileException}, whose
 * log has its own lines. {@link Execution#HOST} says what the host's cores take.
 */
public final class Parallel {
    private static final Execution DEFAULT = NativeExecution.DEVICE_0;

    private Parallel() {}
""".strip()


def source(algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    """The whole file."""
    lines = [
        FIRST_LINE,
        "package io.cuprum;",
        "",
        "import io.cuprum.internal.CuprumNative;",
        "import java.util.function.BinaryOperator;",
        "import java.util.function.UnaryOperator;",
        "",
        _CLASS,
    ]
    for call in calls:
        overloads = [_parameters(each) for each in call.java]
        if call.java_numbers:
            lines += _numbers(call)
        for overload in overloads:
            lines += _overload(call, overload, overloads[0])
    for call in {each.call.name: each for each in calls}.values():
        lines += ["", *_Core(call).lines()]
    for algorithm in algorithms:
        lines += nary_calls.java_over_arrays(algorithm)
    return "\n".join([*lines, "}"]) + "\n"


def _parameters(overload: str) -> list[tuple[str, str]]:
    """Types and names; an operator has no type."""
    found = []
    for each in overload.split(", "):
        type_, _, name = each.rpartition(" ")
        found.append((type_, camel_case(name)))
    return found


def _function(call: OneShot) -> str:
    return f"{'Unary' if call.operands == 1 else 'Binary'}Operator<Symbol>"


def _made(call: OneShot, overload: list[tuple[str, str]]) -> tuple[str, str, str]:
    """Type, name and value of the array of results that an overload makes and returns; "" where it makes none."""
    made, _, value = call.java_makes.partition(" = ")
    type_, _, name = made.partition(" ")
    name = camel_case(name)
    if not made or name in {each for _, each in overload}:
        return "", "", ""
    names = {each.split(" ")[-1] for each in call.java[0].split(", ")}
    for each in sorted(names, key=len, reverse=True):
        value = re.sub(rf"\b{each}\b", camel_case(each), value)
    return type_, name, value.replace("OPERATION", f'"{call.calling}"')


def _returned(call: OneShot, overload: list[tuple[str, str]]) -> str:
    if made := _made(call, overload)[0]:
        return made
    if call.compares:
        return "boolean"
    if _Core(call).selects:
        return "A"
    if outputs := [each.name for each in call.call.parameters if each.name in _OUTPUTS]:
        return "long" if len(outputs) == 1 else "long[]"
    return "Value" if _gives_a_value(call.call) else "void"


def _docs(call: OneShot) -> dict[str, str]:
    return {camel_case(name): text for name, text in call.docs.items()}


def _method(call: OneShot, overload: list[tuple[str, str]], text: str, returns: str) -> list[str]:
    """The comment and the first line."""
    returned = _returned(call, overload)
    generic = "<A> " if "A" in {type_ for type_, _ in overload} else ""
    docs = [("<A>", "the type of the arrays")] if generic else []
    docs += [(name, "where it runs" if name == "execution" else _docs(call)[name]) for _, name in overload]
    parameters = [f"{type_} {name}" for type_, name in overload]
    head = f"    public static {generic}{returned} {camel_case(call.name)}("
    return ["", *java_comment("    ", text, docs, returns), *_LAYOUT.call(head, parameters, ") {")]


def _overload(call: OneShot, overload: list[tuple[str, str]], fullest: list[tuple[str, str]]) -> list[str]:
    name = camel_case(call.name)
    execution = ("Execution", "execution")
    operators = [each for _, each in overload if each in _OPERATORS]
    types = ["Operator", "String", _function(call)] if operators else [""]
    returned = _returned(call, overload)
    returning = "" if returned == "void" else "return "
    is_new = returned == "A" or returned.endswith("[]")
    returns = f"a new array with {call.returns}" if is_new else "" if returned == "void" else call.returns
    lines: list[str] = []
    for type_ in types:
        typed = [(type_, each) if each in operators else (given, each) for given, each in overload]
        text = call.doc
        if type_ == _function(call):
            text += f" The operator{'s are traced functions' if len(operators) > 1 else ' is a traced function'}."
        given = ", ".join(each for _, each in typed)
        lines += _method(call, typed, text, returns)
        lines += [f"        {returning}{name}({given}, DEFAULT);", "    }"]
        lines += _method(call, [*typed, execution], text, returns)
        if type_ == "Operator" or (not operators and not call.default_op):
            lines += _run(call, typed, returned)
        elif type_:
            made = {each: "made" if len(operators) == 1 else camel_case(f"made_{each}") for each in operators}
            make = "new Operator" if type_ == "String" else "Operator.of"
            inner = ", ".join(made.get(each, each) for _, each in typed)
            opened = [f"Operator {made[each]} = {make}({each})" for each in operators]
            lines += [
                *(f"        {'try (' if i == 0 else '        '}{each}" for i, each in enumerate(opened)),
                f"            {returning}{name}({inner}, execution);",
                "        }",
            ]
            first = len(lines) - 2 - len(opened)
            for i in range(len(opened)):
                lines[first + i] += ") {" if i == len(opened) - 1 else ";"
        else:
            given_names = {each for _, each in typed}
            defaults = dict.fromkeys(("op", "compare", "condition"), f'"{call.default_op}"')
            defaults |= {"equal": '"equal_to"', "init": "0"}
            full = ", ".join(each if each in given_names else defaults[each] for _, each in fullest)
            lines.append(f"        {returning}{name}({full}, execution);")
        lines.append("    }")
    return lines


def _run(call: OneShot, overload: list[tuple[str, str]], returned: str) -> list[str]:
    """Calls what _Core makes."""
    names = {"data" if name == "first" else name: (type_, name) for type_, name in overload}
    if "keys" in {each.name for each in call.call.parameters} and "data" in names:
        names["keys"] = names.pop("data")
    core = _Core(call)
    _, made, value = _made(call, overload)
    given = []
    for argument in core.arguments():
        name = core.java_name(argument)
        if argument.role == ArrayRole.EXECUTION:
            given.append("execution")
        elif argument.name in call.fixed:
            given.append(f"{call.enums[argument.name]}.{call.fixed[argument.name]}")
        elif name == "equal" and name not in names:
            given.append("null")
        elif name in _OPERATORS and name in names:
            given.append(name)
        elif argument.role == ArrayRole.OPERATOR:
            given.append(next((each for each in _OPERATORS if each in names), "null"))
        elif name == "init" and name in names and names[name][0] == "Number":
            given.append("Value.of(HostArrays.typeOf(data), init)")
        elif name == "order" and name not in names:
            given.append("SortOrder.ASCENDING")
        elif made and name == made:
            given.append(made)
        elif argument.optional and argument.role in _ARRAYS and name in names:
            given.append(f"HostArrays.present({name})")
        else:
            given.append(names[name][1] if name in names else "null")
    invocation = f"{core.name}({', '.join(given)})"
    if made:
        return [
            *_LAYOUT.call(f"        {returned} {made} = ", value.split(", "), ";"),
            *_LAYOUT.call(f"        {core.name}(", given, ");"),
            f"        return {made};",
        ]
    return [f"        {'' if returned == 'void' else 'return '}{invocation};"]


def _numbers(call: OneShot) -> list[str]:
    name = camel_case(call.name)
    lines: list[str] = []
    for element, results in _NUMBERS.items():
        for result in results:
            for operator in ("String", _function(call)):
                for with_execution in (False, True):
                    execution = ("Execution execution", "execution") if with_execution else ("", "DEFAULT")
                    parameters = [f"{element}[] data", f"{result} init", f"{operator} op", execution[0]]
                    docs = [(each, call.docs[each]) for each in ("data", "init", "op")]
                    docs += [("execution", "where it runs")] if with_execution else []
                    head = f"    public static {result} {name}("
                    lines += [
                        "",
                        *java_comment("    ", call.doc, docs, call.returns),
                        *_LAYOUT.call(head, [each for each in parameters if each], ") {"),
                        f"        return {name}(data, Value.of(init), op, {execution[1]}).number().{result}Value();",
                        "    }",
                    ]
        result = results[0]
        wraps = "" if result in ("float", "double") else "; it wraps around"
        for with_execution in (False, True):
            docs = [("data", call.docs["data"])] + ([("execution", "where it runs")] if with_execution else [])
            taken = f"{element}[] data" + (", Execution execution" if with_execution else "")
            execution_given = "execution" if with_execution else "DEFAULT"
            lines += [
                "",
                *java_comment("    ", f"The sum of the elements{wraps}.", docs, "their sum"),
                f"    public static {result} {name}({taken}) {{",
                f'        return {name}(data, {_ZEROS[result]}, "plus", {execution_given});',
                "    }",
            ]
    return lines


def _gives_a_value(function: Function) -> bool:
    """Results that are arrays may be NULL, where they are of no elements."""
    return any(each.name == "result" and not each.nullable for each in function.parameters)


class _Core:
    """The one method that calls a function of the C ABI."""

    def __init__(self, call: OneShot) -> None:
        self._function = call.call
        self._calling = call.calling
        self._enums = {"order": "SortOrder"} | call.enums
        self._arguments = {each.name: each for each in arguments(call.call)}
        self.name = camel_case(call.call.name.removeprefix("cuprum_parallel_"))
        has_results = any(each.role == ArrayRole.RESULT for each in self._arguments.values())
        self.selects = "selected_out" in self._arguments and "result" in self._arguments
        self._fills_results = has_results and not self.selects and not _gives_a_value(call.call)

    def arguments(self) -> list[ArrayArgument]:
        """Its parameters, of which results come last."""
        given = [each for each in self._arguments.values() if each.role not in (ArrayRole.NUMBER, ArrayRole.RESULT)]
        return given + (self._results() if self._fills_results else [])

    def _results(self) -> list[ArrayArgument]:
        return [each for each in self._arguments.values() if each.role == ArrayRole.RESULT]

    @staticmethod
    def java_name(argument: ArrayArgument) -> str:
        return "results" if argument.name == "result" else camel_case(argument.name)

    @staticmethod
    def _elements(argument: ArrayArgument) -> str:
        return f"{camel_case(argument.name)}Elements"

    def _type(self, argument: ArrayArgument) -> str:
        match argument.role:
            case ArrayRole.EXECUTION:
                return "Execution"
            case ArrayRole.OPERATOR:
                return "Operator"
            case ArrayRole.ENUMERATOR:
                return self._enums[argument.name]
            case ArrayRole.VALUE:
                return "Value"
            case ArrayRole.COUNT:
                return "int"
            case ArrayRole.NUMBERS:
                return "long[]"
        return "A" if self.selects and argument.name == "data" else "Object"

    def lines(self) -> list[str]:
        returned = "void"
        if _gives_a_value(self._function):
            returned = "Value"
        elif self.selects:
            returned = "<A> A"
        elif "equal_out" in self._arguments:
            returned = "boolean"
        elif "first_count_out" in self._arguments:
            returned = "long[]"
        elif "index_out" in self._arguments or "selected_out" in self._arguments:
            returned = "long"
        parameters = [f"{self._type(each)} {self.java_name(each)}" for each in self.arguments()]
        arrays = [each for each in self.arguments() if each.role in (*_ARRAYS, ArrayRole.NUMBERS)]
        lines = _LAYOUT.call(f"    private static {returned} {self.name}(", parameters, ") {")
        lines.append("        NativeExecution where = NativeExecution.of(execution);")
        for each in arrays:
            elements = f"HostArrays.of({self.java_name(each)})"
            if each.optional:
                elements = f"{self.java_name(each)} == null ? null : {elements}"
            lines.append(f"        HostArray {self._elements(each)} = {elements};")
        kept = [self._elements(each) for each in arrays]
        for each in self._results():
            # Where what follows the last number stays as it is, it is copied as well.
            made = f"HostArrays.{'of' if 'selected_out' in self._arguments else 'room'}({self.java_name(each)})"
            if _gives_a_value(self._function):
                made = "new HostArray(init.type(), 1)"
            elif self.selects:
                made = "new HostArray(dataElements.type(), dataElements.length())"
            lines.append(f"        HostArray {self._elements(each)} = {made};")
            kept.append(self._elements(each))
        for output, type_ in _OUTPUTS.items():
            if output in self._arguments:
                lines.append(f"        {type_}[] {camel_case(output.removesuffix('_out'))} = new {type_}[1];")
        values = [value for each in self._function.parameters for value in self._values(each)]
        kept += [
            self.java_name(each) for each in self.arguments() if each.role in (ArrayRole.VALUE, ArrayRole.OPERATOR)
        ]
        lines += _LAYOUT.call(f"        CuprumNative.{self._function.name}(", values, ");")
        for start in range(0, len(kept), 4):
            some = (kept[start : start + 4] + ["null"] * 4)[:4]
            lines.append(f"        Algorithm.keep({', '.join(some)});")
        return [*lines, *self._after(arrays), "    }"]

    def _after(self, arrays: list[ArrayArgument]) -> list[str]:
        if _gives_a_value(self._function):
            return ["        return resultElements.get(0);"]
        if self.selects:
            return ["        return HostArrays.firstOf(resultElements, (int) selected[0], data);"]
        if "index_out" in self._arguments:
            return ["        return index[0];"]
        if "equal_out" in self._arguments:
            return ["        return equal[0] != 0;"]
        lines = []
        written = self._results() or [each for each in arrays if each.role == ArrayRole.IN_PLACE]
        for each in written:
            copy = f"HostArrays.copyBack({self._elements(each)}, {self.java_name(each)});"
            if each.optional:
                lines += [f"        if ({self.java_name(each)} != null) {{", f"            {copy}", "        }"]
            else:
                lines.append(f"        {copy}")
        if "selected_out" in self._arguments:
            lines.append("        return selected[0];")
        if "first_count_out" in self._arguments:
            lines.append("        return new long[] {firstCount[0], secondCount[0]};")
        return lines

    def _values(self, parameter: Parameter) -> list[str]:
        name = parameter.name
        operation = f'"{self._calling}"'
        argument = self._arguments.get(name)
        if argument:
            match argument.role:
                case ArrayRole.EXECUTION:
                    return [
                        "where.kind()",
                        "where.deviceId()",
                        "where.architectures()",
                        "where.determinism().ordinal()",
                    ]
                case ArrayRole.NUMBER:
                    return [camel_case(name.removesuffix("_out"))]
                case ArrayRole.COUNT:
                    return [name]
                case ArrayRole.ENUMERATOR:
                    return [f"{name}.ordinal()"]
                case ArrayRole.OPERATOR:
                    name = self.java_name(argument)
                    opened = f"{name}.open({operation})"
                    return [f"{name} == null ? 0 : {opened}" if argument.optional else opened]
                case ArrayRole.VALUE:
                    return [self._address(argument, operation)]
            return [self._or_none(argument, f"HostArrays.address({self._elements(argument)})", "0")]
        if name.endswith("_size"):
            of = self._arguments[name.removesuffix("_size")]
            if of.role == ArrayRole.VALUE:
                size = f"{of.name}.type().size()"
                return [f"{of.name} == null ? 0 : {size}" if of.optional else size]
            return [self._or_none(of, f"HostArrays.size({self._elements(of)})", "0")]
        # The type of some of them.
        of = next(each for each in self._arguments.values() if each.type == name)
        if name == "levels" or (name == "accumulator" and _gives_a_value(self._function)):
            return [f"{'lower' if name == 'levels' else 'init'}.type().text()"]
        return [self._or_none(of, f"{self._elements(of)}.type().text()", "null")]

    def _address(self, value: ArrayArgument, operation: str) -> str:
        """Of a value, which is of another's type."""
        if value.name == "lower" or _gives_a_value(self._function):
            return f"{value.name}.address()"
        target = "lower.type()" if value.name == "upper" else "resultElements.type()"
        address = f'Algorithm.addressOf({operation}, "{value.name}", {value.name}, {target})'
        return f"{value.name} == null ? 0 : {address}" if value.optional else address

    def _or_none(self, argument: ArrayArgument, value: str, none: str) -> str:
        return f"{self._elements(argument)} == null ? {none} : {value}" if argument.optional else value
