// Each block counts its samples in shared memory, where the levels are too, and adds its counts to the result; where
// there are too many bins for that, it counts in the result.
#include "cuprum/parallel/multi_histogram_range.hpp"

#include <algorithm>
#include <array>

#include "call.hpp"
#include "channels.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "histogram.hpp"
#include "host_execution.hpp"
#include "integers.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "histogram_range";
constexpr const char* operation = "making a histogram of ranges";
constexpr uint64_t most_private_bins = 1024;  // of all channels

// A sample's bin is found by bisection.
constexpr std::string_view kernels = R"(
constexpr int threads = 256;
constexpr int items = sizeof(sample_t) * channels >= 8 ? 4 : 8;  // pixels
constexpr int tile_items = threads * items;
struct channels_t {
    int bins[active_channels];
};
// -1 for what is below the first level, or a NaN; `bins` for what is at or above the last.
template <class Levels> __device__ __forceinline__ int bin_of(common_t sample, const Levels& levels, int bins) {
    int low = 0, high = bins + 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (static_cast<common_t>(levels[middle]) <= sample) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}
// Each channel's levels and counts are behind those of the channels before it.
template <class Levels> __device__ __forceinline__ void count_samples(
    const samples_t& samples, const Levels& levels, counter_t* counts, const channels_t& of, offset_t n) {
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    for (offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items; begin < n; begin += step) {
        common_t own[items][active_channels];
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            #pragma unroll
            for (int channel = 0; channel < active_channels; ++channel) {
                own[i][channel] = static_cast<common_t>(samples[(at < n ? at : n - 1) * channels + channel]);
            }
        }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            Levels first_level = levels;
            counter_t* first_count = counts;
            #pragma unroll
            for (int channel = 0; channel < active_channels; ++channel) {
                const int bins = of.bins[channel];
                const int bin = bin_of(own[i][channel], first_level, bins);
                if (begin + i * threads + threadIdx.x < n && bin >= 0 && bin < bins) atomicAdd(first_count + bin, counter_t{1});
                first_level += bins + 1;
                first_count += bins;
            }
        }
    }
}
__global__ __launch_bounds__(threads) void cuprum_histogram_range_few(
    samples_t samples, const level_t* levels, counter_t* out, channels_t of, offset_t n) {
    __shared__ counter_t counts[most_private_bins];
    __shared__ common_t own_levels[most_private_bins + active_channels];
    int bins = 0;
    #pragma unroll
    for (int channel = 0; channel < active_channels; ++channel) bins += of.bins[channel];
    for (int bin = threadIdx.x; bin < bins + active_channels; bin += threads) {
        own_levels[bin] = static_cast<common_t>(levels[bin]);
        if (bin < bins) counts[bin] = 0;
    }
    __syncthreads();
    count_samples(samples, static_cast<const common_t*>(own_levels), counts, of, n);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += threads) {
        if (counts[bin] != 0) atomicAdd(out + bin, counts[bin]);
    }
}
__global__ __launch_bounds__(threads) void cuprum_histogram_range_many(
    samples_t samples, const level_t* levels, counter_t* out, channels_t of, offset_t n) {
    count_samples(samples, levels, out, of, n);
})";

BuildRequest make_request(const Iterator& samples, int32_t channels, int32_t active, const Type& levels,
                          TypeKind common, const Type& counters, Width width) {
    BuildRequest request;
    request.algorithm = algorithm;
    SourceBuilder source({});
    source.alias("sample_t", source.type(samples.value_type()));
    source.alias("samples_t", source.iterator(samples));
    source.alias("level_t", source.type(levels));
    // There is no atomic addition of signed integers of 64 bits; the unsigned one has the same bits.
    source.alias("counter_t", counters.size() == 8 ? "unsigned long long" : source.type(counters));
    source.alias("common_t", source.type(Type(common)));
    source.alias("offset_t", offset_type(width));
    source.line("constexpr int most_private_bins = " + std::to_string(most_private_bins) + ";");
    source.line("constexpr int channels = " + std::to_string(channels) +
                ", active_channels = " + std::to_string(active) + ";");
    source.line(kernels);
    request.source = source.text();
    request.kernels = {"cuprum_histogram_range_few", "cuprum_histogram_range_many"};
    request.constants = {{"threads", "threads"}, {"tile items", "tile_items"}};
    return request;
}

struct Program {
    core::Kernel few, many;
    int64_t threads;
    uint64_t tile_items, few_blocks, many_blocks;
    bool wide;

    Program(const core::Device& device, const CompiledProgram& compiled, Width width)
        : few(compiled.kernel(0)),
          many(compiled.kernel(1)),
          threads(compiled.positive("threads")),
          tile_items(compiled.positive_size("tile items")),
          few_blocks(resident_blocks(device, few, threads)),
          many_blocks(resident_blocks(device, many, threads)),
          wide(width == Width::wide) {}
};

// How many there are of all channels.
uint64_t checked_bins(std::span<const uint64_t> bins, int32_t active) {
    check_for_each_channel(operation, "numbers of bins", bins.size(), active);
    uint64_t all = 0;
    for (const uint64_t each : bins) {
        if (each < 1 || each >= INT32_MAX)
            throw InvalidArgument(operation, std::to_string(each) + " bins", "expected 1 to 2147483646");
        all += each;
    }
    return all;
}

}  // namespace

struct MultiHistogramRange::State {
    Target target;
    Iterator samples, levels;
    int32_t channels, active;
    Type counters;
    TypeKind common;
    Programs<Program> programs;

