// What histograms of several channels share: pixels are samples one after another, of which the first ones are counted,
// each in bins of its own.
#pragma once

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

private:
    host::Source checked_source(const HostCall& call, const Input& samples_in, const Output& histogram,
                                std::span<const uint64_t> bins) const;
    Iterator channel(const Iterator& of, int32_t number) const { return Iterator::strided(of, count, number); }
    Iterator given_channel(const Input& samples_in, int32_t number) const;
};

}  // namespace cuprum::parallel
