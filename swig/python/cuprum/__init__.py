"""Cuprum: CUDA for Python, with and without a GPU.

``cuprum.core`` has devices, streams, programs, kernels and buffers under the names of ``cuda.core``;
``cuprum.parallel`` has reductions, scans, sorts and transformations for your own types and operators;
``cuprum.pathfinder`` finds the parts of the CUDA toolkit; ``cuprum.bindings`` has the CUDA libraries function by
function. All are imported at first use. Importing them needs neither a driver nor a toolkit: the first call that needs
a missing part says which, where it was looked for, and what to install.

``CUPRUM_DRIVER`` chooses the driver: ``gpu`` (the default), ``sim`` for the simulator, ``auto`` for the GPU if there is
one. All exceptions derive from ``cuprum.Error``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._errors import (
    ArgumentMismatch,
    CompileError,
    CUDAError,
    CUDAWarning,
    DeviceFault,
    Error,
    ErrorDomain,
    HeaderNotFound,
    InternalError,
    InvalidArgument,
    InvalidHandle,
    InvalidState,
    KernelNotFound,
    LibraryNotFound,
    NotFound,
    NotReady,
    NvJitLinkError,
    NVRTCError,
    NVVMError,
    OutOfMemory,
    Status,
    SymbolNotFound,
    Unsupported,
)

if TYPE_CHECKING:
    from types import ModuleType

    from cuprum import bindings, core, parallel, pathfinder

    __version__: str

__all__ = [
    "ArgumentMismatch",
    "CUDAError",
    "CUDAWarning",
    "CompileError",
    "DeviceFault",
    "Error",
    "ErrorDomain",
    "HeaderNotFound",
    "InternalError",
    "InvalidArgument",
    "InvalidHandle",
    "InvalidState",
    "KernelNotFound",
    "LibraryNotFound",
    "NVRTCError",
    "NVVMError",
    "NotFound",
    "NotReady",
    "NvJitLinkError",
    "OutOfMemory",
    "Status",
    "SymbolNotFound",
    "Unsupported",
    "__version__",
    "bindings",
    "core",
    "parallel",
    "pathfinder",
]


def __getattr__(name: str) -> ModuleType | str:
    if name in ("bindings", "core", "parallel", "pathfinder"):
        import importlib

        return importlib.import_module(f"cuprum.{name}")
    if name == "__version__":
        from cuprum._native import version

        return version()
    raise AttributeError(f"module 'cuprum' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
