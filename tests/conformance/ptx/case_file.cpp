#include "case_file.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace cuprum::ptx_test {
namespace {

// "a.{b,c}.{d,e}" to its four words.
void expand_braces(const std::string& word, std::vector<std::string>& out) {
    const size_t open = word.find('{');
    if (open == std::string::npos) {
        out.push_back(word);
        return;
    }
    const size_t close = word.find('}', open);
    if (close == std::string::npos) throw std::runtime_error("'{' without '}' in " + word);
    std::istringstream alternatives(word.substr(open + 1, close - open - 1));
    for (std::string alternative; std::getline(alternatives, alternative, ',');) {
        std::string expanded = word.substr(0, open) + alternative + word.substr(close + 1);
        // An empty alternative, written `-`, leaves no dot behind: "add{.cc,-}".
        if (alternative == "-") expanded = word.substr(0, open) + word.substr(close + 1);
        expand_braces(expanded, out);
    }
}

uint64_t parse_count(const std::string& text) {
    size_t used = 0;
    const uint64_t value = std::stoull(text, &used);
    if (used != text.size()) throw std::runtime_error("'" + text + "' is no number");
    return value;
}

void parse_option(const std::string& text, Group& group) {
    std::istringstream words(text);
    std::string word, value;
    words >> word;
    if (word.starts_with("sm_")) {
        if (word.ends_with('a') || word.ends_with('f')) {
            group.suffix = word.back();
            word.pop_back();
        }
        group.target = static_cast<unsigned>(parse_count(word.substr(3)));
    } else if (word == "ptx" && words >> value) {
        group.version = value;
    } else if (word == "ulp" && words >> value) {
        group.tolerance.ulps = parse_count(value);
    } else if (word == "absolute" && words >> value) {
        group.tolerance.absolute = std::strtod(value.c_str(), nullptr);
    } else if (word == "relative" && words >> value) {
        group.tolerance.relative = std::strtod(value.c_str(), nullptr);
    } else if (word == "threads" && words >> value) {
        group.threads = static_cast<unsigned>(parse_count(value));
    } else if (word == "simulator") {
        group.hardware = false;
    } else if (word == "cluster") {
        group.in_cluster = true;
    } else if (word == "fixed") {
        group.random = false;
    } else {
        throw std::runtime_error("unknown option [" + text + "]");
    }
}

std::string default_code(const Group& group) {
    std::string code = "$ ";
    for (size_t k = 0; k < group.results.size(); ++k)
        code += (k == 0 ? "" : "|") + std::string(1, static_cast<char>('d' + k));
    for (size_t k = 0; k < group.operands.size(); ++k)
        code += (group.results.empty() && k == 0 ? "" : ", ") + std::string(1, "abchij"[k]);
    return code + ";";
}

// FORM... RESULT... = OPERAND... [OPTION]... : CODE
void parse_header(const std::string& line, Group& group) {
    std::string head = line;
    const size_t colon = line.find(" : ");
    if (colon != std::string::npos) {
        group.code = line.substr(colon + 3);
        head.resize(colon);
    }
    for (size_t open = head.find('['); open != std::string::npos; open = head.find('[')) {
        const size_t close = head.find(']', open);
        if (close == std::string::npos) throw std::runtime_error("'[' without ']'");
        parse_option(head.substr(open + 1, close - open - 1), group);
        head.erase(open, close - open + 1);
    }
    std::istringstream words(head);
    bool operands = false;
    for (std::string word; words >> word;) {
        if (word == "=") {
            operands = true;
        } else if (const auto type = type_named(word)) {
            (operands ? group.operands : group.results).push_back(*type);
        } else if (operands || !group.results.empty()) {
            throw std::runtime_error("'" + word + "' is no type");
        } else {
            expand_braces(word, group.forms);
        }
    }
    if (!operands || group.results.empty()) throw std::runtime_error("expected FORM... RESULT... = OPERAND...");
    if (group.results.size() > 4 || group.operands.size() > 6) throw std::runtime_error("too many registers");
    if (group.code.empty()) group.code = default_code(group);
}

// One value per thread: `v`, `v*count` and `first..last`.
std::vector<Bits> parse_result(Type type, std::istringstream& words, unsigned threads) {
    std::vector<Bits> values;
    while (values.size() < threads) {
        std::string word;
        if (!(words >> word)) throw std::runtime_error("too few results");
        if (const size_t star = word.find('*'); star != std::string::npos) {
            values.insert(values.end(), parse_count(word.substr(star + 1)), parse_value(type, word.substr(0, star)));
        } else if (const size_t dots = word.find(".."); dots != std::string::npos) {
            const uint64_t last = parse_count(word.substr(dots + 2));
            for (uint64_t value = parse_count(word.substr(0, dots)); value <= last; ++value)
                values.push_back({value, 0});
        } else {
            values.push_back(parse_value(type, word));
        }
    }
    if (values.size() != threads) throw std::runtime_error("more results than threads");
    return values;
}

void parse_case(const std::string& line, unsigned number, Group& group) {
    Case parsed;
    parsed.line = number;
    std::istringstream words(line);
    std::string word;
    for (const Type type : group.operands) {
        if (!(words >> word)) throw std::runtime_error("too few operands");
        parsed.operands.push_back(parse_value(type, word));
    }
    if (!(words >> word) || word != "=") throw std::runtime_error("expected '=' after the operands");
    for (const Type type : group.results)
        parsed.results.push_back(parse_result(type, words, group.threads));
    if (words >> word) throw std::runtime_error("'" + word + "' after the results");
    group.cases.push_back(std::move(parsed));
}

}  // namespace

std::vector<Group> read_cases(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + " cannot be read");
    std::vector<Group> groups;
    unsigned number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (const size_t comment = line.find('#'); comment != std::string::npos) line.resize(comment);
        const size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        try {
            if (first == 0) {
                Group& group = groups.emplace_back();
                group.file = path.substr(path.find_last_of('/') + 1);
                group.line = number;
                parse_header(line, group);
                continue;
            }
            if (groups.empty()) throw std::runtime_error("a case before any form");
            Group& group = groups.back();
            if (line[first] == '|') {
                group.code += "\n" + line.substr(first + 1);
            } else if (line[first] == '^') {
                group.functions += line.substr(first + 1) + "\n";
            } else {
                parse_case(line, number, group);
            }
        } catch (const std::exception& error) {
            throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
        }
    }
    for (const Group& group : groups) {
        if (group.cases.empty()) {
            throw std::runtime_error(path + ":" + std::to_string(group.line) + ": a form without a case");
        }
    }
    return groups;
}

}  // namespace cuprum::ptx_test
