#include "ptx/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace cuprum::simulator::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using Kind = Token::Kind;

std::vector<std::pair<Kind, std::string>> tokens_of(std::string_view text) {
    std::vector<std::pair<Kind, std::string>> tokens;
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != Kind::end; token = lexer.next()) {
        tokens.emplace_back(token.kind, std::string(token.text));
    }
    return tokens;
}

TEST(Lexer, SplitsAnInstructionIntoItsParts) {
    EXPECT_THAT(tokens_of("ld.global.L2::128B.u32 %r1, [%rd2+-4];"),
                ElementsAre(Pair(Kind::identifier, "ld"), Pair(Kind::dot_word, ".global"),
                            Pair(Kind::dot_word, ".L2::128B"), Pair(Kind::dot_word, ".u32"),
                            Pair(Kind::identifier, "%r1"), Pair(Kind::punctuation, ","), Pair(Kind::punctuation, "["),
                            Pair(Kind::identifier, "%rd2"), Pair(Kind::punctuation, "+"), Pair(Kind::punctuation, "-"),
                            Pair(Kind::integer, "4"), Pair(Kind::punctuation, "]"), Pair(Kind::punctuation, ";")));
}

TEST(Lexer, TellsModifiersThatBeginWithADigitFromFractions) {
    EXPECT_THAT(tokens_of(".2d .16x64b .5 .5e3 .5e-3"),
                ElementsAre(Pair(Kind::dot_word, ".2d"), Pair(Kind::dot_word, ".16x64b"), Pair(Kind::float64, ".5"),
                            Pair(Kind::float64, ".5e3"), Pair(Kind::float64, ".5e-3")));
}

TEST(Lexer, KnowsEveryFormOfNumber) {
    EXPECT_THAT(
        tokens_of("0 12U 0x1F 0b101 017 0f3F800000 0d3FE000000000000E 1.5 1. 1e5 1E+5 1.5e-3"),
        ElementsAre(Pair(Kind::integer, "0"), Pair(Kind::integer, "12U"), Pair(Kind::integer, "0x1F"),
                    Pair(Kind::integer, "0b101"), Pair(Kind::integer, "017"), Pair(Kind::float32, "0f3F800000"),
                    Pair(Kind::float64, "0d3FE000000000000E"), Pair(Kind::float64, "1.5"), Pair(Kind::float64, "1."),
                    Pair(Kind::float64, "1e5"), Pair(Kind::float64, "1E+5"), Pair(Kind::float64, "1.5e-3")));
}

TEST(Lexer, EndsAHexadecimalNumberBeforeAPlusEvenIfItEndsInE) {
    EXPECT_THAT(tokens_of("0x1E+5"),
                ElementsAre(Pair(Kind::integer, "0x1E"), Pair(Kind::punctuation, "+"), Pair(Kind::integer, "5")));
}

TEST(Lexer, TakesAllCharactersThatNamesMayHave) {
    EXPECT_THAT(
        tokens_of("$L__BB0_1 _ %p1 a$b _Z3fooi"),
        ElementsAre(Pair(Kind::identifier, "$L__BB0_1"), Pair(Kind::identifier, "_"), Pair(Kind::identifier, "%p1"),
                    Pair(Kind::identifier, "a$b"), Pair(Kind::identifier, "_Z3fooi")));
}

TEST(Lexer, ReadsOperatorsOfTwoCharactersAsOne) {
    EXPECT_THAT(tokens_of("<<>>&&||<=>===!=|<%"),
                ElementsAre(Pair(Kind::punctuation, "<<"), Pair(Kind::punctuation, ">>"), Pair(Kind::punctuation, "&&"),
                            Pair(Kind::punctuation, "||"), Pair(Kind::punctuation, "<="), Pair(Kind::punctuation, ">="),
                            Pair(Kind::punctuation, "=="), Pair(Kind::punctuation, "!="), Pair(Kind::punctuation, "|"),
                            Pair(Kind::punctuation, "<"), Pair(Kind::punctuation, "%")));
}

TEST(Lexer, SkipsCommentsAndCountsLinesAndColumnsAcrossThem) {
    Lexer lexer("// first\n/* second\n third */ ret;\n\tbra");
    const Token ret = lexer.next();
    EXPECT_EQ(ret.text, "ret");
    EXPECT_EQ(ret.line, 3u);
    EXPECT_EQ(ret.column, 11u);
    EXPECT_EQ(lexer.next().text, ";");
    const Token bra = lexer.next();
    EXPECT_EQ(bra.line, 4u);
    EXPECT_EQ(bra.column, 2u);
}

TEST(Lexer, GivesAnInvalidTokenForWhatBeginsNone) {
    EXPECT_EQ(tokens_of("#")[0].first, Kind::invalid);
    EXPECT_EQ(tokens_of(std::string_view("\0", 1))[0].first, Kind::invalid);
    EXPECT_EQ(tokens_of("\"open")[0].first, Kind::invalid);
    EXPECT_EQ(tokens_of("\"open\nret")[0].first, Kind::invalid);
    EXPECT_THAT(tokens_of("ret /* open"), ElementsAre(Pair(Kind::identifier, "ret"), Pair(Kind::invalid, "/*")));
}

TEST(Lexer, KeepsEscapedQuotesInsideAString) {
    EXPECT_THAT(tokens_of(R"("a\"b" c)"), ElementsAre(Pair(Kind::string, R"("a\"b")"), Pair(Kind::identifier, "c")));
}

TEST(Lexer, SkipsNestedBracesWithoutLosingTheLine) {
    Lexer lexer("{ a { b }\n } after");
    EXPECT_EQ(lexer.next().text, "{");
    EXPECT_TRUE(lexer.skip_braces());
    const Token after = lexer.next();
    EXPECT_EQ(after.text, "after");
    EXPECT_EQ(after.line, 2u);
    EXPECT_FALSE(lexer.skip_braces());
}

}  // namespace
}  // namespace cuprum::simulator::ptx
