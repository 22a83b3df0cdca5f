// The texts of types: limits, and time in proportion to the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "cuprum/parallel/type.hpp"
#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string reason(const std::string& text) {
    try {
        Type::parse(text);
    } catch (const InvalidArgument& error) {
        // Texts of any length are shown in part.
        EXPECT_LT(std::string(error.what()).size(), 1000U);
        return error.detail();
    }
    return "taken";
}

std::string nested(size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i)
        text += "S" + std::to_string(i) + "{f:";
    return text + "int8" + std::string(depth, '}');
}

TEST(TypeText, NestsAsDeepAsTheLimitAndNoDeeper) {
    EXPECT_EQ(Type::parse(nested(Type::max_depth)).size(), 1U);
    EXPECT_THAT(reason(nested(Type::max_depth + 1)), HasSubstr("at most 32 structs within each other"));
}

TEST(TypeText, NestedDeeperThanAnyStackIsRefused) {
    EXPECT_THAT(reason(nested(5000)), HasSubstr("at most 32 structs"));
    std::string open;
    for (int i = 0; i < 25000; ++i)
        open += "S{f:";
    EXPECT_THAT(reason(open), HasSubstr("expected at most 65536"));
    EXPECT_THAT(reason(open.substr(0, Type::max_text_size)), HasSubstr("at most 32 structs"));
}

// As many fields, or as long a name, as the limit lets in: quadratic time would be minutes.
TEST(TypeText, TakesTimeInProportion) {
    std::string fields = "S{";
    for (int i = 0; fields.size() < Type::max_text_size / 2; ++i)
        fields += (i == 0 ? "f" : ",f") + std::to_string(i) + ":int8";
    fields += '}';
    const std::string unknown(Type::max_text_size, 'x');
    const auto start = std::chrono::steady_clock::now();
    EXPECT_GT(Type::parse(fields).fields().size(), 2500U);
    EXPECT_THAT(reason(unknown), HasSubstr("at character 1"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(TypeText, BeyondTheLimitIsRefusedByItsLength) {
    for (const size_t length : {Type::max_text_size + 1, uint64_t{100'000}, uint64_t{10'000'000}}) {
        EXPECT_THAT(reason(std::string(length, 'x')), AllOf(HasSubstr(std::to_string(length)), HasSubstr("65536")));
    }
}

TEST(TypeText, WithNumbersThatWrapAroundIsRefused) {
    EXPECT_THAT(reason("P{x:int64@18446744073709551608}:8:8"), HasSubstr("offset of at most 65536"));
    EXPECT_THAT(reason("P{x:int64}:18446744073709551608:8"), HasSubstr("more than 65536"));
    EXPECT_THAT(reason("P{x:int32}:4:0"), HasSubstr("alignment of 0 is not a power of two"));
    EXPECT_THAT(reason("P{x:int32}:0:4"), HasSubstr("ends beyond"));
    EXPECT_THAT(reason("P{x:int32}:9223372036854775808:9223372036854775808"), HasSubstr("more than 65536"));
    EXPECT_THAT(reason("P{x:int32}:99999999999999999999:4"), HasSubstr("a number of bytes"));
    // A gap is filled byte by byte in the program that is compiled.
    EXPECT_THAT(reason("P{x:int8}:1073741824:1"), HasSubstr("more than 65536"));
}

TEST(TypeText, ThatIsLongIsShownWhereItIsWrong) {
    const std::string text = "P{" + std::string(500, 'a') + ":int8,b:int33,c:int8}";
    EXPECT_THAT(reason(text), AllOf(HasSubstr("at character 511"), HasSubstr("'int33,c:int8}'")));
}

TEST(StructureType, OfWrappingOffsetsIsRefused) {
    const Type int64(TypeKind::int64);
    EXPECT_THROW(Type::structure("P", {{"x", int64, UINT64_MAX - 7}}, 8, 8), InvalidArgument);
    EXPECT_THROW(Type::structure("P", {{"x", int64, 0}, {"y", int64, UINT64_MAX - 7}}, 8, 8), InvalidArgument);
    EXPECT_THROW(Type::structure("P", {{"x", int64, 0}}, 8, 0), InvalidArgument);
}

// Its text would double at each step.
TEST(StructureType, OfItselfTwiceOverEndsAtTheLimit) {
    Type type(TypeKind::int8);
    const auto twice = [&] {
        type = Type::structure("S", {{"a", type, 0}, {"b", type, type.size()}}, 2 * type.size(), 1);
    };
    EXPECT_THROW(
        {
            for (int i = 0; i < 64; ++i)
                twice();
        },
        InvalidArgument);
    EXPECT_LE(type.text().size(), Type::max_text_size);
    EXPECT_EQ(Type::parse(type.text()), type);
}

TEST(StructureType, NestsAsDeepAsTheLimitAndNoDeeper) {
    Type type(TypeKind::int8);
    for (uint32_t i = 0; i < Type::max_depth; ++i)
        type = Type::structure("S", {{"f", type, 0}}, 1, 1);
    EXPECT_EQ(Type::parse(type.text()), type);
    EXPECT_THROW(Type::structure("S", {{"f", type, 0}}, 1, 1), InvalidArgument);
}

TEST(StructureType, WithManyFieldsOrLongNamesIsRefusedAtOnce) {
    std::vector<Type::Field> fields;
    for (uint64_t i = 0; i < 100'000; ++i)
        fields.push_back({"f" + std::to_string(i), Type(TypeKind::int8), i});
    EXPECT_THROW(Type::structure("S", fields, 100'000, 1), InvalidArgument);
    const std::string name(10'000'000, 'x');  // NOLINT(bugprone-string-constructor): that long on purpose
    EXPECT_THROW(Type::structure(name, {{"f", Type(TypeKind::int8), 0}}, 1, 1), InvalidArgument);
    EXPECT_THROW(Type::structure("S", {{name, Type(TypeKind::int8), 0}}, 1, 1), InvalidArgument);
}

}  // namespace
}  // namespace cuprum::parallel
