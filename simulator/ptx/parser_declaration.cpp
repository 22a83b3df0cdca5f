// Variables and registers.
//
// Source: PTX ISA 9.0, chapter 5 (state spaces, types and variables).
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "ptx/parser_implementation.hpp"

namespace cuprum::simulator::ptx {
namespace {

struct TypeName {
    std::string_view name;
    ScalarType type;
};

constexpr std::array<TypeName, 20> kTypeNames = {{
    {".b8", ScalarType::b8},     {".b16", ScalarType::b16},       {".b32", ScalarType::b32},
    {".b64", ScalarType::b64},   {".b128", ScalarType::b128},     {".u8", ScalarType::u8},
    {".u16", ScalarType::u16},   {".u32", ScalarType::u32},       {".u64", ScalarType::u64},
    {".s8", ScalarType::s8},     {".s16", ScalarType::s16},       {".s32", ScalarType::s32},
    {".s64", ScalarType::s64},   {".f16", ScalarType::f16},       {".f16x2", ScalarType::f16x2},
    {".bf16", ScalarType::bf16}, {".bf16x2", ScalarType::bf16x2}, {".f32", ScalarType::f32},
    {".f64", ScalarType::f64},   {".pred", ScalarType::pred},
}};

constexpr uint64_t kMaximumAlignment = 1 << 16;
constexpr uint64_t kMaximumVariableSize = uint64_t{1} << 40;
constexpr size_t kMaximumDimensions = 16;

ScalarType type_named(std::string_view name) {
    for (const TypeName& entry : kTypeNames) {
        if (entry.name == name) {
            return entry.type;
        }
    }
    return ScalarType::none;
}

bool is_opaque_type(std::string_view name) {
    return name == ".texref" || name == ".samplerref" || name == ".surfref";
}

bool is_pointed_space(std::string_view name) {
    return name == ".global" || name == ".const" || name == ".shared" || name == ".local" || name == ".generic" ||
           name == ".param";
}

}  // namespace

// `.attribute(.managed)`, `.attribute(.unified(a, b))`, several separated by commas.
void Parser::parse_attributes(DeclarationType& type) {
    tokens_.advance();
    tokens_.expect('(', "after '.attribute'");
    do {
        const Token attribute = tokens_.current();
        if (attribute.kind != Token::Kind::dot_word) {
            tokens_.fail_expected("an attribute such as '.managed'");
        }
        tokens_.advance();
        if (attribute.text == ".managed") {
            type.managed = true;
        } else if (attribute.text == ".unified") {
            tokens_.expect('(', "after '.unified'");
            do {
                parse_integer_expression(tokens_, "a part of the unified identifier");
            } while (tokens_.accept(','));
            tokens_.expect(')', "after the unified identifier");
        } else {
            TokenStream::fail(attribute.location(), "unknown attribute " + describe(attribute));
        }
    } while (tokens_.accept(','));
    tokens_.expect(')', "to close '.attribute'");
}

Parser::DeclarationType Parser::parse_declaration_type(std::string_view directive) {
    DeclarationType type;
    type.location = tokens_.current().location();
    bool pointer = false;
    for (;;) {
        const Token token = tokens_.current();
        if (token.kind != Token::Kind::dot_word) {
            break;
        }
        const ScalarType scalar = type_named(token.text);
        if (scalar != ScalarType::none) {
            if (type.type != ScalarType::none) {
                TokenStream::fail(token.location(), "a second type " + describe(token) + " in one declaration");
            }
            type.type = scalar;
            tokens_.advance();
        } else if (token.text == ".align") {
            tokens_.advance();
            const SourceLocation location = tokens_.current().location();
            const uint64_t alignment = parse_count(tokens_, "the alignment", kMaximumAlignment);
            if (!std::has_single_bit(alignment)) {
                TokenStream::fail(location, "the alignment must be a power of two, found " + std::to_string(alignment));
            }
            // After .ptr it is the alignment of what the parameter points to.
            type.alignment = pointer ? type.alignment : static_cast<uint32_t>(alignment);
        } else if (token.text == ".v2" || token.text == ".v4") {
            type.vector_length = token.text == ".v2" ? 2 : 4;
            tokens_.advance();
        } else if (token.text == ".attribute") {
            parse_attributes(type);
        } else if (token.text == ".ptr") {
            pointer = true;
            tokens_.advance();
        } else if (pointer && is_pointed_space(token.text)) {
            tokens_.advance();
        } else if (is_opaque_type(token.text)) {
            TokenStream::fail(token.location(), "texture, sampler and surface references (" + describe(token) +
                                                    ") are not supported; use bindless objects in .u64 parameters");
        } else {
            TokenStream::fail(token.location(), "unknown directive " + describe(token) + " in a declaration after '" +
                                                    std::string(directive) + "', expected a type such as .b32");
        }
    }
    if (type.type == ScalarType::none) {
        tokens_.fail_expected("a type such as .b32 after '" + std::string(directive) + "'");
    }
    return type;
}

// Everything of a variable but its initialiser. `name` is taken already.
Variable Parser::parse_declarator(const Token& name, const DeclarationType& type, StateSpace space,
                                  std::vector<uint64_t>& dimensions) {
    Variable variable;
    variable.name = std::string(name.text);
    variable.space = space;
    variable.type = type.type;
    variable.vector_length = type.vector_length;
    variable.managed = type.managed;
    variable.location = name.location();
    const uint64_t element_size = uint64_t{size_of(type.type)} * type.vector_length;
    variable.alignment = type.alignment != 0 ? type.alignment : static_cast<uint32_t>(element_size);
    if (type.type == ScalarType::pred) {
        TokenStream::fail(type.location, "a variable cannot have the type .pred, only a register can");
    }
    variable.size = element_size;
    dimensions.clear();
    while (tokens_.at('[')) {
        const SourceLocation location = tokens_.current().location();
        tokens_.advance();
        uint64_t count = 0;
        if (tokens_.at(']')) {
            if (!dimensions.empty()) {
                TokenStream::fail(location, "only the first dimension of an array can be left open");
            }
            variable.unsized_array = true;
        } else {
            count = parse_count(tokens_, "the number of elements", kMaximumVariableSize);
        }
        tokens_.expect(']', "after the number of elements");
        dimensions.push_back(count);
        if (dimensions.size() > kMaximumDimensions) {
            TokenStream::fail(location,
                              "the array has more than " + std::to_string(kMaximumDimensions) + " dimensions");
        }
        if (count != 0 && variable.size > kMaximumVariableSize / count) {
            TokenStream::fail(location, "the variable " + describe(name) + " is larger than 2^40 bytes");
        }
        if (!variable.unsized_array) {
            variable.size *= count;
        } else if (dimensions.size() > 1) {
            variable.size *= count;  // the size of one row, for parse_initializer
        }
    }
    return variable;
}

// Enters the variable in the innermost scope; a definition replaces an earlier `.extern` declaration.
uint32_t Parser::add_variable(const Token& name, Variable variable) {
    if (const std::optional<Meaning> known = scopes_.back().find(name.text);
        known && known->kind == Meaning::Kind::symbol && module_.symbols[known->index].kind == Symbol::Kind::variable) {
        const uint32_t index = module_.symbols[known->index].index;
        Variable& before = module_.variables[index];
        if (before.linkage == Linkage::external || variable.linkage == Linkage::external) {
            const bool same_size = before.size == variable.size || before.unsized_array || variable.unsized_array;
            if (before.space != variable.space || before.type != variable.type || !same_size) {
                report(name.location(), "the variable " + describe(name) + " was declared with another type in line " +
                                            std::to_string(before.location.line));
            }
            if (before.linkage == Linkage::external) {
                before = std::move(variable);
            }
            return index;
        }
    }
    const auto index = static_cast<uint32_t>(module_.variables.size());
    const auto symbol = static_cast<uint32_t>(module_.symbols.size());
    module_.variables.push_back(std::move(variable));
    module_.symbols.push_back({Symbol::Kind::variable, index});
    declare(name, {Meaning::Kind::symbol, symbol, 1});
    return index;
}

// `.global .align 4 .u32 a, b[3] = {1, 2, 3};`, the state space taken already.
void Parser::parse_variables(StateSpace space, Linkage linkage) {
    const DeclarationType type = parse_declaration_type("the state space");
    std::vector<uint64_t> dimensions;
    do {
        Token name = tokens_.expect_identifier("the name of a variable");
        if (tokens_.at('<')) {
            TokenStream::fail(
                tokens_.current().location(),
                "only registers can be declared with a count in '<>', not the variable " + describe(name));
        }
        Variable variable = parse_declarator(name, type, space, dimensions);
        variable.linkage = linkage;
        const bool initialised = tokens_.at('=');
        const uint64_t row_size = variable.size;
        if (variable.unsized_array) {
            variable.size = 0;
            if (!initialised && linkage != Linkage::external && space != StateSpace::parameter) {
                report(name.location(), "the array " + describe(name) +
                                            " needs a size, an initialiser or '.extern' before the state space");
            }
        }
        const uint32_t index = add_variable(name, std::move(variable));
        if (function_ != nullptr) {
            function_->variables.push_back(index);
        }
        if (initialised) {
            const SourceLocation location = tokens_.current().location();
            tokens_.advance();
            if (space != StateSpace::global && space != StateSpace::constant) {
                TokenStream::fail(location,
                                  "only .global and .const variables can have an initial value, not " + describe(name));
            }
            if (linkage == Linkage::external) {
                TokenStream::fail(location, "the .extern variable " + describe(name) + " cannot have an initial value");
            }
            if (module_.variables[index].unsized_array) {
                module_.variables[index].size = row_size;
            }
            parse_initializer(index, dimensions);
        }
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the declaration");
}

// A formal parameter; its directive is the current token. `name` is set to the token of the name.
Variable Parser::parse_parameter(std::string_view what, Token& name) {
    const Token directive = tokens_.current();
    const bool in_register = directive.text == ".reg";
    if (directive.text != ".param" && !in_register) {
        tokens_.fail_expected("'.param' to begin a parameter of " + std::string(what));
    }
    tokens_.advance();
    const DeclarationType type = parse_declaration_type(directive.text);
    if (in_register && (type.type == ScalarType::pred || size_of(type.type) > 8 || type.vector_length != 1)) {
        TokenStream::fail(directive.location(), "a parameter in a register must be a number of at most 64 bits");
    }
    name = tokens_.expect_identifier("the name of a parameter");
    std::vector<uint64_t> dimensions;
    Variable parameter = parse_declarator(name, type, StateSpace::parameter, dimensions);
    if (parameter.unsized_array) {
        parameter.size = 0;
    }
    if (in_register && !dimensions.empty()) {
        TokenStream::fail(directive.location(), "a parameter in a register cannot be an array");
    }
    parameter.in_register = in_register;
    return parameter;
}

bool Parser::reserve_registers(SourceLocation location, uint64_t count) {
    if (count > registers_left_) {
        report(location, "the module declares too many registers: " + std::to_string(count) + " here, " +
                             std::to_string(registers_left_) + " left");
        return false;
    }
    registers_left_ -= count;
    return true;
}

void Parser::add_registers(std::string_view name, uint32_t count, const DeclarationType& type, bool numbered) {
    constexpr std::array<std::string_view, 4> kComponents = {".x", ".y", ".z", ".w"};
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t component = 0; component < type.vector_length; ++component) {
            Register& added = function_->registers.emplace_back();
            added.type = type.type;
            added.name = std::string(name);
            if (numbered) {
                added.name += std::to_string(i);
            }
            if (type.vector_length > 1) {
                added.name += kComponents[component];
            }
        }
    }
}

