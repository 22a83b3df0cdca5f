#include "run_merge.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace cuprum::parallel::distributed {

namespace {

template <class Runs>
uint64_t total_length(const Runs& runs) {
    uint64_t total = 0;
    for (const auto& run : runs)
        total += run.length;
    return total;
}

// Of merges, two runs at a time. There is at least one run.
template <class Runs>
auto passes_over(const Runs& runs) {
    return std::bit_width(runs.size() - 1);
}

}  // namespace

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

Pairs RunMerge::allocate(CollectiveCall& call, size_t rank, uint64_t count) const {
    if (count == 0) return {};
    Pairs pairs{call.allocate(rank, count * key_size_)};
    if (value_size_ > 0) pairs.values = call.allocate(rank, count * value_size_);
    return pairs;
}

Pairs RunMerge::slice(const Pairs& pairs, uint64_t begin, uint64_t count) const {
    Pairs shard{part(pairs.keys, begin * key_size_, count * key_size_)};
    if (value_size_ > 0) shard.values = part(pairs.values, begin * value_size_, count * value_size_);
    return shard;
}

std::vector<RunMerge::Run> RunMerge::runs_between(const Boundaries& boundaries, size_t first,
                                                  std::span<const Pairs> sorted) const {
    std::vector<Run> runs;
    for (size_t from = 0; from < sorted.size(); ++from) {
        const uint64_t begin = boundaries[first][from], length = boundaries[first + 1][from] - begin;
        if (length > 0) runs.push_back({from, slice(sorted[from], begin, length), length});
    }
    return runs;
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
        arrival.runs = runs_between(boundaries, rank, sorted);
        const uint64_t total = total_length(arrival.runs);
        if (total == 0) return;
        const auto passes = passes_over(arrival.runs);
        arrival.target = slice(outputs[rank], 0, total);
        if (passes == 0 || (passes == 1 && is_in_place)) {
            if (passes == 0) receive(rank, arrival.runs, arrival.target, messages);
            return;
        }
        arrival.other = allocate(call, rank, total);
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

// Memory for the largest piece, at once, so that nothing is allocated between copies.
RunMerge::Staging RunMerge::stage(CollectiveCall& call, const Boundaries& boundaries, size_t pieces,
                                  size_t rank) const {
    Staging staging;
    for (size_t number = rank * pieces; number < (rank + 1) * pieces; ++number) {
        uint64_t all = 0, runs = 0;
        for (size_t from = 0; from < call.size(); ++from) {
            const uint64_t length = boundaries[number + 1][from] - boundaries[number][from];
            all += length;
            runs += length > 0 ? 1 : 0;
        }
        const uint64_t own = boundaries[number + 1][rank] - boundaries[number][rank];
        if (runs > 1) staging.largest_arrival = std::max(staging.largest_arrival, all - own);
        if (runs > 2) staging.largest_piece = std::max(staging.largest_piece, all);
    }
    for (Pairs& arrived : staging.arrived)
        arrived = allocate(call, rank, staging.largest_arrival);
    staging.other = allocate(call, rank, staging.largest_piece);
    return staging;
}

void RunMerge::in_pieces(CollectiveCall& call, const Boundaries& boundaries, size_t pieces,
                         std::span<const Pairs> sorted, std::span<const Pairs> outputs) const {
    std::vector<Staging> staging(call.size());
    call.on_each_rank([&](size_t rank) { staging[rank] = stage(call, boundaries, pieces, rank); });
    // The runs are there: the host knows the boundaries.
    call.on_each_rank([&](size_t rank) { call.copy_stream(rank).wait(call.stream(rank)); });
    for (size_t piece = 0; piece < pieces; ++piece) {
        call.on_each_rank([&](size_t rank) {
            merge_piece(call, rank, runs_between(boundaries, rank * pieces + piece, sorted), piece % 2, staging[rank],
                        outputs[rank]);
        });
    }
}

void RunMerge::merge_piece(CollectiveCall& call, size_t rank, std::vector<Run> runs, size_t number, Staging& staging,
                           const Pairs& outputs) const {
    if (runs.empty()) return;
    const core::StreamRef stream = call.stream(rank), copies = call.copy_stream(rank);
    const uint64_t length = total_length(runs);
    Pairs target = slice(outputs, staging.done, length), other = staging.other;
    staging.done += length;
    if (runs.size() == 1) {
        copy(call, rank, runs, target);
    } else {
        core::Event& merged = staging.merged.at(number);
        if (merged.is_valid()) copies.wait(merged);
        copy(call, rank, runs, staging.arrived.at(number));
    }
    stream.wait(copies.record());
    // The last pass is to end in the output.
    if (runs.size() > 1 && passes_over(runs) % 2 == 0) std::swap(target, other);
    merge(call, rank, std::move(runs), target, other);
    staging.merged.at(number) = stream.record();
}

// The runs are then next to each other in that memory, but for the rank's own, which stays where it is unless it is the
// only one. Each rank gets its neighbour's first, so that not all ask one rank at once.
void RunMerge::copy(CollectiveCall& call, size_t rank, std::vector<Run>& runs, const Pairs& memory) const {
    struct Copy {
        Pairs source, destination;
    };
    std::map<size_t, Copy> by_distance;
    uint64_t begin = 0;
    for (Run& run : runs) {
        if (run.from == rank && runs.size() > 1) continue;
        const Pairs destination = slice(memory, begin, run.length);
        by_distance[(run.from + call.size() - rank) % call.size()] = {run.pairs, destination};
        run.pairs = destination;
        begin += run.length;
    }
    const core::StreamRef stream = call.copy_stream(rank);
    for (const auto& [distance, copied] : by_distance) {
        copied.destination.keys.copy_from(copied.source.keys, stream);
        if (value_size_ > 0) copied.destination.values.copy_from(copied.source.values, stream);
    }
}

}  // namespace cuprum::parallel::distributed
