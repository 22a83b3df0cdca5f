#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Function, DescribesTheParametersOfAKernel) {
    const Module module = parse_valid(module_text(
        ".visible .entry k(.param .u64 .ptr .global .align 1 k_param_0, .param .align 8 .b8 k_param_1[24],\n"
        ".param .f32 k_param_2) { .reg .f32 %f; ld.param.f32 %f, [k_param_2]; ret; }"));
    const Function& kernel = module.functions[0];
    EXPECT_TRUE(kernel.is_kernel);
    EXPECT_TRUE(kernel.has_body);
    EXPECT_EQ(kernel.linkage, Linkage::visible);
    const std::vector<Variable>& parameters = kernel.prototype.parameters;
    ASSERT_EQ(parameters.size(), 3u);
    EXPECT_EQ(parameters[0].size, 8u);
    EXPECT_EQ(parameters[0].alignment, 8u);  // what it points to is aligned to 1, not the parameter
    EXPECT_EQ(parameters[1].size, 24u);
    EXPECT_EQ(parameters[1].alignment, 8u);
    EXPECT_EQ(parameters[2].name, "k_param_2");
    const Operand& base = kernel.instructions[0].operands[1].elements[0];
    EXPECT_EQ(base.kind, Operand::Kind::symbol);
    EXPECT_EQ(base.index, kernel.parameter_symbols[2]);
    const Variable& variable = module.variables[module.symbols[base.index].index];
    EXPECT_EQ(variable.space, StateSpace::parameter);
    EXPECT_EQ(variable.name, "k_param_2");
}

TEST(Function, KeepsPerformanceDirectives) {
    const Module module = parse_valid(module_text(
        ".entry a() .maxntid 256, 2 .minnctapersm 3 .maxnreg 64 { ret; }\n"
        ".entry b() .reqntid 32, 4, 2 .reqnctapercluster 2, 1, 1 .explicitcluster .maxclusterrank 8 { ret; }\n"
        ".entry c() .pragma \"nounroll\"; .maxnctapersm 4 .blocksareclusters { ret; }"));
    const Function& a = function_named(module, "a");
    EXPECT_THAT(a.max_threads, ElementsAre(256, 2, 1));
    EXPECT_THAT(a.required_threads, ElementsAre(0, 0, 0));
    EXPECT_EQ(a.min_blocks_per_multiprocessor, 3u);
    EXPECT_EQ(a.max_registers, 64u);
    const Function& b = function_named(module, "b");
    EXPECT_THAT(b.required_threads, ElementsAre(32, 4, 2));
    EXPECT_THAT(b.required_cluster, ElementsAre(2, 1, 1));
    EXPECT_TRUE(b.explicit_cluster);
    EXPECT_EQ(b.max_cluster_rank, 8u);
    EXPECT_THAT(function_named(module, "c").max_threads, ElementsAre(0, 0, 0));
}

TEST(Function, MayBeDeclaredBeforeItsDefinition) {
    const Module module = parse_valid(
        module_text(".func (.param .b32 r) f (.param .b64 p) ;\n.extern .func stop (.param .b32 _) .noreturn;\n"
                    ".entry k() { .param .b32 a; .param .b64 b; call (a), f, (b); ret; }\n"
                    ".func (.param .b32 out) f (.param .b64 in) { .reg .b64 %rd; ld.param.b64 %rd, [in]; st.param.b32 "
                    "[out], 1; ret; }"));
    ASSERT_EQ(module.functions.size(), 3u);
    const Function& f = function_named(module, "f");
    EXPECT_FALSE(f.is_kernel);
    EXPECT_TRUE(f.has_body);
    EXPECT_EQ(f.prototype.returns[0].name, "out");
    EXPECT_EQ(f.instructions[0].operands[1].elements[0].index, f.parameter_symbols[0]);
    EXPECT_EQ(f.instructions[1].operands[0].elements[0].index, f.return_symbols[0]);
    EXPECT_TRUE(function_named(module, "stop").prototype.no_return);
    EXPECT_FALSE(function_named(module, "stop").has_body);
    EXPECT_EQ(function_named(module, "stop").linkage, Linkage::external);
}

TEST(Function, InheritsFromItsDeclaration) {
    const Module module =
        parse_valid(module_text(".weak .func f() .noreturn;\n.func f() { exit; }\n.func f() .noreturn;"));
    EXPECT_TRUE(module.functions[0].prototype.no_return);
    EXPECT_TRUE(module.functions[0].has_body);
    EXPECT_EQ(module.functions[0].linkage, Linkage::weak);
}

