// What the asynchronous copies of all kinds share.
#pragma once

#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

// The generic address that a lane has in an operand of a copy (copy_aux).
uint64_t address_of_copy(const Warp& warp, const Instruction* at, unsigned operand, unsigned lane);

// For Checks::races: bytes of the block's shared memory are in flight until the copy is done.
void note_copy_start(const Warp& warp, const Instruction* at, unsigned lane, const std::byte* to, uint32_t bytes);
void note_copy_finish(const Warp& warp, unsigned lane, const std::byte* to, uint32_t bytes);

// The same place in the shared memory of the cluster's block of this rank.
uint64_t place_in_block(uint64_t generic_address, uint32_t rank);

// Calls `visit` with the rank of each block that a multicast goes to. Faults where the cluster has no such block.
template <class Visit>
void for_each_destination(Warp& warp, const Instruction* at, unsigned lane, uint32_t mask, Visit&& visit) {
    const uint32_t blocks = warp.block->launch->cluster_blocks;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto rank = static_cast<uint32_t>(__builtin_ctz(rest));
        if (rank >= blocks) {
            fault_at(
                warp, at, lane, Fault::Kind::illegal_address,
                ("copied to the block of rank " + std::to_string(rank) + "; the cluster has " + std::to_string(blocks))
                    .c_str());
        }
        visit(rank);
    }
}

// A copy of the lane, with pieces to be added behind the block's last; not yet among those that are under way.
BulkCopy begin_bulk_copy(Warp& warp, const Instruction* at, unsigned lane);
void add_piece(Warp& warp, BulkCopy& copy, const BulkPiece& piece);
void start_bulk_copy(Warp& warp, const Instruction* at, unsigned lane);

}  // namespace cuprum::simulator