// A literal and not an expression, in which the '>' after it would be an operator.
uint32_t Parser::parse_register_count() {
    const Token token = tokens_.current();
    if (token.kind != Token::Kind::integer) {
        tokens_.fail_expected("the number of registers");
    }
    const uint64_t count = literal_value(token).bits;
    if (count > std::numeric_limits<uint32_t>::max()) {
        TokenStream::fail(token.location(), "the number of registers " + describe(token) + " does not fit in 32 bits");
    }
    tokens_.advance();
    return static_cast<uint32_t>(count);
}

// `.reg .b32 %r<100>, %q;`
void Parser::parse_registers() {
    tokens_.advance();
    const DeclarationType type = parse_declaration_type(".reg");
    do {
        const Token name = tokens_.expect_identifier("the name of a register");
        const auto first_index = static_cast<uint32_t>(function_->registers.size());
        if (tokens_.accept('<')) {
            const uint32_t count = parse_register_count();
            tokens_.expect('>', "after the number of registers");
            if (!reserve_registers(name.location(), uint64_t{count} * type.vector_length)) {
                continue;
            }
            if (!scopes_.back().add_registers(name.text, count, first_index, type.vector_length)) {
                report(name.location(), "some of the registers " + describe(name) + "<" + std::to_string(count) +
                                            "> are declared already in this scope");
                continue;
            }
            add_registers(name.text, count, type, true);
        } else if (reserve_registers(name.location(), type.vector_length)) {
            declare(name, {Meaning::Kind::reg, first_index, type.vector_length});
            add_registers(name.text, 1, type, false);
        }
    } while (tokens_.accept(','));
    tokens_.expect(';', "after the register declaration");
}

}  // namespace cuprum::simulator::ptx
