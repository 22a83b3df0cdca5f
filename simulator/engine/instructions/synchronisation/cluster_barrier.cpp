// barrier.cluster: a thread arrives, goes on, and waits later for all others of its cluster. Source: PTX
// ISA 9.0, 9.7.13.4.
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

// What orders accesses to shared memory (Checks::races): beside the barriers of the block, which have numbers below.
constexpr uint64_t race_object = 16;

void arrive(Warp& warp, const Instruction* at) {
    if (const uint32_t twice = warp.active & (warp.cluster_arrived | warp.cluster_met); twice != 0) {
        fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(twice)), Fault::Kind::divergent_barrier,
                 "arrived at the cluster's barrier a second time; barrier.cluster.wait must come between two arrivals");
    }
    if (warp.block->races) warp.block->races->release(warp.index, race_object);
    warp.cluster_arrived |= warp.active;
    Cluster& cluster = *warp.block->cluster;
    cluster.arrived += static_cast<uint32_t>(__builtin_popcount(warp.active));
    check_cluster_barrier(cluster);
}

}  // namespace

const Instruction* cluster_barrier(Warp& warp, const Instruction* at) {
    if ((at->aux & cluster_aux::arrive) != 0) {
        arrive(warp, at);
        return at + 1;
    }
    if (const uint32_t absent = warp.active & ~(warp.cluster_arrived | warp.cluster_met); absent != 0) {
        fault_at(warp, at, static_cast<unsigned>(__builtin_ctz(absent)), Fault::Kind::divergent_barrier,
                 "waited at the cluster's barrier and had not arrived there; barrier.cluster.arrive comes first");
    }
    const uint32_t met = warp.active & warp.cluster_met;
    if (met != warp.active) {
        // Lanes of one group may have arrived apart: those whose barrier is complete come here again.
        if (met != 0) split(warp, met, at, at);
        Group& group = warp.groups[warp.current];
        group.state = Group::State::at_cluster_barrier;
        group.pc = at;
        warp.event = Event::parked;
        return nullptr;
    }
    warp.cluster_met &= ~met;
    if (warp.block->races) warp.block->races->acquire(warp.index, race_object);
    return at + 1;
}

void check_cluster_barrier(Cluster& cluster) {
    if (cluster.arrived == 0 || cluster.arrived < cluster.live_threads) return;
    cluster.arrived = 0;
    for (Block* const block : cluster.blocks) {
        for (Warp& warp : block->warps) {
            warp.cluster_met |= warp.cluster_arrived & warp.live;
            warp.cluster_arrived = 0;
            for (unsigned k = 0; k < warp.group_count; ++k) {
                Group& group = warp.groups[k];
                if (group.state == Group::State::at_cluster_barrier) group.state = Group::State::ready;
            }
        }
    }
}

}  // namespace cuprum::simulator
