"""Java's classes of the algorithms, io.cuprum.Reduce and the like, from the C headers and capi/algorithms.toml."""

from __future__ import annotations

import double_buffer_calls
import field_sorts
import nary_calls
from algorithms import OUTPUT_SUFFIX, Algorithm, Argument, Role, camel_case
from managed_text import FIRST_LINE, Layout, forms, java_comment

_LAYOUT = Layout(continuation="        ", width=120)


def source(algorithm: Algorithm) -> str:
    """The whole file."""
    fields = _fields(algorithm)
    lines = [
        FIRST_LINE,
        "package io.cuprum;",
        "",
        "import io.cuprum.internal.CuprumNative;",
        "",
        *java_comment("", algorithm.summary, [], ""),
        f"public final class {algorithm.name} extends Algorithm {{",
        f'    private static final String OPERATION = "{algorithm.calling}";',
        "",
        *(f"    private final ElementType {field};" for field in fields),
        *(f"    private final int {camel_case(name)};" for name in algorithm.kept_numbers),
        *_constructors(algorithm, fields),
        *field_sorts.java(algorithm),
        *_result_type(algorithm),
        *_calls_in_a_stream(algorithm),
        *_calls_on_the_host(algorithm),
        *double_buffer_calls.java(algorithm),
        *nary_calls.java(algorithm),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _fields(algorithm: Algorithm) -> list[str]:
    """The types that calls need again, as names of fields."""
    found = [_field(algorithm, each.memory.of) for each in algorithm.of(Role.MEMORY) if each.memory]
    if algorithm.has(Role.INIT):
        found.append("accumulator")
    found += [each.of for each in (*algorithm.of(Role.VALUE), *algorithm.of(Role.VALUES)) if each.of != "uint64"]
    return [name for name in dict.fromkeys(found) if name]


def _field(algorithm: Algorithm, of: str) -> str:
    if of in algorithm.inputs:
        return "elementType" if of == "input" else f"{camel_case(of)}Type"
    return {"indexed": "resultType", "uint64": "", "bool": "", "output": "outputType"}.get(of, of)


def _type(algorithm: Algorithm, of: str) -> str:
    return _field(algorithm, of) or ("ElementType.BOOL" if of == "bool" else "ElementType.INT64")


def _output(name: str) -> str:
    """keysOutIterator of keys_target_iterator."""
    return f"{camel_case(name.removesuffix(OUTPUT_SUFFIX))}Iterator"


def _constructors(algorithm: Algorithm, fields: list[str]) -> list[str]:
    lines: list[str] = []
    outputs = [each for each in algorithm.build_arguments if each.role == Role.OUTPUT]
    others = [each for each in algorithm.build_arguments if each.role not in (Role.EXECUTION, Role.OUTPUT)]
    optional = [each for each in others if each.optional]
    choices = [(True, False), (False, False)] if optional else [(False, False)]
    if outputs:
        choices += [(alone, True) for alone, _ in choices]
    for alone, through in choices:
        present = [each for each in algorithm.build_arguments if not (alone and each in optional)]
        present = [each for each in present if through or each.role != Role.OUTPUT]
        present = [each for each in algorithm.build_arguments if each.role == Role.EXECUTION] + [
            each for each in present if each.role != Role.EXECUTION
        ]
        names = {each: algorithm.alone.get(each.name, each.name) if alone else each.name for each in present}
        names |= {each: _output(each.name) for each in outputs}
        docs = [(camel_case(names[each]), _build_doc(each)) for each in present]
        throws = []
        if any(each.role == Role.OPERATOR for each in present):
            throws = [("CompileException", "when the operator's text does not compile")]
        sentence = algorithm.build_docs[0 if alone or not optional else -1]
        lines += ["", *java_comment("    ", sentence, docs, "", throws)]
        parameters = [f"{_build_type(algorithm, each)} {camel_case(names[each])}" for each in present]
        lines += _LAYOUT.call(f"    public {algorithm.name}(", parameters, ") {")
        if alone or (outputs and not through):
            given = [camel_case(names[each]) if each in present else "null" for each in _execution_first(algorithm)]
            lines += _LAYOUT.call("        this(", given, ");")
        else:
            lines += _build(algorithm)
            for field in fields:
                lines.append(f"        this.{field} = {_field_value(algorithm, field)};")
            lines += [f"        this.{camel_case(name)} = {camel_case(name)};" for name in algorithm.kept_numbers]
        lines.append("    }")
    return lines


def _execution_first(algorithm: Algorithm) -> list[Argument]:
    return sorted(algorithm.build_arguments, key=lambda each: each.role != Role.EXECUTION)


def _build_doc(argument: Argument) -> str:
    if argument.role == Role.EXECUTION:
        return "where it will run, or what it is built for"
    return argument.doc + ("; null for none" if argument.optional else "")


def _build_type(algorithm: Algorithm, argument: Argument) -> str:
    match argument.role:
        case Role.EXECUTION:
            return "Execution"
        case Role.ENUMERATOR:
            return algorithm.enums[argument.name]
        case Role.INPUT | Role.OUTPUT:
            return "ElementIterator"
        case Role.OPERATOR:
            return "Operator"
        case Role.NUMBER:
            return "int"
    return "ElementType"


def _build(algorithm: Algorithm) -> list[str]:
    operation = f'"{algorithm.building}"'
    values: list[str] = []
    for argument in algorithm.build_arguments:
        name = camel_case(argument.name)
        match argument.role:
            case Role.EXECUTION:
                values += ["where.kind()", "where.deviceId()", "where.architectures()", "where.determinism().ordinal()"]
            case Role.ENUMERATOR:
                values.append(f"{name}.ordinal()")
            case Role.NUMBER:
                values.append(name)
            case Role.TYPE:
                values.append(f"{name} == null ? null : {name}.text()" if argument.optional else f"{name}.text()")
            case Role.OUTPUT:
                values.append(f"outputIterator({operation}, {_output(argument.name)})")
            case _:
                opened = f"{name}.open({operation})"
                values.append(f"{name} == null ? 0 : {opened}" if argument.optional else opened)
    kept = [camel_case(each.name) for each in algorithm.build_arguments if each.role in (Role.INPUT, Role.OPERATOR)]
    kept += [_output(each.name) for each in algorithm.build_arguments if each.role == Role.OUTPUT]
    return [
        "        super(execution, (built, where) -> {",
        *_LAYOUT.call(f"            CuprumNative.{algorithm.build.name}(", ["built", *values], ");"),
        *_keep("            ", kept),
        "        });",
    ]


def _field_value(algorithm: Algorithm, field: str) -> str:
    for name in algorithm.inputs:
        if field == _field(algorithm, name):
            return f"{camel_case(name)}.type()"
    if field == "resultType":
        return (
            'ElementType.structure("cuprum_indexed",\n'
            '                ElementType.field("index", ElementType.INT64), '
            'ElementType.field("value", input.type()))'
        )
    return {"outputType": "output"}.get(field, field)


def _result_type(algorithm: Algorithm) -> list[str]:
    if "resultType" not in _fields(algorithm):
        return []
    return [
        "",
        "    /** {@return the type of the result: a struct of index, INT64, and value, of the elements' type} */",
        "    public ElementType resultType() {",
        "        return resultType;",
        "    }",
    ]


def _public(algorithm: Algorithm, on_host: bool) -> list[Argument]:
    """The parameters of a call but for its stream and options."""
    left_out = {Role.ABSENT, Role.STATE, Role.STORAGE, Role.INIT_ADDRESS, Role.OUTPUT}
    return [
        each
        for each in algorithm.call_arguments
        if each.role not in left_out and not (on_host and each.memory and not each.memory.count)
    ]


def _call_type(argument: Argument, on_host: bool, init: str) -> str:
    match argument.role:
        case Role.INPUT:
            return "Object" if on_host else "ElementIterator"
        case Role.MEMORY:
            return "Object" if on_host else "Buffer"
        case Role.COUNT:
            return "long"
        case Role.VALUES:
            return "Object"
        case Role.INIT | Role.VALUE:
            return init
    return "BitRange"


def _call_doc(argument: Argument, on_host: bool, full: bool) -> str:
    doc = argument.doc
    if argument.role == Role.INPUT and on_host:
        doc = "an array, or an iterator of the kind that it was built for"
    elif argument.memory and on_host:
        doc = f"an array: {doc}"
    if argument.optional and full:
        doc += "; null for all" if argument.role == Role.BITS else "; null for none"
    return doc


def _calls_in_a_stream(algorithm: Algorithm) -> list[str]:
    lines: list[str] = []
    everything = _public(algorithm, on_host=False)
    for form in forms(everything):
        present = [each for each in form if each.role != Role.BITS]
        given = [_given(algorithm, each, present, "Number") for each in everything]
        lines += _call(algorithm, present, form, "Number", "void", on_host=False, full=False)
        lines += _LAYOUT.call("        run(", ["stream", *given, "CallOptions.NONE"], ");")
        lines.append("    }")
    given = [_given(algorithm, each, everything, "Value") for each in everything]
    for through in [False, True] if algorithm.outputs else [False]:
        lines += _call(algorithm, everything, everything, "Value", "void", on_host=False, full=True, through=through)
        lines += _LAYOUT.call("        run(", ["stream", *given, "options"], ");")
        lines += [*_keep_init(algorithm), "    }"]
    return [*lines, "", *_run_in_a_stream(algorithm, everything)]


def _calls_on_the_host(algorithm: Algorithm) -> list[str]:
    lines: list[str] = []
    everything = _public(algorithm, on_host=True)
    result = _result(algorithm)
    overloads: list[tuple[list[Argument], str]] = []
    for form in forms(everything):
        present = [each for each in form if each.role != Role.BITS]
        kinds = ["Number", "Value"] if any(each.role in (Role.INIT, Role.VALUE) for each in present) else [""]
        overloads += [(present, kind) for kind in kinds]
    if any(each.role == Role.BITS for each in everything):
        overloads.append((everything, ""))
    for present, init in overloads:
        returned = result if init != "Number" or result == "void" else "Number"
        lines += _call(algorithm, present, present, init, returned, on_host=True, full=False)
        given = [_given(algorithm, each, present, init) for each in everything]
        call = _LAYOUT.call("        run(", given, ")" + (".number();" if returned == "Number" else ";"))
        if result == "void":
            lines += call + (_keep_init(algorithm) if init == "Value" else [])
        elif init == "Value":
            call[0] = call[0].replace("        run(", f"        {returned} result = run(", 1)
            lines += [*call, *_keep_init(algorithm), "        return result;"]
        else:
            call[0] = call[0].replace("        run(", "        return run(", 1)
            lines += call
        lines.append("    }")
    lines += ["", *_run_on_the_host(algorithm, everything, result)]
    if algorithm.result in algorithm.outputs:
        lines += _calls_through_on_the_host(algorithm)
    return lines


def _calls_through_on_the_host(algorithm: Algorithm) -> list[str]:
    """With an iterator for the one element that a call returns otherwise."""
    lines: list[str] = []
    everything = _public(algorithm, on_host=False)
    for form in forms(everything):
        for init in ["Number", "Value"] if any(each.role in (Role.INIT, Role.VALUE) for each in form) else [""]:
            lines += _call(algorithm, form, form, init, "void", on_host=True, full=False, through=True)
            lines += _LAYOUT.call("        run(", [_given(algorithm, each, form, init) for each in everything], ");")
            lines += [*(_keep_init(algorithm) if init == "Value" else []), "    }"]
    parameters = [
        f"{'ElementIterator' if each.name == algorithm.result else _call_type(each, True, 'long')} "
        f"{camel_case(each.name)}"
        for each in everything
    ]
    values = _host_values(algorithm, returned=None)
    return [
        *lines,
        "",
        *_LAYOUT.call("    private void run(", parameters, ") {"),
        "        try (HostCall call = new HostCall(this, OPERATION)) {",
        *_native_call(algorithm, ["open(OPERATION)", "0", *values]),
        "        } finally {",
        *_keep("            ", ["this"]),
        "        }",
        "    }",
    ]


def _result(algorithm: Algorithm) -> str:
    memory = _result_memory(algorithm)
    if memory is None or memory.memory is None:
        return "void"
    return {"uint64": "long", "bool": "boolean"}.get(memory.memory.of, "Value")


def _result_memory(algorithm: Algorithm) -> Argument | None:
    return next((each for each in algorithm.of(Role.MEMORY) if each.name == algorithm.result), None)


def _name(algorithm: Algorithm, argument: Argument, present: list[Argument]) -> str:
    """Of the parameter in an overload that has those in `present`."""
    is_alone = any(each not in present for each in algorithm.call_arguments if each.role == Role.INPUT)
    return camel_case(algorithm.alone.get(argument.name, argument.name) if is_alone else argument.name)


def _given(algorithm: Algorithm, argument: Argument, present: list[Argument], init: str) -> str:
    name, is_present = _name(algorithm, argument, present), argument in present
    if argument.role == Role.INIT:
        if not is_present:
            return "0"
        number = f"Value.addressOfTemporary(accumulator, {name})"
        return number if init == "Number" else _address_of_value(argument, "accumulator")
    if argument.role == Role.VALUE:
        which = algorithm.of(Role.VALUE).index(argument)
        number = f"Value.addressOfTemporary({argument.of}, {name}, {which})"
        return number if init == "Number" else _address_of_value(argument, argument.of)
    if not is_present:
        return "null"
    return name


def _address_of_value(argument: Argument, type_: str) -> str:
    name = camel_case(argument.name)
    address = f'addressOf(OPERATION, "{name}", {name}, {type_})'
    return f"{name} == null ? 0 : {address}" if argument.optional else address


def _keep_init(algorithm: Algorithm) -> list[str]:
    values = [camel_case(each.name) for each in (*algorithm.of(Role.INIT), *algorithm.of(Role.VALUE))]
    return _keep("        ", values)


def _call(
    algorithm: Algorithm,
    present: list[Argument],
    form: list[Argument],
    init: str,
    returned: str,
    on_host: bool,
    full: bool,
    through: bool = False,
) -> list[str]:
    """The comment of a call, and its first lines. `through`: with iterators for outputs."""
    optional = [each for each in _public(algorithm, on_host) if each.optional and each.role != Role.BITS]
    has_optional = any(each in form for each in optional)
    sentence = algorithm.call_docs[-1 if has_optional else 0]
    if full and len(algorithm.call_docs) > 1:
        sentence = algorithm.call_docs[0].split()[0] + "."
    if on_host:
        sentence = sentence[:-1] + ", on the host's cores."
    names = {each: _name(algorithm, each, present) for each in present}
    outputs = algorithm.outputs if through else []
    docs = [(names[each], _call_doc(each, on_host and each.name not in outputs, full)) for each in present]
    types = {each: "ElementIterator" if each.name in outputs else _call_type(each, on_host, init) for each in present}
    parameters = [f"{types[each]} {names[each]}" for each in present]
    if not on_host:
        docs.insert(0, ("stream", "the stream that the call goes into"))
        parameters.insert(0, "Stream stream")
    if full:
        docs.append(("options", "temporary storage, the operator's state"))
        parameters.append("CallOptions options")
    returns = {
        "void": "",
        "long": "how many were selected",
        "boolean": "whether it is so",
        "Number": "the result, as {@link Value#number} gives it",
    }
    return [
        "",
        *java_comment("    ", sentence, docs, returns.get(returned, "the result")),
        *_LAYOUT.call(f"    public {returned} call(", parameters, ") {"),
    ]


def _run_in_a_stream(algorithm: Algorithm, everything: list[Argument]) -> list[str]:
    values: list[str] = []
    for argument in algorithm.call_arguments:
        name = camel_case(argument.name)
        match argument.role:
            case Role.INPUT:
                count = camel_case(algorithm.count_of(argument.name)) or "0"
                opened = f"{name}.openOnDevice(OPERATION, {count})"
                values.append(f"{name} == null ? 0 : {opened}" if argument.optional else opened)
            case Role.MEMORY:
                assert argument.memory
                function = "addressIfBuilt" if argument.optional else "addressOf"
                count = camel_case(argument.memory.count) or "1"
                if argument.name in algorithm.outputs:
                    function = "outputAddress"
                values.append(
                    f'{function}(OPERATION, "{name}", {name}, {_type(algorithm, argument.memory.of)}, {count})'
                )
            case Role.OUTPUT:
                values.append(f"outputIterator(OPERATION, {_written(algorithm, argument)})")
            case Role.STATE:
                values.append(f"options.{camel_case(argument.name)}(OPERATION)")
            case Role.STORAGE:
                values += ["options.storage()", "options.storageSize()"]
            case _:
                values += _plain_values(argument)
    kept = [camel_case(each.name) for each in everything if each.role in (Role.INPUT, Role.MEMORY)]
    kept += [f"{camel_case(each.name)}Elements" for each in algorithm.of(Role.VALUES)]
    types = {
        each: "Object" if each.name in algorithm.outputs else _call_type(each, False, "long") for each in everything
    }
    parameters = [f"{types[each]} {camel_case(each.name)}" for each in everything]
    return [
        *_LAYOUT.call("    private void run(", ["Stream stream", *parameters, "CallOptions options"], ") {"),
        *_arrays(algorithm),
        "        try {",
        *_native_call(algorithm, ["open(OPERATION)", "stream.open(OPERATION)", *values]),
        "        } finally {",
        *_keep("            ", ["this", "stream", *kept, "options"]),
        "        }",
        "    }",
    ]


def _host_values(algorithm: Algorithm, returned: str | None) -> list[str]:
    """What C is given after the algorithm and no stream; `returned`: the memory of what the call returns."""
    values: list[str] = []
    for argument in algorithm.call_arguments:
        name = camel_case(argument.name)
        match argument.role:
            case Role.INPUT:
                count = algorithm.count_of(argument.name)
                count = f", {camel_case(count)}" if count else ""
                opened = f"call.input({name}{count})"
                values.append(f"{name} == null ? 0 : {opened}" if argument.optional else opened)
            case Role.MEMORY if argument.name == returned:
                values.append("HostArrays.address(result)")
            case Role.MEMORY if argument.name == algorithm.result:
                values.append("0")
            case Role.MEMORY:
                assert argument.memory
                written = "someResults" if argument.memory.is_partial else "results"
                function = "elements" if argument.memory.is_read else written
                function += "IfBuilt" if argument.optional else ""
                of, count = _type(algorithm, argument.memory.of), camel_case(argument.memory.count)
                values.append(f'call.{function}("{name}", {name}, {of}, {count})')
            case Role.OUTPUT:
                is_result = argument.name == f"{returned}{OUTPUT_SUFFIX}"
                values.append("0" if is_result else f"call.output({_written(algorithm, argument)})")
            case Role.STATE:
                values.append("0")
            case Role.STORAGE:
                values += ["0", "0"]
            case _:
                values += _plain_values(argument)
    return values


def _run_on_the_host(algorithm: Algorithm, everything: list[Argument], result: str) -> list[str]:
    values = _host_values(algorithm, algorithm.result)
    parameters = [f"{_call_type(each, True, 'long')} {camel_case(each.name)}" for each in everything]
    lines = [
        *_LAYOUT.call(f"    private {result} run(", parameters, ") {"),
        *_arrays(algorithm),
        "        try (HostCall call = new HostCall(this, OPERATION)) {",
    ]
    memory = _result_memory(algorithm)
    if memory and memory.memory:
        lines.append(f"            HostArray result = new HostArray({_type(algorithm, memory.memory.of)}, 1);")
    lines += _native_call(algorithm, ["open(OPERATION)", "0", *values])
    if any(each.memory and each.memory.count and not each.memory.is_read for each in everything):
        lines.append("            call.finish();")
    if result != "void":
        read = {"long": ".number().longValue()", "boolean": ".number().intValue() != 0"}
        lines.append(f"            return result.get(0){read.get(result, '')};")
    kept = ["this", *(f"{camel_case(each.name)}Elements" for each in algorithm.of(Role.VALUES))]
    return [*lines, "        } finally {", *_keep("            ", kept), "        }", "    }"]


def _arrays(algorithm: Algorithm) -> list[str]:
    """The arrays of a call where C reads them."""
    lines = []
    for each in algorithm.of(Role.VALUES):
        name, type_ = camel_case(each.name), "ElementType.INT64" if each.of == "uint64" else each.of
        lines.append(f'        HostArray {name}Elements = elementsOf(OPERATION, "{name}", {name}, {type_});')
    return lines


def _written(algorithm: Algorithm, argument: Argument) -> str:
    """An output that may be an iterator, and how many elements are written."""
    memory = next(each for each in algorithm.of(Role.MEMORY) if f"{each.name}{OUTPUT_SUFFIX}" == argument.name)
    assert memory.memory
    return f"{camel_case(memory.name)}, {camel_case(memory.memory.count) or '1'}"


def _plain_values(argument: Argument) -> list[str]:
    match argument.role:
        case Role.INIT:
            size = "init == 0 ? 0 : accumulator.size()" if argument.optional else "accumulator.size()"
            return ["init", size]
        case Role.VALUE:
            return [camel_case(argument.name), f"{argument.of}.size()"]
        case Role.VALUES:
            elements = f"{camel_case(argument.name)}Elements"
            return [f"HostArrays.address({elements})", f"HostArrays.size({elements})"]
        case Role.BITS:
            return ["bits == null ? 0 : bits.begin()", "bits == null ? 0 : bits.end()"]
        case Role.ABSENT | Role.INIT_ADDRESS:
            return ["0"]
    return [camel_case(argument.name)]


def _native_call(algorithm: Algorithm, values: list[str]) -> list[str]:
    return _LAYOUT.call(f"            CuprumNative.{algorithm.call.name}(", values, ");")


def _keep(indent: str, names: list[str]) -> list[str]:
    """keep() takes four."""
    lines = []
    for some in _fours(names):
        padded = [*some, *["null"] * (4 - len(some))]
        lines.append(f"{indent}keep({', '.join(padded)});")
    return lines


def _fours(names: list[str]) -> list[tuple[str, ...]]:
    return [tuple(names[i : i + 4]) for i in range(0, len(names), 4)]
