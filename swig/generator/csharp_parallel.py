"""C#'s one-shot calls, Cuprum.Parallel, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

import re

from algorithms import OneShot
from description import Parameter
from managed_text import FIRST_LINE, Layout, csharp_comment

_LAYOUT = Layout(continuation="    ", width=120)
_OPERATORS = ("op", "compare", "condition")
_CLASS = """
/// <summary>
/// The parallel algorithms over arrays of numbers or of structs of numbers, in one call, which returns when it is done.
/// On a device it copies in, runs, and copies back; without an <see cref="Execution"/> that is device 0. On the host's
/// cores, <see cref="Execution.Host"/>, no driver and no compiler take part, and nothing is copied but the input of
/// ReduceByKey, RunLengthEncode and Partition. For elements that are on the device already, and for many calls, see
/// <see cref="Algorithm"/>.
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


def source(calls: list[OneShot]) -> str:
    """The whole file."""
    lines = [FIRST_LINE, "using System;", "using Cuprum.Native;", "", "namespace Cuprum {", "", _CLASS]
    for call in calls:
        for overload in call.csharp:
            lines += _Overload(call, overload).lines()
    return "\n".join([*lines, "}", "", "}"]) + "\n"


class _Overload:
    def __init__(self, call: OneShot, overload: str) -> None:
        self._call = call
        self._given = {each.name: each for each in call.call.parameters}
        self._parameters = [each.rpartition(" ")[::2] for each in overload.split(", ")]
        self._types = {name: type_.removesuffix("[]") for type_, name in self._parameters}
        self._operator = next((name for name in self._types if name in _OPERATORS), "")
        types = [type_ for type_ in self._types.values() if re.match(r"T($|\d|[A-Z])", type_)]
        if "result_type" in self._given:
            types.append("TResult")
        self._generic = list(dict.fromkeys(types))
        self._result = "TResult" if "TResult" in self._generic else "T"

    def lines(self) -> list[str]:
        if not self._operator and self._call.default_op:
            return self._method("", self._with_the_default())
        lines = self._method("Operator" if self._operator else "", self._body())
        if self._operator:
            symbols = ", ".join(["Symbol"] * (self._call.operands + 1))
            lines += self._method(f"Func<{symbols}>", self._through_an_operator())
            lines += self._method("string", self._through_an_operator())
        return lines

    def _returned(self) -> str:
        if "index_out" in self._given:
            return "long"
        if self._call.compares:
            return "bool"
        if "result" not in self._given:
            return "ulong" if "selected_out" in self._given else "void"
        return self._result if self._gives_a_value() else f"{self._result}[]"

    def _gives_a_value(self) -> bool:
        """Results that are arrays may be NULL, where they are of no elements."""
        return "result" in self._given and not self._given["result"].nullable

    def _method(self, operator: str, body: list[str]) -> list[str]:
        docs = [(name, self._call.docs[name]) for _, name in self._parameters]
        docs.append(("execution", "where it runs; null for device 0"))
        parameters = []
        for type_, name in self._parameters:
            default = " = SortOrder.Ascending" if name == "order" else ""
            parameters.append(f"{operator if name == self._operator else type_} {name}{default}")
        parameters.append("Execution execution = null")
        text = f"{self._call.doc} The operator is a traced function." if operator.startswith("Func") else self._call.doc
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
        given = ["made" if name == self._operator else name for _, name in self._parameters]
        returning = "" if self._returned() == "void" else "return "
        name = f"{self._call.csharp_name}<{', '.join(self._generic)}>"
        return [
            f"        using (var made = new Operator({self._operator})) {{",
            f"            {returning}{name}({', '.join([*given, 'execution'])});",
            "        }",
        ]

    def _with_the_default(self) -> list[str]:
        given = [*(name for _, name in self._parameters), f'"{self._call.default_op}"', "execution"]
        returning = "" if self._returned() == "void" else "return "
        return [f"        {returning}{self._call.csharp_name}<{', '.join(self._generic)}>({', '.join(given)});"]

    def _array(self, name: str) -> str | None:
        """The overload's name of an array that C calls `name`; None where it has none."""
        names = {"data": ("data", "first"), "keys": ("keys", "data")}.get(name, (name,))
        return next((each for each in names if each in self._types), None)

    def _body(self) -> list[str]:
        held = []
        checks = ["        Execution where = Execution.OrDevice0(execution);"]
        for name in ("data", "second", "keys", "values", "lengths"):
            if name in self._given and (array := self._array(name)):
                checks.append(f"        Require.NotNull({array}, nameof({array}));")
                held.append(f"using (var {name}Memory = new PinnedValue<{self._types[array]}>({array}))")
        if "init" in self._types:
            held.append(f"using (var initMemory = new PinnedValue<{self._types['init']}>(init))")
        after = []
        if "result" in self._given:
            length = "1" if self._gives_a_value() else f"{self._array('data')}.LongLength"
            checks.append(f"        var result = new {self._result}[{length}];")
            held.append(f"using (var resultMemory = new PinnedValue<{self._result}>(result))")
            after.append(f"        return result{'[0]' if self._gives_a_value() else ''};")
        if "selected_out" in self._given:
            checks.append("        ulong selected;")
            trim = "Array.Resize(ref result, (int)selected);" if "result" in self._given else "return selected;"
            after.insert(0, f"        {trim}")
        if "index_out" in self._given:
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

    def _values(self, parameter: Parameter) -> list[str]:
        name, call = parameter.name, self._call
        if name == "execution":
            return ["where.Kind", "where.DeviceId", "where.ArchitectureList", "(int)where.Determinism"]
        if name.endswith("_out"):
            return [f"out {name.removesuffix('_out')}"]
        if name in ("kind", "order"):
            return [self._enumerator(name)]
        if name in _OPERATORS:
            return [f'{self._operator}.Use("{call.calling}")' if self._operator else "NativeHandle.None"]
        if name == "equal":  # that of keys, equal_to
            return ["NativeHandle.None"]
        if name in ("accumulator", "result_type"):
            return [f"ElementText<{self._result}>.Value"]
        of = name.removesuffix("_size").removesuffix("_type")
        of = "data" if of == "type" else of
        element = self._result if of == "result" else self._types.get(self._array(of) or "")
        if name.endswith("type"):
            return [f"ElementText<{element}>.Value" if element else "null"]
        if name.endswith("_size"):
            return [f"{of}Memory.Size" if element else "0"]
        return [f"{of}Memory.Address" if element else "IntPtr.Zero"]

    def _enumerator(self, name: str) -> str:
        if name in self._types:
            return f"(int){name}"
        if name not in self._call.fixed:
            return "0"
        words = self._call.fixed[name].split("_")
        return f"(int){self._call.enums[name]}.{''.join(word.capitalize() for word in words)}"
