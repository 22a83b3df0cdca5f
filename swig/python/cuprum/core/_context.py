"""Contexts: a device's primary one, and green ones, which have a part of its multiprocessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cuprum import _operations
from cuprum._errors import Unsupported
from cuprum._native import _cuprum
from cuprum.core._members import ContextMembers
from cuprum.core._options import as_options

if TYPE_CHECKING:
    from cuprum.core._device import Device
    from cuprum.core._stream import Stream, StreamOptions


@dataclass
class SMResourceOptions:
    """How multiprocessors are split.

    - ``count``: multiprocessors in the group, at least, or in each of several groups, all the same; None: as few as
      there can be.
    - ``coscheduled_sm_count``, ``preferred_coscheduled_sm_count``: not supported, as they need CUDA 13.1.
    - ``backfill``: finer counts, of multiprocessors that need not be able to run one cluster together.
    """

    count: int | Sequence[int] | None = None
    coscheduled_sm_count: int | Sequence[int] | None = None
    preferred_coscheduled_sm_count: int | Sequence[int] | None = None
    backfill: bool | Sequence[bool] = False


class SMResource:
    """A part of a device's multiprocessors, or all of them. From ``DeviceResources.sm`` and ``split``."""

    __slots__ = ("_bytes", "_is_dry", "_numbers")

    _bytes: bytes
    #: Device, multiprocessors, the fewest of a part, and the alignment.
    _numbers: list[int]
    #: Of a dry run.
    _is_dry: bool

    def __init__(self) -> None:
        """Raises TypeError: ask a device or a context for its resources."""
        raise TypeError("ask a device, a context or a stream for its resources: device.resources.sm")

    @classmethod
    def _wrap(cls, resource: bytes, is_dry: bool = False) -> SMResource:
        wrapped = cls.__new__(cls)
        wrapped._bytes = resource
        wrapped._numbers = list(_cuprum.cuprum_sm_resource_info(resource))
        wrapped._is_dry = is_dry
        return wrapped

    @property
    def sm_count(self) -> int:
        """Multiprocessors."""
        return self._numbers[1]

    @property
    def min_partition_size(self) -> int:
        """The fewest multiprocessors that a part can have; 0 for what a split has made."""
        return self._numbers[2]

    @property
    def coscheduled_alignment(self) -> int:
        """What the number of each part is a multiple of: so many run a cluster together. 0 after a split."""
        return self._numbers[3]

    def split(
        self, options: SMResourceOptions | Mapping[str, Any], *, dry_run: bool = False
    ) -> tuple[list[SMResource], SMResource]:
        """Groups that have no multiprocessor in common, and what is left.

        A group may have more multiprocessors than were asked for. With ``dry_run`` the results tell how many, and make
        no context. What a split has made is split again only as the resources of a context.
        """
        options = as_options(SMResourceOptions, options)
        count, groups = _equal_groups(options)
        both = _cuprum.cuprum_sm_resource_split(self._bytes, count, groups, int(_one("backfill", options.backfill)))
        size = _cuprum.CUPRUM_SM_RESOURCE_SIZE
        parts = [self._wrap(both[begin : begin + size], dry_run) for begin in range(0, len(both), size)]
        return parts[:-1], parts[-1]

    def __repr__(self) -> str:
        return f"<SMResource of {self.sm_count} multiprocessors>"


def _one(name: str, value: Any) -> Any:
    """What all groups have in common."""
    if not isinstance(value, Sequence):
        return value
    if len(set(value)) != 1:
        raise Unsupported(f"{name} is {list(value)}: groups that differ need CUDA 13.1; split several times instead")
    return value[0]


def _equal_groups(options: SMResourceOptions) -> tuple[int, int]:
    """Multiprocessors of each group, and how many groups."""
    if options.coscheduled_sm_count is not None or options.preferred_coscheduled_sm_count is not None:
        raise Unsupported("coscheduled_sm_count and preferred_coscheduled_sm_count need CUDA 13.1: leave them out")
    count = options.count
    groups = len(count) if isinstance(count, Sequence) else 1
    if groups == 0:
        raise ValueError("count is empty: give the number of multiprocessors of each group")
    least = _one("count", count)
    return (0 if least is None else least), groups


