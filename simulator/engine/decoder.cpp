#include "engine/decoder.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "engine/float_aux.hpp"

namespace cuprum::simulator {
namespace {

// The types of an instruction's operands, result first: t the instruction's type, w twice as wide if .wide is given,
// 2 the second type, u 32 bits, p a predicate.
const char* signature_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::add:
        case Opcode::addc:
        case Opcode::sub:
        case Opcode::subc:
        case Opcode::div:
        case Opcode::rem:
        case Opcode::min:
        case Opcode::max:
        case Opcode::and_:
        case Opcode::or_:
        case Opcode::xor_:
        case Opcode::copysign:
        case Opcode::mul24:
            return "ttt";
        case Opcode::mul:
            return "wtt";
        case Opcode::mad:
            return "wttw";
        case Opcode::madc:
        case Opcode::mad24:
        case Opcode::sad:
        case Opcode::fma:
            return "tttt";
        case Opcode::abs:
        case Opcode::neg:
        case Opcode::not_:
        case Opcode::cnot:
        case Opcode::rcp:
        case Opcode::sqrt:
        case Opcode::rsqrt:
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::lg2:
        case Opcode::ex2:
        case Opcode::tanh:
        case Opcode::brev:
            return "tt";
        case Opcode::popc:
        case Opcode::clz:
        case Opcode::bfind:
            return "ut";
        case Opcode::shl:
        case Opcode::shr:
        case Opcode::szext:
            return "ttu";
        case Opcode::shf:
        case Opcode::fns:
        case Opcode::prmt:
        case Opcode::dp4a:
        case Opcode::dp2a:
            return "uuuu";
        case Opcode::bmsk:
            return "uuu";
        case Opcode::bfe:
            return "ttuu";
        case Opcode::bfi:
            return "tttuu";
        case Opcode::selp:
            return "tttp";
        case Opcode::slct:
            return "ttt2";
        case Opcode::testp:
            return "pt";
        default:
            return nullptr;
    }
}

ScalarType widened(ScalarType type) {
    switch (type) {
        case ScalarType::u16:
            return ScalarType::u32;
        case ScalarType::s16:
            return ScalarType::s32;
        case ScalarType::u32:
            return ScalarType::u64;
        case ScalarType::s32:
            return ScalarType::s64;
        default:
            return type;
    }
}

struct SpecialName {
    std::string_view name;
    Special special;
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
    {"%clock64", Special::clock64},
    {"%globaltimer", Special::globaltimer},
    {"%globaltimer_lo", Special::globaltimer_lo},
    {"%globaltimer_hi", Special::globaltimer_hi},
    // Without clusters every block is a cluster of its own (ISA 10.11 to 10.19).
    {"%is_explicit_cluster", Special::zero},
    {"%cluster_ctarank", Special::zero},
    {"%cluster_nctarank", Special::one},
    {"%cluster_ctaid.x", Special::zero},
    {"%cluster_ctaid.y", Special::zero},
    {"%cluster_ctaid.z", Special::zero},
    {"%cluster_nctaid.x", Special::one},
    {"%cluster_nctaid.y", Special::one},
    {"%cluster_nctaid.z", Special::one},
    {"%clusterid.x", Special::ctaid_x},
    {"%clusterid.y", Special::ctaid_y},
    {"%clusterid.z", Special::ctaid_z},
    {"%nclusterid.x", Special::nctaid_x},
    {"%nclusterid.y", Special::nctaid_y},
    {"%nclusterid.z", Special::nctaid_z},
};

bool read_when_executed(Special special) {
    return special >= Special::clock && special <= Special::globaltimer_hi;
}

