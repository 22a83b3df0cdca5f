#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
std::vector<T> values(const Module& module, std::string_view name) {
    const Variable& variable = variable_named(module, name);
    EXPECT_EQ(variable.initial_value.size(), variable.size);
    std::vector<T> result(variable.initial_value.size() / sizeof(T));
    std::memcpy(result.data(), variable.initial_value.data(), result.size() * sizeof(T));
    return result;
}

TEST(Initializer, WritesNumbersOfTheVariablesType) {
    const Module module = parse_valid(
        module_text(".global .s16 a[3] = {1, -2, 0x10003}; .global .f32 b[3] = {0f3F800000, 2.5, 0d4000000000000000};\n"
                    ".const .f64 c = 0f3FC00000; .global .u64 d = -1; .global .b8 e = {7};"));
    EXPECT_THAT(values<int16_t>(module, "a"), ElementsAre(1, -2, 3));
    EXPECT_THAT(values<float>(module, "b"), ElementsAre(1.0f, 2.5f, 2.0f));
    EXPECT_THAT(values<double>(module, "c"), ElementsAre(1.5));
    EXPECT_THAT(values<uint64_t>(module, "d"), ElementsAre(~uint64_t{0}));
    EXPECT_THAT(values<uint8_t>(module, "e"), ElementsAre(7));
}

TEST(Initializer, FillsWhatIsLeftOutWithZeros) {
    const Module module = parse_valid(module_text(".global .u32 a[2][3] = {{1}, {2, 3}}; .global .u8 b[4] = {};"));
    EXPECT_THAT(values<uint32_t>(module, "a"), ElementsAre(1, 0, 0, 2, 3, 0));
    EXPECT_THAT(values<uint8_t>(module, "b"), ElementsAre(0, 0, 0, 0));
}

TEST(Initializer, GivesAnArrayWithoutSizeItsSize) {
    const Module module =
        parse_valid(module_text(".global .u16 a[] = {1, 2, 3}; .global .u8 b[][2] = {{1, 2}, {3}, {4, 5}}; .global .v2 "
                                ".u8 c[] = {{1, 2}, {3, 4}};"));
    EXPECT_THAT(values<uint16_t>(module, "a"), ElementsAre(1, 2, 3));
    EXPECT_THAT(values<uint8_t>(module, "b"), ElementsAre(1, 2, 3, 0, 4, 5));
    EXPECT_THAT(values<uint8_t>(module, "c"), ElementsAre(1, 2, 3, 4));
}

TEST(Initializer, TakesVectorsAsTheInnermostDimension) {
    const Module module = parse_valid(
        module_text(".global .v4 .f32 a = {1.0, 2.0, 3.0, 4.0}; .global .v2 .u32 b[2] = {{1, 2}, {3, 4}};"));
    EXPECT_THAT(values<float>(module, "a"), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(values<uint32_t>(module, "b"), ElementsAre(1, 2, 3, 4));
}

TEST(Initializer, RemembersAddressesOfSymbols) {
    const Module module = parse_valid(module_text(
        ".global .u32 t[8]; .func f() { ret; }\n"
        ".global .u64 a[5] = {5, t+4, generic(t)+8, f, generic(t+12)}; .global .u32 b = t; .const .u64 self = self;"));
    const std::vector<Relocation>& relocations = variable_named(module, "a").relocations;
    ASSERT_EQ(relocations.size(), 4u);
    EXPECT_EQ(relocations[0].offset, 8u);
    EXPECT_EQ(relocations[0].size, 8u);
    EXPECT_EQ(relocations[0].addend, 4);
    EXPECT_FALSE(relocations[0].generic);
    EXPECT_EQ(module.variables[module.symbols[relocations[0].symbol].index].name, "t");
    EXPECT_EQ(relocations[1].addend, 8);
    EXPECT_TRUE(relocations[1].generic);
    EXPECT_EQ(module.symbols[relocations[2].symbol].kind, Symbol::Kind::function);
    EXPECT_EQ(relocations[3].addend, 12);
    EXPECT_EQ(variable_named(module, "b").relocations[0].size, 4u);
    EXPECT_EQ(variable_named(module, "self").relocations.size(), 1u);
}

TEST(Initializer, PutsMaskedBytesOfAnAddressTogether) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) {
        bytes += ", 0xff" + std::string(static_cast<size_t>(2 * i), '0') + "(generic(t)+16)";
    }
    const Module module = parse_valid(module_text(".global .u32 t[8]; .global .u8 a[9] = {3" + bytes + "};"));
    const std::vector<Relocation>& relocations = variable_named(module, "a").relocations;
    ASSERT_EQ(relocations.size(), 1u);
    EXPECT_EQ(relocations[0].offset, 1u);
    EXPECT_EQ(relocations[0].size, 8u);
    EXPECT_EQ(relocations[0].shift, 0u);
    EXPECT_EQ(relocations[0].addend, 16);
    EXPECT_TRUE(relocations[0].generic);
}

TEST(Initializer, KeepsSinglePartsOfAnAddress) {
    const Module module = parse_valid(
        module_text(".global .u32 t; .global .u8 a[3] = {0xff00(t), 0xFF(t), 1}; .global .u16 b = 0xffff0000(t);"));
    const std::vector<Relocation>& relocations = variable_named(module, "a").relocations;
    ASSERT_EQ(relocations.size(), 2u);
    EXPECT_EQ(relocations[0].size, 1u);
    EXPECT_EQ(relocations[0].shift, 8u);
    EXPECT_EQ(relocations[1].offset, 1u);
    EXPECT_EQ(relocations[1].shift, 0u);
    EXPECT_EQ(variable_named(module, "b").relocations[0].size, 2u);
    EXPECT_EQ(variable_named(module, "b").relocations[0].shift, 16u);
}

TEST(Initializer, DoesNotTakeRepeatedPartsForAWholeAddress) {
    const Module module =
        parse_valid(module_text(".global .u32 t; .global .u8 a[8] = {0xff(t), 0xff(t), 0xff(t), 0xff(t), 0xff(t), "
                                "0xff(t), 0xff(t), 0xff(t)};"));
    EXPECT_EQ(variable_named(module, "a").relocations.size(), 8u);
}

TEST(Initializer, RejectsValuesThatDoNotFitTheVariable) {
    const auto message = [](const char* declaration) { return ElementsAre(HasSubstr(declaration)); };
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a[2] = {1, 2, 3};")), message("the variable takes 2 here"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a[2][2] = {1, 2, 3, 4};")), message("expected '{'"));
    EXPECT_THAT(diagnostics_of(module_text(".global .f32 a = 1;")), message("found an integer"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a = 1.5;")), message("found a floating-point constant"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u64 a = nowhere;")), message("undefined name 'nowhere'"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u8 t; .global .u8 a = t;")),
                message("needs an element of 32 or 64"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u8 t; .global .u8 a = 0xfff(t);")), message("the mask '0xfff'"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u8 t; .global .u8 a = 0(t);")), message("the mask '0'"));
    EXPECT_THAT(diagnostics_of(module_text(".shared .u32 a = 1;")), message("only .global and .const variables"));
    EXPECT_THAT(diagnostics_of(module_text(".extern .global .u32 a = 1;")), message("the .extern variable 'a'"));
    EXPECT_THAT(diagnostics_of(module_text(".global .f16 a = 1.0;")), message("takes no initial value"));
}

}  // namespace
}  // namespace cuprum::simulator::ptx
