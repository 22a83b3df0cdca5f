// Whole programs: compile, copy, launch, copy back, compare with the host.
#include <cmath>
#include <numeric>
#include <random>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;

std::vector<float> random_floats(size_t count, float low, float high, uint32_t seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> distribution(low, high);
    std::vector<float> values(count);
    for (float& value : values)
        value = distribution(generator);
    return values;
}

class Programs : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
};

TEST_F(Programs, SaxpyIsRightAndTimed) {
    constexpr int n = (1 << 20) + 3;  // not a multiple of the block
    const std::vector<float> x = random_floats(n, -100, 100, 1);
    const std::vector<float> y = random_floats(n, -100, 100, 2);
    const Buffer device_x = buffer_of(device, x);
    const Buffer device_y = buffer_of(device, y);
    const Kernel saxpy = kernel("saxpy");
    const Event start = stream.record({.timing_enabled = true});
    launch(stream, one_thread_each(n), saxpy, 2.0F, device_x, device_y, n);
    const Event end = stream.record({.timing_enabled = true});
    end.sync();
    EXPECT_GT(end - start, 0.0F);
    EXPECT_LT(end - start, 10000.0F);
    const std::vector<float> result = values_of<float>(device_y);
    for (size_t i = 0; i < result.size(); ++i) {
        // NVRTC contracts to one fused multiply-add.
        ASSERT_EQ(result[i], std::fmaf(2.0F, x[i], y[i])) << "element " << i;
    }
}

TEST_F(Programs, VectorAddInDoublePrecisionIsExact) {
    constexpr int n = 100000;
    std::vector<double> a(n);
    std::vector<double> b(n);
    std::iota(a.begin(), a.end(), 0.1);
    std::iota(b.begin(), b.end(), -77777.7);
    const Buffer c = device.allocate(n * sizeof(double));
    launch(stream, one_thread_each(n), kernel("add"), buffer_of(device, a), buffer_of(device, b), c, n);
    stream.sync();
    const std::vector<double> result = values_of<double>(c);
    for (size_t i = 0; i < result.size(); ++i)
        ASSERT_EQ(result[i], a[i] + b[i]) << "element " << i;
}

TEST_F(Programs, ReductionInSharedMemoryAddsEveryElement) {
    constexpr int n = 100003;
    std::vector<int> input(n);
    std::mt19937 generator(3);
    for (int& value : input)
        value = static_cast<int>(generator() % 2001) - 1000;
    const uint32_t blocks = (n + 255) / 256;
    const Buffer sums = device.allocate(blocks * sizeof(int));
    launch(stream, {blocks, 256}, kernel("block_sums"), buffer_of(device, input), sums, n);
    stream.sync();
    const std::vector<int> result = values_of<int>(sums);
    EXPECT_EQ(std::accumulate(result.begin(), result.end(), 0), std::accumulate(input.begin(), input.end(), 0));
}

TEST_F(Programs, MatrixProductIsRight) {
    constexpr int width = 70;
    const std::vector<float> a = random_floats(width * width, -1, 1, 4);
    const std::vector<float> b = random_floats(width * width, -1, 1, 5);
    const Buffer c = device.allocate(width * width * sizeof(float));
    launch(stream, {{5, 5}, {16, 16}}, kernel("matmul"), buffer_of(device, a), buffer_of(device, b), c, width);
    stream.sync();
    const std::vector<float> result = values_of<float>(c);
    for (int row = 0; row < width; ++row) {
        for (int column = 0; column < width; ++column) {
            double expected = 0;
            for (int k = 0; k < width; ++k) {
                expected += static_cast<double>(a[static_cast<size_t>(row) * width + k]) *
                            static_cast<double>(b[static_cast<size_t>(k) * width + column]);
            }
            ASSERT_NEAR(result[static_cast<size_t>(row * width + column)], expected, 1e-4) << row << ", " << column;
        }
    }
}

TEST_F(Programs, SinesOfAMillionFloatsAreWithinTwoUnitsInTheLastPlace) {
    constexpr int n = 1000000;
    std::vector<float> x = random_floats(n, -1000, 1000, 6);
    // Arguments that need the long reduction, and the edges.
    x[0] = 0.0F;
    x[1] = -0.0F;
    x[2] = 1e10F;
    x[3] = -3.0e38F;
    x[4] = 1e-40F;
    const Buffer y = device.allocate(n * sizeof(float));
    const Kernel sines = Program(R"(
        extern "C" __global__ void sines(const float* x, float* y, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = sinf(x[i]);
        }
    )")
                             .compile()
                             .get_kernel("sines");
    launch(stream, one_thread_each(n), sines, buffer_of(device, x), y, n);
    stream.sync();
    const std::vector<float> result = values_of<float>(y);
    for (size_t i = 0; i < result.size(); ++i) {
        const double expected = std::sin(static_cast<double>(x[i]));
        const float nearest = static_cast<float>(expected);
        const float unit = std::nextafter(std::fabs(nearest), 2.0F) - std::fabs(nearest);
        // 2 ulp is what the CUDA programming guide states for sinf.
        ASSERT_NEAR(result[i], expected, 2.5 * static_cast<double>(unit)) << "sinf(" << x[i] << ")";
    }
}

}  // namespace
}  // namespace cuprum::core
