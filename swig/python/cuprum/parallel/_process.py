"""One of several processes that work together, each on a device of its own."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

from cuprum._native import _cuprum


@dataclass
class Process:
    """Which of the processes this is, and how they tell each other a few bytes when a communicator is made.

    ``rank`` is which one of the ``count`` processes, from 0 on, and ``local_rank`` which one of those of this host: the
    ordinal of its device, where each takes one.

    ``broadcast`` is called once in every process, with a bytearray of 128 bytes; afterwards all have the bytes that
    rank 0 had. With mpi4py: ``lambda data: MPI.COMM_WORLD.Bcast(data)``. What it raises goes to the caller of
    ``Communicator``.
    """

    rank: int = 0
    count: int = 1
    local_rank: int = 0
    broadcast: Callable[[bytearray], object] | None = None

    @classmethod
    def from_environment(cls, timeout: float = 60.0) -> Process:
        """As the program that started this one says: torchrun (``RANK``, ``WORLD_SIZE``, ``LOCAL_RANK``), Open MPI
        (``OMPI_COMM_WORLD_...``), MPICH, Intel MPI and others that use PMI (``PMI_RANK``, ``PMI_SIZE``,
        ``MPI_LOCALRANKID``), Slurm (``SLURM_PROCID``, ``SLURM_NTASKS``, ``SLURM_LOCALID``).

        Bytes come from rank 0 by TCP, which listens at ``MASTER_ADDR``, at the port ``CUPRUM_MASTER_PORT``, else the
        one after ``MASTER_PORT``, which torchrun uses itself; all have to come within ``timeout`` seconds. Where these
        are not set ``broadcast`` is None: set one. InvalidState where nothing of all this is set, InvalidArgument for
        other than numbers."""
        timeout_ms = milliseconds(timeout)
        rank, count, local_rank, has_broadcast = _cuprum.cuprum_process_from_environment()
        broadcast = functools.partial(_broadcast_by_tcp, timeout_ms=timeout_ms) if has_broadcast else None
        return cls(rank, count, local_rank, broadcast)


@dataclass(frozen=True)
class NcclOptions:
    """How ranks exchange data over NCCL.

    A rank whose part in something does not come for ``timeout`` seconds is taken for dead, and the communicator is
    given up. It is to be longer than any rank works on its own.
    """

    timeout: float = 60.0


def milliseconds(timeout: float) -> int:
    """As the C ABI has them."""
    highest = 2**32 - 1
    if not 0 <= timeout * 1000 <= highest:
        raise ValueError(f"timeout is {timeout} seconds, expected 0 to {highest // 1000}")
    return math.ceil(timeout * 1000)


def _broadcast_by_tcp(data: bytearray, timeout_ms: int) -> None:
    _cuprum.cuprum_process_broadcast(data, timeout_ms)
