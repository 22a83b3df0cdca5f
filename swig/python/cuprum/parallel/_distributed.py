"""Devices as the ranks of algorithms, and what each of them has of the data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cuprum import _operations
from cuprum._native import Owner, _cuprum
from cuprum.core import Buffer, Device
from cuprum.core._members import CommunicatorMembers
from cuprum.core._stream import Stream
from cuprum.parallel._arrays import DeviceArray, device_elements
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import wide_value

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import DTypeLike

    from cuprum.parallel._operators import Operator

    #: Shards, or arrays in device memory, in the order of the ranks.
    ShardsLike: TypeAlias = "Sequence[Shard | Any]"


class ScanKind(IntEnum):
    """Which elements are combined."""

    #: Those before this one, starting from an initial value.
    EXCLUSIVE = 0
    #: Those up to and including this one.
    INCLUSIVE = 1
    #: Those up to and including this one, starting from an initial value.
    INCLUSIVE_WITH_INIT = 2


class Communicator(CommunicatorMembers):
    """Devices of this process, each a rank with a stream of its own. Thread-safe; calls of several threads share the
    streams.

    Bytes go from device to device by the driver's copies, directly where it offers peer access (over NVLink where there
    is some), otherwise through host memory. Peer access is enabled when the communicator is made, and stays. Algorithms
    that were built for it, and streams that it has given, go on after it is closed.
    """

    __slots__ = ("_streams",)
    _destroy = staticmethod(_cuprum.cuprum_communicator_destroy)
    #: Of the ranks.
    _streams: tuple[Stream, ...]

    def __init__(self, devices: Iterable[Device | int] | None = None) -> None:
        """Rank ``r`` is ``devices[r]``, a ``Device`` or its ordinal; None: all devices. InvalidArgument where there is
        none, and for a device that is named twice."""
        ranks = Device.get_all_devices() if devices is None else [_as_device(each) for each in devices]
        super().__init__(_cuprum.cuprum_communicator_create(np.array([each.device_id for each in ranks], np.int32)))
        self._streams = tuple(self.stream(rank) for rank in range(len(ranks)))

    def stream(self, rank: int) -> Stream:
        """The stream of a rank. What algorithms read must be written in its order: put the work that writes it there,
        or let it wait for that. Closing the result leaves the stream alone. InvalidArgument when there is no such rank.
        """
        native = self._open_native(_operations.COMMUNICATOR_STREAM)
        return Stream._wrap(_cuprum.cuprum_communicator_stream(native, rank))

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Communicator, closed>"
        return f"<Communicator of the devices {', '.join(str(each.device.device_id) for each in self._streams)}>"


def _as_device(device: Device | int) -> Device:
    if isinstance(device, Device):
        return device
    if isinstance(device, int) and not isinstance(device, bool):
        return Device(device)
    raise TypeError(f"a rank is a Device or its ordinal, not {type(device).__name__}")


class Shard:
    """The elements of one rank, in memory of its device. Data that is spread over the ranks of a communicator is a
    shard for each, in their order; shards may have different numbers of elements, and none.

    ``dtype`` is NumPy's type of the elements, ``count`` how many there are.

    Keeps the array alive. Work that another library has in flight on it is waited for in the stream of the rank, where
    the array says its stream; memory of Cuprum's own is read in that stream's order.
    """

    __slots__ = ("_array", "count", "dtype")

    dtype: np.dtype[Any]
    count: int

    def __init__(self, array: Any, dtype: DTypeLike | None = None, count: int | None = None) -> None:
        """``array``: anything in device memory (``__cuda_array_interface__``, DLPack, ``DeviceArray``), or a
        ``Buffer``; None for a rank without elements. ``dtype`` is needed for a ``Buffer`` and for None, which have
        none. ``count``: the first so many elements; None: all."""
        own, size = _extent(array, dtype)
        if dtype is not None and type_text(np.dtype(dtype)) != type_text(own):
            raise TypeError(f"the array has elements of {own}, and dtype is {np.dtype(dtype)}")
        type_text(own)  # or an error that says what it takes
        if count is not None and not 0 <= count <= size:
            raise ValueError(f"count is {count}, expected 0 to {size}: the array has {size} elements")
        self._array = array
        self.dtype, self.count = own, size if count is None else count

    def _memory(self, stream: Stream | None, *, writable: bool) -> Buffer | None:
        """As a buffer, which the stream of the rank will use; None without any."""
        array = self._array
        if array is None or self.count == 0 or isinstance(array, Buffer):
            return array if isinstance(array, Buffer) else None
        if isinstance(array, DeviceArray) and array._offset == 0:
            return array._buffer
        device_id = None if stream is None else stream.device.device_id
        address, size, own = device_elements(array, writable=writable, stream=stream, device_id=device_id)
        if own != self.dtype or size < self.count:
            raise ValueError(
                f"the array has {size} elements of {own} now; its shard was made of {self.count} of {self.dtype}"
            )
        return Buffer.from_handle(address, size * own.itemsize, owner=array)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<Shard of {self.count} {self.dtype}>"


def _extent(array: Any, dtype: DTypeLike | None) -> tuple[np.dtype[Any], int]:
    """The type of the elements, and how many there are."""
    if array is None or isinstance(array, Buffer):
        if dtype is None:
            what = "a rank without elements" if array is None else "a Buffer"
            raise TypeError(f"{what} has no element type: give dtype")
        own = np.dtype(dtype)
        return own, 0 if array is None else array.size // own.itemsize
    _, size, found = device_elements(array)
    return found, size


class ReducedShard(NamedTuple):
    """Different ``keys`` and, at the same positions, the reductions of their ``values``, in memory of a rank's device.
    They belong to the caller."""

    keys: DeviceArray
    values: DeviceArray

    @property
    def size(self) -> int:
        """How many keys there are."""
        return self.keys.size


class ShardList:
    """Shards of one parameter of a call, as lists of their fields; keeps their memory."""

    __slots__ = ("_kept", "counts", "memory", "types")

    types: list[str]
    memory: list[int]
    counts: np.ndarray[Any, np.dtype[np.uint64]]

    def __init__(
        self, name: str, shards: ShardsLike | None, streams: Sequence[Stream], *, writable: bool = False
    ) -> None:
        """``streams`` of the ranks will use them. None: there are none."""
        if shards is not None and (isinstance(shards, (Shard, Buffer)) or not isinstance(shards, Iterable)):
            raise TypeError(f"{name} is a list of shards, one for each rank, not {type(shards).__name__}")
        given = [] if shards is None else [each if isinstance(each, Shard) else Shard(each) for each in shards]
        # Of the wrong number of shards none is used.
        of_rank: Sequence[Stream | None] = streams if len(given) == len(streams) else [None] * len(given)
        self._kept = [each._memory(stream, writable=writable) for each, stream in zip(given, of_rank, strict=True)]
        self.types = [type_text(each.dtype) for each in given]
        self.memory = [0 if each is None else each._open_native(f"using {name}") for each in self._kept]
        self.counts = np.array([each.count for each in given], np.uint64)


class DistributedAlgorithm(Owner):
    """Built once for a communicator, called many times, from several threads too; immutable.

    A call takes a list of shards, or of arrays in device memory, for each input and output, one for each rank, in their
    order, and returns when all ranks are done. Shards that do not fit are an InvalidArgument before anything is done. A
    later error names the rank and its device; the outputs are then undefined, and all ranks were waited for.
    """

    __slots__ = ("_operator", "_streams")
    _destroy = staticmethod(_cuprum.cuprum_distributed_algorithm_destroy)

    def __init__(self, built: int, communicator: Communicator, operator: Operator | None) -> None:
        """Not for callers, who make one of the classes that derive from it."""
        super().__init__(built)
        self._streams = communicator._streams
        self._operator = operator  # with the arrays that a function refers to


def native_communicator(communicator: Communicator, operation: str) -> int:
    if not isinstance(communicator, Communicator):
        raise TypeError(f"communicator must be a Communicator, not {type(communicator).__name__}")
    return communicator._open_native(operation)


def initial_bytes(name: str, init: Any, dtype: np.dtype[Any]) -> bytes:
    """The bytes of an initial value; none where there is none."""
    if init is None:
        return b""
    value = np.asarray(wide_value(init, dtype), dtype=dtype)
    if value.size != 1:
        raise TypeError(f"{name} is one value, not {value.size}")
    return value.tobytes()


def take_reduced(reduced: int, ranks: int, keys: np.dtype[Any], values: np.dtype[Any]) -> list[ReducedShard]:
    """What a reduction by key has given for each rank; ends the handle."""
    try:
        return [
            ReducedShard(
                DeviceArray(Buffer._owned(_cuprum.cuprum_reduced_shards_take_keys(reduced, rank)), keys),
                DeviceArray(Buffer._owned(_cuprum.cuprum_reduced_shards_take_values(reduced, rank)), values),
            )
            for rank in range(ranks)
        ]
    finally:
        _cuprum.cuprum_reduced_shards_destroy(reduced)
