#include "cuprum/parallel/reduce_by_key.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cuprum/parallel/out_of_core/reduce_by_key.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "piece_sort.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "reducing by key";
constexpr auto order = SortOrder::ascending;
// A piece has at least as many keys, so that in the second step it has room for one key of all runs.
constexpr uint64_t max_runs = 1024;

// Sorts and reduces pieces.
struct Step {
    parallel::RadixSort sort;
    parallel::ReduceByKey reduce;
    ElementSizes sizes;  // of keys, and of what is reduced

    uint64_t temp_storage_bytes(uint64_t elements) const {
        return std::max(sort.double_buffer_storage_bytes(elements), reduce.temp_storage_bytes(elements));
    }
};

// Keys in order, each once, and the reductions of their values.
struct Reduced {
    HostColumns memory;
    uint64_t count = 0;
};

}  // namespace

struct ReduceByKey::State {
    DeviceMemory memory;
    Type keys, values, accumulator;
    ElementSizes result_sizes;
    Step of_values, of_results;
    KeyOrder key_order;

    State(const DeviceMemory& memory_, const Type& keys_, const Type& values_, const Operator& op,
          const Type& accumulator_)
        : memory(memory_),
          keys(keys_),
          values(values_),
          accumulator(accumulator_),
          result_sizes{keys.size(), accumulator.size()},
          of_values(step(values, op)),
          of_results(step(accumulator, op)),
          key_order(order, keys) {
        check_resource(operation, memory);
    }

    Step step(const Type& type, const Operator& op) const {
        return {parallel::RadixSort(order, keys, type, memory.device),
                parallel::ReduceByKey(Iterator::pointer(keys), Iterator::pointer(type), op, accumulator,
                                      OpKind::equal_to, memory.device),
                {keys.size(), type.size()}};
    }
    Needs needs() const {
        Needs needs{operation,
                    {keys.size(), std::max(values.size(), accumulator.size())},
                    sort_buffers,
                    sort_buffers_alone,
                    [this](uint64_t elements) {
                        return std::max(of_values.temp_storage_bytes(elements),
                                        of_results.temp_storage_bytes(elements));
                    }};
        needs.other_bytes = 256;
        return needs;
    }
    uint64_t run(const HostColumns& in, uint64_t count, const HostColumns& out, uint64_t room) const;
};

namespace {

// The stages of a step, of pieces with these lengths.
class PieceReduction {
public:
    PieceReduction(PieceCall& call, const ElementSizes& result_sizes)
        : call_(call),
          result_sizes_(result_sizes),
          counts_(call.reserve(2 * sizeof(uint64_t))),
          counts_here_(call.allocate_page_locked(2 * sizeof(uint64_t)).as_span<uint64_t>()) {}

    // `copy_in(piece, buffer)`. `take(piece, buffer, count)`: the results of a piece, in the order of the pieces.
    template <class CopyIn, class Take>
    void run(const Step& step, const std::vector<uint64_t>& lengths, const CopyIn& copy_in, const Take& take) {
        Stages stages;
        stages.takes_other = true;
        stages.copy_in = copy_in;
        stages.work = [&](uint64_t piece, const PieceBuffer& in, const PieceBuffer& other) {
            const bool is_in_place = sort_piece(call_, step.sort, in, other, lengths[piece]);
            const PieceBuffer &sorted = is_in_place ? in : other, &results = is_in_place ? other : in;
            // The results of the piece before are still to be taken.
            const core::BufferRef count = counts_.slice(piece % 2 * sizeof(uint64_t), sizeof(uint64_t));
            step.reduce(call_.stream(), sorted.columns[0], sorted.columns[1], results.columns[0], results.columns[1],
                        count, lengths[piece], call_.options());
            count.copy_to_host(&counts_here_[piece % 2], sizeof(uint64_t), call_.stream());
            return !is_in_place;
        };
        stages.copy_out = [&](uint64_t piece, const PieceBuffer& results) {
            results.ready.sync();
            take(piece, results, counts_here_[piece % 2]);
        };
        call_.run(lengths.size(), stages);
    }

    // To host memory, from the element at `begin` on.
    void download(const PieceBuffer& results, uint64_t count, const HostColumns& to, uint64_t begin) const {
        download_columns(call_, result_sizes_, results, to, begin, count);
    }

private:
    PieceCall& call_;
    const ElementSizes& result_sizes_;
    core::BufferRef counts_;
    std::span<uint64_t> counts_here_;
};

}  // namespace

