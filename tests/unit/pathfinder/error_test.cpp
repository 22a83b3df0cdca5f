// What an error says, and that it can be copied while nothing else can be done.
#include "cuprum/pathfinder/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace cuprum {
namespace {

ErrorInfo driver_info() {
    ErrorInfo info;
    info.status = Status::driver_error;
    info.domain = ErrorDomain::driver;
    info.code = 1;
    info.name = "CUDA_ERROR_INVALID_VALUE";
    info.operation = "copying 4096 bytes to host memory";
    info.object = "Buffer 0x7f00 (1024 bytes) on device 0";
    info.detail = "the buffer has 1024 bytes";
    info.advice = "copy at most 1024 bytes";
    return info;
}

TEST(Error, SaysWhatWasDoneToWhichObjectWhatHappenedAndWhatToDo) {
    const Error error(driver_info());
    EXPECT_STREQ(error.what(),
                 "copying 4096 bytes to host memory (Buffer 0x7f00 (1024 bytes) on device 0): "
                 "CUDA_ERROR_INVALID_VALUE (CUDA driver, code 1)\n"
                 "the buffer has 1024 bytes\n"
                 "copy at most 1024 bytes");
    EXPECT_EQ(error.status(), Status::driver_error);
    EXPECT_EQ(error.domain(), ErrorDomain::driver);
    EXPECT_EQ(error.code(), 1);
    EXPECT_EQ(error.name(), "CUDA_ERROR_INVALID_VALUE");
    EXPECT_EQ(error.operation(), "copying 4096 bytes to host memory");
    EXPECT_EQ(error.object(), "Buffer 0x7f00 (1024 bytes) on device 0");
    EXPECT_EQ(error.detail(), "the buffer has 1024 bytes");
    EXPECT_EQ(error.advice(), "copy at most 1024 bytes");
}

TEST(Error, LeavesOutWhatItDoesNotKnow) {
    ErrorInfo info;
    info.status = Status::not_ready;
    EXPECT_STREQ(Error(info).what(), "not ready");
    info.object = "Event 3";
    EXPECT_STREQ(Error(info).what(), "Event 3: not ready");
}

TEST(Error, WithoutALibrarysNameGoesOnWithWhatIsWrong) {
    const InvalidArgument error("copying 800 bytes from host memory", "Buffer 0x7f00 (16 bytes) on device 0",
                                "the buffer has only 16 bytes", "copy less");
    EXPECT_STREQ(
        error.what(),
        "copying 800 bytes from host memory (Buffer 0x7f00 (16 bytes) on device 0): the buffer has only 16 bytes\n"
        "copy less");
    EXPECT_EQ(error.detail(), "the buffer has only 16 bytes");
}

TEST(Error, CopiesWithoutThrowing) {
    static_assert(std::is_nothrow_copy_constructible_v<Error>);
    static_assert(std::is_nothrow_copy_constructible_v<NotFound>);
    static_assert(std::is_nothrow_copy_constructible_v<OutOfMemory>);
    const Error original(driver_info());
    const Error copy = original;
    EXPECT_STREQ(copy.what(), original.what());
    EXPECT_EQ(static_cast<const void*>(copy.what()), static_cast<const void*>(original.what()));
}

// The C ABI has the same numbers.
TEST(Error, StatusNumbersAreFixed) {
    EXPECT_EQ(static_cast<int>(Status::invalid_argument), 1);
    EXPECT_EQ(static_cast<int>(Status::library_not_found), 5);
    EXPECT_EQ(static_cast<int>(Status::driver_error), 8);
    EXPECT_EQ(static_cast<int>(Status::compile_error), 11);
    EXPECT_EQ(static_cast<int>(Status::not_ready), 16);
    EXPECT_EQ(static_cast<int>(Status::internal), 99);
    EXPECT_EQ(static_cast<int>(ErrorDomain::pathfinder), 5);
}

TEST(Error, NotFoundListsTheCandidatesInOrder) {
    ErrorInfo info;
    info.status = Status::library_not_found;
    info.operation = "finding nvrtc";
    info.advice = "install it";
    const NotFound error(info, {{"/a", "does not exist"}, {"/b", "is not an ELF file"}});
    EXPECT_STREQ(error.what(),
                 "finding nvrtc: library not found\nlooked at:\n  /a: does not exist\n  /b: is not an ELF file\n"
                 "install it");
    ASSERT_EQ(error.candidates().size(), 2u);
    EXPECT_EQ(error.candidates()[1].path, "/b");
}

TEST(Error, OutOfMemorySaysHowMuchWasAskedFor) {
    EXPECT_EQ(OutOfMemory(ErrorInfo{}, 1ull << 40).requested_bytes(), 1ull << 40);
}

TEST(Error, ANumberThatIsNoStatusHasAText) {
    EXPECT_EQ(to_string(static_cast<Status>(1234)), "unknown");
    EXPECT_EQ(to_string(static_cast<ErrorDomain>(1234)), "unknown");
}

}  // namespace
}  // namespace cuprum
