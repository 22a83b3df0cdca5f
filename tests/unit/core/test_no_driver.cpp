// A machine without a CUDA driver: errors, not crashes, and nothing is remembered of the failure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuprum/bindings/driver.hpp"
#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

using testing::HasSubstr;

// Every other function keeps to the library that is not there.
bindings::TableOverride failing_start(CUresult (*start)(unsigned int)) {
    return {bindings::driver::library(), "cuInit", start};
}

TEST(NoDriver, IsAnErrorThatNamesThePlacesAndTheSimulator) {
    try {
        static_cast<void>(Device::count());
        FAIL();
    } catch (const NotFound& error) {
        EXPECT_EQ(error.status(), Status::library_not_found);
        EXPECT_THAT(error.operation(), HasSubstr("initialising the CUDA driver"));
        EXPECT_THAT(error.what(), HasSubstr("CUPRUM_DRIVER"));
        EXPECT_FALSE(error.candidates().empty());
    }
}

TEST(NoDriver, IsTheSameErrorEachTime) {
    for (int i = 0; i < 3; ++i)
        EXPECT_THROW(Device(0), NotFound);
    EXPECT_THROW(driver_version(), NotFound);
    EXPECT_THROW(static_cast<void>(ObjectCode::from_ptx("ptx").get_kernel("saxpy")), NotFound);
}

TEST(NoDriver, LeavesInvalidObjectsUsable) {
    Stream stream;
    stream.close();
    EXPECT_THROW(stream.sync(), InvalidArgument);
    EXPECT_THROW(StreamRef::from_handle(nullptr), NotFound);
}

TEST(NoDriver, StillCompilesForAGivenArchitecture) {
    ProgramOptions options;
    options.arch = "sm_80";
    const ObjectCode code =
        Program("extern \"C\" __global__ void k() {}", SourceType::cxx, options).compile(CodeType::ptx);
    EXPECT_THAT(code.code(), HasSubstr(".target sm_80"));
}

TEST(NoDriver, StillCompilesPtxForTheOldestArchitecture) {
    const ObjectCode code = Program("extern \"C\" __global__ void k() {}").compile(CodeType::ptx);
    EXPECT_THAT(code.code(), HasSubstr(".target sm_75"));
    EXPECT_THROW(Program("extern \"C\" __global__ void k() {}").compile(), NotFound);
}

TEST(NoDriver, IsAnotherErrorThanNoDevice) {
    const auto start = failing_start([](unsigned int) { return CUDA_ERROR_NO_DEVICE; });
    try {
        static_cast<void>(Device::count());
        FAIL();
    } catch (const DriverError& error) {
        EXPECT_EQ(error.code(), CUDA_ERROR_NO_DEVICE);
        EXPECT_THAT(error.advice(), HasSubstr("CUPRUM_DRIVER=sim"));
    }
}

}  // namespace
}  // namespace cuprum::core
