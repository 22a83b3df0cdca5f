#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Diagnostics, AreEmptyForValidText) {
    EXPECT_THAT(diagnostics_of(kernel_text("ret;")), IsEmpty());
}

TEST(Diagnostics, SayWhatWasExpectedAndWhatWasFound) {
    EXPECT_THAT(diagnostics_of(kernel_text("add.s32 %r1 %r2, 1;")),
                ElementsAre("8:13: expected ',' or ';' after an operand of 'add.s32', found '%r2'"));
    EXPECT_THAT(diagnostics_of(kernel_text("add.s32 %r1, ;")), ElementsAre("8:14: expected an operand, found ';'"));
    EXPECT_THAT(diagnostics_of(kernel_text("mov.b64 {%r1, %r2, %rd1;")),
                ElementsAre(HasSubstr("expected ',' or '}' between the elements of an operand, found ';'")));
    EXPECT_THAT(diagnostics_of(kernel_text("mov.b64 {}, %rd1;")), ElementsAre(HasSubstr("needs at least one element")));
    EXPECT_THAT(diagnostics_of(kernel_text("ld.u32 %r1, [%r1|%p1];")), ElementsAre(HasSubstr("an address must begin")));
    EXPECT_THAT(diagnostics_of(kernel_text("= 5;")), ElementsAre(HasSubstr("expected an instruction, a label")));
    EXPECT_THAT(diagnostics_of(module_text("visible .entry k() { ret; }")),
                ElementsAre(HasSubstr("2:1: expected a directive at module scope")));
}

TEST(Diagnostics, NameUnknownDirectives) {
    EXPECT_THAT(diagnostics_of(module_text(".frob .u32 a;")),
                ElementsAre("2:1: unknown directive '.frob' at module scope"));
    EXPECT_THAT(diagnostics_of(kernel_text(".frob 5;")),
                ElementsAre("8:1: unknown directive '.frob' in the body of 'k'"));
    EXPECT_THAT(diagnostics_of(module_text(".entry k() .frob 3 { ret; }")),
                ElementsAre("2:12: unknown directive '.frob' before the body of 'k'"));
}

TEST(Diagnostics, TellTextThatIsNoPtx) {
    EXPECT_THAT(diagnostics_of(""),
                ElementsAre("1:1: this is not PTX text: expected '.version', found the end of the text"));
    EXPECT_THAT(diagnostics_of("\x7f"
                               "ELF\x02\x01"),
                ElementsAre("1:1: this is not PTX text: expected '.version', found '\\x7f'"));
    EXPECT_THAT(diagnostics_of(".version 8"), ElementsAre(HasSubstr("expected the PTX version")));
    EXPECT_THAT(diagnostics_of(".version 8.0 .entry k() { ret; }"), ElementsAre(HasSubstr("expected '.target'")));
    EXPECT_THAT(diagnostics_of(".version 8.0 .target sm_80 .address_size 48"),
                ElementsAre(HasSubstr("the address size must be 32 or 64, found 48")));
}

TEST(Diagnostics, GoOnBehindTheStatementInError) {
    EXPECT_THAT(
        diagnostics_of(kernel_text("add.s32 %r1, ;\nmov.b64 {%r1, ?}, %rd1;\n{ sub.s32 %r1 }\nneg.s32 %zz, %r1;") +
                       ".global .u32 a[2] = {1, ?};\n.frob;\n.entry l() { ret; bra nowhere; }"),
        ElementsAre(HasSubstr("8:14: expected an operand"), HasSubstr("9:15: expected an operand"),
                    HasSubstr("10:15: expected ',' or ';'"), HasSubstr("11:9: undefined name '%zz'"),
                    HasSubstr("13:25: expected an initial value"), HasSubstr("14:1: unknown directive"),
                    HasSubstr("15:23: undefined name 'nowhere'")));
}

TEST(Diagnostics, SkipTheBodyOfAFunctionWhoseHeaderIsWrong) {
    EXPECT_THAT(diagnostics_of(module_text(".entry k(.param .q32 a) { .reg .b32 %r; ret; }\n.entry l() { bra x; }")),
                ElementsAre(HasSubstr("2:17: unknown directive '.q32'"), HasSubstr("3:18: undefined name 'x'")));
}

TEST(Diagnostics, StopAtTwenty) {
    std::string body;
    for (int i = 0; i < 100; ++i) {
        body += "neg.s32 %r1, ?;\n";
    }
    EXPECT_EQ(diagnostics_of(kernel_text(body)).size(), 20u);
}

TEST(Diagnostics, AreShownWithTheLineTheyAreAbout) {
    const std::string text = kernel_text("\tadd.s32 %r1, ?;");
    const ParseResult result = parse(text);
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(format(result.diagnostics[0], text),
              "line 8, column 15: expected an operand, found '?'\n    \tadd.s32 %r1, ?;");
    EXPECT_EQ(format({{0, 0}, "too long"}, text), "too long");
    EXPECT_EQ(format({{99, 1}, "beyond"}, "one line"), "line 99, column 1: beyond");
}

}  // namespace
}  // namespace cuprum::simulator::ptx
