"""``pycuda.cumath``: mathematical functions of every element of a GPUArray.

``out=`` is an array for the result, of the same shape, type and order; ``stream=`` a stream. Functions of integers are
calculated in double precision, and become integers again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._element_types import calculated_type, definitions, stored_type
from cuprum.compat.pycuda._operation_kernels import launch
from cuprum.compat.pycuda._operations import BINARY, UNARY
from cuprum.compat.pycuda._scalars import require_numbers
from cuprum.compat.pycuda._stream import Stream
from cuprum.compat.pycuda._usable import require_contiguous, usable_address

if TYPE_CHECKING:
    from cuprum.compat.pycuda._scalars import DType

__all__ = [
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "fabs",
    "floor",
    "fmod",
    "frexp",
    "ldexp",
    "log",
    "log10",
    "modf",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


def _require_array(array: Any, what: str) -> None:
    if not isinstance(array, GPUArray):
        raise TypeError(f"{what} is a function of a GPUArray, not of {type(array).__name__}; to_gpu() makes one")
    require_numbers(array.dtype)
    require_contiguous(array, what)


def _make(name: str) -> Callable[..., GPUArray]:
    operation = UNARY[name]

    def function(
        array: GPUArray, stream_or_out: Any = None, *, out: GPUArray | None = None, stream: Stream | None = None
    ) -> GPUArray:
        if stream_or_out is not None:
            warnings.warn("please use 'out' or 'stream' keyword arguments", DeprecationWarning, stacklevel=2)
            if isinstance(stream_or_out, Stream):
                stream = stream_or_out
            else:
                out = stream_or_out
        _require_array(array, name)
        if out is None:
            out = array._new_like_me()
        elif out.dtype != array.dtype or out.shape != array.shape or out.strides != array.strides:
            raise ValueError(
                f"{name}: out is like the array: {array.shape} elements of {array.dtype}, strides {array.strides}; it "
                f"has {out.shape} of {out.dtype}, strides {out.strides}"
            )
        return launch(operation, (array,), out, stream)  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"``{name}`` of every element."
    return function


fabs = _make("fabs")
ceil = _make("ceil")
floor = _make("floor")
exp = _make("exp")
log = _make("log")
log10 = _make("log10")
sqrt = _make("sqrt")
sin = _make("sin")
cos = _make("cos")
tan = _make("tan")
asin = _make("asin")
acos = _make("acos")
atan = _make("atan")
sinh = _make("sinh")
cosh = _make("cosh")
tanh = _make("tanh")


def _require_real(what: str, *arrays: Any) -> None:
    for array in arrays:
        _require_array(array, what)
        if array.dtype.kind != "f":
            raise TypeError(f"{what} is a function of real numbers, not of {array.dtype}: convert them with astype()")
        if array.shape != arrays[0].shape:
            raise ValueError(f"{what}: the arrays have the shapes {arrays[0].shape} and {array.shape}")


def fmod(arg: GPUArray, mod: GPUArray, stream: Stream | None = None) -> GPUArray:
    """The remainder of ``arg / mod``, which has the sign of ``arg``."""
    _require_real("fmod", arg, mod)
    return launch(BINARY["fmod"], (arg, mod), arg._new_like_me(), stream)  # type: ignore[no-any-return]


def ldexp(significand: GPUArray, exponent: GPUArray, stream: Stream | None = None) -> GPUArray:
    """``significand * 2**exponent``; the exponents are whole numbers in an array of the same type."""
    _require_real("ldexp", significand, exponent)
    return launch(BINARY["ldexp"], (significand, exponent), significand._new_like_me(), stream)  # type: ignore[no-any-return]


_PARTS = {
    "frexp": "int exponent = 0; const T value = frexp(a, &exponent); const T other = static_cast<T>(exponent);",
    "modf": "T other; const T value = modf(a, &other);",
}


def _make_parts(name: str, dtype: DType) -> Any:
    stored, calculated = stored_type(dtype), calculated_type(dtype)
    source = f"""\
{definitions(dtype)}
using T = {calculated};
using Position = unsigned long long;
extern "C" __global__ void {name}_parts(const {stored}* array, {stored}* first, {stored}* second, Position n) {{
    const Position step = static_cast<Position>(gridDim.x) * blockDim.x;
    Position i = static_cast<Position>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i < n; i += step) {{
        const T a = static_cast<T>(array[i]);
        {_PARTS[name]}
        first[i] = static_cast<{stored}>(value);
        second[i] = static_cast<{stored}>(other);
    }}
}}
"""
    return _kernels.compiled(source, f"{name}_parts", ["P", "P", "P", np.uint64]).prepared_async_call


def _parts(name: str, arg: GPUArray, stream: Stream | None) -> tuple[GPUArray, GPUArray]:
    _require_real(name, arg)
    results = arg._new_like_me(), arg._new_like_me()
    if arg.size:
        state = _kernels.state_of_context()
        kernel = _kernels.kernel_for((name, arg.dtype), lambda: _make_parts(name, arg.dtype))
        addresses = [usable_address(array, state) for array in (arg, *results)]
        kernel(*state.geometry(arg.size), stream, *addresses, arg.size)
    return results


def frexp(arg: GPUArray, stream: Stream | None = None) -> tuple[GPUArray, GPUArray]:
    """Significands of 0.5 to 1, and exponents: ``arg == significand * 2**exponent``."""
    return _parts("frexp", arg, stream)


def modf(arg: GPUArray, stream: Stream | None = None) -> tuple[GPUArray, GPUArray]:
    """The parts behind the point, and the whole parts."""
    return _parts("modf", arg, stream)
