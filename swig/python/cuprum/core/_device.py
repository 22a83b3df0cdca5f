"""Devices."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuprum import _operations
from cuprum._errors import CUDAError
from cuprum._native import _cuprum
from cuprum.core import _current
from cuprum.core._buffer import Buffer
from cuprum.core._event import Event, EventOptions
from cuprum.core._members import DeviceMembers
from cuprum.core._options import as_options
from cuprum.core._stream import IsStreamType, Stream, StreamOptions, as_stream

if TYPE_CHECKING:
    from typing import Self

    from cuprum.core._context import Context, ContextOptions, DeviceResources
    from cuprum.core._device_properties import DeviceProperties
    from cuprum.core._graph_builder import GraphBuilder
    from cuprum.core._memory_pool import DeviceMemoryResource
    from cuprum.core._memory_resource import MemoryResource
    from cuprum.core._opaque_array import MipmappedArray, MipmappedArrayOptions, OpaqueArray, OpaqueArrayOptions
    from cuprum.core._texture_object import ResourceDescriptor, SurfaceObject, TextureObject, TextureObjectOptions
    from cuprum.core.system import Device as SystemDevice


class ComputeCapability(NamedTuple):
    """A device's compute capability: ``major`` is 9 and ``minor`` 0 for an H200."""

    major: int
    minor: int


class MemoryInfo(NamedTuple):
    """A device's memory at one moment, in bytes: ``free`` can still be allocated, ``total`` is all there is."""

    free: int
    total: int


def _allocate_by(resource: MemoryResource, device_id: int, size: int, stream: Stream | IsStreamType | None) -> Buffer:
    return Buffer._allocate(device_id, size, None) if stream is None else resource.allocate(size, stream=stream)


