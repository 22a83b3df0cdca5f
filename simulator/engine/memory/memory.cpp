#include "engine/memory/memory.hpp"

#include <algorithm>
#include <atomic>

#include "engine/checks/text.hpp"

namespace cuprum::simulator {
namespace {

// The first range that begins after `address`.
std::vector<MemoryRange>::const_iterator after(const std::vector<MemoryRange>& ranges, uint64_t address) {
    return std::upper_bound(ranges.begin(), ranges.end(), address,
                            [](uint64_t value, const MemoryRange& range) { return value < range.begin; });
}

std::string place(const MemoryRange& range) {
    return "the " + range.description + " at " + hexadecimal(range.begin);
}

}  // namespace

const MemoryRange* MemorySnapshot::find(uint64_t address, uint64_t size) const {
    auto next = after(ranges, address);
    if (next == ranges.begin()) return nullptr;
    const MemoryRange& range = *--next;
    const uint64_t within = address - range.begin;
    return within <= range.size && range.size - within >= size ? &range : nullptr;
}

std::string MemorySnapshot::describe(uint64_t address) const {
    if (ranges.empty()) return hexadecimal(address) + " is not in any allocation: there are none";
    const auto next = after(ranges, address);
    if (next != ranges.begin()) {
        const MemoryRange& below = *(next - 1);
        const uint64_t within = address - below.begin;
        if (within < below.size) {
            return hexadecimal(address) + " is byte " + std::to_string(within) + " of " + place(below);
        }
        std::string text = hexadecimal(address) + " is " + std::to_string(within - below.size) +
                           " bytes past the end of " + place(below);
        if (next != ranges.end()) {
            text += ", and " + std::to_string(next->begin - address) + " bytes before " + place(*next);
        }
        return text;
    }
    return hexadecimal(address) + " is " + std::to_string(next->begin - address) + " bytes before " + place(*next) +
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
