"""In, Out and InOut: host arrays as arguments of a kernel, copied before and after it."""

from __future__ import annotations

from typing import Any

from cuprum.compat.pycuda._context import Context
from cuprum.compat.pycuda._native import mem_alloc, memcpy_dtoh, memcpy_dtoh_async, memcpy_htod, memcpy_htod_async
from cuprum.compat.pycuda._pointers import DeviceAllocation, host_memory, refuse_strides


class ArgumentHandler:
    """An argument that is host memory, for which there is device memory during the call."""

    def __init__(self, ary: Any) -> None:
        """``ary`` is a NumPy array without gaps."""
        flags = getattr(ary, "flags", None)
        if flags is not None and not flags.forc:
            refuse_strides(type(self).__name__, ary)
        self.array = ary
        self.dev_alloc: DeviceAllocation | None = None

    def get_device_alloc(self) -> DeviceAllocation:
        """The device memory, allocated when it is first asked for."""
        if self.dev_alloc is None:
            _, size = host_memory(type(self).__name__, self.array, False)
            self.dev_alloc = mem_alloc(size)
        return self.dev_alloc

    def pre_call(self, stream: Any) -> None:
        """Called before the launch."""

    def post_call(self, stream: Any) -> None:
        """Called after the launch."""


class In(ArgumentHandler):
    """Host memory that the kernel reads."""

    def pre_call(self, stream: Any) -> None:
        """Copies to the device."""
        if stream is not None:
            memcpy_htod_async(self.get_device_alloc(), self.array, stream)
        else:
            memcpy_htod(self.get_device_alloc(), self.array)


class Out(ArgumentHandler):
    """Host memory that the kernel writes."""

    def __init__(self, ary: Any) -> None:
        """``ary`` is a NumPy array without gaps that can be written to."""
        host_memory(type(self).__name__, ary, True)
        super().__init__(ary)

    def post_call(self, stream: Any) -> None:
        """Copies from the device."""
        if stream is not None:
            memcpy_dtoh_async(self.array, self.get_device_alloc(), stream)
        else:
            memcpy_dtoh(self.array, self.get_device_alloc())


class InOut(In, Out):
    """Host memory that the kernel reads and writes."""


def after_launch(handlers: list[ArgumentHandler], stream: Any) -> None:
    """What follows a launch with handlers."""
    if stream is None:
        Context.synchronize()
    for handler in handlers:
        handler.post_call(stream)
