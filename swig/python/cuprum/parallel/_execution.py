"""Where an algorithm runs."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum
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


def native_execution(execution: ExecutionLike, compute_capability: Any = None) -> tuple[int, int, str | None]:
    """The fields of the C ABI's cuprum_execution: kind, device, architectures.

    ``compute_capability`` as cuda.compute takes it: 90, (9, 0), "9.0", "sm_90" or a list of such, None for none.
    """
    if compute_capability is not None:
        if is_host(execution):
            raise ValueError("compute_capability is for building ahead of time, and execution is 'host'; give one")
        items = compute_capability if isinstance(compute_capability, list) else [compute_capability]
        return _cuprum.CUPRUM_EXECUTION_AHEAD_OF_TIME, 0, ",".join(map(_architecture, items))
    if is_host(execution):
        return _cuprum.CUPRUM_EXECUTION_HOST, 0, None
    return _cuprum.CUPRUM_EXECUTION_DEVICE, _current.device_id(), None


def _architecture(compute_capability: Any) -> str:
    if isinstance(compute_capability, str) and "_" in compute_capability:
        return compute_capability
    if isinstance(compute_capability, tuple):
        return f"sm_{compute_capability[0]}{compute_capability[1]}"
    return "sm_" + str(compute_capability).replace(".", "")
