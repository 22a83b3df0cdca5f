// A cooperative launch: all blocks of the kernel run at once, and wait for each other halfway. And clusters of blocks,
// where the device has them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
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
)";

constexpr uint32_t blocks = 8, threads = 64;
constexpr int32_t n = blocks * threads;

int wrong_after_cooperation(const Device& device, const ObjectCode& code, const Stream& stream) {
    const Buffer middle = device.allocate(n * sizeof(int32_t), stream);
    const Buffer output = device.allocate(n * sizeof(int32_t), stream);
    const Buffer arrived = device.allocate(sizeof(uint32_t), stream);
    arrived.fill(0, 4, stream);
    launch(stream, {.grid = blocks, .block = threads, .is_cooperative = true}, code.get_kernel("reverse_twice"), middle,
           output, arrived, n);
    std::vector<int32_t> result(n);
    output.copy_to_host(result, stream);
    stream.sync();
    int wrong = 0;
    for (int32_t i = 0; i < n; ++i)
        wrong += result[static_cast<size_t>(i)] != 2 * (n - 1 - i) ? 1 : 0;
    return wrong;
}

int wrong_in_clusters(const Device& device, const ObjectCode& code, const Stream& stream) {
    const Buffer ranks = device.allocate(blocks * sizeof(int32_t), stream);
    // The grid counts clusters.
    launch(stream, {.grid = blocks / 2, .block = threads, .cluster = 2}, code.get_kernel("rank_in_cluster"), ranks);
    std::vector<int32_t> result(blocks);
    ranks.copy_to_host(result, stream);
    stream.sync();
    int wrong = 0;
    for (uint32_t i = 0; i < blocks; ++i)
        wrong += result[i] != static_cast<int32_t>(i % 2) ? 1 : 0;
    return wrong;
}

int run(const Device& device) {
    const ObjectCode code = Program(source).compile();
    const Stream stream = device.create_stream();
    int wrong = wrong_after_cooperation(device, code, stream);
    const bool has_clusters = device.properties().cluster_launch;
    if (has_clusters) wrong += wrong_in_clusters(device, code, stream);
    std::printf("%u blocks that wait for each other%s on %s: %d wrong\n", blocks,
                has_clusters ? ", and clusters of 2," : " (it has no clusters)", device.name().c_str(), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run(Device(0));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
