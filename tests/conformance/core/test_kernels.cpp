// Kernels: parameters, launches, and what is refused.
#include <numeric>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

struct Mixed {
    char a;
    double b;
    short c;
};

class Kernels : public testing::Test {
protected:
    Device device{0};
    Stream stream = device.create_stream();
};

TEST_F(Kernels, KnowTheirParameters) {
    const Kernel saxpy = kernel("saxpy");
    ASSERT_EQ(saxpy.num_arguments(), 4U);
    const auto arguments = saxpy.arguments_info();
    const std::vector<uint64_t> offsets{0, 8, 16, 24};
    const std::vector<uint64_t> sizes{4, 8, 8, 4};
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(arguments[i].offset, offsets[i]);
        EXPECT_EQ(arguments[i].size, sizes[i]);
    }
    EXPECT_EQ(kernel("nothing").num_arguments(), 0U);
    EXPECT_EQ(kernel("write_arguments").arguments_info()[6].size, sizeof(Mixed));
}

TEST_F(Kernels, ReceiveArgumentsOfEverySizeUnchanged) {
    const Buffer out = device.allocate(9 * sizeof(double));
    const Mixed mixed{'x', 2.25, -7};
    launch(stream, {1, 1}, kernel("write_arguments"), 'a', static_cast<short>(-2), 3, 1LL << 40, 4.5F, -5.25, mixed,
           out);
    stream.sync();
    EXPECT_EQ(values_of<double>(out),
              (std::vector<double>{'a', -2, 3, static_cast<double>(1LL << 40), 4.5, -5.25, 'x', 2.25, -7}));
}

TEST_F(Kernels, WithoutArgumentsAreLaunchedToo) {
    launch(stream, {3, 5}, kernel("nothing"));
    EXPECT_NO_THROW(stream.sync());
}

TEST_F(Kernels, RunEveryThreadOfEveryBlockOnce) {
    const LaunchConfig config{{3, 2, 2}, {5, 3, 2}};
    const Buffer out = device.allocate(12 * 30 * sizeof(uint32_t));
    launch(stream, config, kernel("positions"), out);
    stream.sync();
    const std::vector<uint32_t> result = values_of<uint32_t>(out);
    for (uint32_t i = 0; i < result.size(); ++i)
        ASSERT_EQ(result[i], i / 30 * 1000 + i % 30);
}

TEST_F(Kernels, UseTheDynamicSharedMemoryThatTheyAreGiven) {
    const Buffer out = device.allocate(64 * sizeof(int));
    launch(stream, {1, 64, 64 * sizeof(int)}, kernel("dynamic_shared"), out);
    stream.sync();
    const std::vector<int> result = values_of<int>(out);
    for (int i = 0; i < 64; ++i)
        EXPECT_EQ(result[static_cast<size_t>(i)], (63 - i) * 3);
}

TEST_F(Kernels, MustBeAllowedMoreThan48KiBOfSharedMemory) {
    ASSERT_GT(device.properties().max_shared_memory_per_block_optin, 65536);
    const Kernel dynamic = kernel("dynamic_shared");
    const Buffer out = device.allocate(64 * sizeof(int));
    const auto error = error_of<DriverError>([&] { launch(stream, {1, 64, 65536}, dynamic, out); });
    EXPECT_EQ(error.status(), Status::driver_error);
    EXPECT_THAT(error.what(), HasSubstr("maximum dynamic shared size"));
    dynamic.set_max_dynamic_shared_size(device, 65536);
    EXPECT_EQ(dynamic.attributes(device).max_dynamic_shared_size_bytes, 65536);
    launch(stream, {1, 64, 65536}, dynamic, out);
    stream.sync();
    EXPECT_EQ(values_of<int>(out)[0], 189);
    dynamic.set_max_dynamic_shared_size(device, 49152);
}

TEST_F(Kernels, TellTheirAttributes) {
    const KernelAttributes attributes = kernel("block_sums").attributes(device);
    EXPECT_GE(attributes.max_threads_per_block, 256);
    EXPECT_EQ(attributes.shared_size_bytes, 1024);
    EXPECT_GT(attributes.num_regs, 0);
    EXPECT_GT(kernel("saxpy").max_active_blocks_per_multiprocessor(device, 256, 0), 0);
}

