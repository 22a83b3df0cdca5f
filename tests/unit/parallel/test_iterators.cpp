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

// What is used twice is there twice.
TEST(Iterators, DoNotDoubleWithoutEnd) {
    const Type type(TypeKind::int32);
    Iterator iterator = Iterator::pointer(type);
    try {
        for (int i = 0; i < 20; ++i)
            iterator = Iterator::permutation(iterator, iterator);
        FAIL() << "there is no limit";
    } catch (const InvalidArgument& error) {
        EXPECT_THAT(error.detail(), testing::HasSubstr("more than 256 iterators"));
    }
}

TEST(Iterators, SayWhatIsWrongWithWhatTheyAreMadeOf) {
    const Type number(TypeKind::int32);
    const Iterator memory = Iterator::pointer(number);
    const Iterator nowhere = Iterator::discard(number);
    const Iterator constant = Iterator::constant(int32_t{1});
    const auto detail = [](const auto& action) -> std::string {
        try {
            action();
        } catch (const InvalidArgument& error) {
            return error.object() + ": " + error.detail();
        }
        return "made";
    };
    EXPECT_EQ(detail([&] { Iterator::transform(nowhere, OpKind::negate, number); }),
              "discard<int32>: it can only be written to, and a transform iterator reads it");
    EXPECT_EQ(detail([&] { Iterator::transform_output(constant, OpKind::negate, number); }),
              "constant<int32>: it can only be read, and a transform output iterator writes to it");
    EXPECT_EQ(detail([&] { Iterator::permutation(memory, Iterator::constant(1.5)); }),
              "indices of float64: expected integers");
    EXPECT_EQ(detail([&] { Iterator::zip({}); }), "0 iterators: expected 1 to 64");
    const Iterator both[] = {nowhere, constant};
    EXPECT_EQ(detail([&] { Iterator::zip(both); }), "2 iterators: some can only be read and others only be written to");
    EXPECT_EQ(detail([&] { Iterator::zip(both, number); }),
              "elements of int32: expected a struct of 2 fields, one for each iterator");
    EXPECT_EQ(detail([&] { Iterator::shuffle(0, 1); }), "0 positions: expected 1 to 2^62");
    EXPECT_TRUE(Iterator::reverse(memory, 3).is_writable());
    EXPECT_FALSE(Iterator::reverse(constant, 3).is_writable());
    EXPECT_FALSE(Iterator::reverse(nowhere, 3).is_readable());
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
