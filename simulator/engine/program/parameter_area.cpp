// Slots of the parameter area, in which arguments, results and formals in registers travel.
#include "engine/instructions/memory/addressing_aux.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

const ParameterSlot* FunctionDecoder::parameter_slot(const ptx::Operand& operand) const {
    if (operand.kind != ptx::Operand::Kind::symbol) return nullptr;
    const ptx::Symbol& symbol = module_.symbols[operand.index];
    if (symbol.kind != ptx::Symbol::Kind::variable) return nullptr;
    const auto found = parameter_slots_.find(symbol.index);
    return found == parameter_slots_.end() ? nullptr : &found->second;
}

std::optional<uint32_t> FunctionDecoder::kernel_parameter_offset(const ptx::Symbol& symbol) const {
    const auto found = kernel_parameter_offsets_.find(symbol.index);
    return found == kernel_parameter_offsets_.end() ? std::nullopt : std::optional(found->second);
}

ParameterSlot FunctionDecoder::hidden_slot(uint32_t size) {
    parameter_area_end_ = (parameter_area_end_ + size - 1) / size * size;
    const ParameterSlot slot{parameter_area_end_, size};
    parameter_area_end_ += size;
    out_.parameter_area_bytes = (parameter_area_end_ + 15) / 16 * 16;
    return slot;
}

// A load of a register from a slot of the parameter area, or a store to it.
void FunctionDecoder::emit_slot_access(bool loading, const ParameterSlot& slot, Reference reg) {
    const bool wide = row_bytes(reg) == 8;
    Form form;
    form.opcode = loading ? Opcode::ld : Opcode::st;
    form.types[form.type_count++] = slot.size == 8   ? ScalarType::b64
                                    : slot.size == 4 ? ScalarType::b32
                                    : slot.size == 2 ? ScalarType::b16
                                                     : ScalarType::b8;
    form.add(Modifier::param_func);
    form.data_bytes = wide ? 8 : 4;
    const Handlers handlers = context_.backend->select(form);
    const Reference address = literal(slot.offset, 8);
    PendingInstruction& access = emit(handlers);
    access.code.aux = 1u << memory_aux::vector_shift | static_cast<uint32_t>(AddressSpace::function_parameter);
    if (loading)
        define(access, 0, reg);
    else
        use(access, 0, reg);
    use(access, 4, address);
    access.code.cache = out_.cache_end++;
}

// Formals in registers travel like the others, in the parameter area.
void FunctionDecoder::load_register_formals() {
    const size_t returns = out_.returns.size();
    for (const auto& [position, reg] : parsed_.register_formals) {
        if (position >= returns) emit_slot_access(true, out_.parameters[position - returns], reg);
    }
}

void FunctionDecoder::store_register_returns() {
    for (const auto& [position, reg] : parsed_.register_formals) {
        if (position < out_.returns.size()) emit_slot_access(false, out_.returns[position], reg);
    }
}

}  // namespace cuprum::simulator
