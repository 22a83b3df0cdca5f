#include "ptx/parser.hpp"

#include <algorithm>
#include <limits>

#include "ptx/parser_implementation.hpp"

namespace cuprum::simulator::ptx {
namespace {

constexpr size_t kMaximumDiagnostics = 20;
constexpr uint64_t kMaximumText = uint64_t{1} << 31;

// Limits on what a few characters can make the parser allocate. They grow with the text, so that no real module meets
// them: a compiler declares only registers it uses.
constexpr uint64_t kBaseRegisters = uint64_t{1} << 20;
constexpr uint64_t kBaseInitialBytes = uint64_t{1} << 28;

}  // namespace

Parser::Parser(std::string_view text, Module& module, std::vector<Diagnostic>& diagnostics)
    : text_(text),
      module_(module),
      diagnostics_(diagnostics),
      tokens_(text),
      registers_left_(kBaseRegisters + text.size()),
      initial_bytes_left_(kBaseInitialBytes + text.size()) {
    scopes_.emplace_back();
    module_.source_files.emplace_back();
}

void Parser::report(SourceLocation location, std::string message) {
    diagnostics_.push_back({location, std::move(message)});
    if (diagnostics_.size() >= kMaximumDiagnostics) {
        throw TooManyDiagnostics();
    }
}

// Only for messages: counts lines from the beginning.
SourceLocation Parser::location_of(std::string_view part_of_text) const {
    const auto offset = static_cast<size_t>(part_of_text.data() - text_.data());
    const std::string_view before = text_.substr(0, offset);
    const size_t newline = before.rfind('\n');
    const size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
    return {static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<uint32_t>(offset - line_begin) + 1};
}

std::optional<Meaning> Parser::find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (std::optional<Meaning> meaning = scope->find(name)) {
            return meaning;
        }
    }
    return std::nullopt;
}

std::optional<uint32_t> Parser::find_symbol(std::string_view name) const {
    const std::optional<Meaning> meaning = find(name);
    if (!meaning || meaning->kind != Meaning::Kind::symbol) {
        return std::nullopt;
    }
    return meaning->index;
}

void Parser::declare(const Token& name, const Meaning& meaning) {
    if (!scopes_.back().add(name.text, meaning)) {
        report(name.location(), "the name " + describe(name) + " is declared twice in one scope");
    }
}

void Parser::parse_module() {
    try {
        try {
            parse_header();
        } catch (const SyntaxError& error) {
            report(error.location, error.message);
            return;  // not PTX: whatever follows would only give noise
        }
        while (!tokens_.at_end()) {
            statement_braces_ = 0;
            try {
                parse_module_statement();
            } catch (const SyntaxError& error) {
                report(error.location, error.message);
                function_ = nullptr;
                scopes_.resize(1);
                pending_begin_.clear();
                pending_.clear();
                skip_module_statement();
            }
        }
        resolve_aliases();
    } catch (const TooManyDiagnostics&) {
        // The result holds what was found so far.
    }
}

// `.version major.minor`, `.target words`, and optionally `.address_size n`.
void Parser::parse_header() {
    const Token first = tokens_.current();
    if (first.text != ".version") {
        TokenStream::fail(first.location(), "this is not PTX text: expected '.version', found " + describe(first));
    }
    tokens_.advance();
    const Token version = tokens_.current();
    const size_t dot = version.text.find('.');
    uint64_t parts[2] = {0, 0};
    bool valid = version.kind == Token::Kind::float64 && dot != std::string_view::npos && dot > 0;
    for (size_t i = 0; valid && i < 2; ++i) {
        const std::string_view digits = i == 0 ? version.text.substr(0, dot) : version.text.substr(dot + 1);
        valid = !digits.empty() && digits.size() <= 4;
        for (const char c : digits) {
            valid = valid && c >= '0' && c <= '9';
            parts[i] = parts[i] * 10 + static_cast<uint64_t>(c - '0');
        }
    }
    if (!valid) {
        tokens_.fail_expected("the PTX version, such as 8.0");
    }
    tokens_.advance();
    module_.version_major = static_cast<uint32_t>(parts[0]);
    module_.version_minor = static_cast<uint32_t>(parts[1]);

    if (tokens_.current().text != ".target") {
        tokens_.fail_expected("'.target' after '.version'");
    }
    tokens_.advance();
    module_.target = std::string(tokens_.expect_identifier("a target architecture, such as sm_80").text);
    while (tokens_.accept(',')) {
        tokens_.expect_identifier("a target option, such as debug");
    }
    if (tokens_.current().text == ".address_size") {
        tokens_.advance();
        const SourceLocation location = tokens_.current().location();
        const uint64_t bits = parse_count(tokens_, "the address size", 64);
        if (bits != 32 && bits != 64) {
            TokenStream::fail(location, "the address size must be 32 or 64, found " + std::to_string(bits));
        }
        module_.address_size = static_cast<uint32_t>(bits);
    }
}

