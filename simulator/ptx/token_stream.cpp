#include "ptx/token_stream.hpp"

#include <cstdio>

namespace cuprum::simulator::ptx {

std::string quoted(std::string_view text) {
    constexpr size_t kLongest = 80;
    std::string result = "'";
    for (const char c : text.substr(0, kLongest)) {
        if (c >= ' ' && c <= '~') {
            result += c;
        } else {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            result += escaped;
        }
    }
    result += text.size() > kLongest ? "...'" : "'";
    return result;
}

std::string describe(const Token& token) {
    if (token.kind == Token::Kind::end) {
        return "the end of the text";
    }
    if (token.kind == Token::Kind::invalid && token.text.substr(0, 2) == "/*") {
        return "a comment without an end";
    }
    if (token.kind == Token::Kind::invalid && token.text.substr(0, 1) == "\"") {
        return "a string without a closing quote";
    }
    return quoted(token.text);
}

void TokenStream::expect(char symbol, std::string_view context) {
    if (accept(symbol)) {
        return;
    }
    std::string what = "'";
    what += symbol;
    what += "' ";
    what += context;
    fail_expected(what);
}

Token TokenStream::expect_identifier(std::string_view what) {
    if (current_.kind != Token::Kind::identifier) {
        fail_expected(what);
    }
    return take();
}

void TokenStream::fail_expected(std::string_view what) const {
    std::string message = "expected ";
    message += what;
    message += ", found ";
    message += describe(current_);
    throw SyntaxError{current_.location(), std::move(message)};
}

bool TokenStream::skip_braces() {
    const bool closed = lexer_.skip_braces();
    advance();
    return closed;
}

void TokenStream::skip_line() {
    lexer_.skip_line();
    advance();
}

}  // namespace cuprum::simulator::ptx
