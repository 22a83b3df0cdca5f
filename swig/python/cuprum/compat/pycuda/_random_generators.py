"""Generators of random numbers that keep their state on the device: many, one for each thread."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum.compat.pycuda import _kernels
from cuprum.compat.pycuda._array import GPUArray
from cuprum.compat.pycuda._creation import empty, to_gpu
from cuprum.compat.pycuda._native import mem_alloc
from cuprum.compat.pycuda._scalars import as_argument
from cuprum.compat.pycuda._usable import require_contiguous, usable_address

if TYPE_CHECKING:
    from cuprum.compat.pycuda._stream import Stream

_FILLS = """
extern "C" __global__ void {name}(State* states, {out}* data, size_t n{parameters}) {{
    const size_t generator = blockIdx.x * blockDim.x + threadIdx.x;
    State state = states[generator];
    for (size_t i = generator; i < n; i += blockDim.x * gridDim.x) data[i] = {value};
    states[generator] = state;
}}
"""

_SKIPS = """
extern "C" __global__ void {name}(State* states, size_t n, unsigned long long skip) {{
    const size_t generator = blockIdx.x * blockDim.x + threadIdx.x;
    if (generator < n) {function}(skip, &states[generator]);
}}
extern "C" __global__ void {name}_array(State* states, size_t n, const unsigned long long* skip) {{
    const size_t generator = blockIdx.x * blockDim.x + threadIdx.x;
    if (generator < n) {function}(skip[generator], &states[generator]);
}}
"""

_PREPARE = """
extern "C" __global__ void prepare(State* states, size_t n, const unsigned int* seeds, size_t offset) {
    const size_t generator = blockIdx.x * blockDim.x + threadIdx.x;
    if (generator < n) curand_init(seeds[generator], generator, offset, &states[generator]);
}
extern "C" __global__ void state_size(unsigned int* size) { *size = sizeof(State); }
"""

#: What is filled in, by the kernel's name: the elements, the value, and what the value depends on.
_DISTRIBUTIONS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "uniform_int": ("unsigned int", "curand(&state)", ()),
    "uniform_float": ("float", "curand_uniform(&state)", ()),
    "uniform_double": ("double", "curand_uniform_double(&state)", ()),
    "normal_float": ("float", "curand_normal(&state)", ()),
    "normal_double": ("double", "curand_normal_double(&state)", ()),
    "normal_float2": ("float2", "curand_normal2(&state)", ()),
    "normal_double2": ("double2", "curand_normal2_double(&state)", ()),
    "log_normal_float": ("float", "curand_log_normal(&state, mean, stddev)", ("float mean", "float stddev")),
    "log_normal_double": ("double", "curand_log_normal_double(&state, mean, stddev)", ("double mean", "double stddev")),
    "log_normal_float2": ("float2", "curand_log_normal2(&state, mean, stddev)", ("float mean", "float stddev")),
    "log_normal_double2": (
        "double2",
        "curand_log_normal2_double(&state, mean, stddev)",
        ("double mean", "double stddev"),
    ),
    "poisson_int": ("unsigned int", "curand_poisson(&state, mean)", ("double mean",)),
    "poisson_inplace_int": ("unsigned int", "curand_poisson(&state, data[i])", ()),
    "poisson_inplace_float": ("float", "curand_poisson(&state, data[i])", ()),
    "poisson_inplace_double": ("double", "curand_poisson(&state, data[i])", ()),
}


@functools.cache
def _curand_headers() -> str | None:
    """The folder of ``curand_kernel.h``."""
    import os

    from cuprum import pathfinder

    found = pathfinder.find_nvidia_header_directory("curand")
    return found if found is not None and os.path.exists(os.path.join(found, "curand_kernel.h")) else None


def get_curand_version() -> tuple[int, int, int] | None:
    """The version of the cuRAND whose headers the generators are made with; None where there are none."""
    import os
    import re

    folder = _curand_headers()
    if folder is None:
        return None
    with open(os.path.join(folder, "curand.h"), encoding="utf-8") as file:
        numbers = dict(re.findall(r"#define CURAND_VER_(MAJOR|MINOR|PATCH) (\d+)", file.read()))
    return int(numbers["MAJOR"]), int(numbers["MINOR"]), int(numbers["PATCH"])


def seed_getter_uniform(n: int) -> GPUArray:
    """The same seed ``n`` times, by chance: generators differ by their sequence alone."""
    import random

    return empty((n,), np.int32).fill(random.randint(0, 2**31 - 1))


def seed_getter_unique(n: int) -> GPUArray:
    """``n`` seeds, each by chance."""
    return to_gpu(np.random.randint(0, 2**31 - 1, n).astype(np.int32))


class _RandomNumberGenerator:
    """A generator for each of ``block_count * generators_per_block`` threads."""

    #: cuRAND's name for the state, and the functions that skip.
    _state_type: str
    _skips: dict[str, str]

    def __init__(self, seed_getter: Callable[[int], GPUArray] | None = None, offset: int = 0) -> None:
        """``seed_getter(n)`` gives ``n`` seeds as an array of int32; without it, each is by chance.

        ``offset`` numbers of each generator are left out at the beginning.
        """
        folder = _curand_headers()
        #: Whether the numbers are cuRAND's.
        self.is_curand = folder is not None
        self._module = self._compile(folder)
        self._functions: dict[str, Any] = {}
        state = _kernels.state_of_context()
        #: The context that the state is in.
        self.block_count = state.multiprocessors
        names = [*_DISTRIBUTIONS, *self._skips, "prepare"]
        most = min(self._module.get_function(name).max_threads_per_block for name in names)
        self.generators_per_block = int(most)
        count = self.block_count * self.generators_per_block
        seeds = seed_getter_unique(count) if seed_getter is None else seed_getter(count)
        if not (isinstance(seeds, GPUArray) and seeds.dtype == np.int32 and seeds.size == count):
            shown = f"{seeds.size} of {seeds.dtype}" if isinstance(seeds, GPUArray) else type(seeds).__name__
            raise TypeError(f"seed must be GPUArray of integers of right length: {count} of int32, not {shown}")
        size = empty((1,), np.uint32)
        sizer = self._module.get_function("state_size")
        sizer(size, block=(1, 1, 1), grid=(1, 1))
        #: The states of all generators.
        self.state = mem_alloc(count * int(size.get()[0]))
        self._launch("prepare", [np.uint64, "P", np.uint64], None, count, usable_address(seeds, state), int(offset))

    def _compile(self, folder: str | None) -> Any:
        from cuprum.compat.pycuda.compiler import SourceModule

        parts = [
            f"#include <curand_kernel.h>\ntypedef {self._state_type} State;\n"
            if folder is not None
            else "#include <cuprum-philox.hpp>\ntypedef CuprumPhiloxState State;\n"
        ]
        for name, (out, value, parameters) in _DISTRIBUTIONS.items():
            parts.append(
                _FILLS.format(name=name, out=out, value=value, parameters="".join(f", {each}" for each in parameters))
            )
        parts += [
            _SKIPS.format(name=name, function=function if folder is not None else _OF_PHILOX[function])
            for name, function in self._skips.items()
        ]
        parts.append(_PREPARE)
        return SourceModule("".join(parts), no_extern_c=True, include_dirs=[] if folder is None else [folder])

    def _launch(self, name: str, types: list[Any], stream: Any, *arguments: Any) -> None:
        function = self._functions.get(name)
        if function is None:
            function = self._functions[name] = self._module.get_function(name)
            function.prepare(["P", *types])
        grid, block = (self.block_count, 1), (self.generators_per_block, 1, 1)
        function.prepared_async_call(grid, block, stream, int(self.state), *arguments)

    def _fill(self, what: str, data: GPUArray, name: str | None, stream: Any, *parameters: Any) -> None:
        if not isinstance(data, GPUArray):
            raise TypeError(f"{what} fills a GPUArray, not {type(data).__name__}")
        if name is None:
            raise NotImplementedError(f"{what}: there are no such numbers of the type {data.dtype}")
        require_contiguous(data, what)
        types = [_PARAMETER_TYPES[each.split()[0]] for each in _DISTRIBUTIONS[name][2]]
        values = [as_argument(value, dtype, what) for value, dtype in zip(parameters, types, strict=True)]
        count = data.size // 2 if name.endswith("2") else data.size
        if count:
            address = usable_address(data, _kernels.state_of_context())
            self._launch(name, ["P", np.uint64, *types], stream, address, count, *values)

    def fill_uniform(self, data: GPUArray, stream: Stream | None = None) -> None:
        """Numbers from 0 to 1, without 0, into an array of float32 or float64; all of int32 or uint32."""
        names = {"f4": "uniform_float", "f8": "uniform_double", "i4": "uniform_int", "u4": "uniform_int"}
        self._fill("fill_uniform", data, names.get(_code(data)), stream)

    def fill_normal(self, data: GPUArray, stream: Stream | None = None) -> None:
        """The normal distribution of mean 0 and deviation 1, into an array of float32 or float64."""
        self._fill("fill_normal", data, _pairs("normal", data), stream)

    def fill_log_normal(self, data: GPUArray, mean: float, stddev: float, stream: Stream | None = None) -> None:
        """The logarithmic normal distribution, into an array of float32 or float64."""
        self._fill("fill_log_normal", data, _pairs("log_normal", data), stream, mean, stddev)

    def fill_poisson(self, data: GPUArray, lambda_value: float | None = None, stream: Stream | None = None) -> None:
        """The Poisson distribution of the mean ``lambda_value``, into an array of uint32.

        Without it, each element is the mean of the number that replaces it, in an array of uint32, float32 or float64.
        """
        code = _code(data)
        if lambda_value is not None:
            self._fill("fill_poisson", data, "poisson_int" if code == "u4" else None, stream, lambda_value)
            return
        names = {"f4": "poisson_inplace_float", "f8": "poisson_inplace_double", "u4": "poisson_inplace_int"}
        self._fill("fill_poisson", data, names.get(code), stream)

    def gen_uniform(self, shape: Any, dtype: Any, stream: Stream | None = None) -> GPUArray:
        """A new array for ``fill_uniform``."""
        result = empty(shape, dtype)
        self.fill_uniform(result, stream)
        return result

    def gen_normal(self, shape: Any, dtype: Any, stream: Stream | None = None) -> GPUArray:
        """A new array for ``fill_normal``."""
        result = empty(shape, dtype)
        self.fill_normal(result, stream)
        return result

    def gen_log_normal(
        self, shape: Any, dtype: Any, mean: float, stddev: float, stream: Stream | None = None
    ) -> GPUArray:
        """A new array for ``fill_log_normal``."""
        result = empty(shape, dtype)
        self.fill_log_normal(result, mean, stddev, stream)
        return result

    def gen_poisson(self, shape: Any, dtype: Any, lambda_value: float, stream: Stream | None = None) -> GPUArray:
        """A new array for ``fill_poisson``."""
        result = empty(shape, dtype)
        self.fill_poisson(result, lambda_value, stream)
        return result

    def _skip(self, name: str, i: Any, stream: Any) -> None:
        count = self.block_count * self.generators_per_block
        self._launch(name, [np.uint64, np.uint64], stream, count, as_argument(i, np.dtype(np.uint64), name))

    def _skip_array(self, name: str, i: Any, stream: Any) -> None:
        count = self.block_count * self.generators_per_block
        if not isinstance(i, GPUArray) or i.dtype.itemsize != 8 or i.dtype.kind not in "iu" or i.size != count:
            raise TypeError(f"{name}: a GPUArray of {count} uint64, one for each generator")
        require_contiguous(i, name)
        address = usable_address(i, _kernels.state_of_context())
        self._launch(name, [np.uint64, "P"], stream, count, address)

    def call_skip_ahead(self, i: int, stream: Stream | None = None) -> None:
        """Every generator leaves ``i`` numbers out."""
        self._skip("skip_ahead", i, stream)

    def call_skip_ahead_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Every generator leaves so many numbers out as its element of ``i`` says."""
        self._skip_array("skip_ahead_array", i, stream)

    def call_skip_ahead_sequence(self, i: int, stream: Stream | None = None) -> None:
        """Every generator goes on with the sequence ``i`` further."""
        self._skip("skip_ahead_sequence", i, stream)

    def call_skip_ahead_sequence_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Every generator goes on with the sequence that many further as its element of ``i`` says."""
        self._skip_array("skip_ahead_sequence_array", i, stream)


_PARAMETER_TYPES: dict[str, np.dtype[Any]] = {"float": np.dtype(np.float32), "double": np.dtype(np.float64)}

#: What stands for cuRAND's functions without it.
_OF_PHILOX = {
    "skipahead": "skipahead",
    "skipahead_sequence": "skipahead_sequence",
    "skipahead_subsequence": "skipahead_sequence",
}


def _code(data: Any) -> str:
    return data.dtype.str[1:] if isinstance(data, GPUArray) else ""


def _pairs(distribution: str, data: Any) -> str | None:
    """The kernel for the elements' type: by pairs, which come from one calculation, where the number is even."""
    name = {"f4": "float", "f8": "double"}.get(_code(data))
    return None if name is None else f"{distribution}_{name}{'2' if data.size % 2 == 0 else ''}"


