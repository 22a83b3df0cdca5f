"""What elements of an array are in the C++ of a kernel: as they lie in memory, and as what they are calculated with."""

from __future__ import annotations

from typing import Any

import numpy as np

DType = np.dtype[Any]

_NAMES = {
    ("b", 1): "bool",
    ("i", 1): "signed char",
    ("u", 1): "unsigned char",
    ("i", 2): "short",
    ("u", 2): "unsigned short",
    ("i", 4): "int",
    ("u", 4): "unsigned int",
    ("i", 8): "long long",
    ("u", 8): "unsigned long long",
    ("f", 2): "CuprumHalf",
    ("f", 4): "float",
    ("f", 8): "double",
    ("c", 8): "pycuda::complex<float>",
    ("c", 16): "pycuda::complex<double>",
}

# In place of cuda_fp16.h, which takes NVRTC longer to read than the rest of a kernel to compile.
_HALF = """\
struct CuprumHalf {
    unsigned short bits;
    CuprumHalf() = default;
    __device__ CuprumHalf(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    __device__ operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
"""


def is_number(dtype: DType) -> bool:
    """Whether kernels calculate with it."""
    return (dtype.kind, dtype.itemsize) in _NAMES and dtype.isnative


def stored_type(dtype: DType) -> str:
    """The type in memory: of structures and dates, so many bytes."""
    return _NAMES[dtype.kind, dtype.itemsize] if is_number(dtype) else f"CuprumBytes{dtype.itemsize}"


def calculated_dtype(dtype: DType) -> DType:
    """What a kernel calculates in: halves as floats."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def calculated_type(dtype: DType) -> str:
    """``calculated_dtype`` in C++."""
    return stored_type(calculated_dtype(dtype))


def definitions(*dtypes: DType) -> str:
    """What the types need to have been declared."""
    texts = []
    if any(dtype.kind == "c" for dtype in dtypes):
        texts.append("#include <pycuda-complex.hpp>\n")
    if any(dtype == np.float16 for dtype in dtypes):
        texts.append(_HALF)
    for size in {dtype.itemsize for dtype in dtypes if not is_number(dtype)}:
        word, width = next((name, width) for name, width in _WORDS if size % width == 0)
        texts.append(f"struct CuprumBytes{size} {{ {word} words[{size // width}]; }};\n")
    return "".join(texts)


_WORDS = (("unsigned long long", 8), ("unsigned int", 4), ("unsigned short", 2), ("unsigned char", 1))
