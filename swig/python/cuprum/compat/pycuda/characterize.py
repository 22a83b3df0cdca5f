"""``pycuda.characterize``: what the current context's device and the compiler have."""

from __future__ import annotations

import struct

from cuprum.compat.pycuda._context import Context
from cuprum.compat.pycuda._memoize import context_dependent_memoize

__all__ = ["has_double_support", "has_stack", "platform_bits", "sizeof"]


def platform_bits() -> int:
    """Bits of an address: 64."""
    return struct.calcsize("P") * 8


def has_stack() -> bool:
    """Whether kernels can call functions that call themselves."""
    return Context.get_device().compute_capability() >= (2, 0)


def has_double_support() -> bool:
    """Whether kernels can calculate with doubles."""
    return Context.get_device().compute_capability() >= (1, 3)


@context_dependent_memoize
def sizeof(type_name: str, preamble: str = "") -> int:
    """Bytes of a type in device code; ``preamble`` declares it."""
    import numpy as np

    from cuprum.compat.pycuda._handlers import Out
    from cuprum.compat.pycuda.compiler import SourceModule

    source = f"""{preamble}
extern "C" __global__ void write_size(unsigned long long *size) {{ *size = sizeof({type_name}); }}
"""
    size = np.zeros(1, np.uint64)
    SourceModule(source, no_extern_c=True).get_function("write_size")(Out(size), block=(1, 1, 1))
    return int(size[0])
