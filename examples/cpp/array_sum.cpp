// The sum of an array: each block sums its part in dynamic shared memory, the host sums the blocks.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void array_sum(const float* input, float* block_sums, int n) {
    extern __shared__ float partial[];
    int thread = threadIdx.x;
    int i = blockIdx.x * blockDim.x + thread;
    partial[thread] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride) partial[thread] += partial[thread + stride];
        __syncthreads();
    }
    if (thread == 0) block_sums[blockIdx.x] = partial[0];
}
)";

constexpr int32_t n = 100'000;
constexpr uint32_t threads_per_block = 256;  // a power of two: the stride is halved down to one
constexpr uint32_t blocks = (n + threads_per_block - 1) / threads_per_block;
constexpr double tolerance = 1e-5;  // relative

bool run() {
    const Device device(0);
    ProgramOptions options;
    options.name = "array_sum.cu";
    const Kernel kernel = Program(source, SourceType::cxx, options).compile().get_kernel("array_sum");

    std::vector<float> values(n);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 1009) / 1009.0F;
    std::vector<float> block_sums(blocks);

    const Stream stream = device.create_stream();
    const Buffer values_device = device.allocate(values.size() * sizeof(float), stream);
    const Buffer block_sums_device = device.allocate(block_sums.size() * sizeof(float), stream);
    const LaunchConfig config{
        .grid = blocks, .block = threads_per_block, .shmem_size = threads_per_block * sizeof(float)};

    values_device.copy_from_host(values, stream);
    launch(stream, config, kernel, values_device, block_sums_device, n);
    block_sums_device.copy_to_host(block_sums, stream);
    stream.sync();

    const double result = std::accumulate(block_sums.begin(), block_sums.end(), 0.0);
    const double expected = std::accumulate(values.begin(), values.end(), 0.0);
    const bool ok = std::fabs(result - expected) <= tolerance * expected;
    std::printf("sum of %d floats on %s: %.3f, expected %.3f: %s\n", n, device.name().c_str(), result, expected,
                ok ? "ok" : "WRONG");
    return ok;
}

}  // namespace

int main() {
    try {
        return run() ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
