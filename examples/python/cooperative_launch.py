"""A cooperative launch: all blocks of the kernel run at once, and wait for each other halfway. And clusters of blocks,
where the device has them."""

from __future__ import annotations

import sys

import numpy as np
from cuprum.core import Device, LaunchConfig, ObjectCode, Program, Stream, launch

SOURCE = """
extern "C" __global__ void reverse_twice(int* middle, int* result, unsigned int* arrived, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    middle[i] = 2 * i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {  // a barrier for the whole grid
        atomicAdd(arrived, 1u);
        while (*(volatile unsigned int*)arrived < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    result[i] = ((volatile int*)middle)[n - 1 - i];  // which another block has written
}

extern "C" __global__ void rank_in_cluster(int* ranks) {
    unsigned int rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    if (threadIdx.x == 0) ranks[blockIdx.x] = rank;
}
"""
BLOCKS, THREADS = 8, 64
N = BLOCKS * THREADS


def wrong_after_cooperation(device: Device, code: ObjectCode, stream: Stream) -> int:
    middle, output = device.allocate(4 * N, stream=stream), device.allocate(4 * N, stream=stream)
    arrived = device.allocate(4, stream=stream)
    arrived.fill(0, stream=stream)
    config = LaunchConfig(grid=BLOCKS, block=THREADS, is_cooperative=True)
    launch(stream, config, code.get_kernel("reverse_twice"), middle, output, arrived, N)
    result = np.empty(N, np.int32)
    output.copy_to_host(result, stream=stream)
    stream.sync()
    return int(np.count_nonzero(result != 2 * np.arange(N)[::-1]))


def wrong_in_clusters(device: Device, code: ObjectCode, stream: Stream) -> int:
    ranks = device.allocate(4 * BLOCKS, stream=stream)
    # The grid counts clusters.
    launch(stream, LaunchConfig(grid=BLOCKS // 2, cluster=2, block=THREADS), code.get_kernel("rank_in_cluster"), ranks)
    result = np.empty(BLOCKS, np.int32)
    ranks.copy_to_host(result, stream=stream)
    stream.sync()
    return int(np.count_nonzero(result != np.arange(BLOCKS) % 2))


def main() -> int:
    device = Device(0)
    code = Program(SOURCE, "c++").compile()
    stream = device.create_stream()
    wrong = wrong_after_cooperation(device, code, stream)
    has_clusters = bool(device.properties.cluster_launch)
    if has_clusters:
        wrong += wrong_in_clusters(device, code, stream)
    clusters = ", and clusters of 2," if has_clusters else " (it has no clusters)"
    print(f"{BLOCKS} blocks that wait for each other{clusters} on {device.name}: {wrong} wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
