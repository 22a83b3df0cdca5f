"""The words of ``cuprum.core``, under the names of ``cuda.core.typing``. As texts they are as good."""

from __future__ import annotations

import enum
from typing import Literal, TypeAlias

from cuprum.core._context import DeviceResources as DeviceResourcesType
from cuprum.core._graph_options import GraphConditionalType, GraphMemoryType
from cuprum.core._stream import IsStreamType

__all__ = [
    "AddressModeType",
    "ArrayFormatType",
    "CompilerBackendType",
    "DevicePointerType",
    "DeviceResourcesType",
    "FilterModeType",
    "GraphConditionalType",
    "GraphMemoryType",
    "IsStreamType",
    "ManagedMemoryLocationType",
    "ObjectCodeFormatType",
    "PCHStatusType",
    "ProcessStateType",
    "ReadModeType",
    "SourceCodeType",
    "VirtualMemoryAccessType",
    "VirtualMemoryAllocationType",
    "VirtualMemoryGranularityType",
    "VirtualMemoryHandleType",
    "VirtualMemoryLocationType",
    "WorkqueueSharingScopeType",
]

#: An address of device memory.
DevicePointerType: TypeAlias = int | None
#: What has become of a process that is checkpointed.
ProcessStateType = Literal["running", "locked", "checkpointed", "failed"]


class SourceCodeType(enum.StrEnum):
    """What a program's source is written in."""

    CXX = "c++"
    PTX = "ptx"
    NVVM = "nvvm"


class ObjectCodeFormatType(enum.StrEnum):
    """What compiled code is."""

    PTX = "ptx"
    CUBIN = "cubin"
    LTOIR = "ltoir"
    FATBIN = "fatbin"
    OBJECT = "object"
    LIBRARY = "library"


class CompilerBackendType(enum.StrEnum):
    """What compiles or links."""

    NVRTC = "NVRTC"
    NVVM = "NVVM"
    NVJITLINK = "nvJitLink"
    DRIVER = "driver"


class PCHStatusType(enum.StrEnum):
    """What has become of a precompiled header."""

    CREATED = "created"
    NOT_ATTEMPTED = "not_attempted"
    FAILED = "failed"


class ManagedMemoryLocationType(enum.StrEnum):
    """Where managed memory is to be."""

    DEVICE = "device"
    HOST = "host"
    HOST_NUMA = "host_numa"


class VirtualMemoryHandleType(enum.StrEnum):
    """How virtual memory is shared."""

    POSIX_FD = "posix_fd"
    WIN32_KMT = "win32_kmt"
    FABRIC = "fabric"


class VirtualMemoryLocationType(enum.StrEnum):
    """Where virtual memory is."""

    DEVICE = "device"
    HOST = "host"
    HOST_NUMA = "host_numa"
    HOST_NUMA_CURRENT = "host_numa_current"


class VirtualMemoryGranularityType(enum.StrEnum):
    """What the sizes of virtual memory are multiples of."""

    MINIMUM = "minimum"
    RECOMMENDED = "recommended"


class VirtualMemoryAccessType(enum.StrEnum):
    """What may be done with virtual memory."""

    READ_WRITE = "rw"
    READ = "r"


class VirtualMemoryAllocationType(enum.StrEnum):
    """What kind of virtual memory it is."""

    PINNED = "pinned"
    MANAGED = "managed"


class ArrayFormatType(enum.StrEnum):
    """What one channel of an array's elements is: the name of a NumPy dtype."""

    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    FLOAT16 = "float16"
    FLOAT32 = "float32"


class AddressModeType(enum.StrEnum):
    """What lies outside an image: the image again, its edge, its mirror image, or the border's colour."""

    WRAP = "wrap"
    CLAMP = "clamp"
    MIRROR = "mirror"
    BORDER = "border"


class FilterModeType(enum.StrEnum):
    """What a texture gives between elements: the nearest one, or a weighted mean of those around."""

    POINT = "point"
    LINEAR = "linear"


class ReadModeType(enum.StrEnum):
    """What a kernel gets of integers of 8 and 16 bits: themselves, or floats from 0, or -1, to 1."""

    ELEMENT_TYPE = "element_type"
    NORMALIZED_FLOAT = "normalized_float"


class WorkqueueSharingScopeType(enum.StrEnum):
    """Which contexts share workqueues."""

    DEVICE_CTX = "device_ctx"
    GREEN_CTX_BALANCED = "green_ctx_balanced"