void Parser::parse_module_statement() {
    const Token token = tokens_.current();
    if (token.kind == Token::Kind::punctuation && token.text == "@") {  // @@DWARF of old compilers
        tokens_.skip_line();
        return;
    }
    if (token.kind != Token::Kind::dot_word) {
        tokens_.fail_expected("a directive at module scope, such as '.entry' or '.global'");
    }
    if (token.text == ".file") {
        parse_file_directive();
    } else if (token.text == ".loc") {
        parse_location();
    } else if (token.text == ".section") {
        parse_section();
    } else if (token.text == ".pragma") {
        parse_pragma();
    } else if (token.text == ".alias") {
        parse_alias();
    } else {
        parse_linkage_statement();
    }
}

// A variable or function, with its linkage before it.
void Parser::parse_linkage_statement() {
    Linkage linkage = Linkage::internal;
    for (;;) {
        const Token token = tokens_.current();
        if (token.text == ".visible") {
            linkage = Linkage::visible;
        } else if (token.text == ".extern") {
            linkage = Linkage::external;
        } else if (token.text == ".weak") {
            linkage = Linkage::weak;
        } else if (token.text == ".common") {
            linkage = Linkage::common;
        } else {
            break;
        }
        tokens_.advance();
    }
    const Token token = tokens_.current();
    if (token.text == ".entry" || token.text == ".func") {
        tokens_.advance();
        parse_function(linkage, token.text == ".entry");
    } else if (token.text == ".global") {
        tokens_.advance();
        parse_variables(StateSpace::global, linkage);
    } else if (token.text == ".const") {
        tokens_.advance();
        parse_variables(StateSpace::constant, linkage);
    } else if (token.text == ".shared") {
        tokens_.advance();
        parse_variables(StateSpace::shared, linkage);
    } else if (token.text == ".local") {
        tokens_.advance();
        parse_variables(StateSpace::local, linkage);
    } else if (token.kind == Token::Kind::dot_word) {
        TokenStream::fail(token.location(), "unknown directive " + describe(token) + " at module scope");
    } else {
        tokens_.fail_expected("'.entry', '.func' or a state space");
    }
}

uint32_t Parser::source_file_index(uint64_t number) {
    const auto next = static_cast<uint32_t>(module_.source_files.size());
    const auto [entry, inserted] = file_numbers_.emplace(number, next);
    if (inserted) {
        module_.source_files.emplace_back();
    }
    return entry->second;
}

// `.file number "name" [, timestamp, size]`. Compilers write it after the .loc directives that use it.
void Parser::parse_file_directive() {
    tokens_.advance();
    const uint64_t number = parse_count(tokens_, "a file number", std::numeric_limits<uint32_t>::max());
    if (tokens_.current().kind != Token::Kind::string) {
        tokens_.fail_expected("the name of the file in quotes");
    }
    std::string_view name = tokens_.take().text;
    name.remove_prefix(1);
    name.remove_suffix(1);
    module_.source_files[source_file_index(number)] = std::string(name);
    while (tokens_.accept(',')) {
        parse_integer_expression(tokens_, "the time stamp or the size of the file");
    }
}

