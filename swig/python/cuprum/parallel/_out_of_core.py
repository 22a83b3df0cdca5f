"""How much of a device's memory an algorithm over host memory may take, and the elements that go through it."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.core import Buffer, Device
from cuprum.parallel._data import host_array, host_bytes
from cuprum.parallel._types import type_text

if TYPE_CHECKING:
    from cuprum.core import MemoryResource
    from cuprum.parallel._operators import Operator


# The fields of cuprum_device_memory.
_DEVICE_MEMORY = struct.Struct("=i4xQQ")


@dataclasses.dataclass(frozen=True)
class DeviceMemory:
    """A device, and the part of its memory that a call may take: the elements go through it in pieces, and may be many
    times as large. A call allocates what it needs once, when it begins, and frees it when it ends. Where an algorithm
    gets a list of these, of different devices, the pieces are dealt to them, and all work at once.

    ``limit`` is in bytes; 0: seven eighths of what is free when a call begins. ``device``: a Device or its ordinal.
    ``resource``: memory of the device; None: what the device allocates from in a stream."""

    limit: int = 0
    device: Device | int = 0
    resource: MemoryResource | None = None


class OutOfCoreAlgorithm(Owner):
    """Built once for a device's memory, called many times, from several threads too, each with that much memory;
    immutable.

    A call takes host memory: NumPy's arrays, what NumPy can view as one (``numpy.asarray``), and a ``Buffer`` that the
    host can use. While a piece is worked on, the next one is copied in and the one before it is copied out, if the
    memory is page-locked; other memory goes through page-locked memory of the call's. It returns when it is done. What
    does not fit, and too little of the device's memory, is an InvalidArgument before anything is done, which says how
    much is needed. After a later error what was to be written is undefined.
    """

    __slots__ = ("_operator",)
    _destroy = staticmethod(_cuprum.cuprum_out_of_core_algorithm_destroy)

    def __init__(self, built: int, operator: Operator | None) -> None:
        """Not for callers, who make one of the classes that derive from it."""
        super().__init__(built)
        self._operator = operator  # with the arrays that a function refers to


def native_memory(memory: DeviceMemory | Iterable[DeviceMemory], operation: str) -> bytes:
    """As C takes it: an array of cuprum_device_memory."""
    if isinstance(memory, DeviceMemory):
        memory = [memory]
    elif not isinstance(memory, Iterable):
        raise TypeError(f"memory must be a DeviceMemory or several, not {type(memory).__name__}")
    return b"".join(_native_memory(each, operation) for each in memory)


def _native_memory(memory: DeviceMemory, operation: str) -> bytes:
    if not isinstance(memory, DeviceMemory):
        raise TypeError(f"memory must be a DeviceMemory, not {type(memory).__name__}")
    device = memory.device.device_id if isinstance(memory.device, Device) else int(memory.device)
    if not 0 <= memory.limit < 1 << 64:
        raise ValueError(f"limit is {memory.limit}, expected a number of bytes")
    if not -(1 << 31) <= device < 1 << 31:
        raise ValueError(f"device is {device}, expected an ordinal")
    resource = 0 if memory.resource is None else memory.resource._open_native(operation)
    return _DEVICE_MEMORY.pack(device, memory.limit, resource)


def host_elements(name: str, elements: Any, dtype: np.dtype[Any] | None, *, writable: bool = False) -> Any:
    """Elements of that type as bytes, in place where they are to be written; none for None."""
    if elements is None:
        return bytearray()
    if dtype is None:
        raise TypeError(f"{name} was given, and the algorithm was built without values")
    if isinstance(elements, Buffer):
        return memoryview(elements)
    if writable and not isinstance(elements, np.ndarray):
        elements = np.asarray(memoryview(elements))
    values = elements if writable else host_array(elements)
    if type_text(values.dtype) != type_text(dtype):
        raise TypeError(f"{name} has elements of {values.dtype}, and the algorithm was built for {dtype}")
    if not values.flags.c_contiguous:
        raise ValueError(f"{name} is not contiguous, and is to be written in place")
    if writable and not values.flags.writeable:
        raise ValueError(f"{name} cannot be written to")
    return host_bytes(values)
