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
    struct OnDevice {
        Step of_values, of_results;
    };
    std::vector<DeviceMemory> memory;
    Type keys, values, accumulator;
    ElementSizes result_sizes;
    std::vector<OnDevice> devices;
    KeyOrder key_order;

    State(const std::vector<DeviceMemory>& memory_, const Type& keys_, const Type& values_, const Operator& op,
          const Type& accumulator_)
        : memory(memory_),
          keys(keys_),
          values(values_),
          accumulator(accumulator_),
          result_sizes{keys.size(), accumulator.size()},
          key_order(order, keys) {
        check_devices(operation, memory);
        for (const DeviceMemory& each : memory)
            devices.push_back({step(values, op, each.device), step(accumulator, op, each.device)});
    }

    Step step(const Type& type, const Operator& op, const core::Device& device) const {
        return {parallel::RadixSort(order, keys, type, device),
                parallel::ReduceByKey(Iterator::pointer(keys), Iterator::pointer(type), op, accumulator,
                                      OpKind::equal_to, device),
                {keys.size(), type.size()}};
    }
    Needs needs(size_t device) const {
        const OnDevice& steps = devices[device];
        Needs needs{operation,
                    {keys.size(), std::max(values.size(), accumulator.size())},
                    sort_buffers,
                    sort_buffers_alone,
                    [&steps](uint64_t elements) {
                        return std::max(steps.of_values.temp_storage_bytes(elements),
                                        steps.of_results.temp_storage_bytes(elements));
                    }};
        needs.other_bytes = 256;
        return needs;
    }
    uint64_t run(const HostColumns& in, uint64_t count, const HostColumns& out, uint64_t room) const;
};

namespace {

// The stages of a step on one device, of pieces with these lengths.
class PieceReduction {
public:
    PieceReduction(PieceCall& call, const ElementSizes& result_sizes)
        : call_(call),
          result_sizes_(result_sizes),
          counts_(call.reserve(2 * sizeof(uint64_t))),
          counts_here_(call.allocate_page_locked(2 * sizeof(uint64_t)).as_span<uint64_t>()) {}

    // `copy_in(piece, buffer)`. `take(piece, buffer, count)`: the results of a piece, in the order of the pieces.
    template <class CopyIn, class Take>
    Stages stages(const Step& step, const std::vector<uint64_t>& lengths, const CopyIn& copy_in, const Take& take) {
        Stages stages;
        stages.takes_other = true;
        stages.copy_in = copy_in;
        stages.work = [this, &step, &lengths](uint64_t piece, const PieceBuffer& in, const PieceBuffer& other) {
            const bool is_in_place = sort_piece(call_, step.sort, in, other, lengths[piece]);
            const PieceBuffer &sorted = is_in_place ? in : other, &results = is_in_place ? other : in;
            // The results of the piece before are still to be taken.
            const uint64_t place = worked_++ % 2;
            const core::BufferRef count = counts_.slice(place * sizeof(uint64_t), sizeof(uint64_t));
            step.reduce(call_.stream(), sorted.columns[0], sorted.columns[1], results.columns[0], results.columns[1],
                        count, lengths[piece], call_.options());
            count.copy_to_host(&counts_here_[place], sizeof(uint64_t), call_.stream());
            return !is_in_place;
        };
        stages.copy_out = [this, take](uint64_t piece, const PieceBuffer& results) {
            results.ready.sync();
            take(piece, results, counts_here_[taken_++ % 2]);
        };
        return stages;
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
    uint64_t worked_ = 0, taken_ = 0;  // pieces
};

// Between the keys of sorted runs, in pieces of so many elements, or some fewer.
struct Cuts {
    std::vector<Cut> cuts;
    std::vector<uint64_t> lengths;

    Cuts(const SortedRuns& sorted, uint64_t piece) : cuts{sorted.begin()} {
        for (uint64_t rank = 0; rank < sorted.count();) {
            const Cut exact = sorted.at(std::min(rank + piece, sorted.count()), cuts.back());
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
    }
};

}  // namespace

// Returns how many different keys there are; where there is no room for all, some are missing.
uint64_t ReduceByKey::State::run(const HostColumns& in, uint64_t count, const HostColumns& out, uint64_t room) const {
    const ElementSizes& sizes = devices[0].of_values.sizes;
    const Plans plans(
        memory, [this](size_t device) { return needs(device); }, count,
        sort_pieces(sizes, memory.size(), count, max_runs, max_runs));
    const Plan& plan = plans[0];
    DeviceCalls calls(memory, plans);
    std::vector<PieceReduction> reductions;
    reductions.reserve(calls.size());
    for (size_t device = 0; device < calls.size(); ++device)
        reductions.emplace_back(calls[device], result_sizes);
    uint64_t found = 0;
    // The results of one piece are behind those of the piece before.
    const auto deliver_of = [&](size_t device) {
        return [&, device](uint64_t piece, const PieceBuffer& results, uint64_t different) {
            uint64_t begin = 0;
            calls.in_turn(piece, [&] {
                begin = found;
                found += different;
            });
            if (begin + different <= room) reductions[device].download(results, different, out, begin);
        };
    };
    const auto upload_of = [&](size_t device) {
        return [&, device](uint64_t piece, const PieceBuffer& buffer) {
            upload_columns(calls[device], sizes, in, plan.begin(piece), plan.length(piece), buffer);
        };
    };
    std::vector<uint64_t> lengths;
    lengths.reserve(plan.pieces);
    for (uint64_t piece = 0; piece < plan.pieces; ++piece)
        lengths.push_back(plan.length(piece));
    if (plan.pieces == 1) {
        calls.run(1, [&](size_t device) {
            return reductions[device].stages(devices[device].of_values, lengths, upload_of(device), deliver_of(device));
        });
        calls.finish();
        return found;
    }
    std::vector<HostColumns> reduced(plan.pieces);
    std::vector<Run> runs(plan.pieces);
    const auto keep_of = [&](size_t device) {
        return [&, device](uint64_t piece, const PieceBuffer& results, uint64_t different) {
            for (size_t i = 0; i < result_sizes.size(); ++i) {
                const core::Buffer& memory_of = calls[device].allocate_page_locked(different * result_sizes[i]);
                reduced[piece][i] = {memory_of.as_span<std::byte>().data(), true};
            }
            reductions[device].download(results, different, reduced[piece], 0);
            runs[piece] = {reduced[piece][0].data, different};
        };
    };
    calls.run(plan.pieces, [&](size_t device) {
        return reductions[device].stages(devices[device].of_values, lengths, upload_of(device), keep_of(device));
    });
    const Cuts merged(SortedRuns(key_order, keys.size(), std::move(runs)), plan.piece);
    calls.run(merged.lengths.size(), [&](size_t device) {
        const Step& step = devices[device].of_results;
        const auto upload = [&, device](uint64_t piece, const PieceBuffer& buffer) {
            upload_parts(calls[device], step.sizes, reduced, merged.cuts[piece], merged.cuts[piece + 1], buffer);
        };
        return reductions[device].stages(step, merged.lengths, upload, deliver_of(device));
    });
    calls.finish();
    return found;
}

ReduceByKey::ReduceByKey(const DeviceMemory& memory, const Type& keys, const Type& values, const Operator& op,
                         const Type& accumulator)
    : ReduceByKey(std::vector{memory}, keys, values, op, accumulator) {}

ReduceByKey::ReduceByKey(const std::vector<DeviceMemory>& memory, const Type& keys, const Type& values,
                         const Operator& op, const Type& accumulator)
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
