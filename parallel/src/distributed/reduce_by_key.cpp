#include "cuprum/parallel/distributed/reduce_by_key.hpp"

#include <algorithm>
#include <numeric>

#include "../layout.hpp"
#include "collective_call.hpp"
#include "cuprum/parallel/binary_search.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/reduce_by_key.hpp"
#include "key_samples.hpp"
#include "run_merge.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "reducing by key";
constexpr size_t root = 0;  // the rank that chooses the splitters
constexpr auto order = SortOrder::ascending;

// What one rank does.
struct Algorithms {
    parallel::RadixSort sort_pairs, sort_samples;
    parallel::ReduceByKey reduce_values, reduce_results;
    BinarySearch find_splitters;
};

// Keys of one rank, each once, and the reductions of their values so far.
struct Reduced {
    Pairs pairs;
    uint64_t count = 0;
};

}  // namespace

struct ReduceByKey::State {
    Communicator communicator;
    Type keys, values, accumulator;
    KeyComparison comparison;
    Digest digest;
    OfRanks<Algorithms> ranks;
    KeySamples samples;
    RunMerge merge;

    State(const Communicator& communicator_, const Type& keys_, const Type& values_, const Operator& op,
          const Type& accumulator_)
        : communicator(communicator_),
          keys(keys_),
          values(values_),
          accumulator(accumulator_),
          comparison(order, keys),
          ranks(communicator),
          samples(communicator, keys),
          merge(order, communicator, keys, accumulator) {
        digest.add_text(operation).add(keys).add(values).add(op).add(accumulator);
        const Iterator key = Iterator::pointer(keys), compared = Iterator::pointer(comparison.type);
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device& device = communicator.device(rank);
            const auto reduce = [&](const Type& type) {
                return parallel::ReduceByKey(key, Iterator::pointer(type), op, accumulator, OpKind::equal_to, device);
            };
            ranks.push_back(
                {parallel::RadixSort(order, keys, values, device),
                 parallel::RadixSort(order, keys, std::nullopt, device), reduce(values), reduce(accumulator),
                 BinarySearch(Bound::lower, compared, compared, comparison.before, Type(TypeKind::uint64), device)});
        });
    }

    std::vector<Pairs> sort(CollectiveCall& call, std::span<const Shard> keys_in,
                            std::span<const Shard> values_in) const;
    using Choice = parallel::ReduceByKey Algorithms::*;
    std::vector<Reduced> reduce(CollectiveCall& call, Choice algorithm, std::span<const Pairs> sorted,
                                std::span<const uint64_t> counts) const;
    core::BufferRef choose_splitters(CollectiveCall& call, std::span<const Reduced> reduced) const;
    Boundaries split(CollectiveCall& call, std::span<const Reduced> reduced) const;
};

ReduceByKey::ReduceByKey(const Communicator& communicator, const Type& keys, const Type& values, const Operator& op,
                         const Type& accumulator)
    : state_(std::make_shared<const State>(communicator, keys, values, op, accumulator)) {}

std::vector<Pairs> ReduceByKey::State::sort(CollectiveCall& call, std::span<const Shard> keys_in,
                                            std::span<const Shard> values_in) const {
    std::vector<Pairs> sorted(call.size());
    call.on_each_rank([&](size_t rank) {
        const uint64_t count = keys_in[rank].count;
        sorted[rank] = {call.allocate(rank, count * keys.size()), call.allocate(rank, count * values.size())};
        if (count == 0) return;
        ranks[rank].sort_pairs(call.stream(rank), keys_in[rank].memory, sorted[rank].keys, values_in[rank].memory,
                               sorted[rank].values, count);
    });
    return sorted;
}

