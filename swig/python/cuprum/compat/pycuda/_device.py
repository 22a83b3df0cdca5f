"""Devices and what they say about themselves."""

from __future__ import annotations

from operator import index
from typing import Any

from cuprum.bindings import driver as _driver
from cuprum.compat.pycuda._context import Context, push_new
from cuprum.compat.pycuda._errors import check, value_of


class Device:
    """A GPU, or the simulator's device: by its ordinal, or by its PCI bus id."""

    __slots__ = ("_attributes", "_ordinal")

    def __init__(self, ordinal: int | str | bytes) -> None:
        """``Device(0)`` or ``Device("0000:00:00.0")``. ``driver.init()`` comes first."""
        self._attributes: dict[Any, int] | None = None
        if isinstance(ordinal, str | bytes):
            text = ordinal.encode() if isinstance(ordinal, str) else ordinal
            self._ordinal = int(value_of(_driver.cuDeviceGetByPCIBusId(text), "cuDeviceGetByPCIBusId"))
        else:
            self._ordinal = int(
                value_of(_driver.cuDeviceGet(index(ordinal)), "cuDeviceGet", f"there is no device {ordinal}")
            )

    @staticmethod
    def count() -> int:
        """How many devices there are."""
        return int(value_of(_driver.cuDeviceGetCount(), "cuDeviceGetCount"))

    def name(self) -> str:
        """The device's name."""
        text: bytes = value_of(_driver.cuDeviceGetName(256, self._ordinal), "cuDeviceGetName")
        return text.split(b"\0")[0].decode()

    def pci_bus_id(self) -> str:
        """``"0000:00:00.0"``."""
        text: bytes = value_of(_driver.cuDeviceGetPCIBusId(64, self._ordinal), "cuDeviceGetPCIBusId")
        return text.split(b"\0")[0].decode()

    def compute_capability(self) -> tuple[int, int]:
        """Major and minor."""
        attributes = _driver.CUdevice_attribute
        return (
            self.get_attribute(attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            self.get_attribute(attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        )

    def total_memory(self) -> int:
        """Bytes of memory."""
        return int(value_of(_driver.cuDeviceTotalMem(self._ordinal), "cuDeviceTotalMem"))

    def get_attribute(self, attribute: Any) -> int:
        """One of ``driver.device_attribute``."""
        return int(value_of(_driver.cuDeviceGetAttribute(int(attribute), self._ordinal), "cuDeviceGetAttribute"))

    def get_attributes(self) -> dict[Any, int]:
        """All of ``driver.device_attribute`` that the device knows."""
        from cuprum.compat.pycuda._enumerations import device_attribute

        found: dict[Any, int] = {}
        for attribute in device_attribute:
            err, value = _driver.cuDeviceGetAttribute(int(attribute), self._ordinal)
            if not err:
                found[attribute] = value
        return found

    def __getattr__(self, name: str) -> int:
        # device.max_threads_per_block: PyCUDA's attributes in small letters.
        if name.startswith("_"):
            raise AttributeError(name)
        from cuprum.compat.pycuda._enumerations import device_attribute

        try:
            attribute = device_attribute[name.upper()]
        except KeyError:
            raise AttributeError(
                f"a Device has no attribute {name!r}: it has the names of driver.device_attribute in small letters"
            ) from None
        return self.get_attribute(attribute)

    def make_context(self, flags: int = 0) -> Context:
        """A new context, which becomes current; ``flags`` are ``driver.ctx_flags``."""
        handle = value_of(_driver.cuCtxCreate(int(flags), self._ordinal), "cuCtxCreate")
        context = Context._of(int(handle), "own", self)
        push_new(context)
        return context

    def retain_primary_context(self) -> Context:
        """The context that ``cuprum.core``, CuPy and PyTorch use as well. It is not made current: push it."""
        handle = value_of(_driver.cuDevicePrimaryCtxRetain(self._ordinal), "cuDevicePrimaryCtxRetain")
        return Context._of(int(handle), "primary", self)

    def can_access_peer(self, other: Device) -> bool:
        """Whether kernels here can reach memory there."""
        return bool(value_of(_driver.cuDeviceCanAccessPeer(self._ordinal, other._ordinal), "cuDeviceCanAccessPeer"))

    def __int__(self) -> int:
        return self._ordinal

    def __eq__(self, other: object) -> bool:
        return self._ordinal == other._ordinal if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash((Device, self._ordinal))

    def __repr__(self) -> str:
        return f"<Device {self._ordinal}>"


def init(flags: int = 0) -> None:
    """Starts the driver: before everything else. ``autoinit`` does it."""
    check(_driver.cuInit(flags), "cuInit")


def get_version() -> tuple[int, int, int]:
    """CUDA's version that this interface is for: the driver's."""
    number = get_driver_version()
    return number // 1000, number % 1000 // 10, number % 10


def get_driver_version() -> int:
    """The newest CUDA that the driver can do, 13000 for 13.0."""
    return int(value_of(_driver.cuDriverGetVersion(), "cuDriverGetVersion"))
