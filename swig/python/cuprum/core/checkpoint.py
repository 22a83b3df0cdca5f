"""Checkpoints of processes that use CUDA, under the names of ``cuda.core.checkpoint``.

A process is locked, checkpointed (its GPU memory goes to the host, and it holds no GPU any more), restored and
unlocked. Linux alone; needs a driver of CUDA 12.8. The simulator checkpoints the calling process, and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum._errors import CUDAError, ErrorDomain, Unsupported, make_error

if TYPE_CHECKING:
    from cuprum.core.typing import ProcessStateType

__all__ = ["Process"]

_STATES: tuple[ProcessStateType, ...] = ("running", "locked", "checkpointed", "failed")
_NOT_SUPPORTED = 801


_is_initialised = False


class Process:
    """A process by its number, this one or another that the user may trace."""

    __slots__ = ("_pid",)

    def __init__(self, pid: int) -> None:
        """Looks at nothing yet: the process is asked for at each call."""
        if isinstance(pid, bool) or not isinstance(pid, int):
            raise TypeError(f"pid must be an int, not {type(pid).__name__}")
        if pid <= 0:
            raise ValueError(f"the number of a process is at least 1, not {pid}")
        self._pid = pid

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._pid

    @property
    def state(self) -> ProcessStateType:
        """What has become of it."""
        return _STATES[int(self._call("asking for the state", "cuCheckpointProcessGetState"))]

    @property
    def restore_thread_id(self) -> int:
        """The thread of the process that has to call ``restore``."""
        return int(self._call("asking for the thread that restores", "cuCheckpointProcessGetRestoreThreadId"))

    def lock(self, timeout_ms: int = 0) -> None:
        """Lets no further work of it begin; waits for what is under way, without a timeout as long as it takes."""
        from cuprum.bindings import driver

        if timeout_ms < 0:
            raise ValueError(f"timeout_ms must not be negative, and is {timeout_ms}")
        arguments = driver.CUcheckpointLockArgs()
        arguments.timeoutMs = timeout_ms
        self._call("locking", "cuCheckpointProcessLock", arguments)

    def checkpoint(self) -> None:
        """Takes its GPU memory to the host, and lets go of the GPU. The process must be locked."""
        self._call("checkpointing", "cuCheckpointProcessCheckpoint", None)

    def restore(self, gpu_mapping: Mapping[Any, Any] | None = None) -> None:
        """Gives it its GPU back, or, by their UUIDs, others in the place of those it had. It stays locked."""
        from cuprum.bindings import driver

        arguments = None
        if gpu_mapping:
            pairs = []
            for old, new in gpu_mapping.items():
                pair = driver.CUcheckpointGpuPair()
                pair.oldUuid, pair.newUuid = _uuid(old), _uuid(new)
                pairs.append(pair)
            arguments = driver.CUcheckpointRestoreArgs()
            arguments.gpuPairs, arguments.gpuPairsCount = pairs, len(pairs)
        self._call("restoring", "cuCheckpointProcessRestore", arguments)

    def unlock(self) -> None:
        """Lets it go on."""
        self._call("unlocking", "cuCheckpointProcessUnlock", None)

    def _call(self, what: str, function: str, *arguments: Any) -> Any:
        from cuprum.bindings import driver

        # Of a process that is locked every other call would wait, this one, too.
        global _is_initialised
        if not _is_initialised:
            driver.cuInit(0)
            _is_initialised = True
        status, *values = getattr(driver, function)(self._pid, *arguments)
        if int(status) != 0:
            raise _error(status, f"{what} of" if what.startswith("asking") else what, function, self._pid)
        return values[0] if values else None

    def __repr__(self) -> str:
        return f"<checkpoint.Process {self._pid}>"


def _uuid(device: Any) -> Any:
    """CUDA's structure of a UUID: of a device, of its text, or as it is."""
    import uuid as uuids

    from cuprum.bindings import driver

    text = device if isinstance(device, str) else getattr(device, "uuid", None)
    if not isinstance(text, str):
        return device
    made = driver.CUuuid()
    made.bytes = uuids.UUID(text.removeprefix("GPU-")).bytes
    return made


def _error(status: Any, what: str, function: str, pid: int) -> CUDAError | Unsupported | Exception:
    from cuprum.bindings import driver

    code = int(status)
    name = getattr(status, "name", str(code))
    missing = code in (302, 303, 500) and driver.last_error_message()
    detail = missing or f"{function} returned {name}"
    advice = "checkpoints need Linux and a driver of CUDA 12.8; the simulator checkpoints the calling process alone"
    if code != _NOT_SUPPORTED:
        advice = ""
    kind = 15 if code == _NOT_SUPPORTED else 8
    operation, object_ = f"{what} a process", f"process {pid}"
    message = "\n".join(filter(None, (f"{operation} ({object_}): {name}", detail, advice)))
    return make_error(kind, ErrorDomain.DRIVER, code, name, message, operation, object_, detail, advice, "")