// How a result is rounded and what is done to it, for the handlers that look at it while running.
uint32_t rounding_aux(const Form& form) {
    uint32_t aux = 0;
    if (form.has(Modifier::rz)) aux |= float_aux::zero;
    if (form.has(Modifier::rm)) aux |= float_aux::down;
    if (form.has(Modifier::rp)) aux |= float_aux::up;
    if (form.has(Modifier::rni)) aux |= float_aux::to_nearest_integer;
    if (form.has(Modifier::rzi)) aux |= float_aux::to_integer_towards_zero;
    if (form.has(Modifier::rmi)) aux |= float_aux::to_integer_below;
    if (form.has(Modifier::rpi)) aux |= float_aux::to_integer_above;
    if (form.has(Modifier::ftz)) aux |= float_aux::flush;
    if (form.has(Modifier::sat)) aux |= float_aux::saturate;
    if (form.has(Modifier::relu)) aux |= float_aux::relu;
    if (form.has(Modifier::satfinite)) aux |= float_aux::finite;
    return aux;
}

uint32_t round_up(uint32_t value, uint32_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

uint32_t ModuleContext::variable_number(uint32_t module_variable) {
    const auto next = static_cast<uint32_t>(image->variable_images.size());
    const auto [found, added] = variable_numbers.emplace(module_variable, next);
    if (added) {
        const ptx::Variable& variable = module->variables[module_variable];
        VariableImage entry;
        entry.information.name = variable.name;
        entry.information.size = variable.size;
        entry.information.alignment = std::max(variable.alignment, 1u);
        entry.information.constant = variable.space == ptx::StateSpace::constant;
        entry.information.visible = variable.linkage != ptx::Linkage::internal;
        entry.information.external = variable.linkage == ptx::Linkage::external;
        entry.initial_value = variable.initial_value;
        image->variable_images.push_back(std::move(entry));
        // What its initial value points to must have a number as well.
        for (const ptx::Relocation& relocation : variable.relocations) {
            const ptx::Symbol& symbol = module->symbols[relocation.symbol];
            VariableImage::Fixup fixup;
            fixup.offset = relocation.offset;
            fixup.size = relocation.size;
            fixup.shift = relocation.shift;
            fixup.addend = relocation.addend;
            fixup.function = symbol.kind == ptx::Symbol::Kind::function;
            fixup.index = fixup.function ? symbol.index : variable_number(symbol.index);
            image->variable_images[found->second].fixups.push_back(fixup);
        }
    }
    return variable_numbers.at(module_variable);
}

uint32_t ModuleContext::mnemonic_number(std::string_view mnemonic) {
    const auto next = static_cast<uint32_t>(image->mnemonics.size());
    const auto [found, added] = mnemonic_numbers.emplace(mnemonic, next);
    if (added) image->mnemonics.emplace_back(mnemonic);
    return found->second;
}

FunctionDecoder::FunctionDecoder(ModuleContext& context, uint32_t function_index)
    : context_(context),
      module_(*context.module),
      parsed_(context.module->functions[function_index]),
      out_(context.image->functions[function_index]),
      function_index_(function_index) {}

void FunctionDecoder::decode() {
    register_types_.reserve(parsed_.registers.size() + 8);
    for (const ptx::Register& reg : parsed_.registers)
        register_types_.push_back(reg.type);
    lay_out_variables();
    start_of_.reserve(parsed_.instructions.size() + 1);
    pending_.reserve(parsed_.instructions.size() + 16);
    for (const ptx::Instruction& instruction : parsed_.instructions) {
        start_of_.push_back(static_cast<uint32_t>(pending_.size()));
        current_ = &instruction;
        origin_.ptx_line = instruction.location.line;
        origin_.source_file = instruction.source_file;
        origin_.source_line = instruction.source_line;
        origin_.text = context_.mnemonic_number(instruction.mnemonic);
        decode_instruction();
    }
    start_of_.push_back(static_cast<uint32_t>(pending_.size()));
    // Falling off the end returns.
    emit(context_.backend->control(Control::ret)).ends_flow = true;
    remove_constant_copies();
    resolve_branches();
    allocate_registers(pending_, register_types_, out_, context_.backend->control(Control::unwritten));
}

void FunctionDecoder::lay_out_variables() {
    uint32_t parameter_area = 0;
    const auto place_parameter = [&](uint32_t variable_index) {
        const ptx::Variable& variable = module_.variables[variable_index];
        parameter_area = round_up(parameter_area, std::max(variable.alignment, 1u));
        const ParameterSlot slot{parameter_area, static_cast<uint32_t>(variable.size)};
        parameter_slots_[variable_index] = slot;
        parameter_area += slot.size;
        return slot;
    };
    if (parsed_.is_kernel) {
        uint32_t offset = 0;
        for (const uint32_t symbol : parsed_.parameter_symbols) {
            const ptx::Variable& variable = module_.variables[module_.symbols[symbol].index];
            offset = round_up(offset, std::max(variable.alignment, 1u));
            kernel_parameter_offsets_[module_.symbols[symbol].index] = offset;
            offset += static_cast<uint32_t>(variable.size);
        }
    } else {
        for (const uint32_t symbol : parsed_.return_symbols) {
            out_.returns.push_back(place_parameter(module_.symbols[symbol].index));
        }
        for (const uint32_t symbol : parsed_.parameter_symbols) {
            out_.parameters.push_back(place_parameter(module_.symbols[symbol].index));
        }
    }
    uint32_t local = 0;
    for (const uint32_t variable_index : parsed_.variables) {
        const ptx::Variable& variable = module_.variables[variable_index];
        if (variable.space == ptx::StateSpace::parameter) {
            place_parameter(variable_index);
        } else if (variable.space == ptx::StateSpace::local) {
            local = round_up(local, std::max(variable.alignment, 1u));
            local_offsets_[variable_index] = local;
            local += static_cast<uint32_t>(variable.size);
        }
    }
    out_.parameter_area_bytes = round_up(parameter_area, 16);
    out_.local_bytes = round_up(local, 16);
}

// --- errors ---

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
    for (const SpecialName& known : special_names) {
        if (known.name != operand.name) continue;
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

Reference FunctionDecoder::source(const ptx::Operand& operand, ScalarType type) {
    const uint32_t bytes = register_bytes(type);
    switch (operand.kind) {
        case ptx::Operand::Kind::reg: {
            if (!operand.name.empty()) unsupported("the selector ." + std::string(operand.name));
            const uint32_t found = register_bytes(register_types_[operand.index]);
            if (found != bytes) {
                invalid("register " + parsed_.registers[operand.index].name + " is " + std::to_string(found * 8) +
                        " bits wide, expected " + std::to_string(bytes * 8));
            }
            if (operand.negated) {
                if (bytes != 0) unsupported("a negated operand");
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
            return special_source(operand, bytes);
        case ptx::Operand::Kind::immediate:
            if (is_float(type) && operand.bits != 0) unsupported("an integer literal as a floating-point operand");
            return literal(bytes == 0 ? (operand.bits != 0) != operand.negated : operand.bits, bytes);
        case ptx::Operand::Kind::immediate_f32: {
            if (bytes == 8)
                return literal(std::bit_cast<uint64_t>(
                                   static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(operand.bits)))),
                               8);
            return literal(operand.bits, 4);
        }
        case ptx::Operand::Kind::immediate_f64:
            if (bytes == 4) {
                return literal(std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits))), 4);
            }
            return literal(operand.bits, 8);
        case ptx::Operand::Kind::symbol:
            if (bytes == 0) invalid("an address where a predicate is expected");
            return symbol_address(operand, bytes);
        default:
            invalid("this kind of operand is not expected here");
    }
}

