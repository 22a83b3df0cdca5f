// Decoding of branches, calls, barriers, fences and what exchanges values within a warp.
#include <algorithm>
#include <array>

#include "engine/instructions/memory/addressing_aux.hpp"
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

}  // namespace

void FunctionDecoder::decode_simple(Control which) {
    const bool leaves = which == Control::exit || which == Control::trap;
    if (which == Control::sleep) {
        expect_operands(1, 1);
        source(operand(0), ScalarType::u32);
    } else {
        expect_operands(0, 0);
    }
    const size_t mark = begin_branch_around();
    emit(context_.backend->control(which)).ends_flow = leaves;
    end_branch_around(mark);
}

void FunctionDecoder::decode_return() {
    expect_operands(0, 0);
    const size_t mark = begin_branch_around();
    store_register_returns();
    emit(context_.backend->control(Control::ret)).ends_flow = true;
    end_branch_around(mark);
}

// Hints: what they name is checked, and nothing is done.
void FunctionDecoder::decode_without_effect() {
    switch (form_.opcode) {
        case Opcode::prefetch:
        case Opcode::prefetchu:
            expect_operands(1, 1);
            check_address(operand(0));
            break;
        case Opcode::discard:
        case Opcode::applypriority:
            expect_operands(2, 2);
            check_address(operand(0));
            if (operand(1).kind != ptx::Operand::Kind::immediate || operand(1).bits != 128)
                invalid("the size must be 128");
            break;
        case Opcode::pmevent:
        case Opcode::setmaxnreg:
            expect_operands(1, 1);
            if (operand(0).kind != ptx::Operand::Kind::immediate) invalid("expected a literal");
            if (form_.opcode == Opcode::pmevent && operand(0).bits > (form_.has(Modifier::mask) ? 0xffff : 15)) {
                invalid("there are events 0 to 15");
            }
            break;
        default:
            expect_operands(0, 0);
            break;
    }
    const size_t mark = begin_branch_around();
    emit(context_.backend->control(Control::no_operation));
    end_branch_around(mark);
}

void FunctionDecoder::decode_branch() {
    expect_operands(1, 1);
    if (operand(0).kind != ptx::Operand::Kind::label) invalid("expected a label");
    PendingInstruction& branch = emit(context_.backend->control(current_->guarded ? Control::branch : Control::jump));
    branch.branches = true;
    branch.target = operand(0).index;
    branch.ends_flow = !current_->guarded;
    if (current_->guarded) {
        branch.code.aux = current_->guard_negated ? 1 : 0;
        use(branch, 0, current_->guard_register);
        branch.decisive = 1;
    }
}

void FunctionDecoder::decode_branch_indexed() {
    expect_operands(2, 2);
    if (operand(1).kind != ptx::Operand::Kind::branch_targets) invalid("expected a list of branch targets");
    const Reference index = source(operand(0), ScalarType::u32);
    const size_t mark = begin_branch_around();
    PendingInstruction& branch = emit(context_.backend->control(Control::branch_indexed));
    use(branch, 0, index);
    branch.decisive = 1;
    branch.ends_flow = true;
    branch.table = static_cast<int32_t>(out_.branch_tables.size());
    branch.code.aux = static_cast<uint32_t>(out_.branch_tables.size());
    std::vector<int32_t> table;
    for (const uint32_t entry : parsed_.branch_tables[operand(1).index])
        table.push_back(static_cast<int32_t>(entry));
    out_.branch_tables.push_back(std::move(table));  // parsed indices until resolve_branches
    end_branch_around(mark);
}

