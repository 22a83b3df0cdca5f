#include "ptx/linker.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ptx/device_runtime.hpp"
#include "ptx/lexer.hpp"

namespace cuprum::simulator::ptx {
namespace {

// One statement at module scope. `text` holds it from its first to its last character.
struct Statement {
    enum class Kind : uint8_t { function, variable, other };
    Kind kind = Kind::other;
    Linkage linkage = Linkage::internal;
    bool exported = false;  // .visible by LinkInput::exports
    bool defines = false;   // a function with a body, a variable that is not .extern
    std::string_view name;  // of the function or of the first variable
    std::string_view text;
    std::string_view heading;  // what an `.extern` declaration of the same needs; without linkage and semicolon
};

struct Unit {
    std::string name;
    uint32_t version_major = 0, version_minor = 0;
    std::string target;
    std::vector<Statement> statements;
    uint32_t files = 0;  // the highest number of a .file directive
};

// What is wrong with a text, as one line.
struct LinkError {
    std::string message;
};

// Splits one text into statements.
class Splitter {
public:
    // `text` has no NUL at its end.
    Splitter(const std::string& name, std::string_view text) : lexer_(text), text_(text), previous_end_(text.data()) {
        unit_.name = name;
    }

    Unit split() {
        take();
        if (token_.text != ".version") fail("is not PTX: it does not begin with .version");
        for (;;) {
            if (token_.kind == Token::Kind::end) return std::move(unit_);
            split_statement();
        }
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw LinkError{"'" + unit_.name + "', line " + std::to_string(token_.line) + ": " + what};
    }

    void take() {
        if (token_.kind != Token::Kind::end) previous_end_ = token_.text.data() + token_.text.size();
        token_ = lexer_.next();
        if (token_.kind == Token::Kind::invalid)
            fail("this is not PTX: '" + std::string(token_.text.substr(0, 20)) + "'");
    }

    bool at(char symbol) const { return token_.is(symbol_code(symbol)); }

    void split_statement() {
        const char* const begin = token_.text.data();
        const std::string_view word = token_.text;
        if (word == ".version") {
            take();
            read_version(token_.text);
            take();
        } else if (word == ".target") {
            take();
            unit_.target = std::string(token_.text);
            take();
            while (at(',')) {  // options such as `debug`
                take();
                take();
            }
        } else if (word == ".address_size") {
            take();
            if (token_.text != "64") fail("only modules with .address_size 64 can be linked");
            take();
        } else if (word == ".section") {
            while (!at('{') && token_.kind != Token::Kind::end)
                take();
            if (!lexer_.skip_braces()) fail("a section has no end");
            take();
        } else if (at('@')) {
            lexer_.skip_line();
            take();
        } else if (word == ".file") {
            split_file(begin);
        } else if (word == ".loc") {
            fail("a .loc outside of functions cannot be linked");
        } else if (word == ".pragma" || word == ".alias") {
            Statement statement;
            while (!at(';') && token_.kind != Token::Kind::end)
                take();
            take();
            add(statement, begin);
        } else {
            split_declaration(begin);
        }
    }

    void read_version(std::string_view number) {
        const size_t dot = number.find('.');
        const char* const end = number.data() + number.size();
        if (dot == std::string_view::npos ||
            std::from_chars(number.data(), number.data() + dot, unit_.version_major).ec != std::errc{} ||
            std::from_chars(number.data() + dot + 1, end, unit_.version_minor).ec != std::errc{}) {
            fail("a version such as 8.0 was expected");
        }
    }

    // `.file number "name" [, timestamp, size]`
    void split_file(const char* begin) {
        take();
        uint32_t number = 0;
        std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), number);
        unit_.files = std::max(unit_.files, number);
        take();
        take();
        while (at(',')) {
            take();
            take();
        }
        add({}, begin);
    }

    // A function or a variable, with its linkage.
    void split_declaration(const char* begin) {
        Statement statement;
        const char* heading = begin;
        for (;; take(), heading = token_.text.data()) {
            if (token_.text == ".visible") {
                statement.linkage = Linkage::visible;
            } else if (token_.text == ".extern") {
                statement.linkage = Linkage::external;
            } else if (token_.text == ".weak") {
                statement.linkage = Linkage::weak;
            } else if (token_.text == ".common") {
                statement.linkage = Linkage::common;
            } else {
                break;
            }
        }
        const bool is_function = token_.text == ".func" || token_.text == ".entry";
        statement.kind = is_function ? Statement::Kind::function : Statement::Kind::variable;
        if (token_.kind != Token::Kind::dot_word)
            fail("a directive was expected, found '" + std::string(token_.text) + "'");
        const char* heading_end = nullptr;
        for (int depth = 0;; take()) {
            if (token_.kind == Token::Kind::end) fail("the last statement has no end");
            if (at('(') || at('[')) ++depth;
            if (at(')') || at(']')) --depth;
            if (depth == 0 && token_.kind == Token::Kind::identifier && statement.name.empty()) {
                statement.name = token_.text;
            }
            if (at('=') && heading_end == nullptr) heading_end = previous_end_;
            if (at(';') && depth == 0) {
                if (heading_end == nullptr) heading_end = previous_end_;
                take();
                break;
            }
            if (at('{')) {
                if (!lexer_.skip_braces()) fail("a '{' is never closed");
                if (is_function) {
                    heading_end = previous_end_;
                    statement.defines = true;
                    // skip_braces leaves the lexer behind the brace: what it skipped ends where the next token begins.
                    take();
                    previous_end_ = end_before(token_);
                    break;
                }
            }
        }
        if (statement.name.empty()) fail("a declaration has no name");
        if (!is_function) statement.defines = statement.linkage != Linkage::external;
        statement.heading = std::string_view(heading, static_cast<size_t>(heading_end - heading));
        add(statement, begin);
    }

