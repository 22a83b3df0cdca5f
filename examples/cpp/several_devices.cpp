// Several devices: each computes a part, and copies it to the first one. With one device it has all parts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void squares(int* values, int first, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = (first + i) * (first + i);
}
)";

constexpr int32_t parts = 4, n = 1000;  // values in a part
constexpr uint64_t part_size = n * sizeof(int32_t);

// What a device is at work on.
struct Part {
    Stream stream;
    Buffer values;
};

int run() {
    const std::vector<Device> devices = Device::get_all_devices();
    const Kernel squares = Program(source).compile().get_kernel("squares");  // it runs on every device
    std::vector<Part> at_work;
    for (int32_t number = 0; number < parts; ++number) {
        const Device& device = devices[static_cast<size_t>(number) % devices.size()];
        Stream stream = device.create_stream();
        Buffer values = device.allocate(part_size, stream);
        launch(stream, LaunchConfig::for_num_elements(n, 128), squares, values, number * n, n);
        at_work.push_back({std::move(stream), std::move(values)});
    }
    const Stream stream = devices.front().create_stream();
    const Buffer whole = devices.front().allocate(parts * part_size, stream);
    for (uint64_t number = 0; number < parts; ++number) {
        stream.wait(at_work[number].stream);  // which may be another device's
        whole.slice(number * part_size, part_size).copy_from(at_work[number].values, stream);
    }
    std::vector<int32_t> result(parts * n);
    whole.copy_to_host(result, stream);
    stream.sync();

    int wrong = 0;
    for (int32_t i = 0; i < parts * n; ++i)
        wrong += result[static_cast<size_t>(i)] != i * i ? 1 : 0;
    std::printf("%d parts by %d device(s), the first is %s: %d wrong\n", parts, static_cast<int>(devices.size()),
                devices.front().name().c_str(), wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
