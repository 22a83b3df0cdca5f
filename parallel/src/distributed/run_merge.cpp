#include "run_merge.hpp"

#include <bit>
#include <utility>

namespace cuprum::parallel::distributed {

KeyComparison::KeyComparison(SortOrder order, const Type& keys)
    : type(Type::structure("cuprum_key", {{"key", keys, 0}}, keys.size(), keys.alignment())),
      before(Operator::by_fields(type, order == SortOrder::ascending ? "key" : "-key")) {}

RunMerge::RunMerge(SortOrder order, const Communicator& communicator, const Type& keys,
                   const std::optional<Type>& values)
    : comparison_(order, keys), value_size_(values ? values->size() : 0), key_size_(keys.size()) {
    const Iterator key = Iterator::pointer(comparison_.type);
    for (size_t rank = 0; rank < communicator.size(); ++rank) {
        const core::Device& device = communicator.device(rank);
        if (values) {
            const Iterator value = Iterator::pointer(*values);
            of_pairs_.emplace_back(key, value, key, value, comparison_.before, device);
        } else {
            of_keys_.emplace_back(key, key, comparison_.before, device);
        }
    }
}

Pairs RunMerge::slice(const Pairs& pairs, uint64_t begin, uint64_t count) const {
    Pairs shard{pairs.keys.slice(begin * key_size_, count * key_size_)};
    if (value_size_ > 0) shard.values = pairs.values.slice(begin * value_size_, count * value_size_);
    return shard;
}

void RunMerge::operator()(CollectiveCall& call, const Boundaries& boundaries, std::span<const Pairs> sorted,
                          std::span<const Pairs> outputs) const {
    struct Arrival {
        std::vector<uint64_t> lengths;  // of the runs
        Pairs runs, alternate;
    };
    std::vector<Arrival> arrivals(call.size());
    std::vector<Message> messages;
    call.on_each_rank([&](size_t rank) {
        Arrival& arrival = arrivals[rank];
        uint64_t total = 0;
        for (size_t from = 0; from < call.size(); ++from) {
            const uint64_t length = boundaries[rank + 1][from] - boundaries[rank][from];
            if (length > 0) arrival.lengths.push_back(length);
            total += length;
        }
        if (total == 0) return;
        arrival.runs = slice(outputs[rank], 0, total);
        if (arrival.lengths.size() > 1) {
            arrival.alternate.keys = call.allocate(rank, total * key_size_);
            if (value_size_ > 0) arrival.alternate.values = call.allocate(rank, total * value_size_);
        }
        // The last pass is to end in the output: with an odd number of passes it does not begin there.
        const auto passes = std::bit_width(arrival.lengths.size() - 1);
        if (passes % 2 != 0) std::swap(arrival.runs, arrival.alternate);
        uint64_t arrived = 0;
        for (size_t from = 0; from < call.size(); ++from) {
            const uint64_t begin = boundaries[rank][from], length = boundaries[rank + 1][from] - begin;
            if (length == 0) continue;
            const Pairs source = slice(sorted[from], begin, length);
            const Pairs destination = slice(arrival.runs, arrived, length);
            messages.push_back({from, rank, source.keys, destination.keys});
            if (value_size_ > 0) messages.push_back({from, rank, source.values, destination.values});
            arrived += length;
        }
    });
    call.exchange(messages);
    call.on_each_rank([&](size_t rank) {
        Arrival& arrival = arrivals[rank];
        merge(call, rank, std::move(arrival.lengths), arrival.runs, arrival.alternate);
    });
}

void RunMerge::merge(CollectiveCall& call, size_t rank, std::vector<uint64_t> lengths, Pairs from, Pairs to) const {
    const core::StreamRef stream = call.stream(rank);
    while (lengths.size() > 1) {
        std::vector<uint64_t> merged;
        uint64_t begin = 0;
        for (size_t i = 0; i < lengths.size(); i += 2) {
            const uint64_t first_count = lengths[i], second_count = i + 1 < lengths.size() ? lengths[i + 1] : 0;
            const Pairs first = slice(from, begin, first_count);
            const Pairs second = slice(from, begin + first_count, second_count);
            const Pairs out = slice(to, begin, first_count + second_count);
            if (value_size_ > 0) {
                of_pairs_[rank](stream, first.keys, first.values, first_count, second.keys, second.values, second_count,
                                out.keys, out.values);
            } else {
                of_keys_[rank](stream, first.keys, first_count, second.keys, second_count, out.keys);
            }
            merged.push_back(first_count + second_count);
            begin += first_count + second_count;
        }
        lengths = std::move(merged);
        std::swap(from, to);
    }
}

}  // namespace cuprum::parallel::distributed
