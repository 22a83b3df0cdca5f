#include "cuprum/parallel/histogram_even.hpp"

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/histogram_even.hpp"
#include "cuprum/parallel/transform.hpp"
#include "piece_call.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "making a histogram";

}  // namespace

struct HistogramEven::State {
    DeviceMemory memory;
    parallel::HistogramEven histogram;
    Transform add;

    State(const DeviceMemory& memory_, const Type& samples, const Type& levels, const Type& counters)
        : memory(memory_),
          histogram(Iterator::pointer(samples), levels, counters, memory.device),
          add(Iterator::pointer(counters), Iterator::pointer(counters), OpKind::plus, counters, memory.device) {
        check_resource(operation, memory);
    }
};

HistogramEven::HistogramEven(const DeviceMemory& memory, const Type& samples, const Type& levels, const Type& counters)
    : state_(std::make_shared<const State>(memory, samples, levels, counters)) {}

void HistogramEven::operator()(const HostInput& samples, const HostOutput& histogram, uint64_t bins, const Value& lower,
                               const Value& upper) const {
    const State& state = *state_;
    const uint64_t sample_size = state.histogram.sample_type().size();
    const Type& counters = state.histogram.counter_type();
    check_elements(operation, "samples", state.histogram.sample_type(), samples);
    check_count(operation, bins, counters.size());
    check_room(operation, "histogram", counters, histogram, bins);
    const uint64_t bytes = bins * counters.size();
    Needs needs{operation, {sample_size, 0}, 2, 1, [](uint64_t) { return uint64_t{0}; }};
    needs.other_bytes = 2 * align_up(bytes, 256);
    const Plan plan = plan_pieces(state.memory, needs, samples.count, one_pass(needs.sizes));
    PieceCall call(state.memory, plan);
    const core::BufferRef sums = call.reserve(bytes), counts = call.reserve(bytes);
    const HostMemory source = host_memory(const_cast<void*>(samples.data), samples.count * sample_size);
    const auto count = [&](const core::BufferRef& memory, const core::BufferRef& result, uint64_t length) {
        state.histogram(call.stream(), memory, result, bins, lower, upper, length);
    };
    // Clears the sums, and says what is wrong with the bins.
    count(call.reserve(0), sums, 0);
    Stages stages;
    stages.copy_in = [&](uint64_t piece, const PieceBuffer& in) {
        call.upload(source, plan.begin(piece) * sample_size, in.columns[0].slice(0, plan.length(piece) * sample_size));
    };
    stages.work = [&](uint64_t piece, const PieceBuffer& in, const PieceBuffer&) {
        count(in.columns[0], counts, plan.length(piece));
        state.add(call.stream(), sums, counts, sums, bins);
        return true;
    };
    call.run(plan.pieces, stages);
    sums.copy_to_host(histogram.data, bytes, call.stream());
    call.finish();
}

}  // namespace cuprum::parallel::out_of_core
