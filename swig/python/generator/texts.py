"""What the bindings say of themselves: signatures, documentation, and the types of arguments and results."""

from __future__ import annotations

from plan import STATUSES, Function, Parameter, Type


def signature(function: Function) -> str:
    """As inspect.signature reads it: "cuMemAlloc(bytesize)"."""
    names = [
        function.parameters[i].name + ("=0" if function.parameters[i].optional else "") for i in function.arguments
    ]
    return f"{function.name}({', '.join(names)})"


def documentation(function: Function) -> str:
    """What help() shows, in the layout from which Python takes the signature."""
    status = STATUSES[function.library]
    returned = [f"{p.name}: {result_type(p)}" for p in function.returned]
    if function.result == "text":
        returned.append("text: bytes")
    if function.result == "structure":
        returned.append(f"value: {class_name(function.structure_type, None)}")
    values = ", ".join([status, *returned])
    comma = "," if not returned else ""
    note = ""
    if any(p.passing == "buffer" for p in function.parameters):
        name = next(p.name for p in function.parameters if p.passing == "buffer")
        note = f"\nAn int for {name} is how many bytes to return after the status, as bytes."
    in_c = f"As in C: {function.declaration}" if returned or note else f"In C: {function.declaration}"
    return f"{signature(function)}\n--\n\n{function.summary}\n\nReturns ({values}{comma}).{note}\n{in_c}"


def class_name(type_: Type | None, library: str | None) -> str:
    """A type as an annotation. `library`: the module that the annotation stands in; None: no module is named."""
    if type_ is None:
        return "int"
    if type_.kind == "real":
        return "float"
    if not type_.is_class:
        return "int"
    name = type_.name
    return name if library in (None, type_.library) else f"{type_.library}.{name}"


def result_type(parameter: Parameter, library: str | None = None) -> str:
    """What a call returns for a parameter."""
    one = class_name(parameter.type, library)
    match parameter.passing:
        case "out_text" | "out_bytes" | "out_string":
            return "bytes"
        case "out_elements" | "out_borrowed":
            return f"list[{one}]"
        case "out_by_attribute":
            return "Any"
        case "out_list_by_attribute":
            return "list[Any]"
        case "out_address" | "in_out_count":
            return "int"
    return one


def argument_type(parameter: Parameter, library: str) -> str:
    """What a call takes for a parameter."""
    type_ = parameter.type
    one = class_name(type_, library)
    match parameter.passing:
        case "value" | "in_out" if type_ is not None and type_.kind == "enumeration":
            return f"{one} | int"
        case "value" | "in_out" if type_ is not None and type_.kind == "handle":
            return f"{one} | HandleLike"
        case "value" | "in_out" | "in_out_count":
            return "SupportsFloat" if one == "float" else "SupportsIndex"
        case "structure":
            return one
        case "text":
            return "TextLike"
        case "texts":
            return "Sequence[TextLike] | AddressLike"
        case "addresses":
            return "Sequence[AddressLike] | AddressLike"
        case "elements":
            if type_ is not None and type_.is_class:
                element = one if type_.kind == "structure" else f"{one} | int"
                return f"{one} | Sequence[{element}] | AddressLike"
            return "Sequence[SupportsIndex] | AddressLike"
        case "kernel_arguments":
            return "KernelArguments"
        case "option_values":
            return "Sequence[Any] | AddressLike"
        case "function":
            return "Callable[..., Any] | AddressLike"
        case "user_data" | "by_attribute":
            return "Any"
    return "AddressLike"
