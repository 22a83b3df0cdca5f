// The exceptions of core: what they carry, and which one a status is thrown as.
#include "cuprum/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <typeinfo>

namespace cuprum {
namespace {

template <class Expected>
void expect_thrown_as(Status status) {
    ErrorInfo info;
    info.status = status;
    try {
        throw_error(info);
    } catch (const Error& error) {
        EXPECT_TRUE(typeid(error) == typeid(Expected)) << to_string(status) << " came as " << typeid(error).name();
        EXPECT_EQ(error.status(), status);
    }
}

TEST(ErrorClasses, IsThrownAsTheClassOfItsStatus) {
    expect_thrown_as<InvalidArgument>(Status::invalid_argument);
    expect_thrown_as<Error>(Status::invalid_handle);
    expect_thrown_as<InvalidState>(Status::invalid_state);
    expect_thrown_as<OutOfMemory>(Status::out_of_memory);
    expect_thrown_as<NotFound>(Status::library_not_found);
    expect_thrown_as<NotFound>(Status::header_not_found);
    expect_thrown_as<NotFound>(Status::symbol_not_found);
    expect_thrown_as<DriverError>(Status::driver_error);
    expect_thrown_as<NvrtcError>(Status::nvrtc_error);
    expect_thrown_as<NvvmError>(Status::nvvm_error);
    expect_thrown_as<NvJitLinkError>(Status::nvjitlink_error);
    expect_thrown_as<CompileError>(Status::compile_error);
    expect_thrown_as<KernelNotFound>(Status::kernel_not_found);
    expect_thrown_as<ArgumentMismatch>(Status::argument_mismatch);
    expect_thrown_as<DeviceFault>(Status::device_fault);
    expect_thrown_as<Unsupported>(Status::unsupported);
    expect_thrown_as<Error>(Status::not_ready);
    expect_thrown_as<Error>(Status::internal);
}

TEST(ErrorClasses, CopyWithoutThrowing) {
    static_assert(std::is_nothrow_copy_constructible_v<CompileError>);
    static_assert(std::is_nothrow_copy_constructible_v<KernelNotFound>);
}

TEST(ErrorClasses, ADeviceFaultIsADriverError) {
    EXPECT_TRUE((std::is_base_of_v<DriverError, DeviceFault>));
}

TEST(ErrorClasses, CompileErrorCarriesLogOptionsAndHeaders) {
    ErrorInfo info;
    info.operation = "compiling saxpy.cu";
    const CompileError error(info, {"saxpy.cu(3): error: x is undefined\n", {"-arch=sm_90", "-std=c++17"}, {"my.h"}});
    EXPECT_EQ(error.status(), Status::compile_error);
    EXPECT_EQ(error.log(), "saxpy.cu(3): error: x is undefined\n");
    EXPECT_THAT(error.options(), testing::ElementsAre("-arch=sm_90", "-std=c++17"));
    EXPECT_THAT(error.headers(), testing::ElementsAre("my.h"));
    EXPECT_STREQ(error.what(),
                 "compiling saxpy.cu: compile error\nsaxpy.cu(3): error: x is undefined\n"
                 "options: -arch=sm_90 -std=c++17");
}

TEST(ErrorClasses, KernelNotFoundListsTheNamesThatThereAre) {
    const KernelNotFound error(ErrorInfo{}, {"saxpy", "reduce"});
    EXPECT_EQ(error.status(), Status::kernel_not_found);
    EXPECT_THAT(error.available(), testing::ElementsAre("saxpy", "reduce"));
    EXPECT_THAT(error.what(), testing::HasSubstr("saxpy\n  reduce"));
}

TEST(ErrorClasses, ArgumentMismatchNamesThePosition) {
    EXPECT_EQ(ArgumentMismatch(ErrorInfo{}, 2).position(), 2);
}

}  // namespace
}  // namespace cuprum