// Debug information: `.section name { ... }`, kept as text.
void Parser::parse_section() {
    const Token directive = tokens_.take();
    const Token::Kind kind = tokens_.current().kind;
    if (kind != Token::Kind::dot_word && kind != Token::Kind::identifier) {
        tokens_.fail_expected("the name of the section");
    }
    const std::string_view name = tokens_.take().text;
    if (!tokens_.at('{')) {
        tokens_.fail_expected("'{' to open the section");
    }
    const size_t begin = offset_of(tokens_.current()) + 1;
    if (!tokens_.skip_braces()) {
        report(directive.location(), "expected '}' to close this section, found the end of the text");
        return;
    }
    const size_t end = text_.rfind('}', tokens_.at_end() ? text_.size() : offset_of(tokens_.current()));
    module_.debug_sections.push_back({name, text_.substr(begin, end - begin)});
}

size_t Parser::offset_of(const Token& token) const {
    return static_cast<size_t>(token.text.data() - text_.data());
}

void Parser::parse_pragma() {
    tokens_.advance();
    do {
        if (tokens_.current().kind != Token::Kind::string) {
            tokens_.fail_expected("a string after '.pragma'");
        }
        tokens_.advance();
    } while (tokens_.accept(','));
    tokens_.expect(';', "after '.pragma'");
}

// `.alias name, function;`
void Parser::parse_alias() {
    tokens_.advance();
    const Token alias = tokens_.expect_identifier("the name of the alias");
    tokens_.expect(',', "after the name of the alias");
    const Token target = tokens_.expect_identifier("the function the alias stands for");
    tokens_.expect(';', "after '.alias'");
    aliases_.emplace_back(alias, target);
}

// The alias was declared as a function without a body; from here on its symbol means the other function.
void Parser::resolve_aliases() {
    for (const auto& [alias, target] : aliases_) {
        for (const Token& name : {alias, target}) {
            const std::optional<uint32_t> symbol = find_symbol(name.text);
            if (!symbol || module_.symbols[*symbol].kind != Symbol::Kind::function) {
                report(name.location(), "'.alias' names " + describe(name) + ", which is not a declared function");
                return;
            }
        }
        Symbol& symbol = module_.symbols[*find_symbol(alias.text)];
        const Symbol& meant = module_.symbols[*find_symbol(target.text)];
        if (module_.functions[symbol.index].has_body || !module_.functions[meant.index].has_body) {
            report(alias.location(), "'.alias' must give a function without a body the one of a function that has it");
            return;
        }
        symbol.index = meant.index;
    }
}

// After an error: goes on behind the statement's ';' or behind the '}' of the function it was to be.
void Parser::skip_module_statement() {
    uint64_t depth = statement_braces_;
    while (!tokens_.at_end()) {
        if (tokens_.at('{')) {
            ++depth;
        } else if (tokens_.at('}')) {
            depth -= depth > 0 ? 1 : 0;
            if (depth == 0) {
                tokens_.advance();
                tokens_.accept(';');
                return;
            }
        } else if (tokens_.at(';') && depth == 0) {
            tokens_.advance();
            return;
        }
        tokens_.advance();
    }
}

ParseResult parse(std::string_view text) {
    while (!text.empty() && text.back() == '\0') {
        text.remove_suffix(1);
    }
    ParseResult result;
    if (text.size() >= kMaximumText) {
        result.diagnostics.push_back({{}, "the PTX text is longer than 2 GiB"});
        return result;
    }
    result.module.text = std::make_shared<const std::string>(text);
    Parser(*result.module.text, result.module, result.diagnostics).parse_module();
    return result;
}

std::string format(const Diagnostic& diagnostic, std::string_view text) {
    if (diagnostic.location.line == 0) {
        return diagnostic.message;
    }
    std::string formatted = "line " + std::to_string(diagnostic.location.line) + ", column " +
                            std::to_string(diagnostic.location.column) + ": " + diagnostic.message;
    for (uint32_t line = 1; line < diagnostic.location.line; ++line) {
        const size_t newline = text.find('\n');
        if (newline == std::string_view::npos) {
            return formatted;
        }
        text.remove_prefix(newline + 1);
    }
    constexpr size_t kLongestLine = 200;
    formatted += "\n    ";
    for (const char c : text.substr(0, std::min(text.find('\n'), kLongestLine))) {
        formatted += c == '\t' || (c >= ' ' && c <= '~') ? c : ' ';
    }
    return formatted;
}

}  // namespace cuprum::simulator::ptx
