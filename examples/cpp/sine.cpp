// The sine of an array, in single and in double precision: one template, two instantiations, named as in C++.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
template <typename Value> __global__ void sine(const Value* input, Value* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = sin(input[i]);
}
)";

constexpr int32_t n = 1'000'000;
constexpr uint32_t threads_per_block = 256;

template <typename Value>
bool run(const Device& device, const Kernel& kernel, const char* name) {
    std::vector<Value> values(n);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<Value>(i) / n * 20 - 10;
    std::vector<Value> result(values.size());

    const uint64_t size = values.size() * sizeof(Value);
    const Stream stream = device.create_stream();
    const Buffer input_device = device.allocate(size, stream);
    const Buffer output_device = device.allocate(size, stream);
    input_device.copy_from_host(values, stream);
    launch(stream, LaunchConfig{(n + threads_per_block - 1) / threads_per_block, threads_per_block}, kernel,
           input_device, output_device, n);
    output_device.copy_to_host(result, stream);
    stream.sync();

    double max_error = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double error = std::fabs(std::sin(double{values[i]}) - result[i]);
        max_error = error <= max_error ? max_error : error;  // a NaN is an error too
    }
    const bool ok = max_error <= 2 * double{std::numeric_limits<Value>::epsilon()};  // CUDA's sine: within 2 ulp
    std::printf("%s of %d values on %s: max error %.1e: %s\n", name, n, device.name().c_str(), max_error,
                ok ? "ok" : "WRONG");
    return ok;
}

}  // namespace

int main() {
    try {
        const Device device(0);
        ProgramOptions options;
        options.name = "sine.cu";
        const std::array<std::string, 2> names{"sine<float>", "sine<double>"};
        const ObjectCode code = Program(source, SourceType::cxx, options).compile(CodeType::native, names);
        const bool float_ok = run<float>(device, code.get_kernel(names[0]), "sine<float>");
        const bool double_ok = run<double>(device, code.get_kernel(names[1]), "sine<double>");
        return float_ok && double_ok ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