_SHARING_SCOPES = {
    "device_ctx": _cuprum.CUPRUM_WORKQUEUE_DEVICE_CONTEXT,
    "green_ctx_balanced": _cuprum.CUPRUM_WORKQUEUE_GREEN_CONTEXT_BALANCED,
}


@dataclass
class WorkqueueResourceOptions:
    """How a green context's streams get at the device's queues; what is None stays as it is.

    - ``sharing_scope``: ``"device_ctx"``, all contexts share all queues, or ``"green_ctx_balanced"``: where possible,
      no other balanced green context uses the same.
    - ``concurrency_limit``: how many streams are expected to be at work at once, at most; at least 1.
    """

    sharing_scope: str | None = None
    concurrency_limit: int | None = None


class WorkqueueResource:
    """How streams get at a device's queues. From ``DeviceResources.workqueue``."""

    __slots__ = ("_concurrency_limit", "_device_id", "_scope")

    _device_id: int
    _scope: int
    _concurrency_limit: int

    def __init__(self) -> None:
        """Raises TypeError: ask a device, a context or a stream for its resources."""
        raise TypeError("ask a device, a context or a stream for its resources: device.resources.workqueue")

    @classmethod
    def _wrap(cls, device_id: int, numbers: Sequence[int]) -> WorkqueueResource:
        wrapped = cls.__new__(cls)
        wrapped._device_id = device_id
        wrapped._scope, wrapped._concurrency_limit = numbers
        return wrapped

    @property
    def sharing_scope(self) -> str:
        """``"device_ctx"`` or ``"green_ctx_balanced"``."""
        return next(name for name, number in _SHARING_SCOPES.items() if number == self._scope)

    @property
    def concurrency_limit(self) -> int:
        """How many streams are expected to be at work at once, at most."""
        return self._concurrency_limit

    @property
    def device(self) -> Device:
        """The device that the queues belong to."""
        from cuprum.core._device import Device

        return Device(self._device_id)

    def configure(self, options: WorkqueueResourceOptions | Mapping[str, Any]) -> None:
        """Changes it for the contexts that are made with it from then on."""
        options = as_options(WorkqueueResourceOptions, options)
        scope, limit = self._scope, self._concurrency_limit
        if options.sharing_scope is not None:
            if options.sharing_scope not in _SHARING_SCOPES:
                names = ", ".join(map(repr, _SHARING_SCOPES))
                raise ValueError(f"sharing_scope must be one of {names}, not {options.sharing_scope!r}")
            scope = _SHARING_SCOPES[options.sharing_scope]
        if options.concurrency_limit is not None:
            limit = options.concurrency_limit
            if limit < 1:
                raise ValueError(f"concurrency_limit must be at least 1, not {limit}")
        self._scope, self._concurrency_limit = scope, limit

    def __repr__(self) -> str:
        return f"<WorkqueueResource {self.sharing_scope!r}, for {self._concurrency_limit} streams at once>"


class DeviceResources:
    """What a device or a context has of the hardware: ``resources`` of devices, contexts and streams."""

    __slots__ = ("_context", "_device_id")

    _context: Context | None
    _device_id: int

    def __init__(self) -> None:
        """Raises TypeError: ask a device, a context or a stream for its resources."""
        raise TypeError("ask a device, a context or a stream for its resources: device.resources")

    @classmethod
    def _of(cls, device_id: int, context: Context | None = None) -> DeviceResources:
        resources = cls.__new__(cls)
        resources._device_id = device_id
        resources._context = context
        return resources

    @property
    def sm(self) -> SMResource:
        """The multiprocessors."""
        if self._context is None:
            return SMResource._wrap(_cuprum.cuprum_sm_resource_of_device(self._device_id))
        native = self._context._open_native(_operations.SM_RESOURCE_OF_CONTEXT)
        return SMResource._wrap(_cuprum.cuprum_sm_resource_of_context(native))

    @property
    def workqueue(self) -> WorkqueueResource:
        """How streams get at the device's queues. Unsupported when the driver is older than CUDA 13.1."""
        if self._context is None:
            numbers = _cuprum.cuprum_workqueue_of_device(self._device_id)
        else:
            native = self._context._open_native(_operations.WORKQUEUE_OF_CONTEXT)
            numbers = _cuprum.cuprum_workqueue_of_context(native)
        return WorkqueueResource._wrap(self._device_id, numbers)


