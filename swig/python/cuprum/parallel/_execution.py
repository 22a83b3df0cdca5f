"""Where an algorithm runs, or what it is built for."""

from __future__ import annotations

import dataclasses
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar

from cuprum._native import _cuprum
from cuprum.core import Device, _current

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    ExecutionLike: TypeAlias = "Execution | Device | Literal['device', 'host']"


class Determinism(IntEnum):
    """How far results are the same, bit for bit, of the same elements.

    They differ where elements are combined in another order and that matters, as in sums of floating-point numbers.
    """

    #: As the algorithm gives it.
    NOT_GUARANTEED = 0
    #: The same on every run on one device: what a reduction gives in any case.
    RUN_TO_RUN = 1
    #: The same on every device; of a reduction it costs some speed.
    GPU_TO_GPU = 2


@dataclasses.dataclass(frozen=True)
class Execution:
    """A device, the host's cores, or, ahead of time, architectures.

    The host's cores support numbers, bool and complex numbers, and well-known operators.

    ``kind`` is ``"device"``, ``"host"`` or ``"ahead_of_time"``; ``device_id`` is the device's ordinal, None for the
    current device; ``architectures`` are ``"sm_90"`` for machine code or ``"compute_80"`` for PTX: what is built for
    them can only be saved.
    """

    kind: str = "device"
    device_id: int | None = None
    architectures: tuple[str, ...] = ()
    determinism: Determinism = Determinism.NOT_GUARANTEED

    #: The current device.
    DEVICE: ClassVar[Execution]
    #: The host's cores, over NumPy arrays, with no driver and no compiler.
    HOST: ClassVar[Execution]

    @classmethod
    def on(cls, device: Device) -> Execution:
        """That device, whatever the current one is."""
        return cls("device", device.device_id)

    @classmethod
    def ahead_of_time(cls, *architectures: str) -> Execution:
        """Architectures to build for without a device. ValueError for none."""
        if not architectures:
            raise ValueError("no architecture is given; expected 'sm_90' or the like")
        return cls("ahead_of_time", None, architectures)

    def require(self, determinism: Determinism) -> Execution:
        """The same with a requirement on the results: an algorithm that cannot keep it is Unsupported when it is built.

        Integers, and what does not combine elements, keep every one.
        """
        return dataclasses.replace(self, determinism=Determinism(determinism))


Execution.DEVICE = Execution()
Execution.HOST = Execution("host")


def _as_execution(execution: ExecutionLike) -> Execution:
    if isinstance(execution, Device):
        return Execution.on(execution)
    if isinstance(execution, Execution):
        return execution
    if execution == "device":
        return Execution.DEVICE
    if execution == "host":
        return Execution.HOST
    raise ValueError(f"execution is 'device' or 'host', not {execution!r}; a Device or an Execution is taken too")


def is_host(execution: ExecutionLike) -> bool:
    if isinstance(execution, str) and execution == "device":
        return False
    return _as_execution(execution).kind == "host"


def require_current_device(execution: ExecutionLike) -> None:
    """For calls over memory that is already on a device, which run on the current one. ValueError for any other."""
    chosen = _as_execution(execution)
    if chosen.kind != "device":
        raise ValueError("what is on a device is computed there; expected execution='device' or a Device")
    current = _current.device_id()
    if chosen.device_id not in (None, current):
        raise ValueError(
            f"execution is device {chosen.device_id}, and the current device is {current}: calls over arrays on a "
            f"device run on the current one; call Device({chosen.device_id}).set_current() first"
        )


def native_execution(
    execution: ExecutionLike,
    compute_capability: Any = None,
    determinism: Determinism = Determinism.NOT_GUARANTEED,
) -> tuple[int, int, str | None, int]:
    """The fields of the C ABI's cuprum_execution: kind, device, architectures, and determinism, which is the stricter
    one of the execution's and what is given.

    ``compute_capability`` as cuda.compute takes it: 90, (9, 0), "9.0", "sm_90" or a list of such, None for none.
    """
    chosen = _as_execution(execution)
    required = int(max(chosen.determinism, Determinism(determinism)))
    if compute_capability is not None:
        if dataclasses.replace(chosen, determinism=Determinism.NOT_GUARANTEED) != Execution.DEVICE:
            raise ValueError(
                "compute_capability is for building ahead of time, and an execution is given too; give one of them"
            )
        items = compute_capability if isinstance(compute_capability, list) else [compute_capability]
        chosen = Execution.ahead_of_time(*map(_architecture, items))
    if chosen.kind == "ahead_of_time":
        return _cuprum.CUPRUM_EXECUTION_AHEAD_OF_TIME, 0, ",".join(chosen.architectures), required
    if chosen.kind == "host":
        return _cuprum.CUPRUM_EXECUTION_HOST, 0, None, required
    device_id = _current.device_id() if chosen.device_id is None else chosen.device_id
    return _cuprum.CUPRUM_EXECUTION_DEVICE, device_id, None, required


def _architecture(compute_capability: Any) -> str:
    if isinstance(compute_capability, str) and "_" in compute_capability:
        return compute_capability
    if isinstance(compute_capability, tuple):
        return f"sm_{compute_capability[0]}{compute_capability[1]}"
    return "sm_" + str(compute_capability).replace(".", "")
