"""``ReductionKernel``: one value of many elements, with an expression of the program's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._scalars import as_argument
from cuprum.compat.pycuda._usable import address_of, usable_address
from cuprum.compat.pycuda.elementwise import VectorArg, includes, parsed_arguments
from cuprum.compat.pycuda.tools import dtype_to_ctype

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import GPUArray
    from cuprum.compat.pycuda._kernels import ContextState
    from cuprum.compat.pycuda._stream import Stream
    from cuprum.compat.pycuda.elementwise import Argument

__all__ = ["ReductionKernel"]

_THREADS = 256
#: A thread of the first launch takes so many elements at least; the second launch has one block.
_ELEMENTS_OF_A_THREAD = 8
_MOST_BLOCKS = 1024


class ReductionKernel:
    """``reduce_expr``, C++ over ``a`` and ``b``, of all the values of ``map_expr``, C++ over ``i``, an element's index.

    ``dtype_out`` is the type that is calculated in, ``neutral`` C++ for a value that changes no other. Without
    ``map_expr``, the elements of the first vector of ``arguments`` are taken. ``preamble`` goes before the kernels;
    ``options`` are NVRTC's. The order in which values are combined is not fixed.
    """

    def __init__(
        self,
        dtype_out: Any,
        neutral: str,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: str | Sequence[Argument] | None = None,
        name: str = "reduce_kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        preamble: str = "",
    ) -> None:
        self.dtype_out = np.dtype(dtype_out)
        if arguments is None:
            raise TypeError('ReductionKernel: arguments are missing, the parameters of the kernel, as in "float *x"')
        self._arguments = parsed_arguments(arguments)
        vector = next((each for each in self._arguments if isinstance(each, VectorArg)), None)
        if vector is None:
            raise TypeError(
                f"{name}: ReductionKernel can only be used with functions that have at least one vector argument"
            )
        self._name = name
        self._keep = keep
        self._options = options
        self._source = _source(
            dtype_to_ctype(self.dtype_out),
            str(neutral),
            reduce_expr,
            f"{vector.name}[i]" if map_expr is None else map_expr,
            self._arguments,
            name,
            includes(self._arguments, str(neutral), reduce_expr, map_expr or "", preamble, out=self.dtype_out)
            + preamble,
        )
        #: The kernels of both launches, by context.
        self._compiled: WeakKeyDictionary[ContextState, tuple[Any, Any]] = WeakKeyDictionary()
        #: The last of these.
        self._last: tuple[ContextState, Any, Any] | None = None

    def _kernels(self, state: ContextState) -> tuple[Any, Any]:
        found = self._compiled.get(state)
        if found is None:
            from cuprum.compat.pycuda.compiler import SourceModule

            options = None if self._options is None else list(self._options)
            module = SourceModule(self._source, options=options, keep=self._keep, no_extern_c=True)
            first, second = module.get_function(f"{self._name}_stage1"), module.get_function(f"{self._name}_stage2")
            parameters = ["P" if isinstance(each, VectorArg) else each.dtype for each in self._arguments]
            first.prepare(["P", *parameters, np.uint64])
            second.prepare(["P", "P", *parameters, np.uint64])
            found = self._compiled[state] = first.prepared_async_call, second.prepared_async_call
        return found

    def __call__(
        self,
        *args: Any,
        out: GPUArray | None = None,
        stream: Stream | None = None,
        allocator: Any = None,
    ) -> GPUArray:
        """The value of the elements of the first array: in ``out``, or in a new array without dimensions.

        ``allocator`` is that of the first array, if none is given.
        """
        described = self._arguments
        if len(args) != len(described):
            names = ", ".join(argument.name for argument in described)
            raise TypeError(f"{self._name} takes {len(described)} arguments ({names}), not {len(args)}")
        state = _kernels.state_of_context()
        given: list[Any] = []
        first: Any = None
        for argument, value in zip(described, args, strict=True):
            if isinstance(argument, VectorArg):
                given.append(address_of(value, state, argument, self._name))
                first = value if first is None else first
            else:
                given.append(as_argument(value, argument.dtype, f"argument {argument.name!r} of {self._name}"))
        return self._reduce(state, given, first.size, out, stream, allocator or first.allocator)

    def _reduce(
        self, state: ContextState, given: list[Any], count: int, out: GPUArray | None, stream: Any, allocator: Any
    ) -> GPUArray:
        from cuprum.compat.pycuda._array import GPUArray

        if out is None:
            out = GPUArray._single(self.dtype_out, allocator)
        elif out.dtype != self.dtype_out or out.size == 0:
            raise ValueError(
                f"{self._name}: out must have the same dtype as dtype_out, {self.dtype_out}, and one element: it has "
                f"{out.size} of {out.dtype}"
            )
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = state, *self._kernels(state)
        _, first, second = last
        blocks = min(-(-count // (_THREADS * _ELEMENTS_OF_A_THREAD)), state.most_blocks, _MOST_BLOCKS)
        block = (_THREADS, 1, 1)
        if blocks <= 1:
            first((1, 1), block, stream, usable_address(out, state), *given, count)
            return out
        partial = GPUArray((blocks,), self.dtype_out, allocator)
        first((blocks, 1), block, stream, usable_address(partial, state), *given, count)
        second((1, 1), block, stream, usable_address(out, state), usable_address(partial, state), *given, blocks)
        return out


def _source(
    out: str, neutral: str, reduce_expr: str, map_expr: str, arguments: Sequence[Argument], name: str, head: str
) -> str:
    declarators = ", ".join(argument.declarator() for argument in arguments)
    return f"""\
{head}
namespace cuprum {{
typedef {out} Out;
template <class Map, class Reduce>
__device__ void reduce(Out* result, unsigned long long n, const Out& neutral, Map map, Reduce reduce_two) {{
    // Not an array of Out, whose constructor may do something.
    __shared__ __align__(16) unsigned char memory[{_THREADS} * sizeof(Out)];
    Out* const values = reinterpret_cast<Out*>(memory);
    const unsigned long long step = static_cast<unsigned long long>(gridDim.x) * {_THREADS};
    Out value = neutral;
    unsigned long long i = static_cast<unsigned long long>(blockIdx.x) * {_THREADS} + threadIdx.x;
    for (; i < n; i += step)
        value = reduce_two(value, map(i));
    values[threadIdx.x] = value;
    for (unsigned half = {_THREADS} / 2; half > 0; half /= 2) {{
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] = reduce_two(values[threadIdx.x], values[threadIdx.x + half]);
    }}
    if (threadIdx.x == 0) result[blockIdx.x] = values[0];
}}
}}  // namespace cuprum

extern "C" __global__ void {name}_stage1(cuprum::Out* cuprum_result, {declarators}, unsigned long long cuprum_n) {{
    const cuprum::Out cuprum_neutral = {neutral};
    cuprum::reduce(
        cuprum_result, cuprum_n, cuprum_neutral, [&](size_t i) -> cuprum::Out {{ return {map_expr}; }},
        [&](cuprum::Out a, cuprum::Out b) -> cuprum::Out {{ return {reduce_expr}; }});
}}

extern "C" __global__ void {name}_stage2(cuprum::Out* cuprum_result, const cuprum::Out* cuprum_partial, {declarators},
                                         unsigned long long cuprum_n) {{
    const cuprum::Out cuprum_neutral = {neutral};
    cuprum::reduce(
        cuprum_result, cuprum_n, cuprum_neutral, [&](size_t i) -> cuprum::Out {{ return cuprum_partial[i]; }},
        [&](cuprum::Out a, cuprum::Out b) -> cuprum::Out {{ return {reduce_expr}; }});
}}
"""
