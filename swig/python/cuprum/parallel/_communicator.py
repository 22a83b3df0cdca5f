"""Devices as the ranks of algorithms, and what they send each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cuprum import _operations
from cuprum._native import _cuprum
from cuprum.core import Buffer, Device
from cuprum.core._members import CommunicatorMembers
from cuprum.core._stream import Stream
from cuprum.parallel._process import NcclOptions, Process, milliseconds
from cuprum.parallel._shard import Shard


@dataclass(frozen=True)
class Message:
    """What rank ``from_`` sends to rank ``to``, or keeps where these are one: ``source``, an array in memory of the
    one's device, to ``destination``, an array in memory of the other's, of as many bytes. The side of a rank of another
    process is not used: None.

    An array is anything in device memory (``__cuda_array_interface__``, DLPack, ``DeviceArray``), or a ``Buffer``.
    """

    from_: int
    to: int
    source: Any = None
    destination: Any = None


class Communicator(CommunicatorMembers):
    """Devices, each a rank with a stream of its own. Thread-safe; calls of several threads share the streams.

    All ranks are devices of this process, or each process has one of them. There, all processes make the same calls, in
    one order, each with a list of one shard, that of its own rank. A call whose types, operator or other values are not
    the same on all ranks is an InvalidArgument in all processes, and one that a rank refuses an InvalidState in the
    others. A rank that fails later, or dies, ends the call of the others with a CUDAError (``ErrorDomain.NCCL``), at
    the latest after the timeout; their memory is freed, and the communicator can only be closed then.

    Bytes go from device to device by the driver's copies, or by NCCL, which is opened when it is first asked for. By
    the driver they go directly where it offers peer access (over NVLink where there is some), otherwise through host
    memory. Peer access is enabled when the communicator is made, and stays. Algorithms that were built for it, and
    streams that it has given, go on after it is closed.
    """

    __slots__ = ("_first_rank", "_streams")
    _destroy = staticmethod(_cuprum.cuprum_communicator_destroy)
    #: Of the ranks of this process.
    _streams: tuple[Stream, ...]
    _first_rank: int

    def __init__(
        self,
        devices: Iterable[Device | int] | Device | int | None = None,
        process: Process | None = None,
        options: NcclOptions | None = None,
    ) -> None:
        """Rank ``r`` is ``devices[r]``, a ``Device`` or its ordinal; None: all devices. InvalidArgument where there is
        none, and for a device that is named twice.

        With ``process``: the rank of this process, whose one device ``devices`` is. Returns when all processes have
        made theirs, or raises, also where some have not after the timeout. InvalidArgument for a rank that is not below
        the number of processes, and without a ``broadcast``.

        Over NCCL with ``process`` or ``options``, by default ``NcclOptions()``. NotFound where there is no NCCL,
        Unsupported for one that is older than 2.14, CUDAError where it fails."""
        if options is not None and not isinstance(options, NcclOptions):
            raise TypeError(f"options must be NcclOptions, not {type(options).__name__}")
        super().__init__(_make(devices, process, options))
        self._first_rank = self.first_local_rank
        self._streams = tuple(self.stream(self._first_rank + i) for i in range(self.local_size))

    def stream(self, rank: int) -> Stream:
        """The stream of a rank of this process. What algorithms read must be written in its order: put the work that
        writes it there, or let it wait for that. Closing the result leaves the stream alone. InvalidArgument when there
        is no such rank, or it is one of another process."""
        native = self._open_native(_operations.COMMUNICATOR_STREAM)
        return Stream._wrap(_cuprum.cuprum_communicator_stream(native, rank))

    def exchange(self, messages: Iterable[Message]) -> None:
        """Sends all messages at once: an all-to-all with counts, of which gathering and broadcasting are cases.

        In the order of the ranks' streams: each source is read after the work so far in its rank's stream, each
        destination is written in its rank's, and later work in the stream of either finds its messages copied. Returns
        before that: the memory must stay until then, or until ``sync()``. Messages between ranks of other processes are
        left out, so that all processes may give the same list; those of two ranks are in one order in the lists of
        both.

        InvalidArgument for ranks that there are not, and memory of another device than its rank's. After another error
        some of the messages may be under way: ``sync()``."""
        native = self._open_native(_operations.COMMUNICATOR_EXCHANGE)
        given = list(messages)
        kept: list[Buffer] = []
        sizes, handles = [], []
        for number, message in enumerate(given):
            if not isinstance(message, Message):
                raise TypeError(f"messages is a list of Message, and {number} is a {type(message).__name__}")
            source = self._side(message.from_, message.source, kept, writable=False)
            destination = self._side(message.to, message.destination, kept, writable=True)
            if source[1] != destination[1] and None not in (source[1], destination[1]):
                raise ValueError(
                    f"the source of message {number} has {source[1]} bytes, and the destination {destination[1]}"
                )
            handles.append((source[0], destination[0]))
            sizes.append(source[1] or destination[1] or 0)
        _cuprum.cuprum_communicator_exchange(
            native,
            np.array([each.from_ for each in given], np.uint64),
            np.array([each.to for each in given], np.uint64),
            [source for source, _ in handles],
            np.zeros(len(given), np.uint64),
            [destination for _, destination in handles],
            np.zeros(len(given), np.uint64),
            np.array(sizes, np.uint64),
        )

    def _side(self, rank: int, array: Any, kept: list[Buffer], *, writable: bool) -> tuple[int, int | None]:
        """The handle of a message's memory, and its size; None where it is not of this process."""
        place = rank - self._first_rank
        if not 0 <= place < len(self._streams):
            return 0, None
        whole = Shard(array, np.uint8) if array is None or isinstance(array, Buffer) else Shard(array)
        memory = whole._memory(self._streams[place], writable=writable)
        if memory is None:
            return 0, 0
        kept.append(memory)
        return memory._open_native(_operations.COMMUNICATOR_EXCHANGE), whole.count * whole.dtype.itemsize

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Communicator, closed>"
        ordinals = ", ".join(str(each.device.device_id) for each in self._streams)
        if self.local_size == self.size:
            return f"<Communicator of the devices {ordinals}>"
        return f"<Communicator of {self.size} processes, rank {self._first_rank} on device {ordinals}>"


def _make(
    devices: Iterable[Device | int] | Device | int | None, process: Process | None, options: NcclOptions | None
) -> int:
    """The handle."""
    timeout_ms = milliseconds((options or NcclOptions()).timeout)
    if process is not None:
        if not isinstance(process, Process):
            raise TypeError(f"process must be a Process, not {type(process).__name__}")
        return _cuprum.create_communicator_of_process(
            _as_device(devices).device_id, process.rank, process.count, process.broadcast, timeout_ms
        )
    if isinstance(devices, (Device, int)):
        raise TypeError("devices is a list of devices, or the one device of a process, which is not given")
    ranks = Device.get_all_devices() if devices is None else [_as_device(each) for each in devices]
    ordinals = np.array([each.device_id for each in ranks], np.int32)
    if options is None:
        return _cuprum.cuprum_communicator_create(ordinals)
    return _cuprum.cuprum_communicator_create_nccl(ordinals, timeout_ms)


def _as_device(device: object) -> Device:
    if isinstance(device, Device):
        return device
    if isinstance(device, int) and not isinstance(device, bool):
        return Device(device)
    raise TypeError(f"a rank is a Device or its ordinal, not {type(device).__name__}")
