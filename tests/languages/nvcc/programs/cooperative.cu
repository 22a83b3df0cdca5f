// Cooperative groups: tiles, a grid-wide barrier, and the launch that it needs.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(const int* numbers, int* sums) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int sum = cg::reduce(tile, numbers[threadIdx.x], cg::plus<int>());
    if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
}

__global__ void rounds(int* numbers, int n) {
    const auto grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    for (int round = 0; round < 3; ++round) {
        const int left = numbers[(i + n - 1) % n];
        grid.sync();
        if (i < n) numbers[i] += left;
        grid.sync();
    }
}

int main() {
    int *numbers, *sums;
    cudaMallocManaged(&numbers, 64 * sizeof(int));
    cudaMallocManaged(&sums, 4 * sizeof(int));
    for (int i = 0; i < 64; ++i)
        numbers[i] = i;
    tiles<<<1, 64>>>(numbers, sums);
    cudaDeviceSynchronize();
    std::printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
    for (int i = 0; i < 64; ++i)
        numbers[i] = i == 0;
    int n = 64;
    void* arguments[] = {&numbers, &n};
    const cudaError_t launched =
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(&rounds), dim3(2), dim3(32), arguments);
    cudaDeviceSynchronize();
    std::printf("%s: %d %d %d %d %d\n", cudaGetErrorName(launched), numbers[0], numbers[1], numbers[2], numbers[3],
                numbers[4]);
    // expect: 120 376 632 888
    // expect: cudaSuccess: 1 3 3 1 0
}
