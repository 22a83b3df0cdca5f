// Linking PTX texts into one, which the parser then takes.
#include "ptx/linker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/parser.hpp"

namespace cuprum::simulator::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* header = ".version 8.0\n.target sm_80\n.address_size 64\n";

std::string module(const std::string& body) {
    return header + body;
}

LinkResult link_texts(const std::vector<std::string>& texts, uint32_t max_registers = 0) {
    static constexpr const char* names[] = {"a", "b", "c"};
    std::vector<LinkInput> inputs;
    for (size_t index = 0; index < texts.size(); ++index)
        inputs.push_back({names[index], texts[index]});
    return link(inputs, max_registers);
}

// The linked module, parsed.
Module linked(const std::vector<std::string>& texts) {
    const LinkResult result = link_texts(texts);
    EXPECT_THAT(result.errors, IsEmpty());
    ParseResult parsed = parse(result.text);
    for (const Diagnostic& diagnostic : parsed.diagnostics)
        ADD_FAILURE() << format(diagnostic, result.text);
    return std::move(parsed.module);
}

const Function& function_named(const Module& module, const std::string& name) {
    const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                    [&](const Function& function) { return function.name == name; });
    EXPECT_NE(found, module.functions.end()) << name;
    return *found;
}

std::vector<std::string> variable_names(const Module& module) {
    std::vector<std::string> names;
    for (const Variable& variable : module.variables) {
        if (variable.space == StateSpace::global) names.push_back(variable.name);
    }
    return names;
}

const std::string caller = module(".extern .func twice(.param .b32 x);\n.visible .entry k(.param .u64 p) { ret; }\n");
const std::string callee = module(".visible .func twice(.param .b32 x) { ret; }\n");

TEST(LinkerTest, ADefinitionSatisfiesAnotherInputsDeclaration) {
    for (const auto& texts : {std::vector{caller, callee}, std::vector{callee, caller}}) {
        EXPECT_TRUE(function_named(linked(texts), "twice").has_body);
        EXPECT_THAT(link_texts(texts).undefined, IsEmpty());
    }
}

TEST(LinkerTest, WhatNobodyDefinesIsReportedWithWhoWantsIt) {
    const LinkResult result = link_texts({callee, module(".extern .global .b32 limit;\n")});
    ASSERT_EQ(result.undefined.size(), 1u);
    EXPECT_EQ(result.undefined[0].symbol, "limit");
    EXPECT_EQ(result.undefined[0].input, "b");
}

TEST(LinkerTest, DynamicSharedMemoryIsNobodysToDefine) {
    const std::string uses = module(".extern .shared .align 16 .b8 buffer[];\n");
    EXPECT_THAT(link_texts({uses, uses}).undefined, IsEmpty());
    linked({uses, uses});
}

TEST(LinkerTest, TwoDefinitionsOfOneNameAreAnError) {
    EXPECT_THAT(link_texts({callee, callee}).errors,
                ElementsAre("Multiple definition of 'twice' in 'b', first defined in 'a'"));
}

TEST(LinkerTest, OneOfSeveralWeakDefinitionsIsKept) {
    const std::string weak = module(".weak .func f() { ret; }\n.weak .global .b32 v = 7;\n");
    const Module result = linked({weak, weak});
    EXPECT_EQ(std::count_if(result.functions.begin(), result.functions.end(), [](const auto& f) { return f.has_body; }),
              1);
    EXPECT_THAT(variable_names(result), ElementsAre("v"));
}

TEST(LinkerTest, AStrongDefinitionWinsOverAWeakOneBeforeIt) {
    const Module result = linked({module(".weak .global .b32 v = 7;\n"), module(".visible .global .b32 v = 8;\n")});
    ASSERT_EQ(variable_names(result), std::vector<std::string>{"v"});
    EXPECT_EQ(result.variables[0].initial_value[0], std::byte{8});
}