const ParameterSlot* FunctionDecoder::parameter_slot(const ptx::Operand& operand) const {
    if (operand.kind != ptx::Operand::Kind::symbol) return nullptr;
    const ptx::Symbol& symbol = module_.symbols[operand.index];
    if (symbol.kind != ptx::Symbol::Kind::variable) return nullptr;
    const auto found = parameter_slots_.find(symbol.index);
    return found == parameter_slots_.end() ? nullptr : &found->second;
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

// What the callee takes and gives, or null if the call does not say.
const ptx::Prototype* FunctionDecoder::prototype_of_call(const ptx::Operand& callee, size_t next) const {
    if (callee.kind == ptx::Operand::Kind::symbol &&
        module_.symbols[callee.index].kind == ptx::Symbol::Kind::function) {
        return &module_.functions[module_.symbols[callee.index].index].prototype;
    }
    if (next < current_->operands.size() && operand(next).kind == ptx::Operand::Kind::prototype) {
        return &parsed_.prototypes[operand(next).index];
    }
    return nullptr;
}

void FunctionDecoder::decode_call() {
    const std::vector<ptx::Operand> none;
    size_t next = 0;
    const bool has_returns = operand(0).kind == ptx::Operand::Kind::list;
    const std::vector<ptx::Operand>& returns = has_returns ? operand(next++).elements : none;
    const ptx::Operand& callee = operand(next++);
    const bool has_arguments = next < current_->operands.size() && operand(next).kind == ptx::Operand::Kind::list;
    const std::vector<ptx::Operand>& arguments = has_arguments ? operand(next++).elements : none;
    const ptx::Prototype* const prototype = prototype_of_call(callee, next);
    if (prototype != nullptr &&
        (prototype->returns.size() != returns.size() || prototype->parameters.size() != arguments.size())) {
        invalid("the call passes " + std::to_string(arguments.size()) + " arguments and takes " +
                std::to_string(returns.size()) + " results, the callee has " +
                std::to_string(prototype->parameters.size()) + " and " + std::to_string(prototype->returns.size()));
    }

    const size_t mark = begin_branch_around();
    CallSite site;
    std::vector<std::pair<ParameterSlot, Reference>> results_in_registers;
    // The slot of the k-th argument or result: that of a .param variable, or one for a register or a literal.
    const auto slot_of = [&](const ptx::Operand& element, const std::vector<ptx::Variable>* formals, size_t k) {
        const uint32_t formal = formals != nullptr ? static_cast<uint32_t>((*formals)[k].size) : 0;
        if (const ParameterSlot* const slot = parameter_slot(element)) {
            if (formal != 0 && formal != slot->size) {
                invalid("the .param variable of a call has " + std::to_string(slot->size) + " bytes, the callee's " +
                        std::to_string(formal));
            }
            return *slot;
        }
        if (formal == 0 || formal > 8 || (formal & (formal - 1)) != 0) {
            unsupported("an argument that is not a .param variable, for a parameter that takes no number");
        }
        return hidden_slot(formal);
    };
    for (size_t k = 0; k < arguments.size(); ++k) {
        const std::vector<ptx::Variable>* const formals = prototype != nullptr ? &prototype->parameters : nullptr;
        site.arguments.push_back(slot_of(arguments[k], formals, k));
        if (parameter_slot(arguments[k]) != nullptr) continue;
        emit_slot_access(false, site.arguments.back(), source(arguments[k], (*formals)[k].type));
    }
    for (size_t k = 0; k < returns.size(); ++k) {
        const std::vector<ptx::Variable>* const formals = prototype != nullptr ? &prototype->returns : nullptr;
        site.returns.push_back(slot_of(returns[k], formals, k));
        if (parameter_slot(returns[k]) != nullptr) continue;
        results_in_registers.emplace_back(site.returns.back(), target(returns[k], (*formals)[k].type));
    }
    const bool direct =
        callee.kind == ptx::Operand::Kind::symbol && module_.symbols[callee.index].kind == ptx::Symbol::Kind::function;
    if (direct) {
        const ptx::Function& function = module_.functions[module_.symbols[callee.index].index];
        site.callee = module_.symbols[callee.index].index;
        if (!function.has_body) {
            if (!is_builtin(function.name)) {
                throw DecodeError(
                    LoadError::Kind::unresolved_symbol, current_->location.line,
                    "line " + std::to_string(current_->location.line) + ": function '" + function.name +
                        "' is called but has no body in this module, and is not one of those that the simulator "
                        "provides (vprintf, __assertfail, malloc, free, cudaGraphSetConditional); link "
                        "the module that defines it");
            }
            site.builtin = function.name;
        } else {
            reach_.callees.push_back(site.callee);
        }
        PendingInstruction& call = emit(context_.backend->control(Control::call));
        call.code.aux = static_cast<uint32_t>(out_.calls.size());
        call.code.displacement = static_cast<int32_t>(site.callee) - static_cast<int32_t>(function_index_);
    } else {
        const Reference address = source(callee, ScalarType::u64);
        PendingInstruction& call = emit(context_.backend->control(Control::call_indirect));
        call.code.aux = static_cast<uint32_t>(out_.calls.size());
        use(call, 0, address);
        call.decisive = 1;
        reach_.indirect = true;
    }
    out_.calls.push_back(std::move(site));
    for (const auto& [slot, reg] : results_in_registers)
        emit_slot_access(true, slot, reg);
    end_branch_around(mark);
}

void FunctionDecoder::decode_barrier() {
    Form form = form_;
    if (form.has(Modifier::cluster)) unsupported("clusters are not simulated");
    if (form.take(Modifier::warp)) return decode_warp();
    form.take(Modifier::cta);
    uint32_t aux = 0;
    if (form_.opcode == Opcode::bar || form.has(Modifier::aligned)) aux |= barrier_aux::aligned;
    form.take(Modifier::aligned);
    const bool arrives = form.take(Modifier::arrive);
    const bool reduces = form.take(Modifier::red);
    if (arrives) aux |= barrier_aux::arrive;
    if (!arrives && !reduces && !form.take(Modifier::sync)) invalid("expected .sync, .arrive or .red");
    ScalarType result_type = ScalarType::none;
    if (reduces) {
        if (form.take(Modifier::popc))
            aux |= barrier_aux::popc;
        else if (form.take(Modifier::and_))
            aux |= barrier_aux::all;
        else if (form.take(Modifier::or_))
            aux |= barrier_aux::any;
        else
            invalid("expected .popc, .and or .or");
        result_type = form.take_type();
    }
    if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    size_t next = 0;
    const size_t mark = begin_branch_around();
    Reference result = 0, predicate = 0;
    if (reduces) result = target(operand(next++), result_type);
    if (operand(next).kind == ptx::Operand::Kind::immediate && operand(next).bits > 15) {
        invalid("barriers have numbers from 0 to 15");
    }
    const Reference id = source(operand(next++), ScalarType::u32);
    Reference count = 0;
    const size_t left = current_->operands.size() - next - (reduces ? 1 : 0);
    if (left == 1) {
        if (operand(next).kind == ptx::Operand::Kind::immediate && operand(next).bits % 32 != 0) {
            invalid("the number of threads at a barrier must be a multiple of 32");
        }
        count = source(operand(next++), ScalarType::u32);
        aux |= barrier_aux::counted;
    } else if (left != 0) {
        invalid("unexpected number of operands");
    } else if (arrives) {
        invalid("bar.arrive needs the number of threads");
    }
    if (reduces) {
        bool negated = false;
        predicate = predicate_source(operand(next++), negated);
        if (negated) aux |= barrier_aux::negated;
    }
    PendingInstruction& barrier = emit(context_.backend->control(Control::block_barrier));
    barrier.code.aux = aux;
    if (reduces) {
        // A parked warp writes its result later: until then it holds the old value.
        define(barrier, 0, result);
        use(barrier, 3, predicate);
    }
    use(barrier, 1, id);
    if ((id & preload_flag) != 0 && out_.preloads[id & ~preload_flag].kind == Preload::Kind::literal) {
        barrier.code.aux |= barrier_aux::literal_id;
    }
    if ((aux & barrier_aux::counted) != 0) use(barrier, 2, count);
    end_branch_around(mark);
}

// operand[5] is the set of lanes wherever there is one.
void FunctionDecoder::decode_warp() {
    Form form = form_;
    const Handlers handlers = select(form);
    const size_t mark = begin_branch_around();
    const auto result_or_pair = [&](const ptx::Operand& result, ScalarType type, Reference& value, Reference& flag) {
        if (result.kind == ptx::Operand::Kind::pair) {
            value = target(result.elements[0], type);
            flag = target(result.elements[1], ScalarType::pred);
        } else {
            value = target(result, type);
            flag = scratch(ScalarType::pred);
        }
    };
    const auto use_set = [&](PendingInstruction& instruction, Reference members) {
        use(instruction, 5, members);
        if (context_.checks.races) instruction.code.aux |= warp_aux::noted;
        if ((members & preload_flag) != 0 && out_.preloads[members & ~preload_flag].kind == Preload::Kind::literal) {
            instruction.code.aux |= warp_aux::literal_set;
        }
    };
    switch (form_.opcode) {
        case Opcode::activemask: {
            expect_operands(1, 1);
            const Reference result = target(operand(0), ScalarType::b32);
            define(emit(handlers), 0, result);
            break;
        }
        case Opcode::bar:
        case Opcode::barrier: {  // bar.warp.sync
            expect_operands(1, 1);
            const Reference members = source(operand(0), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            use_set(instruction, members);
            break;
        }
        case Opcode::shfl: {
            if (!form_.has(Modifier::sync)) invalid("shfl without .sync does not exist from sm_70 on");
            expect_operands(5, 5);
            Reference value = 0, flag = 0;
            result_or_pair(operand(0), ScalarType::b32, value, flag);
            const Reference a = source(operand(1), ScalarType::b32);
            const Reference b = source(operand(2), ScalarType::b32);
            const Reference c = source(operand(3), ScalarType::b32);
            const Reference members = source(operand(4), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            define(instruction, 0, value);
            define(instruction, 1, flag);
            use(instruction, 2, a);
            use(instruction, 3, b);
            use(instruction, 4, c);
            use_set(instruction, members);
            break;
        }
        case Opcode::vote: {
            if (!form_.has(Modifier::sync)) invalid("vote without .sync does not exist from sm_70 on");
            expect_operands(3, 3);
            const bool ballot = form_.has(Modifier::ballot);
            const Reference result = target(operand(0), ballot ? ScalarType::b32 : ScalarType::pred);
            bool negated = false;
            const Reference predicate = predicate_source(operand(1), negated);
            const Reference members = source(operand(2), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            instruction.code.aux = negated ? warp_aux::negated : 0;
            define(instruction, 0, result);
            use(instruction, 1, predicate);
            use_set(instruction, members);
            break;
        }
        case Opcode::match: {
            expect_operands(3, 3);
            Reference value = 0, flag = 0;
            result_or_pair(operand(0), ScalarType::u32, value, flag);
            const Reference a = source(operand(1), form_.type(0));
            const Reference members = source(operand(2), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            define(instruction, 0, value);
            define(instruction, 1, flag);
            use(instruction, 2, a);
            use_set(instruction, members);
            break;
        }
        case Opcode::redux: {
            expect_operands(3, 3);
            const Reference result = target(operand(0), form_.type(0));
            const Reference a = source(operand(1), form_.type(0));
            const Reference members = source(operand(2), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            define(instruction, 0, result);
            use(instruction, 1, a);
            use_set(instruction, members);
            break;
        }
        default: {  // elect
            expect_operands(2, 2);
            if (operand(0).kind != ptx::Operand::Kind::pair ||
                operand(0).elements[1].kind == ptx::Operand::Kind::sink) {
                invalid("expected two results, d|p");
            }
            Reference value = 0, flag = 0;
            result_or_pair(operand(0), ScalarType::u32, value, flag);
            const Reference members = source(operand(1), ScalarType::u32);
            PendingInstruction& instruction = emit(handlers);
            define(instruction, 0, value);
            define(instruction, 1, flag);
            use_set(instruction, members);
            break;
        }
    }
    end_branch_around(mark);
}

void FunctionDecoder::decode_fence() {
    expect_operands(0, 0);
    Form form = form_;
    // Memory has one proxy here, and what initialises an mbarrier is seen at once: those fences have nothing to do.
    // Fences of a cluster are kept as those of the device.
    const bool nothing = form.take(Modifier::proxy) || form.take(Modifier::mbarrier_init);
    if (nothing) {
        for (const Modifier known : {Modifier::alias, Modifier::async, Modifier::global, Modifier::shared_cta,
                                     Modifier::shared_cluster, Modifier::release}) {
            form.take(known);
        }
    }
    form.take(Modifier::cluster);
    const bool block_only = form.take(Modifier::cta);
    for (const Modifier known : {Modifier::gl, Modifier::sys, Modifier::gpu, Modifier::sc, Modifier::acq_rel,
                                 Modifier::acquire, Modifier::release}) {
        form.take(known);
    }
    if (!form.exhausted()) unsupported("modifier ." + std::string(first_unhonoured(form, *current_)));
    const size_t mark = begin_branch_around();
    emit(context_.backend->control(nothing      ? Control::no_operation
                                   : block_only ? Control::fence_block
                                                : Control::fence));
    end_branch_around(mark);
}

// alloca.type pointer, size {, alignment}; stacksave.type pointer; stackrestore.type pointer.
void FunctionDecoder::decode_stack() {
    reach_.allocates_stack = true;
    out_.allocates_stack = true;
    const ScalarType type = form_.take_type();
    if ((type != ScalarType::u32 && type != ScalarType::u64) || !form_.exhausted()) invalid("expected .u32 or .u64");
    const bool allocates = form_.opcode == Opcode::alloca_, restores = form_.opcode == Opcode::stackrestore;
    expect_operands(allocates ? 2 : 1, allocates ? 3 : 1);
    int64_t alignment = 8;
    if (current_->operands.size() == 3) {
        alignment = static_cast<int64_t>(operand(2).bits);
        if (operand(2).kind != ptx::Operand::Kind::immediate || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
            invalid("the alignment must be a power of two");
        }
    }
    if (restores && operand(0).kind != ptx::Operand::Kind::reg) invalid("expected a register");
    const Reference pointer = restores ? source(operand(0), type) : target(operand(0), type);
    const Reference size = allocates ? source(operand(1), type) : 0;
    begin_guard();
    PendingInstruction& instruction = emit(context_.backend->control(Control::stack_pointer));
    instruction.code.aux = (type == ScalarType::u64 ? stack_aux::wide : 0u) | (allocates  ? stack_aux::allocate
                                                                               : restores ? stack_aux::restore
                                                                                          : stack_aux::save);
    instruction.code.immediate = alignment;
    if (restores)
        use(instruction, 0, pointer);
    else
        define(instruction, 0, pointer);
    if (allocates) use(instruction, 1, size);
    instruction.decisive = restores ? 1 : allocates ? 2 : 0;
}

}  // namespace cuprum::simulator