TEST(Function, MustBeDeclaredTheSameEachTime) {
    EXPECT_THAT(diagnostics_of(module_text(".func f(.param .u32 a);\n.func f(.param .u64 a) { ret; }")),
                ElementsAre(HasSubstr("'f' was declared with other parameters or another kind in line 2")));
    EXPECT_THAT(diagnostics_of(module_text(".func f() { ret; }\n.func f() { ret; }")),
                ElementsAre("3:7: the function 'f' is defined a second time; the first is in line 2"));
    EXPECT_THAT(diagnostics_of(module_text(".func f() { ret; }\n.func f(.param .u32 a, .param .u32 b) { bra x; }")),
                ElementsAre(HasSubstr("'f' is defined a second time")));
    EXPECT_THAT(diagnostics_of(module_text(".global .u32 f;\n.func f() { ret; }")),
                ElementsAre("3:7: the name 'f' is declared twice in one scope"));
}

TEST(Function, CollectsTheVariablesOfItsBody) {
    const Module module = parse_valid(module_text(
        ".entry k() { .local .align 8 .b8 depot[16]; { .param .b64 param0; { .shared .f32 s[4]; } } ret; }"));
    const Function& kernel = module.functions[0];
    ASSERT_EQ(kernel.variables.size(), 3u);
    EXPECT_EQ(module.variables[kernel.variables[0]].name, "depot");
    EXPECT_EQ(module.variables[kernel.variables[1]].space, StateSpace::parameter);
    EXPECT_EQ(module.variables[kernel.variables[2]].size, 16u);
}

TEST(Scope, HidesOuterNamesUntilItEnds) {
    const Module module = parse_kernel(
        "neg.s32 %r1, %r1;\n{ .reg .b32 %r1; neg.s32 %r1, %r1;\n{ .reg .b32 %r<2>; neg.s32 %r1, %r2; }\n"
        "neg.s32 %r1, %r1; }\nneg.s32 %r1, %r1;");
    const Function& kernel = module.functions[0];
    std::vector<uint32_t> registers;
    for (const Instruction& instruction : kernel.instructions) {
        registers.push_back(instruction.operands[0].index);
    }
    const uint32_t outer = registers[0];
    EXPECT_EQ(registers[4], outer);
    EXPECT_NE(registers[1], outer);
    EXPECT_EQ(registers[3], registers[1]);
    EXPECT_NE(registers[2], registers[1]);
    EXPECT_NE(registers[2], outer);
    EXPECT_EQ(kernel.registers[registers[1]].name, "%r1");
    EXPECT_EQ(kernel.instructions[2].operands[1].index, outer + 1);  // %r2 is only outside
}

TEST(Scope, ReadsInlineAssemblyWithSeveralStatementsOnALine) {
    const Module module = parse_kernel(
        "{  .reg .s32 r0;  .reg .pred p;  shfl.sync.up.b32 r0|p, %r1, %r2, 0, -1;  @!p add.s32 r0, r0, %r3;  mov.b32 "
        "%r4, r0;}\n{\n.reg .pred %p1;\n}\nvote.sync.ballot.b32 %r1, %p1, -1; vote.ballot.sync.b32 %r1, !%p1, -1;");
    const std::vector<Instruction>& instructions = module.functions[0].instructions;
    ASSERT_EQ(instructions.size(), 5u);
    EXPECT_EQ(instructions[0].operands[0].kind, Operand::Kind::pair);
    EXPECT_TRUE(instructions[1].guarded);
    EXPECT_TRUE(instructions[1].guard_negated);
    EXPECT_EQ(instructions[1].guard_register, instructions[0].operands[0].elements[1].index);
    EXPECT_EQ(instructions[3].operands[1].index, instructions[4].operands[1].index);
    EXPECT_TRUE(instructions[4].operands[1].negated);
}

TEST(Label, IsTheIndexOfTheInstructionBehindIt) {
    const Module module =
        parse_kernel("bra forward;\nback: neg.s32 %r1, %r1;\nforward: also: @%p1 bra back;\nbra end;\nend:");
    const Function& kernel = module.functions[0];
    EXPECT_EQ(kernel.instructions[0].operands[0].kind, Operand::Kind::label);
    EXPECT_EQ(kernel.instructions[0].operands[0].index, 2u);
    EXPECT_EQ(kernel.instructions[2].operands[0].index, 1u);
    EXPECT_EQ(kernel.instructions[3].operands[0].index, 4u);
    EXPECT_THAT(kernel.labels, ElementsAre(1, 2, 4));
}

