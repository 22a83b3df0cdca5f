// Each block counts its samples in shared memory, where the levels are too, and adds its counts to the result; where
// there are too many bins for that, it counts in the result.
#include "cuprum/parallel/histogram_range.hpp"

#include <algorithm>

#include "call.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "histogram.hpp"
#include "host_execution.hpp"
#include "integers.hpp"

namespace cuprum::parallel {

namespace {

constexpr const char* algorithm = "histogram_range";
constexpr const char* operation = "making a histogram of ranges";
constexpr uint64_t most_private_bins = 1024;

// A sample's bin is found by bisection.
constexpr std::string_view kernels = R"(
constexpr int threads = 256;
constexpr int items = sizeof(sample_t) >= 8 ? 4 : 8;
constexpr int tile_items = threads * items;
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
template <class Levels> __device__ __forceinline__ void count_samples(
    const samples_t& samples, const Levels& levels, counter_t* counts, int bins, offset_t n) {
    const offset_t step = static_cast<offset_t>(gridDim.x) * tile_items;
    for (offset_t begin = static_cast<offset_t>(blockIdx.x) * tile_items; begin < n; begin += step) {
        common_t own[items];
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const offset_t at = begin + i * threads + threadIdx.x;
            own[i] = static_cast<common_t>(samples[at < n ? at : n - 1]);
        }
        #pragma unroll
        for (int i = 0; i < items; ++i) {
            const int bin = bin_of(own[i], levels, bins);
            if (begin + i * threads + threadIdx.x < n && bin >= 0 && bin < bins) atomicAdd(counts + bin, counter_t{1});
        }
    }
}
__global__ __launch_bounds__(threads) void cuprum_histogram_range_few(
    samples_t samples, const level_t* levels, counter_t* out, int bins, offset_t n) {
    __shared__ counter_t counts[most_private_bins];
    __shared__ common_t own_levels[most_private_bins + 1];
    for (int bin = threadIdx.x; bin <= bins; bin += threads) {
        own_levels[bin] = static_cast<common_t>(levels[bin]);
        if (bin < bins) counts[bin] = 0;
    }
    __syncthreads();
    count_samples(samples, own_levels, counts, bins, n);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += threads) {
        if (counts[bin] != 0) atomicAdd(out + bin, counts[bin]);
    }
}
__global__ __launch_bounds__(threads) void cuprum_histogram_range_many(
    samples_t samples, const level_t* levels, counter_t* out, int bins, offset_t n) {
    count_samples(samples, levels, out, bins, n);
})";

BuildRequest make_request(const Iterator& samples, const Type& levels, TypeKind common, const Type& counters,
                          Width width) {
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

void check_bins(uint64_t bins) {
    if (bins < 1 || bins >= INT32_MAX)
        throw InvalidArgument(operation, std::to_string(bins) + " bins", "expected 1 to 2147483646");
}

}  // namespace

struct HistogramRange::State {
    Target target;
    Iterator samples, levels;
    Type counters;
    TypeKind common;
    Programs<Program> programs;

    State(const Iterator& samples_, const Type& levels_, const Type& counters_, const Execution& execution,
          const BuildOptions& options)
        : target(execution, options),
          samples(samples_),
          levels(Iterator::pointer(levels_)),
          counters(counters_),
          common(common_kind(samples.value_type().kind(), levels_.kind())),
          programs(target, [this](Width width) {
              return make_request(samples, levels.value_type(), common, counters, width);
          }) {}

    void check_extents(const Extent& samples_in, const Input& levels_in, const Output& histogram, uint64_t bins) const {
        const Extent counts = extent_of("histogram", histogram, counters, bins);
        refuse_overlap(operation, samples_in, counts);
        refuse_overlap(operation, extent_of("levels", levels_in, levels.value_type(), bins + 1), counts);
    }

    void run_on_host(const HostCall& call, const Input& samples_in, const Input& levels_in, const Output& histogram,
                     uint64_t bins) const {
        using namespace host_execution;
        check_call(call, call.options.op);
        const host::Source source = source_of(call, "samples", samples, samples_in, call.count);
        const host::Source of_levels = source_of(call, "levels", levels, levels_in, bins + 1);
        void* const counts = target_of(call, "histogram", counters, histogram, bins);
        check_extents(extent_of("samples", source, call.count), levels_in, histogram, bins);
        check(host_functions().histogram_range(&source, call.count, static_cast<host::TypeNumber>(common), &of_levels,
                                               bins, counters.size(), counts),
              call);
    }
};

HistogramRange::HistogramRange(const Iterator& samples, const Type& levels, const Type& counters,
                               const Execution& execution, const BuildOptions& options) {
    require_real_number(algorithm, "samples", samples.value_type());
    require_real_number(algorithm, "levels", levels);
    require_wide_integers(algorithm, "counters", counters);
    if (execution.is_host()) {
        host_execution::check_available();
        host_execution::check_iterator(algorithm, "samples", samples);
    }
    state_ = std::make_shared<const State>(samples, levels, counters, execution, options);
}

void HistogramRange::operator()(core::StreamRef stream, const Input& samples, const Input& levels,
                                const Output& histogram, uint64_t bins, uint64_t count,
                                const CallOptions& options) const {
    const State& state = *state_;
    check_bins(bins);
    if (state.target.is_host()) {
        state.run_on_host({operation, stream, options, count}, samples, levels, histogram, bins);
        return;
    }
    const Call call{operation, state.target.device(), stream, count};
    check_stream(call);
    check_input(call, "samples", state.samples, samples);
    check_input({operation, state.target.device(), stream, bins + 1}, "levels", state.levels, levels);
    check_output(call, "histogram", state.counters, histogram, bins);
    state.check_extents(extent_of("samples", samples, state.samples.value_type(), count), levels, histogram, bins);
    core::BufferRef::from_handle(histogram.address(), bins * state.counters.size(), call.device.device_id())
        .fill(0, 4, stream);
    if (count == 0) return;
    const Program& program = state.programs.for_count(count);
    const bool are_few = bins <= most_private_bins;
    launch_kernel(
        stream, std::min(ceil_divide(count, program.tile_items), are_few ? program.few_blocks : program.many_blocks),
        program.threads, are_few ? program.few : program.many, Raw{samples.state(), state.samples.state().size()},
        levels.address(), histogram.address(), static_cast<int32_t>(bins), Offset{count, program.wide});
}

const Type& HistogramRange::level_type() const {
    return state_->levels.value_type();
}

const Type& HistogramRange::counter_type() const {
    return state_->counters;
}

std::string HistogramRange::save() const {
    return state_->programs.save();
}

}  // namespace cuprum::parallel
