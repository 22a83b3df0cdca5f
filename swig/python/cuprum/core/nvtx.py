"""Ranges and marks of the program's own, for tools such as Nsight Systems (NVTX), and for ``cuprum trace``.

Without either they cost next to nothing. The names are those of NVIDIA's package ``nvtx``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cuprum._native import _cuprum

__all__ = ["annotate", "end_range", "mark", "pop_range", "push_range", "start_range"]


def mark(message: str) -> None:
    """Marks this moment."""
    _cuprum.cuprum_nvtx_mark(message)


def push_range(message: str) -> int:
    """Begins a range within the thread's innermost one. Returns how many there were before."""
    return _cuprum.cuprum_nvtx_push_range(message)


def pop_range() -> int:
    """Ends the thread's innermost range. Returns how many are left; -1 where there was none."""
    return _cuprum.cuprum_nvtx_pop_range()


def start_range(message: str) -> int:
    """Begins a range that may end in any thread. Returns its number."""
    return _cuprum.cuprum_nvtx_start_range(message)


def end_range(range_id: int) -> None:
    """Ends that range; one that does not exist, or has ended, is ignored."""
    _cuprum.cuprum_nvtx_end_range(range_id)


@contextmanager
def annotate(message: str) -> Iterator[None]:
    """A range around a block, or around each call of the function that it decorates."""
    push_range(message)
    try:
        yield
    finally:
        pop_range()
