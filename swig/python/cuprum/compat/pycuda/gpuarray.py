"""``pycuda.gpuarray``: arrays on the device that work much as NumPy's do."""

from __future__ import annotations

from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._choices import (
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    where,
)
from cuprum.compat.pycuda._creation import (
    arange,
    empty,
    empty_like,
    ones,
    ones_like,
    to_gpu,
    to_gpu_async,
    zeros,
    zeros_like,
)
from cuprum.compat.pycuda._joining import concatenate, reshape, stack, transpose
from cuprum.compat.pycuda._layout import ArrayFlags
from cuprum.compat.pycuda._reductions import (
    all,
    any,
    dot,
    max,
    min,
    subset_dot,
    subset_max,
    subset_min,
    subset_sum,
    sum,
    vdot,
)
from cuprum.compat.pycuda._splay import splay
from cuprum.compat.pycuda._taking import multi_put, multi_take, multi_take_put, take
from cuprum.compat.pycuda._vectors import vec

__all__ = [
    "ArrayFlags",
    "GPUArray",
    "all",
    "any",
    "arange",
    "concatenate",
    "dot",
    "empty",
    "empty_like",
    "if_positive",
    "logical_and",
    "logical_not",
    "logical_or",
    "max",
    "maximum",
    "min",
    "minimum",
    "multi_put",
    "multi_take",
    "multi_take_put",
    "ones",
    "ones_like",
    "reshape",
    "splay",
    "stack",
    "subset_dot",
    "subset_max",
    "subset_min",
    "subset_sum",
    "sum",
    "take",
    "to_gpu",
    "to_gpu_async",
    "transpose",
    "vdot",
    "vec",
    "where",
    "zeros",
    "zeros_like",
]
