"""Devices, streams, events, programs, kernels and buffers, under the names of ``cuda.core``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum._errors import CompileError, CUDAError, CUDAWarning, Error, NVRTCError
from cuprum.core._buffer import Buffer
from cuprum.core._device import ComputeCapability, Device, MemoryInfo
from cuprum.core._event import Event, EventOptions, IPCEventDescriptor
from cuprum.core._ipc import IPCAllocationHandle, IPCBufferDescriptor
from cuprum.core._launch import (
    AccessPolicyWindow,
    AccessProperty,
    LaunchConfig,
    MemorySyncDomain,
    MemorySyncDomainMap,
    launch,
)
from cuprum.core._region import Region
from cuprum.core._stream import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    Stream,
    StreamOptions,
    WaitCondition,
)

if TYPE_CHECKING:
    from cuprum.core._compile_batch import CompileProgress, CompileRequest, compile_all
    from cuprum.core._context import (
        Context,
        ContextOptions,
        DeviceResources,
        SMResource,
        SMResourceOptions,
        WorkqueueResource,
        WorkqueueResourceOptions,
    )
    from cuprum.core._device_properties import DeviceProperties
    from cuprum.core._global_variable import GlobalVariable
    from cuprum.core._graph_memory_resource import GraphMemoryResource
    from cuprum.core._graphics import GraphicsResource
    from cuprum.core._host import Host
    from cuprum.core._linker import Linker, LinkerOptions
    from cuprum.core._live_objects import live_objects
    from cuprum.core._managed_buffer import ManagedBuffer
    from cuprum.core._memory_pool import (
        DeviceMemoryResource,
        DeviceMemoryResourceOptions,
        ManagedMemoryResource,
        ManagedMemoryResourceOptions,
        PinnedMemoryResource,
        PinnedMemoryResourceOptions,
    )
    from cuprum.core._memory_resource import LegacyPinnedMemoryResource, MemoryResource
    from cuprum.core._module import (
        Kernel,
        KernelAttributes,
        KernelOccupancy,
        MaxPotentialBlockSizeOccupancyResult,
        ObjectCode,
        ParamInfo,
    )
    from cuprum.core._program import Program, ProgramOptions
    from cuprum.core._tensor_map import (
        TensorMapDataType,
        TensorMapDescriptor,
        TensorMapDescriptorOptions,
        TensorMapIm2ColWideMode,
        TensorMapInterleave,
        TensorMapL2Promotion,
        TensorMapOOBFill,
        TensorMapSwizzle,
    )
    from cuprum.core._virtual_memory import VirtualMemoryResource, VirtualMemoryResourceOptions

    __version__: str

__all__ = [
    "LEGACY_DEFAULT_STREAM",
    "PER_THREAD_DEFAULT_STREAM",
    "AccessPolicyWindow",
    "AccessProperty",
    "Buffer",
    "CUDAError",
    "CUDAWarning",
    "CompileError",
    "CompileProgress",
    "CompileRequest",
    "ComputeCapability",
    "Context",
    "ContextOptions",
    "Device",
    "DeviceMemoryResource",
    "DeviceMemoryResourceOptions",
    "DeviceProperties",
    "DeviceResources",
    "Error",
    "Event",
    "EventOptions",
    "GlobalVariable",
    "GraphMemoryResource",
    "GraphicsResource",
    "Host",
    "IPCAllocationHandle",
    "IPCBufferDescriptor",
    "IPCEventDescriptor",
    "Kernel",
    "KernelAttributes",
    "KernelOccupancy",
    "LaunchConfig",
    "LegacyPinnedMemoryResource",
    "Linker",
    "LinkerOptions",
    "ManagedBuffer",
    "ManagedMemoryResource",
    "ManagedMemoryResourceOptions",
    "MaxPotentialBlockSizeOccupancyResult",
    "MemoryInfo",
    "MemoryResource",
    "MemorySyncDomain",
    "MemorySyncDomainMap",
    "NVRTCError",
    "ObjectCode",
    "ParamInfo",
    "PinnedMemoryResource",
    "PinnedMemoryResourceOptions",
    "Program",
    "ProgramOptions",
    "Region",
    "SMResource",
    "SMResourceOptions",
    "Stream",
    "StreamOptions",
    "TensorMapDataType",
    "TensorMapDescriptor",
    "TensorMapDescriptorOptions",
    "TensorMapIm2ColWideMode",
    "TensorMapInterleave",
    "TensorMapL2Promotion",
    "TensorMapOOBFill",
    "TensorMapSwizzle",
    "VirtualMemoryResource",
    "VirtualMemoryResourceOptions",
    "WaitCondition",
    "WorkqueueResource",
    "WorkqueueResourceOptions",
    "compile_all",
    "launch",
    "live_objects",
]


#: Loaded when it is asked for: compiling all of it takes longer than an import may, where Python has no byte code yet.
_LOADED_LATER = {
    "compile_all": "_compile_batch",
    "CompileProgress": "_compile_batch",
    "CompileRequest": "_compile_batch",
    "Context": "_context",
    "ContextOptions": "_context",
    "DeviceMemoryResource": "_memory_pool",
    "DeviceMemoryResourceOptions": "_memory_pool",
    "DeviceProperties": "_device_properties",
    "DeviceResources": "_context",
    "GlobalVariable": "_global_variable",
    "GraphicsResource": "_graphics",
    "GraphMemoryResource": "_graph_memory_resource",
    "Host": "_host",
    "Kernel": "_module",
    "KernelAttributes": "_module",
    "KernelOccupancy": "_module",
    "LegacyPinnedMemoryResource": "_memory_resource",
    "Linker": "_linker",
    "LinkerOptions": "_linker",
    "live_objects": "_live_objects",
    "ManagedBuffer": "_managed_buffer",
    "ManagedMemoryResource": "_memory_pool",
    "ManagedMemoryResourceOptions": "_memory_pool",
    "MaxPotentialBlockSizeOccupancyResult": "_module",
    "MemoryResource": "_memory_resource",
    "ObjectCode": "_module",
    "ParamInfo": "_module",
    "PinnedMemoryResource": "_memory_pool",
    "PinnedMemoryResourceOptions": "_memory_pool",
    "Program": "_program",
    "ProgramOptions": "_program",
    "SMResource": "_context",
    "SMResourceOptions": "_context",
    "TensorMapDataType": "_tensor_map",
    "TensorMapDescriptor": "_tensor_map",
    "TensorMapDescriptorOptions": "_tensor_map",
    "TensorMapIm2ColWideMode": "_tensor_map",
    "TensorMapInterleave": "_tensor_map",
    "TensorMapL2Promotion": "_tensor_map",
    "TensorMapOOBFill": "_tensor_map",
    "TensorMapSwizzle": "_tensor_map",
    "VirtualMemoryResource": "_virtual_memory",
    "VirtualMemoryResourceOptions": "_virtual_memory",
    "WorkqueueResource": "_context",
    "WorkqueueResourceOptions": "_context",
}

#: Modules that a program may use without importing them.
_MODULES = frozenset({"checkpoint", "graph", "nvtx", "system", "texture", "typing", "utils"})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from cuprum._native import version

        return version()
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"cuprum.core.{name}")
    if name in _LOADED_LATER:
        from importlib import import_module

        value = globals()[name] = getattr(import_module(f"cuprum.core.{_LOADED_LATER[name]}"), name)
        return value
    raise AttributeError(f"module 'cuprum.core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
