#include "run_merge.hpp"

#include <bit>
#include <utility>

namespace cuprum::parallel::distributed {

KeyComparison::KeyComparison(SortOrder order, const Type& keys)
    : type(Type::structure("cuprum_key", {{"key", keys, 0}}, keys.size(), keys.alignment())),
      before(Operator::by_fields(type, order == SortOrder::ascending ? "key" : "-key")) {}

RunMerge::RunMerge(SortOrder order, const Communicator& communicator, const Type& keys,
                   const std::optional<Type>& values)
    : comparison_(order, keys),
      value_size_(values ? values->size() : 0),
      of_keys_(communicator),
      of_pairs_(communicator),
      key_size_(keys.size()) {
    const Iterator key = Iterator::pointer(comparison_.type);
    for_each_local_rank(communicator, [&](size_t rank) {
        const core::Device& device = communicator.device(rank);
        if (values) {
            const Iterator value = Iterator::pointer(*values);
            of_pairs_.emplace_back(key, value, key, value, comparison_.before, device);
        } else {
            of_keys_.emplace_back(key, key, comparison_.before, device);
        }
    });
}

Pairs RunMerge::slice(const Pairs& pairs, uint64_t begin, uint64_t count) const {
    Pairs shard{part(pairs.keys, begin * key_size_, count * key_size_)};
    if (value_size_ > 0) shard.values = part(pairs.values, begin * value_size_, count * value_size_);
    return shard;
}

void RunMerge::operator()(CollectiveCall& call, const Boundaries& boundaries, std::span<const Pairs> sorted,
                          std::span<const Pairs> outputs) const {
    struct Arrival {
        std::vector<Run> runs;
        Pairs target, other;  // of the first pass of merges, and of the second one
    };
    // Runs are merged where they lie, if that is possible, and cross between devices as they are read.
    const bool is_in_place = call.can_read_peers();
    std::vector<Arrival> arrivals(call.size());
    std::vector<Message> messages;
    call.on_each_rank([&](size_t rank) {
        Arrival& arrival = arrivals[rank];
        uint64_t total = 0;
        for (size_t from = 0; from < call.size(); ++from) {
            const uint64_t begin = boundaries[rank][from], length = boundaries[rank + 1][from] - begin;
            if (length > 0) arrival.runs.push_back({from, slice(sorted[from], begin, length), length});
            total += length;
        }
        if (total == 0) return;
        const auto passes = std::bit_width(arrival.runs.size() - 1);
        arrival.target = slice(outputs[rank], 0, total);
        if (passes == 0 || (passes == 1 && is_in_place)) {
            if (passes == 0) receive(rank, arrival.runs, arrival.target, messages);
            return;
        }
        arrival.other.keys = call.allocate(rank, total * key_size_);
        if (value_size_ > 0) arrival.other.values = call.allocate(rank, total * value_size_);
        // The last pass is to end in the output.
        if (passes % 2 == 0) std::swap(arrival.target, arrival.other);
        if (!is_in_place) receive(rank, arrival.runs, arrival.other, messages);
    });
    // What this process sends to others.
    for (size_t to = 0; to < call.size(); ++to) {
        if (call.is_local(to)) continue;
        call.on_each_rank([&](size_t from) {
            const uint64_t begin = boundaries[to][from], length = boundaries[to + 1][from] - begin;
            if (length == 0) return;
            const Pairs source = slice(sorted[from], begin, length);
            messages.push_back({from, to, source.keys, {}});
            if (value_size_ > 0) messages.push_back({from, to, source.values, {}});
        });
    }
    call.exchange(messages);
    if (is_in_place) call.wait_for_each_other();
    call.on_each_rank([&](size_t rank) {
        Arrival& arrival = arrivals[rank];
        merge(call, rank, std::move(arrival.runs), arrival.target, arrival.other);
    });
}

// The runs are then next to each other in that memory.
void RunMerge::receive(size_t rank, std::vector<Run>& runs, const Pairs& memory, std::vector<Message>& messages) const {
    uint64_t begin = 0;
    for (Run& run : runs) {
        const Pairs destination = slice(memory, begin, run.length);
        messages.push_back({run.from, rank, run.pairs.keys, destination.keys});
        if (value_size_ > 0) messages.push_back({run.from, rank, run.pairs.values, destination.values});
        run.pairs = destination;
        begin += run.length;
    }
}

void RunMerge::merge(CollectiveCall& call, size_t rank, std::vector<Run> runs, Pairs target, Pairs other) const {
    const core::StreamRef stream = call.stream(rank);
    while (runs.size() > 1) {
        std::vector<Run> merged;
        uint64_t begin = 0;
        for (size_t i = 0; i < runs.size(); i += 2) {
            const Run& first = runs[i];
            const Run second = i + 1 < runs.size() ? runs[i + 1] : Run{rank, slice(first.pairs, first.length, 0), 0};
            const uint64_t length = first.length + second.length;
            const Pairs out = slice(target, begin, length);
            if (value_size_ > 0) {
                of_pairs_[rank](stream, first.pairs.keys, first.pairs.values, first.length, second.pairs.keys,
                                second.pairs.values, second.length, out.keys, out.values);
            } else {
                of_keys_[rank](stream, first.pairs.keys, first.length, second.pairs.keys, second.length, out.keys);
            }
            merged.push_back({rank, out, length});
            begin += length;
        }
        runs = std::move(merged);
        std::swap(target, other);
    }
}

}  // namespace cuprum::parallel::distributed
