"""``pycuda.scan``: prefix sums over an expression of the program's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._usable import require_contiguous, usable_address
from cuprum.compat.pycuda.elementwise import includes
from cuprum.compat.pycuda.tools import dtype_to_ctype

if TYPE_CHECKING:
    from cuprum.compat.pycuda._array import GPUArray
    from cuprum.compat.pycuda._kernels import ContextState
    from cuprum.compat.pycuda._stream import Stream

__all__ = ["ExclusiveScanKernel", "InclusiveScanKernel"]

_THREADS = 128
#: A tile is what a block scans at a time. An odd number keeps the threads on different banks of shared memory.
_ELEMENTS_OF_A_THREAD = 7
_TILE = _THREADS * _ELEMENTS_OF_A_THREAD
_LARGEST_TILE = 40 << 10  # bytes
_BLOCKS_PER_MULTIPROCESSOR = 4
_MOST_BLOCKS = 1024


class _ScanKernel:
    """In three launches: each block's share becomes one value, these are scanned, and from there the shares are.

    The order of the elements is kept: ``scan_expr`` need not be commutative.
    """

    _is_exclusive: bool

    def __init__(
        self,
        dtype: Any,
        scan_expr: str,
        neutral: str | None = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None:
        if self._is_exclusive and neutral is None:
            raise ValueError(
                "neutral element is required for exclusive scan: it is the first result, as in neutral='0'"
            )
        self.dtype = np.dtype(dtype)
        self.neutral = neutral
        self._name = name_prefix
        self._options = options
        per_thread = _ELEMENTS_OF_A_THREAD
        while per_thread > 1 and per_thread * _THREADS * self.dtype.itemsize > _LARGEST_TILE:
            per_thread -= 2
        self._tile = per_thread * _THREADS
        head = includes([], scan_expr, str(neutral), preamble, out=self.dtype) + preamble
        self._source = _source(
            dtype_to_ctype(self.dtype), scan_expr, str(neutral), per_thread, name_prefix, head, self._is_exclusive
        )
        self._compiled: WeakKeyDictionary[ContextState, tuple[Any, Any]] = WeakKeyDictionary()

    def _kernels(self, state: ContextState) -> tuple[Any, Any]:
        found = self._compiled.get(state)
        if found is None:
            from cuprum.compat.pycuda.compiler import SourceModule

            options = None if self._options is None else list(self._options)
            module = SourceModule(self._source, options=options, no_extern_c=True)
            total, final = (module.get_function(f"{self._name}_{which}") for which in ("totals", "final"))
            total.prepare(["P", "P", np.uint64, np.uint64, np.int32])
            final.prepare(["P", "P", "P", np.uint64, np.uint64])
            found = self._compiled[state] = total.prepared_async_call, final.prepared_async_call
        return found

    def __call__(
        self,
        input_ary: GPUArray,
        output_ary: GPUArray | str | None = None,
        allocator: Any = None,
        stream: Stream | None = None,
    ) -> GPUArray:
        """Scans an array of one dimension: in place, into ``output_ary``, or into a new array for ``"new"``."""
        from cuprum.compat.pycuda._array import GPUArray

        name = f"{self._name} of a {type(self).__name__}"
        if not isinstance(input_ary, GPUArray):
            raise TypeError(f"{name} scans a GPUArray, not {type(input_ary).__name__}")
        require_contiguous(input_ary, name)
        allocator = allocator or input_ary.allocator
        if isinstance(output_ary, str):
            if output_ary != "new":
                raise ValueError(f"{name}: output_ary is an array, or 'new' for a new one, not {output_ary!r}")
            output_ary = GPUArray(input_ary.shape, input_ary.dtype, allocator)
        output = input_ary if output_ary is None else output_ary
        require_contiguous(output, name)
        if output.shape != input_ary.shape:
            raise ValueError(
                f"{name}: input and output must have the same shape: they have {input_ary.shape} and {output.shape}"
            )
        if input_ary.ndim != 1:
            raise ValueError(f"{name} scans an array of one dimension, not {input_ary.ndim}: take input_ary.ravel()")
        for array in (input_ary, output):
            if array.dtype.itemsize != self.dtype.itemsize or (array.dtype.kind == "f") != (self.dtype.kind == "f"):
                raise TypeError(f"{name} is made for elements of {self.dtype}, and the array's are {array.dtype}")
        if input_ary.size:
            self._scan(input_ary, output, allocator, stream)
        return output

    def _scan(self, source: GPUArray, output: GPUArray, allocator: Any, stream: Any) -> None:
        from cuprum.compat.pycuda._array import GPUArray

        state = _kernels.state_of_context()
        total, final = self._kernels(state)
        count, tile, block = source.size, self._tile, (_THREADS, 1, 1)
        tiles = -(-count // tile)
        most = min(state.multiprocessors * _BLOCKS_PER_MULTIPROCESSOR, _MOST_BLOCKS)
        share = -(-tiles // most) * tile
        blocks = -(-count // share)
        begin, end = usable_address(source, state), usable_address(output, state)
        if blocks == 1:
            final((1, 1), block, stream, begin, end, 0, count, share)
            return
        totals = GPUArray((blocks,), self.dtype, allocator)
        carry = usable_address(totals, state)
        total((blocks, 1), block, stream, begin, carry, count, share, 0)
        total((1, 1), block, stream, carry, carry, blocks, -(-blocks // tile) * tile, 1)
        final((blocks, 1), block, stream, begin, end, carry, count, share)


class InclusiveScanKernel(_ScanKernel):
    """Result ``i`` combines the elements up to ``i``: ``scan_expr`` is C++ over ``a``, what comes before, and ``b``."""

    _is_exclusive = False


class ExclusiveScanKernel(_ScanKernel):
    """Result ``i`` combines the elements before ``i``; the first is ``neutral``, C++ for a value of the type."""

    _is_exclusive = True


def _source(
    element: str, scan_expr: str, neutral: str, per_thread: int, name: str, head: str, is_exclusive: bool
) -> str:
    return f"""\
{head}
namespace cuprum {{
typedef {element} T;
typedef unsigned long long Position;
enum {{ threads = {_THREADS}, per_thread = {per_thread}, tile = threads * per_thread }};

__device__ inline T combine(T a, T b) {{ return {scan_expr}; }}

// Memory for values whose constructors may do something.
template <int count>
struct Values {{
    __align__(16) unsigned char memory[count * sizeof(T)];
    __device__ T& operator[](int i) {{ return reinterpret_cast<T*>(memory)[i]; }}
}};

struct Shared {{
    Values<tile> elements;
    Values<threads> sums;
}};

// An inclusive scan of `count` elements of a tile, in place, with `carry` before them where there is one; the last
// value becomes the carry. Threads have neighbouring elements, those with the last ones possibly fewer or none.
__device__ inline void scan_tile(Shared& shared, int count, bool& has_carry, T& carry) {{
    const int first = static_cast<int>(threadIdx.x) * per_thread;
    const int own = count - first < per_thread ? count - first : per_thread;
    if (own > 0) {{
        T sum = shared.elements[first];
        for (int i = 1; i < own; ++i) {{
            sum = combine(sum, shared.elements[first + i]);
            shared.elements[first + i] = sum;
        }}
        shared.sums[threadIdx.x] = sum;
    }}
    const int active = (count + per_thread - 1) / per_thread;
    for (int distance = 1; distance < active; distance *= 2) {{
        __syncthreads();
        const int thread = static_cast<int>(threadIdx.x);
        const bool adds = thread >= distance && thread < active;
        T sum = shared.sums[adds ? thread - distance : 0];
        if (adds) sum = combine(sum, shared.sums[thread]);
        __syncthreads();
        if (adds) shared.sums[thread] = sum;
    }}
    __syncthreads();
    if (own > 0 && (threadIdx.x > 0 || has_carry)) {{
        T before = threadIdx.x > 0 ? shared.sums[threadIdx.x - 1] : carry;
        if (threadIdx.x > 0 && has_carry) before = combine(carry, before);
        for (int i = 0; i < own; ++i) shared.elements[first + i] = combine(before, shared.elements[first + i]);
    }}
    __syncthreads();
    carry = shared.elements[count - 1];
    has_carry = true;
}}

__device__ inline int load_tile(Shared& shared, const T* source, Position begin, Position end) {{
    const int count = static_cast<int>(end - begin < tile ? end - begin : tile);
    for (int i = threadIdx.x; i < count; i += threads) shared.elements[i] = source[begin + i];
    __syncthreads();
    return count;
}}
}}  // namespace cuprum

