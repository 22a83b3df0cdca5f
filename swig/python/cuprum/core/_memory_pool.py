"""Memory pools: memory that is allocated and freed in the order of a stream."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Mapping, MutableSet
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from cuprum import _operations
from cuprum._errors import Unsupported
from cuprum._native import _cuprum
from cuprum.core._buffer import Buffer
from cuprum.core._host import DEVICE, HOST, HOST_NUMA, NO_LOCATION
from cuprum.core._ipc import IPCAllocationHandle
from cuprum.core._managed_buffer import ManagedBuffer
from cuprum.core._memory_resource import NativeMemoryResource
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from cuprum.core._lazy_dataclass import dataclass

if TYPE_CHECKING:
    from typing import Self
    from uuid import UUID

    from cuprum.core._device import Device
    from cuprum.core._stream import IsStreamType, Stream


class _Attribute:
    """One of the driver's attributes of pools (CUmemPool_attribute), an int or a bool."""

    def __init__(self, number: int, kind: type[int], doc: str, settable: bool = True) -> None:
        self._number, self._kind, self._settable = number, kind, settable
        self.__doc__ = doc

    def __get__(self, attributes: MemoryPoolAttributes | None, owner: object = None) -> Any:
        if attributes is None:
            return self
        native = attributes._resource._open_native(_operations.MEMORY_RESOURCE_POOL_ATTRIBUTE)
        return self._kind(_cuprum.cuprum_memory_resource_pool_attribute(native, self._number))

    def __set__(self, attributes: MemoryPoolAttributes, value: int) -> None:
        if not self._settable:
            raise AttributeError("what a pool holds at present is counted by the driver, and cannot be set")
        native = attributes._resource._open_native(_operations.MEMORY_RESOURCE_SET_POOL_ATTRIBUTE)
        _cuprum.cuprum_memory_resource_set_pool_attribute(native, self._number, int(value))


class MemoryPoolAttributes:
    """The attributes of a pool, sizes in bytes. Each is read from the driver every time."""

    __slots__ = ("_resource",)

    reuse_follow_event_dependencies = _Attribute(
        1, bool, "Freed memory is given out in another stream where an event makes that stream wait for the free."
    )
    reuse_allow_opportunistic = _Attribute(
        2, bool, "Freed memory is given out in another stream where the free is done already."
    )
    reuse_allow_internal_dependencies = _Attribute(
        3, bool, "Freed memory is given out in another stream, which is made to wait for the free."
    )
    release_threshold = _Attribute(
        4, int, "What is held beyond this goes back to the system when a stream is waited for."
    )
    reserved_mem_current = _Attribute(5, int, "Held by the pool, used or not.", settable=False)
    reserved_mem_high = _Attribute(6, int, "The most that it has held. Can be set to 0.")
    used_mem_current = _Attribute(7, int, "In buffers.", settable=False)
    used_mem_high = _Attribute(8, int, "The most that has been in buffers. Can be set to 0.")

    def __init__(self, resource: PooledMemoryResource) -> None:
        """Made by ``attributes`` of a resource."""
        self._resource = resource

    def __repr__(self) -> str:
        names = [name for name, each in vars(type(self)).items() if isinstance(each, _Attribute)]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


