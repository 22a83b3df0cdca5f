// Elements in two parts, by a condition.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The elements for which a condition, an operator on one element, is true, in their order, and behind them the others,
/// in reverse order; and how many are in the first part. Built for one kind of input and one condition. On the host's
/// cores the condition is a well-known operator of one operand, such as "identity" or "logical_not".
class Partition {
public:
    /// Throws what Reduce throws.
    Partition(const Iterator& input, const Operator& condition, const Execution& execution = {},
              const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `count` elements, and how many are in the first part as a uint64_t to `selected_count`. `output` may not
    /// overlap the input.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& selected_count,
                    uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the elements for which a condition is true to the start, in their order, and the others behind them,
/// in reverse order. Returns how many are in the first part.
uint64_t partition(const HostOutput& data, const Operator& condition, const Execution& execution = {});

template <core::WritableHostRange Data>
uint64_t partition(Data&& data, const Operator& condition, const Execution& execution = {}) {
    return partition(host_output(data), condition, execution);
}

}  // namespace cuprum::parallel
