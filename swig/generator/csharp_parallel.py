"""C#'s one-shot calls, Cuprum.Parallel, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

import re

import nary_calls
from algorithms import Algorithm, OneShot, camel_case
from array_calls import ArrayRole, arguments
from description import Parameter
from managed_text import FIRST_LINE, Layout, csharp_comment

_LAYOUT = Layout(continuation="    ", width=120)
_OPERATORS = ("op", "compare", "condition", "firstCondition", "secondCondition", "equal")
_ARRAYS = (ArrayRole.READ, ArrayRole.IN_PLACE, ArrayRole.RESULT, ArrayRole.NUMBERS)
_CLASS = """
/// <summary>
/// The parallel algorithms over arrays of numbers or of structs of numbers, in one call, which returns when it is done.
/// On a device it copies in, runs, and copies back; without an <see cref="Execution"/> that is device 0. On the host's
/// cores, <see cref="Execution.Host"/>, no driver and no compiler take part, and nothing is copied but the input of
/// ReduceByKey, RunLengthEncode and the partitions. For elements that are on the device already, and for many calls,
/// see <see cref="Algorithm"/>.
/// </summary>
/// <remarks>
/// Operators are CUDA C++ text, the name of a well-known one, or a traced function:
/// <c>Parallel.Reduce(data, 0f, (a, b) =&gt; a + b)</c>; see <see cref="Operator"/> and <see cref="Symbol"/>. A text
/// that does not compile is a <see cref="CompileException"/>, whose log has its own lines. <see cref="Execution.Host"/>
/// says what the host's cores take.
/// </remarks>
public static class Parallel {
    static Parallel() {
        NativeLibraries.Load();
    }
""".strip()


def source(algorithms: list[Algorithm], calls: list[OneShot]) -> str:
    """The whole file."""
    lines = [FIRST_LINE, "using System;", "using Cuprum.Native;", "", "namespace Cuprum {", "", _CLASS]
    for call in calls:
        for overload in call.csharp:
            lines += _Overload(call, overload).lines()
    for algorithm in algorithms:
        lines += nary_calls.csharp_over_arrays(algorithm)
    return "\n".join([*lines, "}", "", "}"]) + "\n"


def snake(name: str) -> str:
    """What a parameter is called in the table."""
    return re.sub("([A-Z])", lambda letter: "_" + letter[1].lower(), name)


class _Overload:
    def __init__(self, call: OneShot, overload: str) -> None:
        self._call = call
        self._arguments = {each.name: each for each in arguments(call.call)}
        self._results = [each for each in self._arguments.values() if each.role == ArrayRole.RESULT]
        self._parameters = [
            (type_, camel_case(name)) for type_, name in (each.rpartition(" ")[::2] for each in overload.split(", "))
        ]
        self._types = {name: type_.removesuffix("[]") for type_, name in self._parameters}
        self._operators = [name for name in self._types if name in _OPERATORS]
        types = [type_ for type_ in self._types.values() if re.match(r"T($|\d|[A-Z])", type_)]
        if "result_type" in {each.name for each in call.call.parameters} and not call.csharp_makes:
            types.append("TResult")
        self._generic = list(dict.fromkeys(types))
        # Type, name and value of the array of results that is made.
        made, _, self._made_value = call.csharp_makes.partition(" = ")
        type_, _, name = made.partition(" ")
        self._made = camel_case(name)
        self._result = type_.removesuffix("[]") or ("TResult" if "TResult" in self._generic else "T")

    def lines(self) -> list[str]:
        if not self._operators and self._call.default_op:
            return self._method("", self._with_the_default())
        lines = self._method("Operator" if self._operators else "", self._body())
        if self._operators:
            symbols = ", ".join(["Symbol"] * (self._call.operands + 1))
            lines += self._method(f"Func<{symbols}>", self._through_an_operator())
            lines += self._method("string", self._through_an_operator())
        return lines

    def _returned(self) -> str:
        if "index_out" in self._arguments:
            return "long"
        if self._call.compares:
            return "bool"
        if "first_count_out" in self._arguments:
            return "ulong[]"
        if not self._makes_results():
            return "ulong" if "selected_out" in self._arguments else "void"
        return self._result if self._gives_a_value() else f"{self._result}[]"

    def _gives_a_value(self) -> bool:
        """Results that are arrays may be NULL, where they are of no elements."""
        return any(each.name == "result" and not each.nullable for each in self._call.call.parameters)

    def _makes_results(self) -> bool:
        """Whether they are not parameters."""
        return bool(self._results) and camel_case(self._results[0].name) not in self._types

    def _method(self, operator: str, body: list[str]) -> list[str]:
        texts = {camel_case(name): text for name, text in self._call.docs.items()}
        docs = [(name, texts[name]) for _, name in self._parameters]
        docs.append(("execution", "where it runs; null for device 0"))
        parameters = []
        for type_, name in self._parameters:
            default = " = SortOrder.Ascending" if name == "order" else ""
            parameters.append(f"{operator if name in self._operators else type_} {name}{default}")
        parameters.append("Execution execution = null")
        text = self._call.doc
        if operator.startswith("Func"):
            text += f" The operator{'s are traced functions' if len(self._operators) > 1 else ' is a traced function'}."
        head = f"    public static {self._returned()} {self._call.csharp_name}<{', '.join(self._generic)}>("
        constraints = "".join(f" where {each} : struct" for each in self._generic)
        returns = "" if self._returned() == "void" else self._call.returns
        if self._returned().endswith("[]"):
            returns = f"a new array with {returns}"
        opening = _LAYOUT.call(head, parameters, ")")
        if len(opening[-1]) + len(constraints) + 2 <= 120:
            opening[-1] += f"{constraints} {{"
        else:
            opening.append(f"       {constraints} {{")
        return ["", *csharp_comment("    ", text, docs, returns), *opening, *body, "    }"]

    def _through_an_operator(self) -> list[str]:
        made = {each: "made" if len(self._operators) == 1 else camel_case(f"made_{each}") for each in self._operators}
        given = [made.get(name, name) for _, name in self._parameters]
        returning = "" if self._returned() == "void" else "return "
        name = f"{self._call.csharp_name}<{', '.join(self._generic)}>"
        opened = [f"        using (var {made[each]} = new Operator({each}))" for each in self._operators]
        return [
            *opened[:-1],
            opened[-1] + " {",
            *_LAYOUT.call(f"            {returning}{name}(", [*given, "execution"], ");"),
            "        }",
        ]

    def _with_the_default(self) -> list[str]:
        given = [*(name for _, name in self._parameters), f'"{self._call.default_op}"', "execution"]
        returning = "" if self._returned() == "void" else "return "
        name = f"{self._call.csharp_name}<{', '.join(self._generic)}>"
        return _LAYOUT.call(f"        {returning}{name}(", given, ");")

    def _array(self, name: str) -> str | None:
        """The overload's name of an array that C calls `name`; None where it has none."""
        names = {"data": ("data", "first"), "keys": ("keys", "data")}.get(name, (name,))
        return next((each for each in map(camel_case, names) if each in self._types), None)

