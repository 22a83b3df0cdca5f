"""``pycuda.driver``: devices, contexts, memory, streams, modules and kernels.

For whoever builds on it (``gpuarray`` and the rest), the contract of the modules behind it:

- Whatever is current in this thread counts. ``_context.current_context(what)`` returns it, or raises LogicError that
  says what to do; nothing is allocated, compiled or destroyed elsewhere. A ``SourceModule`` is loaded in the context
  that is current when it is made: keep kernels with ``tools.context_dependent_memoize``, which tells contexts apart.
- ``DeviceAllocation`` (``mem_alloc``, pools) is an int by ``int()`` and ``__index__``, and raises LogicError once it is
  freed. ``int(allocation) + offset`` is an address too: every copy and fill takes ints, allocations, objects with
  ``gpudata`` or ``__cuda_array_interface__``, and ``PointerHolderBase``.
- ``Function.__call__`` plans once for each combination of the arguments' classes: an object with ``gpudata`` (None for
  an empty array) is passed as that address, so that a GPUArray is an argument as it is. ``prepare(types)`` and
  ``prepared_async_call(grid, block, stream, *args, shared_size=0)`` are the cheapest; for a type of 8 bytes they take
  whatever has ``__index__``, ``gpudata`` or ``__cuda_array_interface__``, for others Python's numbers too.
- Streams are ``Stream`` or None, the default stream; ``_memory.stream_handle(stream)`` is the ``CUstream`` as an int.
  With ``cuprum.core``, ``core.Stream.from_handle(stream.handle)`` borrows one.
- ``autoinit``'s context is the device's primary one, that of ``cuprum.core`` and ``cuprum.parallel``. Others are
  possible (``Device.make_context``): there only what goes through this module works.
- Exceptions are those here; ``_errors.check`` and ``value_of`` make them of what ``cuprum.bindings.driver`` returns.
- Every ``SourceModule`` finds the headers in ``headers/``.
"""

from __future__ import annotations

from typing import Any

from cuprum.compat.pycuda._context import Context
from cuprum.compat.pycuda._device import Device, get_driver_version, get_version, init
from cuprum.compat.pycuda._errors import CompileError, Error, LaunchError, LogicError, MemoryError, RuntimeError
from cuprum.compat.pycuda._function import Function
from cuprum.compat.pycuda._handlers import ArgumentHandler, In, InOut, Out
from cuprum.compat.pycuda._memory import (
    from_device,
    from_device_like,
    mem_alloc_like,
    mem_alloc_pitch,
    mem_get_address_range,
    mem_get_info,
    memcpy_peer,
    memcpy_peer_async,
    memset_d2d8,
    memset_d2d8_async,
    memset_d2d16,
    memset_d2d16_async,
    memset_d2d32,
    memset_d2d32_async,
    to_device,
)
from cuprum.compat.pycuda._module import Module, module_from_buffer, module_from_file
from cuprum.compat.pycuda._native import (
    mem_alloc,
    memcpy_dtod,
    memcpy_dtod_async,
    memcpy_dtoh,
    memcpy_dtoh_async,
    memcpy_htod,
    memcpy_htod_async,
    memset_d8,
    memset_d8_async,
    memset_d16,
    memset_d16_async,
    memset_d32,
    memset_d32_async,
)
from cuprum.compat.pycuda._pointers import DeviceAllocation, PointerHolderBase
from cuprum.compat.pycuda._stream import Event, Stream

#: Whether ``set_debugging`` was called; kernels are compiled for cuda-gdb then.
CUDA_DEBUGGING = False


def set_debugging(flag: bool = True) -> None:
    """Compiles later modules with debug information, as ``cuda-gdb`` needs."""
    from cuprum.compat.pycuda._nvcc_options import DEFAULT_NVCC_FLAGS

    global CUDA_DEBUGGING
    CUDA_DEBUGGING = flag
    while "-G" in DEFAULT_NVCC_FLAGS:
        DEFAULT_NVCC_FLAGS.remove("-G")
    if flag:
        DEFAULT_NVCC_FLAGS.append("-G")


__all__ = [
    "CUDA_DEBUGGING",
    "ArgumentHandler",
    "CompileError",
    "Context",
    "Device",
    "DeviceAllocation",
    "Error",
    "Event",
    "Function",
    "In",
    "InOut",
    "LaunchError",
    "LogicError",
    "MemoryError",
    "Module",
    "Out",
    "PointerHolderBase",
    "RuntimeError",
    "Stream",
    "from_device",
    "from_device_like",
    "get_driver_version",
    "get_version",
    "init",
    "mem_alloc",
    "mem_alloc_like",
    "mem_alloc_pitch",
    "mem_get_address_range",
    "mem_get_info",
    "memcpy_dtod",
    "memcpy_dtod_async",
    "memcpy_dtoh",
    "memcpy_dtoh_async",
    "memcpy_htod",
    "memcpy_htod_async",
    "memcpy_peer",
    "memcpy_peer_async",
    "memset_d2d8",
    "memset_d2d8_async",
    "memset_d2d16",
    "memset_d2d16_async",
    "memset_d2d32",
    "memset_d2d32_async",
    "memset_d8",
    "memset_d8_async",
    "memset_d16",
    "memset_d16_async",
    "memset_d32",
    "memset_d32_async",
    "module_from_buffer",
    "module_from_file",
    "set_debugging",
    "to_device",
]

#: What few programs use is loaded when it is asked for.
_LOADED_LATER = {
    name: module
    for module, names in {
        "_arrays": (
            "Array ArrayDescriptor ArrayDescriptor3D dtype_to_array_format gpuarray_to_array "
            "make_multichannel_2d_array matrix_to_array memcpy_atoa memcpy_atod memcpy_atoh memcpy_dtoa memcpy_htoa "
            "np_to_array py_memcpy_atoh py_memcpy_htoa"
        ),
        "_copies": "Memcpy2D Memcpy3D Memcpy3DPeer",
        "_host_memory": (
            "AlignedHostAllocation HostAllocation HostPointer ManagedAllocation ManagedAllocationOrStub "
            "PagelockedHostAllocation PooledHostAllocation RegisteredHostMemory aligned_empty aligned_empty_like "
            "aligned_zeros aligned_zeros_like managed_empty managed_empty_like managed_zeros managed_zeros_like "
            "pagelocked_empty pagelocked_empty_like pagelocked_zeros pagelocked_zeros_like register_host_memory"
        ),
        "_ipc": "IPCMemoryHandle mem_get_ipc_handle",
        "_linker": "Linker",
        "_pools": "DeviceMemoryPool PageLockedAllocator PageLockedMemoryPool PooledDeviceAllocation bitlog2",
        "_profiler": "have_gl_ext initialize_profiler start_profiler stop_profiler",
        "_textures": (
            "TRSA_OVERRIDE_FORMAT TRSF_NORMALIZED_COORDINATES TRSF_READ_AS_INTEGER TR_DEFAULT SurfaceReference "
            "TextureReference bind_array_to_texref matrix_to_texref"
        ),
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    missing = AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("__"):
        raise missing
    from cuprum.compat.pycuda._enumerations import NAMES

    source = "_enumerations" if name in NAMES else _LOADED_LATER.get(name)
    if source is None:
        raise missing
    value = globals()[name] = getattr(import_module(f"cuprum.compat.pycuda.{source}"), name)
    return value


def __dir__() -> list[str]:
    from cuprum.compat.pycuda._enumerations import NAMES

    return sorted({*__all__, *NAMES, *_LOADED_LATER})