Reference FunctionDecoder::target(const ptx::Operand& operand, ScalarType type) {
    if (operand.kind == ptx::Operand::Kind::sink) return scratch(type);
    if (operand.kind != ptx::Operand::Kind::reg) invalid("the result must be a register");
    const uint32_t bytes = register_bytes(type);
    const uint32_t found = register_bytes(register_types_[operand.index]);
    if (found != bytes) {
        invalid("register " + parsed_.registers[operand.index].name + " is " + std::to_string(found * 8) +
                " bits wide, expected " + std::to_string(bytes * 8));
    }
    return operand.index;
}

Reference FunctionDecoder::predicate_source(const ptx::Operand& operand, bool& negated) {
    ptx::Operand plain = operand;
    negated = operand.negated;
    plain.negated = false;
    return source(plain, ScalarType::pred);
}

// --- emission ---

PendingInstruction& FunctionDecoder::emit(Handlers handlers) {
    PendingInstruction& instruction = pending_.emplace_back();
    instruction.code.body[0] = handlers.body[0];
    instruction.code.body[1] = handlers.body[1];
    instruction.conditional = conditional_;
    instruction.origin = origin_;
    return instruction;
}

void FunctionDecoder::use(PendingInstruction& instruction, unsigned slot, Reference reference) {
    instruction.code.operand[slot] = reference;
    instruction.references = static_cast<uint8_t>(instruction.references | 1u << slot);
}