// The value of each block's share; or, with `keeps_all`, all values of one share.
extern "C" __global__ void {name}_totals(const cuprum::T* source, cuprum::T* totals, cuprum::Position n,
                                         cuprum::Position share, int keeps_all) {{
    using namespace cuprum;
    __shared__ Shared shared;
    const Position first = blockIdx.x * share, end = first + share < n ? first + share : n;
    bool has_carry = false;
    T carry = source[first];
    for (Position begin = first; begin < end; begin += tile) {{
        const int count = load_tile(shared, source, begin, end);
        scan_tile(shared, count, has_carry, carry);
        if (keeps_all) {{
            for (int i = threadIdx.x; i < count; i += threads) totals[begin + i] = shared.elements[i];
        }}
        __syncthreads();
    }}
    if (!keeps_all && threadIdx.x == 0) totals[blockIdx.x] = carry;
}}

extern "C" __global__ void {name}_final(const cuprum::T* source, cuprum::T* result, const cuprum::T* totals,
                                        cuprum::Position n, cuprum::Position share) {{
    using namespace cuprum;
    __shared__ Shared shared;
    const Position first = blockIdx.x * share, end = first + share < n ? first + share : n;
    bool has_carry = blockIdx.x > 0;
    T carry = has_carry ? totals[blockIdx.x - 1] : source[first];
    for (Position begin = first; begin < end; begin += tile) {{
        {"[[maybe_unused]] const bool had_carry = has_carry; const T before = carry;" if is_exclusive else ""}
        const int count = load_tile(shared, source, begin, end);
        scan_tile(shared, count, has_carry, carry);
        for (int i = threadIdx.x; i < count; i += threads) {{
            {_RESULT[is_exclusive].format(neutral=neutral)}
        }}
        __syncthreads();
    }}
}}
"""


_RESULT = {
    False: "result[begin + i] = shared.elements[i];",
    True: """\
if (i > 0) {{
                result[begin + i] = shared.elements[i - 1];
            }} else {{
                const T neutral = {neutral};
                result[begin] = had_carry ? before : neutral;
            }}""",
}
