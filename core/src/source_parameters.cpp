#include "source_parameters.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source_text.hpp"

namespace cuprum::core {

namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Splits a source into words and characters that stand for themselves. Comments, directives and line splices are gone,
// a string or character is `""`.
class Tokenizer {
public:
    explicit Tokenizer(std::string_view source) : text_(without_splices(source)) {}

    // Of this object's text.
    std::vector<std::string_view> run() {
        while (at_ < text_.size())
            step();
        return std::move(tokens_);
    }

private:
    static std::string without_splices(std::string_view source) {
        std::string text;
        text.reserve(source.size());
        for (size_t i = 0; i < source.size(); ++i) {
            if (source.substr(i, 2) == "\\\n") {
                ++i;
            } else if (source.substr(i, 3) == "\\\r\n") {
                i += 2;
            } else {
                text += source[i];
            }
        }
        return text;
    }

    bool looking_at(std::string_view s) const { return std::string_view(text_).substr(at_, s.size()) == s; }

    void step() {
        const char c = text_[at_];
        if (c == '\n') {
            is_line_start_ = true;
            ++at_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++at_;
        } else if (looking_at("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (looking_at("/*")) {
            at_ += 2;
            skip_comment();
        } else if (is_line_start_ && (c == '#' || looking_at("%:"))) {
            skip_directive();
        } else {
            is_line_start_ = false;
            token(c);
        }
    }

    void skip_comment() {
        const size_t end = text_.find("*/", at_);
        at_ = end == std::string::npos ? text_.size() : end + 2;
    }

    void skip_directive() {
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (looking_at("/*")) {
                at_ += 2;
                skip_comment();
            } else if (looking_at("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_[at_] == '"' || text_[at_] == '\'') {
                skip_literal(text_[at_]);
            } else {
                ++at_;
            }
        }
    }

    void token(char c) {
        if (c == '"' || c == '\'') {
            skip_literal(c);
            tokens_.emplace_back("\"\"");
        } else if (is_word(c)) {
            word();
        } else if (looking_at("::")) {
            tokens_.emplace_back("::");
            at_ += 2;
        } else {
            tokens_.push_back(std::string_view(text_).substr(at_, 1));
            ++at_;
        }
    }

    void word() {
        const size_t begin = at_;
        const bool is_number = is_digit(text_[at_]);
        // 1'000'000 is one number.
        while (at_ < text_.size() && (is_word(text_[at_]) || (is_number && text_[at_] == '\'' &&
                                                              at_ + 1 < text_.size() && is_word(text_[at_ + 1])))) {
            ++at_;
        }
        std::string_view word = std::string_view(text_).substr(begin, at_ - begin);
        const bool is_raw = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
        if (is_raw && looking_at("\"")) {
            skip_raw_string();
            word = "\"\"";
        }
        tokens_.push_back(word);
    }

    // To the end of the line where the end is missing.
    void skip_literal(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == quote) {
                ++at_;
                return;
            }
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        }
    }

    // R"delimiter( ... )delimiter"
    void skip_raw_string() {
        const size_t open = text_.find('(', at_);
        if (open == std::string::npos || open - at_ > 17) {
            ++at_;
            return;
        }
        const std::string end = ")" + text_.substr(at_ + 1, open - at_ - 1) + "\"";
        const size_t found = text_.find(end, open);
        at_ = found == std::string::npos ? text_.size() : found + end.size();
    }

    std::string text_;
    size_t at_ = 0;
    bool is_line_start_ = true;
    std::vector<std::string_view> tokens_;
};

using Tokens = std::span<const std::string_view>;

bool is_identifier(std::string_view token) {
    return is_word(token.front()) && !is_digit(token.front());
}

// The index behind the bracket that closes the one at `open`; none if it is not closed.
std::optional<size_t> behind_bracket(Tokens tokens, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
        const std::string_view token = tokens[i];
        if (token == "__global__") return std::nullopt;  // the next kernel: this one is no declaration
        if (token == "(" || token == "[" || token == "{") ++depth;
        if (token == ")" || token == "]" || token == "}") --depth;
        if (depth == 0) return i + 1;
    }
    return std::nullopt;
}

// What may stand between __global__ and a kernel's name besides the result's type, with and without parentheses.
constexpr std::array<std::string_view, 9> specifiers{
    "static", "inline", "extern", "__inline__", "__noinline__", "__forceinline__", "__restrict__", "constexpr", "\"\""};
constexpr std::array<std::string_view, 6> attributes{"__launch_bounds__", "__maxnreg__",   "__cluster_dims__",
                                                     "__block_size__",    "__attribute__", "alignas"};

struct Declaration {
    std::string name;
    Tokens parameters;
    size_t end = 0;  // behind the list
};