void FunctionDecoder::define(PendingInstruction& instruction, unsigned slot, Reference reference) {
    use(instruction, slot, reference);
    instruction.defines = static_cast<uint8_t>(instruction.defines | 1u << slot);
}

Handlers FunctionDecoder::select(Form& form) const {
    const Handlers handlers = context_.backend->select(form);
    if (!handlers) unsupported("this combination of type and modifiers is not implemented");
    return handlers;
}

void FunctionDecoder::begin_guard() {
    if (!current_->guarded) return;
    PendingInstruction& guard = emit(context_.backend->control(Control::guard));
    guard.code.aux = current_->guard_negated ? 1 : 0;
    use(guard, 0, current_->guard_register);
    guard.decisive = 1;
    conditional_ = true;
}

size_t FunctionDecoder::begin_branch_around() {
    if (!current_->guarded) return 0;
    PendingInstruction& branch = emit(context_.backend->control(Control::branch));
    branch.code.aux = current_->guard_negated ? 0 : 1;
    branch.branches = true;
    use(branch, 0, current_->guard_register);
    branch.decisive = 1;
    return pending_.size();
}

void FunctionDecoder::end_branch_around(size_t mark) {
    if (mark == 0) return;
    // Targets among pending instructions carry the top bit until resolve_branches.
    pending_[mark - 1].target = preload_flag | static_cast<uint32_t>(pending_.size());
}

// A register that one unguarded instruction sets from a row that never changes is that row: parameters, special
// registers and literals need no move.
void FunctionDecoder::remove_constant_copies() {
    std::vector<uint32_t> definitions(register_types_.size(), 0);
    for (const PendingInstruction& instruction : pending_) {
        for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
            if ((instruction.defines >> slot & 1) != 0) ++definitions[instruction.code.operand[slot]];
        }
    }
    std::vector<Reference> replacement(register_types_.size(), 0);  // 0: none; preloads have the top bit
    std::vector<uint32_t> moved_to(pending_.size() + 1, 0);
    std::vector<PendingInstruction> kept;
    kept.reserve(pending_.size());
    for (size_t k = 0; k < pending_.size(); ++k) {
        const PendingInstruction& instruction = pending_[k];
        moved_to[k] = static_cast<uint32_t>(kept.size());
        const Reference result = instruction.code.operand[0], from = instruction.code.operand[1];
        if (instruction.copies && !instruction.conditional && (from & preload_flag) != 0 && definitions[result] == 1 &&
            row_bytes(from) == row_bytes(result)) {
            replacement[result] = from;
            continue;
        }
        kept.push_back(instruction);
    }
    moved_to[pending_.size()] = static_cast<uint32_t>(kept.size());
    for (PendingInstruction& instruction : kept) {
        for (unsigned slot = 0; slot < instruction.code.operand.size(); ++slot) {
            Reference& reference = instruction.code.operand[slot];
            if ((instruction.references >> slot & 1) == 0 || (reference & preload_flag) != 0) continue;
            if (replacement[reference] != 0) reference = replacement[reference];
        }
        if (instruction.branches && (instruction.target & preload_flag) != 0) {
            instruction.target = preload_flag | moved_to[instruction.target & ~preload_flag];
        }
    }
    for (uint32_t& start : start_of_)
        start = moved_to[start];
    pending_ = std::move(kept);
}

