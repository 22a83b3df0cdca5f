"""A memory pool that tells what it does."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING

from cuprum.compat.pycuda._pools import DeviceMemoryPool, PooledDeviceAllocation

if TYPE_CHECKING:
    from typing import TextIO


class DebugMemoryPool(DeviceMemoryPool):
    """A ``DeviceMemoryPool`` that writes each allocation that is new memory, and from where it was asked for."""

    def __init__(self, interactive: bool = True, logfile: TextIO | None = None) -> None:
        """Writes to ``logfile``, or to the standard output. ``interactive`` waits for Enter after each."""
        super().__init__()
        self.interactive = interactive
        self.logfile = sys.stdout if logfile is None else logfile

    def allocate(self, size: int) -> PooledDeviceAllocation:
        """``size`` bytes, at least."""
        before = self.managed_bytes
        memory = super().allocate(size)
        if self.managed_bytes > before:
            caller = "".join(traceback.format_stack(limit=4)[:-1])
            self.logfile.write(f"allocated {self.managed_bytes - before} new bytes for {size}, asked for at\n{caller}")
            self.describe()
            if self.interactive:
                input("[Enter]")
        return memory

    __call__ = allocate

    def describe(self) -> None:
        """Writes what the pool has."""
        self.logfile.write(
            f"{self.active_blocks} blocks in use ({self.active_bytes} bytes), {self.held_blocks} kept "
            f"({self.managed_bytes - self.active_bytes} bytes)\n"
        )
