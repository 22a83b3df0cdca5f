"""Checkpoints of processes that use CUDA, under the names of ``cuda.core.checkpoint``.

A process is locked, checkpointed (its GPU memory goes to the host, and it holds no GPU any more), restored and
unlocked. Linux alone; needs a driver of CUDA 12.8. A GPU's driver leaves a process to another one; the simulator
checkpoints the calling process, and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum._native import _cuprum

if TYPE_CHECKING:
    from cuprum.core.typing import ProcessStateType

__all__ = ["Process"]

_STATES: tuple[ProcessStateType, ...] = ("running", "locked", "checkpointed", "failed")


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
        return _STATES[_cuprum.cuprum_checkpoint_process_state(self._pid)]

    @property
    def restore_thread_id(self) -> int:
        """The thread of the process that has to call ``restore``, where it restores itself."""
        return _cuprum.cuprum_checkpoint_process_restore_thread_id(self._pid)

    def lock(self, timeout_ms: int = 0) -> None:
        """Lets no further work of it begin; waits for what is under way, without a timeout as long as it takes."""
        if timeout_ms < 0:
            raise ValueError(f"timeout_ms must not be negative, and is {timeout_ms}")
        _cuprum.cuprum_checkpoint_process_lock(self._pid, timeout_ms)

    def checkpoint(self) -> None:
        """Takes its GPU memory to the host, and lets go of the GPU. The process must be locked."""
        _cuprum.cuprum_checkpoint_process_checkpoint(self._pid)

    def restore(self, gpu_mapping: Mapping[Any, Any] | None = None) -> None:
        """Gives it its GPU back, or, by their UUIDs, others in the place of those it had. It stays locked."""
        pairs = gpu_mapping or {}
        _cuprum.cuprum_checkpoint_process_restore(
            self._pid, [_uuid(old) for old in pairs], [_uuid(new) for new in pairs.values()]
        )

    def unlock(self) -> None:
        """Lets it go on."""
        _cuprum.cuprum_checkpoint_process_unlock(self._pid)

    def __repr__(self) -> str:
        return f"<checkpoint.Process {self._pid}>"


def _uuid(device: Any) -> str:
    """The text of a UUID: of a device, of CUDA's structure, or as it is."""
    if isinstance(device, str):
        return device
    text = getattr(device, "uuid", None)
    if isinstance(text, str):
        return text
    words = getattr(device, "bytes", None)
    if isinstance(words, bytes) and len(words) == 16:
        return words.hex()
    raise TypeError(f"a GPU is named by its UUID or its Device, not by a {type(device).__name__}")
