// Decoding of operands: literals, special registers, symbols, registers and predicates; and the errors that name them.
#include "engine/program/decoder.hpp"

#include <bit>
#include <charconv>

namespace cuprum::simulator {
namespace {

struct SpecialName {
    std::string_view name;
    Special special;
    uint32_t bytes = 4;  // of the register; 0: a predicate
};
constexpr SpecialName special_names[] = {
    {"%tid.x", Special::tid_x},
    {"%tid.y", Special::tid_y},
    {"%tid.z", Special::tid_z},
    {"%tid.w", Special::zero},
    {"%ntid.x", Special::ntid_x},
    {"%ntid.y", Special::ntid_y},
    {"%ntid.z", Special::ntid_z},
    {"%ntid.w", Special::one},
    {"%ctaid.x", Special::ctaid_x},
    {"%ctaid.y", Special::ctaid_y},
    {"%ctaid.z", Special::ctaid_z},
    {"%ctaid.w", Special::zero},
    {"%nctaid.x", Special::nctaid_x},
    {"%nctaid.y", Special::nctaid_y},
    {"%nctaid.z", Special::nctaid_z},
    {"%nctaid.w", Special::one},
    {"%tid", Special::tid_x},
    {"%ntid", Special::ntid_x},
    {"%ctaid", Special::ctaid_x},
    {"%nctaid", Special::nctaid_x},
    {"%laneid", Special::laneid},
    {"%warpid", Special::warpid},
    {"%nwarpid", Special::nwarpid},
    {"%smid", Special::smid},
    {"%nsmid", Special::nsmid},
    {"%gridid", Special::gridid},
    {"%lanemask_eq", Special::lanemask_eq},
    {"%lanemask_le", Special::lanemask_le},
    {"%lanemask_lt", Special::lanemask_lt},
    {"%lanemask_ge", Special::lanemask_ge},
    {"%lanemask_gt", Special::lanemask_gt},
    {"%dynamic_smem_size", Special::dynamic_smem_size},
    {"%total_smem_size", Special::total_smem_size},
    {"%aggr_smem_size", Special::total_smem_size},
    {"%clock", Special::clock},
    {"%clock_hi", Special::clock_hi},
    {"%clock64", Special::clock64, 8},
    {"%globaltimer", Special::globaltimer, 8},
    {"%globaltimer_lo", Special::globaltimer_lo},
    {"%globaltimer_hi", Special::globaltimer_hi},
    // Without clusters every block is a cluster of its own (ISA 10.11 to 10.19).
    {"%is_explicit_cluster", Special::is_explicit_cluster, 0},
    {"%cluster_ctarank", Special::cluster_ctarank},
    {"%cluster_nctarank", Special::cluster_nctarank},
    {"%cluster_ctaid.x", Special::cluster_ctaid_x},
    {"%cluster_ctaid.y", Special::cluster_ctaid_y},
    {"%cluster_ctaid.z", Special::cluster_ctaid_z},
    {"%cluster_nctaid.x", Special::cluster_nctaid_x},
    {"%cluster_nctaid.y", Special::cluster_nctaid_y},
    {"%cluster_nctaid.z", Special::cluster_nctaid_z},
    {"%clusterid.x", Special::clusterid_x},
    {"%clusterid.y", Special::clusterid_y},
    {"%clusterid.z", Special::clusterid_z},
    {"%nclusterid.x", Special::nclusterid_x},
    {"%nclusterid.y", Special::nclusterid_y},
    {"%nclusterid.z", Special::nclusterid_z},
    // Nothing is counted, no shared memory is reserved, no graph runs.
    {"%reserved_smem_offset_begin", Special::zero},
    {"%reserved_smem_offset_end", Special::zero},
    {"%reserved_smem_offset_cap", Special::zero},
    {"%reserved_smem_offset_0", Special::zero},
    {"%reserved_smem_offset_1", Special::zero},
    {"%current_graph_exec", Special::zero, 8},
};

bool is_untyped(ScalarType type) {
    switch (type) {
        case ScalarType::b8:
        case ScalarType::b16:
        case ScalarType::b32:
        case ScalarType::b64:
        case ScalarType::b128:
        case ScalarType::tf32:
        case ScalarType::e4m3:
        case ScalarType::e5m2:
            return true;
        default:
            return false;
    }
}

// PTX has no registers of these types: operands lie in ones of bits, and no literal is one (ISA 5.2.5).
bool lies_in_bits(ScalarType type) {
    return is_narrow(type) || type == ScalarType::f32x2;
}

bool read_when_executed(Special special) {
    return special >= Special::clock && special <= Special::globaltimer_hi;
}

}  // namespace

// Loads, stores and conversions read and write the low part of wider registers (ISA 9.4.1). Conversions of bf16, tf32
// and narrower formats do not, on neither side: so ptxas, the ISA only of some.
bool FunctionDecoder::allows_wider_registers() const {
    switch (form_.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
        case Opcode::suld:
        case Opcode::sust:
            return true;
        case Opcode::cvt:
            for (const ScalarType type : {form_.type(0), form_.type(1)}) {
                if (type == ScalarType::bf16 || type == ScalarType::bf16x2 || type == ScalarType::tf32 ||
                    is_narrow(type)) {
                    return false;
                }
            }
            return true;
        default:
            return false;
    }
}

void FunctionDecoder::unsupported(const std::string& reason) const {
    throw DecodeError(LoadError::Kind::unsupported_ptx, current_->location.line,
                      "line " + std::to_string(current_->location.line) + ": '" + std::string(current_->mnemonic) +
                          "' in function '" + parsed_.name + "' cannot be simulated: " + reason);
}

void FunctionDecoder::invalid(const std::string& reason) const {
    throw DecodeError(LoadError::Kind::invalid_ptx, current_->location.line,
                      "line " + std::to_string(current_->location.line) + ": '" + std::string(current_->mnemonic) +
                          "' in function '" + parsed_.name + "': " + reason);
}

const ptx::Operand& FunctionDecoder::operand(size_t index) const {
    if (index >= current_->operands.size()) {
        invalid("expected at least " + std::to_string(index + 1) + " operands, found " +
                std::to_string(current_->operands.size()));
    }
    return current_->operands[index];
}

void FunctionDecoder::expect_operands(size_t least, size_t most) const {
    const size_t count = current_->operands.size();
    if (count < least || count > most) {
        invalid("expected " + std::to_string(least) + (most != least ? " to " + std::to_string(most) : "") +
                " operands, found " + std::to_string(count));
    }
}

void FunctionDecoder::expect_exhausted(const Form& form) const {
    if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
}

// --- operands ---

Reference FunctionDecoder::preload(const Preload& wanted) {
    const auto key = std::make_tuple(static_cast<uint8_t>(wanted.kind), wanted.bytes, static_cast<uint8_t>(wanted.type),
                                     static_cast<uint8_t>(wanted.special), wanted.index, wanted.value);
    const auto [found, added] =
        preload_numbers_.emplace(key, preload_flag | static_cast<Reference>(out_.preloads.size()));
    if (added) out_.preloads.push_back(wanted);
    return found->second;
}

Reference FunctionDecoder::literal(uint64_t bits, uint32_t bytes) {
    Preload wanted;
    wanted.bytes = static_cast<uint8_t>(bytes);
    wanted.value = bytes == 4 ? bits & 0xffffffff : bits;
    return preload(wanted);
}

Reference FunctionDecoder::special(Special which, uint32_t bytes, uint32_t index) {
    Preload wanted;
    wanted.kind = Preload::Kind::special;
    wanted.special = which;
    wanted.bytes = static_cast<uint8_t>(bytes);
    wanted.index = index;
    return preload(wanted);
}

Reference FunctionDecoder::scratch(ScalarType type) {
    register_types_.push_back(type);
    return static_cast<Reference>(register_types_.size() - 1);
}

bool FunctionDecoder::is_literal(Reference reference) const {
    return (reference & preload_flag) != 0 && out_.preloads[reference & ~preload_flag].kind == Preload::Kind::literal;
}

uint32_t FunctionDecoder::row_bytes(Reference reference) const {
    if ((reference & preload_flag) != 0) return out_.preloads[reference & ~preload_flag].bytes;
    return register_bytes(register_types_[reference]);
}

Reference FunctionDecoder::special_source(const ptx::Operand& operand, uint32_t bytes) {
    if (operand.name.starts_with("%envreg")) {
        uint32_t number = 0;
        const std::string_view digits = operand.name.substr(7);
        if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc{} && number < 32) {
            return special(Special::envreg, bytes, number);
        }
    }
    // The performance counters, which count nothing: %pm0 to %pm7 and their 64-bit halves %pm0_64 to %pm7_64.
    if (operand.name.starts_with("%pm")) return literal(0, bytes);
    for (const SpecialName& known : special_names) {
        if (known.name != operand.name) continue;
        // %gridid was 32 bits wide once, and may still be read so.
        if (known.bytes != bytes && known.special != Special::gridid) {
            invalid("the special register " + std::string(operand.name) + " is " + std::to_string(known.bytes * 8) +
                    " bits wide, expected " + std::to_string(bytes * 8));
        }
        if (!read_when_executed(known.special)) return special(known.special, bytes);
        const Reference value = scratch(bytes == 8 ? ScalarType::u64 : ScalarType::u32);
        PendingInstruction& read =
            emit(context_.backend->control(bytes == 8 ? Control::special64 : Control::special32));
        read.code.aux = static_cast<uint32_t>(known.special);
        define(read, 0, value);
        return value;
    }
    unsupported("the special register " + std::string(operand.name) + " is not simulated");
}

