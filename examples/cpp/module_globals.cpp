// A polynomial whose coefficients are a kernel's __constant__ variable, in blocks of the size that fills the device.
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
extern "C" __constant__ float coefficients[3] = {0, 0, 0};
extern "C" __device__ unsigned int evaluations = 0;

extern "C" __global__ void polynomial(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = (coefficients[2] * x[i] + coefficients[1]) * x[i] + coefficients[0];
    atomicAdd(&evaluations, 1u);
}
)";

int run() {
    const Device device(0);
    const ObjectCode code = Program(source).compile();
    const Kernel polynomial = code.get_kernel("polynomial");
    // Variables are memory of the device: no kernel argument is needed.
    code.get_global(device, "coefficients").set_value(std::array<float, 3>{1, 2, 3});
    const auto block = static_cast<uint32_t>(polynomial.max_potential_block_size(device, 0).max_block_size);

    constexpr int n = 1000;
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i)
        values[static_cast<size_t>(i)] = static_cast<float>(i);

    const Stream stream = device.create_stream();
    const Buffer x = device.allocate(values.size() * sizeof(float), stream);
    x.copy_from_host(values, stream);
    launch(stream, {(n + block - 1) / block, block}, polynomial, x, n);
    x.copy_to_host(values, stream);
    const auto count = code.get_global(device, "evaluations").value<uint32_t>(stream);  // once the kernel is done

    bool ok = count == n;
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<float>(i);
        ok = ok && values[static_cast<size_t>(i)] == (3 * at + 2) * at + 1;
    }
    std::printf("%u values of a polynomial on %s: %s\n", count, device.name().c_str(), ok ? "ok" : "WRONG");
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
