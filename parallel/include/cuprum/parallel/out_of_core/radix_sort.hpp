// Sorting keys in host memory, of which the device's memory holds a part.
#pragma once

#include <optional>
#include <vector>

#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::out_of_core {

/// parallel::RadixSort over keys in host memory, and over values that go with them, if any: stable, in the same order.
///
/// An external sort. Keys that fit into the memory are sorted in one piece. Otherwise each piece becomes a sorted run
/// in host memory; then it is known which part of every run each piece of the result consists of, these parts are
/// copied in, and a stable sort merges them. So each key crosses the bus twice in each direction. Thread-safe: every
/// call has streams of its own.
class RadixSort {
public:
    /// Runs that a sort can have, at most: a call needs memory for four times as many keys (and values) as this part of
    /// all.
    static constexpr uint64_t max_runs = 1024;

    /// Throws what parallel::RadixSort throws, and as Reduce does.
    RadixSort(SortOrder order, const DeviceMemory& memory, const Type& keys,
              const std::optional<Type>& values = std::nullopt);
    RadixSort(SortOrder order, const std::vector<DeviceMemory>& memory, const Type& keys,
              const std::optional<Type>& values = std::nullopt);

    /// Keys alone. The output has as many as the input, and may be the input's own memory, or overlap it; otherwise the
    /// input is not changed. Returns when the keys are there.
    ///
    /// `scratch`: host memory for the runs, with room for all keys, best page-locked. It may be the input's own memory,
    /// which is overwritten then, and may not overlap the rest. Without it a call that has several runs allocates as
    /// much page-locked memory, which takes its time.
    ///
    /// Throws InvalidArgument for a sort that was built with values, OutOfMemory, and as Reduce does.
    void operator()(const HostInput& keys_in, const HostOutput& keys_out,
                    const std::optional<HostOutput>& scratch = std::nullopt) const;
    /// Keys and values. The outputs may not overlap each other. Either both have scratch memory, or neither.
    void operator()(const HostInput& keys_in, const HostOutput& keys_out, const HostInput& values_in,
                    const HostOutput& values_out, const std::optional<HostOutput>& keys_scratch = std::nullopt,
                    const std::optional<HostOutput>& values_scratch = std::nullopt) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::out_of_core
