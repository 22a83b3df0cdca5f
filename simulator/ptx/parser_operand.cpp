// Instructions and their operands.
//
// Source: PTX ISA 9.0, chapter 6 (operands) and section 8 (instruction syntax, guard predicates).
#include <algorithm>
#include <array>

#include "ptx/parser_implementation.hpp"

namespace cuprum::simulator::ptx {
namespace {

constexpr uint32_t kMaximumOperandDepth = 8;

// Section 10. Those with components and those with numbers are spelled out by is_special_register.
constexpr std::array<std::string_view, 29> kPlainSpecialRegisters = {
    "%aggr_smem_size",
    "%clock",
    "%clock64",
    "%clock_hi",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%current_graph_exec",
    "%dynamic_smem_size",
    "%globaltimer",
    "%globaltimer_hi",
    "%globaltimer_lo",
    "%gridid",
    "%is_explicit_cluster",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_ge",
    "%lanemask_gt",
    "%lanemask_le",
    "%lanemask_lt",
    "%nsmid",
    "%nwarpid",
    "%reserved_smem_offset_0",
    "%reserved_smem_offset_1",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_cap",
    "%reserved_smem_offset_end",
    "%smid",
    "%total_smem_size",
    "%warpid",
};

constexpr std::array<std::string_view, 8> kVectorSpecialRegisters = {
    "%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};

bool is_number_below(std::string_view digits, uint32_t limit) {
    uint32_t number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') {
            return false;
        }
        number = number * 10 + static_cast<uint32_t>(c - '0');
    }
    return !digits.empty() && digits.size() <= 2 && number < limit && (digits.size() == 1 || digits[0] != '0');
}

bool is_vector_special_register(std::string_view name) {
    return std::find(kVectorSpecialRegisters.begin(), kVectorSpecialRegisters.end(), name) !=
           kVectorSpecialRegisters.end();
}

bool is_plain_special_register(std::string_view name) {
    if (name.substr(0, 7) == "%envreg") {
        return is_number_below(name.substr(7), 32);
    }
    if (name.substr(0, 3) == "%pm") {
        std::string_view number = name.substr(3);
        if (number.size() > 3 && number.substr(number.size() - 3) == "_64") {
            number.remove_suffix(3);
        }
        return is_number_below(number, 8);
    }
    return std::find(kPlainSpecialRegisters.begin(), kPlainSpecialRegisters.end(), name) !=
           kPlainSpecialRegisters.end();
}

// 0 to 3 for .x .y .z .w and .r .g .b .a, else -1.
int component_number(std::string_view selector) {
    if (selector.size() != 2) {
        return -1;
    }
    for (const std::string_view names : {"xyzw", "rgba"}) {
        if (const size_t position = names.find(selector[1]); position != std::string_view::npos) {
            return static_cast<int>(position);
        }
    }
    return -1;
}

// .b0 to .b3, .h0, .h1 and their combinations (.b3210, .h10), which choose parts of a video instruction's operand.
bool is_video_selector(std::string_view selector) {
    if (selector.size() < 3 || selector.size() > 6 || (selector[1] != 'b' && selector[1] != 'h')) {
        return false;
    }
    return std::all_of(selector.begin() + 2, selector.end(), [](char c) { return c >= '0' && c <= '7'; });
}

// Whether `second` begins where `first` ends.
bool adjacent(std::string_view first, std::string_view second) {
    return first.data() + first.size() == second.data();
}

std::string_view joined(std::string_view first, std::string_view last) {
    return {first.data(), static_cast<size_t>(last.data() + last.size() - first.data())};
}

}  // namespace

// `@p` or `@!p`.
void Parser::parse_guard(Instruction& instruction) {
    tokens_.advance();
    instruction.guarded = true;
    instruction.guard_negated = tokens_.accept('!');
    const Token name = tokens_.expect_identifier("the predicate register of a guard");
    const std::optional<Meaning> meaning = find(name.text);
    if (!meaning) {
        report(name.location(), "undefined name " + describe(name) + ": the guard needs a .pred register");
    } else if (meaning->kind != Meaning::Kind::reg || meaning->length != 1 ||
               function_->registers[meaning->index].type != ScalarType::pred) {
        report(name.location(), "the guard needs a .pred register, which " + describe(name) + " is not");
    } else {
        instruction.guard_register = meaning->index;
    }
}

