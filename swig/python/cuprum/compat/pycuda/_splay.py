"""How many blocks of how many threads for an elementwise kernel of the program's own."""

from __future__ import annotations

from typing import Any

from cuprum.compat.pycuda._context import Context

_WARP = 32
_MOST_THREADS = 128
_BLOCKS_PER_MULTIPROCESSOR = 32


def splay(n: int, dev: Any = None) -> tuple[tuple[int, int], tuple[int, int, int]]:
    """A grid and a block for kernels that step over ``n`` elements: many small blocks first, for all of the device."""
    device = Context.get_device() if dev is None else dev
    most_blocks = device.multiprocessor_count * _BLOCKS_PER_MULTIPROCESSOR
    warps = max(1, -(-n // _WARP))
    blocks = min(warps, most_blocks)
    threads = min(-(-warps // blocks) * _WARP, _MOST_THREADS)
    return (blocks, 1), (threads, 1, 1)
