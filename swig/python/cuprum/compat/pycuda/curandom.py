"""``pycuda.curandom``: random numbers on the device.

``rand`` is Philox4x32-10 over a seed from NumPy's generator: ``numpy.random.seed`` makes it repeatable. The generators
are cuRAND's, from the toolkit's ``curand_kernel.h``, where that is found. Elsewhere all are Philox4x32-10, with other
numbers of the same distributions; ``generator.is_curand`` says which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._creation import to_gpu
from cuprum.compat.pycuda._random_generators import (
    MRG32k3aRandomNumberGenerator,
    PhiloxRandomNumberGenerator,
    XORWOWRandomNumberGenerator,
    get_curand_version,
    seed_getter_uniform,
    seed_getter_unique,
)
from cuprum.compat.pycuda._usable import usable_address

if TYPE_CHECKING:
    from cuprum.compat.pycuda._stream import Stream

__all__ = [
    "MRG32k3aRandomNumberGenerator",
    "PhiloxRandomNumberGenerator",
    "XORWOWRandomNumberGenerator",
    "get_curand_version",
    "rand",
    "seed_getter_uniform",
    "seed_getter_unique",
    "to_gpu",
]

#: The type of the elements, how many a block of four words gives, and what they are of the words `w`.
_KINDS = {
    "f4": ("float", 4, [f"cuprum::uniform_float(w.{word})" for word in "xyzw"]),
    "f8": ("double", 2, ["cuprum::uniform_double(w.x, w.y)", "cuprum::uniform_double(w.z, w.w)"]),
    "i4": ("unsigned int", 4, ["w.x", "w.y", "w.z", "w.w"]),
    "u4": ("unsigned int", 4, ["w.x", "w.y", "w.z", "w.w"]),
}


def _make(kind: str) -> Any:
    element, each, values = _KINDS[kind]
    stores = "\n        ".join(
        f"if (first + {position} < n) result[first + {position}] = {value};" for position, value in enumerate(values)
    )
    source = f"""\
#include <cuprum-philox.hpp>
typedef unsigned long long Position;
typedef unsigned int Word;
extern "C" __global__ void rand_{kind}({element}* result, unsigned int seed, Position n) {{
    const Position step = static_cast<Position>(gridDim.x) * blockDim.x;
    Position block = static_cast<Position>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; block * {each} < n; block += step) {{
        const Position first = block * {each};
        const uint4 counter = make_uint4(static_cast<Word>(block), static_cast<Word>(block >> 32), 0, 0);
        const uint4 w = cuprum::philox(counter, make_uint2(seed, 0));
        {stores}
    }}
}}
"""
    return _kernels.compiled(source, f"rand_{kind}", ["P", np.uint32, np.uint64]).prepared_async_call


def rand(shape: Any, dtype: Any = np.float32, stream: Stream | None = None) -> GPUArray:
    """Numbers from 0 to 1, without 1, as float32 or float64; or all of int32 or uint32."""
    wanted = np.dtype(dtype)
    kind = wanted.str[1:]
    if kind not in _KINDS:
        raise NotImplementedError(f"rand: {wanted}; it makes float32, float64, int32 and uint32")
    result = GPUArray(shape, wanted)
    if result.size:
        state = _kernels.state_of_context()
        kernel = _kernels.kernel_for(("rand", kind), lambda: _make(kind))
        seed = int(np.random.randint(2**31 - 1))
        grid, block = state.geometry(-(-result.size // _KINDS[kind][1]))
        kernel(grid, block, stream, usable_address(result, state), seed, result.size)
    return result
