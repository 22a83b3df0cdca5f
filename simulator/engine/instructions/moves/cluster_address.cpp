// mapa and getctarank: addresses of the shared memory of a cluster's blocks. Source: PTX ISA 9.0, 9.7.9.23, 9.7.9.24.
#include "engine/instructions/moves/cluster_address.hpp"

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

// Where the lane's address lies in the window of shared memory.
uint64_t offset_in_window(Warp& warp, const Instruction* at, unsigned lane) {
    namespace aux_of = cluster_address_aux;
    const uint64_t address = (at->aux & aux_of::narrow) != 0 ? warp.row<uint32_t>(at->operand[1])[lane]
                                                             : warp.row<uint64_t>(at->operand[1])[lane];
    const uint64_t offset = (at->aux & aux_of::generic) != 0 ? address - window::shared : address;
    if (offset >= window::size) {
        fault_at(warp, at, lane, Fault::Kind::illegal_address, "named an address that is not in shared memory");
    }
    return offset;
}

}  // namespace

const Instruction* map_address(Warp& warp, const Instruction* at) {
    namespace aux_of = cluster_address_aux;
    const uint32_t own = warp.block->cluster_rank;
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const uint64_t offset = offset_in_window(warp, at, lane) % window::block_size;
        const uint32_t rank = warp.row<uint32_t>(at->operand[2])[lane];
        if (rank >= warp.block->launch->cluster_blocks) {
            fault_at(warp, at, lane, Fault::Kind::illegal_address,
                     ("named the block of rank " + std::to_string(rank) + "; the cluster has " +
                      std::to_string(warp.block->launch->cluster_blocks))
                         .c_str());
        }
        // The block's own memory keeps its address.
        const uint64_t mapped = offset + (rank == own ? 0 : (rank + uint64_t{1}) * window::block_size);
        if ((at->aux & aux_of::narrow) != 0) {
            warp.row<uint32_t>(at->operand[0])[lane] = static_cast<uint32_t>(mapped);
        } else {
            warp.row<uint64_t>(at->operand[0])[lane] =
                (at->aux & aux_of::generic) != 0 ? window::shared + mapped : mapped;
        }
    }
    return at + 1;
}

const Instruction* rank_of_address(Warp& warp, const Instruction* at) {
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const uint64_t place = offset_in_window(warp, at, lane) / window::block_size;
        warp.row<uint32_t>(at->operand[0])[lane] =
            place == 0 ? warp.block->cluster_rank : static_cast<uint32_t>(place - 1);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