TEST(LinkerTest, PrivateNamesOfTwoInputsStayTwo) {
    const std::string uses =
        ".global .b32 state;\n.visible .func %s() { .reg .b64 %rd<2>; mov.u64 %rd1, state; ret; }\n";
    const auto with_name = [&](const std::string& name) {
        std::string text = uses;
        return module(text.replace(text.find("%s"), 2, name));
    };
    const Module result = linked({with_name("f"), with_name("g")});
    EXPECT_EQ(variable_names(result).size(), 2u);
    const auto variable_of = [&](const char* name) {
        const Operand& operand = function_named(result, name).instructions[0].operands[1];
        EXPECT_EQ(operand.kind, Operand::Kind::symbol);
        return result.symbols[operand.index].index;
    };
    EXPECT_NE(variable_of("f"), variable_of("g"));
}

TEST(LinkerTest, ExportedNamesSatisfyOtherInputs) {
    const std::string internal = module(".func twice(.param .b32 x);\n.func twice(.param .b32 x) { ret; }\n");
    EXPECT_THAT(link_texts({caller, internal}).undefined, testing::SizeIs(1));
    const std::string exports[] = {"twice"};
    const LinkInput inputs[] = {{"a", caller}, {"b", internal, exports}};
    const LinkResult result = link(inputs);
    EXPECT_THAT(result.undefined, IsEmpty());
    EXPECT_THAT(parse(result.text).diagnostics, IsEmpty());
}

TEST(LinkerTest, SourceFilesOfAllInputsAreKept) {
    const auto with_file = [](const std::string& file, const std::string& function) {
        return module(".visible .func " + function + "()\n{\n.loc 1 5 0\nret;\n}\n.file 1 \"" + file + "\"\n");
    };
    const Module result = linked({with_file("a.cu", "f"), with_file("b.cu", "g")});
    EXPECT_EQ(result.source_files[function_named(result, "f").instructions[0].source_file], "a.cu");
    EXPECT_EQ(result.source_files[function_named(result, "g").instructions[0].source_file], "b.cu");
}

TEST(LinkerTest, TheNewestVersionAndTargetCount) {
    const Module result = linked(
        {".version 8.0\n.target sm_75\n.address_size 64\n", ".version 7.5\n.target sm_90a, debug\n.address_size 64\n"});
    EXPECT_EQ(result.version_major, 8u);
    EXPECT_EQ(result.target, "sm_90a");
}

TEST(LinkerTest, DebugSectionsAreDropped) {
    const std::string debug = module(".section .debug_str\n{\nname:\n.b8 65\n}\n");
    EXPECT_THAT(link_texts({debug, debug}).text, Not(HasSubstr(".section")));
    linked({debug, debug});
}

TEST(LinkerTest, GridBarriersComeFromTheDeviceRuntime) {
    const std::string uses = module(
        ".extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 s);\n"
        ".extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 h, .param .b32 f);\n");
    EXPECT_THAT(link_texts({uses}).undefined, IsEmpty());
    EXPECT_TRUE(function_named(linked({uses}), "cudaCGSynchronize").has_body);
}

TEST(LinkerTest, ARegisterLimitIsStatedForKernelsThatStateNone) {
    const std::string text =
        link_texts({module(".visible .entry a() { ret; }\n.visible .entry b() .maxnreg 20 { ret; }\n")}, 38).text;
    const ParseResult parsed = parse(text);
    EXPECT_EQ(function_named(parsed.module, "a").max_registers, 38u);
    EXPECT_EQ(function_named(parsed.module, "b").max_registers, 20u);
}

TEST(LinkerTest, StatementsThatTheTextCutsShortDoNoHarm) {
    const std::string text =
        module(".file 1 \"a.cu\", 1, 2\n.pragma \"x\";\n.alias a, b;\n.weak .global .b32 v[2] = {1, 2};\n");
    for (size_t size = 0; size <= text.size(); ++size)
        link_texts({callee, text.substr(0, size)});
}

TEST(LinkerTest, BadTextIsAnErrorThatNamesTheInput) {
    for (const char* const text : {"", "no PTX", ".version 8.0\n.target sm_80\n.func f( {", ".version 8.0 .global .b32",
                                   ".version 8.0 .section x {", ".version x"}) {
        EXPECT_THAT(link_texts({callee, text}).errors, ElementsAre(HasSubstr("'b'"))) << text;
    }
    EXPECT_THAT(link({}).errors, Not(IsEmpty()));
}

}  // namespace
}  // namespace cuprum::simulator::ptx
