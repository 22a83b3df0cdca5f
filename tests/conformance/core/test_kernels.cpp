// Kernels: parameters, launches, and what is refused.
#include <unistd.h>

#include <array>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "cuprum/core/error.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::error_of;
using test::kernel;
using test::values_of;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Pair;

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

TEST_F(Kernels, TakeEveryAttributeThatCanBeSet) {
    const Kernel kernel = Program("extern \"C\" __global__ void settings() {}").compile().get_kernel("settings");
    EXPECT_EQ(kernel.attributes(device).cache_mode_ca, false);
    EXPECT_EQ(kernel.attributes(device).cluster_size_must_be_set, false);
    EXPECT_EQ(kernel.attributes(device).preferred_shared_memory_carveout, -1);
    using enum KernelAttribute;
    const std::array<std::pair<KernelAttribute, int32_t KernelAttributes::*>, 6> settable{
        {{max_dynamic_shared_size_bytes, &KernelAttributes::max_dynamic_shared_size_bytes},
         {preferred_shared_memory_carveout, &KernelAttributes::preferred_shared_memory_carveout},
         {required_cluster_width, &KernelAttributes::required_cluster_width},
         {required_cluster_height, &KernelAttributes::required_cluster_height},
         {required_cluster_depth, &KernelAttributes::required_cluster_depth},
         {cluster_scheduling_policy_preference, &KernelAttributes::cluster_scheduling_policy_preference}}};
    for (const auto& [attribute, field] : settable) {
        kernel.set_attribute(device, attribute, 1);
        EXPECT_EQ(kernel.attributes(device).*field, 1) << static_cast<int32_t>(attribute);
    }
    kernel.set_attribute(device, non_portable_cluster_size_allowed, 1);
    EXPECT_TRUE(kernel.attributes(device).non_portable_cluster_size_allowed);
}

TEST_F(Kernels, RefuseAttributesThatCannotBeSetAndValuesThatDoNotFit) {
    const Kernel nothing = kernel("nothing");
    const auto value = error_of<DriverError>(
        [&] { nothing.set_attribute(device, KernelAttribute::preferred_shared_memory_carveout, 101); });
    EXPECT_EQ(value.operation(), "setting the preferred shared memory carveout to 101");
    EXPECT_THAT(value.object(), HasSubstr("nothing"));
    const auto registers =
        error_of<InvalidArgument>([&] { nothing.set_attribute(device, static_cast<KernelAttribute>(4), 1); });
    EXPECT_THAT(registers.what(), HasSubstr("attribute 4 cannot be set"));
    EXPECT_THROW(Kernel().set_attribute(device, KernelAttribute::required_cluster_width, 1), InvalidArgument);
}

TEST_F(Kernels, TellTheBlockSizeThatFillsADevice) {
    const Kernel saxpy = kernel("saxpy");
    const MaxPotentialBlockSizeOccupancyResult best = saxpy.max_potential_block_size(device, 0);
    EXPECT_GT(best.max_block_size, 0);
    EXPECT_EQ(best.min_grid_size, saxpy.max_active_blocks_per_multiprocessor(device, best.max_block_size, 0) *
                                      device.properties().multiprocessor_count);
    EXPECT_LE(saxpy.max_potential_block_size(device, 0, 64).max_block_size, 64);
    EXPECT_THAT(
        error_of<InvalidArgument>([&] { static_cast<void>(saxpy.max_potential_block_size(device, 0, -1)); }).what(),
        HasSubstr("the limit of the block size is -1"));
    EXPECT_THROW(static_cast<void>(Kernel().max_potential_block_size(device, 0)), InvalidArgument);
}

