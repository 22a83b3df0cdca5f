// Iterators upon each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

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

struct Wide {
    double parts[8];
};

// NOLINTBEGIN(bugprone-use-after-move): that is what is tested
TEST(Values, AreAsTheyWereAfterAMove) {
    Type type(TypeKind::int32);
    const Type taken_type = std::move(type);
    EXPECT_EQ(type, taken_type);
    EXPECT_EQ(type.size(), 4U);

    const Type wide = Type::structure("Wide", {{"first", Type(TypeKind::float64), 0}}, sizeof(Wide), alignof(Wide));
    const Wide parts{{1, 2, 3, 4, 5, 6, 7, 8}};
    Value value(wide, &parts);
    const Value taken_value = std::move(value);
    ASSERT_EQ(value.size(), sizeof parts);
    Wide back{};
    std::memcpy(&back, value.data(), sizeof back);
    EXPECT_THAT(back.parts, testing::ElementsAreArray(parts.parts));

    Operator op("a + state.first", taken_value);
    const Operator taken_op = std::move(op);
    EXPECT_EQ(op.text(), taken_op.text());
    EXPECT_TRUE(op.has_code_of(taken_op));

    Iterator iterator = Iterator::transform(Iterator::pointer(type), op, type);
    const Iterator taken_iterator = std::move(iterator);
    EXPECT_EQ(iterator.shape_text(), taken_iterator.shape_text());
    EXPECT_EQ(iterator.state().size(), taken_iterator.state().size());
    EXPECT_EQ(std::memcmp(iterator.state().data(), taken_iterator.state().data(), iterator.state().size()), 0);
}
// NOLINTEND(bugprone-use-after-move)

}  // namespace
}  // namespace cuprum::parallel
