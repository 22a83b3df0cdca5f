// Counting for the profile.
#include "engine/checks/profile.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/execution/runtime.hpp"
#include "engine/instructions/memory/addressing_aux.hpp"

namespace cuprum::simulator {
namespace {

constexpr uint64_t sector_bytes = 32, bank_bytes = 4, banks = 32;

void add(std::atomic<uint64_t>& count, uint64_t more) {
    if (more != 0) count.fetch_add(more, std::memory_order_relaxed);
}

// The address of a lane's access, as the access itself computes it.
uint64_t address_of(const Warp& warp, const Instruction* at, unsigned lane) {
    const auto offset = static_cast<uint64_t>(at->immediate);
    if ((at->aux & memory_aux::narrow_address) == 0) return warp.row<uint64_t>(at->operand[4])[lane] + offset;
    const uint64_t sum = warp.row<uint32_t>(at->operand[4])[lane] + offset;
    return memory_aux::wraps(at->aux) ? static_cast<uint32_t>(sum) : sum;
}

// Places of some size that are touched, each once.
class Touched {
public:
    void touch(uint64_t begin, uint64_t bytes, uint64_t size) {
        for (uint64_t place = begin / size; place <= (begin + bytes - 1) / size && count_ < places_.size(); ++place)
            places_[count_++] = place;
    }
    void sort() {
        std::sort(places_.begin(), places_.begin() + count_);
        count_ = static_cast<size_t>(std::unique(places_.begin(), places_.begin() + count_) - places_.begin());
    }
    size_t count() const { return count_; }
    uint64_t operator[](size_t index) const { return places_[index]; }

private:
    std::array<uint64_t, size_t{lanes_per_warp} * 9> places_{};  // a lane's access has at most 32 bytes
    size_t count_ = 0;
};

uint64_t more_sectors(const std::array<uint64_t, lanes_per_warp>& addresses, uint32_t lanes, uint32_t bytes) {
    Touched sectors, words;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const uint64_t address = addresses[static_cast<size_t>(std::countr_zero(rest))];
        sectors.touch(address, bytes, sector_bytes);
        words.touch(address, bytes, std::min<uint64_t>(bytes, bank_bytes));
    }
    sectors.sort();
    words.sort();
    const uint64_t distinct = words.count() * std::min<uint64_t>(bytes, bank_bytes);
    return sectors.count() - std::min<uint64_t>(sectors.count(), (distinct + sector_bytes - 1) / sector_bytes);
}

// Accesses of 8 and 16 bytes take 2 and 4 passes in any case, by halves and quarters of the warp.
uint64_t conflicts(const std::array<uint64_t, lanes_per_warp>& addresses, uint32_t lanes, uint32_t bytes) {
    const uint32_t parts = std::max<uint32_t>(1, static_cast<uint32_t>(bytes / bank_bytes)),
                   together = lanes_per_warp / parts;
    uint64_t more = 0;
    for (uint32_t first = 0; first < lanes_per_warp; first += together) {
        Touched words;
        for (uint32_t lane = first; lane < first + together; ++lane) {
            if ((lanes >> lane & 1) != 0) words.touch(addresses[lane], bytes, bank_bytes);
        }
        words.sort();
        std::array<uint32_t, banks> in_bank{};
        for (size_t k = 0; k < words.count(); ++k)
            ++in_bank[words[k] % banks];
        const uint32_t passes = *std::ranges::max_element(in_bank);
        more += passes > 1 ? passes - 1 : 0;
    }
    return more;
}

}  // namespace

const Instruction* profile_probe(Warp& warp, const Instruction* at) {
    uint32_t lanes = warp.active;
    if ((at->aux & profile_aux::guarded) != 0)
        lanes &= warp.predicate(at->operand[0]) ^ ((at->aux & profile_aux::negated) != 0 ? ~0u : 0u);
    ProfileCounts& counts = warp.block->launch->profile[at->displacement];
    add(counts.warps, 1);
    add(counts.lanes, static_cast<uint64_t>(std::popcount(lanes)));
    if ((at->aux & profile_aux::branches) != 0) add(counts.divergent, lanes != 0 && lanes != warp.active ? 1 : 0);
    if ((at->aux & profile_aux::accesses) == 0 || lanes == 0) return at + 1;
    const uint32_t bytes = at->cache;
    std::array<uint64_t, lanes_per_warp> addresses{};
    bool shared = static_cast<AddressSpace>(at->aux & memory_aux::space_mask) == AddressSpace::shared;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        addresses[lane] = address_of(warp, at, lane);
        if (shared || addresses[lane] < window::first) continue;
        // A generic address: what lies in shared memory is told by the first lane, what is local is not counted.
        if (addresses[lane] - window::shared >= window::size) return at + 1;
        shared = true;
    }
    add(counts.bytes, uint64_t{bytes} * static_cast<uint64_t>(std::popcount(lanes)));
    if (shared)
        add(counts.conflicts, conflicts(addresses, lanes, bytes));
    else
        add(counts.more_sectors, more_sectors(addresses, lanes, bytes));
    return at + 1;
}

}  // namespace cuprum::simulator
