#include "include_scanner.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "source_text.hpp"

namespace cuprum::core {

namespace {

bool is_plain_identifier_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

// Compilers take $ too, and letters beyond ASCII.
bool is_identifier_character(char c) {
    return is_plain_identifier_character(c) || c == '$' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

// Moves over a text as if lines that end in a backslash were joined to the next. '\0' at the end.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) { skip_splices(); }

    bool at_end() const { return at_ >= text_.size(); }
    char peek() const { return at_end() ? '\0' : text_[at_]; }
    char peek_next() const {
        Cursor copy = *this;
        copy.advance();
        return copy.peek();
    }
    size_t position() const { return at_; }
    std::string_view text() const { return text_; }
    void advance() { jump(at_ + 1); }
    void jump(size_t position) {
        at_ = position;
        skip_splices();
    }

private:
    void skip_splices() {
        while (at_ + 1 < text_.size() && text_[at_] == '\\') {
            if (text_[at_ + 1] == '\n') {
                at_ += 2;
            } else if (text_[at_ + 1] == '\r' && at_ + 2 < text_.size() && text_[at_ + 2] == '\n') {
                at_ += 3;
            } else {
                return;
            }
        }
    }

    std::string_view text_;
    size_t at_ = 0;
};

enum class TokenKind { end, newline, identifier, number, string, hash, paste, other };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;  // of identifiers and numbers; of strings as they stand in the file
};

class Scanner {
public:
    Scanner(std::string_view text, const ScanRules& rules) : cursor_(text), rules_(rules) {}

    ScannedText run() {
        look_for_what_is_read_differently();
        bool at_line_start = true;
        for (Token token = lex(); token.kind != TokenKind::end; token = lex()) {
            if (token.kind == TokenKind::newline) {
                at_line_start = true;
            } else if (at_line_start && token.kind == TokenKind::hash) {
                directive();
            } else {
                at_line_start = false;
                text_token(token);
            }
        }
        return std::move(result_);
    }

private:
    void doubt(std::string_view reason) {
        if (result_.doubt.empty()) result_.doubt = reason;
    }

    void look_for_what_is_read_differently() {
        const std::string_view text = cursor_.text();
        if (text.find('\0') != std::string_view::npos) doubt("a NUL character");
        constexpr std::string_view third_of_trigraph = "=/'()!<>-";
        for (size_t at = text.find("??"); !rules_.trigraphs_are_known_off && at != std::string_view::npos;
             at = text.find("??", at + 1)) {
            if (at + 2 < text.size() && third_of_trigraph.find(text[at + 2]) != std::string_view::npos) {
                doubt("a trigraph");
            }
        }
    }

    // Tokens

    Token lex() {
        skip_blanks_and_comments(cursor_);
        if (cursor_.at_end()) return {};
        const char c = cursor_.peek();
        if (c == '\n') {
            cursor_.advance();
            return {TokenKind::newline, {}};
        }
        if (is_digit(c) || (c == '.' && is_digit(cursor_.peek_next()))) return number();
        if (is_identifier_character(c)) return identifier();
        if (c == '"' || c == '\'') return literal(c);
        return punctuator(c);
    }

    // Not over the end of the line, except in a comment.
    void skip_blanks_and_comments(Cursor& cursor) {
        while (!cursor.at_end()) {
            if (is_blank(cursor.peek())) {
                cursor.advance();
            } else if (cursor.peek() == '/' && cursor.peek_next() == '/') {
                while (!cursor.at_end() && cursor.peek() != '\n')
                    cursor.advance();
                if (ends_in_backslash_and_blanks(cursor)) doubt("a backslash and blanks at the end of a comment");
            } else if (cursor.peek() == '/' && cursor.peek_next() == '*') {
                cursor.advance();
                cursor.advance();
                skip_block_comment(cursor);
            } else {
                return;
            }
        }
    }

    static void skip_block_comment(Cursor& cursor) {
        while (!cursor.at_end()) {
            const bool is_star = cursor.peek() == '*';
            cursor.advance();
            if (is_star && cursor.peek() == '/') {
                cursor.advance();
                return;
            }
        }
    }

    // Some compilers join such a line to the next.
    static bool ends_in_backslash_and_blanks(const Cursor& cursor) {
        const std::string_view text = cursor.text();
        size_t at = cursor.position();
        const size_t end = at;
        while (at > 0 && is_blank(text[at - 1]))
            --at;
        return at > 0 && at < end && text[at - 1] == '\\';
    }

