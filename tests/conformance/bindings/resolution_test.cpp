// Every function of every list, as far as the resolver, in the libraries of this machine.
#include <gtest/gtest.h>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::bindings::test {
namespace {

class EveryFunction : public testing::TestWithParam<Library*> {};

TEST_P(EveryFunction, IsThereOrItsAbsenceIsExplained) {
    Library& library = *GetParam();
    const int version = library.version();
    std::size_t present = 0;
    for (const Function& function : library.functions()) {
        take_resolution_failure();
        if (library.address_of(function.name) != nullptr) {
            ++present;
            continue;
        }
        const auto failure = take_resolution_failure();
        ASSERT_TRUE(failure.has_value()) << function.name;
        EXPECT_EQ(failure->function, function.name);
        EXPECT_EQ(failure->library_version, version);
        // A library of the headers' own version lacks nothing that they declare; only what needs another API's library
        // may be missing from a driver that was built without it.
        EXPECT_TRUE(version < function.version || version != CUDA_VERSION) << failure->to_error().what();
    }
    RecordProperty(library.name(), std::to_string(present) + " of " + std::to_string(library.functions().size()));
    EXPECT_GT(present, library.functions().size() / 2);
}

INSTANTIATE_TEST_SUITE_P(OfEachLibrary, EveryFunction, testing::ValuesIn(libraries().begin(), libraries().end()),
                         [](const auto& instance) { return std::string(instance.param->name()); });

}  // namespace
}  // namespace cuprum::bindings::test
