// CUDA's mathematical functions as NVRTC expands them, against the host's: range reductions with local arrays and
// carry chains, fused and directed roundings.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

class MathKernels : public testing::Test {
protected:
    MathKernels() { device.load(read_ptx("engine_math.ptx")); }

    template <class T>
    std::vector<T> map(const std::string& kernel, const std::vector<T>& in) {
        const uint64_t out = device.allocate(in.size() * sizeof(T));
        const auto n = static_cast<int>(in.size());
        const auto fault = device.launch(kernel, {{static_cast<uint32_t>(n + 255) / 256}, {256}},
                                         Arguments(device.upload(in), out, n));
        EXPECT_FALSE(fault) << fault->message;
        return device.download<T>(out, in.size());
    }

    // `function` is evaluated in a wider type; the error is counted in units in the last place of the result.
    template <class T, class Wide, class Function>
    void expect_close(const std::string& kernel, const std::vector<T>& in, double ulps, Function function) {
        const std::vector<T> out = map(kernel, in);
        for (size_t k = 0; k < in.size(); ++k) {
            const Wide exact = function(static_cast<Wide>(in[k]));
            const T rounded = static_cast<T>(exact);
            if (std::isnan(rounded)) {
                ASSERT_TRUE(std::isnan(out[k])) << kernel << "(" << in[k] << ")";
                continue;
            }
            if (std::isinf(rounded)) {
                ASSERT_EQ(out[k], rounded) << kernel << "(" << in[k] << ")";
                continue;
            }
            const T ulp = std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity()) - std::fabs(rounded);
            ASSERT_LE(std::fabs(static_cast<Wide>(out[k]) - exact), static_cast<Wide>(ulps) * ulp)
                << kernel << "(" << in[k] << ") gave " << out[k] << ", expected " << rounded;
        }
    }
    SimulatedDevice device;
};

// Both signs, many magnitudes, and the special values.
template <class T>
std::vector<T> arguments(double lowest_exponent, double highest_exponent) {
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> exponent(lowest_exponent, highest_exponent);
    std::vector<T> values;
    for (int k = 0; k < 4000; ++k) {
        const double magnitude = std::exp2(exponent(generator));
        values.push_back(static_cast<T>(k % 2 == 0 ? magnitude : -magnitude));
    }
    for (const double special : {0.0, -0.0, 1.0, -1.0, 0.5, 2.0})
        values.push_back(static_cast<T>(special));
    values.push_back(std::numeric_limits<T>::infinity());
    values.push_back(-std::numeric_limits<T>::infinity());
    values.push_back(std::numeric_limits<T>::quiet_NaN());
    return values;
}

// Bounds: CUDA programming guide, mathematical functions appendix.
TEST_F(MathKernels, SinglePrecisionIsWithinCudasBounds) {
    const auto wide = arguments<float>(-20, 100), small = arguments<float>(-20, 6.5);
    expect_close<float, double>("map_sinf", wide, 2, [](double x) { return std::sin(x); });
    expect_close<float, double>("map_cosf", wide, 2, [](double x) { return std::cos(x); });
    expect_close<float, double>("map_expf", small, 2, [](double x) { return std::exp(x); });
    expect_close<float, double>("map_logf", wide, 1, [](double x) { return std::log(x); });
    expect_close<float, double>("map_powf", arguments<float>(-20, 20), 4,
                                [](double x) { return std::pow(std::fabs(x), double(1.7f)); });
    expect_close<float, double>("map_tanhf", small, 2, [](double x) { return std::tanh(x); });
    expect_close<float, double>("map_erff", small, 2, [](double x) { return std::erf(x); });
    expect_close<float, double>("map_rsqrtf", wide, 2, [](double x) { return 1 / std::sqrt(x); });
}