// Returns how many different keys there are; where there is no room for all, some are missing.
uint64_t ReduceByKey::State::run(const HostColumns& in, uint64_t count, const HostColumns& out, uint64_t room) const {
    const Plan plan = plan_pieces(memory, needs(), count, sort_pieces(count, max_runs, max_runs));
    PieceCall call(memory, plan);
    PieceReduction reduction(call, result_sizes);
    uint64_t found = 0;
    const auto deliver = [&](uint64_t /*piece*/, const PieceBuffer& results, uint64_t different) {
        if (found + different <= room) reduction.download(results, different, out, found);
        found += different;
    };
    const auto upload_piece = [&](uint64_t piece, const PieceBuffer& buffer) {
        upload_columns(call, of_values.sizes, in, plan.begin(piece), plan.length(piece), buffer);
    };
    std::vector<uint64_t> lengths;
    lengths.reserve(plan.pieces);
    for (uint64_t piece = 0; piece < plan.pieces; ++piece)
        lengths.push_back(plan.length(piece));
    if (plan.pieces == 1) {
        reduction.run(of_values, lengths, upload_piece, deliver);
        call.finish();
        return found;
    }
    std::vector<HostColumns> reduced;
    std::vector<Run> runs;
    reduction.run(of_values, lengths, upload_piece,
                  [&](uint64_t /*piece*/, const PieceBuffer& results, uint64_t different) {
                      HostColumns& memory_here = reduced.emplace_back();
                      for (size_t i = 0; i < result_sizes.size(); ++i) {
                          const core::Buffer& memory_of = call.allocate_page_locked(different * result_sizes[i]);
                          memory_here[i] = {memory_of.as_span<std::byte>().data(), true};
                      }
                      reduction.download(results, different, memory_here, 0);
                      runs.push_back({memory_here[0].data, different});
                  });
    call.wait();
    const SortedRuns sorted(key_order, keys.size(), std::move(runs));
    std::vector<Cut> cuts{sorted.begin()};
    lengths.clear();
    for (uint64_t rank = 0; rank < sorted.count();) {
        const Cut exact = sorted.at(std::min(rank + plan.piece, sorted.count()), cuts.back());
        Cut cut = sorted.between_keys(exact, cuts.back());
        // A piece of keys that are alike, and not equal: NaNs.
        if (cut == cuts.back()) cut = exact;
        uint64_t length = 0;
        for (size_t run = 0; run < cut.size(); ++run)
            length += cut[run] - cuts.back()[run];
        rank += length;
        lengths.push_back(length);
        cuts.push_back(std::move(cut));
    }
    reduction.run(
        of_results, lengths,
        [&](uint64_t piece, const PieceBuffer& buffer) {
            upload_parts(call, of_results.sizes, reduced, cuts[piece], cuts[piece + 1], buffer);
        },
        deliver);
    call.finish();
    return found;
}

ReduceByKey::ReduceByKey(const DeviceMemory& memory, const Type& keys, const Type& values, const Operator& op,
                         const Type& accumulator)
    : state_(std::make_shared<const State>(memory, keys, values, op, accumulator)) {}

uint64_t ReduceByKey::operator()(const HostInput& keys, const HostInput& values, const HostOutput& keys_out,
                                 const HostOutput& values_out) const {
    const State& state = *state_;
    check_elements(operation, "keys", state.keys, keys);
    check_elements(operation, "values", state.values, values);
    check_same_count(operation, "values", values.count, "keys", keys.count);
    check_elements(operation, "output keys", state.keys, keys_out);
    check_elements(operation, "results", state.accumulator, values_out);
    const uint64_t room = std::min(keys_out.count, values_out.count);
    refuse_overlap(operation, extent_of("output keys", keys_out, room), extent_of("results", values_out, room));
    if (keys.count == 0) return 0;
    const auto memory = [](const void* data, uint64_t bytes) { return host_memory(const_cast<void*>(data), bytes); };
    const uint64_t count = state.run(
        {memory(keys.data, keys.count * state.keys.size()), memory(values.data, values.count * state.values.size())},
        keys.count,
        {memory(keys_out.data, room * state.keys.size()), memory(values_out.data, room * state.accumulator.size())},
        room);
    if (count > room) {
        throw InvalidArgument(operation, "outputs",
                              "they have room for " + std::to_string(room) + " keys, and there are " +
                                  std::to_string(count) + " different ones");
    }
    return count;
}

}  // namespace cuprum::parallel::out_of_core
