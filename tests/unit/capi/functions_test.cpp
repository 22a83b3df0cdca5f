// The functions of the C ABI over a driver of a few lines: what they allocate, what they leave behind when memory or
// the driver fails, and what happens to objects that are destroyed while they are in use or while the process ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "count_allocations.hpp"
#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.h"
#include "fake_driver.hpp"
#include "small_stack.hpp"

namespace cuprum::capi {
namespace {

using bindings::TableOverride;
using test::FakeDriver;

cuprum_error_info last_error() {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    EXPECT_EQ(cuprum_error_last(&info), CUPRUM_SUCCESS);
    return info;
}

uint64_t live_handles() {
    uint64_t count = UINT64_MAX;
    EXPECT_EQ(cuprum_live_handles(&count), CUPRUM_SUCCESS);
    return count;
}

template <class Result, class... Parameters>
TableOverride replace(const char* name, Result (*replacement)(Parameters...)) {
    return TableOverride(bindings::driver::library(), name, replacement);
}

class FunctionsTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(live_handles(), 0U); }
    void TearDown() override {
        EXPECT_EQ(live_handles(), 0U);
        EXPECT_EQ(driver.live(), 0U);
    }
    cuprum_stream make_stream() {
        cuprum_stream stream = nullptr;
        EXPECT_EQ(cuprum_stream_create(&stream, 0, nullptr), CUPRUM_SUCCESS);
        return stream;
    }
    cuprum_buffer make_buffer() {
        cuprum_buffer buffer = nullptr;
        EXPECT_EQ(cuprum_buffer_allocate(&buffer, 0, 64, nullptr), CUPRUM_SUCCESS);
        return buffer;
    }
    cuprum_kernel make_kernel(const char* name = "saxpy") {
        cuprum_object_code code = nullptr;
        cuprum_kernel kernel = nullptr;
        EXPECT_EQ(cuprum_object_code_create(&code, "ptx", 3, CUPRUM_CODE_PTX, nullptr), CUPRUM_SUCCESS);
        EXPECT_EQ(cuprum_object_code_get_kernel(&kernel, code, name), CUPRUM_SUCCESS);
        EXPECT_EQ(cuprum_object_code_destroy(code), CUPRUM_SUCCESS);
        return kernel;
    }

    FakeDriver driver;
};

std::atomic<int> launches{0};
CUresult count_launch(const CUlaunchConfig*, CUfunction, void**, void**) {
    ++launches;
    return CUDA_SUCCESS;
}
CUresult take_kernel_for_function(CUfunction* function, CUkernel kernel) {
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
}
CUresult no_context(CUcontext* context) {
    *context = nullptr;
    return CUDA_SUCCESS;
}
CUresult push_nothing(CUcontext) {
    return CUDA_SUCCESS;
}
CUresult pop_nothing(CUcontext*) {
    return CUDA_SUCCESS;
}
CUresult copy_nothing_in(CUdeviceptr, const void*, size_t, CUstream) {
    return CUDA_SUCCESS;
}
CUresult copy_nothing_out(void*, CUdeviceptr, size_t, CUstream) {
    return CUDA_SUCCESS;
}

TEST_F(FunctionsTest, LaunchesAndStreamCopiesAllocateNothing) {
    const cuprum_stream stream = make_stream();
    const cuprum_buffer buffer = make_buffer();
    const cuprum_kernel kernel = make_kernel();
    const TableOverride launch = replace("cuLaunchKernelEx", &count_launch);
    const TableOverride function = replace("cuKernelGetFunction", &take_kernel_for_function);
    // The fake driver's own functions keep a list of calls, which grows.
    const TableOverride current = replace("cuCtxGetCurrent", &no_context);
    const TableOverride push = replace("cuCtxPushCurrent", &push_nothing);
    const TableOverride pop = replace("cuCtxPopCurrent", &pop_nothing);
    const TableOverride copy_in = replace("cuMemcpyHtoDAsync", &copy_nothing_in);
    const TableOverride copy_out = replace("cuMemcpyDtoHAsync", &copy_nothing_out);

    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    config.grid_x = 1;
    config.block_x = 32;
    cuprum_argument arguments[4] = {{CUPRUM_ARGUMENT_FLOAT, 0, {}},
                                    {CUPRUM_ARGUMENT_BUFFER, 0, {}},
                                    {CUPRUM_ARGUMENT_BUFFER, 0, {}},
                                    {CUPRUM_ARGUMENT_INT, 0, {}}};
    arguments[0].value.f64 = 2.0;
    arguments[1].value.buffer = buffer;
    arguments[2].value.buffer = buffer;
    arguments[3].value.i64 = 16;
    char host[64] = {};
    // The first of each may set up what later ones share.
    EXPECT_EQ(cuprum_launch(stream, &config, kernel, arguments, 4), CUPRUM_SUCCESS) << last_error().message;
    cuprum_launch_config shorter = config;  // of a version that ended before the clusters, which are not read
    shorter.struct_size = offsetof(cuprum_launch_config, programmatic_stream_serialization);
    shorter.cluster_x = 0xFFFFFFFF;
    EXPECT_EQ(cuprum_launch(stream, &shorter, kernel, arguments, 4), CUPRUM_SUCCESS) << last_error().message;
    EXPECT_EQ(cuprum_buffer_copy_from_host(buffer, 0, host, 64, stream), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_buffer_copy_to_host(host, buffer, 0, 64, stream), CUPRUM_SUCCESS);
    launches = 0;
    const test::AllocationCount count;
    for (int round = 0; round < 10; ++round) {
        EXPECT_EQ(cuprum_launch(stream, &config, kernel, arguments, 4), CUPRUM_SUCCESS);
        EXPECT_EQ(cuprum_buffer_copy_from_host(buffer, 0, host, 64, stream), CUPRUM_SUCCESS);
        EXPECT_EQ(cuprum_buffer_copy_to_host(host, buffer, 0, 64, stream), CUPRUM_SUCCESS);
    }
    EXPECT_EQ(count.so_far(), 0U);
    EXPECT_EQ(launches, 10);
    cuprum_kernel_destroy(kernel);
    cuprum_buffer_destroy(buffer);
    cuprum_stream_destroy(stream);
}

TEST_F(FunctionsTest, ALaunchOfManyArgumentsTakesLittleOfTheStack) {
    driver.kernels["wide"] = std::vector<size_t>(1000, 4);
    const cuprum_stream stream = make_stream();
    const cuprum_kernel kernel = make_kernel("wide");
    const cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    const cuprum_argument one = {CUPRUM_ARGUMENT_INT, 0, {}};
    const std::vector<cuprum_argument> arguments(1000, one);
    cuprum_status status = CUPRUM_ERROR_INTERNAL;
    test::run_with_stack(96 << 10, [&] { status = cuprum_launch(stream, &config, kernel, arguments.data(), 1000); });
    EXPECT_EQ(status, CUPRUM_SUCCESS);
    EXPECT_EQ(driver.last_parameters.size(), 1000U);
    cuprum_kernel_destroy(kernel);
    cuprum_stream_destroy(stream);
}

// A driver that allocates nothing itself, so that every allocation that fails is Cuprum's.
std::atomic<int> driver_objects{0};
CUresult make_driver_stream(CUstream* stream, unsigned, int) {
    ++driver_objects;
    *stream = reinterpret_cast<CUstream>(uintptr_t{0x1000});
    return CUDA_SUCCESS;
}
CUresult drop_driver_stream(CUstream) {
    --driver_objects;
    return CUDA_SUCCESS;
}
CUresult make_driver_event(CUevent* event, unsigned) {
    ++driver_objects;
    *event = reinterpret_cast<CUevent>(uintptr_t{0x2000});
    return CUDA_SUCCESS;
}
CUresult drop_driver_event(CUevent) {
    --driver_objects;
    return CUDA_SUCCESS;
}
CUresult make_memory(CUdeviceptr* address, size_t) {
    ++driver_objects;
    *address = 0x3000;
    return CUDA_SUCCESS;
}
CUresult drop_memory(CUdeviceptr) {
    --driver_objects;
    return CUDA_SUCCESS;
}

