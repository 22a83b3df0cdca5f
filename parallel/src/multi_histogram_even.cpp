// Bins are few where no channel has more than CUB keeps in shared memory.
#include "cuprum/parallel/multi_histogram_even.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "channels.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "even_bins.hpp"
#include "histogram.hpp"
#include "over_channels.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "histogram_even";
constexpr const char* operation = "making a histogram";
constexpr uint64_t most_private_bins = 256;  // of a channel; CUB's

// CUB's own kernels are in headers with other names from CCCL 3.1 on, and take what the host fills in: these run the
// same agent. CUB gives each block a copy of the many bins in device memory, too.
constexpr std::string_view kernels = R"(
namespace histogram = cub::detail::histogram;
using policy_t = histogram::policy_hub<sample_t, counter_t, channels, active_channels, true>::MaxPolicy::ActivePolicy::AgentHistogramPolicyT;
static_assert(!policy_t::IS_WORK_STEALING, "the agent's queue of tiles is not there");
struct decode_t {
    common_t lower, upper;
    scale_t scale;
    int bins;
    template <cub::CacheLoadModifier> __device__ __forceinline__ void BinSelect(sample_t sample, int& bin, bool is_valid) const {
        const common_t x = static_cast<common_t>(sample);
        if (!is_valid || !(x >= lower && x < upper)) return;
        if constexpr (is_float) {
            const int found = static_cast<int>((x - lower) * scale);
            bin = found < bins ? found : bins - 1;  // what rounding has put beyond the end
        } else {
            const scale_t offset = static_cast<bits_t>(static_cast<bits_t>(x) - static_cast<bits_t>(lower));
            bin = static_cast<int>(offset * static_cast<scale_t>(bins) / scale);
        }
    }
};
template <int PrivateBins> using agent_t = cub::detail::histogram::AgentHistogram<
    policy_t, PrivateBins, channels, active_channels, samples_t, counter_t, decode_t, decode_t, offset_t>;
struct decoders_t {
    decode_t of[active_channels];
};
template <int PrivateBins> __device__ __forceinline__ void count_samples(
    typename agent_t<PrivateBins>::TempStorage& storage, samples_t samples, counter_t* const* counts, decoders_t decoders,
    offset_t n) {
    counter_t* counters[active_channels];
    int bins[active_channels];
    #pragma unroll
    for (int channel = 0; channel < active_channels; ++channel) {
        bins[channel] = decoders.of[channel].bins;
        counters[channel] = counts[channel] - static_cast<long long>(blockIdx.x) * bins[channel];  // the agent adds as much
    }
    agent_t<PrivateBins> agent(storage, samples, bins, bins, counters, counters, decoders.of, decoders.of);
    agent.ConsumeTiles(n, 1, n * channels, 0, cub::GridQueue<int>{});
}
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_histogram_few(
    samples_t samples, counter_t* out, decoders_t decoders, offset_t n) {
    __shared__ typename agent_t<most_private_bins>::TempStorage storage;
    counter_t* counts[active_channels];
    #pragma unroll
    for (int channel = 0; channel < active_channels; ++channel) {
        counts[channel] = storage.Alias().histograms[channel];
        for (int bin = threadIdx.x; bin < decoders.of[channel].bins; bin += policy_t::BLOCK_THREADS) counts[channel][bin] = 0;
    }
    __syncthreads();
    count_samples<most_private_bins>(storage, samples, counts, decoders, n);
    __syncthreads();
    #pragma unroll
    for (int channel = 0; channel < active_channels; ++channel) {
        for (int bin = threadIdx.x; bin < decoders.of[channel].bins; bin += policy_t::BLOCK_THREADS) {
            if (counts[channel][bin] != 0) atomicAdd(out + bin, counts[channel][bin]);
        }
        out += decoders.of[channel].bins;
    }
}
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_histogram_many(
    samples_t samples, counter_t* out, decoders_t decoders, offset_t n) {
    __shared__ typename agent_t<0>::TempStorage storage;
    counter_t* counts[active_channels];
    #pragma unroll
    for (int channel = 0; channel < active_channels; ++channel) {
        counts[channel] = out;
        out += decoders.of[channel].bins;
    }
    count_samples<0>(storage, samples, counts, decoders, n);
})";

BuildRequest make_request(const Channels& of, Width width) {
    SourceBuilder source({"cub/agent/agent_histogram.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_histogram.cuh>");
    of.describe(source);
    source.alias("bits_t", Type(of.common).size() == 4 ? "unsigned int" : "unsigned long long");
    source.alias("scale_t", is_float_kind(of.common) ? "common_t" : "unsigned long long");
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.line(std::string("constexpr bool is_float = ") + (is_float_kind(of.common) ? "true;" : "false;"));
    source.line("constexpr int most_private_bins = " + std::to_string(most_private_bins) + ";");
    source.line(kernels);
    BuildRequest request(algorithm, source);
    request.kernels = {"cuprum_histogram_few", "cuprum_histogram_many"};
    request.constants = {{"threads", "policy_t::BLOCK_THREADS"}, {"pixels per thread", "policy_t::PIXELS_PER_THREAD"}};
    return request;
}

using BinsOfChannels = std::array<EvenBins, MultiHistogramEven::max_channels>;

// The kernels' decoders_t.
class Decoders {
public:
    Decoders(std::span<const EvenBins> channels, TypeKind common) {
        const uint64_t common_size = Type(common).size();
        const uint64_t scale_size = is_float_kind(common) ? common_size : sizeof(uint64_t);
        Layout decoder;
        const uint64_t lower = append(decoder, {common_size, common_size});
        const uint64_t upper = append(decoder, {common_size, common_size});
        const uint64_t scale = append(decoder, {scale_size, scale_size});
        const uint64_t bins = append(decoder, {sizeof(int32_t), sizeof(int32_t)});
        for (const EvenBins& channel : channels) {
            std::byte* const to = bytes_.data() + size_;
            std::memcpy(to + lower, channel.lower.data(), common_size);
            std::memcpy(to + upper, channel.upper.data(), common_size);
            std::memcpy(to + scale, channel.scale.data(), scale_size);
            std::memcpy(to + bins, &channel.count, sizeof(channel.count));
            size_ += align_up(decoder.size, decoder.alignment);
        }
    }
    Raw bytes() const { return {bytes_.data(), size_}; }

private:
    static constexpr size_t most_bytes = 32;  // three numbers of 8 bytes and one of 4
    std::array<std::byte, MultiHistogramEven::max_channels * most_bytes> bytes_{};
    uint64_t size_ = 0;
};

}  // namespace

