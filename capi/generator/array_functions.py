"""The bodies of cuprum_parallel_<name>_array, from the headers and the table of the algorithms, unless a file in
src/parallel has them.

The C++ function takes what the C function takes, in its order, but for the results, which stand behind the operators,
and the execution, which is last: merge_keys(first_keys, second_keys, compare, keys_out, execution).
"""

from __future__ import annotations

from algorithms import OneShot
from array_calls import ArrayArgument, ArrayRole, arguments
from description import Description

#: The constants of C that an enumerator is one of.
_CONSTANTS = {
    "ArgKind": "CUPRUM_ARG_",
    "Bound": "CUPRUM_BOUND_",
    "Neighbour": "CUPRUM_NEIGHBOUR_",
    "ScanKind": "CUPRUM_SCAN_",
    "SortOrder": "CUPRUM_SORT_",
}


def text(description: Description, calls: list[OneShot], written: str) -> tuple[set[str], list[str]]:
    """The headers that are included, and the bodies. `written`: the files that have others."""
    includes, bodies = set(), []
    for call in {each.call.name: each for each in calls}.values():
        if call.call.name + "(" in written:
            continue
        includes.add(f'#include "cuprum/parallel/{call.header}.hpp"\n')
        bodies.append(_body(description, call))
    return includes, bodies


def _body(description: Description, call: OneShot) -> str:
    function, given = call.call, arguments(call.call)
    lines = [f'call.require({each.name}, "{each.name}");' for each in given if each.role == ArrayRole.NUMBER]
    types = {each.type: each.optional for each in reversed(given) if each.type}
    for name, optional in reversed(types.items()):
        read = "read_optional_type(" if optional else f'read_type(call, "{name}", '
        lines.append(f"const auto of_{name} = {read}{name});")
    values, results = [], []
    for each in given:
        match each.role:
            case ArrayRole.ENUMERATOR:
                enum_ = call.enums[each.name]
                count = sum(1 for name in description.constants if name.startswith(_CONSTANTS[enum_]))
                values.append(
                    f'read_choice<parallel::{enum_}>(call, "{each.name}", {each.name}, {count}, '
                    f'"{_CONSTANTS[enum_]}* (0 to {count - 1})")'
                )
            case ArrayRole.OPERATOR:
                lines.append(_operator(each))
                values.append(f"of_{each.name}" if each.optional else f"of_{each.name}->op")
            case ArrayRole.READ | ArrayRole.IN_PLACE:
                values.append(_elements("input" if each.role == ArrayRole.READ else "output", each))
            case ArrayRole.VALUE:
                values.append(_elements("value", each))
            case ArrayRole.COUNT:
                values.append(each.name)
            case ArrayRole.NUMBERS:
                values.append(f'read_numbers(call, "{each.name}", {each.name}, {each.name}_size)')
            case ArrayRole.RESULT:
                results.append(_elements("output", each))
    name = function.name.removeprefix("cuprum_parallel_").removesuffix("_array")
    called = f"parallel::{name}({', '.join([*values, *results, 'read_execution(call, execution)'])})"
    numbers = [each for each in given if each.role == ArrayRole.NUMBER]
    if len(numbers) > 1:
        lines.append(f"std::tie({', '.join(f'*{each.name}' for each in numbers)}) = {called};")
    else:
        lines += [f"*{each.name} = {called}{' ? 1 : 0' * each.is_truth};" for each in numbers] or [f"{called};"]
    parameters = ", ".join(f"{each.type} {each.name}" for each in function.parameters)
    body = "".join(f"        {line}\n" for line in lines)
    return (
        f'cuprum_status {function.name}({parameters}) {{\n    return run("{function.name}", [&](const Call& call) {{\n'
        f"{body}    }});\n}}\n"
    )


def _operator(argument: ArrayArgument) -> str:
    name = argument.name
    if not argument.optional:
        return f'const auto of_{name} = call.use({name}, "{name}");'
    return (
        f"const parallel::Operator of_{name} = {name} == nullptr ? parallel::Operator(parallel::OpKind::equal_to) : "
        f'call.use({name}, "{name}")->op;'
    )


def _elements(kind: str, argument: ArrayArgument) -> str:
    """Host memory as what the C++ functions take."""
    name = argument.name
    made = f'(call, "{name}", of_{argument.type}, {name}, {name}_size)'
    if kind == "value":
        return f"{'read_optional_value' if argument.optional else 'read_value'}{made}"
    return f"{'optional_' * argument.optional}host_{kind}{made}"
