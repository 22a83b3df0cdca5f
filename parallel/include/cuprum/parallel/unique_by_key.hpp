// Keeping the first of each run of equal keys, and its value.
#pragma once

#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of each run of neighbours whose keys are equal by an operator, the first key and its value, in their order; and how
/// many runs there are. A key is compared with the one before it. Sort the keys first to make equal keys adjacent.
/// Built for the kinds of its keys and values and one operator; keys and values are of any types. On the host's cores
/// they are numbers, and the operator is a comparison, such as "equal_to".
class UniqueByKey {
public:
    /// Throws what Reduce throws.
    UniqueByKey(const Iterator& keys, const Iterator& values, const Operator& op = OpKind::equal_to,
                const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the first keys of `count` and their values, and their number as a uint64_t to `selected_count`. Both
    /// outputs have room for all `count`; what follows the selected ones is not changed. They may not overlap the
    /// inputs; on the host's cores they may be the inputs' own memory.
    void operator()(core::StreamRef stream, const Input& keys_in, const Input& values_in, const Output& keys_out,
                    const Output& values_out, const Output& selected_count, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& key_type() const;
    const Type& value_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the first key of each run of equal ones, and its value, to the start, and returns how many runs
/// there are. What follows them is not changed.
uint64_t unique_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op,
                       const Execution& execution = {});

template <core::WritableHostRange Keys, core::WritableHostRange Values>
uint64_t unique_by_key(Keys&& keys, Values&& values, const Operator& op = OpKind::equal_to,
                       const Execution& execution = {}) {
    return unique_by_key(host_output(keys), host_output(values), op, execution);
}

}  // namespace cuprum::parallel
