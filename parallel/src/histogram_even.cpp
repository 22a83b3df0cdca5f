// Each block counts its samples in shared memory, and adds its counts to the result; where there are more bins than
// CUB keeps in shared memory, it counts in the result.
#include "cuprum/parallel/histogram_even.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "histogram.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "histogram_even";
constexpr const char* operation = "making a histogram";
constexpr uint64_t most_private_bins = 256;  // CUB's

// CUB's own kernels are in headers with other names from CCCL 3.1 on, and take what the host fills in: these run the
// same agent. CUB gives each block a copy of the many bins in device memory, too.
constexpr std::string_view kernels = R"(
namespace histogram = cub::detail::histogram;
using policy_t = histogram::policy_hub<sample_t, counter_t, 1, 1, true>::MaxPolicy::ActivePolicy::AgentHistogramPolicyT;
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
    policy_t, PrivateBins, 1, 1, samples_t, counter_t, decode_t, decode_t, offset_t>;
template <int PrivateBins> __device__ __forceinline__ void count_samples(
    typename agent_t<PrivateBins>::TempStorage& storage, samples_t samples, counter_t* counts, decode_t decode, offset_t n) {
    counter_t* counters[1] = {counts - static_cast<long long>(blockIdx.x) * decode.bins};  // the agent adds as much
    int bins[1] = {decode.bins};
    agent_t<PrivateBins> agent(storage, samples, bins, bins, counters, counters, &decode, &decode);
    agent.ConsumeTiles(n, 1, n, 0, cub::GridQueue<int>{});
}
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_histogram_few(
    samples_t samples, counter_t* out, common_t lower, common_t upper, scale_t scale, int bins, offset_t n) {
    __shared__ typename agent_t<most_private_bins>::TempStorage storage;
    counter_t* const counts = storage.Alias().histograms[0];
    for (int bin = threadIdx.x; bin < bins; bin += policy_t::BLOCK_THREADS) counts[bin] = 0;
    __syncthreads();
    count_samples<most_private_bins>(storage, samples, counts, decode_t{lower, upper, scale, bins}, n);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += policy_t::BLOCK_THREADS) {
        if (counts[bin] != 0) atomicAdd(out + bin, counts[bin]);
    }
}
__global__ __launch_bounds__(policy_t::BLOCK_THREADS) void cuprum_histogram_many(
    samples_t samples, counter_t* out, common_t lower, common_t upper, scale_t scale, int bins, offset_t n) {
    __shared__ typename agent_t<0>::TempStorage storage;
    count_samples<0>(storage, samples, out, decode_t{lower, upper, scale, bins}, n);
})";

template <class T>
T read(const void* data) {
    T value;
    std::memcpy(&value, data, sizeof(value));
    return value;
}

double half_to_double(uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f;
    const int mantissa = bits & 0x3ff;
    double value = std::ldexp(mantissa + (exponent == 0 ? 0 : 1024), (exponent == 0 ? 1 : exponent) - 25);
    if (exponent == 0x1f) value = mantissa == 0 ? HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -value : value;
}

// A bound as one of the common type.
template <class Common>
Common bound_of(const Value& value) {
    const void* const data = value.data();
    switch (value.type().kind()) {
        case TypeKind::int8:
            return static_cast<Common>(read<int8_t>(data));
        case TypeKind::int16:
            return static_cast<Common>(read<int16_t>(data));
        case TypeKind::int32:
            return static_cast<Common>(read<int32_t>(data));
        case TypeKind::int64:
            return static_cast<Common>(read<int64_t>(data));
        case TypeKind::uint8:
            return static_cast<Common>(read<uint8_t>(data));
        case TypeKind::uint16:
            return static_cast<Common>(read<uint16_t>(data));
        case TypeKind::uint32:
            return static_cast<Common>(read<uint32_t>(data));
        case TypeKind::uint64:
            return static_cast<Common>(read<uint64_t>(data));
        case TypeKind::float16:
            return static_cast<Common>(half_to_double(read<uint16_t>(data)));
        case TypeKind::bfloat16:
            return static_cast<Common>(std::bit_cast<float>(uint32_t{read<uint16_t>(data)} << 16));
        case TypeKind::float32:
            return static_cast<Common>(read<float>(data));
        default:
            return static_cast<Common>(read<double>(data));
    }
}

