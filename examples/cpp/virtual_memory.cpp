// Virtual memory: a buffer grows, and what is in it stays without being copied.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void count_on(int* values, int from, int to) {
    int i = from + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < to) values[i] = i;
}
)";

constexpr std::array<int32_t, 4> lengths{1000, 300'000, 600'000, 1'500'000};

void run(const Device& device) {
    const Kernel count_on = Program(source).compile().get_kernel("count_on");
    const VirtualMemoryResource resource(device);
    const Stream stream = device.create_stream();
    Buffer values = resource.allocate(0, stream);
    int32_t length = 0;
    for (const int32_t longer : lengths) {
        resource.modify_allocation(values, static_cast<uint64_t>(longer) * sizeof(int32_t));
        const auto added = static_cast<uint64_t>(longer - length);
        launch(stream, LaunchConfig::for_num_elements(added, 256), count_on, values, length, longer);
        length = longer;
    }
    std::vector<int32_t> result(static_cast<size_t>(length));
    values.copy_to_host(result, stream);
    stream.sync();

    int wrong = 0;
    for (int32_t i = 0; const int32_t value : result)
        wrong += value != i++ ? 1 : 0;
    std::printf("a buffer that grew to %d values, in units of %d KiB, on %s: %d wrong\n", length,
                static_cast<int>(resource.granularity() >> 10), device.name().c_str(), wrong);
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
