// Damaged text: whatever it is, parse() returns, with at most 20 diagnostics.
#include <gtest/gtest.h>

#include <random>

#include "module_printer.hpp"
#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

constexpr size_t kMostDiagnostics = 20;

std::string mutated(std::string text, std::mt19937& random) {
    const auto below = [&](size_t limit) { return limit == 0 ? 0 : random() % limit; };
    constexpr std::string_view kInteresting = "{}[]()<>,;:.@%!|+-=\"/*\n0x_ \0\xff";
    const size_t mutations = 1 + below(4);
    for (size_t i = 0; i < mutations && !text.empty(); ++i) {
        const size_t position = below(text.size());
        const size_t length = std::min<size_t>(below(40), text.size() - position);
        switch (below(6)) {
            case 0:
                text[position] = kInteresting[below(kInteresting.size())];
                break;
            case 1:
                text.erase(position, length);
                break;
            case 2:
                text.insert(position, text.substr(below(text.size()), length));
                break;
            case 3:
                text.insert(position, 1 + below(300), kInteresting[below(kInteresting.size())]);
                break;
            case 4:
                text[position] = static_cast<char>(random());
                break;
            default:
                text.resize(position);
                break;
        }
    }
    return text;
}

TEST(Robustness, DamagedModulesGiveDiagnosticsOrAValidModule) {
    std::mt19937 random(20240601);
    std::vector<std::string> seeds;
    for (const std::string& name : corpus_files()) {
        std::string text = read_corpus_file(name);
        if (text.size() < 8000) {
            seeds.push_back(std::move(text));
        }
    }
    ASSERT_GE(seeds.size(), 10u);
    size_t rejected = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string text = mutated(seeds[random() % seeds.size()], random);
        const ParseResult result = parse(text);
        ASSERT_LE(result.diagnostics.size(), kMostDiagnostics);
        for (const Diagnostic& diagnostic : result.diagnostics) {
            ASSERT_FALSE(diagnostic.message.empty());
            ASSERT_EQ(diagnostic.message.find('\n'), std::string::npos);
            format(diagnostic, text);
        }
        if (result.diagnostics.empty()) {
            print(result.module);  // walks everything: a dangling index or view shows up under a sanitizer
        } else {
            ++rejected;
        }
    }
    EXPECT_GT(rejected, 1000u);
    EXPECT_LT(rejected, 4000u);
}

TEST(Robustness, EveryPrefixOfAModuleIsHandled) {
    const std::string text = read_corpus_file("asm_scopes.ptx");
    for (size_t length = 0; length < text.size(); ++length) {
        ASSERT_LE(parse(text.substr(0, length)).diagnostics.size(), kMostDiagnostics);
    }
}

TEST(Robustness, RandomBytesAreHandled) {
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
        std::string text = i % 2 == 0 ? "" : ".version 8.0 .target sm_80\n.entry k() {\n";
        for (size_t length = random() % 500; length > 0; --length) {
            text += static_cast<char>(random());
        }
        ASSERT_LE(parse(text).diagnostics.size(), kMostDiagnostics);
    }
}

TEST(Robustness, RepeatedDeclarationsStayWithinTheLimits) {
    std::string body;
    for (int i = 0; i < 2000; ++i) {
        body += ".reg .v4 .b32 %a" + std::to_string(i) + "_<1000000>;\n";
    }
    const ParseResult result = parse(kernel_text(body));
    EXPECT_EQ(result.diagnostics.size(), kMostDiagnostics);
}

// Work must not grow with the square of the text. 40 000 declarations take well under a second; squared, minutes.
TEST(Robustness, ManyDeclarationsAndUsesDoNotSlowEachOtherDown) {
    std::string body;
    for (int i = 0; i < 20000; ++i) {
        const std::string name = "%n" + std::to_string(i) + "_";
        body += ".reg .b32 " + name + "<3>, x" + std::to_string(i) + "y; neg.s32 " + name + "1, " + name + "2;\n";
    }
    const Module module = parse_kernel(body);
    EXPECT_EQ(module.functions[0].instructions.size(), 20000u);
}

}  // namespace
}  // namespace cuprum::simulator::ptx
