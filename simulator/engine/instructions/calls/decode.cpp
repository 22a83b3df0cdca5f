// Decoding of calls, returns and the stack.
#include "engine/instructions/calls/decode.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

// Functions that the driver provides.
constexpr std::array<std::string_view, 5> builtin_functions = {"vprintf", "__assertfail", "malloc", "free",
                                                               "cudaGraphSetConditional"};

bool is_builtin(std::string_view name) {
    for (const std::string_view known : builtin_functions) {
        if (known == name) return true;
    }
    return false;
}

// What the callee takes and gives, or null if the call does not say.
const ptx::Prototype* prototype_of_call(const FunctionDecoder& decoder, const ptx::Operand& callee, size_t next) {
    if (callee.kind == ptx::Operand::Kind::symbol &&
        decoder.module().symbols[callee.index].kind == ptx::Symbol::Kind::function) {
        return &decoder.module().functions[decoder.module().symbols[callee.index].index].prototype;
    }
    if (next < decoder.instruction().operands.size() && decoder.operand(next).kind == ptx::Operand::Kind::prototype) {
        return &decoder.parsed().prototypes[decoder.operand(next).index];
    }
    return nullptr;
}

}  // namespace

void decode_call(FunctionDecoder& decoder) {
    const std::vector<ptx::Operand> none;
    size_t next = 0;
    const bool has_returns = decoder.operand(0).kind == ptx::Operand::Kind::list;
    const std::vector<ptx::Operand>& returns = has_returns ? decoder.operand(next++).elements : none;
    const ptx::Operand& callee = decoder.operand(next++);
    const bool has_arguments =
        next < decoder.instruction().operands.size() && decoder.operand(next).kind == ptx::Operand::Kind::list;
    const std::vector<ptx::Operand>& arguments = has_arguments ? decoder.operand(next++).elements : none;
    const ptx::Prototype* const prototype = prototype_of_call(decoder, callee, next);
    if (prototype != nullptr &&
        (prototype->returns.size() != returns.size() || prototype->parameters.size() != arguments.size())) {
        decoder.invalid("the call passes " + std::to_string(arguments.size()) + " arguments and takes " +
                        std::to_string(returns.size()) + " results, the callee has " +
                        std::to_string(prototype->parameters.size()) + " and " +
                        std::to_string(prototype->returns.size()));
    }

    const size_t mark = decoder.begin_branch_around();
    CallSite site;
    std::vector<std::pair<ParameterSlot, Reference>> results_in_registers;
    // The slot of the k-th argument or result: that of a .param variable, or one for a register or a literal.
    const auto slot_of = [&](const ptx::Operand& element, const std::vector<ptx::Variable>* formals, size_t k) {
        const uint32_t formal = formals != nullptr ? static_cast<uint32_t>((*formals)[k].size) : 0;
        if (const ParameterSlot* const slot = decoder.parameter_slot(element)) {
            if (formal != 0 && formal != slot->size) {
                decoder.invalid("the .param variable of a call has " + std::to_string(slot->size) +
                                " bytes, the callee's " + std::to_string(formal));
            }
            return *slot;
        }
        if (formal == 0 || formal > 8 || (formal & (formal - 1)) != 0) {
            decoder.unsupported("an argument that is not a .param variable, for a parameter that takes no number");
        }
        return decoder.hidden_slot(formal);
    };
    for (size_t k = 0; k < arguments.size(); ++k) {
        const std::vector<ptx::Variable>* const formals = prototype != nullptr ? &prototype->parameters : nullptr;
        site.arguments.push_back(slot_of(arguments[k], formals, k));
        if (decoder.parameter_slot(arguments[k]) != nullptr) continue;
        decoder.emit_slot_access(false, site.arguments.back(), decoder.source(arguments[k], (*formals)[k].type));
    }
    for (size_t k = 0; k < returns.size(); ++k) {
        const std::vector<ptx::Variable>* const formals = prototype != nullptr ? &prototype->returns : nullptr;
        site.returns.push_back(slot_of(returns[k], formals, k));
        if (decoder.parameter_slot(returns[k]) != nullptr) continue;
        results_in_registers.emplace_back(site.returns.back(), decoder.target(returns[k], (*formals)[k].type));
    }
    const bool direct = callee.kind == ptx::Operand::Kind::symbol &&
                        decoder.module().symbols[callee.index].kind == ptx::Symbol::Kind::function;
    if (direct) {
        const ptx::Function& function = decoder.module().functions[decoder.module().symbols[callee.index].index];
        site.callee = decoder.module().symbols[callee.index].index;
        if (!function.has_body) {
            if (!is_builtin(function.name)) {
                throw DecodeError(
                    LoadError::Kind::unresolved_symbol, decoder.instruction().location.line,
                    "line " + std::to_string(decoder.instruction().location.line) + ": function '" + function.name +
                        "' is called but has no body in this module, and is not one of those that the simulator "
                        "provides (vprintf, __assertfail, malloc, free, cudaGraphSetConditional); link "
                        "the module that defines it");
            }
            site.builtin = function.name;
        } else {
            decoder.reach().callees.push_back(site.callee);
        }
        PendingInstruction& call = decoder.emit(decoder.control(Control::call));
        call.code.aux = static_cast<uint32_t>(decoder.function().calls.size());
        call.code.displacement = static_cast<int32_t>(site.callee) - static_cast<int32_t>(decoder.function_index());
    } else {
        const Reference address = decoder.source(callee, ScalarType::u64);
        PendingInstruction& call = decoder.emit(decoder.control(Control::call_indirect));
        call.code.aux = static_cast<uint32_t>(decoder.function().calls.size());
        decoder.use(call, 0, address);
        call.decisive = 1;
        decoder.reach().indirect = true;
    }
    decoder.function().calls.push_back(std::move(site));
    for (const auto& [slot, reg] : results_in_registers)
        decoder.emit_slot_access(true, slot, reg);
    decoder.end_branch_around(mark);
}

