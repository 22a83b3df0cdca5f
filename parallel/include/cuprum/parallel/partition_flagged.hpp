// Elements in two parts, by flags.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The elements whose flags are true, in their order, and behind them the others, in reverse order; and how many are in
/// the first part. Built for one kind of input and of flags, bool or numbers, of which 0 is false.
class PartitionFlagged {
public:
    /// Throws what Reduce throws, and InvalidArgument for flags that are structs or complex numbers.
    PartitionFlagged(const Iterator& input, const Iterator& flags, const Execution& execution = {},
                     const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `count` elements by as many flags, and how many are in the first part as a uint64_t to `selected_count`.
    /// `output` may overlap neither input.
    void operator()(core::StreamRef stream, const Input& input, const Input& flags, const Output& output,
                    const Output& selected_count, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the elements whose flags are true to the start, in their order, and the others behind them, in
/// reverse order. Returns how many are in the first part.
uint64_t partition_flagged(const HostOutput& data, const HostInput& flags, const Execution& execution = {});

template <core::WritableHostRange Data, core::HostRange Flags>
uint64_t partition_flagged(Data&& data, const Flags& flags, const Execution& execution = {}) {
    return partition_flagged(host_output(data), host_input(flags), execution);
}

}  // namespace cuprum::parallel
