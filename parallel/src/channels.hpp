// What histograms of several channels share: pixels are samples one after another, of which the first ones are counted,
// each in bins of its own: of one width, or of ranges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "call.hpp"
#include "host_execution.hpp"

namespace cuprum::parallel {

// What one is built for.
struct Channels {
    Target target;
    Iterator samples;
    int32_t count, active;  // channels, and how many of them are counted
    Type levels, counters;
    TypeKind common;  // as which samples and levels are compared

    // `bounds`: how errors call the levels. Throws InvalidArgument, and Unsupported for what the host's cores lack.
    Channels(const char* algorithm, const char* bounds, const Iterator& samples, int32_t count, int32_t active,
             const Type& levels, const Type& counters, const Execution& execution, const BuildOptions& options);

    // That there is one for each channel that is counted.
    void check_one_each(const char* operation, const char* what, size_t given) const;
    // `call`: of as many elements as there are samples.
    void check_device_call(const Call& call, const Input& samples_in, const Output& histogram, uint64_t all_bins) const;
    void clear(const Call& call, const Output& histogram, uint64_t all_bins) const;

    // Each channel is a sweep of its own: `count_channel` is given its number, its samples, and where its counts go.
    // `call` as above.
    template <class CountChannel>
    void count_on_host(const HostCall& call, const Input& samples_in, const Output& histogram,
                       std::span<const uint64_t> bins, const CountChannel& count_channel) const {
        const host::Source all = checked_source(call, samples_in, histogram, bins);
        auto* counts = reinterpret_cast<std::byte*>(histogram.address());
        for (int32_t i = 0; i < active; ++i) {
            if (count == 1) {
                count_channel(i, all, counts);
            } else {
                const Iterator given = given_channel(samples_in, i);
                count_channel(i,
                              host_execution::source_of(call, "samples", channel(samples, i), given,
                                                        call.count / static_cast<uint64_t>(count)),
                              counts);
            }
            counts += bins[static_cast<size_t>(i)] * counters.size();
        }
    }

    // What both kinds of bins are compiled for: sample_t, samples_t, counter_t, common_t, channels and active_channels.
    void describe(SourceBuilder& source) const;

private:
    host::Source checked_source(const HostCall& call, const Input& samples_in, const Output& histogram,
                                std::span<const uint64_t> bins) const;
    Iterator channel(const Iterator& of, int32_t number) const { return Iterator::strided(of, count, number); }
    Iterator given_channel(const Input& samples_in, int32_t number) const;
};

// One kernel for few bins, which a block counts in shared memory before it adds them to the result, and one for many,
// which are counted in the result. They take the samples, the result, what says which bins there are, and the number of
// pixels.
struct HistogramProgram {
    core::Kernel few, many;
    int64_t threads;
    uint64_t tile_pixels, few_blocks, many_blocks;
    bool wide;

    // Of constants "threads" and "pixels per thread".
    HistogramProgram(const core::Device& device, const CompiledProgram& compiled, Width width);
};

// The state of a histogram of several channels.
struct MultiHistogram : Channels {
    using Request = BuildRequest (*)(const Channels&, Width);

    Programs<HistogramProgram> programs;

    MultiHistogram(const char* algorithm, const char* bounds, Request request, const Iterator& samples_, int32_t count_,
                   int32_t active_, const Type& levels_, const Type& counters_, const Execution& execution,
                   const BuildOptions& options)
        : Channels(algorithm, bounds, samples_, count_, active_, levels_, counters_, execution, options),
          programs(target, [this, request](Width width) { return request(*this, width); }) {}

    // `call` as above, checked; `bins`: the kernels' parameters that say which bins there are.
    template <class... Bins>
    void count_on_device(const Call& call, const Input& samples_in, const Output& histogram, uint64_t all_bins,
                         bool are_few, const Bins&... bins) const {
        clear(call, histogram, all_bins);
        if (call.count == 0) return;
        const uint64_t pixels = call.count / static_cast<uint64_t>(count);
        const HistogramProgram& program = programs.for_count(call.count);
        const uint64_t blocks =
            std::min(ceil_divide(pixels, program.tile_pixels), are_few ? program.few_blocks : program.many_blocks);
        launch_kernel(call.stream, blocks, program.threads, are_few ? program.few : program.many,
                      Raw{samples_in.state(), samples.state().size()}, histogram.address(), bins...,
                      Offset{pixels, program.wide});
    }
};

}  // namespace cuprum::parallel
