#include "driver/memory/managed_ranges.hpp"

#include <iterator>

namespace cuprum::simulator::libcuda {

void ManagedRanges::split_at(uint64_t address) {
    auto part = parts_.upper_bound(address);
    if (part == parts_.begin()) return;
    --part;
    if (part->first == address || part->second.end <= address) return;
    parts_[address] = {part->second.end, part->second.advice};
    part->second.end = address;
}

void ManagedRanges::change(uint64_t begin, uint64_t size, const std::function<void(RangeAdvice&)>& change) {
    const std::lock_guard lock(mutex_);
    const uint64_t end = begin + size;
    split_at(begin);
    split_at(end);
    uint64_t reached = begin;
    auto part = parts_.lower_bound(begin);
    while (reached < end) {
        if (part == parts_.end() || part->first > reached) {
            const uint64_t gap_end = part == parts_.end() || part->first > end ? end : part->first;
            part = parts_.insert_or_assign(reached, Part{gap_end, {}}).first;
        }
        change(part->second.advice);
        reached = part->second.end;
        ++part;
    }
}

void ManagedRanges::forget(uint64_t begin, uint64_t size) {
    const std::lock_guard lock(mutex_);
    split_at(begin);
    split_at(begin + size);
    parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(begin + size));
}

std::vector<RangeAdvice> ManagedRanges::within(uint64_t begin, uint64_t size) const {
    const std::lock_guard lock(mutex_);
    const uint64_t end = begin + size;
    std::vector<RangeAdvice> found;
    uint64_t reached = begin;
    auto part = parts_.upper_bound(begin);
    if (part != parts_.begin() && std::prev(part)->second.end > begin) --part;
    for (; part != parts_.end() && part->first < end; ++part) {
        if (part->first > reached) found.emplace_back();
        found.push_back(part->second.advice);
        reached = part->second.end;
    }
    if (reached < end) found.emplace_back();
    return found;
}

ManagedRanges& managed_ranges() {
    static ManagedRanges* const instance = new ManagedRanges;
    return *instance;
}

}  // namespace cuprum::simulator::libcuda
