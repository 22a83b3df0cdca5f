// Loading code, finding kernels, and what a launch checks.
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "fake_driver.hpp"
#include "small_stack.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Code that no compiler made is taken for what it begins like.
constexpr const char* cubin = ".version 7.0 // stands for a cubin";

class Code : public testing::Test {
protected:
    FakeDriver driver;
    Device device{0};
};

TEST_F(Code, IsLoadedAtTheFirstUseOnly) {
    const ObjectCode code = ObjectCode::from_ptx("ptx");
    EXPECT_EQ(driver.live_libraries(), 0U);
    static_cast<void>(code.get_kernel("saxpy"));
    static_cast<void>(code.get_kernel("saxpy"));
    static_cast<void>(code.handle());
    EXPECT_EQ(driver.count("cuLibraryLoadData"), 1);
}

TEST_F(Code, IsLoadedOnceByManyThreads) {
    driver.while_loading = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    const ObjectCode code = ObjectCode::from_ptx("ptx");
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&code] { static_cast<void>(code.get_kernel("saxpy")); });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(driver.count("cuLibraryLoadData"), 1);
}

TEST_F(Code, IsLoadedAgainAfterAFailure) {
    const ObjectCode code = ObjectCode::from_ptx("ptx");
    driver.fail("cuLibraryLoadData", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THROW(code.get_kernel("saxpy"), OutOfMemory);
    EXPECT_EQ(code.get_kernel("saxpy").num_arguments(), 4U);
}

TEST_F(Code, StaysLoadedAsLongAsAKernelOfIt) {
    std::optional<Kernel> kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    const Kernel copy = *kernel;
    kernel.reset();
    EXPECT_EQ(driver.live_libraries(), 1U);
    EXPECT_EQ(copy.name(), "saxpy");
    { const Kernel last = std::move(const_cast<Kernel&>(copy)); }
    EXPECT_EQ(driver.live_libraries(), 0U);
}

TEST_F(Code, IsUnloadedWhenAKernelIsNotMade) {
    driver.fail("cuKernelGetParamInfo", CUDA_ERROR_UNKNOWN);
    EXPECT_THROW(ObjectCode::from_ptx("ptx").get_kernel("saxpy"), DriverError);
    EXPECT_EQ(driver.live_libraries(), 0U);
}

TEST_F(Code, ListsItsKernelsWhenOneIsNotThere) {
    driver.kernels = {{"saxpy", {}}, {"dot", {}}};
    try {
        static_cast<void>(ObjectCode::from_cubin(cubin, "blas").get_kernel("saxpi"));
        FAIL();
    } catch (const KernelNotFound& error) {
        EXPECT_THAT(error.available(), ElementsAre("dot", "saxpy"));
        EXPECT_THAT(error.what(), AllOf(HasSubstr("'saxpi'"), HasSubstr("cubin 'blas'"), HasSubstr("dot")));
    }
}

TEST_F(Code, IsMissingAKernelAlsoWhenTheDriverHasMissedAFunctionBefore) {
    // Not in the fake: leaves a record of a function that was not found on this thread.
    size_t bytes = 0;
    ASSERT_EQ(bindings::driver::cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE), CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
    EXPECT_THROW(static_cast<void>(ObjectCode::from_cubin(cubin).get_kernel("nope")), KernelNotFound);
}

TEST_F(Code, ExplainsMangledNames) {
    driver.kernels = {{"_Z5saxpyfPKfPfi", {}}};
    try {
        static_cast<void>(ObjectCode::from_cubin(cubin).get_kernel("saxpy"));
        FAIL();
    } catch (const KernelNotFound& error) {
        EXPECT_THAT(error.advice(), HasSubstr("extern \"C\""));
    }
}

TEST_F(Code, ReadsTheNamesFromPtxWhenTheDriverCannotTell) {
    driver.fail_always("cuLibraryGetKernelCount", CUDA_ERROR_NOT_SUPPORTED);
    const char* const ptx = R"(
        // .entry not_me()
        /* .entry nor_me() */
        .visible .entry first(
            .param .u64 first_param_0
        ) { ret; }
        .func helper() { ret; }
        .entry second$2 () { ret; }
    )";
    EXPECT_THAT(ObjectCode::from_ptx(ptx).kernel_names(), ElementsAre("first", "second$2"));
    EXPECT_THROW(static_cast<void>(ObjectCode::from_cubin(cubin).kernel_names()), Unsupported);
}