void Parser::parse_instruction(const Token& opcode, const Instruction& guard) {
    Instruction instruction = guard;
    instruction.opcode = opcode.text;
    instruction.mnemonic = opcode.text;
    instruction.location = opcode.location();
    instruction.source_file = source_file_;
    instruction.source_line = source_line_;
    instruction.inlined = inlined_;
    modifiers_.clear();
    while (tokens_.current().kind == Token::Kind::dot_word) {
        modifiers_.push_back(tokens_.current().text.substr(1));
        instruction.mnemonic = joined(opcode.text, tokens_.current().text);
        tokens_.advance();
    }
    instruction.modifiers.assign(modifiers_.begin(), modifiers_.end());
    call_operands_ = opcode.text == "call";
    has_pending_names_ = false;
    operand_depth_ = 0;
    if (!tokens_.at(';')) {
        instruction.operands.reserve(4);
        do {
            instruction.operands.push_back(parse_operand());
        } while (tokens_.accept(','));
    }
    if (!tokens_.at(';')) {
        tokens_.fail_expected("',' or ';' after an operand of " + quoted(instruction.mnemonic));
    }
    if (has_pending_names_) {
        // The operands stay where they are in memory when the instruction is moved.
        for (Operand& operand : instruction.operands) {
            note_pending_names(operand);
        }
    }
    function_->instructions.push_back(std::move(instruction));
    tokens_.advance();
}

void Parser::note_pending_names(Operand& operand) {
    if (operand.kind == Operand::Kind::name) {
        pending_.push_back({operand.name, &operand, 0, 0});
    }
    for (Operand& element : operand.elements) {
        note_pending_names(element);
    }
}

Operand Parser::parse_operand() {
    Operand operand = parse_operand_without_pair();
    const bool can_be_first = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::sink ||
                              operand.kind == Operand::Kind::vector;  // of tex, with a predicate
    if (tokens_.at('|') && can_be_first) {
        tokens_.advance();
        Operand pair;
        pair.kind = Operand::Kind::pair;
        pair.elements.reserve(2);
        pair.elements.push_back(std::move(operand));
        pair.elements.push_back(parse_operand_without_pair());
        return pair;
    }
    return operand;
}

Operand Parser::parse_operand_without_pair() {
    const Token& token = tokens_.current();
    if (token.kind == Token::Kind::identifier && token.text != "WARP_SZ") {
        return parse_named_operand();
    }
    if (token.kind == Token::Kind::punctuation) {
        switch (token.symbol) {
            case symbol_code('['):
                return parse_address();
            case symbol_code('{'):
                return parse_elements('{', '}', Operand::Kind::vector);
            case symbol_code('('):
                if (call_operands_) {
                    return parse_elements('(', ')', Operand::Kind::list);
                }
                break;
            case symbol_code('!'):
            case symbol_code('-'):
                if (const Token next = tokens_.peek(); next.kind == Token::Kind::identifier && next.text != "WARP_SZ") {
                    tokens_.advance();
                    Operand operand = parse_named_operand();
                    if (operand.kind != Operand::Kind::reg) {
                        TokenStream::fail(next.location(), "only a register can be negated, not " + describe(next));
                    }
                    operand.negated = true;
                    return operand;
                }
                break;
            default:
                break;
        }
    }
    return parse_constant_operand();
}

Operand Parser::parse_constant_operand() {
    Operand operand;
    operand.kind = Operand::Kind::immediate;
    if (!begins_constant(tokens_.current())) {
        tokens_.fail_expected("an operand");
    }
    const ConstantValue value = parse_constant_expression(tokens_);
    operand.bits = value.bits;
    if (value.type == ConstantValue::Type::f32) {
        operand.kind = Operand::Kind::immediate_f32;
    } else if (value.type == ConstantValue::Type::f64) {
        operand.kind = Operand::Kind::immediate_f64;
    }
    return operand;
}

// `{a, b}` or `(a, b)`; empty only in a call.
Operand Parser::parse_elements(char open, char close, Operand::Kind kind) {
    const SourceLocation location = tokens_.current().location();
    if (++operand_depth_ > kMaximumOperandDepth) {
        TokenStream::fail(location, "operands are nested too deeply");
    }
    Operand operand;
    operand.kind = kind;
    tokens_.expect(open, "to open a list of operands");
    statement_braces_ += open == '{' ? 1 : 0;
    while (!tokens_.at(close)) {
        if (!operand.elements.empty()) {
            tokens_.expect(',', std::string("or '") + close + "' between the elements of an operand");
        }
        operand.elements.push_back(parse_operand());
    }
    tokens_.advance();
    statement_braces_ -= open == '{' ? 1 : 0;
    --operand_depth_;
    if (operand.elements.empty() && kind == Operand::Kind::vector) {
        TokenStream::fail(location, "a vector operand needs at least one element");
    }
    return operand;
}

