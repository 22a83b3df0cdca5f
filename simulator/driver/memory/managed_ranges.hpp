// What programs have advised about managed memory, and where they have asked for it to be.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

// Has no effect on anything but what cuMemRangeGetAttribute reports.
struct RangeAdvice {
    bool read_mostly = false;
    CUmemLocation preferred{};  // type CU_MEM_LOCATION_TYPE_INVALID: none
    CUmemLocation last_prefetch{};
    std::set<int> accessed_by;  // device ordinals, CU_DEVICE_CPU
};

// Thread-safe.
class ManagedRanges {
public:
    void change(uint64_t begin, uint64_t size, const std::function<void(RangeAdvice&)>& change);
    void forget(uint64_t begin, uint64_t size);
    // All that applies within the range; parts without advice included, as one that is empty.
    std::vector<RangeAdvice> within(uint64_t begin, uint64_t size) const;

private:
    struct Part {
        uint64_t end;
        RangeAdvice advice;
    };
    void split_at(uint64_t address);

    mutable std::mutex mutex_;
    std::map<uint64_t, Part> parts_;  // by begin; they do not overlap
};

ManagedRanges& managed_ranges();

}  // namespace cuprum::simulator::libcuda
