// Any text as CUDA C++: the scanner never crashes, all that it says lies within the text, and it finds the same names
// when lines are broken between any two characters, and when comments stand where blanks do, as the preprocessor must.
#include "include_scanner.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

using namespace cuprum::core;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

bool lies_in(std::string_view part, std::string_view text, const ScannedText& scanned) {
    const auto is_within = [&](std::string_view whole) {
        return !std::less<>()(part.data(), whole.data()) &&
               !std::less<>()(whole.data() + whole.size(), part.data() + part.size());
    };
    return part.empty() || is_within(text) || std::any_of(scanned.storage.begin(), scanned.storage.end(), is_within);
}

void check(const ScannedText& scanned, std::string_view text) {
    for (const Inclusion& inclusion : scanned.inclusions)
        require(!inclusion.name.text.empty() && inclusion.name.text.find('\n') == std::string::npos);
    for (const std::string_view word : scanned.words)
        require(lies_in(word, text, scanned));
    for (const std::string_view word : scanned.bare_uses)
        require(scanned.words.contains(word) && lies_in(word, text, scanned));
    for (const MacroDefinition& macro : scanned.macros) {
        require(lies_in(macro.name, text, scanned));
        for (const WordUse& use : macro.uses)
            require(lies_in(use.word, text, scanned) && lies_in(use.argument, text, scanned));
    }
}

bool are_alike(const ScannedText& left, const ScannedText& right) {
    return left.inclusions == right.inclusions && left.computed_inclusions == right.computed_inclusions &&
           left.bare_uses == right.bare_uses && left.macros.size() == right.macros.size() &&
           left.header_uses.size() == right.header_uses.size();
}

// With a line splice before every character, but not within a splice, a raw string or a universal character name.
std::string spliced(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += "\\\n";
        result += c;
    }
    return result;
}

std::string with_comments(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '\f') {
            result += "/*\n*/";
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const char* const std : {"c++17", "c++11", "c++20", ""})
        check(scan_text(text, scan_rules(std)), text);
    const ScannedText scanned = scan_text(text, scan_rules("c++17"));
    if (!scanned.doubt.empty()) return 0;
    if (text.find("R\"") == std::string_view::npos && text.find('\\') == std::string_view::npos) {
        const std::string broken = spliced(text);
        const ScannedText again = scan_text(broken, scan_rules("c++17"));
        check(again, broken);
        require(again.doubt.empty() ? are_alike(scanned, again) : true);
    }
    // A form feed is a blank like others, but hardly ever stands in a name or a literal.
    if (text.find_first_of("\"'<\\/") == std::string_view::npos) {
        const std::string commented = with_comments(text);
        require(are_alike(scanned, scan_text(commented, scan_rules("c++17"))));
    }
    return 0;
}
