#include "engine/inspection/debug_section.hpp"

#include <algorithm>
#include <charconv>

#include "ptx/lexer.hpp"

namespace cuprum::simulator {
namespace {

using ptx::Token;

unsigned bytes_of(std::string_view directive) {
    if (directive == ".b8") return 1;
    if (directive == ".b16") return 2;
    if (directive == ".b32") return 4;
    return directive == ".b64" ? 8 : 0;
}

bool is_symbol(const Token& token, char symbol) {
    return token.text.size() == 1 && token.text[0] == symbol;
}

uint64_t number_of(const Token& token) {
    const bool hexadecimal = token.text.starts_with("0x") || token.text.starts_with("0X");
    const std::string_view digits = hexadecimal ? token.text.substr(2) : token.text;
    uint64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
    return number;
}

}  // namespace

DebugSectionBytes::DebugSectionBytes(std::string_view text) {
    ptx::Lexer lexer(text);
    Token token = lexer.next();
    const auto take = [&] {
        const Token taken = token;
        token = lexer.next();
        return taken;
    };
    unsigned size = 0;
    while (token.kind != Token::Kind::end) {
        if (token.kind == Token::Kind::dot_word && bytes_of(token.text) != 0) {
            size = bytes_of(take().text);
        } else if (token.kind == Token::Kind::identifier || token.kind == Token::Kind::dot_word) {
            const Token name = take();
            if (is_symbol(token, ':')) {
                take();
                labels_.emplace(name.text, bytes_.size());
                continue;
            }
            uint64_t addend = 0;
            if (is_symbol(token, '+')) {
                take();
                addend = number_of(take());
            } else if (is_symbol(token, '-')) {  // the distance of two labels: nobody here needs it
                take();
                take();
            }
            names_[bytes_.size()] = {name.text, addend};
            bytes_.resize(bytes_.size() + size);
        } else if (token.kind == Token::Kind::integer || is_symbol(token, '-')) {
            const bool negative = is_symbol(token, '-');
            if (negative) take();
            const uint64_t bits = number_of(take());
            const uint64_t value = negative ? uint64_t{0} - bits : bits;
            for (unsigned k = 0; k < size; ++k)
                bytes_.push_back(static_cast<uint8_t>(value >> (8 * k)));
        } else if (is_symbol(token, ',') || is_symbol(token, ';')) {
            take();
        } else {
            return;
        }
    }
}

DebugValue DebugSectionBytes::read(uint64_t offset, unsigned size) const {
    DebugValue value;
    for (unsigned k = 0; k < size && offset + k < bytes_.size(); ++k)
        value.number |= uint64_t{bytes_[offset + k]} << (8 * k);
    if (const auto name = names_.find(offset); name != names_.end()) {
        value.name = name->second.name;
        value.number = name->second.addend;
    }
    return value;
}

std::string DebugSectionBytes::text_at(uint64_t offset) const {
    std::string text;
    for (; offset < bytes_.size() && bytes_[offset] != 0; ++offset)
        text += static_cast<char>(bytes_[offset]);
    return text;
}

DebugSectionBytes debug_section(const ptx::Module& module, std::string_view name) {
    const auto found = std::ranges::find(module.debug_sections, name, &ptx::DebugSection::name);
    return found == module.debug_sections.end() ? DebugSectionBytes() : DebugSectionBytes(found->text);
}

uint64_t DebugCursor::leb128(bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    while (true) {
        const uint64_t byte = number(1);
        if (shift < 64) value |= (byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) != 0 && !ended()) continue;
        if (is_signed && shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
        return value;
    }
}

std::string DebugCursor::text() {
    std::string read = bytes_->text_at(position_);
    position_ += read.size() + 1;
    return read;
}

}  // namespace cuprum::simulator