Reference FunctionDecoder::symbol_address(const ptx::Operand& operand, uint32_t bytes) {
    const ptx::Symbol& symbol = module_.symbols[operand.index];
    Preload wanted;
    wanted.bytes = static_cast<uint8_t>(bytes);
    wanted.value = static_cast<uint64_t>(operand.offset);
    wanted.index = symbol.index;
    if (symbol.kind == ptx::Symbol::Kind::function) {
        wanted.kind = Preload::Kind::function_address;
        wanted.value = 0;
        reach_.callees.push_back(symbol.index);
        return preload(wanted);
    }
    const ptx::Variable& variable = module_.variables[symbol.index];
    switch (variable.space) {
        case ptx::StateSpace::global:
        case ptx::StateSpace::constant:
        case ptx::StateSpace::generic:
            if (bytes == 4 && variable.space != ptx::StateSpace::constant) invalid_narrow_address();
            wanted.kind = Preload::Kind::variable_address;
            wanted.index = context_.variable_number(symbol.index);
            return preload(wanted);
        case ptx::StateSpace::shared:
            wanted.kind = Preload::Kind::shared_address;
            reach_.shared_variables.push_back(symbol.index);
            return preload(wanted);
        case ptx::StateSpace::local:
            if (!local_offsets_.contains(symbol.index)) unsupported("a .local variable at module scope");
            wanted.kind = Preload::Kind::local_base;
            wanted.index = 0;
            wanted.value += local_offsets_[symbol.index];
            return preload(wanted);
        case ptx::StateSpace::parameter:
            if (const auto found = kernel_parameter_offsets_.find(symbol.index);
                found != kernel_parameter_offsets_.end()) {
                return literal(window::parameters + found->second + wanted.value, bytes);
            }
            return literal(parameter_slots_[symbol.index].offset + wanted.value, bytes);
    }
    invalid("'" + variable.name + "' has no address");
}

