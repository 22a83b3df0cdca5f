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


@dataclass
class ContextOptions:
    """What a green context's work may use: ``resources``, parts of one split."""

    resources: Sequence[SMResource]


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
        resources = as_options(ContextOptions, options).resources
        for each in resources:
            if not isinstance(each, SMResource):
                raise TypeError(f"a context's resources are SMResource, not {type(each).__name__}")
            if each._is_dry:
                raise ValueError("a resource is that of a dry run: split again without dry_run")
        together = b"".join(each._bytes for each in resources)
        return cls._wrap(_cuprum.cuprum_context_create(device.device_id, together))

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
