"""The driver and the machine's GPUs as NVIDIA's management library (NVML) sees them: names of ``cuda.core.system``.

NVML is part of the driver. It is opened at the first call, and needs no CUDA context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._native import _cuprum
from cuprum.core.system import exceptions, typing
from cuprum.core.system._device import Device, get_p2p_status, get_topology_common_ancestor
from cuprum.core.system._events import register_events
from cuprum.core.system._parts import NvlinkInfo

if not TYPE_CHECKING:
    from cuprum.core.system.exceptions import *  # noqa: F403
else:
    from cuprum.core.system.exceptions import *  # noqa: F403

#: NVML's functions are always there, each as far as the machine's driver has it.
CUDA_BINDINGS_NVML_IS_COMPATIBLE = True

__all__ = [
    "CUDA_BINDINGS_NVML_IS_COMPATIBLE",
    "Device",
    "NvlinkInfo",
    "get_driver_branch",
    "get_kernel_mode_driver_version",
    "get_num_devices",
    "get_nvml_version",
    "get_p2p_status",
    "get_process_name",
    "get_topology_common_ancestor",
    "get_user_mode_driver_version",
    "register_events",
    "typing",
]
__all__ += exceptions.__all__


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def get_user_mode_driver_version() -> tuple[int, ...]:
    """The version of CUDA that the driver supports, ``(13, 0)``."""
    version = _cuprum.cuprum_driver_version()
    return version // 1000, version % 1000 // 10


def get_kernel_mode_driver_version() -> tuple[int, ...]:
    """The version of the kernel's driver, ``(580, 65, 6)``."""
    return _numbers(_cuprum.cuprum_system_kernel_mode_driver_version())


def get_nvml_version() -> tuple[int, ...]:
    """NVML's version."""
    return _numbers(_cuprum.cuprum_system_nvml_version())


def get_driver_branch() -> str:
    """The branch of the driver, ``r580_00``."""
    return _cuprum.cuprum_system_driver_branch()


def get_num_devices() -> int:
    """How many GPUs there are, also those that CUDA_VISIBLE_DEVICES hides from CUDA."""
    return _cuprum.cuprum_system_device_count()


def get_process_name(pid: int) -> str:
    """The name of a process."""
    return _cuprum.cuprum_system_process_name(pid)