// The declaration of which `at` is just behind __global__.
std::optional<Declaration> declaration_at(Tokens tokens, size_t at) {
    while (at + 1 < tokens.size()) {
        const std::string_view token = tokens[at];
        if (is_one_of(token, attributes) || token == "[") {
            const auto behind = behind_bracket(tokens, token == "[" ? at : at + 1);
            if (!behind) return std::nullopt;
            at = *behind;
        } else if (token == "void" || is_one_of(token, specifiers)) {
            ++at;
        } else if (is_identifier(token) && tokens[at + 1] == "(") {
            const auto behind = behind_bracket(tokens, at + 1);
            if (!behind) return std::nullopt;
            return Declaration{std::string(token), tokens.subspan(at + 2, *behind - at - 3), *behind};
        } else {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// A parameter list in parts. < and > are brackets here: a list has no comparisons but in a default argument, and then
// the count will not agree with the kernel's.
std::vector<Tokens> split_at_commas(Tokens list) {
    std::vector<Tokens> parts;
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < list.size(); ++i) {
        const std::string_view token = list[i];
        if (token == "(" || token == "[" || token == "{" || token == "<") ++depth;
        if (token == ")" || token == "]" || token == "}" || token == ">") --depth;
        if (token != "," || depth != 0) continue;
        parts.push_back(list.subspan(begin, i - begin));
        begin = i + 1;
    }
    if (begin < list.size() || !parts.empty()) parts.push_back(list.subspan(begin));
    return parts;
}

struct StandardType {
    std::string_view name;
    ArgumentKind kind;
    uint64_t size;
};

// Types with a name that is theirs wherever it is used.
constexpr std::array standard_types{
    StandardType{"int8_t", ArgumentKind::integer, 1},
    StandardType{"uint8_t", ArgumentKind::integer, 1},
    StandardType{"int16_t", ArgumentKind::integer, 2},
    StandardType{"uint16_t", ArgumentKind::integer, 2},
    StandardType{"int32_t", ArgumentKind::integer, 4},
    StandardType{"uint32_t", ArgumentKind::integer, 4},
    StandardType{"int64_t", ArgumentKind::integer, 8},
    StandardType{"uint64_t", ArgumentKind::integer, 8},
    StandardType{"size_t", ArgumentKind::integer, 8},
    StandardType{"ptrdiff_t", ArgumentKind::integer, 8},
    StandardType{"intptr_t", ArgumentKind::integer, 8},
    StandardType{"uintptr_t", ArgumentKind::integer, 8},
    StandardType{"cudaTextureObject_t", ArgumentKind::integer, 8},
    StandardType{"cudaSurfaceObject_t", ArgumentKind::integer, 8},
    StandardType{"_Float16", ArgumentKind::floating_point, 2},
    StandardType{"__half", ArgumentKind::floating_point, 2},
    StandardType{"half", ArgumentKind::floating_point, 2},
    StandardType{"__nv_bfloat16", ArgumentKind::bfloat16, 2},
    StandardType{"nv_bfloat16", ArgumentKind::bfloat16, 2},
};

// The type that the keywords of a type's specifier make, "unsigned long long".
std::optional<ParameterType> builtin_type(Tokens words) {
    const auto count = [&](std::string_view word) { return std::count(words.begin(), words.end(), word); };
    const auto all_are = [&](auto... known) { return (count(known) + ...) == static_cast<long>(words.size()); };
    const auto integer_of = [](uint64_t size) { return ParameterType{ArgumentKind::integer, size}; };
    if (words.empty()) return std::nullopt;
    if (words.size() == 1 && words[0] == "bool") return ParameterType{ArgumentKind::boolean, 1};
    if (words.size() == 1 && words[0] == "float") return ParameterType{ArgumentKind::floating_point, 4};
    if (all_are("double", "long") && count("double") == 1) return ParameterType{ArgumentKind::floating_point, 8};
    if (words.size() == 1 && words[0] == "wchar_t") return integer_of(4);
    if (words.size() == 1 && words[0] == "char8_t") return integer_of(1);
    if (words.size() == 1 && words[0] == "char16_t") return integer_of(2);
    if (words.size() == 1 && words[0] == "char32_t") return integer_of(4);
    if (all_are("signed", "unsigned", "char")) return integer_of(count("char") > 0 ? 1 : 4);
    if (all_are("signed", "unsigned", "short", "int") && count("short") > 0) return integer_of(2);
    if (all_are("signed", "unsigned", "int")) return integer_of(4);
    if (all_are("signed", "unsigned", "long", "int")) return integer_of(8);
    if (all_are("signed", "unsigned", "__int128")) return integer_of(16);
    return std::nullopt;
}

// The type that a name stands for, with std:: or cuda::std:: in front or without.
std::optional<ParameterType> standard_type(Tokens words) {
    for (const std::string_view prefix : {"::", "cuda", "::", "std", "::"}) {
        if (words.size() > 1 && words.front() == prefix) words = words.subspan(1);
    }
    if (words.size() != 1) return std::nullopt;
    for (const StandardType& type : standard_types) {
        if (words.front() == type.name) return ParameterType{type.kind, type.size};
    }
    return std::nullopt;
}

std::string text_of(Tokens words) {
    std::string text;
    for (const std::string_view word : words) {
        const bool is_apart = !text.empty() && is_word(text.back()) && is_word(word.front());
        if (is_apart) text += ' ';
        text += word;
        if (text.size() > longest_type_text) return {};
    }
    return text;
}

// One parameter's declaration: "const float* __restrict__ x = nullptr".
ParameterType parameter_type(Tokens declaration) {
    constexpr std::array<std::string_view, 4> ignored{"__restrict__", "__restrict", "restrict", "__grid_constant__"};
    constexpr std::array<std::string_view, 13> keywords{"signed",  "unsigned", "char",    "short", "int",
                                                        "long",    "float",    "double",  "bool",  "wchar_t",
                                                        "char8_t", "char16_t", "char32_t"};
    std::vector<std::string_view> type;  // the specifier without const and volatile
    std::vector<std::string_view> text;  // all of it
    size_t stars = 0;
    for (size_t i = 0; i < declaration.size(); ++i) {
        const std::string_view token = declaration[i];
        if (token == "=") break;
        if (token == "(" || token == "&" || token == "." || token == "{" || token == "<") return {};
        if (is_one_of(token, ignored)) continue;
        if (token == "[") {
            const auto behind = behind_bracket(declaration, i);
            if (!behind) return {};
            const bool is_attribute = i + 1 < declaration.size() && declaration[i + 1] == "[";
            if (!is_attribute) {
                ++stars;  // an array is passed as a pointer
                text.emplace_back("*");
            }
            i = *behind - 1;
        } else if (token == "*") {
            ++stars;
            text.push_back(token);
        } else if (token == "const" || token == "volatile") {
            if (stars == 0) text.push_back(token);
        } else if (stars > 0 && is_identifier(token)) {
            continue;  // its name, or a macro that stands for a qualifier
        } else if (is_identifier(token) || token == "::") {
            const bool is_keyword = is_one_of(token, keywords) || token == "__int128";
            const bool goes_on = type.empty() || type.back() == "::" || token == "::" ||
                                 (is_keyword && (is_one_of(type.back(), keywords) || type.back() == "__int128"));
            const bool is_tag = token == "struct" || token == "class" || token == "enum" || token == "union";
            if (is_tag) continue;
            if (!goes_on) {
                // The parameter's name. More than one word that is no type's is a macro, of which nothing is known.
                const bool is_last =
                    i + 1 == declaration.size() || declaration[i + 1] == "[" || declaration[i + 1] == "=";
                if (!is_last) return {};
                continue;
            }
            type.push_back(token);
            text.push_back(token);
        } else {
            return {};
        }
    }
    if (stars > 0 && !type.empty()) return {ArgumentKind::pointer, 8, text_of(text)};
    if (type.empty()) return {};
    ParameterType result = builtin_type(type).value_or(standard_type(type).value_or(ParameterType()));
    result.text = text_of(text);
    return result;
}

std::vector<ParameterType> parameter_types(Tokens list) {
    if (list.size() == 1 && list.front() == "void") return {};
    std::vector<ParameterType> types;
    for (const Tokens declaration : split_at_commas(list))
        types.push_back(parameter_type(declaration));
    return types;
}

bool are_equal(const std::vector<ParameterType>& a, const std::vector<ParameterType>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ParameterType& x, const ParameterType& y) {
        return x.kind == y.kind && x.size == y.size && x.text == y.text;
    });
}

}  // namespace

DeclaredKernels kernels_in_source(std::string_view source) {
    Tokenizer tokenizer(source);
    const std::vector<std::string_view> tokens = tokenizer.run();
    DeclaredKernels kernels;
    std::vector<std::string> ambiguous;
    for (size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at] != "__global__") continue;
        const auto declaration = declaration_at(tokens, at + 1);
        if (!declaration) continue;
        std::vector<ParameterType> types = parameter_types(declaration->parameters);
        const auto [known, is_new] = kernels.try_emplace(declaration->name, types);
        if (!is_new && !are_equal(known->second, types)) ambiguous.push_back(declaration->name);
        at = declaration->end - 1;
    }
    for (const std::string& name : ambiguous)
        kernels.erase(name);
    return kernels;
}

}  // namespace cuprum::core