TEST_F(Code, SaysWhenTheFileCannotBeRead) {
    try {
        static_cast<void>(ObjectCode::from_file("no/such/file.ptx", CodeType::ptx));
        FAIL();
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("no/such/file.ptx"), HasSubstr("No such file")));
    }
    EXPECT_THROW(static_cast<void>(ObjectCode::from_file(".", CodeType::ptx)), InvalidArgument);
    const std::string pipe = testing::TempDir() + "/cuprum-code-" + std::to_string(getpid());
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string& path : {std::string("/dev/zero"), pipe}) {
        try {
            static_cast<void>(ObjectCode::from_file(path, CodeType::ptx));
            ADD_FAILURE() << path;
        } catch (const InvalidArgument& error) {
            EXPECT_EQ(error.object(), path);
            EXPECT_EQ(error.detail(), "it is not a regular file");
        }
    }
    unlink(pipe.c_str());
}

TEST_F(Code, OfNothingIsRefused) {
    EXPECT_THROW(static_cast<void>(ObjectCode().get_kernel("saxpy")), InvalidState);
    EXPECT_THROW(static_cast<void>(ObjectCode().code()), InvalidState);
    EXPECT_THROW(static_cast<void>(Kernel().name()), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Kernel().arguments_info()), InvalidArgument);
}

class Launches : public Code {
protected:
    Kernel kernel = ObjectCode::from_ptx("ptx").get_kernel("saxpy");
    Stream stream = device.create_stream();
    Buffer x = device.allocate(16);
    Buffer y = device.allocate(16);

    template <class Expected>
    Expected error_with(const LaunchConfig& config) {
        try {
            launch(stream, config, kernel, 2.0F, x, y, 4);
        } catch (const Expected& error) {
            return error;
        }
        throw std::runtime_error("nothing was thrown");
    }
};

TEST_F(Launches, HandTheDriverTheArgumentsThemselves) {
    launch(stream, {1, 32}, kernel, 2.0F, x, y, 4);
    ASSERT_EQ(driver.last_parameters.size(), 4U);
    EXPECT_EQ(driver.last_stream, stream.handle());
    EXPECT_EQ(driver.last_parameters[1], x.address_of_handle());
    EXPECT_EQ(driver.last_parameters[2], y.address_of_handle());
}

TEST_F(Launches, HandTheDriverTheCallersOwnArrayOfAddresses) {
    float a = 2.0F;
    int n = 4;
    const std::array<const void*, 4> addresses{&a, x.address_of_handle(), y.address_of_handle(), &n};
    const std::array<ArgumentType, 4> types{{{4}, {8}, {8}, {4}}};
    launch_arguments(stream, {1, 1}, kernel, addresses, types);
    EXPECT_EQ(driver.last_parameter_array, addresses.data());
    launch_checked(stream, {1, 1}, kernel, addresses);
    EXPECT_EQ(driver.last_parameter_array, addresses.data());
}

struct ManyArguments {
    explicit ManyArguments(size_t count) : values(count), types(count, ArgumentType{4}) {
        for (const int& value : values)
            addresses.push_back(&value);
    }
    std::vector<int> values;
    std::vector<const void*> addresses;
    std::vector<ArgumentType> types;
};

TEST_F(Launches, OfKernelsWithVeryManyParametersPassThemAll) {
    driver.kernels["wide"] = std::vector<size_t>(1000, 4);
    const Kernel wide = ObjectCode::from_ptx("ptx").get_kernel("wide");
    const ManyArguments arguments(1000);
    launch_arguments(stream, {1, 1}, wide, arguments.addresses, arguments.types);
    ASSERT_EQ(driver.last_parameters.size(), 1000U);
    for (size_t i = 0; i < 1000; ++i)
        EXPECT_EQ(driver.last_parameters[i], &arguments.values[i]);
}