    // Behind the last '}' before the token.
    const char* end_before(const Token& token) const {
        const char* const limit = token.kind == Token::Kind::end ? text_.data() + text_.size() : token.text.data();
        const std::string_view before = text_.substr(0, static_cast<size_t>(limit - text_.data()));
        return text_.data() + before.rfind('}') + 1;
    }

    void add(Statement statement, const char* begin) {
        statement.text = std::string_view(begin, static_cast<size_t>(previous_end_ - begin));
        unit_.statements.push_back(statement);
    }

    Lexer lexer_;
    std::string_view text_;
    Token token_;
    const char* previous_end_;  // of the token before the current one
    Unit unit_;
};

// sm_90a is more than sm_90.
bool newer_target(std::string_view left, std::string_view right) {
    const auto number = [](std::string_view target) {
        uint32_t value = 0;
        for (const char letter : target) {
            if (letter >= '0' && letter <= '9') value = value * 10 + static_cast<uint32_t>(letter - '0');
        }
        return value;
    };
    return std::pair(number(left), left.size()) > std::pair(number(right), right.size());
}

class Linker {
public:
    explicit Linker(uint32_t max_registers) : max_registers_(max_registers) {}

    LinkResult link(std::span<const LinkInput> inputs) {
        for (const LinkInput& input : inputs) {
            std::string_view text = input.text;
            while (!text.empty() && text.back() == '\0')
                text.remove_suffix(1);
            try {
                units_.push_back(Splitter(input.name, text).split());
                export_names(units_.back(), input.exports);
            } catch (const LinkError& error) {
                result_.errors.push_back(error.message);
            }
        }
        if (!result_.errors.empty()) return std::move(result_);
        add_device_runtime();
        choose_definitions();
        if (!result_.errors.empty()) return std::move(result_);
        note_undefined();
        choose_private_names();
        write();
        return std::move(result_);
    }

private:
    struct Definition {
        size_t unit = 0;
        const Statement* statement = nullptr;
    };

    static void export_names(Unit& unit, std::span<const std::string> names) {
        if (names.empty()) return;
        for (Statement& statement : unit.statements) {
            if (statement.linkage != Linkage::internal || statement.kind == Statement::Kind::other) continue;
            if (std::find(names.begin(), names.end(), statement.name) == names.end()) continue;
            statement.linkage = Linkage::visible;
            statement.exported = true;
        }
    }

    static bool is_shared_name(const Statement& statement) { return statement.linkage != Linkage::internal; }

    template <typename Visitor>
    void for_each_symbol(Visitor visit) const {
        for (size_t unit = 0; unit < units_.size(); ++unit) {
            for (const Statement& statement : units_[unit].statements) {
                if (statement.kind != Statement::Kind::other) visit(unit, statement);
            }
        }
    }

    void add_device_runtime() {
        bool needed = false;
        for_each_symbol([&](size_t, const Statement& statement) {
            needed |= statement.linkage == Linkage::external && statement.name.substr(0, 6) == "cudaCG";
        });
        if (needed) units_.push_back(Splitter("the device runtime", device_runtime).split());
    }

    // For each name with linkage the one definition that is kept.
    void choose_definitions() {
        for_each_symbol([&](size_t unit, const Statement& statement) {
            if (!statement.defines || !is_shared_name(statement)) return;
            const auto [known, is_new] = definitions_.try_emplace(statement.name, Definition{unit, &statement});
            if (is_new) return;
            Definition& before = known->second;
            const bool strong_before = before.statement->linkage == Linkage::visible;
            const bool strong = statement.linkage == Linkage::visible;
            if (strong && strong_before) {
                result_.errors.push_back("Multiple definition of '" + std::string(statement.name) + "' in '" +
                                         units_[unit].name + "', first defined in '" + units_[before.unit].name + "'");
            } else if (strong) {
                before = {unit, &statement};
            }
        });
    }

