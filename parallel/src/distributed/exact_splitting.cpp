#include "exact_splitting.hpp"

#include <algorithm>
#include <numeric>

#include "../layout.hpp"

namespace cuprum::parallel::distributed {

ExactSplitting::ExactSplitting(SortOrder order, const Communicator& communicator, const Type& keys)
    : keys_(keys), key_samples_(communicator, keys), sort_(communicator) {
    for_each_local_rank(communicator, [&](size_t rank) {
        sort_.emplace_back(order, keys, Type(TypeKind::uint32), communicator.device(rank));
    });
}

Boundaries ExactSplitting::operator()(CollectiveCall& call, std::span<const core::BufferRef> sorted,
                                      std::span<const uint64_t> counts, std::span<const uint64_t> shares) const {
    const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    std::vector<Window> windows(call.size() + 1);
    uint64_t target = 0;
    for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
        Window& window = windows[boundary];
        window.target = target;
        for (const uint64_t count : counts) {
            const uint64_t elsewhere = total - count;
            window.lower.push_back(target > elsewhere ? target - elsewhere : 0);
            window.upper.push_back(std::min(count, target));
        }
        if (boundary < call.size()) target += shares[boundary];
    }
    while (std::any_of(windows.begin(), windows.end(), [](const Window& window) { return window.is_open(); }))
        round(call, sorted, windows);
    Boundaries boundaries;
    for (Window& window : windows)
        boundaries.push_back(std::move(window.lower));
    return boundaries;
}

// The last key of each stretch, so that fewer keys than a stretch has are open between a sample and the next one.
ExactSplitting::Positions ExactSplitting::sample(const Window& window) {
    Positions positions(window.lower.size());
    for (size_t rank = 0; rank < positions.size(); ++rank) {
        const uint64_t lower = window.lower[rank], upper = window.upper[rank];
        const uint64_t stretch = ceil_divide(upper - lower, samples_per_rank);
        if (stretch == 0) continue;
        for (uint64_t position = lower + stretch - 1; position < upper; position += stretch)
            positions[rank].push_back(position);
    }
    return positions;
}

void ExactSplitting::narrow(Window& window, const Positions& samples, std::span<const uint32_t> sorted) {
    const size_t ranks = samples.size();
    std::vector<uint64_t> first(ranks, 0);  // number of each rank's first sample
    for (size_t rank = 1; rank < ranks; ++rank)
        first[rank] = first[rank - 1] + samples[rank - 1].size();
    // Going through the samples: how many keys of each rank come before the one at hand at least, and at most, counting
    // no keys of which it is known already on which side of the boundary they are.
    std::vector<uint64_t> least = window.lower, most(ranks), passed(ranks, 0);
    for (size_t rank = 0; rank < ranks; ++rank)
        most[rank] = samples[rank].empty() ? window.upper[rank] : samples[rank].front();
    uint64_t least_of_all = std::accumulate(least.begin(), least.end(), uint64_t{0});
    uint64_t most_of_all = std::accumulate(most.begin(), most.end(), uint64_t{0});
    const uint64_t target = window.target;
    for (const uint32_t number : sorted) {
        const auto rank =
            static_cast<size_t>(std::upper_bound(first.begin(), first.end(), uint64_t{number}) - first.begin()) - 1;
        const uint64_t position = samples[rank][number - first[rank]];
        const uint64_t at_least = least_of_all - least[rank] + position;
        const uint64_t at_most = most_of_all - most[rank] + position;
        ++passed[rank];
        const uint64_t next = passed[rank] < samples[rank].size() ? samples[rank][passed[rank]] : window.upper[rank];
        least_of_all += position + 1 - least[rank];
        most_of_all += next - most[rank];
        least[rank] = position + 1;
        most[rank] = next;
        if (at_most < target) {
            window.lower[rank] = position + 1;
        } else if (at_least >= target) {
            // The following samples do not come before the boundary either.
            window.upper[rank] = std::min(window.upper[rank], position);
        }
    }
}

// Boundary b is found on rank b: the first and the last one are known.
void ExactSplitting::round(CollectiveCall& call, std::span<const core::BufferRef> sorted,
                           std::vector<Window>& windows) const {
    const size_t ranks = call.size();
    const uint64_t key_size = keys_.size();
    std::vector<Positions> samples(windows.size());
    std::vector<core::BufferRef> collected(windows.size());
    std::vector<uint64_t> collected_count(windows.size(), 0);
    for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
        if (!windows[boundary].is_open()) continue;
        samples[boundary] = sample(windows[boundary]);
        for (const std::vector<uint64_t>& positions : samples[boundary])
            collected_count[boundary] += positions.size();
        call.on_one_rank(boundary,
                         [&] { collected[boundary] = call.allocate(boundary, collected_count[boundary] * key_size); });
    }
    std::vector<Message> messages;
    std::vector<uint64_t> arrived(windows.size(), 0);
    for (size_t rank = 0; rank < ranks; ++rank) {
        std::vector<uint64_t> positions;  // for all boundaries
        for (const Positions& of_boundary : samples) {
            if (!of_boundary.empty())
                positions.insert(positions.end(), of_boundary[rank].begin(), of_boundary[rank].end());
        }
        core::BufferRef keys;
        call.on_one_rank(rank, [&] { keys = key_samples_(call, rank, keys_, sorted[rank], positions); });
        uint64_t begin = 0;
        for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
            const uint64_t count = samples[boundary].empty() ? 0 : samples[boundary][rank].size();
            if (count == 0) continue;
            messages.push_back({rank, boundary, part(keys, begin * key_size, count * key_size),
                                part(collected[boundary], arrived[boundary] * key_size, count * key_size)});
            begin += count;
            arrived[boundary] += count;
        }
    }
    call.exchange(messages);
    // Each process needs them all, and gets them where its first rank is.
    std::vector<core::BufferRef> numbers_in_order(windows.size()), numbers_here(windows.size());
    std::vector<std::span<const uint32_t>> sorted_numbers(windows.size());
    messages.clear();
    for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
        const uint64_t count = collected_count[boundary];
        if (count == 0) continue;
        call.on_one_rank(boundary, [&] {
            std::vector<uint32_t> numbers(count);
            std::iota(numbers.begin(), numbers.end(), 0U);
            const core::BufferRef in = call.upload(boundary, numbers);
            const core::BufferRef out = call.allocate(boundary, in.size());
            const core::BufferRef keys = call.allocate(boundary, count * key_size);
            sort_[boundary](call.stream(boundary), collected[boundary], keys, in, out, count);
            numbers_in_order[boundary] = out;
        });
        call.on_each_process([&](size_t first_rank) {
            if (call.are_of_one_process(boundary, first_rank)) return;
            call.on_one_rank(first_rank,
                             [&] { numbers_here[boundary] = call.allocate(first_rank, count * sizeof(uint32_t)); });
            messages.push_back({boundary, first_rank, numbers_in_order[boundary], numbers_here[boundary]});
        });
    }
    call.exchange(messages);
    for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
        if (collected_count[boundary] == 0) continue;
        const bool is_here = call.is_local(boundary);
        const size_t rank = is_here ? boundary : call.first_local_rank();
        call.on_one_rank(rank, [&] {
            sorted_numbers[boundary] =
                call.download<uint32_t>(rank, is_here ? numbers_in_order[boundary] : numbers_here[boundary]);
        });
    }
    call.wait();
    for (size_t boundary = 0; boundary < windows.size(); ++boundary) {
        if (collected_count[boundary] > 0) narrow(windows[boundary], samples[boundary], sorted_numbers[boundary]);
    }
}

}  // namespace cuprum::parallel::distributed
