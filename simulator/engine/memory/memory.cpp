#include "engine/memory/memory.hpp"

#include <algorithm>
#include <atomic>

#include "engine/checks/text.hpp"

namespace cuprum::simulator {
namespace {

// The first range that begins after `address`.
const MemoryRange* after(const MemoryRanges& ranges, uint64_t address) {
    const auto next = std::upper_bound(ranges.begin(), ranges.end(), address,
                                       [](uint64_t value, const MemoryRange& range) { return value < range.begin; });
    return ranges.data() + (next - ranges.begin());
}

const MemoryRange* find_in(const MemoryRanges& ranges, uint64_t address, uint64_t size) {
    const MemoryRange* const next = after(ranges, address);
    if (next == ranges.data()) return nullptr;
    const MemoryRange& range = *(next - 1);
    const uint64_t within = address - range.begin;
    return within <= range.size && range.size - within >= size ? &range : nullptr;
}

// The ranges next to an address; null where there is none.
struct Neighbours {
    const MemoryRange* below = nullptr;  // the last that begins at the address or before it
    const MemoryRange* above = nullptr;
};

void look_for_neighbours(const MemoryRanges& ranges, uint64_t address, Neighbours& nearest) {
    const MemoryRange* const next = after(ranges, address);
    if (next != ranges.data() && (nearest.below == nullptr || (next - 1)->begin > nearest.below->begin))
        nearest.below = next - 1;
    if (next != ranges.data() + ranges.size() && (nearest.above == nullptr || next->begin < nearest.above->begin))
        nearest.above = next;
}

std::string place(const MemoryRange& range) {
    return "the " + range.description + " at " + hexadecimal(range.begin);
}

}  // namespace

const MemoryRange* MemorySnapshot::find(uint64_t address, uint64_t size) const {
    const MemoryRange* const range = find_in(ranges, address, size);
    return range != nullptr || variables == nullptr ? range : find_in(*variables, address, size);
}

std::string MemorySnapshot::describe(uint64_t address) const {
    Neighbours nearest;
    look_for_neighbours(ranges, address, nearest);
    if (variables != nullptr) look_for_neighbours(*variables, address, nearest);
    const auto& [below, above] = nearest;
    if (below != nullptr) {
        const uint64_t within = address - below->begin;
        if (within < below->size) {
            return hexadecimal(address) + " is byte " + std::to_string(within) + " of " + place(*below);
        }
        std::string text = hexadecimal(address) + " is " + std::to_string(within - below->size) +
                           " bytes past the end of " + place(*below);
        if (above != nullptr)
            text += ", and " + std::to_string(above->begin - address) + " bytes before " + place(*above);
        return text;
    }
    if (above == nullptr) return hexadecimal(address) + " is not in any allocation: there are none";
    return hexadecimal(address) + " is " + std::to_string(above->begin - address) + " bytes before " + place(*above) +
           ", the lowest allocation";
}

bool all_written(const uint8_t* written, uint64_t count) {
    return std::all_of(written, written + count, [](const uint8_t& byte) {
        return std::atomic_ref(const_cast<uint8_t&>(byte)).load(std::memory_order_relaxed) != 0;
    });
}

void set_written(uint8_t* written, uint64_t count, bool known) {
    std::for_each(written, written + count, [known](uint8_t& byte) {
        std::atomic_ref(byte).store(static_cast<uint8_t>(known), std::memory_order_relaxed);
    });
}

}  // namespace cuprum::simulator
