// Splits PTX text into tokens. Tokens are views: nothing is copied.
//
// Source: PTX ISA 9.0, chapter 4 (comments, identifiers, literals).
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/module.hpp"

namespace cuprum::simulator::ptx {

struct Token {
    enum class Kind : uint8_t {
        end,          // of the text
        identifier,   // name, %register, $label, _
        dot_word,     // ".global", ".L2::128B": text includes the dot
        integer,      // 12, 0x1F, 0b101, 017, 12U
        float32,      // 0f and 8 hexadecimal digits
        float64,      // 0d and 16 hexadecimal digits, or a decimal floating-point literal
        string,       // text includes the quotes
        punctuation,  // symbol tells which
        invalid,      // a byte that starts no token, an unfinished string or comment; text holds it
    };
    Kind kind = Kind::end;
    uint16_t symbol = 0;  // of punctuation: symbol_code(...) of its one or two characters
    uint32_t line = 0;
    uint32_t column = 0;
    std::string_view text;

    SourceLocation location() const { return {line, column}; }
    bool is(uint16_t punctuation_symbol) const { return kind == Kind::punctuation && symbol == punctuation_symbol; }
};

constexpr uint16_t symbol_code(char first, char second = '\0') {
    return static_cast<uint16_t>(static_cast<unsigned char>(first) | static_cast<unsigned char>(second) << 8);
}

// A cursor over the text; copying it is how to look ahead. The text must outlive the tokens.
class Lexer {
public:
    explicit Lexer(std::string_view text);

    Token next();
    // Moves to just after the '}' that closes a '{' already read, looking at no tokens between (debug sections, which
    // can be many times larger than the code). False, and at the end of the text, if there is none.
    bool skip_braces();
    // Moves to the next line (the `@@DWARF` lines of old compilers).
    void skip_line();

private:
    // Skips blanks and comments; false when a comment does not end.
    bool skip_blanks();
    Token number(Token token);
    void new_line(const char* after_newline) {
        ++line_;
        line_begin_ = after_newline;
    }

    const char* position_;
    const char* end_;
    const char* line_begin_;
    uint32_t line_ = 1;
};

}  // namespace cuprum::simulator::ptx
