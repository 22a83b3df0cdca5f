// How a companion finds the library that it stands before.
#include "companions/real_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace cuprum::simulator::companions {
namespace {

LibraryKind kind() {
    return {"libnvrtc", "CUPRUM_TEST_NVRTC", {"libnvrtc.so.13"}, {"nvidia/cu13/lib"}, {}};
}

// A library is opened once per process, so each case runs in a process of its own: EXPECT_EXIT.
void exit_with(bool as_expected) {
    std::_Exit(as_expected ? 0 : 1);
}

TEST(RealLibraryDeathTest, AMissingFileIsNamedWithTheVariable) {
    const auto look = [] {
        setenv("CUPRUM_TEST_NVRTC", "/nowhere/libnvrtc.so.13", 1);
        RealLibrary library(kind());
        exit_with(library.symbol("nvrtcVersion") == nullptr &&
                  library.problem().find("/nowhere/libnvrtc.so.13 was given") != std::string::npos);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "finds no real one.*CUPRUM_TEST_NVRTC");
}

TEST(RealLibraryDeathTest, ACompanionIsNeverTakenForTheRealOne) {
    const auto look = [] {
        RealLibrary library(kind());
        library.use(CUPRUM_TEST_COMPANION);
        exit_with(library.symbol("nvrtcVersion") == nullptr);
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "is another companion");
}

TEST(RealLibraryDeathTest, AMissingFunctionIsNamed) {
    const auto look = [] {
        LibraryKind other = kind();
        other.file_names = {"libc.so.6"};
        unsetenv("CUPRUM_TEST_NVRTC");
        RealLibrary library(other);
        exit_with(library.symbol("strlen") != nullptr && library.problem().empty() &&
                  library.symbol("nvrtcVersion") == nullptr &&
                  library.problem() == "the real libnvrtc has no function nvrtcVersion");
    };
    EXPECT_EXIT(look(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cuprum::simulator::companions