// Lets each allocation of `make` fail in turn until none is left, and then checks that `make` still works.
template <class Handle>
void fail_every_allocation(const std::function<cuprum_status(Handle*)>& make, cuprum_status (*destroy)(Handle)) {
    const auto untouched = reinterpret_cast<Handle>(uintptr_t{0x77});
    int failures = 0;
    for (uint64_t n = 1; n < 100; ++n) {
        Handle handle = untouched;
        test::fail_allocation(n);
        const cuprum_status status = make(&handle);
        const bool has_failed = test::has_an_allocation_failed();
        test::fail_allocation(0);
        if (!has_failed) {
            EXPECT_EQ(status, CUPRUM_SUCCESS);
            EXPECT_EQ(destroy(handle), CUPRUM_SUCCESS);
            EXPECT_GE(failures, 1) << "nothing was ever allocated";
            EXPECT_EQ(driver_objects, 0);
            return;
        }
        ++failures;
        EXPECT_EQ(status, CUPRUM_ERROR_OUT_OF_MEMORY) << "allocation " << n;
        EXPECT_EQ(last_error().status, status);
        EXPECT_EQ(handle, untouched) << "allocation " << n;
        EXPECT_EQ(live_handles(), 0U) << "allocation " << n;
        EXPECT_EQ(driver_objects, 0) << "allocation " << n;
    }
    FAIL() << "it never ends";
}

TEST_F(FunctionsTest, OutOfMemoryAtAnyPointIsAnErrorThatLeavesNothingBehind) {
    // Whatever is made once per process and per thread.
    cuprum_stream_destroy(make_stream());
    cuprum_buffer_destroy(make_buffer());
    const std::vector<TableOverride> overrides = [] {
        std::vector<TableOverride> result;
        result.reserve(8);
        result.push_back(replace("cuCtxPushCurrent", &push_nothing));
        result.push_back(replace("cuCtxPopCurrent", &pop_nothing));
        result.push_back(replace("cuStreamCreateWithPriority", &make_driver_stream));
        result.push_back(replace("cuStreamDestroy", &drop_driver_stream));
        result.push_back(replace("cuEventCreate", &make_driver_event));
        result.push_back(replace("cuEventDestroy", &drop_driver_event));
        result.push_back(replace("cuMemAlloc", &make_memory));
        result.push_back(replace("cuMemFree", &drop_memory));
        return result;
    }();
    fail_every_allocation<cuprum_stream>([](cuprum_stream* out) { return cuprum_stream_create(out, 0, nullptr); },
                                         &cuprum_stream_destroy);
    fail_every_allocation<cuprum_event>([](cuprum_event* out) { return cuprum_event_create(out, 0, nullptr); },
                                        &cuprum_event_destroy);
    fail_every_allocation<cuprum_buffer>([](cuprum_buffer* out) { return cuprum_buffer_allocate(out, 0, 64, nullptr); },
                                         &cuprum_buffer_destroy);
    fail_every_allocation<cuprum_buffer>([](cuprum_buffer* out) { return cuprum_buffer_from_native(out, 0, 4096, 64); },
                                         &cuprum_buffer_destroy);
    fail_every_allocation<cuprum_program>(
        [](cuprum_program* out) {
            static const char* const options[] = {"-DONE=1", "--std=c++20", "-I/a/rather/long/folder/name"};
            return cuprum_program_create(out, "// source text that is longer than a short string", CUPRUM_SOURCE_CXX,
                                         "name.cu", options, 3);
        },
        &cuprum_program_destroy);
    fail_every_allocation<cuprum_object_code>(
        [](cuprum_object_code* out) {
            return cuprum_object_code_create(out, "code that is longer than a short string", 39, CUPRUM_CODE_PTX,
                                             "name");
        },
        &cuprum_object_code_destroy);
}

TEST_F(FunctionsTest, AFailureOfTheDriverLeavesTheOutputAlone) {
    const auto untouched = reinterpret_cast<cuprum_stream>(uintptr_t{0x77});
    cuprum_stream stream = untouched;
    driver.fail("cuStreamCreateWithPriority", CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(cuprum_stream_create(&stream, 0, nullptr), CUPRUM_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(last_error().domain, CUPRUM_DOMAIN_DRIVER);
    EXPECT_EQ(last_error().code, CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(stream, untouched);
    EXPECT_EQ(live_handles(), 0U);
    cuprum_stream_destroy(make_stream());
}

std::atomic<bool> is_waiting{false};
std::atomic<bool> may_return{false};
CUresult wait_for_permission(CUstream) {
    is_waiting = true;
    while (!may_return) {
        std::this_thread::yield();
    }
    return CUDA_SUCCESS;
}

TEST_F(FunctionsTest, AStreamThatIsDestroyedWhileItIsWaitedForGoesWhenTheWaitIsOver) {
    const cuprum_stream stream = make_stream();
    const TableOverride synchronize = replace("cuStreamSynchronize", &wait_for_permission);
    cuprum_status waited = CUPRUM_ERROR_INTERNAL;
    std::thread waiting([&] { waited = cuprum_stream_sync(stream); });
    while (!is_waiting) {
        std::this_thread::yield();
    }
    EXPECT_EQ(cuprum_stream_destroy(stream), CUPRUM_SUCCESS);
    EXPECT_EQ(driver.live_streams(), 1U) << "the driver is still using it";
    int32_t done = 0;
    EXPECT_EQ(cuprum_stream_is_done(&done, stream), CUPRUM_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuprum_stream_destroy(stream), CUPRUM_ERROR_INVALID_HANDLE);
    may_return = true;
    waiting.join();
    EXPECT_EQ(waited, CUPRUM_SUCCESS);
    EXPECT_EQ(driver.live_streams(), 0U);
}

TEST_F(FunctionsTest, WhatIsBorrowedIsNotDestroyed) {
    const cuprum_stream owner = make_stream();
    uint64_t native = 0;
    ASSERT_EQ(cuprum_stream_native(&native, owner), CUPRUM_SUCCESS);
    cuprum_buffer borrowed = nullptr;
    ASSERT_EQ(cuprum_buffer_from_native(&borrowed, 0, 0xFFFFFFFF00000001, 0xFFFFFFFE), CUPRUM_SUCCESS);
    uint64_t address = 0;
    EXPECT_EQ(cuprum_buffer_native(&address, borrowed), CUPRUM_SUCCESS);
    EXPECT_EQ(address, 0xFFFFFFFF00000001);
    cuprum_stream fallback = nullptr;
    ASSERT_EQ(cuprum_stream_default(&fallback, 0), CUPRUM_SUCCESS);
    driver.forget_calls();
    EXPECT_EQ(cuprum_buffer_destroy(borrowed), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_stream_destroy(fallback), CUPRUM_SUCCESS);
    EXPECT_THAT(driver.calls(), testing::IsEmpty());
    EXPECT_EQ(cuprum_stream_destroy(owner), CUPRUM_SUCCESS);
    EXPECT_EQ(driver.count("cuStreamDestroy"), 1);
}

TEST_F(FunctionsTest, ABufferOfABorrowedStreamIsFreedInIt) {
    cuprum_stream fallback = nullptr;
    cuprum_buffer buffer = nullptr;
    ASSERT_EQ(cuprum_stream_default(&fallback, 0), CUPRUM_SUCCESS);
    ASSERT_EQ(cuprum_buffer_allocate(&buffer, 0, 64, fallback), CUPRUM_SUCCESS) << last_error().message;
    EXPECT_EQ(driver.count("cuMemAllocAsync"), 1);
    EXPECT_EQ(cuprum_stream_destroy(fallback), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_buffer_destroy(buffer), CUPRUM_SUCCESS);
    EXPECT_EQ(driver.count("cuMemFreeAsync"), 1);
    EXPECT_EQ(driver.count("cuStreamDestroy"), 0);
}

TEST_F(FunctionsTest, AStreamOfAnotherDeviceIsRefused) {
    const cuprum_stream stream = make_stream();
    cuprum_buffer buffer = nullptr;
    EXPECT_EQ(cuprum_buffer_allocate(&buffer, 1, 64, stream), CUPRUM_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(buffer, nullptr);
    cuprum_stream_destroy(stream);
}

// Runs in a child: handles are destroyed by an exit handler that runs after Cuprum's own, when the driver may be gone.
FakeDriver* driver_at_exit = nullptr;
cuprum_stream stream_at_exit = nullptr;
[[noreturn]] void exit_with_a_live_stream(FakeDriver& driver) {
    driver_at_exit = &driver;
    std::atexit([] {
        const bool is_destroyed = cuprum_stream_destroy(stream_at_exit) == CUPRUM_SUCCESS;
        _exit(is_destroyed && driver_at_exit->count("cuStreamDestroy") == 0 ? 0 : 1);
    });
    cuprum_stream_create(&stream_at_exit, 0, nullptr);
    std::exit(2);
}

using FunctionsDeathTest = FunctionsTest;

TEST_F(FunctionsDeathTest, WhileTheProcessExitsObjectsAreAbandoned) {
    EXPECT_EXIT(exit_with_a_live_stream(driver), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cuprum::capi