TEST_F(Kernels, AskForTheSharedMemoryOfEachBlockSize) {
    const Kernel saxpy = kernel("saxpy");
    std::vector<int32_t> asked;
    const auto best = saxpy.max_potential_block_size(device, [&](int32_t block_size) -> uint64_t {
        asked.push_back(block_size);
        return block_size <= 64 ? 0 : 1 << 20;  // more than a block can have
    });
    EXPECT_EQ(best.max_block_size, 64);
    EXPECT_GT(asked.size(), 1U);
    const auto thrown = [](int32_t) -> uint64_t { throw std::out_of_range("no such size"); };
    EXPECT_THROW(static_cast<void>(saxpy.max_potential_block_size(device, thrown)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(saxpy.max_potential_block_size(device, std::function<uint64_t(int32_t)>())),
                 InvalidArgument);
}

TEST_F(Kernels, OfOtherCodeAreTakenByTheirHandles) {
    const Buffer x = buffer_of(device, std::vector<int>{41});
    Kernel taken;
    {
        const ObjectCode code = Program("extern \"C\" __global__ void more(int* x, int n) { x[0] += n; }").compile();
        const Kernel original = code.get_kernel("more");
        taken = Kernel::from_handle(original.handle(), code);
        EXPECT_EQ(Kernel::from_handle(original.handle()).num_arguments(), 2U);
    }
    EXPECT_EQ(taken.name(), "more");
    EXPECT_EQ(taken.arguments_info()[1].type, "int");
    launch(stream, {1, 1}, taken, x, 1);
    stream.sync();
    EXPECT_EQ(values_of<int>(x), std::vector<int>{42});
    EXPECT_THAT(error_of<InvalidArgument>([] { static_cast<void>(Kernel::from_handle(nullptr)); }).what(),
                HasSubstr("the handle is null"));
}

TEST_F(Kernels, TellHowMuchSharedMemoryTheirBlocksCanHave) {
    const Kernel sums = kernel("block_sums");  // which has 1024 bytes of its own
    constexpr uint64_t allowed = 49152 - 1024;
    EXPECT_EQ(sums.available_dynamic_shared_memory_per_block(device, 1, 256), allowed);
    const int32_t most = sums.max_active_blocks_per_multiprocessor(device, 256, 0);
    ASSERT_GT(most, 1);
    uint64_t before = allowed;
    for (int32_t blocks = 2; blocks <= most; ++blocks) {
        const uint64_t each = sums.available_dynamic_shared_memory_per_block(device, blocks, 256);
        EXPECT_LE(each, before);
        EXPECT_LE(each, static_cast<uint64_t>(device.properties().max_shared_memory_per_multiprocessor / blocks));
        before = each;
    }
    const auto error = error_of<DriverError>(
        [&] { static_cast<void>(sums.available_dynamic_shared_memory_per_block(device, most + 1, 256)); });
    EXPECT_EQ(error.operation(), "asking for the dynamic shared memory that is available");
    EXPECT_THAT(error.object(), HasSubstr("block_sums"));
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
    EXPECT_THAT(
        error.what(),
        HasSubstr("argument 0 (counted from 0) takes float (4 bytes), given: a floating-point number of 8 bytes"));
}

TEST_F(Kernels, KnowTheTypesOfTheirParameters) {
    const auto types = [](const Kernel& of) {
        std::vector<std::pair<ArgumentKind, std::string>> result;
        for (const KernelArgumentInfo& info : of.arguments_info())
            result.emplace_back(info.kind, info.type);
        return result;
    };
    using enum ArgumentKind;
    EXPECT_THAT(types(kernel("saxpy")), ElementsAre(Pair(floating_point, "float"), Pair(pointer, "const float*"),
                                                    Pair(pointer, "float*"), Pair(integer, "int")));
    EXPECT_THAT(types(kernel("write_arguments")),
                ElementsAre(Pair(integer, "char"), Pair(integer, "short"), Pair(integer, "int"),
                            Pair(integer, "long long"), Pair(floating_point, "float"), Pair(floating_point, "double"),
                            Pair(unknown, "Mixed"), Pair(pointer, "double*")));
}

TEST_F(Kernels, KnowTypesThatOnlyTheCompilerKnows) {
    const ObjectCode code = Program(R"(
        typedef double real;
        #define KERNEL(name) extern "C" __global__ void name
        enum Color { red };
        KERNEL(k)(real a, Color c, float* p, bool b) {}
        template <class T> __global__ void t(T a, const T* p) {})")
                                .compile(CodeType::native, std::array<std::string, 1>{"t<float>"});
    const Kernel plain = code.get_kernel("k");
    using enum ArgumentKind;
    EXPECT_EQ(plain.arguments_info()[0].kind, floating_point);
    EXPECT_EQ(plain.arguments_info()[1].kind, integer);
    EXPECT_THAT(plain.arguments_info()[2].kind, AnyOf(pointer, integer_or_pointer)) << "by the version of NVRTC";
    const Kernel instance = code.get_kernel("t<float>");
    EXPECT_EQ(instance.arguments_info()[0].type, "float");
    EXPECT_EQ(instance.arguments_info()[1].type, "const float*");
}

TEST_F(Kernels, KnowTheirTypesFromTheCacheToo) {
    const std::string source = "extern \"C\" __global__ void k(float a, int* p) {} //" + std::to_string(getpid());
    for (int i = 0; i < 2; ++i) {
        const Kernel from_cache = Program(source).compile().get_kernel("k");
        EXPECT_EQ(from_cache.arguments_info()[0].type, "float");
        EXPECT_EQ(from_cache.arguments_info()[1].kind, ArgumentKind::pointer);
    }
    const ObjectCode ptx = Program(source).compile(CodeType::ptx);
    const Kernel from_ptx = ObjectCode::from_ptx(ptx.code()).get_kernel("k");
    EXPECT_EQ(from_ptx.arguments_info()[0].kind, ArgumentKind::floating_point);
}

TEST_F(Kernels, RefuseAnArgumentOfTheRightSizeAndTheWrongType) {
    const Buffer x = device.allocate(16);
    const Kernel saxpy = kernel("saxpy");
    const auto refused = [&](auto a, const auto& p, auto n) {
        return error_of<ArgumentMismatch>([&] { launch(stream, {1, 4}, saxpy, a, p, x, n); });
    };
    EXPECT_THAT(refused(2, x, 4).what(), HasSubstr("argument 0 (counted from 0) takes float (4 bytes), given: an "
                                                   "integer of 4 bytes"));
    EXPECT_EQ(refused(2, x, 4).position(), 0);
    EXPECT_THAT(refused(2.0F, x, 32.0F).what(), AllOf(HasSubstr("argument 3"), HasSubstr("takes int (4 bytes)"),
                                                      HasSubstr("a floating-point number of 4 bytes")));
    EXPECT_THAT(refused(2.0F, 1.0, 4).what(),
                AllOf(HasSubstr("argument 1"), HasSubstr("takes const float* (8 bytes)"), HasSubstr("give a Buffer")));
    const Kernel wide = Program("extern \"C\" __global__ void k(long long n) {}").compile().get_kernel("k");
    EXPECT_THAT(error_of<ArgumentMismatch>([&] { launch(stream, {1, 1}, wide, x); }).what(),
                AllOf(HasSubstr("takes long long (8 bytes), given: a pointer"), HasSubstr("order")));
    launch(stream, {1, 4}, saxpy, 2.0F, x.handle(), static_cast<const void*>(nullptr), 0);
    launch(stream, {1, 1}, wide, x.handle());
    EXPECT_NO_THROW(stream.sync());
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