    def _body(self) -> list[str]:
        held, values_held = [], 0
        checks = ["        Execution where = Execution.OrDevice0(execution);"]
        for name, argument in self._arguments.items():
            is_array = argument.role in _ARRAYS
            if is_array and (array := self._array(name)):
                checks.append(f"        Require.NotNull({array}, nameof({array}));")
                held.append(f"using (var {camel_case(name)}Memory = new PinnedValue<{self._types[array]}>({array}))")
            elif argument.role == ArrayRole.VALUE and name in self._types:
                # Each value of a call has a place of its own.
                given = f"{name}, {values_held}" if values_held else name
                values_held += 1
                held.append(f"using (var {name}Memory = new PinnedValue<{self._types[name]}>({given}))")
        after = []
        if self._makes_results():
            length = "1" if self._gives_a_value() else f"{self._array('data') or self._array('keys')}.LongLength"
            made, value = self._made or "result", self._made_value or f"new {self._result}[{length}]"
            for parameter in sorted(self._types, key=len, reverse=True):
                value = re.sub(rf"\b{snake(parameter)}\b", parameter, value)
            checks.append(f"        var {made} = {value};".replace("OPERATION", f'"{self._call.calling}"'))
            held.append(f"using (var {made}Memory = new PinnedValue<{self._result}>({made}))")
            after.append(f"        return {made}{'[0]' if self._gives_a_value() else ''};")
        if "selected_out" in self._arguments:
            checks.append("        ulong selected;")
            trim = "Array.Resize(ref result, (int)selected);" if self._makes_results() else "return selected;"
            after.insert(0, f"        {trim}")
        if "first_count_out" in self._arguments:
            checks += ["        ulong firstCount;", "        ulong secondCount;"]
            after.append("        return new[] { firstCount, secondCount };")
        if "index_out" in self._arguments:
            checks.append("        long index;")
            after.append("        return index;")
        if self._call.compares:
            checks.append("        int equal;")
            after.append("        return equal != 0;")
        held[-1] += " {"
        values = [value for each in self._call.call.parameters for value in self._values(each)]
        return [
            *checks,
            *(f"        {each}" for each in held),
            *_LAYOUT.call(f"            CuprumNative.{self._call.call.name}(", values, ");"),
            "        }",
            *after,
        ]

    def _element(self, name: str) -> str:
        """The type of what C calls `name`, an array or a value; "" where this overload has none."""
        argument = self._arguments[name]
        if argument.role == ArrayRole.RESULT and self._makes_results():
            return self._result
        return self._types.get(self._array(name) or "", "")

    def _values(self, parameter: Parameter) -> list[str]:
        name, call = parameter.name, self._call
        argument = self._arguments.get(name)
        if argument:
            match argument.role:
                case ArrayRole.EXECUTION:
                    return ["where.Kind", "where.DeviceId", "where.ArchitectureList", "(int)where.Determinism"]
                case ArrayRole.NUMBER:
                    return [f"out {camel_case(name.removesuffix('_out'))}"]
                case ArrayRole.COUNT:
                    return [name]
                case ArrayRole.ENUMERATOR:
                    return [self._enumerator(name)]
                case ArrayRole.OPERATOR:
                    given = next((each for each in (camel_case(name), *self._operators) if each in self._operators), "")
                    given = "" if name == "equal" and name not in self._operators else given
                    return [f'{given}.Use("{call.calling}")' if given else "NativeHandle.None"]
            return [f"{self._memory(name)}.Address" if self._element(name) else "IntPtr.Zero"]
        if name.endswith("_size"):
            of = name.removesuffix("_size")
            return [f"{self._memory(of)}.Size" if self._element(of) else "0"]
        # The type of some of them.
        typed = [self._element(each.name) for each in self._arguments.values() if each.type == name]
        element = next((each for each in typed if each), "")
        return [f"ElementText<{element}>.Value" if element else "null"]

    def _memory(self, name: str) -> str:
        if self._arguments[name].role == ArrayRole.RESULT and self._makes_results():
            return f"{self._made or 'result'}Memory"
        return f"{camel_case(name)}Memory"

    def _enumerator(self, name: str) -> str:
        if name in self._types:
            return f"(int){name}"
        if name not in self._call.fixed:
            return "0"
        words = self._call.fixed[name].split("_")
        return f"(int){self._call.enums[name]}.{''.join(word.capitalize() for word in words)}"