// Waits for the ranks: how many keys are left is known then.
std::vector<Reduced> ReduceByKey::State::reduce(CollectiveCall& call, Choice algorithm, std::span<const Pairs> sorted,
                                                std::span<const uint64_t> counts) const {
    std::vector<Reduced> reduced(call.size());
    std::vector<std::span<const uint64_t>> runs(call.size());
    call.on_each_rank([&](size_t rank) {
        const uint64_t count = counts[rank];
        if (count == 0) return;
        Pairs& pairs = reduced[rank].pairs;
        pairs = {call.allocate(rank, count * keys.size()), call.allocate(rank, count * accumulator.size())};
        const core::BufferRef run_count = call.allocate(rank, sizeof(uint64_t));
        (ranks[rank].*algorithm)(call.stream(rank), sorted[rank].keys, sorted[rank].values, pairs.keys, pairs.values,
                                 run_count, count);
        runs[rank] = call.download<uint64_t>(rank, run_count);
    });
    call.wait();
    std::vector<uint64_t> left(call.size(), 0);
    for (size_t rank = 0; rank < call.size(); ++rank) {
        if (!runs[rank].empty()) left[rank] = runs[rank].front();
    }
    call.gather(left, 1);
    for (size_t rank = 0; rank < call.size(); ++rank)
        reduced[rank].count = left[rank];
    return reduced;
}

// On the root: keys, one fewer than ranks, between which there are about equally many. A rank gets at most one stretch
// between samples of each rank more than its share (regular sampling), and a key that many ranks have.
core::BufferRef ReduceByKey::State::choose_splitters(CollectiveCall& call, std::span<const Reduced> reduced) const {
    const size_t ranks_count = call.size();
    const uint64_t key_size = keys.size();
    uint64_t total = 0, sample_count = 0;
    for (const Reduced& each : reduced)
        total += each.count;
    // Every sample stands for as many keys.
    const uint64_t stretch = ceil_divide(total, ranks_count * samples_per_rank);
    for (const Reduced& each : reduced)
        sample_count += each.count / stretch;
    core::BufferRef collected, sorted, splitters;
    call.on_one_rank(root, [&] { collected = call.allocate(root, sample_count * key_size); });
    std::vector<Message> messages;
    uint64_t arrived = 0;
    for (size_t rank = 0; rank < ranks_count; ++rank) {
        std::vector<uint64_t> positions(reduced[rank].count / stretch);
        for (uint64_t i = 0; i < positions.size(); ++i)
            positions[i] = (i + 1) * stretch - 1;
        core::BufferRef taken;
        call.on_one_rank(rank, [&] { taken = samples(call, rank, keys, reduced[rank].pairs.keys, positions); });
        const uint64_t bytes = positions.size() * key_size;
        messages.push_back({rank, root, taken, part(collected, arrived * key_size, bytes)});
        arrived += positions.size();
    }
    call.exchange(messages);
    call.on_one_rank(root, [&] {
        sorted = call.allocate(root, sample_count * key_size);
        ranks[root].sort_samples(call.stream(root), collected, sorted, sample_count);
        std::vector<uint64_t> positions;
        for (size_t boundary = 1; boundary < ranks_count; ++boundary)
            positions.push_back(boundary * sample_count / ranks_count);
        splitters = samples(call, root, keys, sorted, positions);
    });
    return splitters;
}

