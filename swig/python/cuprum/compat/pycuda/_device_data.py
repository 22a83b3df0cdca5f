"""What a multiprocessor can hold, and how many blocks of a kernel run on it at once."""

from __future__ import annotations

from cuprum.compat.pycuda._context import Context
from cuprum.compat.pycuda._device import Device


class DeviceData:
    """A device's limits, as ``OccupancyRecord`` calculates with them: those that the driver reports."""

    def __init__(self, dev: Device | None = None) -> None:
        """Of a device, or of the current context's."""
        device = Context.get_device() if dev is None else dev
        major, minor = device.compute_capability()
        self.max_threads: int = device.max_threads_per_block
        self.warp_size: int = device.warp_size
        self.warps_per_mp: int = device.max_threads_per_multiprocessor // self.warp_size
        self.thread_blocks_per_mp: int = device.max_blocks_per_multiprocessor
        self.registers: int = device.max_registers_per_block
        self.shared_memory: int = device.max_shared_memory_per_block
        self.smem_granularity = 32
        # The step in which shared memory and registers are handed out (CUDA's occupancy calculator).
        self.smem_alloc_granularity = 128 if (major, minor) >= (8, 0) else 256
        self.register_alloc_unit = "warp"
        self.register_alloc_granularity = 256
        self._per_multiprocessor: tuple[int, int, int] = (
            device.max_shared_memory_per_multiprocessor,
            device.max_registers_per_multiprocessor,
            device.reserved_shared_memory_per_block if (major, minor) >= (8, 0) else 0,
        )

    def align(self, bytes: int, word_size: int = 4) -> int:
        """The next multiple of ``align_bytes``."""
        step = self.align_bytes(word_size)
        return -(-bytes // step) * step

    def align_dtype(self, elements: int, dtype_size: int) -> int:
        """How many elements make a multiple of what threads read at once, at least ``elements``."""
        return -(-self.align(elements * dtype_size, dtype_size) // dtype_size)

    def align_words(self, word_size: int) -> int:
        """``align_bytes`` in words."""
        step = self.align_bytes(word_size)
        if step % word_size:
            raise ValueError(f"align_words: words of {word_size} bytes do not fill {step} bytes")
        return step // word_size

    def align_bytes(self, word_size: int = 4) -> int:
        """What half a warp reads at once, for words of 4, 8 or 16 bytes."""
        known = {4: 64, 8: 128, 16: 128}
        if word_size not in known:
            raise ValueError(f"align_bytes: words have 4, 8 or 16 bytes, not {word_size}")
        return known[word_size]

    def coalesce(self, thread_count: int) -> int:
        """The next multiple of 16 threads."""
        return -(-thread_count // 16) * 16

    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int:
        """The next number of channels that a texture can have: 1, 2 or 4."""
        for count in (1, 2, 4):
            if size <= count:
                return count
        raise ValueError(f"make_valid_tex_channel_count: a texture has at most 4 channels, not {size}")


class OccupancyRecord:
    """How many blocks of ``threads`` threads a multiprocessor runs at once, and what limits them.

    - ``tb_per_mp``: blocks on a multiprocessor.
    - ``limited_by``: ``"threads"``, ``"regs"``, ``"smem"``, ``"device"`` (its most blocks) or ``"warps"``.
    - ``warps_per_mp``: warps on a multiprocessor.
    - ``occupancy``: the fraction of its warps that are in use.
    """

    def __init__(self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0) -> None:
        """``shared_mem`` bytes of shared memory in a block, ``registers`` of a thread."""
        if threads > devdata.max_threads:
            raise ValueError(f"OccupancyRecord: {threads} threads, a block has at most {devdata.max_threads}")
        if threads <= 0:
            raise ValueError(f"OccupancyRecord: {threads} threads; a block has at least 1")
        all_shared, all_registers, reserved = devdata._per_multiprocessor
        warps = -(-threads // devdata.warp_size)
        limits = [(devdata.thread_blocks_per_mp, "device"), (devdata.warps_per_mp // warps, "warps")]
        if registers:
            step = devdata.register_alloc_granularity
            of_warp = -(-registers * devdata.warp_size // step) * step
            limits.append((all_registers // of_warp // warps, "regs"))
        if shared_mem:
            if shared_mem > devdata.shared_memory:
                raise ValueError(
                    f"OccupancyRecord: {shared_mem} bytes of shared memory, a block has at most {devdata.shared_memory}"
                )
            step = devdata.smem_alloc_granularity
            limits.append((all_shared // (-(-(shared_mem + reserved) // step) * step), "smem"))
        self.tb_per_mp, self.limited_by = min(limits, key=lambda limit: limit[0])
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp
