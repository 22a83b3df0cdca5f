// What an error says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "fake_driver.hpp"

namespace cuprum::core {
namespace {

using test::FakeDriver;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Errors : public testing::Test {
protected:
    FakeDriver driver;
    Device device{0};
};

// The error that `action` throws.
template <class Expected, class Action>
Expected error_of(const Action& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error;
    }
    throw std::runtime_error("nothing was thrown");
}

TEST_F(Errors, NameOperationObjectCodeAndTheDriversDescription) {
    const Buffer buffer = device.allocate(4096);
    std::array<char, 64> host{};
    driver.fail("cuMemcpyDtoH", CUDA_ERROR_INVALID_VALUE);
    const auto error = error_of<DriverError>([&] { buffer.copy_to_host(host.data(), host.size()); });
    EXPECT_EQ(error.status(), Status::driver_error);
    EXPECT_EQ(error.domain(), ErrorDomain::driver);
    EXPECT_EQ(error.code(), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(error.name(), "CUDA_ERROR_INVALID_VALUE");
    EXPECT_EQ(error.operation(), "copying 64 bytes to host memory");
    EXPECT_THAT(error.object(), AllOf(HasSubstr("Buffer 0x"), HasSubstr("(4096 bytes) on device 0")));
    EXPECT_EQ(error.detail(), "cuMemcpyDtoH: invalid argument");
    EXPECT_THAT(error.what(), AllOf(HasSubstr(error.operation()), HasSubstr(error.object()), HasSubstr(error.name())));
}

TEST_F(Errors, CarryTheDriversNewLogLines) {
    driver.fail("cuStreamSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS, "kernel saxpy: thread (7,0,0) read 0xdead");
    const Stream stream = device.create_stream();
    const auto error = error_of<DeviceFault>([&] { stream.sync(); });
    EXPECT_THAT(error.detail(), HasSubstr("\nkernel saxpy: thread (7,0,0) read 0xdead"));
}

TEST_F(Errors, DoNotCarryLogLinesOfExpectedFailures) {
    const ObjectCode code = ObjectCode::from_ptx("ptx");
    driver.fail("cuKernelGetParamInfo", CUDA_ERROR_INVALID_VALUE, "no such parameter", 4);
    static_cast<void>(code.get_kernel("saxpy"));
    driver.fail("cuLibraryGetKernel", CUDA_ERROR_NOT_FOUND, "no such kernel");
    EXPECT_THROW(code.get_kernel("saxpy"), KernelNotFound);
    driver.fail("cuCtxSynchronize", CUDA_ERROR_UNKNOWN, "the real reason");
    const auto error = error_of<DriverError>([&] { device.sync(); });
    EXPECT_THAT(error.detail(), AllOf(HasSubstr("the real reason"), Not(HasSubstr("no such"))));
}

TEST_F(Errors, KeepTheNewestOfManyLogLines) {
    std::string many;
    for (int i = 0; i < 2000; ++i)
        many += "line " + std::to_string(i) + "\n";
    driver.fail("cuCtxSynchronize", CUDA_ERROR_UNKNOWN, many);
    const auto error = error_of<DriverError>([&] { device.sync(); });
    EXPECT_LT(error.detail().size(), 5000U);
    EXPECT_THAT(error.detail(), Not(HasSubstr("line 1\n")));
}

TEST_F(Errors, SayOnceWhatTheDriverLogsSeveralTimes) {
    const std::string fault = "kernel 'k', block (0, 0, 0): wrote 4 bytes at 0x0";
    driver.fail("cuCtxSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS,
                "CUDA_ERROR_ILLEGAL_ADDRESS: " + fault + "\ncuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: " + fault +
                    "\ncuCtxSynchronize: the context is out of service since an earlier error: " + fault +
                    "\nand more of it");
    const auto error = error_of<DeviceFault>([&] { device.sync(); });
    EXPECT_THAT(error.detail(), testing::StartsWith("cuCtxSynchronize: "));
    EXPECT_THAT(error.detail(), testing::EndsWith("\n" + fault + "\nand more of it"));
    EXPECT_EQ(error.detail().find(fault), error.detail().rfind(fault));
    EXPECT_THAT(error.detail(), Not(HasSubstr("ILLEGAL_ADDRESS")));
}

class StickyErrors : public Errors, public testing::WithParamInterface<CUresult> {};

TEST_P(StickyErrors, AreDeviceFaultsThatSayThatTheContextIsLost) {
    driver.fail("cuCtxSynchronize", GetParam());
    const auto error = error_of<DeviceFault>([&] { device.sync(); });
    EXPECT_EQ(error.status(), Status::device_fault);
    EXPECT_EQ(error.code(), GetParam());
    EXPECT_THAT(error.advice(), HasSubstr("the context is lost"));
}

INSTANTIATE_TEST_SUITE_P(Codes, StickyErrors,
                         testing::Values(CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS,
                                         CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_INVALID_PC,
                                         CUDA_ERROR_INVALID_ADDRESS_SPACE, CUDA_ERROR_LAUNCH_FAILED,
                                         CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_ASSERT,
                                         CUDA_ERROR_HARDWARE_STACK_ERROR));

TEST_F(Errors, OfMemoryCarrySizeAndFreeMemory) {
    driver.fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
    const auto error = error_of<OutOfMemory>([&] { static_cast<void>(device.allocate(123456)); });
    EXPECT_EQ(error.status(), Status::out_of_memory);
    EXPECT_EQ(error.requested_bytes(), 123456U);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("allocating 123456 bytes"), HasSubstr("device 0"),
                                    HasSubstr("1000 of the device's 4000 bytes are free")));
}

TEST_F(Errors, OfMemoryStandEvenWhenFreeMemoryIsNotKnown) {
    driver.fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY);
    driver.fail("cuMemGetInfo", CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(error_of<OutOfMemory>([&] { static_cast<void>(device.allocate(9)); }).requested_bytes(), 9U);
}

TEST_F(Errors, OfUnsupportedCallsAreUnsupported) {
    const Stream stream = device.create_stream();
    driver.fail("cuMemAllocAsync", CUDA_ERROR_NOT_SUPPORTED);
    const auto error = error_of<Unsupported>([&] { static_cast<void>(device.allocate(8, stream)); });
    EXPECT_EQ(error.code(), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(Errors, WithACodeThatTheDriverCannotNameShowTheNumber) {
    driver.fail("cuCtxSynchronize", CUDA_ERROR_NOT_PERMITTED);  // the fake does not know it
    EXPECT_EQ(error_of<DriverError>([&] { device.sync(); }).name(), "CUresult 800");
}

TEST_F(Errors, OfLoadingCarryTheAssemblersLogAndAnAdvice) {
    driver.jit_log = "ptxas application ptx input, line 7; fatal: parsing error";
    driver.fail("cuLibraryLoadData", CUDA_ERROR_INVALID_PTX);
    const ObjectCode code = ObjectCode::from_ptx("bad ptx", "my.ptx");
    const auto error = error_of<DriverError>([&] { static_cast<void>(code.get_kernel("saxpy")); });
    EXPECT_EQ(error.object(), "PTX 'my.ptx' (7 bytes)");
    EXPECT_THAT(error.detail(), HasSubstr("line 7; fatal"));
    EXPECT_THAT(error.advice(), HasSubstr("PTX"));
}

TEST_F(Errors, OfAnOrdinalSayHowManyDevicesThereAre) {
    for (const int32_t ordinal : {-1, 2, 1000}) {
        const auto error = error_of<InvalidArgument>([&] { static_cast<void>(Device(ordinal)); });
        EXPECT_THAT(error.what(), AllOf(HasSubstr("device " + std::to_string(ordinal)), HasSubstr("2 devices")));
    }
}

TEST_F(Errors, OfCleaningUpGoToTheHandler) {
    static std::vector<std::string> reports;
    reports.clear();
    const CleanupErrorHandler former =
        set_cleanup_error_handler([](const Error& error) noexcept { reports.push_back(error.what()); });
    EXPECT_EQ(former, nullptr);
    driver.fail("cuStreamDestroy", CUDA_ERROR_UNKNOWN);
    driver.fail("cuEventDestroy", CUDA_ERROR_DEINITIALIZED);
    driver.fail("cuMemFree", CUDA_ERROR_ILLEGAL_ADDRESS);
    {
        const Stream stream = device.create_stream();
        const Event event = device.create_event();
        const Buffer buffer = device.allocate(16);
    }
    EXPECT_NE(set_cleanup_error_handler(nullptr), nullptr);
    ASSERT_EQ(reports.size(), 2U) << "a driver that is shutting down is no failure";
    EXPECT_THAT(reports[0], AllOf(HasSubstr("freeing device memory"), HasSubstr("(16 bytes) on device 0")));
    EXPECT_THAT(reports[1], HasSubstr("destroying a stream"));
}

TEST_F(Errors, OfCleaningUpAreSilentByDefault) {
    driver.fail("cuStreamDestroy", CUDA_ERROR_UNKNOWN);
    EXPECT_NO_THROW(static_cast<void>(device.create_stream()));
}

}  // namespace
}  // namespace cuprum::core