TEST_F(Kernels, RefuseAWrongNumberOfArguments) {
    const Buffer x = device.allocate(16);
    const auto error = error_of<ArgumentMismatch>([&] { launch(stream, {1, 4}, kernel("saxpy"), 1.0F, x, x); });
    EXPECT_EQ(error.position(), -1);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("takes 4 arguments (of 4, 8, 8, 4 bytes)"), HasSubstr("3 given")));
}

TEST_F(Kernels, RefuseAnArgumentOfTheWrongSize) {
    const Buffer x = device.allocate(16);
    const auto error = error_of<ArgumentMismatch>([&] { launch(stream, {1, 4}, kernel("saxpy"), 1.0, x, x, 4); });
    EXPECT_EQ(error.position(), 0);
    EXPECT_THAT(error.what(), HasSubstr("argument 0 (counted from 0) takes 4 bytes, 8 given"));
}

TEST_F(Kernels, RefuseLaunchesOverTheDevicesLimits) {
    const Kernel nothing = kernel("nothing");
    const auto threads = static_cast<uint32_t>(device.properties().max_threads_per_block);
    EXPECT_NO_THROW(launch(stream, {1, threads}, nothing));
    EXPECT_THAT(error_of<InvalidArgument>([&] { launch(stream, {1, {threads, 2}}, nothing); }).what(),
                HasSubstr("at most " + std::to_string(threads)));
    EXPECT_THROW(launch(stream, {1, threads + 1}, nothing), InvalidArgument);
    EXPECT_THROW(launch(stream, {0, 1}, nothing), InvalidArgument);
    EXPECT_THROW(launch(stream, {1, 1, 0x7fffffff}, nothing), InvalidArgument);
    EXPECT_NO_THROW(stream.sync());
}

TEST_F(Kernels, StayUsableAfterEveryRefusal) {
    const Kernel increment = kernel("increment");
    const Buffer x = buffer_of(device, std::vector<int>{41});
    EXPECT_THROW(launch(stream, {1, 1}, increment, x), ArgumentMismatch);
    EXPECT_THROW(launch(stream, {0, 1}, increment, x, 1), InvalidArgument);
    launch(stream, {1, 1}, increment, x, 1);
    stream.sync();
    EXPECT_EQ(values_of<int>(x), std::vector<int>{42});
}

TEST_F(Kernels, ThatAreNotThereAreAnErrorWithThoseThatAre) {
    const auto error = error_of<KernelNotFound>([] { static_cast<void>(kernel("saxpi")); });
    EXPECT_THAT(error.available(), IsSupersetOf({"saxpy", "add", "matmul"}));
    EXPECT_THAT(error.what(), AllOf(HasSubstr("saxpi"), HasSubstr("saxpy")));
}

TEST_F(Kernels, KeepTheirCodeLoadedAlsoWhileTheyRun) {
    const Buffer x = buffer_of(device, std::vector<unsigned int>{1});
    {
        const Kernel last = Program(
                                "extern \"C\" __global__ void count(unsigned* x, int n)"
                                "{ for (int i = 0; i < n; ++i) x[0] = x[0] * 3u + 1u; }")
                                .compile()
                                .get_kernel("count");
        launch(stream, {1, 1}, last, x, 20000);
    }
    stream.sync();
    unsigned int expected = 1;
    for (int i = 0; i < 20000; ++i)
        expected = expected * 3U + 1U;
    EXPECT_EQ(values_of<unsigned int>(x)[0], expected);
}

TEST_F(Kernels, LaunchCooperativelyWhereTheDeviceCan) {
    const Buffer x = buffer_of(device, std::vector<int>(64, 1));
    const LaunchConfig config{.grid = 2, .block = 32, .shmem_size = 0, .is_cooperative = true};
    if (device.properties().cooperative_launch) {
        launch(stream, config, kernel("increment"), x, 64);
        stream.sync();
        EXPECT_EQ(values_of<int>(x), std::vector<int>(64, 2));
    } else {
        EXPECT_THROW(launch(stream, config, kernel("increment"), x, 64), Unsupported);
    }
}

}  // namespace
}  // namespace cuprum::core
