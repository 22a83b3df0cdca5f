// Sum and product of two arrays: two kernels of one program, every copy and launch in the order of one stream.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void add(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] + b[i];
}
extern "C" __global__ void multiply(const float* a, const float* b, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = a[i] * b[i];
}
)";

constexpr int32_t n = 1'000'000;
constexpr uint32_t threads_per_block = 256;

bool run() {
    const Device device(0);
    ProgramOptions options;
    options.name = "elementwise.cu";
    const ObjectCode code = Program(source, SourceType::cxx, options).compile();
    const Kernel add = code.get_kernel("add");
    const Kernel multiply = code.get_kernel("multiply");

    std::vector<float> a(n);
    std::vector<float> b(n);
    for (size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 1009) / 1009.0F;
        b[i] = static_cast<float>(i % 2003) / 2003.0F - 0.5F;
    }
    std::vector<float> sum(n);
    std::vector<float> product(n);

    const uint64_t size = a.size() * sizeof(float);
    const Stream stream = device.create_stream();
    const Buffer a_device = device.allocate(size, stream);
    const Buffer b_device = device.allocate(size, stream);
    const Buffer result_device = device.allocate(size, stream);
    const LaunchConfig config{(n + threads_per_block - 1) / threads_per_block, threads_per_block};

    a_device.copy_from_host(a, stream);
    b_device.copy_from_host(b, stream);
    launch(stream, config, add, a_device, b_device, result_device, n);
    result_device.copy_to_host(sum, stream);
    launch(stream, config, multiply, a_device, b_device, result_device, n);
    result_device.copy_to_host(product, stream);
    stream.sync();  // nothing above waits for the device; `sum` and `product` may be read from here on

    bool ok = true;
    for (size_t i = 0; i < a.size(); ++i)
        ok = ok && sum[i] == a[i] + b[i] && product[i] == a[i] * b[i];
    std::printf("%d sums and products on %s: %s\n", n, device.name().c_str(), ok ? "ok" : "WRONG");
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
