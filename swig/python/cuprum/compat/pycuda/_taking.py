"""Elements picked and placed by arrays of indices.

An index below 0 or beyond the end picks 0 and places nothing: the indices are on the device, and looking at them first
would make every call wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._element_types import definitions, stored_type
from cuprum.compat.pycuda._usable import require_contiguous, usable_address

if TYPE_CHECKING:
    from cuprum.compat.pycuda._scalars import DType
    from cuprum.compat.pycuda._stream import Stream


def _make(element: DType, index: DType) -> Any:
    tp, index_type = stored_type(element), stored_type(index)
    source = f"""\
{definitions(element, index)}
using Position = unsigned long long;
using Element = {tp};
extern "C" __global__ void take_put({tp}* result, const {index_type}* to, const {tp}* source, const {index_type}* from,
                                    long long offset, Position result_size, Position source_size, Position n) {{
    const Position step = static_cast<Position>(gridDim.x) * blockDim.x;
    for (Position i = static_cast<Position>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {{
        const Position place = to ? static_cast<Position>(to[i]) : i;
        const Position picked = from ? static_cast<Position>(from[i]) + offset : i;
        if (place < result_size) result[place] = picked < source_size ? source[picked] : Element();
    }}
}}
"""
    types = ["P", "P", "P", "P", np.int64, np.uint64, np.uint64, np.uint64]
    return _kernels.compiled(source, "take_put", types).prepared_async_call


def _move(
    result: GPUArray,
    to: GPUArray | None,
    source: GPUArray,
    source_indices: GPUArray | None,
    count: int,
    stream: Stream | None,
    offset: int = 0,
) -> None:
    """``result[to[i]] = source[source_indices[i] + offset]``, where None is ``i`` itself."""
    if count == 0:
        return
    state = _kernels.state_of_context()
    chosen = to if to is not None else source_indices
    assert chosen is not None
    key = "take_put", result.dtype, chosen.dtype
    kernel = _kernels.kernel_for(key, lambda: _make(result.dtype, chosen.dtype))
    grid, block = state.geometry(count)
    arguments = [
        usable_address(result, state),
        0 if to is None else usable_address(to, state),
        usable_address(source, state),
        0 if source_indices is None else usable_address(source_indices, state),
    ]
    kernel(grid, block, stream, *arguments, offset, result.size, source.size, count)


def _require_indices(what: str, indices: Any) -> None:
    if not isinstance(indices, GPUArray):
        raise TypeError(f"{what}: indices are a GPUArray of integers, not {type(indices).__name__}")
    if indices.dtype.kind not in "iu":
        raise TypeError(f"{what}: indices are integers, not {indices.dtype}")
    if indices.ndim != 1:
        raise ValueError(f"{what}: indices must be 1D, not {indices.ndim}D: take indices.ravel()")
    require_contiguous(indices, what)


def _require_arrays(what: str, arrays: Sequence[Any]) -> DType:
    for array in arrays:
        if not isinstance(array, GPUArray):
            raise TypeError(f"{what} works on GPUArrays, not {type(array).__name__}")
        require_contiguous(array, what)
        if array.dtype != arrays[0].dtype:
            raise TypeError(f"{what}: the arrays must have the same dtype: {array.dtype} and {arrays[0].dtype}")
    dtype: DType = arrays[0].dtype
    return dtype


def _outputs(what: str, arrays: Sequence[GPUArray], out: Sequence[GPUArray] | None, shape: Any) -> list[GPUArray]:
    if out is None:
        if shape is None:
            raise ValueError(f"{what}: give dest_shape, the results' shape, or out, the results")
        return [GPUArray(shape, array.dtype, array.allocator) for array in arrays]
    if len(out) != len(arrays):
        raise ValueError(f"{what}: out and arrays must have the same length: they have {len(out)} and {len(arrays)}")
    if out and _require_arrays(f"out of {what}", out) != arrays[0].dtype:
        raise TypeError(f"{what}: arrays and out must have the same dtype: {arrays[0].dtype} and {out[0].dtype}")
    return list(out)


def _require_room(what: str, outputs: Sequence[GPUArray], count: int) -> None:
    for output in outputs:
        if output.size < count:
            raise ValueError(f"{what}: out has {output.size} elements, and {count} indices are given")


def take(a: GPUArray, indices: GPUArray, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray:
    """``a[indices]``, of ``a`` in one dimension."""
    return multi_take([a], indices, None if out is None else [out], stream)[0]


def multi_take(
    arrays: Sequence[GPUArray],
    indices: GPUArray,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]:
    """``take`` of several arrays with the same indices."""
    if not len(arrays):
        return []
    _require_arrays("take", arrays)
    _require_indices("take", indices)
    outputs = _outputs("take", arrays, out, indices.shape)
    _require_room("take", outputs, indices.size)
    for array, output in zip(arrays, outputs, strict=True):
        _move(output, None, array, indices, indices.size, stream)
    return outputs


def multi_put(
    arrays: Sequence[GPUArray],
    dest_indices: GPUArray,
    dest_shape: Any = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]:
    """Of each array, element ``i`` goes to ``dest_indices[i]`` of its result. Other elements stay as they are."""
    if not len(arrays):
        return []
    _require_arrays("multi_put", arrays)
    _require_indices("multi_put", dest_indices)
    _require_room("multi_put", arrays, dest_indices.size)
    outputs = _outputs("multi_put", arrays, out, dest_shape)
    for array, output in zip(arrays, outputs, strict=True):
        _move(output, dest_indices, array, None, dest_indices.size, stream)
    return outputs


def multi_take_put(
    arrays: Sequence[GPUArray],
    dest_indices: GPUArray,
    src_indices: GPUArray,
    dest_shape: Any = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
    src_offsets: Sequence[int] | None = None,
) -> list[GPUArray]:
    """Of each array, element ``src_indices[i] + src_offset`` goes to ``dest_indices[i]`` of its result."""
    if not len(arrays):
        return []
    what = "multi_take_put"
    _require_arrays(what, arrays)
    for indices in (dest_indices, src_indices):
        _require_indices(what, indices)
    if src_indices.dtype != dest_indices.dtype:
        raise TypeError(
            f"{what}: src_indices and dest_indices must have the same dtype: {src_indices.dtype} and "
            f"{dest_indices.dtype}"
        )
    if src_indices.shape != dest_indices.shape:
        raise ValueError(
            f"{what}: src_indices and dest_indices must have the same shape: {src_indices.shape} and "
            f"{dest_indices.shape}"
        )
    offsets = [0] * len(arrays) if src_offsets is None else [int(offset) for offset in src_offsets]
    if len(offsets) != len(arrays):
        raise ValueError(f"{what}: {len(offsets)} src_offsets are given for {len(arrays)} arrays")
    outputs = _outputs(what, arrays, out, dest_shape)
    for array, output, offset in zip(arrays, outputs, offsets, strict=True):
        _move(output, dest_indices, array, src_indices, src_indices.size, stream, offset)
    return outputs
