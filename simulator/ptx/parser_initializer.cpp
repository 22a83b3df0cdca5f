// Initial values of variables.
//
// Source: PTX ISA 9.0, section 5.4.4 (initialisers), including the mask form `0xff00(symbol)`.
#include <bit>

#include "ptx/parser_implementation.hpp"

namespace cuprum::simulator::ptx {
namespace {

bool is_floating(ScalarType type) {
    return type == ScalarType::f32 || type == ScalarType::f64;
}

bool is_integer(ScalarType type) {
    switch (type) {
        case ScalarType::b8:
        case ScalarType::b16:
        case ScalarType::b32:
        case ScalarType::b64:
        case ScalarType::u8:
        case ScalarType::u16:
        case ScalarType::u32:
        case ScalarType::u64:
        case ScalarType::s8:
        case ScalarType::s16:
        case ScalarType::s32:
        case ScalarType::s64:
            return true;
        default:
            return false;
    }
}

// A run of single bytes 0xff(s), 0xff00(s), ... that together hold a whole address becomes one relocation.
void merge_masked_bytes(std::vector<Relocation>& relocations, uint32_t address_bytes) {
    std::vector<Relocation> merged;
    merged.reserve(relocations.size());
    for (size_t i = 0; i < relocations.size();) {
        const Relocation& first = relocations[i];
        size_t run = 0;
        while (run < address_bytes && i + run < relocations.size()) {
            const Relocation& byte = relocations[i + run];
            if (byte.size != 1 || byte.shift != run * 8 || byte.offset != first.offset + run ||
                byte.symbol != first.symbol || byte.addend != first.addend || byte.generic != first.generic) {
                break;
            }
            ++run;
        }
        merged.push_back(first);
        if (run == address_bytes) {
            merged.back().size = address_bytes;
            i += run;
        } else {
            ++i;
        }
    }
    relocations = std::move(merged);
}

}  // namespace

// What is read between '=' and ';'. `dimensions` are those of the declaration; for an array without a size the first is
// 0 and the variable's size that of one row.
void Parser::parse_initializer(uint32_t variable_index, const std::vector<uint64_t>& dimensions) {
    Variable& variable = module_.variables[variable_index];
    if (!is_floating(variable.type) && !is_integer(variable.type)) {
        TokenStream::fail(
            tokens_.current().location(),
            "a variable of this type takes no initial value; declare it with an integer type of its size");
    }
    InitialValue value{variable, dimensions, 0, variable.unsized_array ? variable.size : 0};
    if (variable.vector_length > 1) {
        value.dimensions.push_back(variable.vector_length);
    }
    if (variable.unsized_array) {
        variable.size = 0;
    } else {
        reserve_initial_bytes(variable.size);
        variable.initial_value.resize(variable.size);
    }
    if (value.dimensions.empty()) {
        const bool braces = tokens_.accept('{');  // allowed around a single value as in C
        parse_initial_element(value);
        if (braces) {
            tokens_.expect('}', "after the initial value");
        }
    } else {
        parse_initial_array(value, 0);
    }
    merge_masked_bytes(variable.relocations, module_.address_size / 8);
}

void Parser::reserve_initial_bytes(uint64_t count) {
    if (count > initial_bytes_left_) {
        TokenStream::fail(tokens_.current().location(),
                          "the module has too many bytes of initial values: " + std::to_string(count) + " here, " +
                              std::to_string(initial_bytes_left_) + " left");
    }
    initial_bytes_left_ -= count;
}

// `{ ... }` for dimension number `level`; those further in are read by recursion, at most as many as a declaration has.
void Parser::parse_initial_array(InitialValue& value, size_t level) {
    Variable& variable = value.variable;
    uint64_t stride = size_of(variable.type);
    for (size_t i = level + 1; i < value.dimensions.size(); ++i) {
        stride *= value.dimensions[i];
    }
    const bool open_ended = level == 0 && variable.unsized_array;
    const uint64_t begin = value.offset;
    tokens_.expect('{', "to open the initial value of an array or vector");
    ++statement_braces_;
    for (uint64_t count = 0; !tokens_.at('}'); ++count) {
        if (!open_ended && count == value.dimensions[level]) {
            TokenStream::fail(tokens_.current().location(), "too many initial values: the variable takes " +
                                                                std::to_string(value.dimensions[level]) + " here");
        }
        value.offset = begin + count * stride;
        if (open_ended) {
            reserve_initial_bytes(value.row_size);
            variable.size += value.row_size;
            variable.initial_value.resize(variable.size);
        }
        if (level + 1 == value.dimensions.size()) {
            parse_initial_element(value);
        } else {
            parse_initial_array(value, level + 1);
        }
        if (!tokens_.at('}')) {
            tokens_.expect(',', "or '}' after an initial value");
        }
    }
    tokens_.expect('}', "to close the initial value");
    --statement_braces_;
}

// A constant, or the address of a symbol: `s`, `s+4`, `generic(s)+4`, `0xff00(s)`.
void Parser::parse_initial_element(InitialValue& value) {
    Variable& variable = value.variable;
    const uint32_t size = size_of(variable.type);
    const Token first = tokens_.current();
    if (first.kind == Token::Kind::identifier && first.text != "WARP_SZ") {
        if (!is_integer(variable.type) || size < 4) {
            TokenStream::fail(first.location(), "the address of " + describe(first) +
                                                    " needs an element of 32 or 64 bits, or the form 0xff(" +
                                                    std::string(first.text) + ") for one byte of it");
        }
        parse_initial_address(value, size, 0);
        return;
    }
    if (first.kind == Token::Kind::integer && tokens_.peek().is(symbol_code('('))) {
        const uint64_t mask = literal_value(first).bits;
        const auto shift = static_cast<uint32_t>(mask != 0 ? std::countr_zero(mask) : 0);
        const uint64_t ones = size == 8 ? ~uint64_t{0} : (uint64_t{1} << (size * 8)) - 1;
        if (!is_integer(variable.type) || shift % 8 != 0 || mask >> shift != ones) {
            TokenStream::fail(first.location(), "the mask " + describe(first) +
                                                    " must select as many consecutive bytes as the element has, " +
                                                    std::to_string(size));
        }
        tokens_.advance();
        tokens_.expect('(', "after the mask");
        parse_initial_address(value, size, shift);
        tokens_.expect(')', "after the address of a symbol");
        return;
    }
    if (!begins_constant(first)) {
        tokens_.fail_expected("an initial value");
    }
    const ConstantValue constant = parse_constant_expression(tokens_);
    if (constant.is_integer() == is_floating(variable.type)) {
        TokenStream::fail(first.location(),
                          constant.is_integer()
                              ? "expected a floating-point constant for a variable of a floating-point "
                                "type, found an integer"
                              : "expected an integer for a variable of an integer type, found a "
                                "floating-point constant");
    }
    uint64_t bits = constant.bits;
    if (variable.type == ScalarType::f32 && constant.type == ConstantValue::Type::f64) {
        bits = std::bit_cast<uint32_t>(static_cast<float>(constant.to_double()));
    } else if (variable.type == ScalarType::f64 && constant.type == ConstantValue::Type::f32) {
        bits = std::bit_cast<uint64_t>(constant.to_double());
    }
    for (uint32_t i = 0; i < size; ++i) {
        variable.initial_value[value.offset + i] = static_cast<std::byte>(bits >> (8 * i));
    }
}

void Parser::parse_initial_address(InitialValue& value, uint32_t size, uint32_t shift) {
    Relocation relocation;
    relocation.offset = value.offset;
    relocation.size = size;
    relocation.shift = shift;
    Token name = tokens_.expect_identifier("the name of a variable or function");
    if (name.text == "generic" && tokens_.at('(')) {
        relocation.generic = true;
        tokens_.advance();
        name = tokens_.expect_identifier("the name of a variable or function");
        relocation.addend += parse_offset();
        tokens_.expect(')', "after 'generic(' and a name");
    }
    relocation.addend += parse_offset();
    const std::optional<uint32_t> symbol = find_symbol(name.text);
    if (!symbol) {
        report(name.location(), "undefined name " + describe(name) + " in an initial value");
        return;
    }
    const Symbol& named = module_.symbols[*symbol];
    if (named.kind == Symbol::Kind::variable) {
        const StateSpace space = module_.variables[named.index].space;
        if (space != StateSpace::global && space != StateSpace::constant) {
            report(name.location(),
                   "an initial value can hold the address of a function or of a .global or .const variable, and " +
                       describe(name) + " is neither");
            return;
        }
    }
    relocation.symbol = *symbol;
    value.variable.relocations.push_back(relocation);
}

}  // namespace cuprum::simulator::ptx
