"""What a kernel needs, and the launch that fills the device: its attributes, the best block size, and how many blocks
run at once."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, Program, launch

# Each block adds in shared memory, of which it needs as much as it has threads.
SOURCE = """
extern "C" __global__ void sum(const int* values, int n, int* result) {
    extern __shared__ int partial[];
    int own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += values[i];
    partial[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < blockDim.x; ++i) own += partial[i];
        atomicAdd(result, own);
    }
}
"""
N = 20_000
MOST_THREADS = 128  # one of them adds what the others have


def shared_memory_for(threads: int) -> int:
    return 4 * threads


def main() -> int:
    device = Device(0)
    kernel = Program(SOURCE, "c++").compile().get_kernel("sum")
    kernel.attributes.preferred_shared_memory_carveout = 50  # percent; a hint
    best = kernel.occupancy.max_potential_block_size(shared_memory_for, MOST_THREADS)
    shared_memory = shared_memory_for(best.max_block_size)
    blocks = kernel.occupancy.max_active_blocks_per_multiprocessor(best.max_block_size, shared_memory)

    values = np.arange(N, dtype=np.int32)
    stream = device.create_stream()
    input = device.allocate(values.nbytes, stream=stream)
    output = device.allocate(4, stream=stream)
    input.copy_from_host(values, stream=stream)
    output.fill(0, stream=stream)
    config = LaunchConfig(grid=best.min_grid_size, block=best.max_block_size, shmem_size=shared_memory)
    launch(stream, config, kernel, input, N, output)
    result = np.empty(1, np.int32)
    output.copy_to_host(result, stream=stream)
    stream.sync()

    right = (
        result[0] == values.sum()
        and best.max_block_size <= MOST_THREADS
        and blocks > 0
        and best.min_grid_size <= blocks * device.properties.multiprocessor_count
    )
    print(
        f"{kernel.attributes.num_regs} registers, {best.min_grid_size} blocks of {best.max_block_size} threads fill "
        f"{device.name}, {blocks} on each multiprocessor: {'right' if right else 'wrong'}"
    )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
