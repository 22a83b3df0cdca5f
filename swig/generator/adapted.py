"""The functions of the C ABI as the languages see them, where that differs from C.

A structure that is passed in becomes its fields, as plain numbers: nothing to allocate, and nothing to lay out a second
time in another language.
"""

from __future__ import annotations

import dataclasses

from description import Description, Function, Parameter, Struct

#: What Python calls by C of its own (launch.hpp, graph_handle.hpp, host_function.hpp and user_memory_resource.hpp in
#: swig/python), and so has no function for.
ABSENT_IN_PYTHON = frozenset(
    {
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


def adapted(description: Description, function: Function) -> Function | None:
    """The function with the fields of structures in their place; None where it takes no structure."""
    structs = struct_parameters(description, function)
    if not structs:
        return None
    struct_of = dict(structs)
    parameters: list[Parameter] = []
    for parameter in function.parameters:
        struct = struct_of.get(parameter)
        parameters += fields(function, parameter, struct, structs).values() if struct else [parameter]
    return dataclasses.replace(
        function, name=function.name.replace("cuprum_", "cuprum_adapted_", 1), parameters=tuple(parameters)
    )