    Token identifier() {
        const Cursor first = cursor_;
        size_t length = 0;
        size_t last = first.position();
        bool is_plain = true;
        for (; is_identifier_character(cursor_.peek()) && !cursor_.at_end(); cursor_.advance(), ++length) {
            is_plain = is_plain && is_plain_identifier_character(cursor_.peek());
            last = cursor_.position();
        }
        std::string_view word = cursor_.text().substr(first.position(), last + 1 - first.position());
        const bool is_spliced = word.size() != length || cursor_.position() != last + 1;
        if (word.size() != length) word = joined(first, length);
        if (cursor_.peek() == '"' && word.ends_with('R')) {
            constexpr std::array<std::string_view, 5> prefixes{"R", "LR", "uR", "UR", "u8R"};
            if (is_one_of(word, prefixes)) {
                if (is_spliced) doubt("a line splice in the prefix of a raw string");
                return raw_string();
            }
            if (!is_plain) doubt("a raw string behind a character that may belong to it");
        }
        return {TokenKind::identifier, word};
    }

    std::string_view joined(Cursor cursor, size_t length) {
        std::string word;
        for (; word.size() < length; cursor.advance())
            word += cursor.peek();
        return result_.storage.emplace_back(std::move(word));
    }

    Token number() {
        const size_t begin = cursor_.position();
        size_t last = begin;
        char previous = '\0';
        while (!cursor_.at_end()) {
            const char c = cursor_.peek();
            const bool is_sign =
                (c == '+' || c == '-') && (previous == 'e' || previous == 'E' || previous == 'p' || previous == 'P');
            const bool is_separator = c == '\'' && is_identifier_character(cursor_.peek_next());
            if (!is_identifier_character(c) && c != '.' && !is_sign && !is_separator) break;
            if (is_separator && !rules_.digit_separators) doubt("a digit separator");
            previous = c;
            last = cursor_.position();
            cursor_.advance();
        }
        if (cursor_.peek() == '"' && previous == 'R') doubt("a raw string behind a number");
        return {TokenKind::number, cursor_.text().substr(begin, last + 1 - begin)};
    }

    // A literal that does not end on its line ends with it.
    Token literal(char quote) {
        const size_t begin = cursor_.position();
        cursor_.advance();
        while (!cursor_.at_end() && cursor_.peek() != quote) {
            if (cursor_.peek() == '\n') {
                const std::string_view text = cursor_.text().substr(begin, cursor_.position() - begin);
                if (text.find('*') != std::string_view::npos || text.find("R\"") != std::string_view::npos) {
                    doubt("a quotation mark without its pair before what may be a comment or a raw string");
                }
                return {TokenKind::other, {}};
            }
            if (cursor_.peek() == '\\') {
                cursor_.advance();
                if (cursor_.peek() == '\n') continue;
            }
            cursor_.advance();
        }
        const std::string_view text = cursor_.text().substr(begin, cursor_.position() - begin);
        if (!cursor_.at_end()) cursor_.advance();
        return {quote == '"' ? TokenKind::string : TokenKind::other, text};
    }

    // At the quotation mark. Backslashes at the ends of its lines are its own.
    Token raw_string() {
        if (!rules_.raw_strings) doubt("a raw string");
        const std::string_view text = cursor_.text();
        constexpr size_t longest_delimiter = 16;
        const size_t begin = cursor_.position() + 1;
        const size_t parenthesis = text.find_first_of("() \\\t\v\f\r\n", begin);
        if (parenthesis == std::string_view::npos || text[parenthesis] != '(' ||
            parenthesis - begin > longest_delimiter) {
            doubt("a raw string without its opening parenthesis");
            cursor_.jump(begin);
            return {TokenKind::other, {}};
        }
        std::string close(")");
        close.append(text.substr(begin, parenthesis - begin)).append("\"");
        const size_t end = text.find(close, parenthesis + 1);
        if (end == std::string_view::npos) doubt("a raw string without its end");
        cursor_.jump(end == std::string_view::npos ? text.size() : end + close.size());
        return {TokenKind::other, {}};
    }

