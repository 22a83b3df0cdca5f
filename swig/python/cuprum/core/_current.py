"""Which device is meant where none is named."""

from __future__ import annotations

import threading


class _Current(threading.local):
    device_id = 0


_current = _Current()


def device_id() -> int:
    """The device that this thread made current with ``Device.set_current``; 0 before."""
    return _current.device_id


def set_device_id(value: int) -> None:
    _current.device_id = value
