// Whole modules as the CUDA compiler writes them (tests/data/ptx).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "module_printer.hpp"
#include "support.hpp"

namespace cuprum::simulator::ptx {
namespace {

class Corpus : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Files, Corpus, ::testing::ValuesIn(corpus_files()),
                         [](const auto& instance) { return instance.param.substr(0, instance.param.find('.')); });

// Removes everything from each `begin` to the next character of `ends`, which stays.
std::string without(const std::string& text, std::string_view begin, std::string_view ends) {
    std::string kept;
    size_t position = 0;
    for (size_t found = text.find(begin); found != std::string::npos; found = text.find(begin, position)) {
        kept.append(text, position, found - position);
        position = std::min(text.find_first_of(ends, found + begin.size()), text.size());
    }
    return kept.append(text, position);
}

// Drops blanks, braces, labels and a guard from the front of a statement.
std::string_view without_prefix(std::string_view statement) {
    constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
    constexpr std::string_view kBlanks = " \t\r\n{}";
    for (;;) {
        statement.remove_prefix(std::min(statement.find_first_not_of(kBlanks), statement.size()));
        if (!statement.empty() && statement[0] == '@') {
            statement.remove_prefix(std::min(statement.find_first_of(" \t"), statement.size()));
            continue;
        }
        const size_t name_end = std::min(statement.find_first_not_of(kName), statement.size());
        const size_t next = statement.find_first_not_of(" \t", name_end);
        if (name_end == 0 || next == std::string_view::npos || statement[next] != ':') {
            return statement;
        }
        statement.remove_prefix(next + 1);
    }
}

// Counts mnemonics without the parser: removes what holds no instruction and cuts the rest at the semicolons.
std::map<std::string, int> mnemonics_by_pattern(std::string text) {
    text = without(text, "//", "\n");
    for (const char* directive : {".section", ".entry ", ".func "}) {
        text = without(text, directive, directive[1] == 's' ? "}" : "{;");
    }
    for (const char* directive : {".loc\t", ".file\t", ".version", ".target", ".address_size"}) {
        text = without(text, directive, "\n");
    }
    for (const char* linkage : {".visible", ".weak", ".extern"}) {
        text = without(text, linkage, " ");
    }
    std::map<std::string, int> counts;
    std::string_view rest = text;
    for (size_t end = rest.find(';'); end != std::string_view::npos; end = rest.find(';')) {
        const std::string_view statement = without_prefix(rest.substr(0, end));
        if (!statement.empty() && statement[0] >= 'a' && statement[0] <= 'z') {
            ++counts[std::string(statement.substr(0, statement.find_first_of(" \t\n")))];
        }
        rest.remove_prefix(end + 1);
    }
    return counts;
}

std::map<std::string, int> mnemonics_parsed(const Module& module) {
    std::map<std::string, int> counts;
    for (const Function& function : module.functions) {
        for (const Instruction& instruction : function.instructions) {
            std::string mnemonic(instruction.opcode);
            for (const std::string_view modifier : instruction.modifiers) {
                mnemonic += '.';
                mnemonic += modifier;
            }
            EXPECT_EQ(mnemonic, instruction.mnemonic);
            ++counts[mnemonic];
        }
    }
    return counts;
}

TEST_P(Corpus, ParsesAndHasEveryInstruction) {
    const std::string text = read_corpus_file(GetParam());
    const Module module = parse_valid(text);
    const std::map<std::string, int> parsed = mnemonics_parsed(module);
    EXPECT_FALSE(parsed.empty());
    EXPECT_EQ(parsed, mnemonics_by_pattern(text));
}

TEST_P(Corpus, StaysTheSameWhenPrintedAndParsedAgain) {
    const Module module = parse_valid(read_corpus_file(GetParam()));
    const std::string printed = print(module);
    EXPECT_EQ(print(parse_valid(printed)), printed);
}

void expect_valid_operand(const Operand& operand, const Module& module, const Function& function) {
    switch (operand.kind) {
        case Operand::Kind::reg:
            EXPECT_LT(operand.index, function.registers.size());
            break;
        case Operand::Kind::symbol:
            EXPECT_LT(operand.index, module.symbols.size());
            break;
        case Operand::Kind::label:
            EXPECT_TRUE(std::binary_search(function.labels.begin(), function.labels.end(), operand.index));
            break;
        case Operand::Kind::name:
            ADD_FAILURE() << "the name " << operand.name << " was left unresolved";
            break;
        default:
            break;
    }
    for (const Operand& element : operand.elements) {
        expect_valid_operand(element, module, function);
    }
}

TEST_P(Corpus, RefersOnlyToWhatExists) {
    const Module module = parse_valid(read_corpus_file(GetParam()));
    for (const Symbol& symbol : module.symbols) {
        EXPECT_LT(symbol.index,
                  symbol.kind == Symbol::Kind::variable ? module.variables.size() : module.functions.size());
    }
    for (const Function& function : module.functions) {
        for (const uint32_t label : function.labels) {
            EXPECT_LE(label, function.instructions.size());
        }
        for (const Instruction& instruction : function.instructions) {
            for (const Operand& operand : instruction.operands) {
                expect_valid_operand(operand, module, function);
            }
            EXPECT_LT(instruction.source_file, module.source_files.size());
        }
    }
}

TEST(CorpusContents, CoverWhatTheyAreThereFor) {
    const Module recursion = parse_valid(read_corpus_file("recursion.ptx"));
    EXPECT_EQ(recursion.source_files.at(1), "recursion.cu");
    EXPECT_GT(function_named(recursion, "recursion").instructions[0].source_line, 0u);

    const Module virtual_call = parse_valid(read_corpus_file("virtual_call.ptx"));
    EXPECT_FALSE(variable_named(virtual_call, "_ZTV6Square").relocations.empty());
    EXPECT_FALSE(function_named(virtual_call, "virtual_call").prototypes.empty());

    const Module variables = parse_valid(read_corpus_file("variables.ptx"));
    EXPECT_TRUE(variable_named(variables, "shared_with_host").managed);
    EXPECT_EQ(variable_named(variables, "names").relocations.size(), 3u);

    const Module cluster = parse_valid(read_corpus_file("cluster.ptx"));
    EXPECT_EQ(function_named(cluster, "cluster").required_cluster[0], 2u);

    // Three blocks of inline assembly, each with a %p1 of its own.
    const Module asm_scopes = parse_valid(read_corpus_file("asm_scopes.ptx"));
    int named_p1 = 0;
    for (const Register& reg : asm_scopes.functions[0].registers) {
        named_p1 += reg.name == "%p1" ? 1 : 0;
    }
    EXPECT_GE(named_p1, 3);
}

}  // namespace
}  // namespace cuprum::simulator::ptx
