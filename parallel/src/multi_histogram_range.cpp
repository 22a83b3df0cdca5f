// Each block counts its samples in shared memory, where the levels are too, and adds its counts to the result; where
// there are too many bins for that, it counts in the result.
#include "cuprum/parallel/multi_histogram_range.hpp"

#include <algorithm>
#include <array>

#include "channels.hpp"
#include "cuprum/pathfinder/error.hpp"

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

BuildRequest make_request(const Channels& of, Width width) {
    BuildRequest request;
    request.algorithm = algorithm;
    SourceBuilder source({});
    source.alias("sample_t", source.type(of.samples.value_type()));
    source.alias("samples_t", source.iterator(of.samples));
    source.alias("level_t", source.type(of.levels));
    // There is no atomic addition of signed integers of 64 bits; the unsigned one has the same bits.
    source.alias("counter_t", of.counters.size() == 8 ? "unsigned long long" : source.type(of.counters));
    source.alias("common_t", source.type(Type(of.common)));
    source.alias("offset_t", offset_type(width));
    source.line("constexpr int most_private_bins = " + std::to_string(most_private_bins) + ";");
    source.line("constexpr int channels = " + std::to_string(of.count) +
                ", active_channels = " + std::to_string(of.active) + ";");
    source.line(kernels);
    request.source = source.text();
    request.linked = source.linked();
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
uint64_t checked_bins(const Channels& channels, std::span<const uint64_t> bins) {
    channels.check_one_each(operation, "numbers of bins", bins.size());
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
    Channels channels;
    Iterator levels;
    Programs<Program> programs;

    State(const Iterator& samples, int32_t count, int32_t active, const Type& levels_, const Type& counters,
          const Execution& execution, const BuildOptions& options)
        : channels(algorithm, "levels", samples, count, active, levels_, counters, execution, options),
          levels(Iterator::pointer(levels_)),
          programs(channels.target, [this](Width width) { return make_request(channels, width); }) {}

    void refuse_overlapping_levels(const Input& levels_in, uint64_t level_count, const Output& histogram,
                                   uint64_t all_bins) const {
        refuse_overlap(operation, extent_of("levels", levels_in, channels.levels, level_count),
                       extent_of("histogram", histogram, channels.counters, all_bins));
    }

    // `call`: of as many elements as there are samples.
    void run_on_host(const HostCall& call, const Input& samples_in, const Input& levels_in, const Output& histogram,
                     std::span<const uint64_t> bins, uint64_t all_bins, uint64_t count) const {
        using namespace host_execution;
        const uint64_t level_count = all_bins + bins.size();
        source_of(call, "levels", levels, levels_in, level_count);
        refuse_overlapping_levels(levels_in, level_count, histogram, all_bins);
        core::DevicePointer first_level = levels_in.address();
        channels.count_on_host(
            call, samples_in, histogram, bins, [&](int32_t channel, const host::Source& samples, std::byte* counts) {
                const uint64_t own_bins = bins[static_cast<size_t>(channel)];
                const Iterator given = Iterator::pointer(channels.levels, first_level);
                const host::Source own_levels = source_of(call, "levels", levels, given, own_bins + 1);
                check(host_functions().histogram_range(&samples, count, static_cast<host::TypeNumber>(channels.common),
                                                       &own_levels, own_bins, channels.counters.size(), counts),
                      call);
                first_level += (own_bins + 1) * channels.levels.size();
            });
    }
};

MultiHistogramRange::MultiHistogramRange(const Iterator& samples, int32_t channels, int32_t active_channels,
                                         const Type& levels, const Type& counters, const Execution& execution,
                                         const BuildOptions& options)
    : state_(std::make_shared<const State>(samples, channels, active_channels, levels, counters, execution, options)) {}

void MultiHistogramRange::operator()(core::StreamRef stream, const Input& samples, const Input& levels,
                                     const Output& histogram, std::span<const uint64_t> bins, uint64_t count,
                                     const CallOptions& options) const {
    const State& state = *state_;
    const Channels& channels = state.channels;
    const uint64_t all_bins = checked_bins(channels, bins);
    const uint64_t level_count = all_bins + bins.size();
    const auto channel_count = static_cast<uint64_t>(channels.count);
    check_count(operation, count, channel_count * channels.samples.value_type().size());
    if (channels.target.is_host()) {
        state.run_on_host({operation, stream, options, count * channel_count}, samples, levels, histogram, bins,
                          all_bins, count);
        return;
    }
    const Call call{operation, channels.target.device(), stream, count * channel_count};
    channels.check_device_call(call, samples, histogram, all_bins);
    check_input({operation, channels.target.device(), stream, level_count}, "levels", state.levels, levels);
    state.refuse_overlapping_levels(levels, level_count, histogram, all_bins);
    channels.clear(call, histogram, all_bins);
    if (count == 0) return;
    const Program& program = state.programs.for_count(call.count);
    const bool are_few = all_bins <= most_private_bins;
    std::array<int32_t, max_channels> of_channels{};
    std::transform(bins.begin(), bins.end(), of_channels.begin(),
                   [](uint64_t each) { return static_cast<int32_t>(each); });
    launch_kernel(stream,
                  std::min(ceil_divide(count, program.tile_items), are_few ? program.few_blocks : program.many_blocks),
                  program.threads, are_few ? program.few : program.many,
                  Raw{samples.state(), channels.samples.state().size()}, levels.address(), histogram.address(),
                  Raw{of_channels.data(), bins.size() * sizeof(int32_t)}, Offset{count, program.wide});
}

const Type& MultiHistogramRange::level_type() const {
    return state_->channels.levels;
}

const Type& MultiHistogramRange::counter_type() const {
    return state_->channels.counters;
}

int32_t MultiHistogramRange::active_channels() const {
    return state_->channels.active;
}

std::string MultiHistogramRange::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
