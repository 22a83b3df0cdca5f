// Two sources, compiled apart and linked: the kernel of one calls the __device__ function of the other.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* kernel_source = R"(
__device__ int square(int x);  // defined in the other source

extern "C" __global__ void squares(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = square(values[i]);
}
)";
constexpr const char* function_source = R"(
__device__ int square(int x) { return x * x; }
)";

// Code that others are linked with is compiled as relocatable device code.
ObjectCode compile(const char* source, const char* name) {
    return Program(source, SourceType::cxx, {.name = name, .relocatable_device_code = true}).compile(CodeType::ptx);
}

int run() {
    const Device device(0);
    const Linker linker({compile(kernel_source, "squares.cu"), compile(function_source, "square.cu")});
    const Kernel squares = linker.link(CodeType::cubin).get_kernel("squares");

    constexpr int n = 1000;
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i)
        values[static_cast<size_t>(i)] = i;

    const Stream stream = device.create_stream();
    const Buffer values_device = device.allocate(values.size() * sizeof(int), stream);
    values_device.copy_from_host(values, stream);
    launch(stream, {(n + 255) / 256, 256}, squares, values_device, n);
    values_device.copy_to_host(values, stream);
    stream.sync();

    bool ok = true;
    for (int i = 0; i < n; ++i)
        ok = ok && values[static_cast<size_t>(i)] == i * i;
    std::printf("%d squares by a linked kernel on %s: %s\n", n, device.name().c_str(), ok ? "ok" : "WRONG");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
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
