"""Which device is meant where none is named."""

from __future__ import annotations

from cuprum._native import _cuprum

#: The device that this thread made current with ``Device.set_current``; 0 before.
device_id = _cuprum.current_device
set_device_id = _cuprum.set_current_device
