"""Where an algorithm runs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from cuprum.core import _current

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    ExecutionLike: TypeAlias = "Execution | Literal['device', 'host']"


class Execution(Enum):
    """Where an algorithm runs. On the host there are numbers, bool and complex numbers, and well-known operators."""

    #: On the current device.
    DEVICE = "device"
    #: On the host's own cores, over NumPy arrays, with no driver and no compiler.
    HOST = "host"


def is_host(execution: ExecutionLike) -> bool:
    try:
        return Execution(execution) is Execution.HOST
    except ValueError:
        raise ValueError(f"execution is 'device' or 'host', not {execution!r}") from None


def place(execution: ExecutionLike) -> int:
    """What the C ABI takes as the device: CUPRUM_DEVICE_HOST is -1."""
    return -1 if is_host(execution) else _current.device_id()
