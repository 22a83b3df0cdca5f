"""What the parameters of the calls over arrays in host memory are: cuprum_parallel_<name>_array.

They are in this order: numbers that are found, arrays of results, the execution, and then what the call is made of, in
which a `void*` is an array that is read and written. The type of an array X is the text X_type (that of `data` is
`type`), and its bytes are X_size. Results without a type of their own have that of `accumulator`, or of the array that
they are named after: keys_target of `keys` or `first_keys`, and `result` of `data`. Positions are of `positions_type`.
"""

from __future__ import annotations

import dataclasses
import enum

from description import Function


class ArrayRole(enum.Enum):
    NUMBER = enum.auto()
    RESULT = enum.auto()
    EXECUTION = enum.auto()
    ENUMERATOR = enum.auto()
    COUNT = enum.auto()
    NUMBERS = enum.auto()  # an array of uint64
    READ = enum.auto()
    IN_PLACE = enum.auto()
    VALUE = enum.auto()
    OPERATOR = enum.auto()


@dataclasses.dataclass(frozen=True)
class ArrayArgument:
    """A parameter, with its type and size where it has them."""

    role: ArrayRole
    name: str
    #: The parameter with the type of the elements, or of the value.
    type: str = ""
    #: May be left out, beside being NULL because it has no elements.
    optional: bool = False
    is_truth: bool = False


def arguments(function: Function) -> list[ArrayArgument]:
    """What a call takes, in its order."""
    parameters = {each.name: each for each in function.parameters}
    found: list[ArrayArgument] = []
    is_before_execution = True
    for name, parameter in parameters.items():
        if parameter.is_output:
            found.append(ArrayArgument(ArrayRole.NUMBER, name, is_truth=parameter.is_truth))
        elif name == "execution":
            is_before_execution = False
            found.append(ArrayArgument(ArrayRole.EXECUTION, name))
        elif name == "channels":
            found.append(ArrayArgument(ArrayRole.COUNT, name))
        elif name == "bins":
            found.append(ArrayArgument(ArrayRole.NUMBERS, name))
        elif parameter.type == "int32_t":
            found.append(ArrayArgument(ArrayRole.ENUMERATOR, name))
        elif parameter.type == "cuprum_parallel_operator":
            found.append(ArrayArgument(ArrayRole.OPERATOR, name, optional=parameter.nullable))
        elif parameter.type in ("void*", "const void*"):
            own = "type" if name == "data" else f"{name}_type"
            if is_before_execution:
                type_ = own if own in parameters else _type_of_result(name, parameters)
                found.append(ArrayArgument(ArrayRole.RESULT, name, type_))
            elif own in parameters:
                role = ArrayRole.IN_PLACE if parameter.type == "void*" else ArrayRole.READ
                found.append(ArrayArgument(role, name, own, optional=parameters[own].nullable))
            else:
                type_ = "accumulator" if name == "init" else "levels"
                found.append(ArrayArgument(ArrayRole.VALUE, name, type_, optional=parameter.nullable))
    return found


def _type_of_result(name: str, parameters: object) -> str:
    base = name.removesuffix("_target")
    candidates = [f"{base}_type", f"first_{base}_type", "positions_type", "accumulator", "type"]
    assert isinstance(parameters, dict)
    return next(each for each in candidates if each in parameters)
