"""``pycuda.tools``: memory pools, what a device can do, types under their names in C, and caches for each context."""

from __future__ import annotations

from cuprum.compat.pycuda._arguments_in_c import Argument, ScalarArg, VectorArg, get_arg_type, parse_c_arg
from cuprum.compat.pycuda._debug_pool import DebugMemoryPool
from cuprum.compat.pycuda._default_context import get_default_device, make_default_context
from cuprum.compat.pycuda._device_data import DeviceData, OccupancyRecord
from cuprum.compat.pycuda._dtypes import base_dtype_to_ctype, dtype_to_ctype, get_or_register_dtype, register_dtype
from cuprum.compat.pycuda._memoize import (
    clear_context_caches,
    context_dependent_memoize,
    context_dependent_memoized_functions,
)
from cuprum.compat.pycuda._pools import (
    DeviceMemoryPool,
    PageLockedAllocator,
    PageLockedMemoryPool,
    PooledDeviceAllocation,
    bitlog2,
)
from cuprum.compat.pycuda._tests import init_cuda_context_fixture, mark_cuda_test

__all__ = [
    "Argument",
    "DebugMemoryPool",
    "DeviceData",
    "DeviceMemoryPool",
    "OccupancyRecord",
    "PageLockedAllocator",
    "PageLockedMemoryPool",
    "PooledDeviceAllocation",
    "ScalarArg",
    "VectorArg",
    "base_dtype_to_ctype",
    "bitlog2",
    "clear_context_caches",
    "context_dependent_memoize",
    "context_dependent_memoized_functions",
    "dtype_to_ctype",
    "get_arg_type",
    "get_default_device",
    "get_or_register_dtype",
    "init_cuda_context_fixture",
    "make_default_context",
    "mark_cuda_test",
    "parse_c_arg",
    "register_dtype",
]
