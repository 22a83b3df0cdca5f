#include "sorted_runs.hpp"

#include <algorithm>
#include <utility>

namespace cuprum::parallel::out_of_core {

SortedRuns::SortedRuns(const KeyOrder& order, uint64_t key_size, std::vector<Run> runs)
    : order_(order), key_size_(key_size), runs_(std::move(runs)) {
    for (const Run& run : runs_)
        count_ += run.count;
}

// The keys between `low` and `high` may be on either side. One of them is compared with all runs in each round, the
// weighted median of the runs' medians, so that at least a quarter of them is decided: the rounds are as many as the
// logarithm of the keys, whatever these are.
Cut SortedRuns::at(uint64_t rank, const Cut& from) const {
    Cut low = from, high;
    uint64_t below = 0;  // keys before `low`
    for (size_t run = 0; run < runs_.size(); ++run) {
        below += low[run];
        high.push_back(runs_[run].count);
    }
    std::vector<size_t> open;
    for (;;) {
        open.clear();
        uint64_t undecided = 0;
        for (size_t run = 0; run < runs_.size(); ++run) {
            if (low[run] == high[run]) continue;
            open.push_back(run);
            undecided += high[run] - low[run];
        }
        if (below == rank || undecided == 0) return low;
        const auto middle = [&](size_t run) { return low[run] + (high[run] - low[run]) / 2; };
        std::sort(open.begin(), open.end(), [&](size_t left, size_t right) {
            const int order = order_.compare(key(left, middle(left)), key(right, middle(right)));
            return order != 0 ? order < 0 : left < right;
        });
        size_t pivot = open.front();
        uint64_t weight = 0;
        for (const size_t run : open) {
            pivot = run;
            weight += high[run] - low[run];
            if (2 * weight >= undecided) break;
        }
        const uint64_t position = middle(pivot);
        const std::byte* const pivot_key = key(pivot, position);
        Cut cut = low;  // before the pivot
        uint64_t before = 0;
        for (size_t run = 0; run < runs_.size(); ++run) {
            // Of equal keys those of earlier runs come before the pivot.
            cut[run] = run == pivot ? position : search(run, low[run], high[run], pivot_key, run > pivot);
            before += cut[run];
        }
        if (before < rank) {  // so does the pivot
            low = std::move(cut);
            ++low[pivot];
            below = before + 1;
        } else {
            high = std::move(cut);
        }
    }
}

Cut SortedRuns::between_keys(const Cut& cut, const Cut& from) const {
    const std::byte* first = nullptr;  // of the keys behind it
    for (size_t run = 0; run < runs_.size(); ++run) {
        if (cut[run] == runs_[run].count) continue;
        const std::byte* const next = key(run, cut[run]);
        if (first == nullptr || order_.compare(next, first) < 0) first = next;
    }
    if (first == nullptr) return cut;
    Cut moved = cut;
    for (size_t run = 0; run < runs_.size(); ++run)
        moved[run] = search(run, from[run], cut[run], first, true);
    return moved;
}

uint64_t SortedRuns::search(size_t run, uint64_t begin, uint64_t end, const std::byte* sought, bool equal) const {
    while (begin < end) {
        const uint64_t middle = begin + (end - begin) / 2;
        const int order = order_.compare(key(run, middle), sought);
        if (order < 0 || (order == 0 && !equal)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

}  // namespace cuprum::parallel::out_of_core