class PooledMemoryResource(NativeMemoryResource):
    """A resource with a pool: it allocates and frees in a stream's order, and keeps freed memory for later.

    Resources with the same pool are equal. A pool of its own lives as long as the resource and its buffers.
    """

    __slots__ = ("_uuid",)

    _uuid: UUID
    _registered: ClassVar[weakref.WeakValueDictionary[UUID, PooledMemoryResource]] = weakref.WeakValueDictionary()

    @property
    def uuid(self) -> UUID | None:
        """What processes know a shared pool by; None of a pool that is not shared."""
        if not self.is_ipc_enabled:
            return None
        known = getattr(self, "_uuid", None)
        if known is None:
            from uuid import uuid4

            known = self._uuid = uuid4()
        return known

    def register(self, uuid: UUID) -> Self:
        """Makes ``from_registry`` find it by this UUID. Returns what was found by it already, else this resource."""
        self._uuid = uuid
        return PooledMemoryResource._registered.setdefault(uuid, self)  # type: ignore[return-value]

    @classmethod
    def from_registry(cls, uuid: UUID) -> Self:
        """The resource that was registered under that UUID and is still in use. RuntimeError if there is none."""
        found = PooledMemoryResource._registered.get(uuid)
        if not isinstance(found, cls):
            raise RuntimeError(f"no {cls.__name__} is registered under {uuid}")
        return found

    @classmethod
    def _wrap(cls, native: int) -> Self:
        resource = cls.__new__(cls)
        resource._native = native
        return resource

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """``size`` bytes, usable in ``stream`` at once, and freed in its order. 0 gives an empty buffer.

        InvalidArgument without a stream, or if the pool is a device's and the stream belongs to another one.
        """
        return Buffer._allocate_from(self, size, stream)

    @property
    def handle(self) -> int:
        """The driver's ``CUmemoryPool``."""
        return _cuprum.cuprum_memory_resource_native(self._open_native(_operations.MEMORY_RESOURCE_NATIVE))

    @property
    def is_handle_owned(self) -> bool:
        """Whether the pool ends with the resource and its buffers. False: it is the driver's, or another resource's."""
        native = self._open_native(_operations.MEMORY_RESOURCE_IS_HANDLE_OWNED)
        return bool(_cuprum.cuprum_memory_resource_is_handle_owned(native))

    @property
    def is_ipc_enabled(self) -> bool:
        """Whether other processes can open it, or it is another process's."""
        native = self._open_native(_operations.MEMORY_RESOURCE_IS_IPC_ENABLED)
        return bool(_cuprum.cuprum_memory_resource_is_ipc_enabled(native))

    @property
    def is_mapped(self) -> bool:
        """Whether it is a pool that another process shares: nothing can be allocated from it."""
        native = self._open_native(_operations.MEMORY_RESOURCE_IS_MAPPED)
        return bool(_cuprum.cuprum_memory_resource_is_mapped(native))

    @property
    def allocation_handle(self) -> IPCAllocationHandle:
        """A new file descriptor that stands for the pool, with which another process opens it.

        InvalidState if the pool was made without ``ipc_enabled``, or is another process's.
        """
        native = self._open_native(_operations.MEMORY_RESOURCE_ALLOCATION_HANDLE)
        return IPCAllocationHandle._init(_cuprum.cuprum_memory_resource_allocation_handle(native), self.uuid)

    @property
    def attributes(self) -> MemoryPoolAttributes:
        """The pool's attributes."""
        self._open_native(_operations.MEMORY_RESOURCE_POOL_ATTRIBUTE)
        return MemoryPoolAttributes(self)

    def trim_to(self, min_bytes: int) -> None:
        """Returns unused memory to the system, but keeps at least ``min_bytes``."""
        native = self._open_native(_operations.MEMORY_RESOURCE_TRIM_TO)
        _cuprum.cuprum_memory_resource_trim_to(native, min_bytes)

    def _location(self) -> tuple[int, int]:
        native = self._open_native(_operations.MEMORY_RESOURCE_LOCATION)
        kind, number = _cuprum.cuprum_memory_resource_location(native)
        return kind, number

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PooledMemoryResource):
            return NotImplemented
        return bool(self._native and other._native and self.handle == other.handle)

    def __hash__(self) -> int:
        return object.__hash__(self) if self.is_closed else hash(self.handle)


Pool = TypeVar("Pool", bound=PooledMemoryResource)


def _with_uuid(resource: Pool, alloc_handle: int | IPCAllocationHandle) -> Pool:
    uuid = None if isinstance(alloc_handle, int) else alloc_handle.uuid
    if uuid is not None:
        resource._uuid = uuid
    return resource


@dataclass
class DeviceMemoryResourceOptions:
    """Options for a new pool of a device's memory.

    - ``ipc_enabled``: other processes can open the pool and its buffers.
    - ``max_size``: the most bytes, rounded up by the driver; 0: as much as the device has.
    """

    ipc_enabled: bool = False
    max_size: int = 0