    Token punctuator(char c) {
        const std::string_view character = cursor_.text().substr(cursor_.position(), 1);
        cursor_.advance();
        const auto is_second_hash = [](const Cursor& at, char first) {
            return first == '#' ? at.peek() == '#' : at.peek() == '%' && at.peek_next() == ':';
        };
        if (c == '#' || (c == '%' && cursor_.peek() == ':')) {
            if (c == '%') cursor_.advance();
            if (!is_second_hash(cursor_, c)) return {TokenKind::hash, {}};
            cursor_.advance();
            if (c == '%') cursor_.advance();
            result_.has_paste = true;
            return {TokenKind::paste, {}};
        }
        if (c == '\\') {
            const char next = cursor_.peek();
            if (next == 'u' || next == 'U' || next == 'N') doubt("a universal character name");
            if (is_blank(next)) doubt("a backslash and blanks at the end of a line");
        }
        return {TokenKind::other, character};
    }

    // Directives

    void directive() {
        const Token name = lex();
        if (name.kind == TokenKind::newline || name.kind == TokenKind::end) return;
        if (name.kind == TokenKind::number) return text_line();  // a line marker
        constexpr std::array<std::string_view, 5> named{"undef", "ifdef", "ifndef", "elifdef", "elifndef"};
        constexpr std::array<std::string_view, 6> without_effect{"else", "endif", "error", "warning", "ident", "sccs"};
        constexpr std::array<std::string_view, 5> expanded{"if", "elif", "line", "assert", "unassert"};
        if (name.text == "include" || name.text == "include_next") return inclusion(name.text == "include_next");
        if (name.text == "define") return definition();
        if (name.text == "pragma") return pragma();
        if (is_one_of(name.text, named) || is_one_of(name.text, without_effect)) return skip_line();
        if (!is_one_of(name.text, expanded)) doubt("a directive that may read a file");
        knows_defined_ = name.text == "if" || name.text == "elif";
        text_line();
        knows_defined_ = false;
    }

    void skip_line() {
        for (Token token = lex(); !ends_line(token); token = lex()) {}
    }

    void text_line() {
        for (Token token = lex(); !ends_line(token); token = lex())
            text_token(token);
        is_behind_defined_ = false;
    }

    static bool ends_line(const Token& token) {
        return token.kind == TokenKind::newline || token.kind == TokenKind::end;
    }

    void inclusion(bool next) {
        skip_blanks_and_comments(cursor_);
        const char open = cursor_.peek();
        if (open != '<' && open != '"') return computed_inclusion();
        const char close = open == '<' ? '>' : '"';
        std::string name;
        for (cursor_.advance(); !cursor_.at_end() && cursor_.peek() != '\n' && cursor_.peek() != close;
             cursor_.advance())
            name += cursor_.peek();
        const bool is_closed = cursor_.peek() == close && !cursor_.at_end();
        if (!is_closed || name.empty() || name.find('\\') != std::string::npos) {
            doubt("an #include whose name cannot be read");
        } else {
            cursor_.advance();
            result_.inclusions.push_back({{std::move(name), open == '"'}, next});
        }
        skip_line();
    }

    void computed_inclusion() {
        std::vector<std::string_view> words;
        for (Token token = lex(); !ends_line(token); token = lex()) {
            if (token.kind == TokenKind::identifier) words.push_back(token.text);
            text_token(token);
        }
        result_.computed_inclusions.push_back(std::move(words));
    }

    void definition() {
        const Token name = lex();
        if (name.kind != TokenKind::identifier) {
            doubt("a #define without a name");
            if (!ends_line(name)) skip_line();
            return;
        }
        MacroDefinition macro;
        macro.name = name.text;
        Token token = name;
        if (cursor_.peek() == '(') {
            while (!ends_line(token) && token.text != ")") {
                token = lex();
                if (token.kind == TokenKind::identifier) macro.parameters.push_back(token.text);
            }
        }
        knows_defined_ = true;
        while (!ends_line(token)) {
            token = lex();
            if (token.kind == TokenKind::hash || token.kind == TokenKind::paste) macro.has_operator = true;
            if (std::optional<WordUse> use = use_of(token)) macro.uses.push_back(std::move(*use));
        }
        knows_defined_ = is_behind_defined_ = false;
        result_.macros.push_back(std::move(macro));
    }

    // Words of a #pragma behind which some compiler takes the name of a file.
    static bool may_name_a_file(std::string_view word) {
        return word.starts_with("include") || word == "dependency" || word == "import" || word == "embed";
    }

    void pragma() {
        for (Token token = lex(); !ends_line(token); token = lex()) {
            if (token.kind == TokenKind::identifier && may_name_a_file(token.text)) {
                doubt("a #pragma that may read a file");
            }
            text_token(token);
        }
    }

