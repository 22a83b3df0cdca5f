"""Devices, streams, events, programs, kernels and buffers, under the names of ``cuda.core``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._errors import CompileError, CUDAError, CUDAWarning, Error, NVRTCError
from cuprum.core._buffer import Buffer
from cuprum.core._device import ComputeCapability, Device, DeviceProperties, MemoryInfo
from cuprum.core._event import Event, EventOptions
from cuprum.core._launch import LaunchConfig, launch
from cuprum.core._linker import Linker, LinkerOptions
from cuprum.core._memory_resource import LegacyPinnedMemoryResource, MemoryResource
from cuprum.core._module import Kernel, KernelAttributes, KernelOccupancy, ObjectCode, ParamInfo
from cuprum.core._program import Program, ProgramOptions
from cuprum.core._stream import LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM, Stream, StreamOptions

if TYPE_CHECKING:
    __version__: str

__all__ = [
    "LEGACY_DEFAULT_STREAM",
    "PER_THREAD_DEFAULT_STREAM",
    "Buffer",
    "CUDAError",
    "CUDAWarning",
    "CompileError",
    "ComputeCapability",
    "Device",
    "DeviceProperties",
    "Error",
    "Event",
    "EventOptions",
    "Kernel",
    "KernelAttributes",
    "KernelOccupancy",
    "LaunchConfig",
    "LegacyPinnedMemoryResource",
    "Linker",
    "LinkerOptions",
    "MemoryInfo",
    "MemoryResource",
    "NVRTCError",
    "ObjectCode",
    "ParamInfo",
    "Program",
    "ProgramOptions",
    "Stream",
    "StreamOptions",
    "launch",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from cuprum._native import version

        return version()
    raise AttributeError(f"module 'cuprum.core' has no attribute {name!r}")
