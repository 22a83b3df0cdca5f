#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Declaration, GivesAVariableItsSpaceTypeAndSize) {
    const Module module = parse_valid(module_text(
        ".global .align 16 .b8 bytes[3][5]; .const .f64 number; .shared .v4 .f32 vectors[2]; .local .u16 half;"));
    const Variable& bytes = variable_named(module, "bytes");
    EXPECT_EQ(bytes.space, StateSpace::global);
    EXPECT_EQ(bytes.type, ScalarType::b8);
    EXPECT_EQ(bytes.size, 15u);
    EXPECT_EQ(bytes.alignment, 16u);
    EXPECT_EQ(variable_named(module, "number").space, StateSpace::constant);
    EXPECT_EQ(variable_named(module, "number").alignment, 8u);
    const Variable& vectors = variable_named(module, "vectors");
    EXPECT_EQ(vectors.space, StateSpace::shared);
    EXPECT_EQ(vectors.vector_length, 4u);
    EXPECT_EQ(vectors.alignment, 16u);
    EXPECT_EQ(vectors.size, 32u);
    EXPECT_EQ(variable_named(module, "half").space, StateSpace::local);
}

TEST(Declaration, MayNameSeveralVariables) {
    const Module module = parse_valid(module_text(".global .u32 a, b[3] = {1, 2, 3}, c = 4;"));
    EXPECT_EQ(variable_named(module, "a").size, 4u);
    EXPECT_EQ(variable_named(module, "b").size, 12u);
    EXPECT_EQ(variable_named(module, "c").initial_value[0], std::byte{4});
}

TEST(Declaration, LeavesAnExternalArrayWithoutSize) {
    const Module module = parse_valid(module_text(".extern .shared .align 16 .b8 dynamic[];"));
    const Variable& dynamic = variable_named(module, "dynamic");
    EXPECT_TRUE(dynamic.unsized_array);
    EXPECT_EQ(dynamic.size, 0u);
    EXPECT_EQ(dynamic.linkage, Linkage::external);
}

TEST(Declaration, ReplacesAnExternalVariableByItsDefinition) {
    const Module module = parse_valid(
        module_text(".extern .global .u32 a[];\n.extern .global .u32 a[];\n.visible .global .u32 a[2] = {7, 8};\n"
                    ".visible .entry k() { .reg .u32 %r; ld.global.u32 %r, [a+4]; ret; }"));
    EXPECT_EQ(module.variables.size(), 1u);
    EXPECT_EQ(module.variables[0].size, 8u);
    EXPECT_EQ(module.variables[0].linkage, Linkage::visible);
}

TEST(Declaration, ReadsAttributes) {
    const Module module =
        parse_valid(module_text(".visible .global .attribute(.managed) .align 8 .u64 m; .global "
                                ".attribute(.unified(19, 95), .managed) .f32 f;"));
    EXPECT_TRUE(variable_named(module, "m").managed);
    EXPECT_TRUE(variable_named(module, "f").managed);
}

TEST(Declaration, NumbersRegisters) {
    const Module module = parse_valid(module_text(
        ".visible .entry k() { .reg .pred %p<3>, %q; .reg .b64 %rd<2>; add.u64 %rd1, %rd0, %rd1; mov.pred %q, %p2; }"));
    const Function& kernel = module.functions[0];
    std::vector<std::string> names;
    for (const Register& reg : kernel.registers) {
        names.push_back(reg.name);
    }
    EXPECT_THAT(names, ElementsAre("%p0", "%p1", "%p2", "%q", "%rd0", "%rd1"));
    EXPECT_EQ(kernel.registers[3].type, ScalarType::pred);
    EXPECT_EQ(kernel.registers[4].type, ScalarType::b64);
    EXPECT_EQ(kernel.instructions[0].operands[0].index, 5u);
    EXPECT_EQ(kernel.instructions[0].operands[1].index, 4u);
    EXPECT_EQ(kernel.instructions[1].operands[0].index, 3u);
    EXPECT_EQ(kernel.instructions[1].operands[1].index, 2u);
}

TEST(Declaration, KnowsOnlyTheRegistersItNumbers) {
    for (const char* name : {"%r3", "%r", "%r01", "%r4294967297", "%r1x"}) {
        EXPECT_THAT(
            diagnostics_of(module_text(".entry k() { .reg .b32 %r<3>; neg.s32 %r0, " + std::string(name) + "; }")),
            ElementsAre(HasSubstr("undefined name '" + std::string(name) + "'")));
    }
}

TEST(Declaration, ExpandsVectorRegisters) {
    const Module module = parse_valid(
        module_text(".entry k() { .reg .v4 .f32 %v<2>; .reg .v2 .b32 %w; mov.f32 %v1.y, %v0.w; mov.b32 %w.r, %w.g;\n"
                    "ld.v4.f32 %v1, [0]; }"));
    const Function& kernel = module.functions[0];
    ASSERT_EQ(kernel.registers.size(), 10u);
    EXPECT_EQ(kernel.registers[5].name, "%v1.y");
    EXPECT_EQ(kernel.registers[9].name, "%w.y");
    EXPECT_EQ(kernel.instructions[0].operands[0].index, 5u);
    EXPECT_EQ(kernel.instructions[0].operands[1].index, 3u);
    EXPECT_EQ(kernel.instructions[1].operands[0].index, 8u);
    EXPECT_EQ(kernel.instructions[1].operands[1].index, 9u);
    const Operand& whole = kernel.instructions[2].operands[0];
    ASSERT_EQ(whole.kind, Operand::Kind::vector);
    ASSERT_EQ(whole.elements.size(), 4u);
    EXPECT_EQ(whole.elements[0].index, 4u);
    EXPECT_EQ(whole.elements[3].index, 7u);
}

