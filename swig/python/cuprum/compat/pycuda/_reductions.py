"""One value of all elements of an array, or of those that a table of indices picks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._scalars import common_dtype, require_numbers
from cuprum.compat.pycuda.elementwise import VectorArg
from cuprum.compat.pycuda.reduction import ReductionKernel

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import Allocator
    from cuprum.compat.pycuda._scalars import DType
    from cuprum.compat.pycuda._stream import Stream

_SUM = "a + b"
_SUBSET = "in[lookup_tbl[i]]"
#: Compared as they are: a small number is not 0 before it is a bool.
_NONZERO = "in[i] != 0"


def _require_arrays(what: str, *arrays: Any) -> None:
    for array in arrays:
        if not isinstance(array, GPUArray):
            raise TypeError(f"{what} reduces GPUArrays, not {type(array).__name__}; gpuarray.to_gpu() makes one")
        require_numbers(array.dtype)


def _kernel(
    what: str, out: DType, neutral: str, reduce_expr: str, map_expr: str | None, inputs: dict[str, DType]
) -> ReductionKernel:
    """The kernel for these types. ReductionKernel compiles it where it is used."""
    key = "reduction", what, out, *inputs.values()

    def make() -> ReductionKernel:
        arguments = [VectorArg(dtype, name) for name, dtype in inputs.items()]
        return ReductionKernel(out, neutral, reduce_expr, map_expr, arguments, name=what)

    kernel: ReductionKernel = _kernels.kernel_for(key, make)
    return kernel


def _result_type(dtype: Any, elements: DType) -> DType:
    return elements if dtype is None else np.dtype(dtype)


def sum(a: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Allocator | None = None) -> GPUArray:
    """The sum, calculated in ``dtype``, which is the elements' type if none is given."""
    _require_arrays("sum", a)
    kernel = _kernel("sum_kernel", _result_type(dtype, a.dtype), "0", _SUM, None, {"in": a.dtype})
    return kernel(a, stream=stream, allocator=allocator)


def any(a: GPUArray, stream: Stream | None = None, allocator: Allocator | None = None) -> GPUArray:
    """Whether one element at least is not 0."""
    _require_arrays("any", a)
    kernel = _kernel("any_kernel", np.dtype(bool), "false", "a || b", _NONZERO, {"in": a.dtype})
    return kernel(a, stream=stream, allocator=allocator)


def all(a: GPUArray, stream: Stream | None = None, allocator: Allocator | None = None) -> GPUArray:
    """Whether no element is 0."""
    _require_arrays("all", a)
    kernel = _kernel("all_kernel", np.dtype(bool), "true", "a && b", _NONZERO, {"in": a.dtype})
    return kernel(a, stream=stream, allocator=allocator)


def _require_subset(what: str, subset: Any) -> None:
    if not isinstance(subset, GPUArray) or subset.dtype.kind not in "iu":
        raise TypeError(f"{what}: subset is a GPUArray of integers, the indices of the elements")


def subset_sum(
    subset: GPUArray,
    a: GPUArray,
    dtype: Any = None,
    stream: Stream | None = None,
    allocator: Allocator | None = None,
) -> GPUArray:
    """The sum of the elements with these indices."""
    _require_subset("subset_sum", subset)
    _require_arrays("subset_sum", a)
    inputs = {"lookup_tbl": subset.dtype, "in": a.dtype}
    kernel = _kernel("subset_sum_kernel", _result_type(dtype, a.dtype), "0", _SUM, _SUBSET, inputs)
    return kernel(subset, a, stream=stream, allocator=allocator)


def _require_pairs(what: str, a: GPUArray, b: GPUArray) -> None:
    _require_arrays(what, a, b)
    if a.size != b.size:
        raise ValueError(f"{what}: the arrays have {a.size} and {b.size} elements")


def _product(a: GPUArray, b: GPUArray, left: str, right: str, conjugate: bool = False) -> str:
    """In the common type, not in C's of the two."""
    if conjugate and a.dtype.kind == "c":
        left = f"pycuda::conj({left})"
    return f"cuprum::Out({left}) * cuprum::Out({right})"


