// Block barriers and indexed branches.
#include "engine/runtime.hpp"

namespace cuprum::simulator {
namespace {

const Instruction* finish_barrier(Warp& warp, const Instruction* at, uint32_t true_predicates, uint32_t threads) {
    const uint32_t reduction = at->aux & barrier_aux::reduction_mask;
    if (reduction == barrier_aux::popc) {
        for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
            warp.row<uint32_t>(at->operand[0])[__builtin_ctz(rest)] = true_predicates;
        }
    } else if (reduction != 0) {
        const bool result = reduction == barrier_aux::all ? true_predicates == threads : true_predicates != 0;
        uint32_t& predicate = warp.predicate(at->operand[0]);
        predicate = result ? predicate | warp.active : predicate & ~warp.active;
    }
    return at + 1;
}

}  // namespace

const Instruction* block_barrier(Warp& warp, const Instruction* at) {
    if (warp.granted) {
        warp.granted = false;
        return finish_barrier(warp, at, warp.granted_value, warp.granted_threads);
    }
    Block& block = *warp.block;
    const auto first = static_cast<unsigned>(__builtin_ctz(warp.active));
    const uint32_t id = warp.row<uint32_t>(at->operand[1])[first];
    if (id >= block.barriers.size()) {
        fault_at(warp, at, first, Fault::Kind::illegal_instruction, "named a barrier above 15");
    }
    Barrier& barrier = block.barriers[id];
    uint32_t predicate = 0;
    if ((at->aux & barrier_aux::reduction_mask) != 0) {
        predicate = warp.predicate(at->operand[3]) ^ ((at->aux & barrier_aux::negated) != 0 ? ~0u : 0u);
        predicate &= warp.active;
    }
    const auto running = static_cast<uint32_t>(__builtin_popcount(warp.active));
    const auto holding = static_cast<uint32_t>(__builtin_popcount(predicate));
    const bool counted = (at->aux & barrier_aux::counted) != 0;
    if (!counted && barrier.arrived == 0 && running == block.live_threads) {
        return finish_barrier(warp, at, holding, running);  // the block is this one warp
    }
    // A count is in whole warps: one that is not full, or lost threads, still arrives as 32 (ISA 9.7.13.1).
    barrier.arrived += counted && warp.active == warp.live ? lanes_per_warp : running;
    barrier.value += holding;
    if (counted) barrier.expected = warp.row<uint32_t>(at->operand[2])[first];
    if ((at->aux & barrier_aux::arrive) != 0) {
        check_block_barrier(block, id);
        return at + 1;
    }
    Group& group = warp.groups[warp.current];
    group.state = Group::State::at_block_barrier;
    group.barrier = static_cast<uint8_t>(id);
    group.pc = at;
    warp.event = Event::parked;
    check_block_barrier(block, id);
    return nullptr;
}

void check_block_barrier(Block& block, unsigned id) {
    Barrier& barrier = block.barriers[id];
    const uint32_t needed = barrier.expected != 0 ? barrier.expected : block.live_threads;
    if (barrier.arrived < needed) return;
    for (Warp& warp : block.warps) {
        const Instruction* place = nullptr;
        for (unsigned k = 0; k < warp.group_count; ++k) {
            Group& group = warp.groups[k];
            if (group.state != Group::State::at_block_barrier || group.barrier != id) continue;
            if (place != nullptr && place != group.pc && (group.pc->aux & barrier_aux::aligned) != 0) {
                throw FaultException{describe_fault(
                    warp, group.pc, static_cast<unsigned>(__builtin_ctz(group.lanes)), Fault::Kind::divergent_barrier,
                    "waited at an aligned barrier while other threads of its warp waited at another")};
            }
            place = group.pc;
            group.state = Group::State::ready;
            group.granted = true;
            group.value = barrier.value;
            group.threads = barrier.arrived;
        }
    }
    barrier = Barrier{};
}

const Instruction* branch_indexed(Warp& warp, const Instruction* at) {
    const Function& function = *warp.frame->function;
    const std::vector<int32_t>& table = function.branch_tables[at->aux];
    const uint32_t* const index = warp.row<uint32_t>(at->operand[0]);
    const auto first = static_cast<unsigned>(__builtin_ctz(warp.active));
    if (index[first] >= table.size()) {
        fault_at(warp, at, first, Fault::Kind::illegal_instruction, "branched past the end of its branch table");
    }
    uint32_t same = 0;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (index[lane] == index[first]) same |= 1u << lane;
    }
    const Instruction* const target = function.code.data() + table[index[first]];
    if (same != warp.active) return split(warp, same, target, at);  // the rest branch when they are chosen again
    if (target <= at && --warp.budget < 0) return yield(warp, target);
    return target;
}

}  // namespace cuprum::simulator
