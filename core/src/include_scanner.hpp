// What one text of CUDA C++ may ask of the file system, found as the preprocessor finds it up to tokens: line splices,
// comments, raw strings, digraphs, directives. Conditions are not evaluated and macros not expanded: what stands behind
// a false #if counts too. Where the text does not settle it, the scanner says so ("doubt"), and the compile is not
// kept.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cuprum::core {

struct HeaderName {
    std::string text;
    bool quoted = false;

    bool operator==(const HeaderName&) const = default;
};

struct Inclusion {
    HeaderName name;
    bool next = false;  // #include_next

    bool operator==(const Inclusion&) const = default;
};

// An identifier, and what stands in parentheses behind it. "__has_include(<a.h>)" is a use of __has_include with a
// header, and so is "HAS(<a.h>)" of HAS: whether that is a macro for __has_include shows only when all texts are read.
struct WordUse {
    enum class Form {
        bare,      // neither of the others
        header,    // (<name>) or ("name"), without anything that a macro or an escape could change
        argument,  // (identifier)
    };
    std::string_view word;
    Form form = Form::bare;
    HeaderName header;
    std::string_view argument;
};

struct MacroDefinition {
    std::string_view name;
    std::vector<std::string_view> parameters;
    bool has_operator = false;  // # or ##
    std::vector<WordUse> uses;  // the identifiers of its text
};

struct ScannedText {
    std::vector<Inclusion> inclusions;
    std::vector<std::vector<std::string_view>> computed_inclusions;  // the identifiers that stand for the name
    std::vector<MacroDefinition> macros;
    std::vector<WordUse> header_uses;                // outside of macros, with Form::header only
    std::unordered_set<std::string_view> bare_uses;  // the other identifiers outside of macros
    std::unordered_set<std::string_view> words;      // all identifiers and numbers that ## could join
    bool has_paste = false;                          // ##
    bool has_computed_pragma = false;                // a _Pragma whose operand a macro makes
    std::string doubt;                               // why the text cannot be relied upon; empty if it can

    std::deque<std::string> storage;  // of identifiers that do not stand in the text as they are
};

// How the language version reads what versions read differently.
struct ScanRules {
    bool trigraphs_are_known_off = true;
    bool raw_strings = true;
    bool digit_separators = true;
    bool modules = false;
};
ScanRules scan_rules(std::string_view std_option);  // "c++17"; empty where the compiler chooses

// The result refers to `text`.
ScannedText scan_text(std::string_view text, const ScanRules& rules);

}  // namespace cuprum::core
