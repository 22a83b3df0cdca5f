"""Starts the driver and makes the primary context of the default device current until the program ends."""

from __future__ import annotations

from cuprum.compat.pycuda.autoinit import context, device

__all__ = ["context", "device"]
