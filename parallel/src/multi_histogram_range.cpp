// Bins are few where those of all channels, and their levels, have room in shared memory.
#include "cuprum/parallel/multi_histogram_range.hpp"

#include <algorithm>
#include <array>

#include "channels.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "over_channels.hpp"

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
    samples_t samples, counter_t* out, const level_t* levels, channels_t of, offset_t n) {
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
    samples_t samples, counter_t* out, const level_t* levels, channels_t of, offset_t n) {
    count_samples(samples, levels, out, of, n);
})";

BuildRequest make_request(const Channels& of, Width width) {
    SourceBuilder source({});
    of.describe(source);
    source.alias("level_t", source.type(of.levels));
    source.alias("offset_t", offset_type(width));
    source.line("constexpr int most_private_bins = " + std::to_string(most_private_bins) + ";");
    source.line(kernels);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_histogram_range_few", "cuprum_histogram_range_many"};
    request.constants = {{"threads", "threads"}, {"pixels per thread", "items"}};
    return request;
}

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

struct MultiHistogramRange::State : MultiHistogram {
    using MultiHistogram::MultiHistogram;

    Iterator levels_built = Iterator::pointer(levels);

    void refuse_overlapping_levels(const Input& levels_in, uint64_t level_count, const Output& histogram,
                                   uint64_t all_bins) const {
        refuse_overlap(operation, extent_of("levels", levels_in, levels, level_count),
                       extent_of("histogram", histogram, counters, all_bins));
    }

    // `call`: of as many elements as there are samples.
    void run_on_host(const HostCall& call, const Input& samples_in, const Input& levels_in, const Output& histogram,
                     std::span<const uint64_t> bins, uint64_t all_bins, uint64_t pixels) const {
        using namespace host_execution;
        const uint64_t level_count = all_bins + bins.size();
        source_of(call, "levels", levels_built, levels_in, level_count);
        refuse_overlapping_levels(levels_in, level_count, histogram, all_bins);
        core::DevicePointer first_level = levels_in.address();
        count_on_host(
            call, samples_in, histogram, bins,
            [&](int32_t channel, const host::Source& own_samples, std::byte* counts) {
                const uint64_t own_bins = bins[static_cast<size_t>(channel)];
                const Iterator given = Iterator::pointer(levels, first_level);
                const host::Source own_levels = source_of(call, "levels", levels_built, given, own_bins + 1);
                check(host_functions().histogram_range(&own_samples, pixels, static_cast<host::TypeNumber>(common),
                                                       &own_levels, own_bins, counters.size(), counts),
                      call);
                first_level += (own_bins + 1) * levels.size();
            });
    }
};

MultiHistogramRange::MultiHistogramRange(const Iterator& samples, int32_t channels, int32_t active_channels,
                                         const Type& levels, const Type& counters, const Execution& execution,
                                         const BuildOptions& options)
    : state_(std::make_shared<const State>(algorithm, "levels", make_request, samples, channels, active_channels,
                                           levels, counters, execution, options)) {}

void MultiHistogramRange::operator()(core::StreamRef stream, const Input& samples, const Input& levels,
                                     const Output& histogram, std::span<const uint64_t> bins, uint64_t count,
                                     const CallOptions& options) const {
    const State& state = *state_;
    const uint64_t all_bins = checked_bins(state, bins);
    const uint64_t level_count = all_bins + bins.size();
    const auto channels = static_cast<uint64_t>(state.count);
    check_count(operation, count, channels * state.samples.value_type().size());
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count * channels}, samples, levels, histogram, bins, all_bins,
                          count);
        return;
    }
    const Call call{operation, state.target.device(), stream, count * channels};
    state.check_device_call(call, samples, histogram, all_bins);
    check_input({operation, state.target.device(), stream, level_count}, "levels", state.levels_built, levels);
    state.refuse_overlapping_levels(levels, level_count, histogram, all_bins);
    std::array<int32_t, max_channels> of_channels{};
    std::transform(bins.begin(), bins.end(), of_channels.begin(),
                   [](uint64_t each) { return static_cast<int32_t>(each); });
    state.count_on_device(call, samples, histogram, all_bins, all_bins <= most_private_bins, levels.address(),
                          Raw{of_channels.data(), bins.size() * sizeof(int32_t)});
}

const Type& MultiHistogramRange::level_type() const {
    return state_->levels;
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

void multi_histogram_range(const HostInput& samples, int32_t channels, std::span<const uint64_t> bins,
                           const HostInput& levels, const HostOutput& histogram, const Execution& execution) {
    const Execution target = runnable(operation, execution);
    const auto built = histogram_of_channels<MultiHistogramRange>("multi_histogram_range", samples, channels, bins,
                                                                  levels.type, histogram.type, target);
    const uint64_t pixels = require_pixels(operation, samples.count, channels);
    require_counters(operation, bins, histogram.count);
    const uint64_t expected = histogram.count + bins.size();
    if (levels.count != expected) {
        throw InvalidArgument(operation, "levels",
                              "there are " + std::to_string(levels.count) + ", expected " + std::to_string(expected) +
                                  ": one more for each channel than it has bins");
    }
    run_over_arrays(operation, {.read = {samples, levels}, .written = {histogram}}, 0, nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) { built(stream, in[0], in[1], out[0], bins, pixels, options); });
}

}  // namespace cuprum::parallel
