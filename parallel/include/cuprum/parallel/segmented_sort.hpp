// One sort per segment of the input.
#pragma once

#include <optional>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Segment i is the keys [begin i, end i), with their values; segments may leave gaps and be empty, and may not
/// overlap. Each is sorted as RadixSort does, by the bits of its keys, which are numbers: stable, and with a place for
/// NaNs. A few threads sort a short segment, and one block of threads a long one: best for many segments of up to some
/// thousand keys.
class SegmentedSort {
public:
    /// `offsets`: int32 or int64, the type of the segments' begins and ends. Values have at most 256 bytes. Throws what
    /// RadixSort throws.
    SegmentedSort(SortOrder order, const Type& keys, const std::optional<Type>& values = std::nullopt,
                  const Type& offsets = Type(TypeKind::int64), const Execution& execution = {},
                  const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Sorts keys alone: `count` is how many there are in all. What is in no segment is not written. With contiguous
    /// offsets, as they are for segments without gaps, `ends` is `begins` plus one element. The offsets are not
    /// checked: they are on the device. Output and input may not overlap; on the host's cores they may be the same
    /// memory.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                    uint64_t segments, const Input& begins, const Input& ends, const CallOptions& options = {}) const;
    /// Sorts keys, and values with them.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input& values_in,
                    const Output& values_out, uint64_t count, uint64_t segments, const Input& begins, const Input& ends,
                    const CallOptions& options = {}) const;

    const Type& key_type() const;
    const std::optional<Type>& value_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: sorts the keys of each segment, and values with them. Begins and ends are int32 or int64, and are checked.
void segmented_sort(SortOrder order, const HostOutput& keys, const std::optional<HostOutput>& values,
                    const HostInput& begins, const HostInput& ends, const Execution& execution = {});

template <core::WritableHostRange Keys, core::HostRange Begins, core::HostRange Ends>
void segmented_sort(SortOrder order, Keys&& keys, const Begins& begins, const Ends& ends,
                    const Execution& execution = {}) {
    segmented_sort(order, host_output(keys), std::nullopt, host_input(begins), host_input(ends), execution);
}
template <core::WritableHostRange Keys, core::WritableHostRange Values, core::HostRange Begins, core::HostRange Ends>
void segmented_sort_by_key(SortOrder order, Keys&& keys, Values&& values, const Begins& begins, const Ends& ends,
                           const Execution& execution = {}) {
    segmented_sort(order, host_output(keys), host_output(values), host_input(begins), host_input(ends), execution);
}

}  // namespace cuprum::parallel
