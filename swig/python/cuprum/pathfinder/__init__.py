"""Finds the parts of the CUDA toolkit, its add-ons and the driver, with the names of ``cuda.pathfinder``.

Looked through: NVIDIA's wheels of this Python environment, conda, a variable of the library itself, ``CUDA_PATH`` and
``CUDA_HOME``, the dynamic loader, ``/usr/local/cuda``. All parts of the toolkit come from one toolkit, see
:class:`Toolkit`. An error lists every place searched, and why each candidate was refused.
"""

from __future__ import annotations

import os

from cuprum._errors import HeaderNotFound, LibraryNotFound, NotFound
from cuprum._native import _cuprum
from cuprum.pathfinder._located import (
    BitcodeLibNotFoundError,
    DynamicLibNotAvailableError,
    DynamicLibNotFoundError,
    DynamicLibUnknownError,
    Finding,
    LoadedDL,
    LocatedBitcodeLib,
    LocatedDynamicLib,
    LocatedHeaderDir,
    LocatedStaticLib,
    PartKind,
    StaticLibNotFoundError,
    UnsupportedBinaryError,
    findings,
    load,
    locate,
    supported,
)
from cuprum.pathfinder._remembered import forget, remembered
from cuprum.pathfinder._toolkit import Toolkit

__all__ = [
    "SUPPORTED_BINARY_UTILITIES",
    "SUPPORTED_BITCODE_LIBS",
    "SUPPORTED_HEADERS_CTK",
    "SUPPORTED_NVIDIA_LIBNAMES",
    "SUPPORTED_STATIC_LIBS",
    "BitcodeLibNotFoundError",
    "DynamicLibNotAvailableError",
    "DynamicLibNotFoundError",
    "DynamicLibUnknownError",
    "Finding",
    "HeaderNotFound",
    "LibraryNotFound",
    "LoadedDL",
    "LocatedBitcodeLib",
    "LocatedDynamicLib",
    "LocatedHeaderDir",
    "LocatedStaticLib",
    "NotFound",
    "StaticLibNotFoundError",
    "Toolkit",
    "UnsupportedBinaryError",
    "diagnose",
    "find_bitcode_lib",
    "find_cuda_include_dirs",
    "find_cuda_library",
    "find_nvidia_binary_utility",
    "find_nvidia_header_directory",
    "find_static_lib",
    "get_cuda_path_or_home",
    "load_nvidia_dynamic_lib",
    "locate_bitcode_lib",
    "locate_nvidia_dynamic_lib",
    "locate_nvidia_header_directory",
    "locate_static_lib",
    "reset_cache",
]

#: Names that ``load_nvidia_dynamic_lib`` takes.
SUPPORTED_NVIDIA_LIBNAMES: tuple[str, ...] = tuple(supported(PartKind.DYNAMIC_LIBRARY))
#: The toolkit's headers, and for each a file that is always among them.
SUPPORTED_HEADERS_CTK: dict[str, str] = {
    name: file
    for name, (file, origin) in supported(PartKind.HEADERS).items()
    if origin == _cuprum.CUPRUM_ORIGIN_TOOLKIT
}
SUPPORTED_BITCODE_LIBS: tuple[str, ...] = tuple(supported(PartKind.BITCODE_LIBRARY))
SUPPORTED_STATIC_LIBS: tuple[str, ...] = tuple(supported(PartKind.STATIC_LIBRARY))
SUPPORTED_BINARY_UTILITIES: tuple[str, ...] = tuple(supported(PartKind.BINARY_UTILITY))


@remembered
def load_nvidia_dynamic_lib(libname: str) -> LoadedDL:
    """Opens a library and, before it, those that it needs. It is never closed.

    DynamicLibNotFoundError when no usable one is found, DynamicLibUnknownError for an unknown name.
    """
    return load(libname, lambda: _cuprum.cuprum_load_library(libname))


@remembered
def locate_nvidia_dynamic_lib(libname: str) -> LocatedDynamicLib:
    """Finds a library without opening it. Raises like ``load_nvidia_dynamic_lib``."""
    return LocatedDynamicLib(*locate(PartKind.DYNAMIC_LIBRARY, libname))


@remembered
def find_cuda_library(libname: str) -> str:
    """The path of a library: ``find_cuda_library("nvrtc")``."""
    return locate_nvidia_dynamic_lib(libname).abs_path


@remembered
def locate_nvidia_header_directory(libname: str) -> LocatedHeaderDir | None:
    """Finds a folder of headers, such as ``"cudart"`` or ``"cccl"``; None if it is not found."""
    try:
        return LocatedHeaderDir(*locate(PartKind.HEADERS, libname))
    except HeaderNotFound:
        return None


@remembered
def find_nvidia_header_directory(libname: str) -> str | None:
    """The path of a folder of headers; None if it is not found."""
    located = locate_nvidia_header_directory(libname)
    return None if located is None else located.abs_path


@remembered
def locate_bitcode_lib(name: str) -> LocatedBitcodeLib:
    """Finds a library of LLVM bitcode, such as ``"device"`` (libdevice). BitcodeLibNotFoundError without one."""
    path, found_via = locate(PartKind.BITCODE_LIBRARY, name)
    return LocatedBitcodeLib(name, path, os.path.basename(path), found_via)


@remembered
def find_bitcode_lib(name: str) -> str:
    """The path of a library of LLVM bitcode. BitcodeLibNotFoundError without one."""
    return locate_bitcode_lib(name).abs_path


@remembered
def locate_static_lib(name: str) -> LocatedStaticLib:
    """Finds a static library, such as ``"cudadevrt"``. StaticLibNotFoundError without one."""
    path, found_via = locate(PartKind.STATIC_LIBRARY, name)
    return LocatedStaticLib(name, path, os.path.basename(path), found_via)


@remembered
def find_static_lib(name: str) -> str:
    """The path of a static library. StaticLibNotFoundError without one."""
    return locate_static_lib(name).abs_path


@remembered
def find_nvidia_binary_utility(utility_name: str) -> str | None:
    """The path of a tool such as ``"nvcc"``; None if it is not found. UnsupportedBinaryError for an unknown name."""
    try:
        return locate(PartKind.BINARY_UTILITY, utility_name)[0]
    except LibraryNotFound:
        return None


def find_cuda_include_dirs() -> list[str]:
    """The folders that a CUDA program includes from: CUDA's own headers, then CCCL's. HeaderNotFound without CUDA's."""
    return [_cuprum.cuprum_include_directory(index) for index in range(_cuprum.cuprum_include_directory_count())]


def get_cuda_path_or_home() -> str | None:
    """``CUDA_PATH`` if it is set and not empty, else ``CUDA_HOME``, else None."""
    return os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME") or None


def reset_cache() -> None:
    """Forgets what was found and which toolkit is in use, so that the next call searches again."""
    _cuprum.cuprum_reset_pathfinder()
    forget()


def diagnose() -> list[Finding]:
    """What is wrong with this machine's CUDA and how to fix it, the worst first: what ``cuprum doctor`` prints."""
    return findings(_cuprum.cuprum_doctor())
