"""Host memory as a place for managed memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from cuprum.core._device import Device

# CUPRUM_LOCATION_*
NO_LOCATION, DEVICE, HOST, HOST_NUMA, HOST_NUMA_CURRENT = range(5)


class Host:
    """Host memory: all of it, one NUMA node's, or that of the calling thread's node. Equal ones are the same object."""

    __slots__ = ("__weakref__", "_is_numa_current", "_numa_id")

    _instances: ClassVar[dict[tuple[int | None, bool], Host]] = {}

    _numa_id: int | None
    _is_numa_current: bool

    def __new__(cls, numa_id: int | None = None, *, is_numa_current: bool = False) -> Host:
        """ValueError for a negative node, and for a node and the current one at once."""
        if numa_id is not None and is_numa_current:
            raise ValueError("numa_id names a node and is_numa_current asks for the current one: give one of them")
        if numa_id is not None and (not isinstance(numa_id, int) or isinstance(numa_id, bool) or numa_id < 0):
            raise ValueError(f"numa_id must be the number of a NUMA node, from 0 on, not {numa_id!r}")
        known = Host._instances.get((numa_id, is_numa_current))
        if known is not None:
            return known
        self = super().__new__(cls)
        self._numa_id = numa_id
        self._is_numa_current = is_numa_current
        return Host._instances.setdefault((numa_id, is_numa_current), self)

    @classmethod
    def numa_current(cls) -> Host:
        """The NUMA node of the thread that passes it to the driver."""
        return cls(is_numa_current=True)

    @property
    def numa_id(self) -> int | None:
        """The NUMA node; None if none is named."""
        return self._numa_id

    @property
    def is_numa_current(self) -> bool:
        """Whether it is the node of the calling thread."""
        return self._is_numa_current

    def __reduce__(self) -> Any:
        return _host, (self._numa_id, self._is_numa_current)

    def __repr__(self) -> str:
        if self._is_numa_current:
            return "Host.numa_current()"
        return "Host()" if self._numa_id is None else f"Host(numa_id={self._numa_id})"


def _host(numa_id: int | None, is_numa_current: bool) -> Host:
    return Host(numa_id, is_numa_current=is_numa_current)


def location_numbers(location: Device | Host) -> tuple[int, int]:
    """A location as the C ABI takes it: its kind, and the ordinal or node."""
    from cuprum.core._device import Device

    if isinstance(location, Device):
        return DEVICE, location.device_id
    if isinstance(location, Host):
        if location.is_numa_current:
            return HOST_NUMA_CURRENT, 0
        return (HOST, 0) if location.numa_id is None else (HOST_NUMA, location.numa_id)
    raise TypeError(f"a location is a Device or a Host, not {type(location).__name__}")


def location_of_numbers(kind: int, number: int) -> Device | Host | None:
    """The location with these numbers; None for no location."""
    from cuprum.core._device import Device

    if kind == NO_LOCATION:
        return None
    if kind == DEVICE:
        return Device(number)
    if kind == HOST_NUMA_CURRENT:
        return Host.numa_current()
    return Host(number) if kind == HOST_NUMA else Host()
