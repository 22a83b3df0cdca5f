// Iterators upon each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuprum/parallel/iterator.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {
namespace {

// Destroying one destroys those within it, one call within the other.
TEST(Iterators, AreNestedUpToTheLimit) {
    const Type type(TypeKind::int32);
    Iterator iterator = Iterator::pointer(type);
    for (uint32_t i = 0; i < Iterator::max_depth; ++i)
        iterator = Iterator::transform(iterator, OpKind::negate, type);
    try {
        Iterator::transform(iterator, OpKind::negate, type);
        FAIL() << "there is no limit";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.detail(), testing::HasSubstr("more than 64 nested iterators"));
    }
    EXPECT_THROW(Iterator::indexed(iterator), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
