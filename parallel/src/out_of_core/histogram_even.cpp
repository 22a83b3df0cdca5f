#include "cuprum/parallel/histogram_even.hpp"

#include <cstddef>
#include <vector>

#include "../layout.hpp"
#include "cuprum/parallel/out_of_core/histogram_even.hpp"
#include "cuprum/parallel/transform.hpp"
#include "device_calls.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

constexpr const char* operation = "making a histogram";

}  // namespace

struct HistogramEven::State {
    struct OnDevice {
        parallel::HistogramEven histogram;
        Transform add;
    };
    std::vector<DeviceMemory> memory;
    std::vector<OnDevice> devices;

    State(const std::vector<DeviceMemory>& memory_, const Type& samples, const Type& levels, const Type& counters)
        : memory(memory_) {
        check_devices(operation, memory);
        const Iterator counts = Iterator::pointer(counters);
        for (const DeviceMemory& each : memory) {
            devices.push_back({parallel::HistogramEven(Iterator::pointer(samples), levels, counters, each.device),
                               Transform(counts, counts, OpKind::plus, counters, each.device)});
        }
    }
};

HistogramEven::HistogramEven(const std::vector<DeviceMemory>& memory, const Type& samples, const Type& levels,
                             const Type& counters)
    : state_(std::make_shared<const State>(memory, samples, levels, counters)) {}

HistogramEven::HistogramEven(const DeviceMemory& memory, const Type& samples, const Type& levels, const Type& counters)
    : HistogramEven(std::vector{memory}, samples, levels, counters) {}

// The counts so far stay on each device; the first one adds those of the others to its own.
void HistogramEven::operator()(const HostInput& samples, const HostOutput& histogram, uint64_t bins, const Value& lower,
                               const Value& upper) const {
    const State& state = *state_;
    const parallel::HistogramEven& first = state.devices[0].histogram;
    const uint64_t sample_size = first.sample_type().size();
    const Type& counters = first.counter_type();
    check_elements(operation, "samples", first.sample_type(), samples);
    check_count(operation, bins, counters.size());
    check_room(operation, "histogram", counters, histogram, bins);
    const uint64_t bytes = bins * counters.size();
    Needs needs{operation, {sample_size, 0}, 2, 1, [](uint64_t) { return uint64_t{0}; }};
    needs.other_bytes = 2 * align_up(bytes, 256);
    const Plans plans(state.memory, [&](size_t) { return needs; }, samples.count, one_pass(needs.sizes));
    const HostMemory source = host_memory(const_cast<void*>(samples.data), samples.count * sample_size);
    std::vector<std::vector<std::byte>> others(plans.devices());
    DeviceCalls calls(state.memory, plans);
    struct Counts {
        core::BufferRef sums, of_piece;
    };
    std::vector<Counts> counts;
    for (size_t device = 0; device < calls.size(); ++device) {
        PieceCall& call = calls[device];
        counts.push_back({call.reserve(bytes), call.reserve(bytes)});
        // Clears the sums, and says what is wrong with the bins.
        state.devices[device].histogram(call.stream(), call.reserve(0), counts[device].sums, bins, lower, upper, 0);
    }
    const auto add = [&](size_t device) {
        const auto& [sums, more] = counts[device];
        state.devices[device].add(calls[device].stream(), sums, more, sums, bins);
    };
    calls.run(
        plans->pieces,
        [&](size_t device) {
            PieceCall& call = calls[device];
            const Plan& plan = plans[device];
            Stages stages;
            stages.copy_in = [&](uint64_t piece, const PieceBuffer& in) {
                call.upload(source, plan.begin(piece) * sample_size,
                            in.columns[0].slice(0, plan.length(piece) * sample_size));
            };
            stages.work = [&, device](uint64_t piece, const PieceBuffer& in, const PieceBuffer&) {
                state.devices[device].histogram(call.stream(), in.columns[0], counts[device].of_piece, bins, lower,
                                                upper, plan.length(piece));
                add(device);
                return true;
            };
            return stages;
        },
        [&](size_t device) {
            if (device == 0) return;
            others[device].resize(bytes);
            counts[device].sums.copy_to_host(others[device].data(), bytes, calls[device].stream());
        });
    for (size_t device = 1; device < calls.size(); ++device) {
        counts[0].of_piece.copy_from_host(others[device].data(), bytes, calls[0].stream());
        add(0);
    }
    counts[0].sums.copy_to_host(histogram.data, bytes, calls[0].stream());
    calls.finish();
}

}  // namespace cuprum::parallel::out_of_core
