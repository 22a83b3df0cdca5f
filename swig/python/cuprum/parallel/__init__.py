"""CUB's algorithms, compiled at run time for your types and operators: no nvcc, on a GPU or on the simulator.

In one call, over host data or over arrays on the device (``__cuda_array_interface__``, DLPack), where the results then
stay: ``reduce``, ``scan``, ``sort``, ``select`` and others. The data comes first, then the initial value, then the
operator; what follows has names::

    reduce(array)
    reduce(array, 0.0, lambda a, b: a * 0.5 + b)
    scan(array, op=OpKind.MAXIMUM)

Over arrays on the device under the names of ``cuda.compute``: ``reduce_into`` and the like in one call,
``make_reduce_into`` and the like as objects that are built once and called many times.

Operators are Python functions, which are translated and mean what NumPy makes of them (arithmetic, comparisons, ``if``,
loops, local variables, NumPy's and this module's functions, ``where``); CUDA C++ text over ``a`` and ``b``, which means
what it means in C++; or an ``OpKind``. Needs NumPy.

With ``execution="host"`` the same calls run on the host's own cores over NumPy arrays, for well-known operators.
"""

from __future__ import annotations

from cuprum.parallel import _algorithms
from cuprum.parallel._algorithm import POOL, Algorithm, Determinism, SortOrder, load_builds
from cuprum.parallel._algorithms import *  # noqa: F403
from cuprum.parallel._arrays import DeviceArray
from cuprum.parallel._double_buffer import DoubleBuffer
from cuprum.parallel._execution import Execution
from cuprum.parallel._histogram import histogram_even, make_histogram_even
from cuprum.parallel._iterators import (
    CacheModifiedInputIterator,
    ConstantIterator,
    CoordinatesIterator,
    CountingIterator,
    DiscardIterator,
    Iterator,
    PermutationIterator,
    ReverseIterator,
    ShuffleIterator,
    StridedIterator,
    TransformIterator,
    TransformOutputIterator,
    ZipIterator,
)
from cuprum.parallel._multi_histogram import (
    make_multi_histogram_even,
    make_multi_histogram_range,
    multi_histogram_even,
    multi_histogram_range,
)
from cuprum.parallel._one_shot import argmax, argmin, reduce, scan, sort, sort_by_key, transform
from cuprum.parallel._operations import (
    absolute,
    arccos,
    arcsin,
    arctan,
    arctan2,
    cbrt,
    ceil,
    cos,
    cosh,
    exp,
    exp2,
    expm1,
    floor,
    hypot,
    imag,
    isnan,
    log,
    log1p,
    log2,
    log10,
    maximum,
    minimum,
    power,
    real,
    rint,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    trunc,
    where,
)
from cuprum.parallel._operators import Operator, OpKind, RawOp
from cuprum.parallel._symbol import Symbol, TraceError
from cuprum.parallel._transform import (
    binary_transform,
    make_binary_transform,
    make_nary_transform,
    make_unary_transform,
    nary_transform,
    unary_transform,
)
from cuprum.parallel._wide import int128, pack_int128, uint128, unpack_int128

__all__ = [
    *_algorithms.__all__,
    "POOL",
    "Algorithm",
    "CacheModifiedInputIterator",
    "ConstantIterator",
    "CoordinatesIterator",
    "CountingIterator",
    "Determinism",
    "DeviceArray",
    "DiscardIterator",
    "DoubleBuffer",
    "Execution",
    "Iterator",
    "OpKind",
    "Operator",
    "PermutationIterator",
    "RawOp",
    "ReverseIterator",
    "ShuffleIterator",
    "SortOrder",
    "StridedIterator",
    "Symbol",
    "TraceError",
    "TransformIterator",
    "TransformOutputIterator",
    "ZipIterator",
    "absolute",
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "argmax",
    "argmin",
    "binary_transform",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "histogram_even",
    "hypot",
    "imag",
    "int128",
    "isnan",
    "load_builds",
    "log",
    "log1p",
    "log2",
    "log10",
    "make_binary_transform",
    "make_histogram_even",
    "make_multi_histogram_even",
    "make_multi_histogram_range",
    "make_nary_transform",
    "make_unary_transform",
    "maximum",
    "minimum",
    "multi_histogram_even",
    "multi_histogram_range",
    "nary_transform",
    "pack_int128",
    "power",
    "real",
    "reduce",
    "rint",
    "scan",
    "sin",
    "sinh",
    "sort",
    "sort_by_key",
    "sqrt",
    "tan",
    "tanh",
    "transform",
    "trunc",
    "uint128",
    "unary_transform",
    "unpack_int128",
    "where",
]
