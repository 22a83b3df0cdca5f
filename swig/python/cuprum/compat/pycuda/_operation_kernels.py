"""The kernels of array operations, and their launches.

Arrays without gaps in the same order are gone through as if they had one dimension. All others, which differ in order
or are broadcast, are reached by their strides, from a ``Layout`` that is passed with the launch.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._element_types import calculated_dtype, calculated_type, definitions, stored_type
from cuprum.compat.pycuda._layout import Shape, broadcast, collapsed
from cuprum.compat.pycuda._operations import Operation
from cuprum.compat.pycuda._scalars import DType, as_argument, real_dtype
from cuprum.compat.pycuda._usable import usable_address

#: NumPy has no more dimensions than these; an array of fewer axes after collapsing is all that a kernel sees.
_MOST_AXES = 32
_MOST_ARRAYS = 5
_LAYOUT = f"""\
struct CuprumLayout {{
    long long axes, shape[{_MOST_AXES}], strides[{_MOST_ARRAYS}][{_MOST_AXES}];
    template <class T>
    __device__ T* at(T* array, int which, unsigned long long element) const {{
        long long offset = 0;
        for (int axis = static_cast<int>(axes) - 1; axis >= 0; --axis) {{
            const unsigned long long rest = element / shape[axis];
            offset += static_cast<long long>(element - rest * shape[axis]) * strides[which][axis];
            element = rest;
        }}
        return reinterpret_cast<T*>(reinterpret_cast<unsigned long long>(array) + offset);
    }}
}};
"""
_LAYOUT_WORDS = 1 + _MOST_AXES + _MOST_ARRAYS * _MOST_AXES
_LAYOUT_TYPE = np.dtype((np.void, 8 * _LAYOUT_WORDS))
_pack_layout = struct.Struct(f"={_LAYOUT_WORDS}q").pack


def _layout(shape: Shape, strides: Sequence[Shape]) -> bytes:
    sizes, kept = collapsed(shape, *strides)
    if len(sizes) > _MOST_AXES:
        raise NotImplementedError(f"arrays of more than {_MOST_AXES} dimensions that lie differently in memory")
    words = [len(sizes), *sizes, *[0] * (_MOST_AXES - len(sizes))]
    for each in kept:
        words += [*each, *[0] * (_MOST_AXES - len(each))]
    return _pack_layout(*words, *[0] * (_LAYOUT_WORDS - len(words)))


class Operand:
    """What a kernel reads at each step: ``kind`` is ``"array"``, ``"element"``, one for all, or ``"value"``."""

    __slots__ = ("dtype", "kind")

    def __init__(self, dtype: DType, kind: str) -> None:
        self.dtype = dtype
        self.kind = kind


def _make(
    name: str,
    text: str,
    preamble: str,
    operands: Sequence[Operand],
    types: Sequence[str],
    result: DType,
    *,
    is_strided: bool,
) -> Any:
    """Compiles a kernel over operands ``a``, ``b`` and so on, which are calculated with as ``types``."""
    parameters = ["const CuprumLayout layout"] if is_strided else []
    prepared: list[Any] = [_LAYOUT_TYPE] if is_strided else []
    loads = []
    for which, (operand, type_name) in enumerate(zip(operands, types, strict=True)):
        letter = "abcd"[which]
        stored = stored_type(operand.dtype)
        if operand.kind == "value":
            parameters.append(f"const {calculated_type(operand.dtype)} {letter}_value")
            prepared.append(calculated_dtype(operand.dtype))
            source = f"{letter}_value"
        else:
            parameters.append(f"const {stored}* {letter}_array")
            prepared.append("P")
            source = f"{letter}_array[{'0' if operand.kind == 'element' else 'i'}]"
            if is_strided and operand.kind == "array":
                source = f"*layout.at({letter}_array, {which}, i)"
        loads.append(f"const {type_name} {letter} = static_cast<{type_name}>({source});")
    stored = stored_type(result)
    place = f"*layout.at(result, {len(operands)}, i)" if is_strided else "result[i]"
    source = f"""\
{definitions(*(operand.dtype for operand in operands), result)}{_LAYOUT if is_strided else ""}
using T = {types[0]};
{preamble}
extern "C" __global__ void {name}({", ".join(parameters)}, {stored}* result, unsigned long long n) {{
    const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < n; i += step) {{
        {" ".join(loads)}
        {place} = static_cast<{stored}>({text});
    }}
}}
"""
    function = _kernels.compiled(source, name, [*prepared, "P", np.uint64])
    return function.prepared_async_call


def _types(operation: Operation, operands: Sequence[Operand], result: DType) -> list[str]:
    """What the operands are calculated with: as PyCUDA has it, the result's type."""
    if operation.is_comparison and any(operand.kind == "value" for operand in operands):
        return [calculated_type(operand.dtype) for operand in operands]
    target = calculated_dtype(result)
    real = real_dtype(target)
    return [
        calculated_type(target if operand.dtype.kind == "c" or target.kind != "c" else real) for operand in operands
    ]


