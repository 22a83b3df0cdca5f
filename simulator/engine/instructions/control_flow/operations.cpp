// Branches, guards, calls and returns, barriers, fences, and registers that must be read when executed.
// Source: PTX ISA 9.0, 9.7.12 (control flow), 9.7.13 (synchronisation), 10 (special registers).
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
    alignas(64) uint32_t saved[lanes_per_warp];
    std::memcpy(saved, warp.mask, sizeof(saved));
    warp.active = chosen;
    expand(chosen, warp.mask);
    guarded->body[1](warp, guarded);
    warp.active = active;
    std::memcpy(warp.mask, saved, sizeof(saved));
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

const Instruction* fence(Warp& warp, const Instruction* at) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    warp.budget -= 16;
    return at + 1;
}
// A block's warps run one after the other on one thread: nothing to order.
const Instruction* fence_block(Warp&, const Instruction* at) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return at + 1;
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
// See RowOperation. For check, `immediate` says which register's row it is.
const Instruction* written_row(Warp& warp, const Instruction* at) {
    uint32_t& row = warp.predicate(at->operand[0]);
    const auto source = [&](unsigned k) {
        return (at->aux >> (row_aux::present_shift + k - 1) & 1) != 0 ? warp.predicate(at->operand[k]) : ~0u;
    };
    const auto settled_by = [&](unsigned k) {
        const uint32_t value = warp.predicate(at->operand[k]);
        return (at->aux & row_aux::settles_if_true) != 0 ? value : ~value;
    };
    uint32_t written = 0;
    switch (static_cast<RowOperation>(at->aux & 0xff)) {
        case RowOperation::clear:
            break;
        case RowOperation::mark:
            written = ~0u;
            break;
        case RowOperation::load:
            written = written_by_load(warp, at->aux >> row_aux::element_shift);
            break;
        case RowOperation::check:
            if ((warp.active & ~row) != 0) fault_unwritten(warp, at, warp.active & ~row);
            return at + 1;
        case RowOperation::join:
            written = source(1) & source(2) & source(3);
            break;
        case RowOperation::select: {
            const uint32_t condition = warp.predicate(at->operand[4]);
            written = source(3) & ((condition & source(1)) | (~condition & source(2)));
            break;
        }
        case RowOperation::settle:
            written = source(3) & ((source(1) & source(2)) | settled_by(4));
            break;
        case RowOperation::settle_2:
            written = (source(1) & source(2)) | (source(1) & settled_by(4)) | (source(2) & settled_by(5));
            break;
    }
    row = (row & ~warp.active) | (written & warp.active);
    return at + 1;
}

const Instruction* call(Warp& warp, const Instruction* at) {
    const CallSite& site = warp.frame->function->calls[at->aux];
    if (!site.builtin.empty()) return call_builtin(warp, at, site);
    // The callee lies at a fixed distance in the array of functions that both belong to.
    return call_function(warp, at, warp.frame->function[at->displacement], site);
}

template <class T>
const Instruction* special(Warp& warp, const Instruction* at) {
    const uint64_t value = read_special(warp, static_cast<Special>(at->aux));
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<T>(at->operand[0])[lane] = static_cast<T>(value); });
    return at + 1;
}

const Instruction* activemask(Warp& warp, const Instruction* at) {
    for_each_lane(warp.active, [&](unsigned lane) { warp.row<uint32_t>(at->operand[0])[lane] = warp.active; });
    return at + 1;
}

// isspacep: operand[0] predicate, operand[1] generic address, immediate: the window's first address; 0 means global,
// which is what lies in no window.
const Instruction* is_space(Warp& warp, const Instruction* at) {
    const uint64_t* const address = warp.row<uint64_t>(at->operand[1]);
    uint32_t inside = 0;
    const bool constant = at->aux != 0;
    for_each_lane(warp.active, [&](unsigned lane) {
        const auto base = static_cast<uint64_t>(at->immediate);
        const bool yes = base != 0
                             ? address[lane] - base < window::size
                             : address[lane] < window::first && in_constant_variable(warp, address[lane]) == constant;
        inside |= yes ? lane_bit[lane] : 0;
    });
    set_predicate(warp, at->operand[0], inside);
    return at + 1;
}

// cvta: operand[0] = operand[1] + immediate; aux 1: of 32-bit source.
template <bool Partial>
const Instruction* add_window(Warp& warp, const Instruction* at) {
    uint64_t* const target = warp.row<uint64_t>(at->operand[0]);
    const uint64_t* const source = warp.row<uint64_t>(at->operand[1]);
    const uint32_t* const mask = warp.mask;
    const auto base = static_cast<uint64_t>(at->immediate);
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        target[lane] = !Partial || mask[lane] != 0 ? source[lane] + base : target[lane];
    }
    return at + 1;
}

}  // namespace

Handlers control_handlers(Control which) {
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
        case Control::call:
            return both(&common<&call>);
        case Control::call_indirect:
            return both(&common<&call_indirect>);
        case Control::ret:
            return both(&common<&return_lanes>);
        case Control::exit:
            return both(&common<&exit_lanes>);
        case Control::trap:
            return both(&trap);
        case Control::breakpoint:
            return both(&breakpoint);
        case Control::written_row:
            return both(&written_row);
        case Control::fence:
            return both(&fence);
        case Control::fence_block:
            return both(&fence_block);
        case Control::no_operation:
            return both(&no_operation);
        case Control::sleep:
            return both(&sleep);
        case Control::special32:
            return both(&special<uint32_t>);
        case Control::special64:
            return both(&special<uint64_t>);
        case Control::activemask:
            return both(&activemask);
        case Control::is_space:
            return both(&is_space);
        case Control::add_window:
            return {{&add_window<false>, &add_window<true>}};
        case Control::block_barrier:
            return both(&common<&block_barrier>);
        case Control::check_access:
            return both(&common<&check_access>);
        case Control::mbarrier:
            return both(&common<&mbarrier>);
        case Control::asynchronous_copy:
            return both(&common<&asynchronous_copy>);
        case Control::stack_pointer:
            return both(&stack_pointer);
    }
    return {};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