class DeviceMemoryResource(PooledMemoryResource):
    """A pool of a device's memory: a new one with ``options``, else the one that the device allocates from now."""

    __slots__ = ()

    def __init__(
        self, device_id: Device | int, options: DeviceMemoryResourceOptions | Mapping[str, Any] | None = None
    ) -> None:
        """InvalidArgument if there is no such device."""
        if options is None:
            self._native = _cuprum.cuprum_memory_resource_of_device(int(device_id))
        else:
            options = as_options(DeviceMemoryResourceOptions, options)
            create = (
                _cuprum.cuprum_memory_resource_create_shareable
                if options.ipc_enabled
                else _cuprum.cuprum_memory_resource_create_device
            )
            self._native = create(int(device_id), options.max_size)

    @classmethod
    def from_allocation_handle(
        cls, device_id: Device | int, alloc_handle: int | IPCAllocationHandle
    ) -> DeviceMemoryResource:
        """Opens a pool that another process shares. The file descriptor stays the caller's.

        Nothing can be allocated from it: open its buffers with ``Buffer.from_ipc_descriptor``.
        """
        if not isinstance(alloc_handle, int | IPCAllocationHandle):
            raise TypeError(
                f"alloc_handle must be an IPCAllocationHandle or a file descriptor, not {type(alloc_handle).__name__}"
            )
        opened = cls._wrap(_cuprum.cuprum_memory_resource_from_allocation_handle(int(device_id), int(alloc_handle)))
        return _with_uuid(opened, alloc_handle)

    @property
    def peer_accessible_by(self) -> _PeerAccessibleBy:
        """A set of the other devices that can use the pool's memory. Changing it changes the access.

        ``add``, ``discard``, ``in`` and assigning to it take devices or their ordinals. Adding a device that cannot use
        the memory is an InvalidArgument.
        """
        self._open_native(_operations.MEMORY_RESOURCE_IS_ACCESSIBLE_BY)
        return _PeerAccessibleBy(self)

    @peer_accessible_by.setter
    def peer_accessible_by(self, devices: Iterable[Device | int]) -> None:
        from cuprum.core._device import Device

        wanted = {Device(int(device)) for device in devices} - {Device(self.device_id)}
        found = self.peer_accessible_by
        for device in wanted:
            found.add(device)
        for device in set(found) - wanted:
            found.discard(device)


class _PeerAccessibleBy(MutableSet["Device"]):
    """Asks the driver each time."""

    __slots__ = ("_resource",)

    def __init__(self, resource: DeviceMemoryResource) -> None:
        """Keeps the resource alive."""
        self._resource = resource

    @classmethod
    def _from_iterable(cls, devices: Iterable[Device]) -> set[Device]:  # type: ignore[override]
        return set(devices)

    def __contains__(self, device: object) -> bool:
        from cuprum.core._device import Device

        if not isinstance(device, Device | int) or int(device) == self._resource.device_id:
            return False
        native = self._resource._open_native(_operations.MEMORY_RESOURCE_IS_ACCESSIBLE_BY)
        return bool(_cuprum.cuprum_memory_resource_is_accessible_by(native, int(device)))

    def __iter__(self) -> Iterator[Device]:
        from cuprum.core._device import Device

        return iter([device for device in Device.get_all_devices() if device in self])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, value: Device | int) -> None:
        """Lets the device use the pool's memory, including what is already allocated."""
        self._set(value, True)

    def discard(self, value: Device | int) -> None:
        """Withdraws that access."""
        self._set(value, False)

    def _set(self, device: Device | int, accessible: bool) -> None:
        native = self._resource._open_native(_operations.MEMORY_RESOURCE_SET_ACCESSIBLE_BY)
        if int(device) != self._resource.device_id:
            _cuprum.cuprum_memory_resource_set_accessible_by(native, int(device), int(accessible))

    def __repr__(self) -> str:
        return repr(set(self))


@dataclass
class PinnedMemoryResourceOptions:
    """Options for a new pool of page-locked host memory.

    - ``ipc_enabled``: other processes can open the pool and its buffers.
    - ``max_size``: the most bytes, rounded up by the driver; 0: as much as there is.
    - ``numa_id``: the NUMA node of the memory; None: the system chooses, or with ``ipc_enabled`` the node that is
      nearest to the current device.
    """

    ipc_enabled: bool = False
    max_size: int = 0
    numa_id: int | None = None