    // Behind _Pragma or __pragma.
    void pragma_operator() {
        Cursor rest = cursor_;
        skip_blanks_and_comments(rest);
        if (rest.peek() != '(') return;
        rest.advance();
        skip_blanks_and_comments(rest);
        if (rest.peek() != '"') {
            result_.has_computed_pragma = true;
            return;
        }
        std::string text;
        for (rest.advance(); rest.peek() != '"' && rest.peek() != '\n' && !rest.at_end(); rest.advance()) {
            // A quotation mark within; any other escape could stand for anything.
            if (rest.peek() == '\\') {
                rest.advance();
                if (rest.peek() != '"' && rest.peek() != '\\') doubt("an escape in a _Pragma");
            }
            text += rest.peek();
        }
        for (const std::string_view word : {"include", "dependency", "import", "embed"}) {
            if (text.find(word) != std::string::npos) doubt("a _Pragma that may read a file");
        }
    }

    // Uses

    void text_token(const Token& token) {
        std::optional<WordUse> use = use_of(token);
        if (!use) return;
        if (use->form == WordUse::Form::header) {
            result_.header_uses.push_back(std::move(*use));
        } else {
            result_.bare_uses.insert(use->word);
        }
    }

    std::optional<WordUse> use_of(const Token& token) {
        if (token.kind == TokenKind::number) result_.words.insert(token.text);
        if (token.kind != TokenKind::identifier) {
            if (token.text != "(") is_behind_defined_ = false;
            return std::nullopt;
        }
        result_.words.insert(token.text);
        if (std::exchange(is_behind_defined_, knows_defined_ && token.text == "defined")) return std::nullopt;
        if (is_behind_defined_) return std::nullopt;
        if (token.text == "_Pragma" || token.text == "__pragma") pragma_operator();
        if (rules_.modules && (token.text == "import" || token.text == "module")) doubt("a module");
        const bool is_known = token.text == "__has_include" || token.text == "__has_include_next";
        if (!is_known && (token.text.starts_with("__has_inc") || token.text.starts_with("__has_emb")))
            doubt(token.text);
        return use_at_cursor(token.text);
    }

    WordUse use_at_cursor(std::string_view word) {
        WordUse bare{word, WordUse::Form::bare, {}, {}};
        Cursor cursor = cursor_;
        skip_blanks_and_comments(cursor);
        if (cursor.peek() != '(') return bare;
        cursor.advance();
        skip_blanks_and_comments(cursor);
        WordUse use = bare;
        const char open = cursor.peek();
        if (open == '<' || open == '"') {
            cursor.advance();
            const char close = open == '<' ? '>' : '"';
            for (; is_plain_in_name(cursor.peek()); cursor.advance())
                use.header.text += cursor.peek();
            if (cursor.peek() != close || use.header.text.empty() || use.header.text.find("//") != std::string::npos) {
                return bare;
            }
            cursor.advance();
            use.header.quoted = open == '"';
            use.form = WordUse::Form::header;
        } else {
            const size_t begin = cursor.position();
            while (is_plain_identifier_character(cursor.peek()))
                cursor.advance();
            use.argument = cursor.text().substr(begin, cursor.position() - begin);
            if (use.argument.empty()) return bare;
            use.form = WordUse::Form::argument;
        }
        skip_blanks_and_comments(cursor);
        return cursor.peek() == ')' ? use : bare;
    }

    static bool is_plain_in_name(char c) {
        return is_plain_identifier_character(c) || c == '/' || c == '.' || c == '-' || c == '+';
    }

    Cursor cursor_;
    ScanRules rules_;
    ScannedText result_;
    bool knows_defined_ = false;  // in a condition, or in a macro that may stand in one
    bool is_behind_defined_ = false;
};

}  // namespace

ScanRules scan_rules(std::string_view std_option) {
    const auto is = [std_option](std::string_view version) { return std_option == version; };
    ScanRules rules;
    const bool is_98 = is("c++98") || is("c++03");
    const bool is_before_14 = is_98 || is("c++11");
    const bool is_before_17 = is_before_14 || is("c++14");
    rules.trigraphs_are_known_off = is("c++17") || is("c++20") || is("c++23") || is("c++26");
    rules.raw_strings = !is_98;
    rules.digit_separators = !is_before_14;
    rules.modules = !is_before_17 && !is("c++17");
    return rules;
}

ScannedText scan_text(std::string_view text, const ScanRules& rules) {
    return Scanner(text, rules).run();
}

}  // namespace cuprum::core
