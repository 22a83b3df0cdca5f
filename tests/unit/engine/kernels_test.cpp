// Kernels as NVRTC compiles them, against the same computation on the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using Configuration = SimulatedDevice::Configuration;

class BasicKernels : public testing::Test {
protected:
    BasicKernels() { device.load(read_ptx("engine_basic.ptx")); }
    void run(const std::string& kernel, const Configuration& configuration, const Arguments& arguments) {
        const std::optional<Fault> fault = device.launch(kernel, configuration, arguments);
        ASSERT_FALSE(fault) << fault->message;
    }
    SimulatedDevice device;
};

std::vector<float> random_floats(size_t count, float low, float high, unsigned seed = 7) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(count);
    for (float& value : values)
        value = distribution(generator);
    return values;
}

TEST_F(BasicKernels, EmptyKernelRuns) {
    run("empty", {{3, 2, 2}, {33, 1, 1}}, Arguments());
}

TEST_F(BasicKernels, SaxpyComputesEveryElementAndTouchesNoOther) {
    for (const int n : {1, 31, 32, 33, 255, 257, 10000}) {
        const std::vector<float> x = random_floats(10001, -5, 5, 1), y = random_floats(10001, -5, 5, 2);
        const uint64_t dx = device.upload(x), dy = device.upload(y);
        run("saxpy", {{static_cast<uint32_t>(n + 255) / 256}, {256}}, Arguments(2.5f, dx, dy, n));
        const auto result = device.download<float>(dy, y.size());
        for (size_t k = 0; k < y.size(); ++k) {
            const float expected = k < static_cast<size_t>(n) ? std::fma(2.5f, x[k], y[k]) : y[k];
            ASSERT_EQ(result[k], expected) << "n " << n << ", element " << k;
        }
    }
}

TEST_F(BasicKernels, VectorAddOfDoubles) {
    const unsigned n = 1000;
    std::vector<double> a(n), b(n);
    for (unsigned k = 0; k < n; ++k) {
        a[k] = k * 0.1;
        b[k] = 1.0 / (k + 1);
    }
    const uint64_t c = device.allocate(n * 8);
    run("vector_add", {{4}, {256}}, Arguments(device.upload(a), device.upload(b), c, n));
    const auto result = device.download<double>(c, n);
    for (unsigned k = 0; k < n; ++k)
        ASSERT_EQ(result[k], a[k] + b[k]);
}

TEST_F(BasicKernels, TreeReductionInDynamicSharedMemory) {
    const unsigned n = 5000, block = 128, grid = (n + block - 1) / block;
    std::vector<float> in(n);
    std::iota(in.begin(), in.end(), 0.0f);
    const uint64_t out = device.allocate(grid * 4);
    run("reduce_dynamic", {{grid}, {block}, block * 4}, Arguments(device.upload(in), out, n));
    const auto partial = device.download<float>(out, grid);
    EXPECT_EQ(std::accumulate(partial.begin(), partial.end(), 0.0), n * (n - 1) / 2.0);
    EXPECT_TRUE(device.information("reduce_dynamic").uses_dynamic_shared);
}

TEST_F(BasicKernels, TreeReductionInStaticSharedMemoryWithAtomicAdd) {
    const unsigned n = 5000;
    std::vector<int> in(n, 3);
    const uint64_t out = device.upload(std::vector<int>{0});
    run("reduce_static", {{(n + 255) / 256}, {256}}, Arguments(device.upload(in), out, n));
    EXPECT_EQ(device.download<int>(out, 1)[0], 15000);
    EXPECT_EQ(device.information("reduce_static").static_shared_bytes, 1024u);
}

TEST_F(BasicKernels, MatrixProductNaiveAndTiled) {
    const int n = 50;
    const auto a = random_floats(n * n, -1, 1, 3), b = random_floats(n * n, -1, 1, 4);
    for (const char* kernel : {"matmul", "matmul_tiled"}) {
        const uint64_t c = device.allocate(n * n * 4);
        run(kernel, {{4, 4}, {16, 16}}, Arguments(device.upload(a), device.upload(b), c, n));
        const auto result = device.download<float>(c, n * n);
        for (int row = 0; row < n; ++row) {
            for (int column = 0; column < n; ++column) {
                float sum = 0;
                for (int k = 0; k < n; ++k)
                    sum = std::fma(a[row * n + k], b[k * n + column], sum);
                ASSERT_EQ(result[row * n + column], sum) << kernel << " " << row << " " << column;
            }
        }
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