// Keys that equal a splitter come behind it, on every rank.
Boundaries ReduceByKey::State::split(CollectiveCall& call, std::span<const Reduced> reduced) const {
    const size_t ranks_count = call.size();
    Boundaries boundaries(ranks_count + 1, std::vector<uint64_t>(ranks_count, 0));
    for (size_t rank = 0; rank < ranks_count; ++rank)
        boundaries.back()[rank] = reduced[rank].count;
    if (ranks_count == 1 ||
        std::all_of(reduced.begin(), reduced.end(), [](const Reduced& each) { return each.count == 0; }))
        return boundaries;
    const core::BufferRef splitters = choose_splitters(call, reduced);
    std::vector<core::BufferRef> copies(ranks_count);
    std::vector<Message> messages;
    for (size_t rank = 0; rank < ranks_count; ++rank) {
        call.on_one_rank(rank, [&] { copies[rank] = call.allocate(rank, (ranks_count - 1) * keys.size()); });
        messages.push_back({root, rank, splitters, copies[rank]});
    }
    call.exchange(messages);
    std::vector<std::span<const uint64_t>> positions(ranks_count);
    call.on_each_rank([&](size_t rank) {
        if (reduced[rank].count == 0) return;
        const uint64_t count = ranks_count - 1;
        const core::BufferRef found = call.allocate(rank, count * sizeof(uint64_t));
        ranks[rank].find_splitters(call.stream(rank), reduced[rank].pairs.keys, reduced[rank].count, copies[rank],
                                   found, count);
        positions[rank] = call.download<uint64_t>(rank, found);
    });
    call.wait();
    const uint64_t cuts = ranks_count - 1;
    std::vector<uint64_t> found(ranks_count * cuts, 0);
    for (size_t rank = 0; rank < ranks_count; ++rank)
        std::copy(positions[rank].begin(), positions[rank].end(),
                  found.begin() + static_cast<std::ptrdiff_t>(rank * cuts));
    call.gather(found, cuts);
    for (size_t rank = 0; rank < ranks_count; ++rank) {
        for (size_t i = 0; i < cuts; ++i)
            boundaries[i + 1][rank] = found[rank * cuts + i];
    }
    return boundaries;
}

std::vector<ReducedShard> ReduceByKey::operator()(std::span<const Shard> keys_here,
                                                  std::span<const Shard> values_here) const {
    const State& state = *state_;
    const AllShards shards = agree(state.communicator, operation, state.digest, {keys_here, values_here}, [&] {
        check_shards(state.communicator, operation, "keys", state.keys, keys_here);
        check_shards(state.communicator, operation, "values", state.values, values_here);
        check_same_counts(state.communicator, operation, "values", values_here, "keys", keys_here);
    });
    const std::vector<Shard>&keys = shards[0], &values = shards[1];
    CollectiveCall call(state.communicator);
    const size_t ranks = call.size();
    std::vector<uint64_t> counts(ranks);
    for (size_t rank = 0; rank < ranks; ++rank)
        counts[rank] = keys[rank].count;
    const std::vector<Reduced> own =
        state.reduce(call, &Algorithms::reduce_values, state.sort(call, keys, values), counts);
    const Boundaries boundaries = state.split(call, own);
    std::vector<Pairs> pairs(ranks), received(ranks);
    call.on_each_rank([&](size_t rank) {
        pairs[rank] = own[rank].pairs;
        counts[rank] = 0;
        for (size_t from = 0; from < ranks; ++from)
            counts[rank] += boundaries[rank + 1][from] - boundaries[rank][from];
        received[rank] = {call.allocate(rank, counts[rank] * state.keys.size()),
                          call.allocate(rank, counts[rank] * state.accumulator.size())};
    });
    state.merge(call, boundaries, pairs, received);
    const std::vector<Reduced> reduced = state.reduce(call, &Algorithms::reduce_results, received, counts);
    std::vector<ReducedShard> result;
    call.on_each_rank([&](size_t rank) {
        const core::Device& device = state.communicator.device(rank);
        const uint64_t count = reduced[rank].count;
        ReducedShard& shard = result.emplace_back();
        shard.count = count;
        shard.keys = device.allocate(count * state.keys.size());
        shard.values = device.allocate(count * state.accumulator.size());
        if (count == 0) return;
        const core::StreamRef stream = call.stream(rank);
        shard.keys.copy_from(reduced[rank].pairs.keys.slice(0, shard.keys.size()), stream);
        shard.values.copy_from(reduced[rank].pairs.values.slice(0, shard.values.size()), stream);
    });
    call.finish();
    return result;
}

}  // namespace cuprum::parallel::distributed