// The bins of one call, as the kernels and libcuprum_host are passed them: two bounds, and what an offset is multiplied
// with (floating point), or divided by (integers).
struct Bins {
    std::array<std::byte, 8> lower{}, upper{}, scale{};
    int32_t count = 0;
};

template <class Common>
Bins bins_of(uint64_t count, const Value& lower, const Value& upper) {
    const auto refuse = [](const std::string& detail) {
        throw InvalidArgument(operation, "bounds of the bins", detail,
                              "give a lower bound that is below the upper one");
    };
    const auto low = bound_of<Common>(lower);
    const auto high = bound_of<Common>(upper);
    const auto text = [](Common bound) { return std::to_string(bound); };
    if (!(low < high)) refuse("the lower one is " + text(low) + " and the upper one " + text(high));
    Bins bins;
    bins.count = static_cast<int32_t>(count);
    const auto store = [](std::array<std::byte, 8>& to, auto value) { std::memcpy(to.data(), &value, sizeof(value)); };
    store(bins.lower, low);
    store(bins.upper, high);
    if constexpr (std::is_floating_point_v<Common>) {
        const Common range = high - low;
        if (!std::isfinite(range)) refuse("from " + text(low) + " to " + text(high) + " there is no finite distance");
        store(bins.scale, static_cast<Common>(static_cast<Common>(count) / range));
    } else {
        using Unsigned = std::make_unsigned_t<Common>;
        const uint64_t range = static_cast<Unsigned>(static_cast<Unsigned>(high) - static_cast<Unsigned>(low));
        if (range - 1 > UINT64_MAX / count) {  // what an offset is at most
            throw InvalidArgument(
                operation, std::to_string(count) + " bins",
                "with a distance of " + std::to_string(range) + " between the bounds their product exceeds 64 bits",
                "make the histogram for floating-point bounds, or of fewer bins");
        }
        store(bins.scale, range);
    }
    return bins;
}

Bins make_bins(TypeKind common, uint64_t count, const Value& lower, const Value& upper) {
    if (count < 1 || count > INT32_MAX) {
        throw InvalidArgument(operation, std::to_string(count) + " bins", "expected 1 to 2147483647");
    }
    switch (common) {
        case TypeKind::int32:
            return bins_of<int32_t>(count, lower, upper);
        case TypeKind::uint32:
            return bins_of<uint32_t>(count, lower, upper);
        case TypeKind::int64:
            return bins_of<int64_t>(count, lower, upper);
        case TypeKind::uint64:
            return bins_of<uint64_t>(count, lower, upper);
        case TypeKind::float32:
            return bins_of<float>(count, lower, upper);
        default:
            return bins_of<double>(count, lower, upper);
    }
}

BuildRequest make_request(const Iterator& samples, TypeKind common, const Type& counters, Width width) {
    BuildRequest request;
    request.algorithm = "histogram_even";
    SourceBuilder source({"cub/agent/agent_histogram.cuh"});
    source.line(policy_wrapper);
    source.line("#include <cub/device/dispatch/tuning/tuning_histogram.cuh>");
    source.alias("sample_t", source.type(samples.value_type()));
    source.alias("samples_t", source.iterator(samples));
    // There is no atomic addition of signed integers of 64 bits; the unsigned one has the same bits.
    source.alias("counter_t", counters.size() == 8 ? "unsigned long long" : source.type(counters));
    source.alias("common_t", source.type(Type(common)));
    source.alias("bits_t", Type(common).size() == 4 ? "unsigned int" : "unsigned long long");
    source.alias("scale_t", is_float_kind(common) ? "common_t" : "unsigned long long");
    source.alias("offset_t", width == Width::narrow ? "int" : "long long");
    source.line(std::string("constexpr bool is_float = ") + (is_float_kind(common) ? "true;" : "false;"));
    source.line("constexpr int most_private_bins = " + std::to_string(most_private_bins) + ";");
    source.line(kernels);
    request.source = source.text();
    request.linked = source.linked();
    request.kernels = {"cuprum_histogram_few", "cuprum_histogram_many"};
    request.constants = {{"threads", "policy_t::BLOCK_THREADS"}, {"items per thread", "policy_t::PIXELS_PER_THREAD"}};
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
          tile_items(compiled.positive_size("threads") * compiled.positive_size("items per thread")),
          few_blocks(resident_blocks(device, few, threads)),
          many_blocks(resident_blocks(device, many, threads)),
          wide(width == Width::wide) {}
};

}  // namespace