// ISA 9.4: a register of type .bX takes any operand of its size, and an operand of type .bX any register; integers take
// integers whatever their sign, floats their own type alone.
void FunctionDecoder::check_register(uint32_t index, ScalarType type) const {
    const ScalarType held = register_types_[index];
    const auto bits = [](ScalarType any) { return any == ScalarType::pred ? 0 : 8 * ptx::size_of(any); };
    const std::string name = index < parsed_.registers.size() ? parsed_.registers[index].name : std::string();
    const bool wider = allows_wider_registers() && type != ScalarType::pred && bits(held) > bits(type);
    if (bits(held) != bits(type) && !wider) {
        invalid("register " + name + " is " + std::to_string(bits(held)) + " bits wide, expected " +
                std::to_string(bits(type)));
    }
    if (is_untyped(held)) return;
    const bool only_bits = lies_in_bits(type) || (type == ScalarType::tf32 && form_.opcode == Opcode::cvt);
    if (!only_bits && (is_untyped(type) || held == type)) return;
    if (only_bits) {
        invalid("register " + name + " has a type, expected .b" + std::to_string(bits(type)));
    }
    if (is_float(held) || is_float(type)) invalid("register " + name + " is of another type than the instruction");
}

Reference FunctionDecoder::bits_source(const ptx::Operand& operand, ScalarType type) {
    if (operand.kind != ptx::Operand::Kind::reg || register_types_[operand.index] != type)
        invalid("expected a register of type .b" + std::to_string(8 * ptx::size_of(type)));
    return source(operand, type);
}

