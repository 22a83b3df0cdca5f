"""PyTorch's caching allocator as a memory resource, and a device's memory resource as PyTorch's allocator."""

from __future__ import annotations

from typing import Any

import torch

from cuprum._native import _cuprum
from cuprum.allocators._pool import PoolMemoryResource
from cuprum.core._stream import Stream

__all__ = ["TorchMemoryResource", "torch_allocator"]


class TorchMemoryResource(PoolMemoryResource):
    """Allocates from PyTorch's caching allocator.

    Memory goes back to it when its buffer is closed, after the work in the buffer's stream.
    """

    def _take(self, size: int, stream: Stream) -> tuple[int, Any]:
        address: int = torch.cuda.caching_allocator_alloc(size, self.device_id, stream.handle)
        return address, address

    def _give_back(self, memory: Any) -> None:
        torch.cuda.caching_allocator_delete(memory)


def torch_allocator() -> torch.cuda.memory.CUDAPluggableAllocator:
    """An allocator of PyTorch's that takes memory of what the device allocates from: ``Device.memory_resource``.

    All of PyTorch uses it after ``torch.cuda.memory.change_current_allocator(torch_allocator())``, which must come
    before PyTorch's first memory on a device. ``torch.cuda.MemPool(torch_allocator().allocator())`` is a pool over it,
    for what is allocated inside ``torch.cuda.use_mem_pool(pool)``. Memory is freed in the order of the stream that it
    was allocated in. What cannot be allocated is a RuntimeError with Cuprum's message.
    """
    return torch.cuda.memory.CUDAPluggableAllocator(_cuprum.__file__, "cuprum_torch_allocate", "cuprum_torch_free")