class Device(DeviceMembers):
    """One GPU, or the simulated device. ``Device(1)`` is always the same object.

    Without an ordinal: the one whose context is current on this thread, else device 0. Work goes to the device's
    primary context. Nothing but ``set_current`` changes the caller's current context, and nothing here needs one.
    """

    __slots__ = ("__weakref__", "_allocate", "_default_stream", "_id", "_in_flight", "_memory_resource", "_properties")

    _instances: dict[int, Device] = {}

    _id: int
    _default_stream: Stream | None
    _properties: DeviceProperties
    #: Host memory of asynchronous copies that were not done when their streams were closed.
    _in_flight: list[memoryview]
    #: The memory resource that was chosen: a pool, or a resource of the program's.
    _memory_resource: weakref.ref[DeviceMemoryResource] | MemoryResource | None
    #: Memory of that, by the ordinal, the size and the stream.
    _allocate: Callable[[int, int, Stream | IsStreamType | None], Buffer]

    def __new__(cls, device_id: int | None = None) -> Self:
        """The device with that ordinal, or the current one. InvalidArgument when no device has that ordinal."""
        if device_id is None:
            device_id = _current.device_id()
        known = Device._instances.get(device_id)
        if known is not None:
            return known  # type: ignore[return-value]
        if not isinstance(device_id, int):
            raise TypeError(f"device_id must be an int, not {type(device_id).__name__}")
        from cuprum.core._device_properties import DeviceProperties

        _cuprum.cuprum_device_is_simulator(device_id)  # InvalidArgument if there is no such device
        self = super().__new__(cls)
        self._id = device_id
        self._default_stream = None
        self._in_flight = []
        self._memory_resource = None
        self._allocate = Buffer._allocate
        self._properties = DeviceProperties(device_id)
        return Device._instances.setdefault(device_id, self)  # type: ignore[return-value]

    @classmethod
    def get_all_devices(cls) -> tuple[Device, ...]:
        """All devices, in the order of their ordinals."""
        return tuple(cls(i) for i in range(_cuprum.cuprum_device_count()))

    @property
    def device_id(self) -> int:
        """The ordinal, counted from 0."""
        return self._id

    @property
    def compute_capability(self) -> ComputeCapability:
        """The compute capability, ``(9, 0)``."""
        properties = self._properties
        return ComputeCapability(properties.compute_capability_major, properties.compute_capability_minor)

    @property
    def properties(self) -> DeviceProperties:
        """The device's limits, sizes and abilities."""
        return self._properties

    @property
    def total_memory(self) -> int:
        """The size of the device's memory in bytes."""
        return self.memory_info.total

    @property
    def free_memory(self) -> int:
        """The bytes of memory that are free now."""
        return self.memory_info.free

    @property
    def memory_info(self) -> MemoryInfo:
        """Free and total memory, in bytes, read at the same moment."""
        return MemoryInfo(*_cuprum.cuprum_device_memory_info(self._id))

    def to_system_device(self) -> SystemDevice:
        """The same GPU as NVML sees it."""
        from cuprum.core.system import Device as SystemDevice

        return SystemDevice(index=_cuprum.cuprum_system_device_of_cuda(self._id))

    @property
    def default_stream(self) -> Stream:
        """The legacy default stream of the device."""
        if self._default_stream is None:
            self._default_stream = Stream._wrap(_cuprum.cuprum_stream_default(self._id))
        return self._default_stream

    @property
    def memory_resource(self) -> MemoryResource:
        """What ``allocate`` takes memory from in a stream: the program's own resource that was chosen, else a pool.

        The pool is the driver's own for the device, or the one that was chosen. Assigning another pool of this device
        chooses that one, for other CUDA code too; assigning a resource of the program's chooses that, for ``allocate``
        and for what the parallel algorithms need for a time.
        """
        from cuprum.core._memory_pool import DeviceMemoryResource

        known = self._memory_resource
        if known is not None and not isinstance(known, weakref.ref):
            return known
        current = DeviceMemoryResource(self._id)
        chosen = None if known is None else known()
        return chosen if chosen is not None and chosen == current else current  # other code may have chosen since

    @memory_resource.setter
    def memory_resource(self, resource: MemoryResource) -> None:
        from cuprum.core._memory_pool import DeviceMemoryResource
        from cuprum.core._memory_resource import MemoryResource, NativeMemoryResource

        is_pool = isinstance(resource, DeviceMemoryResource)
        is_programs = isinstance(resource, MemoryResource) and not isinstance(resource, NativeMemoryResource)
        if not is_pool and not is_programs:
            raise TypeError(
                "a device allocates from a DeviceMemoryResource, or from a class of the program's that derives from "
                f"MemoryResource, not from a {type(resource).__name__}"
            )
        _cuprum.cuprum_memory_resource_use(self._id, resource._open_native(_operations.MEMORY_RESOURCE_USE))
        if isinstance(resource, DeviceMemoryResource):
            self._memory_resource, self._allocate = weakref.ref(resource), Buffer._allocate
        else:
            self._memory_resource = resource
            self._allocate = functools.partial(_allocate_by, resource)

    @property
    def context(self) -> Context:
        """The device's primary context, which lives as long as the process. Closing what this gives leaves it alone."""
        from cuprum.core._context import Context

        return Context._wrap(_cuprum.cuprum_context_of_device(self._id))

    @property
    def resources(self) -> DeviceResources:
        """What the device has of the hardware: ``resources.sm`` are its multiprocessors."""
        from cuprum.core._context import DeviceResources

        return DeviceResources._of(self._id)

    def create_context(self, options: ContextOptions | Mapping[str, Any] | None = None) -> Context:
        """A green context, which has the multiprocessors in the options. It does not become current."""
        from cuprum.core._context import Context

        return Context._create(self, options)

    def create_opaque_array(self, options: OpaqueArrayOptions | Mapping[str, Any]) -> OpaqueArray:
        """An array of this device, for textures and surfaces; its elements are not initialised."""
        from cuprum.core._opaque_array import OpaqueArray, OpaqueArrayOptions

        return OpaqueArray._create(self, as_options(OpaqueArrayOptions, options))

    def create_mipmapped_array(self, options: MipmappedArrayOptions | Mapping[str, Any]) -> MipmappedArray:
        """An image of this device in several sizes."""
        from cuprum.core._opaque_array import MipmappedArray, MipmappedArrayOptions

        return MipmappedArray._create(self, as_options(MipmappedArrayOptions, options))

    def create_texture_object(
        self, *, resource: ResourceDescriptor, options: TextureObjectOptions | Mapping[str, Any] | None = None
    ) -> TextureObject:
        """How kernels read an image on this device."""
        from cuprum.core._texture_object import TextureObject, TextureObjectOptions

        return TextureObject._create(self, resource, as_options(TextureObjectOptions, options))

    def create_surface_object(self, *, resource: ResourceDescriptor) -> SurfaceObject:
        """How kernels write an array of this device that was made with ``is_surface_load_store``."""
        from cuprum.core._texture_object import SurfaceObject

        return SurfaceObject._create(self, resource)

    def set_current(self, ctx: Context | None = None) -> Context | None:
        """Makes the device current on this thread: for ``Device()``, and its primary context for other CUDA code.

        With a context of the device, such as a green one, makes that current, and returns the one that was.
        """
        if ctx is None:
            _cuprum.cuprum_device_set_current(self._id)
            return None
        from cuprum.core._context import Context

        if not isinstance(ctx, Context):
            raise TypeError(f"ctx must be a Context, not {type(ctx).__name__}")
        if ctx.device is not self:
            raise ValueError(f"ctx is a context of {ctx.device!r}, not of {self!r}")
        former = Context._current()
        ctx.set_current()
        return former

    use = set_current

    def sync(self) -> None:
        """Waits for all work of the device. DeviceFault when a kernel failed."""
        # Taken before the wait: what another thread adds during it is not covered.
        passed, self._in_flight = self._in_flight, []
        try:
            _cuprum.sync_device(self._id)
        except BaseException:
            self._keep_until_sync(passed)
            raise

    synchronize = sync

    def _keep_until_sync(self, memory: list[memoryview]) -> None:
        """Keeps host memory alive until the device is known to have passed the copies that use it."""
        self._in_flight.extend(memory)

    def can_access_peer(self, peer: Device | int) -> bool:
        """Whether kernels of this device can use memory of the other one, once that is enabled."""
        from cuprum.bindings import driver

        other = peer if isinstance(peer, Device) else Device(peer)
        status, possible = driver.cuDeviceCanAccessPeer(self._id, other._id)
        if int(status) != 0:
            raise CUDAError(f"asking whether {self!r} reaches {other!r}: {status.name}", code=int(status))
        return bool(possible)

    def create_graph_builder(self) -> GraphBuilder:
        """A builder that captures in a stream of its own."""
        from cuprum.core._graph_builder import GraphBuilder

        return GraphBuilder._wrap(_cuprum.cuprum_graph_builder_create_on_device(self._id))

    def create_stream(
        self,
        obj: IsStreamType | StreamOptions | Mapping[str, Any] | None = None,
        options: StreamOptions | Mapping[str, Any] | None = None,
    ) -> Stream:
        """Makes a stream, or borrows that of an object with ``__cuda_stream__``."""
        if obj is None and options is None:
            return Stream._make_default(self._id)
        if isinstance(obj, StreamOptions | Mapping):  # the options alone, by position
            obj, options = None, obj
        if obj is not None:
            if options is not None:
                raise ValueError("options are for a new stream: leave obj out, or leave options out")
            return as_stream(obj)
        options = as_options(StreamOptions, options)
        priority = 0 if options.priority is None else options.priority
        return Stream._wrap(_cuprum.cuprum_stream_create(self._id, int(not options.nonblocking), priority))

    def create_event(self, options: EventOptions | Mapping[str, Any] | None = None) -> Event:
        """Makes an event, which ``Stream.record`` then puts into a stream."""
        if options is None:
            return Event._make_default(self._id)
        return Event._create(self._id, as_options(EventOptions, options))

    def allocate(self, size: int, *, stream: Stream | IsStreamType | None = None) -> Buffer:
        """Allocates ``size`` bytes of device memory. In a stream: from ``memory_resource``, freed in its order.

        Memory of a pool is usable in that stream at once. Without a stream: usable everywhere when this returns, and
        freed after the work that uses it.
        """
        return self._allocate(self._id, size, stream)

    mem_alloc = allocate

    def __int__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        return self._id == other._id if isinstance(other, Device) else NotImplemented

    def __hash__(self) -> int:
        return hash((Device, self._id))

    def __reduce__(self) -> tuple[type[Device], tuple[int]]:
        return Device, (self._id,)

    def __repr__(self) -> str:
        return f"<Device {self._id} ({self.name})>"
