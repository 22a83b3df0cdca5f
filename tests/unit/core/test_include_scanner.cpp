// What the scanner finds in a text, and what makes it doubt.
#include "include_scanner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cuprum::core {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

std::vector<std::string> included(const std::string& text) {
    std::vector<std::string> names;
    for (const Inclusion& inclusion : scan_text(text, scan_rules("c++17")).inclusions)
        names.push_back(inclusion.name.text);
    return names;
}

std::string doubt(const std::string& text, const char* std = "c++17") {
    return scan_text(text, scan_rules(std)).doubt;
}

TEST(IncludeScanner, FindsInclusionsInOrder) {
    const ScannedText scanned = scan_text("#include <a.h>\n#include_next \"b.h\" // c\n", scan_rules("c++17"));
    EXPECT_THAT(scanned.inclusions, ElementsAre(Inclusion{{"a.h", false}, false}, Inclusion{{"b.h", true}, true}));
    EXPECT_THAT(scanned.doubt, IsEmpty());
}

TEST(IncludeScanner, JoinsLinesButNotThoseOfRawStrings) {
    EXPECT_THAT(included("#inc\\\nlude <a\\\r\n.h>\n"), ElementsAre("a.h"));
    EXPECT_THAT(included("R\"(\n#include <a.h>\n)\\\n\" )\"\n#include <b.h>\n"), ElementsAre("b.h"));
    EXPECT_THAT(included("// \\\n#include <a.h>\n#include <b.h>"), ElementsAre("b.h"));
}

TEST(IncludeScanner, KnowsCommentsAndLiterals) {
    EXPECT_THAT(included("/* \n#include <a.h>\n*/ #include <b.h>\n"), ElementsAre("b.h"));
    EXPECT_THAT(included("\"/*\" '\"' \"\\\"/*\"\n#include <a.h>\n/**/"), ElementsAre("a.h"));
    EXPECT_THAT(included("x #include <a.h>\n"), IsEmpty());
    EXPECT_THAT(included("#include <a//b.h>\n"), ElementsAre("a//b.h"));
    EXPECT_THAT(included("don't\n#include <a.h>\n"), ElementsAre("a.h"));
    EXPECT_THAT(included("1'000 '/*' u8R\"x(/*)\" )x\"\n#include <a.h>\n"), ElementsAre("a.h"));
}

TEST(IncludeScanner, KnowsWhichMacroAsks) {
    const ScannedText scanned =
        scan_text("#define HAS(x) __has_include(x)\n#if defined(__has_include) && HAS(<a.h>)\n", scan_rules("c++17"));
    ASSERT_EQ(scanned.macros.size(), 1U);
    EXPECT_EQ(scanned.macros[0].name, "HAS");
    EXPECT_THAT(scanned.macros[0].parameters, ElementsAre("x"));
    ASSERT_EQ(scanned.macros[0].uses.size(), 2U);
    EXPECT_EQ(scanned.macros[0].uses[0].form, WordUse::Form::argument);
    EXPECT_EQ(scanned.macros[0].uses[0].argument, "x");
    ASSERT_EQ(scanned.header_uses.size(), 1U);
    EXPECT_EQ(scanned.header_uses[0].word, "HAS");
    EXPECT_EQ(scanned.header_uses[0].header.text, "a.h");
    EXPECT_FALSE(scanned.bare_uses.contains("HAS"));
    EXPECT_FALSE(scanned.bare_uses.contains("__has_include"));
}

TEST(IncludeScanner, TakesNoNameThatAMacroOrAnEscapeCouldChange) {
    for (const std::string use :
         {"F(< a.h>)", "F(<a.h>, 1)", "F(\"a\\\\b.h\")", "F(L\"a.h\")", "F(<a//b.h>)", "F", "F(\n<a.h>)"}) {
        const std::string text = use + "\n";  // what was scanned refers to it
        const ScannedText scanned = scan_text(text, scan_rules("c++17"));
        EXPECT_THAT(scanned.header_uses, IsEmpty()) << use;
        EXPECT_TRUE(scanned.bare_uses.contains("F")) << use;
    }
}

TEST(IncludeScanner, DoubtsWhatItCannotTell) {
    for (const std::string text :
         {"#embed <a>\n", "#import <a.h>\n", "#pragma include \"a\"\n", "R\"x\n", "R\"(\n", "#include <a.h\n",
          "#include \"\"\n", "R\\\n\"()\"\n", "don't /*\n", "__has_embed(<a>)\n", "\\u0061\n", "// \\ \n", "$R\"()\"\n",
          "1R\"()\"\n", "#define\n"}) {
        EXPECT_THAT(doubt(text), Not(IsEmpty())) << text;
    }
    EXPECT_THAT(doubt(std::string("a\0b", 3)), Not(IsEmpty()));
}

TEST(IncludeScanner, DoesNotDoubtOrdinaryPragmas) {
    EXPECT_THAT(
        doubt("#pragma once\n#pragma unroll 4\n#define A _Pragma(\"unroll\") \\\n x\n#define B(x) _Pragma(#x)\n"),
        IsEmpty());
    EXPECT_THAT(doubt("_Pragma(\"diag \\\"x\\\"\")\n"), IsEmpty());
    EXPECT_THAT(doubt("_Pragma(\"inc\\\nlude\")\n"), Not(IsEmpty()));
    EXPECT_THAT(doubt("_Pragma(\"\\x69nclude\")\n"), Not(IsEmpty()));
}

TEST(IncludeScanner, DoubtsWhatLanguageVersionsReadDifferently) {
    for (const char* const std : {"c++03", "c++11", "c++14", ""})
        EXPECT_THAT(doubt("?\?=include <a.h>\n", std), Not(IsEmpty())) << std;
    EXPECT_THAT(doubt("?\?=include <a.h>\n", "c++20"), IsEmpty());
    EXPECT_THAT(doubt("1'000\n", "c++11"), Not(IsEmpty()));
    EXPECT_THAT(doubt("1'000\n", "c++14"), IsEmpty());
    EXPECT_THAT(doubt("R\"()\"\n", "c++03"), Not(IsEmpty()));
    EXPECT_THAT(doubt("import <a.h>;\n", "c++20"), Not(IsEmpty()));
    EXPECT_THAT(doubt("import <a.h>;\n", "c++17"), IsEmpty());
}

TEST(IncludeScanner, ReadsTheNamesOfComputedInclusions) {
    const ScannedText scanned = scan_text("#define A <b/c.h>\n#include A\n", scan_rules("c++17"));
    ASSERT_EQ(scanned.computed_inclusions.size(), 1U);
    EXPECT_THAT(scanned.computed_inclusions[0], ElementsAre("A"));
    std::vector<std::string_view> words;
    for (const WordUse& use : scanned.macros.at(0).uses)
        words.push_back(use.word);
    EXPECT_THAT(words, UnorderedElementsAre("b", "c", "h"));
}

}  // namespace
}  // namespace cuprum::core