Reference FunctionDecoder::source(const ptx::Operand& operand, ScalarType type) {
    const uint32_t bytes = register_bytes(type);
    switch (operand.kind) {
        case ptx::Operand::Kind::reg: {
            if (!operand.name.empty()) unsupported("the selector ." + std::string(operand.name));
            check_register(operand.index, type);
            if (operand.negated) {
                if (bytes != 0) invalid("a negated operand");
                Form form;
                form.opcode = Opcode::not_;
                form.types[form.type_count++] = ScalarType::pred;
                const Reference inverse = scratch(ScalarType::pred);
                PendingInstruction& invert = emit(select(form));
                use(invert, 1, operand.index);
                define(invert, 0, inverse);
                return inverse;
            }
            return operand.index;
        }
        case ptx::Operand::Kind::special_register:
            if (form_.opcode != Opcode::mov && form_.opcode != Opcode::cvt) {
                invalid("the special register " + std::string(operand.name) + " must be moved to a register first");
            }
            if (is_float(type) || lies_in_bits(type))
                invalid("a special register where a floating-point number is expected");
            return special_source(operand, bytes);
        case ptx::Operand::Kind::immediate:
            if (is_float(type) || lies_in_bits(type))
                invalid("an integer literal where a number of a floating-point type is expected");
            return literal(bytes == 0 ? (operand.bits != 0) != operand.negated : operand.bits, bytes);
        case ptx::Operand::Kind::immediate_f32:
        case ptx::Operand::Kind::immediate_f64:
            return float_literal(operand, type);
        case ptx::Operand::Kind::symbol:
            if (form_.opcode != Opcode::mov && form_.opcode != Opcode::cvta && form_.opcode != Opcode::mapa &&
                form_.opcode != Opcode::getctarank) {
                invalid("an address must be moved to a register first");
            }
            if (bytes == 0) invalid("an address where a predicate is expected");
            return symbol_address(operand, bytes);
        default:
            invalid("this kind of operand is not expected here");
    }
}

// f32 and f64 take each other's literals; .b32 and .b64 the bits of their own size.
Reference FunctionDecoder::float_literal(const ptx::Operand& operand, ScalarType type) {
    const bool is_single = operand.kind == ptx::Operand::Kind::immediate_f32;
    switch (type) {
        case ScalarType::f32:
            if (is_single) return literal(operand.bits, 4);
            return literal(std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))), 4);
        case ScalarType::f64:
            if (!is_single) return literal(operand.bits, 8);
            return literal(
                std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(operand.bits)))),
                8);
        case ScalarType::b32:
            if (is_single) return literal(operand.bits, 4);
            break;
        case ScalarType::b64:
            if (!is_single) return literal(operand.bits, 8);
            break;
        default:
            break;
    }
    invalid("a floating-point literal where none is expected");
}

Reference FunctionDecoder::target(const ptx::Operand& operand, ScalarType type) {
    if (operand.kind == ptx::Operand::Kind::sink) return scratch(type);
    if (operand.kind != ptx::Operand::Kind::reg || operand.negated || !operand.name.empty()) {
        invalid("the result must be a register");
    }
    check_register(operand.index, type);
    return operand.index;
}

Reference FunctionDecoder::predicate_source(const ptx::Operand& operand, bool& negated) {
    ptx::Operand plain = operand;
    negated = operand.negated;
    plain.negated = false;
    return source(plain, ScalarType::pred);
}

}  // namespace cuprum::simulator
