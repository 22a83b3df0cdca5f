// Sorted runs of keys in host memory, and where to cut them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "key_order.hpp"

namespace cuprum::parallel::out_of_core {

struct Run {
    const std::byte* keys;
    uint64_t count;
};

// A position in each run: of all keys, those before it come before all others.
using Cut = std::vector<uint64_t>;

// All keys have one order: by key, then by run, then by position.
class SortedRuns {
public:
    SortedRuns(const KeyOrder& order, uint64_t key_size, std::vector<Run> runs);

    size_t size() const { return runs_.size(); }
    Cut begin() const { return Cut(runs_.size(), 0); }
    uint64_t count() const { return count_; }  // keys

    // The cut that `rank` keys come before. `from`: one that is not behind it.
    Cut at(uint64_t rank, const Cut& from) const;
    // The last cut that is not behind that one and does not divide equal keys.
    Cut between_keys(const Cut& cut, const Cut& from) const;

private:
    const std::byte* key(size_t run, uint64_t position) const { return runs_[run].keys + position * key_size_; }
    // The first position from `begin` to `end` whose key comes after that one, or where `equal`, is not before it.
    uint64_t search(size_t run, uint64_t begin, uint64_t end, const std::byte* key, bool equal) const;

    KeyOrder order_;
    uint64_t key_size_;
    std::vector<Run> runs_;
    uint64_t count_ = 0;
};

}  // namespace cuprum::parallel::out_of_core