void FunctionDecoder::resolve_branches() {
    for (size_t k = 0; k < pending_.size(); ++k) {
        PendingInstruction& instruction = pending_[k];
        if (!instruction.branches) continue;
        instruction.target = (instruction.target & preload_flag) != 0 ? instruction.target & ~preload_flag
                                                                      : start_of_[instruction.target];
        instruction.code.displacement = static_cast<int32_t>(instruction.target) - static_cast<int32_t>(k);
        if (instruction.code.displacement <= 0) {
            const bool conditional = instruction.references != 0;
            const Handlers back = context_.backend->control(conditional ? Control::branch_back : Control::jump_back);
            instruction.code.body[0] = back.body[0];
            instruction.code.body[1] = back.body[1];
        }
    }
    for (std::vector<int32_t>& table : out_.branch_tables) {
        for (int32_t& entry : table)
            entry = static_cast<int32_t>(start_of_[static_cast<size_t>(entry)]);
    }
}

// --- instructions ---

void FunctionDecoder::decode_instruction() {
    conditional_ = false;
    if (const std::string_view unknown = read_form(*current_, form_); !unknown.empty()) {
        unsupported("modifier ." + std::string(unknown) + " is not known");
    }
    switch (form_.opcode) {
        case Opcode::unknown:
            unsupported("the instruction is not implemented");
        case Opcode::mov:
            return decode_move();
        case Opcode::cvta:
            return decode_cvta();
        case Opcode::isspacep:
            return decode_isspacep();
        case Opcode::setp:
            return decode_setp();
        case Opcode::set:
            return decode_set();
        case Opcode::lop3:
            return decode_lop3();
        case Opcode::cvt:
            return decode_arithmetic(current_->operands.size() == 3 ? "t22" : "t2");
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
            return decode_load_store();
        case Opcode::atom:
        case Opcode::red:
            return decode_atomic();
        case Opcode::bra:
            return decode_branch();
        case Opcode::brx:
            return decode_branch_indexed();
        case Opcode::call:
            return decode_call();
        case Opcode::ret:
            return decode_simple(Control::ret);
        case Opcode::exit:
            return decode_simple(Control::exit);
        case Opcode::trap:
            return decode_simple(Control::trap);
        case Opcode::brkpt:
            return decode_simple(Control::breakpoint);
        case Opcode::nanosleep:
            return decode_simple(Control::sleep);
        case Opcode::pmevent:
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::discard:
        case Opcode::applypriority:
        case Opcode::griddepcontrol:
        case Opcode::setmaxnreg:
            return decode_simple(Control::no_operation);
        case Opcode::bar:
        case Opcode::barrier:
            return decode_barrier();
        case Opcode::membar:
        case Opcode::fence:
            return decode_fence();
        case Opcode::shfl:
        case Opcode::vote:
        case Opcode::match:
        case Opcode::redux:
        case Opcode::elect:
        case Opcode::activemask:
            return decode_warp();
        default:
            break;
    }
    const char* const signature = signature_of(form_.opcode);
    if (signature == nullptr) unsupported("the instruction is not implemented");
    decode_arithmetic(signature);
}

void FunctionDecoder::decode_arithmetic(const char* signature) {
    const ScalarType first = form_.type(0);
    const bool wide = form_.has(Modifier::wide);
    const bool signed_carry = is_signed_integer(first);
    const Opcode opcode = form_.opcode;
    Form form = form_;
    const size_t count = std::strlen(signature);
    expect_operands(count, count);
    const Handlers handlers = select(form);
    std::array<Reference, 6> references{};
    // cvt alone takes registers wider than its types (ISA 9.4.1): the low part of a source, a result that is extended.
    Reference wide_result = 0;
    bool extends = false;
    for (size_t k = 0; k < count; ++k) {
        ScalarType type = first;
        switch (signature[k]) {
            case 'w':
                type = wide ? widened(first) : first;
                break;
            case '2':
                type = form_.type(1);
                break;
            case 'u':
                type = ScalarType::u32;
                break;
            case 'p':
                type = ScalarType::pred;
                break;
            default:
                break;
        }
        const bool wider = opcode == Opcode::cvt && operand(k).kind == ptx::Operand::Kind::reg &&
                           register_bytes(register_types_[operand(k).index]) == 8 && register_bytes(type) == 4;
        if (wider && k == 0) {
            extends = true;
            wide_result = operand(k).index;
            references[k] = scratch(type);
        } else if (wider) {
            references[k] = scratch(type);
            PendingInstruction& narrow = emit(select_conversion(ScalarType::u32, ScalarType::u64));
            define(narrow, 0, references[k]);
            use(narrow, 1, operand(k).index);
        } else {
            references[k] = k == 0 ? target(operand(k), type) : source(operand(k), type);
        }
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, references[0]);
    for (unsigned k = 1; k < count; ++k)
        use(instruction, k, references[k]);
    if ((opcode == Opcode::mad || opcode == Opcode::madc) && !is_float(first)) {
        instruction.code.aux = signed_carry ? 1 : 0;
    } else {
        instruction.code.aux = rounding_aux(form_);
    }
    if (extends) {
        begin_guard();
        PendingInstruction& extend =
            emit(select_conversion(ScalarType::u64, is_signed_integer(first) ? ScalarType::s32 : ScalarType::u32));
        define(extend, 0, wide_result);
        use(extend, 1, references[0]);
    }
}