TEST(Label, BelongsToItsScope) {
    const Module module = parse_kernel("{ L: bra L; }\n{ bra L; ret; L: bra out; }\nout: ret;");
    const Function& kernel = module.functions[0];
    EXPECT_EQ(kernel.instructions[0].operands[0].index, 0u);
    EXPECT_EQ(kernel.instructions[1].operands[0].index, 3u);
    EXPECT_EQ(kernel.instructions[3].operands[0].index, 4u);
    EXPECT_THAT(
        diagnostics_of(kernel_text("bra inner; { inner: ret; }")),
        ElementsAre("8:5: undefined name 'inner': no register, variable, function or label of that name is in scope"));
}

TEST(Label, OfATableOfBranchTargetsMayComeLater) {
    const Module module =
        parse_kernel("a: neg.s32 %r1, %r1;\nt: .branchtargets a, b, c;\nbrx.idx %r1, t;\nb: ret;\nc: exit;");
    const Function& kernel = module.functions[0];
    EXPECT_EQ(kernel.instructions[1].operands[1].kind, Operand::Kind::branch_targets);
    ASSERT_EQ(kernel.branch_tables.size(), 1u);
    EXPECT_THAT(kernel.branch_tables[0], ElementsAre(0, 2, 3));
    EXPECT_THAT(kernel.labels, ElementsAre(0, 2, 3));
    EXPECT_THAT(diagnostics_of(kernel_text("t: .branchtargets nowhere; brx.idx %r1, t;")),
                ElementsAre(HasSubstr("undefined name 'nowhere'")));
}

TEST(Call, TakesEveryForm) {
    const Module module = parse_valid(module_text(
        ".func f() { ret; } .func (.param .b32 r) g(.param .b32 a, .param .b32 b) { ret; }\n"
        ".entry k() { .reg .b64 %rd<3>; .param .b32 x; .param .b32 y; .param .b32 z;\n"
        "prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[16]) .noreturn;\n"
        "none: .callprototype ()_ ();\ntargets: .calltargets g;\n"
        "call f; call.uni (x), g, (y, z); call.uni (x), %rd1, (y, 5), prototype_0; call %rd2, none; call f, ();\n"
        "call (x), %rd1, (y, z), targets; }"));
    const Function& kernel = function_named(module, "k");
    const std::vector<Instruction>& calls = kernel.instructions;
    EXPECT_EQ(calls[0].operands.size(), 1u);
    EXPECT_EQ(module.functions[module.symbols[calls[0].operands[0].index].index].name, "f");
    ASSERT_EQ(calls[1].operands.size(), 3u);
    EXPECT_EQ(calls[1].operands[0].kind, Operand::Kind::list);
    EXPECT_EQ(calls[1].operands[2].elements.size(), 2u);
    EXPECT_EQ(calls[2].operands[1].kind, Operand::Kind::reg);
    EXPECT_EQ(calls[2].operands[2].elements[1].bits, 5u);
    ASSERT_EQ(calls[2].operands[3].kind, Operand::Kind::prototype);
    const Prototype& prototype = kernel.prototypes[calls[2].operands[3].index];
    EXPECT_TRUE(prototype.no_return);
    EXPECT_EQ(prototype.returns[0].size, 4u);
    EXPECT_EQ(prototype.parameters[1].size, 16u);
    EXPECT_THAT(kernel.prototypes[calls[3].operands[1].index].parameters, IsEmpty());
    EXPECT_THAT(calls[4].operands[1].elements, IsEmpty());
    EXPECT_EQ(kernel.prototypes[calls[5].operands[3].index].parameters.size(), 2u);
}

TEST(Function, ReportsAMissingEnd) {
    EXPECT_THAT(diagnostics_of(module_text(".entry k() {\nret;\n")),
                ElementsAre("4:1: expected '}' to close the body of 'k', found the end of the text"));
    EXPECT_THAT(diagnostics_of(module_text(".section .debug {\n.b8 1\n")), ElementsAre(HasSubstr("expected '}'")));
}

TEST(Function, LimitsHowDeepBlocksNest) {
    EXPECT_THAT(diagnostics_of(kernel_text(std::string(200, '{') + "ret;" + std::string(200, '}'))), IsEmpty());
    const std::vector<std::string> messages = diagnostics_of(kernel_text(std::string(100000, '{')));
    ASSERT_FALSE(messages.empty());
    EXPECT_THAT(messages[0], HasSubstr("blocks are nested more than 256 deep"));
}

}  // namespace
}  // namespace cuprum::simulator::ptx
