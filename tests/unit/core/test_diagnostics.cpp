// Logs of compilers, taken apart. The logs are NVRTC 13.0's, ptxas's and nvlink's own, but for what their names say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cuprum/core/diagnostic.hpp"
#include "cuprum/cuprum.hpp"

namespace cuprum::core {
namespace {

using Severity = Diagnostic::Severity;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Diagnostics, HaveFileLineColumnSeverityCodeAndText) {
    const auto found = parse_diagnostics(
        "a b.cu(3): error: identifier \"y\" is undefined\n"
        "      y = 3;\n"
        "      ^\n"
        "\n"
        "a b.cu(2): warning #177-D: variable \"x\" was declared but never referenced\n"
        "  \tint x;\n"
        "  \t    ^\n"
        "\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
        "\n"
        "1 error detected in the compilation of \"a b.cu\".\n");
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_EQ(found[0].file, "a b.cu");
    EXPECT_EQ(found[0].line, 3);
    EXPECT_EQ(found[0].column, 5);
    EXPECT_EQ(found[0].code, "");
    EXPECT_EQ(found[0].text, "identifier \"y\" is undefined");
    EXPECT_EQ(found[1].severity, Severity::warning);
    EXPECT_EQ(found[1].line, 2);
    EXPECT_EQ(found[1].column, 6);
    EXPECT_EQ(found[1].code, "177-D");
}

TEST(Diagnostics, KeepWhatElseIsSaidAndLeaveTheSourceOut) {
    const auto found = parse_diagnostics(
        "k.cu(3): error: no instance of overloaded function \"f\" matches the argument list\n"
        "            argument types are: (const char [2])\n"
        "  extern \"C\" __global__ void k() { f(\"x\"); }\n"
        "                                   ^\n"
        "k.cu(1): note #3326-D: function \"f(int)\" does not match\n"
        "  __device__ void f(int);\n"
        "                  ^\n"
        "          detected during instantiation of \"void f(T) [with T=int]\" at line 2\n"
        "\n");
    ASSERT_THAT(found, SizeIs(2));
    EXPECT_EQ(found[0].text,
              "no instance of overloaded function \"f\" matches the argument list\n"
              "argument types are: (const char [2])");
    EXPECT_EQ(found[0].column, 34);
    EXPECT_EQ(found[1].severity, Severity::note);
    EXPECT_EQ(found[1].text,
              "function \"f(int)\" does not match\n"
              "detected during instantiation of \"void f(T) [with T=int]\" at line 2");
}

TEST(Diagnostics, OfAssemblersAndLinkersAreReadToo) {
    const auto found = parse_diagnostics(
        "ptxas application ptx input, line 12; error   : Unknown symbol 'x'\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n"
        "ptxas info    : Used 8 registers\n"
        "nvlink error   : Undefined reference to 'f' in 'k.cu'\n"
        "error: nothing to link\n");
    ASSERT_THAT(found, SizeIs(5));
    EXPECT_EQ(found[0].file, "application ptx input");
    EXPECT_EQ(found[0].line, 12);
    EXPECT_EQ(found[0].text, "Unknown symbol 'x'");
    EXPECT_EQ(found[1].severity, Severity::error);
    EXPECT_EQ(found[1].line, 0);
    EXPECT_EQ(found[2].severity, Severity::note);
    EXPECT_EQ(found[3].text, "Undefined reference to 'f' in 'k.cu'");
    EXPECT_EQ(found[4].text, "nothing to link");
}

TEST(Diagnostics, TakeNamesWithParenthesesAndColons) {
    const auto found = parse_diagnostics("a(1): b(2).cu(7): catastrophic error: cannot open source file \"n.h\"\n");
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].file, "a(1): b(2).cu");
    EXPECT_EQ(found[0].line, 7);
    EXPECT_EQ(found[0].severity, Severity::error);
}

TEST(Diagnostics, AreNoneInAnyOtherText) {
    EXPECT_THAT(parse_diagnostics(""), IsEmpty());
    EXPECT_THAT(parse_diagnostics("2 errors detected in the compilation of \"a.cu\".\n"), IsEmpty());
    EXPECT_THAT(parse_diagnostics("errors: 3\n(3): error: no name\nk.cu(99999999999): error: no line\n"), IsEmpty());
    std::mt19937 random(7);
    constexpr std::string_view letters = "a(1): error:#^ \t\n;,lineptxas\r";
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (size_t i = random() % 200; i > 0; --i)
            text += letters[random() % letters.size()];
        for (const Diagnostic& each : parse_diagnostics(text)) {
            EXPECT_GE(each.line, 0);
            EXPECT_GE(each.column, 0);
        }
    }
}

TEST(Diagnostics, OfLibNvvmAreRead) {
    const auto one = [](std::string_view log) {
        const std::vector<Diagnostic> found = parse_diagnostics(log);
        EXPECT_THAT(found, SizeIs(1)) << log;
        return found.empty() ? Diagnostic() : found[0];
    };
    const Diagnostic place = one("add (2).ll (25, 6): parse expected type");
    EXPECT_EQ(place.severity, Severity::error);
    EXPECT_EQ(place.file, "add (2).ll");
    EXPECT_EQ(place.line, 25);
    EXPECT_EQ(place.column, 6);
    EXPECT_EQ(place.text, "parse expected type");
    const Diagnostic version =
        one("IR version 9.0 incompatible with current version 2.0\nadd.ll: error: incompatible IR detected. Possible "
            "mix of "
            "compiler/IR from different releases.");
    EXPECT_EQ(version.file, "add.ll");
    EXPECT_THAT(version.text, HasSubstr("incompatible IR detected"));
    const Diagnostic link = one("b.ll: link error: error: Linking globals named 'add': symbol multiply defined!\n\n");
    EXPECT_EQ(link.file, "b.ll");
    EXPECT_THAT(link.text, HasSubstr("symbol multiply defined"));
    const Diagnostic option = one("libnvvm : error: -nonsense is an unsupported option");
    EXPECT_EQ(option.file, "");
    EXPECT_EQ(option.text, "-nonsense is an unsupported option");
    EXPECT_EQ(
        one("DataLayoutError: Endianness must be little endian [Supported: -e].\nExample valid data layout:\n").text,
        "Endianness must be little endian [Supported: -e].");
    const Diagnostic bitcode = one("k.bc: parse Expected a single module");
    EXPECT_EQ(bitcode.file, "k.bc");
    EXPECT_EQ(bitcode.text, "parse Expected a single module");
    for (const char* other : {"x (a, 6): parse it", " (1, 2): parse it", "(1): parse it", "  indented: error: no"}) {
        EXPECT_THAT(parse_diagnostics(other), SizeIs(0)) << other;
    }
}

TEST(Diagnostics, OfARealCompileAreRead) {
    ProgramOptions options;
    options.arch = "compute_80";
    options.name = "wrong.cu";
    try {
        static_cast<void>(
            Program("__global__ void k() {\n    wrong();\n}\n", SourceType::cxx, options).compile(CodeType::ptx));
        FAIL() << "it compiles";
    } catch (const CompileError& error) {
        const auto found = parse_diagnostics(error.log());
        ASSERT_THAT(found, SizeIs(1));
        EXPECT_EQ(found[0].file, "wrong.cu");
        EXPECT_EQ(found[0].line, 2);
        EXPECT_EQ(found[0].column, 5);
        EXPECT_THAT(found[0].text, HasSubstr("wrong"));
    }
    static_cast<void>(Program("extern \"C\" __global__ void k() {\n    int unused;\n}\n", SourceType::cxx, options)
                          .compile(CodeType::ptx));
    const auto warned = parse_diagnostics(Program::last_log());
    ASSERT_THAT(warned, SizeIs(1));
    EXPECT_EQ(warned[0].severity, Severity::warning);
    EXPECT_EQ(warned[0].code, "177-D");
}

}  // namespace
}  // namespace cuprum::core
