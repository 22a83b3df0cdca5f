// Emission of executable instructions, with their guards.
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

PendingInstruction& FunctionDecoder::emit(Handlers handlers) {
    PendingInstruction& instruction = pending_.emplace_back();
    instruction.code.body[0] = handlers.body[0];
    instruction.code.body[1] = handlers.body[1];
    instruction.conditional = conditional_;
    if (decoding_ != nullptr) instruction.unwritten = decoding_->unwritten(form_);
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

void FunctionDecoder::emit_without_operands(Control which, bool ends_flow) {
    const size_t mark = begin_branch_around();
    emit(control(which)).ends_flow = ends_flow;
    end_branch_around(mark);
}

}  // namespace cuprum::simulator