Handlers FunctionDecoder::select_conversion(ScalarType to, ScalarType from) const {
    Form form;
    form.opcode = Opcode::cvt;
    form.types = {to, from};
    form.type_count = 2;
    return select(form);
}

void FunctionDecoder::decode_setp() {
    uint32_t aux = 0;
    Form form = form_;
    // The boolean operation comes after the comparison; both .and and a comparison never share a word here.
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    const bool combined = aux != 0;
    expect_operands(combined ? 4 : 3, combined ? 4 : 3);
    const ScalarType type = form.type(0);
    const Handlers handlers = select(form);
    const ptx::Operand& result = operand(0);
    Reference first = 0, second = 0;
    if (result.kind == ptx::Operand::Kind::pair) {
        first = target(result.elements[0], ScalarType::pred);
        second = target(result.elements[1], ScalarType::pred);
        aux |= 8;
    } else {
        first = target(result, ScalarType::pred);
    }
    const Reference a = source(operand(1), type);
    const Reference b = source(operand(2), type);
    Reference other = 0;
    if (combined) {
        bool negated = false;
        other = predicate_source(operand(3), negated);
        if (negated) aux |= 4;
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, first);
    if ((aux & 8) != 0) define(instruction, 1, second);
    use(instruction, 2, a);
    use(instruction, 3, b);
    if (combined) use(instruction, 4, other);
    instruction.code.aux = aux;
}

void FunctionDecoder::decode_set() {
    uint32_t aux = 0;
    Form form = form_;
    if (form.take(Modifier::and_)) aux |= 1;
    if (form.take(Modifier::or_)) aux |= 2;
    if (form.take(Modifier::xor_)) aux |= 3;
    expect_operands(aux != 0 ? 4 : 3, aux != 0 ? 4 : 3);
    const ScalarType result_type = form.type(0), type = form.type(1);
    if (ptx::size_of(result_type) != 4) unsupported("set with a result that is not 32 bits wide");
    const Handlers handlers = select(form);
    const Reference result = target(operand(0), result_type);
    const Reference a = source(operand(1), type);
    const Reference b = source(operand(2), type);
    Reference other = 0;
    if (aux != 0) {
        bool negated = false;
        other = predicate_source(operand(3), negated);
        if (negated) aux |= 4;
    }
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, result);
    use(instruction, 2, a);
    use(instruction, 3, b);
    if ((aux & 3) != 0) use(instruction, 4, other);
    instruction.code.aux = aux;
    instruction.code.immediate = result_type == ScalarType::f32 ? 0x3f800000 : 0xffffffff;
}

void FunctionDecoder::decode_lop3() {
    expect_operands(5, 5);
    if (operand(4).kind != ptx::Operand::Kind::immediate) invalid("the look-up table must be a literal");
    const Handlers handlers = select(form_);
    const Reference d = target(operand(0), ScalarType::b32);
    std::array<Reference, 3> sources{};
    for (size_t k = 0; k < 3; ++k)
        sources[k] = source(operand(k + 1), ScalarType::b32);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    define(instruction, 0, d);
    for (unsigned k = 0; k < 3; ++k)
        use(instruction, k + 1, sources[k]);
    instruction.code.aux = static_cast<uint32_t>(operand(4).bits & 0xff);
}

