"""``pycuda.tools``: memory pools, what a device can do, types under their names in C, and caches for each context."""

from __future__ import annotations

from cuprum.compat.pycuda._default_context import make_default_context
from cuprum.compat.pycuda._dtypes import dtype_to_ctype, get_or_register_dtype, register_dtype
from cuprum.compat.pycuda._memoize import clear_context_caches, context_dependent_memoize
from cuprum.compat.pycuda._pools import DeviceMemoryPool, PageLockedMemoryPool, PooledDeviceAllocation

__all__ = [
    "DeviceMemoryPool",
    "PageLockedMemoryPool",
    "PooledDeviceAllocation",
    "clear_context_caches",
    "context_dependent_memoize",
    "dtype_to_ctype",
    "get_or_register_dtype",
    "make_default_context",
    "register_dtype",
]