def dot(
    a: GPUArray, b: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Allocator | None = None
) -> GPUArray:
    """The sum of the products, calculated in ``dtype``, which is the arrays' common type if none is given."""
    _require_pairs("dot", a, b)
    out = common_dtype(a.dtype, b.dtype) if dtype is None else np.dtype(dtype)
    kernel = _kernel("dot_kernel", out, "0", _SUM, _product(a, b, "a_[i]", "b_[i]"), {"a_": a.dtype, "b_": b.dtype})
    return kernel(a, b, stream=stream, allocator=allocator)


def vdot(
    a: GPUArray, b: GPUArray, dtype: Any = None, stream: Stream | None = None, allocator: Allocator | None = None
) -> GPUArray:
    """``dot`` with the conjugates of ``a``."""
    _require_pairs("vdot", a, b)
    out = common_dtype(a.dtype, b.dtype) if dtype is None else np.dtype(dtype)
    product = _product(a, b, "a_[i]", "b_[i]", conjugate=True)
    kernel = _kernel("vdot_kernel", out, "0", _SUM, product, {"a_": a.dtype, "b_": b.dtype})
    return kernel(a, b, stream=stream, allocator=allocator)


def subset_dot(
    subset: GPUArray,
    a: GPUArray,
    b: GPUArray,
    dtype: Any = None,
    stream: Stream | None = None,
    allocator: Allocator | None = None,
) -> GPUArray:
    """``dot`` of the elements with these indices."""
    _require_subset("subset_dot", subset)
    _require_pairs("subset_dot", a, b)
    out = common_dtype(a.dtype, b.dtype) if dtype is None else np.dtype(dtype)
    product = _product(a, b, "a_[lookup_tbl[i]]", "b_[lookup_tbl[i]]")
    inputs = {"lookup_tbl": subset.dtype, "a_": a.dtype, "b_": b.dtype}
    kernel = _kernel("subset_dot_kernel", out, "0", _SUM, product, inputs)
    return kernel(subset, a, b, stream=stream, allocator=allocator)


def _extreme_of(what: str, dtype: DType) -> tuple[str, str]:
    """What changes no other value, and the expression."""
    if dtype.kind == "f":
        sign = "" if what == "min" else "-"
        function = f"f{what}f" if dtype.itemsize <= 4 else f"f{what}"
        return f"{sign}__int_as_float(0x7f800000)", f"{function}(a, b)"
    if dtype.kind == "c":
        raise TypeError(f"{what} is not defined for {dtype}")
    if dtype.kind == "b":
        return ("true", "a && b") if what == "min" else ("false", "a || b")
    limits = np.iinfo(dtype)
    limit = limits.max if what == "min" else limits.min
    text = f"{limit}ull" if dtype.kind == "u" else f"({limit + 1}ll - 1)" if limit < 0 else f"{limit}ll"
    return f"cuprum::Out({text})", "a < b ? a : b" if what == "min" else "a < b ? b : a"


def _extreme(what: str, a: GPUArray, subset: GPUArray | None, stream: Stream | None) -> GPUArray:
    name = what if subset is None else f"subset_{what}"
    if subset is not None:
        _require_subset(name, subset)
    _require_arrays(name, a)
    if (a if subset is None else subset).size == 0:
        raise ValueError(f"{name} of an array without elements")
    neutral, expression = _extreme_of(what, a.dtype)
    inputs = {"in": a.dtype} if subset is None else {"lookup_tbl": subset.dtype, "in": a.dtype}
    kernel = _kernel(f"{name}_kernel", a.dtype, neutral, expression, None if subset is None else _SUBSET, inputs)
    return kernel(a, stream=stream) if subset is None else kernel(subset, a, stream=stream)


def min(a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """The smallest element; a number before a NaN."""
    return _extreme("min", a, None, stream)


def max(a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """The largest element; a number before a NaN."""
    return _extreme("max", a, None, stream)


def subset_min(subset: GPUArray, a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """The smallest of the elements with these indices."""
    return _extreme("min", a, subset, stream)


def subset_max(subset: GPUArray, a: GPUArray, stream: Stream | None = None) -> GPUArray:
    """The largest of the elements with these indices."""
    return _extreme("max", a, subset, stream)
