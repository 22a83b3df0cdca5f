"""The context of a program that does not choose: on the first device that has one to give."""

from __future__ import annotations

import os
from collections.abc import Callable

from cuprum.compat.pycuda._context import Context, clear_caches
from cuprum.compat.pycuda._device import Device
from cuprum.compat.pycuda._errors import Error, RuntimeError


def _chosen() -> int | None:
    """The number in ``CUDA_DEVICE`` or ``~/.cuda_device``."""
    text = os.environ.get("CUDA_DEVICE")
    source = "the variable CUDA_DEVICE"
    if text is None:
        source = os.path.expanduser("~/.cuda_device")
        try:
            with open(source) as file:
                text = file.read().strip()
        except OSError:
            return None
    try:
        return int(text)
    except ValueError:
        raise RuntimeError(f"{source} is {text!r}; it must be the number of a device", operation="autoinit") from None


def get_default_device(default: int = 0) -> Device:
    """The device that ``CUDA_DEVICE`` or ``~/.cuda_device`` names, else the device ``default``."""
    chosen = _chosen()
    return Device(default if chosen is None else chosen)


def make_default_context(ctx_maker: Callable[[Device], Context | None] | None = None) -> Context:
    """A context on the device that ``CUDA_DEVICE`` or ``~/.cuda_device`` names, else on the first that has one to give.

    ``ctx_maker`` makes it, of a Device; ``Device.make_context`` where it is left out.
    """
    make: Callable[[Device], Context | None] = Device.make_context if ctx_maker is None else ctx_maker
    count = Device.count()
    if count == 0:
        raise RuntimeError(
            "no CUDA enabled device found; CUPRUM_DRIVER=sim in the environment uses the simulator",
            operation="make_default_context",
        )
    chosen = _chosen()
    if chosen is not None:
        made = make(Device(chosen))
        if made is None:
            raise RuntimeError(f"ctx_maker has made no context on device {chosen}", operation="make_default_context")
        return made
    failures = []
    for ordinal in range(count):
        try:
            made = make(Device(ordinal))
        except Error as error:
            failures.append(f"device {ordinal}: {error}")
        else:
            if made is not None:
                return made
    raise RuntimeError(
        "make_default_context: no device gave a context (" + "; ".join(failures) + ")", operation="make_default_context"
    )


def make_default_primary_context() -> Context:
    """The primary context of the default device, pushed."""

    def retain(device: Device) -> Context:
        context = device.retain_primary_context()
        context.push()
        return context

    return make_default_context(retain)


def finish(context: Context) -> None:
    """At the end of the program: caches are emptied, and the context is given up where it is still on the stack."""
    clear_caches()
    if context._is_alive and Context.get_current() is context:
        context.pop()
        context._release()
