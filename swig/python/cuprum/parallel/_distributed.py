"""What the algorithms over several devices are made of: lists of shards, and results by rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cuprum._native import Owner, _cuprum
from cuprum.core import Buffer
from cuprum.parallel._arrays import DeviceArray
from cuprum.parallel._communicator import Communicator
from cuprum.parallel._shard import Shard
from cuprum.parallel._types import type_text
from cuprum.parallel._wide import wide_value

if TYPE_CHECKING:
    from typing import TypeAlias

    from cuprum.core._stream import Stream
    from cuprum.parallel._operators import Operator

    #: Shards, or arrays in device memory, in the order of this process's ranks.
    ShardsLike: TypeAlias = "Sequence[Shard | Any]"


class ScanKind(IntEnum):
    """Which elements are combined."""

    #: Those before this one, starting from an initial value.
    EXCLUSIVE = 0
    #: Those up to and including this one.
    INCLUSIVE = 1
    #: Those up to and including this one, starting from an initial value.
    INCLUSIVE_WITH_INIT = 2


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

    A call takes a list of shards, or of arrays in device memory, for each input and output, one for each rank of this
    process, in their order, and returns when all ranks are done. Shards that do not fit are an InvalidArgument before
    anything is done. A later error names the rank and its device; the outputs are then undefined, and all ranks were
    waited for.
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
