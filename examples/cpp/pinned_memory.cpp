// Page-locked host memory: the host fills it in place, copies in a stream return at once, and kernels use it too.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <span>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void twice(float* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 2;
}
)";

constexpr int32_t n = 100'000;
constexpr uint32_t threads_per_block = 256;

void run(const Device& device) {
    const Kernel twice = Program(source).compile().get_kernel("twice");
    const LaunchConfig config{(n + threads_per_block - 1) / threads_per_block, threads_per_block};
    const LegacyPinnedMemoryResource pinned;
    const Stream stream = device.create_stream();
    const Buffer input = pinned.allocate(n * sizeof(float), stream);
    const Buffer output = pinned.allocate(n * sizeof(float), stream);
    const Buffer on_device = device.allocate(n * sizeof(float), stream);

    const std::span<float> values = input.as_span<float>();
    std::iota(values.begin(), values.end(), 0.0F);
    // None of these four waits for another, and this thread could do other work now.
    on_device.copy_from(input, stream);
    launch(stream, config, twice, on_device, n);
    output.copy_from(on_device, stream);
    launch(stream, config, twice, output, n);  // on the host's memory itself
    stream.sync();

    int wrong = 0;
    const std::span<const float> result = output.as_span<float>();
    for (size_t i = 0; i < result.size(); ++i)
        wrong += result[i] != 4 * static_cast<float>(i) ? 1 : 0;
    std::printf("%d values in page-locked memory on %s: %d wrong\n", n, device.name().c_str(), wrong);
    if (wrong != 0) std::exit(EXIT_FAILURE);
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
