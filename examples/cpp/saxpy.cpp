// SAXPY, y = a * x + y: compiled at run time, launched on a stream, timed with events, every element checked.
//
// usage: saxpy_cpp [--row] [ELEMENTS]
// --row prints one tab-separated line: language, device, n, kernel milliseconds, max error, ok
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

constexpr uint32_t threads_per_block = 256;
constexpr float a = 2.5F;

// Numbers with full mantissas, so that roundings matter; the same in every run.
float x_of(int32_t i) {
    return static_cast<float>(i % 1009) / 1009.0F;
}
float y_of(int32_t i) {
    return static_cast<float>(i % 2003) / 2003.0F - 0.5F;
}

int run(bool as_row, int32_t n) {
    const Device device(0);
    if (n == 0) n = device.is_simulator() ? 1 << 20 : 1 << 26;

    ProgramOptions options;
    options.name = "saxpy.cu";
    const Kernel saxpy = Program(source, SourceType::cxx, options).compile().get_kernel("saxpy");

    std::vector<float> x(static_cast<size_t>(n));
    std::vector<float> y(x.size());
    for (int32_t i = 0; i < n; ++i) {
        x[static_cast<size_t>(i)] = x_of(i);
        y[static_cast<size_t>(i)] = y_of(i);
    }
    const uint64_t size = x.size() * sizeof(float);

    const Stream stream = device.create_stream();
    const Buffer x_device = device.allocate(size, stream);
    const Buffer y_device = device.allocate(size, stream);
    const Event start = device.create_event({.timing_enabled = true});
    const Event end = device.create_event({.timing_enabled = true});
    const LaunchConfig config{(static_cast<uint32_t>(n) + threads_per_block - 1) / threads_per_block,
                              threads_per_block};

    x_device.copy_from_host(x, stream);
    std::array<float, 5> milliseconds{};
    for (int round = -1; round < static_cast<int>(milliseconds.size()); ++round) {  // the first one warms up
        y_device.copy_from_host(y, stream);
        stream.record(start);
        launch(stream, config, saxpy, a, x_device, y_device, n);
        stream.record(end);
        stream.sync();
        if (round >= 0) milliseconds[static_cast<size_t>(round)] = elapsed_time(start, end);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    const float median = milliseconds[milliseconds.size() / 2];

    std::vector<float> result(x.size());
    y_device.copy_to_host(result, stream);
    stream.sync();

    // NVRTC makes one fused multiply-add of the kernel's expression, and so does the host here: both round once, and
    // the results must be the same to the last bit.
    float max_error = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const float error = std::fabs(result[i] - std::fma(a, x[i], y[i]));
        max_error = error <= max_error ? max_error : error;  // a NaN is an error too
    }
    const bool ok = max_error == 0;
    const char* verdict = ok ? "ok" : "WRONG";
    const std::string name = device.name();
    if (as_row) {
        std::printf("C++\t%s\t%d\t%.3f\t%g\t%s\n", name.c_str(), n, median, max_error, verdict);
    } else {
        std::printf("saxpy of %d floats on %s: %.3f ms (median of %zu), max error %g: %s\n", n, name.c_str(), median,
                    milliseconds.size(), max_error, verdict);
    }
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    bool as_row = false;
    int64_t n = 0;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--row") == 0) {
            as_row = true;
        } else if (char* rest = nullptr; (n = std::strtoll(argv[i], &rest, 10)) < 1 || n > INT32_MAX || *rest != '\0') {
            std::fprintf(stderr, "usage: %s [--row] [ELEMENTS]\n", argv[0]);
            return 2;
        }
    }
    try {
        return run(as_row, static_cast<int32_t>(n));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
}
