#include "channels.hpp"

#include <numeric>
#include <string>

#include "cuprum/parallel/multi_histogram_even.hpp"
#include "cuprum/parallel/multi_histogram_range.hpp"
#include "cuprum/pathfinder/error.hpp"
#include "histogram.hpp"
#include "integers.hpp"

namespace cuprum::parallel {

namespace {

constexpr int32_t most_channels = MultiHistogramEven::max_channels;
static_assert(MultiHistogramRange::max_channels == most_channels);

void check_numbers(const char* algorithm, int32_t count, int32_t active) {
    if (count >= 1 && count <= most_channels && active >= 1 && active <= count) return;
    throw InvalidArgument(std::string("building ") + algorithm, "channels",
                          "there are " + std::to_string(count) + ", of which " + std::to_string(active) +
                              " are counted; expected 1 to " + std::to_string(most_channels) +
                              ", and at most as many counted");
}

}  // namespace

Channels::Channels(const char* algorithm, const char* bounds, const Iterator& samples_, int32_t count_, int32_t active_,
                   const Type& levels_, const Type& counters_, const Execution& execution, const BuildOptions& options)
    : target(execution, options),
      samples(samples_),
      count(count_),
      active(active_),
      levels(levels_),
      counters(counters_),
      common([&] {
          check_numbers(algorithm, count, active);
          require_real_number(algorithm, "samples", samples.value_type());
          require_real_number(algorithm, bounds, levels);
          require_wide_integers(algorithm, "counters", counters);
          return common_kind(samples.value_type().kind(), levels.kind());
      }()) {
    if (!execution.is_host()) return;
    host_execution::check_available();
    host_execution::check_iterator(algorithm, "samples", count == 1 ? samples : channel(samples, 0));
}

void Channels::check_one_each(const char* operation, const char* what, size_t given) const {
    if (given == static_cast<size_t>(active)) return;
    throw InvalidArgument(operation, what,
                          std::to_string(given) + " given, and the algorithm was built for " + std::to_string(active) +
                              " channels that are counted");
}

void Channels::check_device_call(const Call& call, const Input& samples_in, const Output& histogram,
                                 uint64_t all_bins) const {
    check_stream(call);
    check_input(call, "samples", samples, samples_in);
    check_output(call, "histogram", counters, histogram, all_bins);
    refuse_overlap(call.operation, extent_of("samples", samples_in, samples.value_type(), call.count),
                   extent_of("histogram", histogram, counters, all_bins));
}

void Channels::clear(const Call& call, const Output& histogram, uint64_t all_bins) const {
    core::BufferRef::from_handle(histogram.address(), all_bins * counters.size(), call.device.device_id())
        .fill(0, 4, call.stream);
}

host::Source Channels::checked_source(const HostCall& call, const Input& samples_in, const Output& histogram,
                                      std::span<const uint64_t> bins) const {
    using namespace host_execution;
    check_call(call, call.options.op);
    const uint64_t all_bins = std::accumulate(bins.begin(), bins.end(), uint64_t{0});
    const host::Source source = source_of(call, "samples", samples, samples_in, call.count);
    target_of(call, "histogram", counters, histogram, all_bins);
    refuse_overlap(call.operation, extent_of("samples", source, call.count),
                   extent_of("histogram", histogram, counters, all_bins));
    return source;
}

void Channels::describe(SourceBuilder& source) const {
    source.alias("sample_t", source.type(samples.value_type()));
    source.alias("samples_t", source.iterator(samples));
    // There is no atomic addition of signed integers of 64 bits; the unsigned one has the same bits.
    source.alias("counter_t", counters.size() == 8 ? "unsigned long long" : source.type(counters));
    source.alias("common_t", source.type(Type(common)));
    source.line("constexpr int channels = " + std::to_string(count) + ", active_channels = " + std::to_string(active) +
                ";");
}

HistogramProgram::HistogramProgram(const core::Device& device, const CompiledProgram& compiled, Width width)
    : few(compiled.kernel(0)),
      many(compiled.kernel(1)),
      threads(compiled.positive("threads")),
      tile_pixels(compiled.positive_size("threads") * compiled.positive_size("pixels per thread")),
      few_blocks(resident_blocks(device, few, threads)),
      many_blocks(resident_blocks(device, many, threads)),
      wide(width == Width::wide) {}

Iterator Channels::given_channel(const Input& samples_in, int32_t number) const {
    if (samples_in.iterator() != nullptr) return channel(*samples_in.iterator(), number);
    return channel(Iterator::pointer(samples.value_type(), samples_in.address()), number);
}

}  // namespace cuprum::parallel