@dataclass
class ContextOptions:
    """What a green context's work may use: ``resources``, parts of one split, and a workqueue at most."""

    resources: Sequence[SMResource | WorkqueueResource]


class Context(ContextMembers):
    """What work runs in: a device's primary context, or a green one, which has a part of its multiprocessors.

    From ``Device.context``, ``Device.create_context`` and ``Stream.context``. A green context that was created lives as
    long as its last ``Context`` or stream.
    """

    __slots__ = ()
    _destroy = staticmethod(_cuprum.release_context)

    def __init__(self) -> None:
        """Raises TypeError: contexts come from devices and streams."""
        raise TypeError("ask a device or a stream for its context, or make one with Device.create_context()")

    @classmethod
    def _wrap(cls, native: int) -> Context:
        context = cls.__new__(cls)
        context._native = native
        return context

    @classmethod
    def _current(cls) -> Context | None:
        native = _cuprum.cuprum_context_current()
        return cls._wrap(native) if native else None

    @classmethod
    def _create(cls, device: Device, options: ContextOptions | Mapping[str, Any] | None) -> Context:
        if options is None:
            raise ValueError(
                "a context needs resources, as device.resources.sm.split() makes them: ContextOptions(resources=[...])"
            )
        parts: list[bytes] = []
        workqueues: list[WorkqueueResource] = []
        for each in as_options(ContextOptions, options).resources:
            if isinstance(each, WorkqueueResource):
                workqueues.append(each)
            elif not isinstance(each, SMResource):
                raise TypeError(f"a context's resources are SMResource or WorkqueueResource, not {type(each).__name__}")
            elif each._is_dry:
                raise ValueError("a resource is that of a dry run: split again without dry_run")
            else:
                parts.append(each._bytes)
        together = b"".join(parts)
        if not workqueues:
            return cls._wrap(_cuprum.cuprum_context_create(device.device_id, together))
        if len(workqueues) > 1 or workqueues[0]._device_id != device.device_id:
            raise ValueError(f"a context of {device!r} takes one workqueue, of that device")
        scope, limit = workqueues[0]._scope, workqueues[0]._concurrency_limit
        return cls._wrap(_cuprum.cuprum_context_create_with_workqueue(device.device_id, together, scope, limit))

    @property
    def resources(self) -> DeviceResources:
        """What its work may use."""
        return DeviceResources._of(self.device.device_id, self)

    def create_stream(self, options: StreamOptions | Mapping[str, Any] | None = None) -> Stream:
        """A stream whose work uses the multiprocessors of this context, which the stream keeps."""
        from cuprum.core._stream import Stream, StreamOptions

        options = as_options(StreamOptions, options)
        priority = 0 if options.priority is None else options.priority
        native = self._open_native(_operations.CONTEXT_CREATE_STREAM)
        return Stream._wrap(_cuprum.cuprum_context_create_stream(native, int(not options.nonblocking), priority))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Context):
            return NotImplemented
        if self.is_closed or other.is_closed:
            return self is other
        return self.handle == other.handle

    def __hash__(self) -> int:
        return id(self) if self.is_closed else hash((Context, self.handle))

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Context closed>"
        return f"<{'Green context' if self.is_green else 'Context'} {self.handle:#x} of {self.device!r}>"
