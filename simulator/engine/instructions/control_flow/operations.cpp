// Branches, guards, and what ends a thread or waits. Source: PTX ISA 9.0, 9.7.12.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {

// The decoder asks for these by name; see Control in execution.hpp.
namespace {

// operand[0]: the predicate. aux bit 0: negated. The guarded instruction follows.
const Instruction* guard(Warp& warp, const Instruction* at) {
    const uint32_t predicate = warp.predicate(at->operand[0]) ^ ((at->aux & 1) != 0 ? ~0u : 0u);
    const uint32_t active = warp.active;
    const uint32_t chosen = active & predicate;
    const Instruction* const guarded = at + 1;
    if (chosen == 0) return guarded + 1;
    if (chosen == active) return guarded;
    // Narrow the running lanes for one instruction. Only instructions that neither branch nor wait are guarded so.
    warp.active = chosen;
    expand(chosen, warp.mask);
    guarded->body[1](warp, guarded);
    warp.active = active;
    expand(active, warp.mask);
    return guarded + 1;
}

const Instruction* jump(Warp&, const Instruction* at) {
    return at + at->displacement;
}

const Instruction* jump_back(Warp& warp, const Instruction* at) {
    if (--warp.budget < 0) return yield(warp, at + at->displacement);
    return at + at->displacement;
}

template <bool Backward>
const Instruction* branch(Warp& warp, const Instruction* at) {
    const uint32_t predicate = warp.predicate(at->operand[0]) ^ ((at->aux & 1) != 0 ? ~0u : 0u);
    const uint32_t taken = warp.active & predicate;
    if (taken == 0) return at + 1;
    if (taken == warp.active) {
        if constexpr (Backward) {
            if (--warp.budget < 0) return yield(warp, at + at->displacement);
        }
        return at + at->displacement;
    }
    if constexpr (Backward) --warp.budget;
    return split(warp, taken, at + at->displacement, at + 1);
}

const Instruction* no_operation(Warp&, const Instruction* at) {
    return at + 1;
}
const Instruction* sleep(Warp& warp, const Instruction* at) {
    return yield(warp, at + 1);
}

const Instruction* trap(Warp& warp, const Instruction* at) {
    fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(warp.active)), Fault::Kind::trap, "executed trap");
}
const Instruction* breakpoint(Warp& warp, const Instruction* at) {
    fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(warp.active)), Fault::Kind::trap,
             "executed brkpt with no debugger attached");
}
Handlers control_flow_control(Control which) {
    switch (which) {
        case Control::guard:
            return both(&guard);
        case Control::jump:
            return both(&jump);
        case Control::jump_back:
            return both(&jump_back);
        case Control::branch:
            return both(&branch<false>);
        case Control::branch_back:
            return both(&branch<true>);
        case Control::branch_indexed:
            return both(&common<&branch_indexed>);
        case Control::exit:
            return both(&common<&exit_lanes>);
        case Control::trap:
            return both(&trap);
        case Control::breakpoint:
            return both(&breakpoint);
        case Control::no_operation:
            return both(&no_operation);
        case Control::sleep:
            return both(&sleep);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::control_flow>() {
    return {.of_control = &control_flow_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
