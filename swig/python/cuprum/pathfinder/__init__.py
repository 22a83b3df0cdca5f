"""Finds the parts of the CUDA toolkit: libraries and header folders.

Looked through: NVIDIA's wheels of this Python environment, conda, ``CUDA_PATH`` and ``CUDA_HOME``, the dynamic loader,
``/usr/local/cuda``. An error lists every place looked at, and why what is there was refused.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from cuprum._errors import HeaderNotFound, LibraryNotFound, NotFound
from cuprum._native import _cuprum

__all__ = [
    "SUPPORTED_HEADERS",
    "SUPPORTED_NVIDIA_LIBNAMES",
    "DynamicLibNotFoundError",
    "HeaderNotFound",
    "LibraryNotFound",
    "LocatedDynamicLib",
    "LocatedHeaderDir",
    "NotFound",
    "find_cuda_include_dirs",
    "find_cuda_library",
    "find_nvidia_header_directory",
    "get_cuda_path_or_home",
    "locate_nvidia_dynamic_lib",
    "locate_nvidia_header_directory",
]

#: The name in cuda.pathfinder.
DynamicLibNotFoundError = LibraryNotFound

SUPPORTED_NVIDIA_LIBNAMES = ("cuda", "nvrtc", "nvJitLink", "cudart")
SUPPORTED_HEADERS = ("cudart", "cccl")


class LocatedDynamicLib(NamedTuple):
    """A library that was found, and how (``"wheel"``, ``"conda"``, ``"CUDA_PATH"``, ``"loader"``)."""

    abs_path: str
    found_via: str


class LocatedHeaderDir(NamedTuple):
    """A header folder that was found, and how."""

    abs_path: str
    found_via: str


def locate_nvidia_dynamic_lib(libname: str) -> LocatedDynamicLib:
    """Finds a library without loading it. LibraryNotFound when there is none that can be used."""
    return LocatedDynamicLib(*_cuprum.cuprum_find_library(libname))


def find_cuda_library(libname: str) -> str:
    """The path of a library: ``find_cuda_library("nvrtc")``."""
    return locate_nvidia_dynamic_lib(libname).abs_path


def locate_nvidia_header_directory(libname: str) -> LocatedHeaderDir | None:
    """Finds the header folder of ``"cudart"`` or ``"cccl"``; None when there is none."""
    try:
        return LocatedHeaderDir(*_cuprum.cuprum_find_header_directory(libname))
    except HeaderNotFound:
        return None


def find_nvidia_header_directory(libname: str) -> str | None:
    """The path of the header folder of ``"cudart"`` or ``"cccl"``; None when there is none."""
    located = locate_nvidia_header_directory(libname)
    return None if located is None else located.abs_path


def find_cuda_include_dirs() -> list[str]:
    """The folders that a CUDA program includes from: CUDA's own headers, then CCCL's. HeaderNotFound without them."""
    folders = [_cuprum.cuprum_find_header_directory(name)[0] for name in SUPPORTED_HEADERS]
    return list(dict.fromkeys(folders))


def get_cuda_path_or_home() -> str | None:
    """``CUDA_PATH`` if it is set and not empty, else ``CUDA_HOME``, else None."""
    return os.environ.get("CUDA_PATH") or os.environ.get("CUDA_HOME") or None
