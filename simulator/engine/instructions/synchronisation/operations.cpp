// Barriers of a block, and fences. Source: PTX ISA 9.0, 9.7.13.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

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

// All have come, and those before the last are paused: lets them go, with nothing to hand over.
inline void release_paused_warps(Barriers& barriers, uint32_t id) {
    for (Warp* warp = barriers.warps_begin; warp != barriers.warps_end; ++warp) {
        Group& group = warp->groups[0];
        if (!warp->paused || group.barrier != id || group.state == Group::State::ready) continue;
        group.state = Group::State::ready;
        ++group.pc;
    }
    barriers.of[id].arrived = 0;
    barriers.waited_for &= ~(1u << id);
}

// `bar.sync` of every thread of the block, with a literal number, by a warp whose lanes are together: nearly every
// barrier.
const Instruction* whole_warp_barrier(Warp& warp, const Instruction* at) {
    constexpr uint32_t plain = barrier_aux::aligned | barrier_aux::literal_id;
    Barriers& barriers = *warp.barriers;
    if (at->aux != plain || warp.group_count != 1 || warp.granted || barriers.races) {
        return common<&block_barrier>(warp, at);
    }
    const auto id = static_cast<uint32_t>(at->immediate);
    Barrier& barrier = barriers.of[id];
    if (barrier.mixed) return common<&block_barrier>(warp, at);
    barrier.arrived += warp.live == ~0u ? lanes_per_warp : static_cast<uint32_t>(__builtin_popcount(warp.live));
    if (barrier.arrived == barriers.live_threads) {
        release_paused_warps(barriers, id);
        return at + 1;  // the last to come need not wait
    }
    barriers.waited_for |= 1u << id;
    Group& group = warp.groups[0];
    group.state = Group::State::at_block_barrier;
    group.barrier = static_cast<uint8_t>(id);
    group.pc = at;
    warp.event = Event::parked;
    warp.paused = true;
    return nullptr;
}

Handlers synchronisation_control(Control which) {
    switch (which) {
        case Control::fence:
            return both(&fence);
        case Control::fence_block:
            return both(&fence_block);
        case Control::block_barrier:
            return {{&whole_warp_barrier, &common<&block_barrier>}};
        case Control::cluster_barrier:
            return both(&common<&cluster_barrier>);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::synchronisation>() {
    return {.of_control = &synchronisation_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
