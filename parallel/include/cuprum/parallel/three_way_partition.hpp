// Elements in three parts, by two conditions.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The elements for which a first condition is true; of the others those for which a second condition is true; and the
/// rest: each part in its own output, in the elements' order. Built for one kind of input and two conditions, operators
/// on one element. On the host's cores the conditions are well-known operators, such as "identity" and "logical_not".
class ThreeWayPartition {
public:
    /// Throws what Reduce throws.
    ThreeWayPartition(const Iterator& input, const Operator& first_condition, const Operator& second_condition,
                      const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the parts of `count` elements, and to `selected_counts` two uint64_t: how many are in the first part and
    /// how many in the second. Each of the three outputs has room for all elements, in case all are in it; what follows
    /// a part is not changed. They may not overlap the input or each other.
    void operator()(core::StreamRef stream, const Input& input, const Output& first, const Output& second,
                    const Output& unselected, const Output& selected_counts, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the elements for which the first condition is true to the start, behind them those of the others for
/// which the second condition is true, and then the rest: each part in the elements' order. Returns how many are in the
/// first part, and how many in the second.
std::pair<uint64_t, uint64_t> three_way_partition(const HostOutput& data, const Operator& first_condition,
                                                  const Operator& second_condition, const Execution& execution = {});

template <core::WritableHostRange Data>
std::pair<uint64_t, uint64_t> three_way_partition(Data&& data, const Operator& first_condition,
                                                  const Operator& second_condition, const Execution& execution = {}) {
    return three_way_partition(host_output(data), first_condition, second_condition, execution);
}

}  // namespace cuprum::parallel