    State(const Iterator& samples_, int32_t channels_, int32_t active_, const Type& levels_, const Type& counters_,
          const Execution& execution, const BuildOptions& options)
        : target(execution, options),
          samples(samples_),
          levels(Iterator::pointer(levels_)),
          channels(channels_),
          active(active_),
          counters(counters_),
          common(common_kind(samples.value_type().kind(), levels_.kind())),
          programs(target, [this](Width width) {
              return make_request(samples, channels, active, levels.value_type(), common, counters, width);
          }) {}

    void check_extents(const Extent& samples_in, const Input& levels_in, uint64_t level_count, const Output& histogram,
                       uint64_t all_bins) const {
        const Extent counts = extent_of("histogram", histogram, counters, all_bins);
        refuse_overlap(operation, samples_in, counts);
        refuse_overlap(operation, extent_of("levels", levels_in, levels.value_type(), level_count), counts);
    }

    // `samples_call`: of as many elements as there are samples.
    void run_on_host(const HostCall& samples_call, const Input& samples_in, const Input& levels_in,
                     const Output& histogram, std::span<const uint64_t> bins, uint64_t all_bins, uint64_t count) const {
        using namespace host_execution;
        check_call(samples_call, samples_call.options.op);
        const host::Source source = source_of(samples_call, "samples", samples, samples_in, samples_call.count);
        const uint64_t level_count = all_bins + bins.size();
        source_of(samples_call, "levels", levels, levels_in, level_count);
        auto* counts = static_cast<std::byte*>(target_of(samples_call, "histogram", counters, histogram, all_bins));
        check_extents(extent_of("samples", source, samples_call.count), levels_in, level_count, histogram, all_bins);
        core::DevicePointer first_level = levels_in.address();
        for (int32_t i = 0; i < active; ++i) {
            const uint64_t channel_bins = bins[static_cast<size_t>(i)];
            const Iterator given_levels = Iterator::pointer(levels.value_type(), first_level);
            const host::Source of_levels = source_of(samples_call, "levels", levels, given_levels, channel_bins + 1);
            const auto make = [&](const host::Source& of_channel) {
                check(host_functions().histogram_range(&of_channel, count, static_cast<host::TypeNumber>(common),
                                                       &of_levels, channel_bins, counters.size(), counts),
                      samples_call);
            };
            if (channels == 1) {
                make(source);
            } else {
                const Iterator given = channel_of(samples, samples_in, channels, i);
                make(source_of(samples_call, "samples", channel_of(samples, channels, i), given, count));
            }
            first_level += (channel_bins + 1) * levels.value_type().size();
            counts += channel_bins * counters.size();
        }
    }
};

MultiHistogramRange::MultiHistogramRange(const Iterator& samples, int32_t channels, int32_t active_channels,
                                         const Type& levels, const Type& counters, const Execution& execution,
                                         const BuildOptions& options) {
    check_channels(algorithm, channels, active_channels, max_channels);
    require_real_number(algorithm, "samples", samples.value_type());
    require_real_number(algorithm, "levels", levels);
    require_wide_integers(algorithm, "counters", counters);
    if (execution.is_host()) {
        host_execution::check_available();
        host_execution::check_iterator(algorithm, "samples",
                                       channels == 1 ? samples : channel_of(samples, channels, 0));
    }
    state_ = std::make_shared<const State>(samples, channels, active_channels, levels, counters, execution, options);
}

void MultiHistogramRange::operator()(core::StreamRef stream, const Input& samples, const Input& levels,
                                     const Output& histogram, std::span<const uint64_t> bins, uint64_t count,
                                     const CallOptions& options) const {
    const State& state = *state_;
    const uint64_t all_bins = checked_bins(bins, state.active);
    const uint64_t level_count = all_bins + bins.size();
    const auto channels = static_cast<uint64_t>(state.channels);
    check_count(operation, count, channels * state.samples.value_type().size());
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count * channels}, samples, levels, histogram, bins, all_bins,
                          count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count * channels};
    check_stream(call);
    check_input(call, "samples", state.samples, samples);
    check_input({operation, state.target.device(), stream, level_count}, "levels", state.levels, levels);
    check_output(call, "histogram", state.counters, histogram, all_bins);
    state.check_extents(extent_of("samples", samples, state.samples.value_type(), call.count), levels, level_count,
                        histogram, all_bins);
    core::BufferRef::from_handle(histogram.address(), all_bins * state.counters.size(), call.device.device_id())
        .fill(0, 4, stream);
    if (count == 0) return;
    const Program& program = state.programs.for_count(call.count);
    const bool are_few = all_bins <= most_private_bins;
    std::array<int32_t, max_channels> of_channels{};
    std::transform(bins.begin(), bins.end(), of_channels.begin(),
                   [](uint64_t each) { return static_cast<int32_t>(each); });
    launch_kernel(stream,
                  std::min(ceil_divide(count, program.tile_items), are_few ? program.few_blocks : program.many_blocks),
                  program.threads, are_few ? program.few : program.many,
                  Raw{samples.state(), state.samples.state().size()}, levels.address(), histogram.address(),
                  Raw{of_channels.data(), bins.size() * sizeof(int32_t)}, Offset{count, program.wide});
}

const Type& MultiHistogramRange::level_type() const {
    return state_->levels.value_type();
}

const Type& MultiHistogramRange::counter_type() const {
    return state_->counters;
}

int32_t MultiHistogramRange::active_channels() const {
    return state_->active;
}

std::string MultiHistogramRange::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