TEST(Declaration, RejectsANameThatIsTakenInItsScope) {
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a; .global .u32 a;")),
                ElementsAre("2:30: the name 'a' is declared twice in one scope"));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %r3;")), ElementsAre(HasSubstr("'%r3' is declared twice")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %r<2>;")),
                ElementsAre(HasSubstr("some of the registers '%r'<2> are declared already")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %s<100>; .reg .b32 %s1<5>;")),
                ElementsAre(HasSubstr("some of the registers '%s1'<5>")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %s4; .reg .b32 %s<5>;")),
                ElementsAre(HasSubstr("some of the registers '%s'<5>")));
    EXPECT_THAT(diagnostics_of(kernel_text("again: again:")), ElementsAre(HasSubstr("'again' is declared twice")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %s1<5>; .reg .b32 %s<11>;")),
                ElementsAre(HasSubstr("some of the registers '%s'<11>")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %s<5>; .reg .b32 %s<1>;")),
                ElementsAre(HasSubstr("some of the registers '%s'<1>")));
    parse_kernel(".reg .b32 %s<10>; .reg .b32 %s1<5>; mov.b32 %s14, %s9;");
    parse_kernel(".reg .b32 %s1<5>; .reg .b32 %s<10>; mov.b32 %s14, %s9;");
    parse_kernel(".reg .b32 %s0<5>; .reg .b32 %s<100>; mov.b32 %s04, %s4;");
    // Clashes are found as well when the scope holds more than is declared.
    std::string many;
    for (int i = 0; i < 50; ++i) {
        many += ".reg .b32 %t" + std::to_string(i) + ", %u" + std::to_string(100 + i) + "_; .reg .b32 %w" +
                std::to_string(i) + "x<2>;\n";
    }
    EXPECT_THAT(diagnostics_of(kernel_text(many + ".reg .b32 %t<3>;")), ElementsAre(HasSubstr("'%t'<3>")));
    EXPECT_THAT(diagnostics_of(kernel_text(many + ".reg .b32 %z1<3>; .reg .b32 %z<20>;")),
                ElementsAre(HasSubstr("'%z'<20>")));
    EXPECT_THAT(diagnostics_of(kernel_text(many + ".reg .b32 %z1<3>; .reg .b32 %z<9>;")), ElementsAre());
}

TEST(Declaration, LimitsWhatAFewCharactersCanAllocate) {
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %big<4000000000>;")),
                ElementsAre(HasSubstr("the module declares too many registers: 4000000000")));
    EXPECT_THAT(diagnostics_of(kernel_text(".reg .b32 %big<5000000000>;")),
                ElementsAre(HasSubstr("'5000000000' does not fit in 32 bits")));
    EXPECT_THAT(diagnostics_of(module_text(".global .b8 x[99999999999999];")),
                ElementsAre(HasSubstr("the number of elements must be from 0 to")));
    EXPECT_THAT(diagnostics_of(module_text(".global .b64 x[1000000][1000000][1000000];")),
                ElementsAre(HasSubstr("'x' is larger than 2^40 bytes")));
    EXPECT_THAT(diagnostics_of(module_text(".global .b8 x[99999999999] = {1};")),
                ElementsAre(HasSubstr("the module has too many bytes of initial values: 99999999999 here")));
    parse_valid(module_text(".global .b8 x[99999999999];"));  // no initial value: nothing to allocate here
}

TEST(Declaration, NamesWhatItDoesNotTake) {
    EXPECT_THAT(diagnostics_of(module_text(".global .align 3 .u32 a;")),
                ElementsAre("2:16: the alignment must be a power of two, found 3"));
    EXPECT_THAT(diagnostics_of(module_text(".global .u33 a;")),
                ElementsAre(HasSubstr("unknown directive '.u33' in a declaration")));
    EXPECT_THAT(diagnostics_of(module_text(".global a;")), ElementsAre(HasSubstr("expected a type such as .b32")));
    EXPECT_THAT(diagnostics_of(module_text(".global .texref t;")), ElementsAre(HasSubstr("'.texref'")));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a[2][];")),
                ElementsAre(HasSubstr("only the first dimension")));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 a[];")), ElementsAre(HasSubstr("needs a size")));
    EXPECT_THAT(diagnostics_of(module_text(".global .pred a;")), ElementsAre(HasSubstr("only a register can")));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 .u64 a;")), ElementsAre(HasSubstr("a second type '.u64'")));
    EXPECT_THAT(diagnostics_of(module_text(".extern .global .u32 a; .global .u64 a;")),
                ElementsAre(HasSubstr("was declared with another type in line 2")));
}

}  // namespace
}  // namespace cuprum::simulator::ptx
