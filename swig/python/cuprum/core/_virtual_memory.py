"""Memory whose addresses and bytes are managed apart, so that a buffer can grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._errors import InvalidState, Unsupported
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._host import DEVICE, HOST, HOST_NUMA, HOST_NUMA_CURRENT
from cuprum.core._memory_resource import NativeMemoryResource
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from cuprum.core._device import Device

_ACCESSES = {"rw": 0, "r": 1, None: 2}
_GRANULARITIES = {"recommended": 0, "minimum": 1}
_HANDLE_TYPES = {None: 0, "posix_fd": 1}
_LOCATION_TYPES = {"device": DEVICE, "host": HOST, "host_numa": HOST_NUMA, "host_numa_current": HOST_NUMA_CURRENT}


@dataclass
class VirtualMemoryResourceOptions:
    """Options for a virtual memory resource.

    - ``allocation_type``: ``"pinned"``, memory that stays where it is. For managed memory there is
      ManagedMemoryResource.
    - ``location_type``: where the memory is: ``"device"``, ``"host"``, ``"host_numa"`` (the node ``numa_id``) or
      ``"host_numa_current"`` (that of the calling thread). Host memory is page-locked, and the CPU can always use it.
    - ``handle_type``: ``"posix_fd"`` if the memory can be exported to other processes, else None; ``"host"`` memory
      cannot.
    - ``granularity``: the unit of sizes, ``"recommended"`` or ``"minimum"``.
    - ``gpu_direct_rdma``: whether other hardware can use the memory directly.
    - ``addr_hint``: where buffers should be; 0: the driver chooses.
    - ``addr_align``: the alignment of addresses, a power of two; None: the granularity.
    - ``peers``: other devices that can use the memory.
    - ``self_access``, ``peer_access``: what the device and the peers may do: ``"rw"``, ``"r"`` or None.
    - ``numa_id``: the NUMA node of ``"host_numa"`` memory.
    """

    allocation_type: str = "pinned"
    location_type: str = "device"
    handle_type: str | None = "posix_fd"
    granularity: str = "recommended"
    gpu_direct_rdma: bool = False
    addr_hint: int | None = 0
    addr_align: int | None = None
    peers: Iterable[Device | int] = ()
    self_access: str | None = "rw"
    peer_access: str | None = "rw"
    numa_id: int = 0


def _number(name: str, value: str | None, numbers: Mapping[Any, int]) -> int:
    number = numbers.get(value)
    if number is None:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, numbers))}, not {value!r}")
    return number


def _numbers(config: VirtualMemoryResourceOptions, device_id: int) -> tuple[int, ...]:
    if config.allocation_type != "pinned":
        raise Unsupported(f"a virtual memory resource needs allocation_type 'pinned', not {config.allocation_type!r}")
    if not isinstance(config.peers, Iterable):
        raise TypeError(f"peers must be devices or their ordinals in a sequence, not {config.peers!r}")
    peers = 0
    for peer in config.peers:
        if not 0 <= int(peer) < 64:
            raise ValueError(f"peers must be devices or their ordinals, 0 to 63, not {int(peer)}")
        peers |= 1 << int(peer)
    location = _number("location_type", config.location_type, _LOCATION_TYPES)
    return (
        _number("self_access", config.self_access, _ACCESSES),
        peers,
        _number("peer_access", config.peer_access, _ACCESSES),
        _number("granularity", config.granularity, _GRANULARITIES),
        _number("handle_type", config.handle_type, _HANDLE_TYPES),
        int(config.gpu_direct_rdma),
        config.addr_hint or 0,
        config.addr_align or 0,
        location,
        device_id if config.location_type == "device" else config.numa_id,
    )


class VirtualMemoryResource(NativeMemoryResource):
    """Memory of a device or of the host, each buffer mapped to addresses of its own, so that it can grow.

    Buffers occupy whole units of ``granularity`` bytes, and are usable from any stream at once. Freeing one waits for
    its stream, without one for all devices.
    """

    __slots__ = ("_config", "_owner")

    def __init__(
        self, device_id: Device | int, config: VirtualMemoryResourceOptions | Mapping[str, Any] | None = None
    ) -> None:
        """Unsupported when the device has no virtual memory management, or none of the location."""
        config = as_options(VirtualMemoryResourceOptions, config)
        self._owner = int(device_id)
        self._native = _cuprum.cuprum_memory_resource_create_virtual(self._owner, *_numbers(config, self._owner))
        self._config = config

    @property
    def config(self) -> VirtualMemoryResourceOptions:
        """The options that it has: those that it was made with, or the last ones of ``modify_allocation``."""
        return self._config

    @property
    def granularity(self) -> int:
        """The unit of the sizes that buffers occupy, in bytes."""
        native = self._open_native(_operations.MEMORY_RESOURCE_GRANULARITY)
        return _cuprum.cuprum_memory_resource_granularity(native)

    def modify_allocation(
        self,
        buf: Buffer,
        new_size: int,
        config: VirtualMemoryResourceOptions | Mapping[str, Any] | None = None,
    ) -> Buffer:
        """Makes a buffer of this resource larger, and returns it.

        Its content stays, and is not copied; what is added is anything. The handle is another one where the
        buffer outgrows the addresses reserved for it; then this waits for all devices. No other thread may use the
        buffer meanwhile.
        InvalidState while there are views of it as host memory.

        ``config``: other options, which the resource has from then on: what is added is allocated with them, and all of
        the buffer is accessible as they say, also where the size stays. The location cannot be another one.
        """
        if not isinstance(buf, Buffer):
            raise TypeError(f"buf must be a Buffer, not {type(buf).__name__}")
        operation = _operations.MEMORY_RESOURCE_MODIFY_ALLOCATION
        native, old = self._open_native(operation), buf._open_native(operation)
        if buf._views:
            detail = "it is viewed as host memory, and may get another address"
            advice = "let go of its views first"
            raise InvalidState(
                f"{operation} ({buf!r}): {detail}\n{advice}",
                operation=operation,
                object=repr(buf),
                detail=detail,
                advice=advice,
            )
        if config is None:
            buf._native = _cuprum.cuprum_memory_resource_modify_allocation(native, old, new_size)
        else:
            config = as_options(VirtualMemoryResourceOptions, config)
            numbers = _numbers(config, self._owner)
            buf._native = _cuprum.cuprum_memory_resource_modify_allocation_with_options(native, old, new_size, *numbers)
            self._config = config
        buf._number = 0
        buf._size = new_size
        return buf
