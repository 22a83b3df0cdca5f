// Variables of compiled code.
#include <array>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::values_of;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* source = R"(
extern "C" __device__ int counter = 5;
extern "C" __constant__ float factors[4] = {1, 2, 3, 4};
namespace inner { __device__ double total = 1.5; }
extern "C" __global__ void scale(float* x) {
    x[threadIdx.x] *= factors[threadIdx.x];
    if (threadIdx.x == 0) { counter += 1; inner::total += 1; }
}
)";

class Globals : public testing::Test {
protected:
    static const ObjectCode& code() {
        // Leaked, so that the driver is not called after main.
        static const auto* const compiled =
            new ObjectCode(Program(source).compile(CodeType::native, std::array<std::string, 1>{"&inner::total"}));
        return *compiled;
    }

    Device device{0};
    Stream stream = device.create_stream();
};

TEST_F(Globals, AreWrittenByTheHostAndReadByKernels) {
    const GlobalVariable factors = code().get_global(device, "factors");
    EXPECT_EQ(factors.size(), 4 * sizeof(float));
    EXPECT_EQ(factors.name(), "factors");
    EXPECT_EQ(factors.device_id(), device.device_id());
    EXPECT_FALSE(factors.is_host_accessible());
    EXPECT_EQ(values_of<float>(factors), (std::vector<float>{1, 2, 3, 4}));
    factors.copy_from_host(std::array<float, 4>{10, 20, 30, 40});
    const Buffer x = test::buffer_of(device, std::vector<float>{1, 1, 1, 2});
    launch(stream, {1, 4}, code().get_kernel("scale"), x);
    stream.sync();
    EXPECT_EQ(values_of<float>(x), (std::vector<float>{10, 20, 30, 80}));
    factors.copy_from_host(std::array<float, 4>{1, 2, 3, 4});
}

TEST_F(Globals, AreReadAfterAKernelHasWrittenThem) {
    const GlobalVariable counter = code().get_global(device, "counter");
    const GlobalVariable total = code().get_global(device, "&inner::total");
    const int before = values_of<int>(counter).at(0);
    const double total_before = values_of<double>(total).at(0);
    const Buffer x = test::buffer_of(device, std::vector<float>(4, 0));
    launch(stream, {1, 4}, code().get_kernel("scale"), x);
    int after = 0;
    counter.copy_to_host(&after, sizeof after, stream);
    stream.sync();
    EXPECT_EQ(after, before + 1);
    EXPECT_EQ(values_of<double>(total).at(0), total_before + 1);
}

TEST_F(Globals, KeepTheirCodeLoaded) {
    GlobalVariable last;
    {
        const ObjectCode own = Program("extern \"C\" __device__ int value = 7;").compile();
        last = own.get_global(device, "value");
    }
    EXPECT_EQ(values_of<int>(last), std::vector<int>{7});
}

TEST_F(Globals, AreRefusedWithTheirNamesWhereThereAreNone) {
    const auto missing = error_of<InvalidArgument>([&] { static_cast<void>(code().get_global(device, "total")); });
    EXPECT_EQ(missing.operation(), "looking for the variable 'total'");
    EXPECT_THAT(missing.what(), AllOf(HasSubstr("no variable of that name"), HasSubstr("'&total'")));
    EXPECT_THROW(static_cast<void>(code().get_global(device, "")), InvalidArgument);
    EXPECT_THROW(static_cast<void>(ObjectCode().get_global(device, "counter")), InvalidState);
    const GlobalVariable factors = code().get_global(device, "factors");
    EXPECT_THROW(factors.copy_from_host(std::vector<float>(5)), InvalidArgument);
    EXPECT_THROW(GlobalVariable().copy_from_host(std::vector<float>(1)), InvalidState);
}

TEST_F(Globals, AreValuesOfTheirTypes) {
    const GlobalVariable factors = code().get_global(device, "factors");
    factors.set_value(std::array<float, 4>{4, 3, 2, 1});
    EXPECT_EQ(factors.values<float>(), (std::vector<float>{4, 3, 2, 1}));
    factors.set_values(std::vector<float>{8, 7, 6, 5}, stream);
    EXPECT_EQ((factors.value<std::array<float, 4>>(stream)), (std::array<float, 4>{8, 7, 6, 5}));
    factors.set_values(std::array<float, 4>{1, 2, 3, 4});
    const GlobalVariable counter = code().get_global(device, "counter");
    const int before = counter.value<int>();
    counter.set_value(before + 1, stream);
    const Buffer x = test::buffer_of(device, std::vector<float>(4, 0));
    launch(stream, {1, 4}, code().get_kernel("scale"), x);
    EXPECT_EQ(counter.value<int>(stream), before + 2);
}

TEST_F(Globals, AreReadAndWrittenAsAWhole) {
    const GlobalVariable factors = code().get_global(device, "factors");
    EXPECT_THAT(error_of<InvalidArgument>([&] { factors.set_value(1.0F); }).what(),
                AllOf(HasSubstr("variable factors"), HasSubstr("it has 16 bytes, and the value has 4")));
    EXPECT_THROW(static_cast<void>(factors.value<double>()), InvalidArgument);
    EXPECT_THROW(factors.set_values(std::vector<float>{1, 2, 3}, stream), InvalidArgument);
    EXPECT_THROW(static_cast<void>(factors.values<std::array<char, 3>>()), InvalidArgument);
    EXPECT_EQ(factors.values<float>(), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_THROW(static_cast<void>(GlobalVariable().value<int>()), InvalidState);
    EXPECT_THROW(static_cast<void>(GlobalVariable().values<int>()), InvalidState);
}

}  // namespace
}  // namespace cuprum::core
