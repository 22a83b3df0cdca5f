"""The CUDA libraries themselves, function by function, under the names and conventions of ``cuda.bindings``.

``driver``, ``runtime``, ``nvrtc``, ``nvjitlink``, ``nvvm``, ``nvml`` and ``nccl`` have every function, enumeration,
structure and constant of the libraries' headers. A call returns a tuple: the status, and what C would have written to
pointers. Where it fails, these values are None::

    from cuprum.bindings import driver

    driver.cuInit(0)
    err, device = driver.cuDeviceGet(0)
    err, name = driver.cuDeviceGetName(100, device)

When as many arguments are given as the function has in C, they are C's, in C's order, and what is passed for a pointer
is filled in::

    device = driver.CUdevice()
    (err,) = driver.cuDeviceGet(device, 0)

The libraries are opened at the first call. One that is missing, or lacks the function, makes the call return the
library's status for that; ``last_error_message()`` says what is missing, which version is there and which is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from cuprum.bindings import driver, nccl, nvjitlink, nvml, nvrtc, nvvm, runtime

__all__ = ["driver", "nccl", "nvjitlink", "nvml", "nvrtc", "nvvm", "runtime"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        import importlib

        return importlib.import_module(f"cuprum.bindings.{name}")
    raise AttributeError(f"module 'cuprum.bindings' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
