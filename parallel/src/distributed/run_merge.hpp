// Sorted keys, with values that go with them, on their way to other ranks: cut at boundaries, sent, and merged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/merge_keys.hpp"
#include "cuprum/parallel/merge_pairs.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "exact_splitting.hpp"

namespace cuprum::parallel::distributed {

// Of one rank.
struct Pairs {
    core::BufferRef keys;
    core::BufferRef values{};  // invalid: there are none
};

// The comparison by which keys are in a radix sort's order, and the type that it takes, which has the same bytes: a
// struct with a key in it. Numbers are compared in that way too, NaNs included.
struct KeyComparison {
    KeyComparison(SortOrder order, const Type& keys);
    Type type;
    Operator before;
};

class RunMerge {
public:
    RunMerge(SortOrder order, const Communicator& communicator, const Type& keys, const std::optional<Type>& values);

    // Each rank gets what is between its boundaries, of equal keys those of the first rank first. `outputs` have room
    // for that, and are written where that is asked of them only: where there is something to write.
    void operator()(CollectiveCall& call, const Boundaries& boundaries, std::span<const Pairs> sorted,
                    std::span<const Pairs> outputs) const;

private:
    struct Run {
        size_t from = 0;  // the rank in whose memory it is
        Pairs pairs;
        uint64_t length = 0;
    };
    Pairs slice(const Pairs& pairs, uint64_t begin, uint64_t count) const;
    void receive(size_t rank, std::vector<Run>& runs, const Pairs& memory, std::vector<Message>& messages) const;
    // Two neighbours at a time, in as many passes as it takes, the first to `target`, the second to `other`, and so on.
    void merge(CollectiveCall& call, size_t rank, std::vector<Run> runs, Pairs target, Pairs other) const;

    KeyComparison comparison_;
    uint64_t value_size_;         // 0: no values
    OfRanks<MergeKeys> of_keys_;  // or
    OfRanks<MergePairs> of_pairs_;
    uint64_t key_size_;
};

}  // namespace cuprum::parallel::distributed
