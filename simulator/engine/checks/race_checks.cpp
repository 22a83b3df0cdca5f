// What the decoder puts before accesses and fences when races are looked for (Checks::races).
#include <cstring>

#include "engine/checks/checked_access.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {

namespace {

// What a store is about to write, as it will lie in memory.
void gather_values(const Warp& warp, const Instruction* at, GlobalAccess& access) {
    const uint32_t element = at->cache;
    const uint32_t row_bytes = 1u << (at->aux >> check_aux::row_shift & 7);
    for (uint32_t k = 0; k * element < access.bytes; ++k) {
        const std::byte* const row = warp.row<const std::byte>(at->operand[k]);
        for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
            std::memcpy(access.values[lane].data() + k * element, row + lane * row_bytes, element);
        }
    }
    access.has_values = true;
}

}  // namespace

const Instruction* check_races(Warp& warp, const Instruction* at) {
    Block& block = *warp.block;
    GlobalAccess access;
    access.bytes = at->aux >> check_aux::bytes_shift & 0xff;
    access.reads = (at->aux & check_aux::reads) != 0;
    access.writes = (at->aux & check_aux::writes) != 0;
    const bool strong = (at->aux & check_aux::strong) != 0;
    access.strong = strong || (at->aux & check_aux::uncached) != 0;
    access.releases = (at->aux & check_aux::releases) != 0;
    find_addresses(warp, at, access.addresses);
    block.races->next_instruction();
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        const uint64_t address = access.addresses[lane];
        const uint64_t offset = address - window::shared;
        if (offset <= warp.shared_bytes && warp.shared_bytes - offset >= access.bytes) {
            block.races->access(warp, at, lane, offset, access.bytes, {access.reads, access.writes, strong});
        } else if (offset >= window::size && address - window::local >= window::size) {
            access.lanes |= 1u << lane;
        }
        if (strong) {
            if (access.reads) block.races->acquire(warp.index, address);
            if (access.writes) block.races->release(warp.index, address);
        }
    }
    if (access.lanes == 0) return at + 1;
    if (block.global_races) {
        if (access.writes && !access.reads) gather_values(warp, at, access);
        block.global_races->access(warp, at, access);
    }
    if (block.stream_races) block.stream_races->access(warp, at, access);
    return at + 1;
}

const Instruction* note_fence(Warp& warp, const Instruction* at) {
    if (warp.block->global_races) warp.block->global_races->fence();
    return at + 1;
}

}  // namespace cuprum::simulator
