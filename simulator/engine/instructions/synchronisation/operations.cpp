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

Handlers synchronisation_control(Control which) {
    switch (which) {
        case Control::fence:
            return both(&fence);
        case Control::fence_block:
            return both(&fence_block);
        case Control::block_barrier:
            return both(&common<&block_barrier>);
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