struct HistogramEven::State {
    Target target;
    Iterator samples;
    Type levels, counters;
    TypeKind common;
    Programs<Program> programs;

    State(const Iterator& samples_, const Type& levels_, const Type& counters_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options),
          samples(samples_),
          levels(levels_),
          counters(counters_),
          common(common_kind(samples.value_type().kind(), levels.kind())),
          programs(target, [this](Width width) { return make_request(samples, common, counters, width); }) {}

    void run_on_host(const HostCall& call, const Input& samples_in, const Output& histogram, const Bins& bins) const {
        using namespace host_execution;
        check_call(call, call.options.op);
        const host::Source source = source_of(call, "samples", samples, samples_in, call.count);
        const auto bin_count = static_cast<uint64_t>(bins.count);
        void* const counts = target_of(call, "histogram", counters, histogram, bin_count);
        refuse_overlap(operation, extent_of("samples", source, call.count),
                       extent_of("histogram", histogram, counters, bin_count));
        check(host_functions().histogram_even(&source, call.count, static_cast<host::TypeNumber>(common),
                                              bins.lower.data(), bins.upper.data(), bins.scale.data(), bin_count,
                                              counters.size(), counts),
              call);
    }
};

HistogramEven::HistogramEven(const Iterator& samples, const Type& levels, const Type& counters,
                             const Execution& execution, const BuildOptions& options) {
    require_real_number(algorithm, "samples", samples.value_type());
    require_real_number(algorithm, "bounds", levels);
    const TypeKind kind = counters.kind();
    if (kind != TypeKind::int32 && kind != TypeKind::uint32 && kind != TypeKind::int64 && kind != TypeKind::uint64) {
        throw InvalidArgument("building histogram_even", "counters of type " + counters.name(),
                              "expected int32, uint32, int64 or uint64");
    }
    if (execution.is_host()) {
        host_execution::check_available();
        host_execution::check_iterator("histogram_even", "samples", samples);
    }
    state_ = std::make_shared<const State>(samples, levels, counters, execution, options);
}

void HistogramEven::operator()(core::StreamRef stream, const Input& samples, const Output& histogram, uint64_t bins,
                               const Value& lower, const Value& upper, uint64_t count,
                               const CallOptions& options) const {
    const State& state = *state_;
    for (const Value* const bound : {&lower, &upper}) {
        if (bound->type() != state.levels) {
            throw InvalidArgument(
                operation, "bounds of the bins",
                "one is of type " + bound->type().text() + ", the algorithm was built for " + state.levels.text());
        }
    }
    const Bins of_call = make_bins(state.common, bins, lower, upper);
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, samples, histogram, of_call);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "samples", state.samples, samples);
    check_output(call, "histogram", state.counters, histogram, bins);
    refuse_overlap(operation, extent_of("samples", samples, sample_type(), count),
                   extent_of("histogram", histogram, state.counters, bins));
    core::BufferRef::from_handle(histogram.address(), bins * state.counters.size(), call.device.device_id())
        .fill(0, 4, stream);
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const bool are_few = bins <= most_private_bins;
    const uint64_t blocks =
        std::min(ceil_divide(count, program.tile_items), are_few ? program.few_blocks : program.many_blocks);
    const uint64_t common_size = Type(state.common).size();
    const uint64_t scale_size = is_float_kind(state.common) ? common_size : sizeof(uint64_t);
    launch_kernel(stream, blocks, program.threads, are_few ? program.few : program.many,
                  Raw{samples.state(), state.samples.state().size()}, histogram.address(),
                  Raw{of_call.lower.data(), common_size}, Raw{of_call.upper.data(), common_size},
                  Raw{of_call.scale.data(), scale_size}, of_call.count, Offset{count, program.wide});
}

const Type& HistogramEven::sample_type() const {
    return state_->samples.value_type();
}
const Type& HistogramEven::level_type() const {
    return state_->levels;
}
const Type& HistogramEven::counter_type() const {
    return state_->counters;
}

std::string HistogramEven::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