Operand Parser::operand_for(const Meaning& meaning, const Token& name) {
    Operand operand;
    operand.index = meaning.index;
    switch (meaning.kind) {
        case Meaning::Kind::reg:
            operand.kind = Operand::Kind::reg;
            if (tokens_.current().kind == Token::Kind::dot_word) {
                select_component(operand, name, meaning);
            } else if (meaning.length > 1) {
                operand.kind = Operand::Kind::vector;
                operand.index = 0;
                operand.elements.resize(meaning.length);
                for (uint32_t i = 0; i < meaning.length; ++i) {
                    operand.elements[i].kind = Operand::Kind::reg;
                    operand.elements[i].index = meaning.index + i;
                }
            }
            break;
        case Meaning::Kind::symbol:
            operand.kind = Operand::Kind::symbol;
            break;
        case Meaning::Kind::label:
            operand.kind = Operand::Kind::label;
            function_->labels.push_back(meaning.index);
            break;
        case Meaning::Kind::branch_targets:
            operand.kind = Operand::Kind::branch_targets;
            break;
        case Meaning::Kind::prototype:
            operand.kind = Operand::Kind::prototype;
            break;
    }
    return operand;
}

// `%v.x` of a vector register, `%r.b0` of a video instruction's operand.
void Parser::select_component(Operand& operand, const Token& name, const Meaning& meaning) {
    const Token selector = tokens_.take();
    const int component = component_number(selector.text);
    if (meaning.length > 1 && component >= 0 && static_cast<uint32_t>(component) < meaning.length) {
        operand.index += static_cast<uint32_t>(component);
    } else if (meaning.length == 1 && is_video_selector(selector.text)) {
        operand.name = selector.text.substr(1);
    } else {
        report(selector.location(), "the register " + describe(name) + " has no component " + describe(selector));
    }
}

// An operand that begins with a name.
Operand Parser::parse_named_operand() {
    const Token name = tokens_.take();
    if (name.text == "_") {
        return {};
    }
    if (const std::optional<Meaning> meaning = find(name.text)) {
        Operand operand = operand_for(*meaning, name);
        if (operand.kind == Operand::Kind::symbol) {
            operand.offset = parse_offset();
        }
        return operand;
    }
    Operand operand;
    if (name.text[0] == '%') {
        const Token& selector = tokens_.current();
        operand.kind = Operand::Kind::special_register;
        operand.name = name.text;
        if (is_vector_special_register(name.text) && selector.kind == Token::Kind::dot_word &&
            adjacent(name.text, selector.text) && component_number(selector.text) >= 0) {
            operand.name = joined(name.text, selector.text);
            tokens_.advance();
            return operand;
        }
        if (is_vector_special_register(name.text) || is_plain_special_register(name.text)) {
            return operand;
        }
    }
    // A label further on, or a mistake that close_function reports.
    operand.kind = Operand::Kind::name;
    operand.name = name.text;
    has_pending_names_ = true;
    return operand;
}

// `+ constant` or `- constant`, any number of them; 0 if there is none.
int64_t Parser::parse_offset() {
    uint64_t offset = 0;
    while (tokens_.at('+') || tokens_.at('-')) {
        const bool minus = tokens_.at('-');
        tokens_.advance();
        const uint64_t value = parse_integer_expression(tokens_, "an offset in bytes").bits;
        offset += minus ? uint64_t{0} - value : value;
    }
    return static_cast<int64_t>(offset);
}

// `[base]`, `[base+offset]`, `[constant]`; texture and tensor instructions put coordinates after it: `[base, {x, y}]`.
Operand Parser::parse_address() {
    if (++operand_depth_ > kMaximumOperandDepth) {
        TokenStream::fail(tokens_.current().location(), "operands are nested too deeply");
    }
    Operand address;
    address.kind = Operand::Kind::address;
    tokens_.expect('[', "to open an address");
    const SourceLocation location = tokens_.current().location();
    address.elements.push_back(parse_operand());
    Operand& base = address.elements.front();
    switch (base.kind) {
        case Operand::Kind::reg:
            address.offset = parse_offset();
            break;
        case Operand::Kind::symbol:
            address.offset = base.offset;
            base.offset = 0;
            break;
        case Operand::Kind::immediate:
            break;
        case Operand::Kind::name:
            // No label can stand here, so there is nothing to wait for.
            report(location, "undefined name " + quoted(base.name) + ": an address needs a register or a variable");
            base = {};
            address.offset = parse_offset();
            break;
        default:
            TokenStream::fail(location, "an address must begin with a register, a variable or a number");
    }
    while (tokens_.accept(',')) {
        address.elements.push_back(parse_operand());
    }
    tokens_.expect(']', "after the address");
    --operand_depth_;
    if (tokens_.current().kind == Token::Kind::dot_word) {
        const Token suffix = tokens_.take();
        if (suffix.text != ".unified") {
            TokenStream::fail(suffix.location(), "expected ',' or ';' after the address, found " + describe(suffix));
        }
        address.name = suffix.text.substr(1);
    }
    return address;
}

}  // namespace cuprum::simulator::ptx
