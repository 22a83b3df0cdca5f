// Kernels in a row, each of which may start before the one in front has finished (programmatic dependent launch).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void add_one(float* values, int n) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");  // for the results of the kernel in front
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}
)";

constexpr int32_t n = 100'000;
constexpr int kernels = 10;

void run(const Device& device) {
    const Kernel add_one = Program(source).compile().get_kernel("add_one");
    const Stream stream = device.create_stream();
    const Buffer values = device.allocate(n * sizeof(float), stream);
    values.fill(0, 4, stream);

    LaunchConfig config = LaunchConfig::for_num_elements(n, 256);
    launch(stream, config, add_one, values, n);
    config.programmatic_stream_serialization = true;
    for (int i = 1; i < kernels; ++i)
        launch(stream, config, add_one, values, n);

    std::vector<float> result(n);
    values.copy_to_host(result, stream);
    stream.sync();
    const auto wrong = n - std::ranges::count(result, static_cast<float>(kernels));
    std::printf("%d kernels in a row on %s: %d of %d values wrong\n", kernels, device.name().c_str(),
                static_cast<int>(wrong), n);
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
