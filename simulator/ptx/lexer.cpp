#include "ptx/lexer.hpp"

#include <array>
#include <cstring>

namespace cuprum::simulator::ptx {
namespace {

enum CharacterClass : uint8_t {
    kOther = 0,
    kDigit = 1,
    kWordFollow = 2,  // letters, digits, _ and $
    kWordStart = 4,   // letters, _, $ and %
};

constexpr std::array<uint8_t, 256> make_classes() {
    std::array<uint8_t, 256> classes{};
    for (int c = '0'; c <= '9'; ++c) {
        classes[static_cast<size_t>(c)] = kDigit | kWordFollow;
    }
    for (int c = 'a'; c <= 'z'; ++c) {
        classes[static_cast<size_t>(c)] = kWordStart | kWordFollow;
        classes[static_cast<size_t>(c) - 'a' + 'A'] = kWordStart | kWordFollow;
    }
    classes['_'] = kWordStart | kWordFollow;
    classes['$'] = kWordStart | kWordFollow;
    classes['%'] = kWordStart;
    return classes;
}

constexpr std::array<uint8_t, 256> kClasses = make_classes();

bool has_class(char c, uint8_t wanted) {
    return (kClasses[static_cast<unsigned char>(c)] & wanted) != 0;
}

bool is_exponent_letter(char c) {
    return c == 'e' || c == 'E';
}

const char* skip_word(const char* position, const char* end) {
    while (position != end && has_class(*position, kWordFollow)) {
        ++position;
    }
    return position;
}

// Whether `.` and these characters are a literal such as .5 or .5e3; no modifier looks like that.
bool is_fraction(std::string_view word) {
    size_t i = 0;
    while (i < word.size() && has_class(word[i], kDigit)) {
        ++i;
    }
    if (i == 0) {
        return false;
    }
    if (i < word.size() && is_exponent_letter(word[i])) {
        ++i;
        while (i < word.size() && has_class(word[i], kDigit)) {
            ++i;
        }
    }
    return i == word.size();
}

bool is_two_character_symbol(char first, char second) {
    switch (first) {
        case '<':
        case '>':
            return second == first || second == '=';
        case '=':
        case '!':
            return second == '=';
        case '&':
        case '|':
            return second == first;
        default:
            return false;
    }
}

}  // namespace

Lexer::Lexer(std::string_view text)
    : position_(text.data()), end_(text.data() + text.size()), line_begin_(text.data()) {}

bool Lexer::skip_blanks() {
    while (position_ != end_) {
        const char c = *position_;
        if (c == '\n') {
            new_line(++position_);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++position_;
        } else if (c == '/' && end_ - position_ > 1 && position_[1] == '/') {
            const void* newline = std::memchr(position_, '\n', static_cast<size_t>(end_ - position_));
            position_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
        } else if (c == '/' && end_ - position_ > 1 && position_[1] == '*') {
            const char* const begin = position_;
            position_ += 2;
            while (end_ - position_ > 1 && !(position_[0] == '*' && position_[1] == '/')) {
                if (*position_ == '\n') {
                    new_line(position_ + 1);
                }
                ++position_;
            }
            if (end_ - position_ < 2) {
                position_ = begin;
                return false;
            }
            position_ += 2;
        } else {
            return true;
        }
    }
    return true;
}

Token Lexer::next() {
    const bool comments_closed = skip_blanks();
    Token token;
    token.line = line_;
    token.column = static_cast<uint32_t>(position_ - line_begin_) + 1;
    if (position_ == end_) {
        return token;
    }
    const char* const begin = position_;
    const char c = *begin;
    if (!comments_closed) {
        token.kind = Token::Kind::invalid;
        token.text = std::string_view(begin, 2);
        position_ = end_;
        return token;
    }
    if (has_class(c, kWordStart)) {
        position_ = skip_word(begin + 1, end_);
        if (c != '%' || position_ - begin > 1) {
            token.kind = Token::Kind::identifier;
            token.text = std::string_view(begin, static_cast<size_t>(position_ - begin));
            return token;
        }
    } else if (c == '.' && end_ - begin > 1 && has_class(begin[1], kWordFollow)) {
        position_ = skip_word(begin + 1, end_);
        if (is_fraction(std::string_view(begin + 1, static_cast<size_t>(position_ - begin - 1)))) {
            return number(token);
        }
        while (end_ - position_ > 2 && position_[0] == ':' && position_[1] == ':' &&
               has_class(position_[2], kWordFollow)) {
            position_ = skip_word(position_ + 2, end_);
        }
        token.kind = Token::Kind::dot_word;
        token.text = std::string_view(begin, static_cast<size_t>(position_ - begin));
        return token;
    } else if (has_class(c, kDigit)) {
        position_ = skip_word(begin, end_);
        return number(token);
    } else if (c == '"') {
        ++position_;
        while (position_ != end_ && *position_ != '"' && *position_ != '\n') {
            position_ += *position_ == '\\' && end_ - position_ > 1 && position_[1] != '\n' ? 2 : 1;
        }
        const bool closed = position_ != end_ && *position_ == '"';
        position_ += closed ? 1 : 0;
        token.kind = closed ? Token::Kind::string : Token::Kind::invalid;
        token.text = std::string_view(begin, static_cast<size_t>(position_ - begin));
        return token;
    }
    // A single '%' falls through to here as the remainder operator.
    constexpr std::string_view kPunctuation = "{}[]()<>,;:=+-*/%&|^~!@?";
    position_ = begin + 1;
    token.kind = Token::Kind::invalid;
    if (kPunctuation.find(c) != std::string_view::npos) {
        token.kind = Token::Kind::punctuation;
        token.symbol = symbol_code(c);
        if (position_ != end_ && is_two_character_symbol(c, *position_)) {
            token.symbol = symbol_code(c, *position_);
            ++position_;
        }
    }
    token.text = std::string_view(begin, static_cast<size_t>(position_ - begin));
    return token;
}

// `position_` stands after the letters and digits that begin the literal.
Token Lexer::number(Token token) {
    const char* const begin = line_begin_ + (token.column - 1);
    const auto length = [&] { return static_cast<size_t>(position_ - begin); };
    const char second = length() > 1 ? begin[1] : '\0';
    token.kind = Token::Kind::integer;
    if (begin[0] == '0' && (second == 'f' || second == 'F')) {
        token.kind = Token::Kind::float32;
    } else if (begin[0] == '0' && (second == 'd' || second == 'D')) {
        token.kind = Token::Kind::float64;
    } else if (!(begin[0] == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B'))) {
        if (begin[0] != '.' && position_ != end_ && *position_ == '.') {
            position_ = skip_word(position_ + 1, end_);
        }
        if (is_exponent_letter(position_[-1]) && position_ != end_ && (*position_ == '+' || *position_ == '-')) {
            position_ = skip_word(position_ + 1, end_);
        }
        if (std::string_view(begin, length()).find_first_of(".eE") != std::string_view::npos) {
            token.kind = Token::Kind::float64;
        }
    }
    token.text = std::string_view(begin, length());
    return token;
}

bool Lexer::skip_braces() {
    uint64_t depth = 1;
    for (; position_ != end_; ++position_) {
        if (*position_ == '\n') {
            new_line(position_ + 1);
        } else if (*position_ == '{') {
            ++depth;
        } else if (*position_ == '}' && --depth == 0) {
            ++position_;
            return true;
        }
    }
    return false;
}

void Lexer::skip_line() {
    const void* newline = std::memchr(position_, '\n', static_cast<size_t>(end_ - position_));
    position_ = newline != nullptr ? static_cast<const char*>(newline) : end_;
}

}  // namespace cuprum::simulator::ptx
