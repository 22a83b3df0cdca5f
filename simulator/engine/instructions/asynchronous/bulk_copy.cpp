// cp.async.bulk, cp.reduce.async.bulk, st.async and red.async. Source: PTX ISA 9.0, 9.7.9.25.4, 9.7.9.12, 9.7.13.7.
#include <algorithm>
#include <cstring>

#include "engine/instructions/asynchronous/pending.hpp"
#include "engine/instructions/half/half.hpp"

namespace cuprum::simulator {
namespace {

// Whether races are looked for in what a copy writes to [to, to + bytes): in the block's shared memory only.
bool races_are_looked_for(const Warp& warp, const std::byte* to, uint32_t bytes) {
    return warp.block->races && to >= warp.shared && to + bytes <= warp.shared + warp.shared_bytes;
}

uint32_t flushed(uint32_t bits) {
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
}

// To 10 bits of fraction, to nearest even; NaN stays one.
uint32_t shortened(uint32_t bits) {
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffffffu;
    return (bits + 0xfffu + (bits >> 13 & 1)) & ~0x1fffu;
}

void convert(std::byte* floats, uint32_t bytes, const BulkEffect& effect) {
    for (uint32_t done = 0; done + 4 <= bytes; done += 4) {
        uint32_t bits = 0;
        std::memcpy(&bits, floats + done, 4);
        if (effect.flushes) bits = flushed(bits);
        if (effect.shortens) bits = shortened(bits);
        std::memcpy(floats + done, &bits, 4);
    }
}

void perform(const BulkPiece& piece, const std::byte* from, const BulkEffect& effect) {
    if (effect.reduction != BulkReduction::none)
        return reduce(piece.to, from, piece.bytes, effect.reduction, effect.type);
    if (from == nullptr) {
        for (uint32_t done = 0; done < piece.bytes; done += sizeof(effect.fill))
            std::memcpy(piece.to + done, &effect.fill, std::min<size_t>(sizeof(effect.fill), piece.bytes - done));
        return;
    }
    std::memcpy(piece.to, from, piece.bytes);
    if (effect.flushes || effect.shortens) convert(piece.to, piece.bytes, effect);
}

BulkReduction reduction_of(const Instruction* at) {
    return static_cast<BulkReduction>(at->aux >> copy_aux::reduction_shift & 15);
}
ReducedType type_of(const Instruction* at) {
    return static_cast<ReducedType>(at->aux >> copy_aux::type_shift & 7);
}

}  // namespace

uint64_t address_of_copy(const Warp& warp, const Instruction* at, unsigned operand, unsigned lane) {
    return generic_address(warp, at->operand[operand], (at->aux >> (copy_aux::narrow_shift + operand) & 1) != 0,
                           (at->aux >> (copy_aux::shared_shift + operand) & 1) != 0, lane);
}

void note_copy_start(const Warp& warp, const Instruction* at, unsigned lane, const std::byte* to, uint32_t bytes) {
    if (!races_are_looked_for(warp, to, bytes)) return;
    warp.block->races->start_copy(warp, at, lane, static_cast<uint64_t>(to - warp.shared), bytes);
}

void note_copy_finish(const Warp& warp, unsigned lane, const std::byte* to, uint32_t bytes) {
    if (!races_are_looked_for(warp, to, bytes)) return;
    warp.block->races->finish_copy(warp.index, lane, static_cast<uint64_t>(to - warp.shared), bytes);
}

uint64_t place_in_block(uint64_t generic_address, uint32_t rank) {
    const uint64_t offset = (generic_address - window::shared) % window::block_size;
    return window::shared + (rank + uint64_t{1}) * window::block_size + offset;
}

BulkCopy begin_bulk_copy(Warp& warp, const Instruction* at, unsigned lane) {
    BulkCopy copy;
    copy.first_piece = static_cast<uint32_t>(warp.block->bulk_pieces.size());
    copy.warp = &warp;
    copy.at = at;
    copy.lane = lane;
    copy.effect.reduction = reduction_of(at);
    copy.effect.type = type_of(at);
    return copy;
}

void add_piece(Warp& warp, BulkCopy& copy, const BulkPiece& piece) {
    warp.block->bulk_pieces.push_back(piece);
    ++copy.pieces;
}

void start_bulk_copy(Warp& warp, const Instruction* at, unsigned lane) {
    const uint32_t bytes = warp.row<uint32_t>(at->operand[2])[lane];
    if (bytes % 16 != 0) {
        fault_at(warp, at, lane, Fault::Kind::misaligned_address,
                 ("copied " + std::to_string(bytes) + " bytes in bulk, which is not a multiple of 16").c_str());
    }
    const std::byte* const from =
        resolve_aligned(warp, at, lane, address_of_copy(warp, at, 1, lane), bytes, 16, Access::read);
    const bool reduces = reduction_of(at) != BulkReduction::none, counts = (at->aux & copy_aux::counts) != 0;
    const auto start = [&](uint64_t to, uint64_t barrier) {
        BulkCopy copy = begin_bulk_copy(warp, at, lane);
        copy.to = resolve_aligned(warp, at, lane, to, bytes, 16, reduces ? Access::atomic : Access::write);
        copy.bytes = copy.counted = bytes;
        note_written(warp, lane, to, bytes);
        note_copy_start(warp, at, lane, copy.to, bytes);
        add_piece(warp, copy, {copy.to, from, bytes});
        if (counts) copy.barrier = resolve_aligned(warp, at, lane, barrier, 8, 8, Access::atomic);
        warp.block->bulk_copies.push_back(copy);
    };
    const uint64_t to = address_of_copy(warp, at, 0, lane);
    const uint64_t barrier = counts ? address_of_copy(warp, at, 3, lane) : 0;
    if ((at->aux & copy_aux::multicasts) == 0) return start(to, barrier);
    for_each_destination(warp, at, lane, warp.row<uint32_t>(at->operand[4])[lane] & 0xffff,
                         [&](uint32_t rank) { start(place_in_block(to, rank), place_in_block(barrier, rank)); });
}

void finish_bulk_copies(Block& block) {
    // Another block of the cluster may have started what this one waits for.
    for (Block* const other : block.cluster->blocks) {
        if (other->bulk_copies.empty()) continue;
        const std::vector<BulkCopy> due = std::move(other->bulk_copies);
        const std::vector<BulkPiece> pieces = std::move(other->bulk_pieces);
        other->bulk_copies.clear();
        other->bulk_pieces.clear();
        for (const BulkCopy& copy : due) {
            for (uint32_t k = copy.first_piece; k < copy.first_piece + copy.pieces; ++k)
                perform(pieces[k], copy.by_value ? copy.value : pieces[k].from, copy.effect);
            if (copy.to != nullptr) note_copy_finish(*copy.warp, copy.lane, copy.to, copy.bytes);
            if (copy.barrier != nullptr) complete_bytes(*copy.warp, copy.at, copy.lane, copy.barrier, copy.counted);
        }
    }
}

bool has_bulk_copies(const Block& block) {
    return std::ranges::any_of(block.cluster->blocks, [](const Block* other) { return !other->bulk_copies.empty(); });
}

// operand[0]: the address, [1]: the mbarrier, [2] to [5]: the values; `immediate`: bytes of each; displacement: how
// many.
const Instruction* remote_store(Warp& warp, const Instruction* at) {
    if (warp.block->races) warp.block->races->next_instruction();
    const auto size = static_cast<uint32_t>(at->immediate), count = static_cast<uint32_t>(at->displacement);
    const uint32_t bytes = size * count;
    const bool in_cluster = warp.block->launch->request->explicit_cluster;  // H200
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (!in_cluster) {
            fault_at(warp, at, lane, Fault::Kind::illegal_instruction,
                     "stored asynchronously (st.async, red.async) in a launch without clusters: give the kernel or the "
                     "launch a cluster's size");
        }
        const uint64_t to = address_of_copy(warp, at, 0, lane);
        if (shared_place(warp, to).block == nullptr) {
            fault_at(warp, at, lane, Fault::Kind::illegal_address,
                     "stored asynchronously to what is not in the cluster's shared memory");
        }
        BulkCopy copy = begin_bulk_copy(warp, at, lane);
        copy.to = resolve_aligned(warp, at, lane, to, bytes, bytes, Access::write);
        copy.bytes = copy.counted = bytes;
        copy.by_value = true;
        for (uint32_t k = 0; k < count; ++k) {
            const std::byte* const row = warp.row<std::byte>(at->operand[2 + k]);
            std::memcpy(copy.value + k * size, row + lane * size, size);
        }
        note_written(warp, lane, to, bytes);
        note_copy_start(warp, at, lane, copy.to, bytes);
        add_piece(warp, copy, {copy.to, nullptr, bytes});
        copy.barrier = resolve_aligned(warp, at, lane, address_of_copy(warp, at, 1, lane), 8, 8, Access::atomic);
        warp.block->bulk_copies.push_back(copy);
    }
    return at + 1;
}

}  // namespace cuprum::simulator