class PinnedMemoryResource(PooledMemoryResource):
    """A pool of page-locked host memory, which the CPU and the kernels of all devices can use.

    A new one with ``options``, else the driver's own. ``LegacyPinnedMemoryResource`` works on devices without
    such pools.
    """

    __slots__ = ()

    def __init__(self, options: PinnedMemoryResourceOptions | Mapping[str, Any] | None = None) -> None:
        """Unsupported when no device supports such pools, which need CUDA 13."""
        if options is None:
            self._native = _cuprum.cuprum_memory_resource_of_pinned_memory()
            return
        options = as_options(PinnedMemoryResourceOptions, options)
        _require_int("numa_id", options.numa_id)
        if options.numa_id is not None and options.numa_id < 0:
            raise ValueError(f"numa_id must be the number of a NUMA node, from 0 on, not {options.numa_id}")
        node = -1 if options.numa_id is None else options.numa_id
        create = (
            _cuprum.cuprum_memory_resource_create_shareable_pinned
            if options.ipc_enabled
            else _cuprum.cuprum_memory_resource_create_pinned
        )
        self._native = create(node, options.max_size)

    @classmethod
    def from_allocation_handle(cls, alloc_handle: int | IPCAllocationHandle) -> PinnedMemoryResource:
        """Opens a pool that another process shares. The file descriptor stays the caller's.

        Nothing can be allocated from it: open its buffers with ``Buffer.from_ipc_descriptor``.
        """
        opened = cls._wrap(_cuprum.cuprum_memory_resource_pinned_from_allocation_handle(int(alloc_handle)))
        return _with_uuid(opened, alloc_handle)

    @property
    def numa_id(self) -> int:
        """The NUMA node of the memory; -1: the system chooses, or another process has chosen."""
        kind, number = self._location()
        return number if kind == HOST_NUMA else -1


@dataclass
class ManagedMemoryResourceOptions:
    """Options for a new pool of managed memory: where its pages are kept.

    - ``preferred_location``: an ordinal or a NUMA node, as ``preferred_location_type`` says. Without a type: a device's
      ordinal, -1 for host memory, None for wherever they are used.
    - ``preferred_location_type``: ``"device"``, ``"host"`` (then there is no ``preferred_location``) or ``"host_numa"``
      (then None is the node that is nearest to the current device).
    """

    preferred_location: int | None = None
    preferred_location_type: str | None = None


_HOST_NUMA_ID = 134  # CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID


def _require_int(name: str, value: object) -> None:
    """Raises TypeError for what is neither an int nor None."""
    if value is not None and not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int or None, not {value!r}")


def _location_numbers(options: ManagedMemoryResourceOptions) -> tuple[int, int]:
    place, kind = options.preferred_location, options.preferred_location_type
    _require_int("preferred_location", place)
    if kind is None:
        if place is None:
            return NO_LOCATION, 0
        return (HOST, 0) if place == -1 else (DEVICE, place)
    if kind == "host":
        if place is not None:
            raise ValueError(f'"host" is all host memory: preferred_location must be None, not {place}')
        return HOST, 0
    if kind == "host_numa":
        if place is None:
            from cuprum.core._device import Device

            place = _cuprum.cuprum_device_attribute(Device().device_id, _HOST_NUMA_ID)
            if place < 0:
                raise Unsupported("this machine has no NUMA nodes: preferred_location_type must not be 'host_numa'")
        return HOST_NUMA, place
    if kind == "device":
        if place is None or place < 0:
            raise ValueError(f'"device" needs a preferred_location, the ordinal of a device, not {place}')
        return DEVICE, place
    raise ValueError(f'preferred_location_type must be "device", "host", "host_numa" or None, not {kind!r}')


class ManagedMemoryResource(PooledMemoryResource):
    """A pool of managed memory, which moves to where it is used. A new one with ``options``, else the driver's own."""

    __slots__ = ()

    def __init__(self, options: ManagedMemoryResourceOptions | Mapping[str, Any] | None = None) -> None:
        """Unsupported when the driver does not support such pools, which need CUDA 13."""
        if options is None:
            self._native = _cuprum.cuprum_memory_resource_of_managed_memory()
            return
        options = as_options(ManagedMemoryResourceOptions, options)
        self._native = _cuprum.cuprum_memory_resource_create_managed(*_location_numbers(options))

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> ManagedBuffer:
        """``size`` bytes, usable in ``stream`` at once, and freed in its order. 0 gives an empty buffer."""
        return ManagedBuffer._allocate_from(self, size, stream)

    @property
    def preferred_location(self) -> tuple[str, int | None] | None:
        """Where its pages are kept, ``("device", 0)``, ``("host", None)`` or ``("host_numa", 0)``; None: where used."""
        kind, number = self._location()
        if kind == NO_LOCATION:
            return None
        if kind == HOST:
            return "host", None
        return ("device" if kind == DEVICE else "host_numa"), number
