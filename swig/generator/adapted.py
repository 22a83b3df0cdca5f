"""The functions of the C ABI as the languages see them, where that differs from C.

A structure that is passed in becomes its fields, as plain numbers, and a list of structures a list for each field:
nothing to lay out a second time in another language.
"""

from __future__ import annotations

import dataclasses
import itertools

from description import Description, Function, Parameter, Struct

#: What Python calls by C of its own (launch.hpp, graph_handle.hpp, host_function.hpp, user_memory_resource.hpp and
#: broadcast.hpp in swig/python), and so has no function for.
ABSENT_IN_PYTHON = frozenset(
    {
        "cuprum_communicator_create_process",
        "cuprum_graph_builder_callback",
        "cuprum_graph_definition_add_callback",
        "cuprum_graph_definition_add_kernel",
        "cuprum_graph_definition_update_callback",
        "cuprum_graph_definition_update_kernel",
        "cuprum_graph_update_callback",
        "cuprum_graph_update_kernel",
        "cuprum_launch",
        "cuprum_memory_resource_create_user",
        "cuprum_stream_launch_host_function",
    }
)


def struct_parameters(description: Description, function: Function) -> list[tuple[Parameter, Struct]]:
    """The parameters that are pointers to structures of the caller's, struct_size first."""
    found = []
    for parameter in function.parameters:
        struct = description.structs.get(parameter.pointee)
        if struct and struct.is_input and struct.fields[0].name == "struct_size":
            found.append((parameter, struct))
    return found


def fields(
    function: Function, parameter: Parameter, struct: Struct, others: list[tuple[Parameter, Struct]]
) -> dict[str, Parameter]:
    """The structure's fields as parameters, by the fields' names. Where the function has a parameter of a field's name,
    or another structure has such a field, the parameter's stands before it: execution_kind beside kind."""
    taken = {each.name for each in function.parameters}
    taken |= {field.name for other, its_struct in others if other != parameter for field in its_struct.fields}
    return {
        field.name: dataclasses.replace(field, name=f"{parameter.name}_{field.name}") if field.name in taken else field
        for field in struct.fields[1:]
    }


def list_parameters(description: Description, function: Function) -> list[tuple[Parameter, Parameter, Struct]]:
    """The parameters that are lists of structures, whose lengths follow them. Such structures have texts, handles,
    uint64_t and addresses of host memory."""
    found = []
    for parameter, length in itertools.pairwise(function.parameters):
        struct = description.structs.get(parameter.pointee)
        if struct and struct.is_input and all(_list_types(description, field) for field in struct.fields):
            found.append((parameter, length, struct))
    return found


def field_lists(
    description: Description, parameter: Parameter, struct: Struct
) -> dict[str, tuple[Parameter, Parameter]]:
    """For each field of the structures in a list the parameters that are the list of it, and its length: in elements;
    of numbers and addresses, which are host memory with uint64_t, in bytes."""
    lists = {}
    for field in struct.fields:
        types = _list_types(description, field)
        assert types
        type_, length = types
        name = f"{parameter.name}_{field.name}"
        lists[field.name] = Parameter(name, type_), Parameter(f"{name}_{length[0]}", length[1])
    return lists


def _list_types(description: Description, field: Parameter) -> tuple[str, tuple[str, str]] | None:
    """The type of a list of the field, and the ending and type of its length; None where it cannot be in a list."""
    if field.type == "const char*":
        return "const char* const*", ("count", "uint32_t")
    if field.type in description.handles:
        return f"const {field.type}*", ("count", "uint32_t")
    return ("const void*", ("size", "uint64_t")) if field.type in ("uint64_t", "const void*") else None


def adapted(description: Description, function: Function) -> Function | None:
    """The function with the fields of structures in their place; None where it takes no structure."""
    structs = struct_parameters(description, function)
    lists = list_parameters(description, function)
    if not structs and not lists:
        return None
    struct_of = dict(structs)
    list_of = {parameter: struct for parameter, _, struct in lists}
    lengths = {length for _, length, _ in lists}
    parameters: list[Parameter] = []
    for parameter in function.parameters:
        if parameter in lengths:
            continue
        if struct := struct_of.get(parameter):
            parameters += fields(function, parameter, struct, structs).values()
        elif struct := list_of.get(parameter):
            parameters += itertools.chain(*field_lists(description, parameter, struct).values())
        else:
            parameters.append(parameter)
    return dataclasses.replace(
        function, name=function.name.replace("cuprum_", "cuprum_adapted_", 1), parameters=tuple(parameters)
    )
