"""Java's one-shot calls, io.cuprum.Parallel, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

from algorithms import OneShot, camel_case
from description import Function, Parameter
from managed_text import FIRST_LINE, Layout, java_comment

_LAYOUT = Layout(continuation="        ", width=120)
_OPERATORS = ("op", "compare", "condition")
_ENUMERATORS = ("kind", "order")
#: Arrays that are read, and those that are sorted in place.
_READ, _IN_PLACE = ("data", "second"), ("keys", "values", "lengths")
#: What C writes to, and its type in Java, an array of one.
_OUTPUTS = {"selected_out": "long", "index_out": "long", "equal_out": "int"}
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


def source(calls: list[OneShot]) -> str:
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
        lines += ["", *_Core(call.call, call.calling).lines()]
    return "\n".join([*lines, "}"]) + "\n"


def _parameters(overload: str) -> list[tuple[str, str]]:
    """Types and names; an operator has no type."""
    found = []
    for each in overload.split(", "):
        type_, _, name = each.rpartition(" ")
        found.append((type_, name))
    return found


def _function(call: OneShot) -> str:
    return f"{'Unary' if call.operands == 1 else 'Binary'}Operator<Symbol>"


def _returned(call: OneShot, overload: list[tuple[str, str]]) -> str:
    if ("A", "data") in overload or ("A", "first") in overload:
        return "A"
    if call.compares:
        return "boolean"
    if any(each.name in _OUTPUTS for each in call.call.parameters):
        return "long"
    return "Value" if _gives_a_value(call.call) else "void"


def _method(call: OneShot, overload: list[tuple[str, str]], text: str, returns: str) -> list[str]:
    """The comment and the first line."""
    returned = _returned(call, overload)
    generic = "<A> " if returned == "A" else ""
    docs = [("<A>", "the type of the arrays")] if generic else []
    docs += [(name, "where it runs" if name == "execution" else call.docs[name]) for _, name in overload]
    parameters = [f"{type_} {name}" for type_, name in overload]
    head = f"    public static {generic}{returned} {camel_case(call.name)}("
    return ["", *java_comment("    ", text, docs, returns), *_LAYOUT.call(head, parameters, ") {")]


def _overload(call: OneShot, overload: list[tuple[str, str]], fullest: list[tuple[str, str]]) -> list[str]:
    name = camel_case(call.name)
    execution = ("Execution", "execution")
    operator = next((each for _, each in overload if each in _OPERATORS), "")
    types = ["Operator", "String", _function(call)] if operator else [""]
    returned = _returned(call, overload)
    returning = "" if returned == "void" else "return "
    returns = f"a new array with {call.returns}" if returned == "A" else "" if returned == "void" else call.returns
    lines: list[str] = []
    for type_ in types:
        typed = [(type_, each) if each == operator else (given, each) for given, each in overload]
        text = call.doc if type_ != _function(call) else f"{call.doc} The operator is a traced function."
        given = ", ".join(each for _, each in typed)
        lines += _method(call, typed, text, returns)
        lines += [f"        {returning}{name}({given}, DEFAULT);", "    }"]
        lines += _method(call, [*typed, execution], text, returns)
        if type_ == "Operator" or (not operator and not call.default_op):
            lines += _run(call, typed, returned)
        elif type_:
            made = "new Operator" if type_ == "String" else "Operator.of"
            inner = ", ".join("made" if each == operator else each for _, each in typed)
            lines += [
                f"        try (Operator made = {made}({operator})) {{",
                f"            {returning}{name}({inner}, execution);",
                "        }",
            ]
        else:
            given_names = {each for _, each in typed}
            defaults = {"op": f'"{call.default_op}"', "init": "0"}
            full = ", ".join(each if each in given_names else defaults[each] for _, each in fullest)
            lines.append(f"        {returning}{name}({full}, execution);")
        lines.append("    }")
    return lines


def _run(call: OneShot, overload: list[tuple[str, str]], returned: str) -> list[str]:
    """Calls what _Core makes."""
    names = {"data" if name == "first" else name: (type_, name) for type_, name in overload}
    if "keys" in {each.name for each in call.call.parameters} and "data" in names:
        names["keys"] = names.pop("data")
    core = _Core(call.call, call.calling)
    given = []
    for name in core.parameters():
        if name == "execution":
            given.append("execution")
        elif name in call.fixed:
            given.append(f"{call.enums[name]}.{call.fixed[name]}")
        elif name in _OPERATORS:
            given.append(next((each for each in _OPERATORS if each in names), "null"))
        elif name == "init" and name in names and names[name][0] == "Number":
            given.append("Value.of(HostArrays.typeOf(data), init)")
        elif name == "order" and name not in names:
            given.append("SortOrder.ASCENDING")
        elif name == "results" and returned == "A":
            given.append("results")
        elif name in ("second", "values") and name in names:
            given.append(f"HostArrays.present({name})")
        else:
            given.append(names[name][1] if name in names else "null")
    invocation = f"{core.name}({', '.join(given)})"
    if returned == "A" and core.fills_results:
        first = names["data"][1]
        return [f"        A results = HostArrays.like({first});", f"        {invocation};", "        return results;"]
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

    def __init__(self, function: Function, calling: str) -> None:
        self._function = function
        self._calling = calling
        self._given = {each.name: each for each in function.parameters}
        self.name = camel_case(function.name.removeprefix("cuprum_parallel_"))
        self._selects = "selected_out" in self._given and "result" in self._given
        self.fills_results = "result" in self._given and not self._selects and not _gives_a_value(function)

    def parameters(self) -> list[str]:
        known = ("execution", *_ENUMERATORS, *_READ, *_IN_PLACE, "init", *_OPERATORS)
        names = [each.name for each in self._function.parameters if each.name in known]
        return names + (["results"] if self.fills_results else [])

    def _type(self, name: str) -> str:
        if name in _OPERATORS:
            return "Operator"
        if name == "kind":
            return "ScanKind" if "init" in self._given else "ArgKind"
        types = {"execution": "Execution", "order": "SortOrder", "init": "Value"}
        return types.get(name, "A" if self._selects else "Object")

    def lines(self) -> list[str]:
        returned = "void"
        if _gives_a_value(self._function):
            returned = "Value"
        elif self._selects:
            returned = "<A> A"
        elif "equal_out" in self._given:
            returned = "boolean"
        elif "index_out" in self._given or "selected_out" in self._given:
            returned = "long"
        parameters = [f"{self._type(name)} {name}" for name in self.parameters()]
        arrays = [name for name in self.parameters() if name in (*_READ, *_IN_PLACE)]
        lines = _LAYOUT.call(f"    private static {returned} {self.name}(", parameters, ") {")
        lines.append("        NativeExecution where = NativeExecution.of(execution);")
        for name in arrays:
            elements = f"HostArrays.of({name})"
            if self._given[f"{_type_of(name)}"].nullable:
                elements = f"{name} == null ? null : {elements}"
            lines.append(f"        HostArray {name}Elements = {elements};")
        kept = [f"{name}Elements" for name in arrays]
        if "result" in self._given:
            made = "HostArrays.room(results)"
            if _gives_a_value(self._function):
                made = "new HostArray(init.type(), 1)"
            elif self._selects:
                made = "new HostArray(dataElements.type(), dataElements.length())"
            lines.append(f"        HostArray resultElements = {made};")
            kept.append("resultElements")
        for output, type_ in _OUTPUTS.items():
            if output in self._given:
                lines.append(f"        {type_}[] {output.removesuffix('_out')} = new {type_}[1];")
        values = [value for each in self._function.parameters for value in self._values(each)]
        kept += [name for name in self.parameters() if name == "init" or name in _OPERATORS]
        lines += _LAYOUT.call(f"        CuprumNative.{self._function.name}(", values, ");")
        for start in range(0, len(kept), 4):
            some = (kept[start : start + 4] + ["null"] * 4)[:4]
            lines.append(f"        Algorithm.keep({', '.join(some)});")
        return [*lines, *self._after(arrays), "    }"]

    def _after(self, arrays: list[str]) -> list[str]:
        if _gives_a_value(self._function):
            return ["        return resultElements.get(0);"]
        if self._selects:
            return ["        return HostArrays.firstOf(resultElements, (int) selected[0], data);"]
        if "index_out" in self._given:
            return ["        return index[0];"]
        if "equal_out" in self._given:
            return ["        return equal[0] != 0;"]
        if self.fills_results:
            return ["        HostArrays.copyBack(resultElements, results);"]
        lines = []
        for name in arrays:
            copy = f"HostArrays.copyBack({name}Elements, {name});"
            if self._given[_type_of(name)].nullable:
                lines += [f"        if ({name} != null) {{", f"            {copy}", "        }"]
            else:
                lines.append(f"        {copy}")
        if "selected_out" in self._given:
            lines.append("        return selected[0];")
        return lines

    def _values(self, parameter: Parameter) -> list[str]:
        name = parameter.name
        operation = f'"{self._calling}"'
        if name == "execution":
            return ["where.kind()", "where.deviceId()", "where.architectures()", "where.determinism().ordinal()"]
        if name in _OUTPUTS:
            return [name.removesuffix("_out")]
        if name == "equal":  # that of keys, equal_to
            return ["0"]
        if name in _ENUMERATORS:
            return [f"{name}.ordinal()"]
        if name in _OPERATORS:
            opened = f"{name}.open({operation})"
            return [f"{name} == null ? 0 : {opened}" if parameter.nullable else opened]
        if name in ("accumulator", "result_type"):
            return [f"{'init' if _gives_a_value(self._function) else 'resultElements'}.type().text()"]
        if name == "init":
            target = "init.type()" if _gives_a_value(self._function) else "resultElements.type()"
            address = f'Algorithm.addressOf({operation}, "init", init, {target})'
            return [f"init == null ? 0 : {address}" if parameter.nullable else "init.address()"]
        if name == "init_size":
            return ["init == null ? 0 : init.type().size()" if self._given["init"].nullable else "init.type().size()"]
        of = "result" if name.startswith("result") else name.removesuffix("_size").removesuffix("_type")
        of = "data" if of == "type" else of
        elements, is_optional = f"{of}Elements", of != "result" and self._given[_type_of(of)].nullable
        if name.endswith("type"):
            value, none = f"{elements}.type().text()", "null"
        else:
            value, none = f"HostArrays.{'size' if name.endswith('_size') else 'address'}({elements})", "0"
        return [f"{elements} == null ? {none} : {value}" if is_optional else value]


def _type_of(name: str) -> str:
    """The parameter with the type of an array's elements."""
    return "type" if name == "data" else f"{name}_type"
