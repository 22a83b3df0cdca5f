#include "engine/checks/checked_access.hpp"

#include "engine/instructions/memory/addressing_aux.hpp"

namespace cuprum::simulator {

void find_addresses(const Warp& warp, const Instruction* at, Addresses& addresses) {
    const auto offset = static_cast<uint64_t>(at->immediate);
    if ((at->aux & memory_aux::narrow_address) == 0) {
        const uint64_t* const base = warp.row<const uint64_t>(at->operand[4]);
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            addresses[lane] = base[lane] + offset;
    } else {
        const uint32_t* const base = warp.row<const uint32_t>(at->operand[4]);
        const uint64_t mask = memory_aux::wraps(at->aux) ? UINT32_MAX : UINT64_MAX;
        for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
            addresses[lane] = (base[lane] + offset) & mask;
    }
    const auto space = static_cast<AddressSpace>(at->aux & memory_aux::space_mask);
    const uint64_t begin = space == AddressSpace::shared  ? window::shared
                           : space == AddressSpace::local ? window::local
                                                          : 0;
    for (uint64_t& address : addresses)
        address += begin;
}

}  // namespace cuprum::simulator
