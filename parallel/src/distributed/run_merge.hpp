// Sorted keys, with values that go with them, on their way to other ranks: cut at boundaries, sent, and merged.
#pragma once

#include <array>
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
    // The same of peers, a piece at a time, with boundaries of so many pieces for each rank: one is copied while the
    // one before it is merged. The runs have been written: the host has waited for that. It takes as long as the
    // copies, and one merge; reading the runs where they are takes longer, as no block merges while it waits for the
    // link.
    void in_pieces(CollectiveCall& call, const Boundaries& boundaries, size_t pieces, std::span<const Pairs> sorted,
                   std::span<const Pairs> outputs) const;

private:
    struct Run {
        size_t from = 0;  // the rank in whose memory it is
        Pairs pairs;
        uint64_t length = 0;
    };
    // What in_pieces() needs of a rank.
    struct Staging {
        uint64_t largest_arrival = 0, largest_piece = 0;  // elements
        std::array<Pairs, 2> arrived{};                   // every other piece's
        std::array<core::Event, 2> merged{};
        Pairs other{};      // of merges of more than two runs
        uint64_t done = 0;  // elements
    };

    Pairs allocate(CollectiveCall& call, size_t rank, uint64_t count) const;  // invalid where there are none
    Pairs slice(const Pairs& pairs, uint64_t begin, uint64_t count) const;
    // What is between that boundary and the next one, of each rank that has any.
    std::vector<Run> runs_between(const Boundaries& boundaries, size_t first, std::span<const Pairs> sorted) const;
    Staging stage(CollectiveCall& call, const Boundaries& boundaries, size_t pieces, size_t rank) const;
    void copy(CollectiveCall& call, size_t rank, std::vector<Run>& runs, const Pairs& memory) const;
    void merge_piece(CollectiveCall& call, size_t rank, std::vector<Run> runs, size_t number, Staging& staging,
                     const Pairs& outputs) const;
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
