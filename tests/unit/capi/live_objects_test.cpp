// Kinds of objects have the same names in C++ and in the other languages.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cuprum/capi/trace.h"
#include "cuprum/core/live_objects.hpp"

namespace cuprum::capi {
namespace {

TEST(LiveObjectNames, AreTheSameInEveryLanguage) {
    uint32_t kinds = 0;
    ASSERT_EQ(cuprum_handle_kind_count(&kinds), CUPRUM_SUCCESS);
    std::set<std::string> names;
    for (uint32_t kind = 0; kind < kinds; ++kind) {
        const char* name = nullptr;
        uint64_t count = 0;
        ASSERT_EQ(cuprum_live_handles_of_kind(&name, &count, kind), CUPRUM_SUCCESS);
        names.insert(name);
    }
    for (size_t kind = 0; kind < core::object_kind_count; ++kind) {
        const std::string name(core::object_kind_name(static_cast<core::ObjectKind>(kind)));
        EXPECT_EQ(names.count(name), 1U) << name;
    }
}

}  // namespace
}  // namespace cuprum::capi
