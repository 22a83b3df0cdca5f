// Two streams: the second one waits for an event of the first, and other events measure how long a kernel takes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void grow(int* values, int factor, int summand, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = values[i] * factor + summand;
}
)";

constexpr int32_t n = 100'000;

void run(const Device& device) {
    const Kernel grow = Program(source).compile().get_kernel("grow");
    const LaunchConfig config = LaunchConfig::for_num_elements(n, 256);
    const Stream first = device.create_stream();
    const Stream second = device.create_stream();
    const Buffer values = device.allocate(n * sizeof(int32_t), first);
    values.fill(0, 4, first);

    const Event start = first.record({.timing_enabled = true});
    launch(first, config, grow, values, 1, 3, n);
    const Event end = first.record({.timing_enabled = true});
    second.wait(end);  // not this thread: it goes on
    launch(second, config, grow, values, 5, 1, n);
    std::vector<int32_t> result(n);
    values.copy_to_host(result, second);
    first.wait(second);  // in which the memory is freed
    first.sync();

    int wrong = 0;
    for (const int32_t value : result)
        wrong += value != 16 ? 1 : 0;
    const float milliseconds = end - start;
    std::printf("%d values in two streams, the first kernel in %.3f ms, on %s: %d wrong\n", n,
                static_cast<double>(milliseconds), device.name().c_str(), wrong);
    if (wrong != 0 || !end.is_done() || milliseconds < 0) std::exit(EXIT_FAILURE);
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
