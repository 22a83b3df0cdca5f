"""Metaprogramming: kernels from a template, with options, include folders, and headers of C."""

import os
import string
import tempfile

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.characterize import has_double_support, platform_bits, sizeof
from pycuda.compiler import SourceModule
from pycuda.tools import context_dependent_memoize, dtype_to_ctype, get_or_register_dtype

template = string.Template("""
#include <stdio.h>
#include <stdint.h>
#include <math.h>
#include <factor.h>

__global__ void scale(${type} *a)
{
  uint32_t i = threadIdx.x;
  a[i] = a[i] * FACTOR + OFFSET + (${type})floor(M_PI);
}
""")
compiles = []


@context_dependent_memoize
def get_kernel(ctype):
    compiles.append(ctype)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "factor.h"), "w") as header:
            header.write("#define FACTOR 3\n")
        return SourceModule(
            template.substitute(type=ctype), options=["-DOFFSET=1", "--use_fast_math"], include_dirs=[folder]
        ).get_function("scale")


for dtype in (np.float32, np.int16, np.float64, np.float32):
    a = np.arange(4).astype(dtype)
    get_kernel(dtype_to_ctype(dtype))(cuda.InOut(a), block=(4, 1, 1))
    print(dtype_to_ctype(dtype), a)
print(compiles)

templated = SourceModule(
    """
template <class T> __device__ T twice(T value) { return value + value; }
extern "C" __global__ void twice_all(int *a) { a[threadIdx.x] = twice(a[threadIdx.x]); }
""",
    no_extern_c=True,
)
b = np.arange(3, dtype=np.int32)
templated.get_function("twice_all")(cuda.InOut(b), block=(3, 1, 1))
print(b)

pair = np.dtype([("left", np.float32), ("right", np.float32)])
get_or_register_dtype("pair", pair)
print(dtype_to_ctype(pair), dtype_to_ctype(np.uint8), dtype_to_ctype(np.int64))
print(
    platform_bits(), has_double_support(), sizeof("float4"), sizeof("struct odd", "struct odd { char c; double d; };")
)