void FunctionDecoder::decode_move() {
    expect_operands(2, 2);
    const ScalarType type = form_.type(0);
    const bool splits = operand(0).kind == ptx::Operand::Kind::vector;
    const bool joins = operand(1).kind == ptx::Operand::Kind::vector;
    if (!splits && !joins) {
        const Handlers handlers = select(form_);
        // A label's or function's address, a variable's, a register's: all are sources.
        const Reference from = source(operand(1), type);
        const Reference to = target(operand(0), type);
        begin_guard();
        PendingInstruction& instruction = emit(handlers);
        define(instruction, 0, to);
        use(instruction, 1, from);
        instruction.copies = true;
        return;
    }
    if (splits && joins) invalid("both operands are vectors");
    const std::vector<ptx::Operand>& parts = operand(splits ? 0 : 1).elements;
    const uint32_t whole_bytes = ptx::size_of(type);
    if (parts.size() != 2 && parts.size() != 4) unsupported("a vector of " + std::to_string(parts.size()));
    const auto part_bytes = static_cast<uint32_t>(whole_bytes / parts.size());
    if ((whole_bytes != 4 && whole_bytes != 8) || part_bytes == 0 || part_bytes > 4) {
        unsupported("a move of " + std::to_string(whole_bytes * 8) + " bits from or to parts");
    }
    Form form = form_;
    form.add(splits ? Modifier::l : Modifier::r);
    const Handlers handlers = select(form);
    const ScalarType part_type = ScalarType::b32;  // 16- and 8-bit parts live in 32-bit elements
    std::array<Reference, 4> references{};
    for (size_t k = 0; k < parts.size(); ++k) {
        references[k] = splits ? target(parts[k], part_type) : source(parts[k], part_type);
    }
    const Reference whole = splits ? source(operand(1), type) : target(operand(0), type);
    begin_guard();
    PendingInstruction& instruction = emit(handlers);
    instruction.code.aux = static_cast<uint32_t>(parts.size());
    instruction.code.immediate = part_bytes;
    for (unsigned k = 0; k < parts.size(); ++k) {
        if (splits)
            define(instruction, k, references[k]);
        else
            use(instruction, k + 1, references[k]);
    }
    if (splits)
        use(instruction, static_cast<unsigned>(parts.size()), whole);
    else
        define(instruction, 0, whole);
}

void FunctionDecoder::decode_cvta() {
    expect_operands(2, 2);
    const bool to = form_.has(Modifier::to);
    uint64_t base = 0;
    if (form_.has(Modifier::shared) || form_.has(Modifier::shared_cta)) base = window::shared;
    if (form_.has(Modifier::local)) base = window::local;
    if (form_.type(0) != ScalarType::u64) unsupported("only 64-bit addresses are simulated");
    const Reference from = source(operand(1), ScalarType::u64);
    const Reference result = target(operand(0), ScalarType::u64);
    begin_guard();
    PendingInstruction& instruction = emit(context_.backend->control(Control::add_window));
    define(instruction, 0, result);
    use(instruction, 1, from);
    instruction.code.immediate = static_cast<int64_t>(to ? uint64_t{0} - base : base);
}

void FunctionDecoder::decode_isspacep() {
    expect_operands(2, 2);
    uint64_t base = 0;
    if (form_.has(Modifier::shared) || form_.has(Modifier::shared_cta))
        base = window::shared;
    else if (form_.has(Modifier::local))
        base = window::local;
    else if (form_.has(Modifier::param) || form_.has(Modifier::param_entry))
        base = window::parameters;
    else if (!form_.has(Modifier::global))
        unsupported("only global, shared, local and param can be asked for");
    const Reference result = target(operand(0), ScalarType::pred);
    const Reference address = source(operand(1), ScalarType::u64);
    begin_guard();
    PendingInstruction& instruction = emit(context_.backend->control(Control::is_space));
    define(instruction, 0, result);
    use(instruction, 1, address);
    instruction.code.immediate = static_cast<int64_t>(base);
}

}  // namespace cuprum::simulator
