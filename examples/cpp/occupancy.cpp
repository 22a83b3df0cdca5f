// What a kernel needs, and the launch that fills the device: its attributes, the best block size, and how many blocks
// run at once.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

// Each block adds in shared memory, of which it needs as much as it has threads.
constexpr const char* source = R"(
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
)";

constexpr int32_t n = 20'000;
constexpr int32_t most_threads = 128;  // one of them adds what the others have

uint64_t shared_memory_for(int32_t threads) {
    return static_cast<uint64_t>(threads) * sizeof(int32_t);
}

void run(const Device& device) {
    const Kernel sum = Program(source).compile().get_kernel("sum");
    sum.set_attribute(device, KernelAttribute::preferred_shared_memory_carveout, 50);  // percent; a hint
    const KernelAttributes attributes = sum.attributes(device);
    const auto best = sum.max_potential_block_size(device, shared_memory_for, most_threads);
    const uint64_t shared_memory = shared_memory_for(best.max_block_size);
    const int32_t blocks = sum.max_active_blocks_per_multiprocessor(device, best.max_block_size, shared_memory);

    std::vector<int32_t> values(n);
    std::iota(values.begin(), values.end(), 0);
    const Stream stream = device.create_stream();
    const Buffer input = device.allocate(values.size() * sizeof(int32_t), stream);
    const Buffer output = device.allocate(sizeof(int32_t), stream);
    input.copy_from_host(values, stream);
    output.fill(0, 4, stream);
    const auto grid = static_cast<uint32_t>(best.min_grid_size), block = static_cast<uint32_t>(best.max_block_size);
    launch(stream, {grid, block, static_cast<uint32_t>(shared_memory)}, sum, input, n, output);
    int32_t result = 0;
    output.copy_to_host(&result, sizeof result, stream);
    stream.sync();

    const bool right = result == n / 2 * (n - 1) && best.max_block_size <= most_threads && blocks > 0 &&
                       best.min_grid_size <= blocks * device.properties().multiprocessor_count;
    std::printf("%d registers, %d blocks of %d threads fill %s, %d on each multiprocessor: %s\n", attributes.num_regs,
                best.min_grid_size, best.max_block_size, device.name().c_str(), blocks, right ? "right" : "wrong");
    if (!right) std::exit(EXIT_FAILURE);
}

}  // namespace

int main() {
    try {
        run(Device(0));
        return EXIT_SUCCESS;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
