#include "cuprum/parallel/distributed/histogram_even.hpp"

#include <vector>

#include "collective_call.hpp"
#include "cuprum/parallel/histogram_even.hpp"
#include "cuprum/parallel/transform.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* operation = "making a histogram";

}  // namespace

struct HistogramEven::State {
    Communicator communicator;
    Type samples, counters;
    Digest digest;
    OfRanks<parallel::HistogramEven> histogram;
    OfRanks<Transform> add;

    State(const Communicator& communicator_, const Type& samples_, const Type& levels, const Type& counters_)
        : communicator(communicator_),
          samples(samples_),
          counters(counters_),
          histogram(communicator),
          add(communicator) {
        digest.add_text(operation).add(samples).add(levels).add(counters);
        const Iterator counts = Iterator::pointer(counters);
        for_each_local_rank(communicator, [&](size_t rank) {
            const core::Device& device = communicator.device(rank);
            histogram.emplace_back(Iterator::pointer(samples), levels, counters, device);
            add.emplace_back(counts, counts, OpKind::plus, counters, device);
        });
    }
};

HistogramEven::HistogramEven(const Communicator& communicator, const Type& samples, const Type& levels,
                             const Type& counters)
    : state_(std::make_shared<const State>(communicator, samples, levels, counters)) {}

// Each rank counts its samples in all bins, adds what the others have counted in its share of the bins, and sends the
// sums to all: a reduce-scatter and an all-gather.
void HistogramEven::operator()(std::span<const Shard> samples_here, std::span<const Shard> histograms_here,
                               uint64_t bins, const Value& lower, const Value& upper) const {
    const State& state = *state_;
    const uint64_t size = state.counters.size();
    Digest digest = state.digest;
    digest.add(bins).add(lower).add(upper);
    const AllShards shards = agree(state.communicator, operation, digest, {samples_here, histograms_here}, [&] {
        check_shards(state.communicator, operation, "samples", state.samples, samples_here);
        check_room(state.communicator, operation, "histogram", state.counters, histograms_here, bins);
    });
    const std::vector<Shard>&samples = shards[0], &histograms = shards[1];
    CollectiveCall call(state.communicator);
    const size_t ranks = call.size();
    const auto first_bin = [&](size_t rank) { return bins / ranks * rank + bins % ranks * rank / ranks; };
    std::vector<core::BufferRef> counted(ranks), share(ranks);
    call.on_each_rank([&](size_t rank) {
        counted[rank] = call.allocate(rank, bins * size);
        state.histogram[rank](call.stream(rank), samples[rank].memory, counted[rank], bins, lower, upper,
                              samples[rank].count);
        share[rank] = call.allocate(rank, (first_bin(rank + 1) - first_bin(rank)) * size * ranks);
    });
    std::vector<Message> messages;
    for (size_t to = 0; to < ranks; ++to) {
        const uint64_t begin = first_bin(to) * size, bytes = first_bin(to + 1) * size - begin;
        for (size_t from = 0; from < ranks; ++from)
            messages.push_back({from, to, part(counted[from], begin, bytes), part(share[to], from * bytes, bytes)});
    }
    call.exchange(messages);
    messages.clear();
    call.on_each_rank([&](size_t rank) {
        const uint64_t count = first_bin(rank + 1) - first_bin(rank), bytes = count * size;
        if (count == 0) return;
        const core::BufferRef sum = share[rank].slice(0, bytes);
        for (size_t other = 1; other < ranks; ++other)
            state.add[rank](call.stream(rank), sum, share[rank].slice(other * bytes, bytes), sum, count);
    });
    for (size_t rank = 0; rank < ranks; ++rank) {
        const uint64_t begin = first_bin(rank) * size, bytes = first_bin(rank + 1) * size - begin;
        for (size_t to = 0; to < ranks; ++to)
            messages.push_back({rank, to, part(share[rank], 0, bytes), part(histograms[to].memory, begin, bytes)});
    }
    call.exchange(messages);
    call.finish();
}

}  // namespace cuprum::parallel::distributed
