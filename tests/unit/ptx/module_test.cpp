// The module's frame: header, files, sections, aliases.
#include <gtest/gtest.h>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

TEST(Module, KnowsItsVersionTargetAndAddressSize) {
    const Module module = parse_valid(".version 8.12\n.target sm_90a, texmode_independent, debug\n.address_size 32\n");
    EXPECT_EQ(module.version_major, 8u);
    EXPECT_EQ(module.version_minor, 12u);
    EXPECT_EQ(module.target, "sm_90a");
    EXPECT_EQ(module.address_size, 32u);
    EXPECT_EQ(parse_valid(".version 1.4 .target sm_10, map_f64_to_f32").address_size, 64u);
}

TEST(Module, IgnoresNulCharactersAtTheEnd) {
    parse_valid(module_text(".global .u32 a;") + std::string(3, '\0'));
}

TEST(Module, OwnsTheTextItsNamesPointInto) {
    std::string text = kernel_text("add.s32 %r1, %r2, 1; ret;");
    const Module module = parse_valid(text);
    const Module copy = module;
    text.assign(text.size(), '?');
    EXPECT_EQ(copy.functions[0].instructions[0].mnemonic, "add.s32");
    EXPECT_EQ(copy.functions[0].instructions[1].opcode, "ret");
}

TEST(Module, MapsFileNumbersToNamesWhereverTheDirectiveStands) {
    const Module module = parse_valid(module_text(
        ".visible .entry k() {\n.loc 7 12 3\nret;\n.loc 3 5 1, function_name $L__info_string0, inlined_at 7 13 9\n"
        "bar.sync 0;\n.loc 3 6 1, function_name $L__info_string0+16, inlined_at 7 13 9 exit;}\n"
        ".file 7 \"kernel.cu\"\n.file 3 \"header.cuh\", 1234, 99\n.section .debug_str { $L__info_string0: .b8 1,2 }"));
    const std::vector<Instruction>& instructions = module.functions[0].instructions;
    EXPECT_EQ(module.source_files[0], "");
    EXPECT_EQ(module.source_files[instructions[0].source_file], "kernel.cu");
    EXPECT_EQ(instructions[0].source_line, 12u);
    EXPECT_EQ(module.source_files[instructions[1].source_file], "header.cuh");
    EXPECT_EQ(instructions[1].source_line, 5u);
    EXPECT_EQ(instructions[2].source_line, 6u);
}

TEST(Module, DoesNotCarryASourceLineFromOneFunctionIntoTheNext) {
    const Module module = parse_valid(
        module_text(".file 1 \"a.cu\"\n.visible .entry k() {\n.loc 1 12 3\nret; }\n.visible .entry l() { ret; }"));
    EXPECT_EQ(module.functions[1].instructions[0].source_line, 0u);
    EXPECT_EQ(module.functions[1].instructions[0].source_file, 0u);
}

TEST(Module, SkipsDebugSectionsPragmasAndOldDwarfLines) {
    const Module module = parse_valid(module_text(
        ".pragma \"a\", \"b\";\n@@DWARF .byte 1, 2\n.section .debug_info\n{\n.b32 $L1\n.b8 1\n}\n.global .u32 after;"));
    EXPECT_EQ(module.variables.size(), 1u);
}

TEST(Module, LetsAnAliasStandForTheFunctionItNames) {
    const Module module =
        parse_valid(module_text(".visible .func f(.param .u32 a) { ret; }\n.visible .func g(.param .u32 a);\n"
                                ".visible .entry k() { .param .u32 p; call g, (p); ret; }\n.alias g, f;"));
    const Instruction& call = function_named(module, "k").instructions[0];
    const Symbol& callee = module.symbols[call.operands[0].index];
    EXPECT_EQ(module.functions[callee.index].name, "f");
}

TEST(Module, KeepsLinkage) {
    const Module module =
        parse_valid(module_text(".global .u32 a; .visible .global .u32 b; .extern .global .u32 c; .weak .global .u32 "
                                "d; .common .global .u32 e;"));
    EXPECT_EQ(variable_named(module, "a").linkage, Linkage::internal);
    EXPECT_EQ(variable_named(module, "b").linkage, Linkage::visible);
    EXPECT_EQ(variable_named(module, "c").linkage, Linkage::external);
    EXPECT_EQ(variable_named(module, "d").linkage, Linkage::weak);
    EXPECT_EQ(variable_named(module, "e").linkage, Linkage::common);
}

}  // namespace
}  // namespace cuprum::simulator::ptx
