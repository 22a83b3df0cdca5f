"""The device to use where none is named."""

from __future__ import annotations

from cuprum._native import _cuprum

#: The device whose context is current on this thread, even if other code made it current; 0 if none is.
device_id = _cuprum.current_device


def of_memory(address: int) -> int:
    """The device that memory is on; the current one for memory that the driver does not know."""
    device = _cuprum.cuprum_device_of_memory(address) if address else -1
    return device_id() if device < 0 else device
