"""The functions of the C ABI as the languages see them, where that differs from C.

A structure that is passed in becomes its fields, as plain numbers: nothing to allocate, and nothing to lay out a second
time in another language.
"""

from __future__ import annotations

import dataclasses

from description import Description, Function, Parameter, Struct

#: What Python calls by C of its own (swig/python/launch.hpp), and so has no function for.
ABSENT_IN_PYTHON = frozenset({"cuprum_launch"})


def struct_parameter(description: Description, function: Function) -> tuple[Parameter, Struct] | None:
    """The parameter that is a pointer to a structure of the caller's, struct_size first."""
    for parameter in function.parameters:
        struct = description.structs.get(parameter.pointee)
        if struct and struct.is_input and struct.fields[0].name == "struct_size":
            return parameter, struct
    return None


def fields(function: Function, parameter: Parameter, struct: Struct) -> dict[str, Parameter]:
    """The structure's fields as parameters, by the fields' names. Where the function has a parameter of a field's name
    the structure's stands before it: execution_kind beside kind."""
    taken = {each.name for each in function.parameters}
    return {
        field.name: dataclasses.replace(field, name=f"{parameter.name}_{field.name}") if field.name in taken else field
        for field in struct.fields[1:]
    }


def adapted(description: Description, function: Function) -> Function | None:
    """The function with the structure's fields in its place; None where it takes no structure."""
    found = struct_parameter(description, function)
    if not found:
        return None
    parameters: list[Parameter] = []
    for parameter in function.parameters:
        parameters += fields(function, *found).values() if parameter == found[0] else [parameter]
    return dataclasses.replace(
        function, name=function.name.replace("cuprum_", "cuprum_adapted_", 1), parameters=tuple(parameters)
    )