void decode_return(FunctionDecoder& decoder) {
    decoder.expect_operands(0, 0);
    const size_t mark = decoder.begin_branch_around();
    decoder.store_register_returns();
    decoder.emit(decoder.control(Control::ret)).ends_flow = true;
    decoder.end_branch_around(mark);
}

// alloca.type pointer, size {, alignment}; stacksave.type pointer; stackrestore.type pointer.
void decode_stack(FunctionDecoder& decoder) {
    decoder.reach().allocates_stack = true;
    decoder.function().allocates_stack = true;
    const ScalarType type = decoder.form().take_type();
    if ((type != ScalarType::u32 && type != ScalarType::u64) || !decoder.form().exhausted())
        decoder.invalid("expected .u32 or .u64");
    const bool allocates = decoder.form().opcode == Opcode::alloca_,
               restores = decoder.form().opcode == Opcode::stackrestore;
    decoder.expect_operands(allocates ? 2 : 1, allocates ? 3 : 1);
    int64_t alignment = 8;
    if (decoder.instruction().operands.size() == 3) {
        alignment = static_cast<int64_t>(decoder.operand(2).bits);
        if (decoder.operand(2).kind != ptx::Operand::Kind::immediate || alignment <= 0 ||
            (alignment & (alignment - 1)) != 0) {
            decoder.invalid("the alignment must be a power of two");
        }
    }
    if (restores && decoder.operand(0).kind != ptx::Operand::Kind::reg) decoder.invalid("expected a register");
    const Reference pointer =
        restores ? decoder.source(decoder.operand(0), type) : decoder.target(decoder.operand(0), type);
    const Reference size = allocates ? decoder.source(decoder.operand(1), type) : 0;
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(decoder.control(Control::stack_pointer));
    instruction.code.aux = (type == ScalarType::u64 ? stack_aux::wide : 0u) | (allocates  ? stack_aux::allocate
                                                                               : restores ? stack_aux::restore
                                                                                          : stack_aux::save);
    instruction.code.immediate = alignment;
    if (restores)
        decoder.use(instruction, 0, pointer);
    else
        decoder.define(instruction, 0, pointer);
    if (allocates) decoder.use(instruction, 1, size);
    instruction.decisive = restores ? 1 : allocates ? 2 : 0;
}

}  // namespace cuprum::simulator