def launch(
    operation: Operation,
    operands: Sequence[Any],
    result: Any,
    stream: Any = None,
    *,
    value_type: DType | None = None,
    types: Sequence[DType] | None = None,
) -> Any:
    """Does the operation on arrays, and on numbers of ``value_type``, and returns ``result``, an array.

    The operands have the result's shape, or one that broadcasts to it. ``types`` are what they are calculated with,
    where that is not the result's type.
    """
    count = result.size
    if count == 0:
        return result
    state = _kernels.state_of_context()
    order = result._order
    shape = result.shape
    is_strided = False
    key: list[Any] = [operation.name, result.dtype]
    arguments: list[Any] = []
    for operand in operands:
        if not hasattr(operand, "gpudata"):
            key.append((value_type, "value"))
            arguments.append(
                as_argument(operand, calculated_dtype(value_type or result.dtype), f"the number in {operation.name}")
            )
            continue
        arguments.append(usable_address(operand, state))
        if operand.shape == () and shape != ():
            key.append((operand.dtype,))
            continue
        key.append(operand.dtype)
        if operand.shape == shape:
            order &= operand._order
        else:
            order = 0
    if order == 0:
        is_strided = True
        arguments.insert(0, _layout_of(operands, result))
    key.append(is_strided)
    if types is not None:
        key.append(tuple(types))
    place = tuple(key)
    kernel = state.kernels.get(place)
    if kernel is None:
        kernel = state.kernels[place] = _make_for(operation, operands, result, value_type, types, is_strided)
    grid, block = state.geometry(count)
    kernel(grid, block, stream, *arguments, usable_address(result, state), count)
    return result


def _layout_of(operands: Sequence[Any], result: Any) -> bytes:
    shape = result.shape
    none = (0,) * len(shape)
    strides = [
        broadcast(operand.shape, operand.strides, shape) if hasattr(operand, "gpudata") else none
        for operand in operands
    ]
    return _layout(shape, [*strides, result.strides])


def _make_for(
    operation: Operation,
    operands: Sequence[Any],
    result: Any,
    value_type: DType | None,
    types: Sequence[DType] | None,
    is_strided: bool,
) -> Any:
    described = []
    for operand in operands:
        if not hasattr(operand, "gpudata"):
            described.append(Operand(value_type or result.dtype, "value"))
        else:
            described.append(
                Operand(operand.dtype, "element" if operand.shape == () and result.shape != () else "array")
            )
    if types is None:
        names = _types(operation, described, result.dtype)
        compared = next((operand.dtype for operand in described if operand.dtype.kind == "c"), described[0].dtype)
        text = operation.text(compared if operation.is_comparison else result.dtype)
    else:
        names = [calculated_type(calculated_dtype(each)) for each in types]
        text = operation.text(types[0])
    return _make(
        f"array_{operation.name}", text, operation.preamble, described, names, result.dtype, is_strided=is_strided
    )
