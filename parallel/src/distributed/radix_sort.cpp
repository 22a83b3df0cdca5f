#include "cuprum/parallel/distributed/radix_sort.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "../call.hpp"
#include "collective_call.hpp"
#include "exact_splitting.hpp"
#include "peer_splitting.hpp"
#include "run_merge.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "sorting";

// What a rank gets of its peers is merged in pieces, from so many bytes on. A piece takes the host some 20 us for each
// rank, and half of this one 45 us to be copied by NVLink: smaller ones would wait for the host. Fewer than four gain
// little, and take more memory than merges without copies.
constexpr uint64_t piece_bytes = uint64_t{32} << 20, least_pieces = 4;

size_t pieces_of(uint64_t bytes) {
    const uint64_t pieces = std::min<uint64_t>(bytes / piece_bytes, PeerSplitting::most_pieces);
    return pieces < least_pieces ? 1 : pieces;
}

std::vector<uint64_t> counts_of(std::span<const Shard> shards) {
    std::vector<uint64_t> counts;
    for (const Shard& shard : shards)
        counts.push_back(shard.count);
    return counts;
}

// What a rank has in memory of the caller's.
struct Columns {
    std::span<const Shard> keys, values;
    Pairs of(size_t rank) const {
        return {keys[rank].memory, values.empty() ? core::BufferRef() : values[rank].memory};
    }
};

}  // namespace

struct RadixSort::State {
    Communicator communicator;
    Type keys;
    std::optional<Type> values;
    Digest digest;
    OfRanks<parallel::RadixSort> sort;
    ExactSplitting split;
    std::optional<PeerSplitting> split_peers;
    RunMerge merge;

    State(SortOrder order, const Communicator& communicator_, const Type& keys_, const std::optional<Type>& values_)
        : communicator(communicator_),
          keys(keys_),
          values(values_),
          sort(communicator),
          split(order, communicator, keys),
          merge(order, communicator, keys, values) {
        digest.add_text(operation).add(static_cast<uint64_t>(order)).add(keys);
        if (values) digest.add(*values);
        const size_t size = communicator.size();
        if (size > 1 && size <= PeerSplitting::most_ranks && communicator.can_read_peers())
            split_peers.emplace(KeyComparison(order, keys), communicator);
        for_each_local_rank(communicator,
                            [&](size_t rank) { sort.emplace_back(order, keys, values, communicator.device(rank)); });
    }

    void check(const Columns& in, const Columns& out) const;
    void check_counts(const Columns& in, const Columns& out) const;
    void run(const Columns& in, const Columns& out) const;
};

RadixSort::RadixSort(SortOrder order, const Communicator& communicator, const Type& keys,
                     const std::optional<Type>& values)
    : state_(std::make_shared<const State>(order, communicator, keys, values)) {}

void RadixSort::operator()(std::span<const Shard> keys_in, std::span<const Shard> keys_out) const {
    if (state_->values) {
        throw InvalidArgument(operation, "values", "none are given, but this sort was built with values");
    }
    state_->run({keys_in, {}}, {keys_out, {}});
}

void RadixSort::operator()(std::span<const Shard> keys_in, std::span<const Shard> keys_out,
                           std::span<const Shard> values_in, std::span<const Shard> values_out) const {
    if (!state_->values) {
        throw InvalidArgument(operation, "values", "they are given, but this sort was built without values");
    }
    state_->run({keys_in, values_in}, {keys_out, values_out});
}

void RadixSort::State::check(const Columns& in, const Columns& out) const {
    check_shards(communicator, operation, "input keys", keys, in.keys);
    check_shards(communicator, operation, "output keys", keys, out.keys);
    if (!values) return;
    check_shards(communicator, operation, "input values", *values, in.values);
    check_shards(communicator, operation, "output values", *values, out.values);
    check_same_counts(communicator, operation, "input values", in.values, "input keys", in.keys);
    check_same_counts(communicator, operation, "output values", out.values, "output keys", out.keys);
    for_each_local_rank(communicator, [&](size_t rank) {
        on_rank(communicator, rank, [&] {
            const size_t i = rank - communicator.first_local_rank();
            const uint64_t count = out.keys[i].count;
            refuse_overlap(operation, {"output keys", out.keys[i].memory.handle(), count * keys.size()},
                           {"output values", out.values[i].memory.handle(), count * values->size()});
        });
    });
}

// Of all ranks together.
void RadixSort::State::check_counts(const Columns& in, const Columns& out) const {
    const std::vector<uint64_t> before = counts_of(in.keys), after = counts_of(out.keys);
    uint64_t given = 0, wanted = 0;
    for (const uint64_t count : before)
        check_count(operation, given += count, 1);
    for (const uint64_t count : after)
        check_count(operation, wanted += count, 1);
    if (given != wanted) {
        throw InvalidArgument(operation, "output keys",
                              "they have " + std::to_string(wanted) +
                                  " elements on all ranks together, and the input "
                                  "keys have " +
                                  std::to_string(given));
    }
}

void RadixSort::State::run(const Columns& in_here, const Columns& out_here) const {
    const AllShards shards =
        agree(communicator, operation, digest, {in_here.keys, out_here.keys, in_here.values, out_here.values},
              [&] { check(in_here, out_here); });
    const Columns in{shards[0], shards[2]}, out{shards[1], shards[3]};
    check_counts(in, out);
    CollectiveCall call(communicator);
    std::vector<Pairs> sorted(call.size()), outputs(call.size());
    call.on_each_rank([&](size_t rank) {
        const Pairs given = in.of(rank);
        const uint64_t count = in.keys[rank].count;
        outputs[rank] = out.of(rank);
        sorted[rank].keys = call.allocate(rank, count * keys.size());
        if (count == 0) return;
        if (values) {
            sorted[rank].values = call.allocate(rank, count * values->size());
            sort[rank](call.stream(rank), given.keys, sorted[rank].keys, given.values, sorted[rank].values, count);
        } else {
            sort[rank](call.stream(rank), given.keys, sorted[rank].keys, count);
        }
    });
    std::vector<core::BufferRef> sorted_keys(call.size());
    for (size_t rank = 0; rank < call.size(); ++rank)
        sorted_keys[rank] = sorted[rank].keys;
    const std::vector<uint64_t> counts = counts_of(in.keys), shares = counts_of(out.keys);
    if (split_peers && call.can_read_peers()) {
        const uint64_t largest = *std::max_element(shares.begin(), shares.end());
        const size_t pieces = pieces_of(largest * (keys.size() + (values ? values->size() : 0)));
        const Boundaries boundaries = (*split_peers)(call, sorted_keys, counts, shares, pieces);
        if (pieces > 1) {
            merge.in_pieces(call, boundaries, pieces, sorted, outputs);
        } else {
            merge(call, boundaries, sorted, outputs);
        }
    } else {
        merge(call, split(call, sorted_keys, counts, shares), sorted, outputs);
    }
    call.finish();
}

}  // namespace cuprum::parallel::distributed