// The stack that a launch takes does not grow with the number of arguments: a thread has room for it that has little.
TEST_F(Launches, OfKernelsWithVeryManyParametersTakeLittleOfTheStack) {
    driver.kernels["wide"] = std::vector<size_t>(1000, 4);
    const Kernel wide = ObjectCode::from_ptx("ptx").get_kernel("wide");
    const ManyArguments arguments(1000);
    test::run_with_stack(96 << 10,
                         [&] { launch_arguments(stream, {1, 1}, wide, arguments.addresses, arguments.types); });
    EXPECT_EQ(driver.last_parameters.size(), 1000U);
}

TEST_F(Launches, WithAWrongNumberOfArgumentsSayHowMany) {
    try {
        launch(stream, {1, 1}, kernel, 2.0F, x, y);
        FAIL();
    } catch (const ArgumentMismatch& error) {
        EXPECT_EQ(error.position(), -1);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("takes 4 arguments (of 4, 8, 8, 4 bytes)"), HasSubstr("3 given"),
                                        HasSubstr("kernel 'saxpy' on device 0")));
    }
    EXPECT_EQ(driver.count("cuLaunchKernelEx"), 0);
}

TEST_F(Launches, WithAnArgumentOfTheWrongSizeSayWhich) {
    try {
        launch(stream, {1, 1}, kernel, 2.0F, x, y, int64_t{4});
        FAIL();
    } catch (const ArgumentMismatch& error) {
        EXPECT_EQ(error.position(), 3);
        EXPECT_THAT(error.what(), HasSubstr("argument 3 (counted from 0) takes 4 bytes, given: an integer of 8 bytes"));
    }
}

TEST_F(Launches, RefuseNullArgumentAddresses) {
    const std::array<const void*, 4> addresses{nullptr, &x, &x, &x};
    const std::array<ArgumentType, 4> types{{{4}, {8}, {8}, {4}}};
    EXPECT_THROW(launch_arguments(stream, {1, 1}, kernel, addresses, types), InvalidArgument);
}

TEST_F(Launches, RefuseAddressesWithoutTheirTypes) {
    const std::array<const void*, 4> addresses{&x, &x, &x, &x};
    const std::array<ArgumentType, 3> types{{{4}, {8}, {8}}};
    EXPECT_THROW(launch_arguments(stream, {1, 1}, kernel, addresses, types), ArgumentMismatch);
}

TEST_F(Launches, OverTheDevicesLimitsNameTheLimit) {
    EXPECT_THAT(error_with<InvalidArgument>({0, 1}).what(), HasSubstr("grid.x is 0, the device takes 1 to 2147483647"));
    EXPECT_THAT(error_with<InvalidArgument>({{1, 65536}, 1}).what(), HasSubstr("grid.y is 65536"));
    EXPECT_THAT(error_with<InvalidArgument>({{1, 1, 70000}, 1}).what(), HasSubstr("grid.z is 70000"));
    EXPECT_THAT(error_with<InvalidArgument>({1, 1025}).what(),
                HasSubstr("block.x is 1025, the device takes 1 to 1024"));
    EXPECT_THAT(error_with<InvalidArgument>({1, {1, 0}}).what(), HasSubstr("block.y is 0"));
    EXPECT_THAT(error_with<InvalidArgument>({1, {1, 1, 65}}).what(), HasSubstr("block.z is 65"));
    EXPECT_THAT(error_with<InvalidArgument>({1, {64, 64}}).what(), HasSubstr("(64, 64, 1) has 4096 threads"));
    EXPECT_THAT(error_with<InvalidArgument>({1, 1, 100001}).what(), HasSubstr("100001 bytes of dynamic shared"));
    EXPECT_THAT(error_with<Unsupported>({1, 1, 0, true}).what(), HasSubstr("cooperative"));
    EXPECT_EQ(driver.count("cuLaunchKernelEx"), 0);
}

TEST_F(Launches, OverTheKernelsOwnLimitsSayThatToo) {
    driver.fail("cuLaunchKernelEx", CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(error_with<DriverError>({1, 1024}).what(), HasSubstr("this kernel takes at most 512"));
    driver.fail("cuLaunchKernelEx", CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(error_with<DriverError>({1, 1, 60000}).what(), HasSubstr("this kernel is allowed 512"));
}

TEST_F(Launches, NeedAStreamAndAKernel) {
    EXPECT_THROW(launch(StreamRef(), {1, 1}, kernel, 2.0F, x, y, 4), InvalidArgument);
    EXPECT_THROW(launch(stream, {1, 1}, Kernel()), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::core
