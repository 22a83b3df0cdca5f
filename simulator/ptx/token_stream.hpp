// The current token, and what the parts of the parser share: stepping, expecting, and failing with a position.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "ptx/lexer.hpp"

namespace cuprum::simulator::ptx {

// Ends the parse of one statement; caught where statements are read, never seen outside of the parser.
struct SyntaxError {
    SourceLocation location;
    std::string message;
};

// "'text'", cut to a length that fits a message; bytes that do not print are escaped, so it is one line.
std::string quoted(std::string_view text);
// The same for a token, or "the end of the text".
std::string describe(const Token& token);

class TokenStream {
public:
    explicit TokenStream(std::string_view text) : lexer_(text), current_(lexer_.next()) {}

    const Token& current() const { return current_; }
    Token take() {
        Token taken = current_;
        current_ = lexer_.next();
        return taken;
    }
    void advance() { current_ = lexer_.next(); }
    Token peek() const {
        Lexer ahead = lexer_;
        return ahead.next();
    }

    bool at(char symbol) const { return current_.is(symbol_code(symbol)); }
    bool at_end() const { return current_.kind == Token::Kind::end; }
    bool accept(char symbol) {
        if (!at(symbol)) {
            return false;
        }
        advance();
        return true;
    }
    // `context` completes "expected ';' ...": "after the instruction".
    void expect(char symbol, std::string_view context);
    // Takes an identifier; `what` completes "expected ...".
    Token expect_identifier(std::string_view what);

    // "expected <what>, found <current token>", thrown.
    [[noreturn]] void fail_expected(std::string_view what) const;
    [[noreturn]] static void fail(SourceLocation location, std::string message) {
        throw SyntaxError{location, std::move(message)};
    }

    // The current token is the '{' to skip from; afterwards it is the one after the matching '}'.
    bool skip_braces();
    void skip_line();

private:
    Lexer lexer_;
    Token current_;
};

}  // namespace cuprum::simulator::ptx