    void note_undefined() {
        std::unordered_set<std::string_view> noted;
        for_each_symbol([&](size_t unit, const Statement& statement) {
            // The unsized array of dynamic shared memory is .extern and nobody's.
            if (statement.linkage != Linkage::external || statement.heading.substr(0, 7) == ".shared") return;
            if (definitions_.count(statement.name) != 0 || !noted.insert(statement.name).second) return;
            result_.undefined.push_back(
                {std::string(statement.name), units_[unit].name, statement.kind == Statement::Kind::function});
        });
    }

    // Names without linkage that other inputs use too get a number.
    void choose_private_names() {
        std::unordered_map<std::string_view, std::set<size_t>> users;
        for_each_symbol([&](size_t unit, const Statement& statement) { users[statement.name].insert(unit); });
        private_names_.resize(units_.size());
        for_each_symbol([&](size_t unit, const Statement& statement) {
            if (is_shared_name(statement) || users[statement.name].size() < 2) return;
            if (private_names_[unit].count(statement.name) != 0) return;
            std::string name;
            for (size_t number = unit;; number += units_.size()) {
                name = std::string(statement.name) + "$" + std::to_string(number);
                if (users.count(name) == 0) break;
            }
            private_names_[unit].emplace(statement.name, std::move(name));
        });
    }

    void write() {
        const Unit* newest = &units_.front();
        std::string_view target = newest->target;
        for (const Unit& unit : units_) {
            if (std::pair(unit.version_major, unit.version_minor) >
                std::pair(newest->version_major, newest->version_minor)) {
                newest = &unit;
            }
            if (newer_target(unit.target, target)) target = unit.target;
        }
        result_.text = ".version " + std::to_string(newest->version_major) + "." +
                       std::to_string(newest->version_minor) + "\n.target " + std::string(target) +
                       "\n.address_size 64\n";
        uint32_t files = 0;
        for (size_t unit = 0; unit < units_.size(); ++unit) {
            for (const Statement& statement : units_[unit].statements)
                write(unit, statement, files);
            files += units_[unit].files;
        }
    }

    void write(size_t unit, const Statement& statement, uint32_t files) {
        if (statement.defines && is_shared_name(statement)) {
            const Definition& kept = definitions_.at(statement.name);
            if (kept.statement != &statement) {
                // Declared if the one that is kept is still to come: what follows may use it. Kernels are not called.
                if (kept.unit > unit && statement.heading.substr(0, 6) != ".entry") {
                    result_.text += ".extern ";
                    write_text(unit, statement.heading, files);
                    result_.text += ";\n";
                }
                return;
            }
        }
        if (statement.exported) result_.text += ".visible ";
        const bool is_kernel = statement.defines && statement.heading.substr(0, 6) == ".entry";
        if (is_kernel && max_registers_ != 0 && statement.heading.find(".maxnreg") == std::string_view::npos) {
            const size_t heading_end =
                static_cast<size_t>(statement.heading.data() + statement.heading.size() - statement.text.data());
            write_text(unit, statement.text.substr(0, heading_end), files);
            result_.text += "\n.maxnreg " + std::to_string(max_registers_) + "\n";
            write_text(unit, statement.text.substr(heading_end), files);
        } else {
            write_text(unit, statement.text, files);
        }
        result_.text += '\n';
    }

    // With the names and the file numbers of the linked module.
    void write_text(size_t unit, std::string_view text, uint32_t files) {
        const auto& names = private_names_[unit];
        if (names.empty() && files == 0) {
            result_.text += text;
            return;
        }
        Lexer lexer(text);
        const char* written = text.data();
        bool file_number = false;
        for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
            std::optional<std::string> replacement;
            if (file_number && token.kind == Token::Kind::integer) {
                uint32_t number = 0;
                std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
                replacement = std::to_string(number + files);
            } else if (token.kind == Token::Kind::identifier) {
                if (const auto name = names.find(token.text); name != names.end()) replacement = name->second;
            }
            file_number = token.text == ".file" || token.text == ".loc" || token.text == "inlined_at";
            if (!replacement) continue;
            result_.text.append(written, static_cast<size_t>(token.text.data() - written));
            result_.text += *replacement;
            written = token.text.data() + token.text.size();
        }
        result_.text.append(written, static_cast<size_t>(text.data() + text.size() - written));
    }

    const uint32_t max_registers_;
    std::vector<Unit> units_;
    std::unordered_map<std::string_view, Definition> definitions_;
    std::vector<std::unordered_map<std::string_view, std::string>> private_names_;  // by unit
    LinkResult result_;
};

}  // namespace

LinkResult link(std::span<const LinkInput> inputs, uint32_t max_registers) {
    if (inputs.empty()) return {{}, {"there is nothing to link"}, {}};
    return Linker(max_registers).link(inputs);
}

}  // namespace cuprum::simulator::ptx