class XORWOWRandomNumberGenerator(_RandomNumberGenerator):
    """cuRAND's XORWOW."""

    _state_type = "curandStateXORWOW"
    _skips = {"skip_ahead": "skipahead", "skip_ahead_sequence": "skipahead_sequence"}


class MRG32k3aRandomNumberGenerator(_RandomNumberGenerator):
    """cuRAND's MRG32k3a."""

    _state_type = "curandStateMRG32k3a"
    _skips = {
        "skip_ahead": "skipahead",
        "skip_ahead_sequence": "skipahead_sequence",
        "skip_ahead_subsequence": "skipahead_subsequence",
    }

    def call_skip_ahead_subsequence(self, i: int, stream: Stream | None = None) -> None:
        """Every generator goes on with the subsequence ``i`` further."""
        self._skip("skip_ahead_subsequence", i, stream)

    def call_skip_ahead_subsequence_array(self, i: GPUArray, stream: Stream | None = None) -> None:
        """Every generator goes on with the subsequence that many further as its element of ``i`` says."""
        self._skip_array("skip_ahead_subsequence_array", i, stream)


class PhiloxRandomNumberGenerator(_RandomNumberGenerator):
    """cuRAND's Philox4x32-10, which PyCUDA does not have: the quickest to make."""

    _state_type = "curandStatePhilox4_32_10_t"
    _skips = {"skip_ahead": "skipahead", "skip_ahead_sequence": "skipahead_sequence"}