struct MultiHistogramEven::State : MultiHistogram {
    using MultiHistogram::MultiHistogram;

    BinsOfChannels bins_of_call(std::span<const uint64_t> bins, std::span<const Value> lower,
                                std::span<const Value> upper) const {
        check_one_each(operation, "numbers of bins", bins.size());
        check_one_each(operation, "lower bounds", lower.size());
        check_one_each(operation, "upper bounds", upper.size());
        BinsOfChannels of_channels;
        for (size_t i = 0; i < bins.size(); ++i) {
            for (const Value* const bound : {&lower[i], &upper[i]}) {
                if (bound->type() == levels) continue;
                throw InvalidArgument(
                    operation, "bounds of the bins",
                    "one is of type " + bound->type().text() + ", the algorithm was built for " + levels.text());
            }
            of_channels[i] = even_bins(common, bins[i], lower[i], upper[i]);
        }
        return of_channels;
    }

    // `call`: of as many elements as there are samples.
    void run_on_host(const HostCall& call, const Input& samples_in, const Output& histogram,
                     std::span<const uint64_t> bins, const BinsOfChannels& of_call, uint64_t pixels) const {
        count_on_host(call, samples_in, histogram, bins,
                      [&](int32_t channel, const host::Source& own_samples, std::byte* counts) {
                          const EvenBins& own = of_call[static_cast<size_t>(channel)];
                          host_execution::check(host_functions().histogram_even(
                                                    &own_samples, pixels, static_cast<host::TypeNumber>(common),
                                                    own.lower.data(), own.upper.data(), own.scale.data(),
                                                    static_cast<uint64_t>(own.count), counters.size(), counts),
                                                call);
                      });
    }
};

MultiHistogramEven::MultiHistogramEven(const Iterator& samples, int32_t channels, int32_t active_channels,
                                       const Type& levels, const Type& counters, const Execution& execution,
                                       const BuildOptions& options)
    : state_(std::make_shared<const State>(algorithm, "bounds", make_request, samples, channels, active_channels,
                                           levels, counters, execution, options)) {}

void MultiHistogramEven::operator()(core::StreamRef stream, const Input& samples, const Output& histogram,
                                    std::span<const uint64_t> bins, std::span<const Value> lower,
                                    std::span<const Value> upper, uint64_t count, const CallOptions& options) const {
    const State& state = *state_;
    const BinsOfChannels of_call = state.bins_of_call(bins, lower, upper);
    const auto channels = static_cast<uint64_t>(state.count);
    check_count(operation, count, channels * sample_type().size());
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count * channels}, samples, histogram, bins, of_call, count);
        return;
    }
    const uint64_t all_bins = std::accumulate(bins.begin(), bins.end(), uint64_t{0});
    const Call call{operation, state.target.device(), stream, count * channels};
    state.check_device_call(call, samples, histogram, all_bins);
    const Decoders decoders{std::span(of_call).first(bins.size()), state.common};
    state.count_on_device(call, samples, histogram, all_bins,
                          *std::max_element(bins.begin(), bins.end()) <= most_private_bins, decoders.bytes());
}

const Type& MultiHistogramEven::sample_type() const {
    return state_->samples.value_type();
}
const Type& MultiHistogramEven::level_type() const {
    return state_->levels;
}
const Type& MultiHistogramEven::counter_type() const {
    return state_->counters;
}
int32_t MultiHistogramEven::active_channels() const {
    return state_->active;
}

std::string MultiHistogramEven::save() const {
    return state_->programs.save();
}

void multi_histogram_even(const HostInput& samples, int32_t channels, std::span<const uint64_t> bins,
                          const HostInput& lower, const HostInput& upper, const HostOutput& histogram,
                          const Execution& execution) {
    const Execution target = runnable(operation, execution);
    require_same_type(operation, "upper bounds", upper.type, lower.type);
    const auto built = histogram_of_channels<MultiHistogramEven>("multi_histogram_even", samples, channels, bins,
                                                                 lower.type, histogram.type, target);
    const uint64_t pixels = require_pixels(operation, samples.count, channels);
    require_counters(operation, bins, histogram.count);
    const std::vector<Value> lower_bounds = values_of(operation, lower), upper_bounds = values_of(operation, upper);
    run_over_arrays(operation, {.read = {samples}, .written = {histogram}}, 0, nullptr, target,
                    [&](const core::StreamRef& stream, const std::vector<Input>& in, const std::vector<Output>& out,
                        const CallOptions& options) {
                        built(stream, in[0], out[0], bins, lower_bounds, upper_bounds, pixels, options);
                    });
}

}  // namespace cuprum::parallel