TEST_F(MathKernels, SinglePrecisionDivisionRootAndRemainderAreExact) {
    const auto wide = arguments<float>(-60, 100);
    expect_close<float, double>("map_sqrtf", wide, 0.5, [](double x) { return std::sqrt(x); });
    expect_close<float, double>("map_divf", wide, 0.5, [](double x) { return 1.5 / x; });
    const auto values = arguments<float>(-10, 30);
    const auto out = map("map_fmodf", values);
    for (size_t k = 0; k < values.size(); ++k) {
        const float expected = std::fmod(values[k], 0.7f);
        if (std::isnan(expected)) {
            ASSERT_TRUE(std::isnan(out[k]));
        } else {
            ASSERT_EQ(out[k], expected) << values[k];
        }
    }
}

TEST_F(MathKernels, DoublePrecisionIsWithinCudasBounds) {
    using Wide = long double;
    const auto wide = arguments<double>(-30, 900), small = arguments<double>(-30, 9);
    expect_close<double, Wide>("map_sin", wide, 2, [](Wide x) { return std::sin(x); });
    expect_close<double, Wide>("map_cos", wide, 2, [](Wide x) { return std::cos(x); });
    expect_close<double, Wide>("map_exp", small, 1, [](Wide x) { return std::exp(x); });
    expect_close<double, Wide>("map_log", wide, 1, [](Wide x) { return std::log(x); });
    expect_close<double, Wide>("map_pow", arguments<double>(-30, 30), 2,
                               [](Wide x) { return std::pow(std::fabs(x), Wide(1.7)); });
    expect_close<double, Wide>("map_cbrt", wide, 1, [](Wide x) { return std::cbrt(x); });
    expect_close<double, Wide>("map_div", wide, 0.501, [](Wide x) { return Wide(1.5) / x; });
    expect_close<double, Wide>("map_sqrt", wide, 0.501, [](Wide x) { return std::sqrt(x); });
}

TEST_F(MathKernels, FastVariantsAreWithinTheIsasBounds) {
    const auto small = arguments<float>(-10, 1.5);
    const auto check = [&](const char* kernel, double bound, auto function) {
        const auto out = map(kernel, small);
        for (size_t k = 0; k < small.size(); ++k) {
            const double exact = function(static_cast<double>(small[k]));
            if (!std::isfinite(exact)) continue;
            ASSERT_NEAR(out[k], exact, bound * (1 + std::fabs(exact))) << kernel << "(" << small[k] << ")";
        }
    };
    check("map_fast_sin", 0x1p-20, [](double x) { return std::sin(x); });
    check("map_fast_exp", 0x1p-20, [](double x) { return std::exp(x); });
    check("map_fast_log", 0x1p-20, [](double x) { return std::log(x); });
    check("map_fast_div", 0x1p-20, [](double x) { return 1.5 / x; });
}

TEST_F(MathKernels, DirectedRoundingsAreExact) {
    const auto singles = arguments<float>(-20, 20);
    const auto doubles = arguments<double>(-20, 20);
    const auto compare = [](auto out, const auto& in, int mode, auto function) {
        for (size_t k = 0; k < in.size(); ++k) {
            std::fesetround(mode);
            volatile auto x = in[k];
            volatile auto expected = function(x);
            std::fesetround(FE_TONEAREST);
            if (std::isnan(expected)) continue;
            ASSERT_EQ(out[k], expected) << in[k];
        }
    };
    compare(map("map_rz", singles), singles, FE_TOWARDZERO, [](volatile float& x) {
        volatile float y = 0.1f;
        return x + y;
    });
    compare(map("map_rd", singles), singles, FE_DOWNWARD, [](volatile float& x) {
        volatile float y = 0.1f;
        return x * y;
    });
    compare(map("map_ru", doubles), doubles, FE_UPWARD, [](volatile double& x) {
        volatile double y = 0.1;
        return x + y;
    });
    compare(map("map_fma_rd", doubles), doubles, FE_DOWNWARD, [](volatile double& x) {
        volatile double y = 0.1, z = 0.3;
        return std::fma(x, y, z);
    });
    compare(map("map_div_ru", singles), singles, FE_UPWARD, [](volatile float& x) {
        volatile float y = 0.3f;
        return x / y;
    });
}

}  // namespace
}  // namespace cuprum::simulator::test
