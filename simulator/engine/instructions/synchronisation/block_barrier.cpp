// Block barriers.
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

const Instruction* finish_barrier(Warp& warp, const Instruction* at, uint32_t true_predicates, uint32_t threads) {
    if (warp.block->races) warp.block->races->warp_met(warp.index);
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
    const uint32_t* const ids = warp.row<uint32_t>(at->operand[1]);
    const auto first = static_cast<unsigned>(__builtin_ctz(warp.active));
    const uint32_t id = ids[first];
    const bool aligned = (at->aux & barrier_aux::aligned) != 0;
    if (id >= std::size(block.barriers.of)) {
        fault_at(warp, at, first, Fault::Kind::illegal_instruction,
                 ("named barrier " + std::to_string(id) + "; there are 0 to 15").c_str());
    }
    uint32_t lanes = warp.active;
    if ((at->aux & barrier_aux::literal_id) == 0) {
        for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            if (ids[lane] != id) lanes &= ~(1u << lane);
        }
    }
    if (lanes != warp.active && aligned) {
        fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(warp.active & ~lanes)), Fault::Kind::divergent_barrier,
                 "named another barrier in an aligned instruction than other threads of its warp");
    }
    Barrier& barrier = block.barriers.of[id];
    uint32_t predicate = 0;
    if ((at->aux & barrier_aux::reduction_mask) != 0) {
        predicate = warp.predicate(at->operand[3]) ^ ((at->aux & barrier_aux::negated) != 0 ? ~0u : 0u);
        predicate &= lanes;
    }
    const auto running = static_cast<uint32_t>(__builtin_popcount(lanes));
    const auto holding = static_cast<uint32_t>(__builtin_popcount(predicate));
    const bool counted = (at->aux & barrier_aux::counted) != 0;
    const bool arrives_only = (at->aux & barrier_aux::arrive) != 0;
    if (!counted && barrier.arrived == 0 && running == block.barriers.live_threads && !arrives_only) {
        return finish_barrier(warp, at, holding, running);  // the block is this one warp
    }
    const uint32_t count = counted ? warp.row<uint32_t>(at->operand[2])[first] : 0;
    if (counted && (count == 0 || count % lanes_per_warp != 0)) {
        fault_at(warp, at, first, Fault::Kind::illegal_instruction,
                 ("waited at barrier " + std::to_string(id) + " for " + std::to_string(count) +
                  " threads; the number must be a multiple of 32 above 0")
                     .c_str());
    }
    const uint32_t reduction = at->aux & barrier_aux::reduction_mask;
    if (barrier.arrived == 0) {
        barrier.expected = count;
        barrier.reduction = reduction;
    } else if (barrier.expected != count || barrier.reduction != reduction) {
        const auto number = [](uint32_t threads) {
            return threads == 0 ? std::string("every thread of the block") : std::to_string(threads) + " threads";
        };
        fault_at(warp, at, first, Fault::Kind::divergent_barrier,
                 ("came to barrier " + std::to_string(id) + " for " + number(count) +
                  (reduction != 0 ? " and a reduction" : "") + ", while others wait there for " +
                  number(barrier.expected) + (barrier.reduction != 0 ? " and a reduction" : ""))
                     .c_str());
    }
    if (block.races) block.races->release(warp.index, id);
    block.barriers.waited_for |= 1u << id;
    barrier.mixed = true;
    barrier.arrived += running;
    barrier.value += holding;
    if (counted) {
        // A count is in whole warps: one that is not full, or lost threads, still counts as 32 when all are here.
        uint32_t here = lanes;
        for (unsigned k = 0; k < warp.group_count; ++k) {
            const Group& group = warp.groups[k];
            if (group.state == Group::State::at_block_barrier && group.barrier == id) here |= group.lanes;
        }
        if (here == warp.live) {
            barrier.arrived += lanes_per_warp - static_cast<uint32_t>(__builtin_popcount(warp.live));
        }
    }
    const uint32_t others = warp.active & ~lanes;
    if (arrives_only) {
        if (others == 0) {
            check_block_barrier(block, id);
            return at + 1;
        }
        split(warp, lanes, at + 1, at);
        check_block_barrier(block, id);
        return nullptr;
    }
    if (others != 0) split(warp, others, at, at);
    Group& group = warp.groups[warp.current];
    group.state = Group::State::at_block_barrier;
    group.barrier = static_cast<uint8_t>(id);
    group.pc = at;
    warp.event = Event::parked;
    check_block_barrier(block, id);
    return nullptr;
}

namespace {

// Throws if lanes of the warp wait at the barrier in different places, and one of these asks for all of them together.
void check_aligned(const Warp& warp, unsigned id) {
    const Group* elsewhere = nullptr;
    for (unsigned k = 0; k < warp.group_count; ++k) {
        const Group& group = warp.groups[k];
        if (group.state != Group::State::at_block_barrier || group.barrier != id) continue;
        if (elsewhere != nullptr && elsewhere->pc != group.pc &&
            ((group.pc->aux | elsewhere->pc->aux) & barrier_aux::aligned) != 0) {
            throw FaultException{describe_divergent_barrier(warp, group, *elsewhere)};
        }
        elsewhere = &group;
    }
}

}  // namespace

void check_block_barrier(Block& block, unsigned id) {
    Barrier& barrier = block.barriers.of[id];
    const uint32_t needed = barrier.expected != 0 ? barrier.expected : block.barriers.live_threads;
    if (barrier.arrived < needed) return;
    // With nothing to hand over, those that wait go on behind the barrier.
    const bool passed = barrier.reduction == 0 && !block.races;
    for (Warp& warp : block.warps) {
        if (warp.group_count > 1) check_aligned(warp, id);
        for (unsigned k = 0; k < warp.group_count; ++k) {
            Group& group = warp.groups[k];
            if (group.state != Group::State::at_block_barrier || group.barrier != id) continue;
            group.state = Group::State::ready;
            if (passed) {
                ++group.pc;
                continue;
            }
            if (block.races) block.races->acquire(warp.index, id);
            group.granted = true;
            group.value = barrier.value;
            group.threads = barrier.arrived;
        }
    }
    if (block.races) block.races->forget(id);
    barrier = Barrier{};
    block.barriers.waited_for &= ~(1u << id);
}

}  // namespace cuprum::simulator
