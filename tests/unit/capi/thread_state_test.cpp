#include "thread_state.hpp"
#include "cuprum/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "call.hpp"
#include "count_allocations.hpp"

namespace cuprum::capi {
namespace {

using testing::HasSubstr;
using testing::StrEq;

cuprum_error_info last() {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    EXPECT_EQ(cuprum_error_last(&info), CUPRUM_SUCCESS);
    return info;
}

Error driver_error() {
    ErrorInfo info;
    info.status = Status::driver_error;
    info.domain = ErrorDomain::driver;
    info.code = 1;
    info.name = "CUDA_ERROR_INVALID_VALUE";
    info.operation = "copying 4 bytes";
    info.object = "Buffer 0x10";
    info.detail = "the detail";
    info.advice = "the advice";
    return DriverError(info);
}

CompileError compile_error(const std::string& object, CompileReport report) {
    ErrorInfo info;
    info.status = Status::compile_error;
    info.object = object;
    return CompileError(info, std::move(report));
}

TEST(LastErrorTest, KeepsEveryFieldOfAnException) {
    EXPECT_EQ(run("cuprum_version", [](const Call&) { throw driver_error(); }), CUPRUM_ERROR_DRIVER);
    const cuprum_error_info info = last();
    EXPECT_EQ(info.struct_size, sizeof info);
    EXPECT_EQ(info.status, CUPRUM_ERROR_DRIVER);
    EXPECT_EQ(info.domain, CUPRUM_DOMAIN_DRIVER);
    EXPECT_EQ(info.code, 1);
    EXPECT_THAT(info.name, StrEq("CUDA_ERROR_INVALID_VALUE"));
    EXPECT_THAT(info.message, HasSubstr("copying 4 bytes"));
    EXPECT_THAT(info.operation, StrEq("copying 4 bytes"));
    EXPECT_THAT(info.object, StrEq("Buffer 0x10"));
    EXPECT_THAT(info.detail, StrEq("the detail"));
    EXPECT_THAT(info.advice, StrEq("the advice"));
    EXPECT_THAT(info.log, StrEq(""));
}

TEST(LastErrorTest, KeepsTheLogOfACompile) {
    EXPECT_EQ(
        run("cuprum_version", [](const Call&) { throw compile_error("a.cu", {"a.cu(3): error: x", {"-DN"}, {}}); }),
        CUPRUM_ERROR_COMPILE);
    EXPECT_THAT(last().log, StrEq("a.cu(3): error: x"));
    EXPECT_THAT(last().message, HasSubstr("a.cu(3): error: x"));
    EXPECT_THAT(last().name, StrEq("CUPRUM_ERROR_COMPILE")) << "where there is no code the status is named";
}

TEST(LastErrorTest, EveryCallClearsItAndAskingForItDoesNot) {
    run("cuprum_version", [](const Call&) { throw driver_error(); });
    EXPECT_EQ(last().status, CUPRUM_ERROR_DRIVER);
    EXPECT_EQ(last().status, CUPRUM_ERROR_DRIVER);
    cuprum_error_status_name(CUPRUM_ERROR_DRIVER);
    EXPECT_EQ(last().status, CUPRUM_ERROR_DRIVER);
    int32_t version = 0;
    EXPECT_EQ(cuprum_version(&version), CUPRUM_SUCCESS);
    const cuprum_error_info info = last();
    EXPECT_EQ(info.status, CUPRUM_SUCCESS);
    for (const char* text :
         {info.name, info.message, info.operation, info.object, info.detail, info.advice, info.log}) {
        EXPECT_THAT(text, StrEq(""));
    }
}

TEST(LastErrorTest, BelongsToItsThread) {
    run("cuprum_version", [](const Call&) { throw driver_error(); });
    std::thread([] {
        EXPECT_EQ(last().status, CUPRUM_SUCCESS);
        EXPECT_EQ(cuprum_version(nullptr), CUPRUM_ERROR_INVALID_ARGUMENT);
        EXPECT_EQ(last().status, CUPRUM_ERROR_INVALID_ARGUMENT);
    }).join();
    EXPECT_EQ(last().status, CUPRUM_ERROR_DRIVER);
}

TEST(LastErrorTest, ExceptionsOfOthersBecomeStatusesToo) {
    EXPECT_EQ(run("cuprum_version", [](const Call&) { throw std::bad_alloc(); }), CUPRUM_ERROR_OUT_OF_MEMORY);
    EXPECT_THAT(last().message, HasSubstr("out of host memory"));
    EXPECT_EQ(run("cuprum_stream_sync", [](const Call&) { throw std::runtime_error("the reason"); }),
              CUPRUM_ERROR_INTERNAL);
    EXPECT_THAT(last().message, HasSubstr("the reason"));
    EXPECT_THAT(last().message, HasSubstr("waiting for a stream"));
    EXPECT_EQ(run("cuprum_version", [](const Call&) { throw 42; }), CUPRUM_ERROR_INTERNAL);
    EXPECT_THAT(last().message, HasSubstr("unknown type"));
}

TEST(LastErrorTest, TextThatIsNotUtf8IsMadeSo) {
    run("cuprum_version", [](const Call&) { throw compile_error("caf\xE9.cu", {"// caf\xE9", {"-DX=\xFF"}, {}}); });
    EXPECT_THAT(last().object, StrEq("caf\xEF\xBF\xBD.cu"));
    EXPECT_THAT(last().log, StrEq("// caf\xEF\xBF\xBD"));
    EXPECT_THAT(last().message, testing::Not(HasSubstr("\xE9")));
    EXPECT_THAT(last().message, testing::Not(HasSubstr("\xFF")));
}

// The status survives whatever allocation fails on the way.
TEST(LastErrorTest, IsStoredWithoutMemory) {
    last();  // the thread's state exists
    const Error prepared = driver_error();
    test::fail_allocations_from(1);
    const cuprum_status known = run("cuprum_version", [&](const Call&) { throw Error(prepared); });
    test::fail_allocations_from(0);
    EXPECT_EQ(known, CUPRUM_ERROR_DRIVER);
    EXPECT_THAT(last().detail, StrEq("the detail")) << "an exception's texts are shared, not copied";

    for (uint64_t n = 1; n <= 12; ++n) {
        test::fail_allocations_from(n);
        const cuprum_status status = cuprum_version(nullptr);
        test::fail_allocations_from(0);
        EXPECT_TRUE(status == CUPRUM_ERROR_INVALID_ARGUMENT || status == CUPRUM_ERROR_OUT_OF_MEMORY) << status;
        EXPECT_EQ(last().status, status);
        EXPECT_THAT(last().message, testing::Not(StrEq("")));
    }
}

TEST(LastErrorTest, AThreadWithoutMemoryForItsStateStillGetsStatuses) {
    std::thread([] {
        test::fail_allocations_from(1);
        const cuprum_status status = cuprum_version(nullptr);
        cuprum_error_info info{};
        info.struct_size = sizeof info;
        const cuprum_status asked = cuprum_error_last(&info);
        test::fail_allocations_from(0);
        EXPECT_NE(status, CUPRUM_SUCCESS);
        EXPECT_EQ(asked, CUPRUM_SUCCESS);
        EXPECT_NE(info.message, nullptr);
    }).join();
}

struct CallsWhenTheThreadEnds {
    ~CallsWhenTheThreadEnds() {
        *status = cuprum_version(nullptr);
        cuprum_error_info info{};
        info.struct_size = sizeof info;
        *asked = cuprum_error_last(&info);
    }
    cuprum_status* status = nullptr;
    cuprum_status* asked = nullptr;
};

TEST(LastErrorTest, CallsFromDestructorsOfThreadLocalObjectsAreSafe) {
    cuprum_status status = CUPRUM_SUCCESS;
    cuprum_status asked = CUPRUM_ERROR_INTERNAL;
    std::thread([&] {
        thread_local CallsWhenTheThreadEnds at_the_end;  // made before the library's own state: destroyed after it
        at_the_end.status = &status;
        at_the_end.asked = &asked;
        EXPECT_EQ(cuprum_version(nullptr), CUPRUM_ERROR_INVALID_ARGUMENT);
    }).join();
    EXPECT_EQ(status, CUPRUM_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(asked, CUPRUM_SUCCESS);
}

TEST(LastErrorTest, RefusesAStructSizeThatCannotBeOne) {
    EXPECT_EQ(cuprum_error_last(nullptr), CUPRUM_ERROR_INVALID_ARGUMENT);
    for (const uint32_t size : {0u, 4u, 12u, 70u, 1u << 20}) {
        cuprum_error_info info{};
        info.struct_size = size;
        info.status = 1234;
        EXPECT_EQ(cuprum_error_last(&info), CUPRUM_ERROR_INVALID_ARGUMENT) << size;
        EXPECT_EQ(info.status, 1234) << "untouched";
    }
}

TEST(LentTextTest, EveryPositionHasItsOwnText) {
    const char* first = lend("first", 0);
    const char* second = lend("second", 1);
    EXPECT_THAT(first, StrEq("first"));
    EXPECT_THAT(second, StrEq("second"));
    EXPECT_THAT(lend("\xFF"), StrEq("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace cuprum::capi
