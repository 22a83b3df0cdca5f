// Where sorted keys of several ranks are to be cut, so that each rank gets exactly its share of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "key_samples.hpp"

namespace cuprum::parallel::distributed {

// boundaries[b][r]: how many keys of rank r come before boundary b. Rank b gets those between boundary b and b + 1.
using Boundaries = std::vector<std::vector<uint64_t>>;

// All keys in one order: by key, then by rank, then by position. The keys before a boundary are the first so many of
// that order. In each round every rank gives samples, at even distances, of the keys of which it is not known yet on
// which side of a boundary they are; sorted, the samples tell that of most of these (a histogram sort with sampling: V.
// Harsh, L. Kale, E. Solomonik, SPAA 2019, carried on until nothing is left open). One round divides what is open by
// about a third of `samples_per_rank`.
class ExactSplitting {
public:
    ExactSplitting(SortOrder order, const Communicator& communicator, const Type& keys);

    // `sorted`, with `counts` keys: of each rank. `shares`: how many each is to get, as many together. Waits for the
    // ranks.
    Boundaries operator()(CollectiveCall& call, std::span<const core::BufferRef> sorted,
                          std::span<const uint64_t> counts, std::span<const uint64_t> shares) const;

private:
    // Of one boundary: the first `target` keys come before it. Of rank r that is certain of the first lower[r] keys,
    // and certainly not so from upper[r] on.
    struct Window {
        uint64_t target = 0;
        std::vector<uint64_t> lower, upper;
        bool is_open() const { return lower != upper; }
    };
    using Positions = std::vector<std::vector<uint64_t>>;  // of each rank

    static Positions sample(const Window& window);
    // `sorted`: the numbers of all samples, those of the first rank being first, in the order of their keys.
    static void narrow(Window& window, const Positions& samples, std::span<const uint32_t> sorted);
    void round(CollectiveCall& call, std::span<const core::BufferRef> sorted, std::vector<Window>& windows) const;

    Type keys_;
    KeySamples key_samples_;
    OfRanks<RadixSort> sort_;  // samples with their numbers
};

}  // namespace cuprum::parallel::distributed
