// C = A * B with one thread for each element of C, in a two-dimensional grid.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "cuprum/cuprum.hpp"

namespace {

using namespace cuprum::core;

constexpr const char* source = R"(
extern "C" __global__ void matrix_multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}
)";

// No multiples of the block: its edges are tested too.
constexpr int32_t rows = 1000;
constexpr int32_t inner = 1000;
constexpr int32_t columns = 1000;
constexpr uint32_t block = 16;
constexpr double tolerance = 1e-2;  // `inner` roundings of sums of about 250

bool run() {
    const Device device(0);
    ProgramOptions options;
    options.name = "matrix_multiply.cu";
    const Kernel kernel = Program(source, SourceType::cxx, options).compile().get_kernel("matrix_multiply");

    std::vector<float> a(size_t{rows} * inner);
    std::vector<float> b(size_t{inner} * columns);
    std::vector<float> c(size_t{rows} * columns);
    for (size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<float>(i % 1009) / 1009.0F;
    for (size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(i % 2003) / 2003.0F;

    const Stream stream = device.create_stream();
    const Buffer a_device = device.allocate(a.size() * sizeof(float), stream);
    const Buffer b_device = device.allocate(b.size() * sizeof(float), stream);
    const Buffer c_device = device.allocate(c.size() * sizeof(float), stream);
    const LaunchConfig config{{(columns + block - 1) / block, (rows + block - 1) / block}, {block, block}};

    a_device.copy_from_host(a, stream);
    b_device.copy_from_host(b, stream);
    launch(stream, config, kernel, a_device, b_device, c_device, rows, inner, columns);
    c_device.copy_to_host(c, stream);
    stream.sync();

    double max_error = 0;
    // Every ninth row, so that all positions in a block are met.
    for (size_t row = 0; row < rows; row += 9) {
        for (size_t column = 0; column < columns; ++column) {
            double expected = 0;
            for (size_t k = 0; k < inner; ++k)
                expected += double{a[row * inner + k]} * b[k * columns + column];
            const double error = std::fabs(expected - c[row * columns + column]);
            max_error = error <= max_error ? max_error : error;  // a NaN is an error too
        }
    }
    const bool ok = max_error <= tolerance;
    std::printf("%dx%d times %dx%d on %s: max error %.1e: %s\n", rows, inner, inner, columns, device.name().c_str(),
                max_error, ok ? "ok" : "WRONG");
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
