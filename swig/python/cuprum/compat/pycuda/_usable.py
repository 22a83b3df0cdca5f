"""Whether memory can be used: it is not freed, and it belongs to the current context."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, NoReturn

from cuprum.compat.pycuda._errors import LogicError
from cuprum.compat.pycuda._pointers import ContextMemory

if TYPE_CHECKING:
    import numpy as np

    from cuprum.compat.pycuda._kernels import ContextState

_NONE = object()


def usable_address(array: Any, state: ContextState) -> int:
    """Where an array's first element is; 0 for an array without elements."""
    memory = array.gpudata
    if isinstance(memory, ContextMemory):
        address: int = memory._address
        return address if address and memory._context is state.context else _checked(memory, state)
    if memory is None:
        return 0
    base = array.base
    while base is not None:  # a view, whose gpudata is a number: the array that it shows has the memory
        owner = getattr(base, "gpudata", None)
        if isinstance(owner, ContextMemory):
            _checked(owner, state)
            break
        base = getattr(base, "base", None)
    return index(memory)


def _checked(memory: ContextMemory, state: ContextState) -> int:
    address = memory._address
    if not address:
        memory._refuse_freed("using a GPUArray")
    context = memory._context
    if context is not state.context and context != state.context:
        _refuse_context(context, state)
    return address


def _refuse_context(context: Any, state: ContextState) -> NoReturn:
    raise LogicError(
        f"using a GPUArray: its memory belongs to {context!r}, and {state.context!r} is current; push the array's "
        "context, or copy the array into the current one with gpuarray.to_gpu(array.get()), which gets it in its own",
        operation="using a GPUArray",
    )


def require_contiguous(array: Any, what: str = "this operation") -> None:
    """Raises for an array with gaps."""
    order = getattr(array, "_order", None)  # which a GPUArray knows, and other classes do not
    if order == 0 or (order is None and not array.flags.forc):
        raise RuntimeError(
            f"only contiguous arrays may be used as arguments to {what}: this one has the shape {array.shape} and the "
            f"strides {array.strides}; make a contiguous one with .copy()"
        )


def address_of(value: Any, state: ContextState, argument: Any, name: str) -> int:
    """The address for a kernel's parameter that is a vector."""
    memory = getattr(value, "gpudata", _NONE)
    if memory is _NONE:
        raise TypeError(
            f"argument {argument.name!r} of {name} is a vector: give a GPUArray, not {type(value).__name__}; "
            "gpuarray.to_gpu() makes one"
        )
    if not getattr(value, "_order", 0):
        require_contiguous(value, f"{name}, such as {argument.name!r}")
    if value.dtype != argument.dtype:
        _require_elements(value.dtype, argument, name)
    if isinstance(memory, ContextMemory) and memory._context is state.context and memory._address:
        return memory._address
    return usable_address(value, state)


def _require_elements(dtype: np.dtype[Any], argument: Any, name: str) -> None:
    expected = argument.dtype
    if dtype == expected:
        return
    kinds = "biufc"
    if dtype.kind not in kinds or expected.kind not in kinds:
        return  # structures and vectors of a kernel's own lie in memory as the program says
    whole = "biu"
    same = dtype.kind == expected.kind or (dtype.kind in whole and expected.kind in whole)
    if not same or dtype.itemsize != expected.itemsize:
        raise TypeError(
            f"argument {argument.name!r} of {name} has elements of the type {expected}, and the array's are {dtype}; "
            "convert them with astype(), or show the same bytes as that type with view()"
        )
