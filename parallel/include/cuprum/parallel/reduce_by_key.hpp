// One reduction for each run of equal keys.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of each run of neighbours whose keys are equal by an operator, the first key and the reduction of their values; and
/// how many runs there are. A key is compared with the one before it. Sort keys with their values first to make equal
/// keys adjacent. Built for the kinds of its keys and values, an associative operator that combines values, the type in
/// which it does so, and the operator that compares keys. Keys and accumulator have at most 256 bytes together. On the
/// host's cores keys and values are numbers, and the operators well-known ones.
class ReduceByKey {
public:
    /// Throws what Reduce throws.
    ReduceByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Type& accumulator,
                const Operator& equal = OpKind::equal_to, const Execution& execution = {},
                const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the first keys of the runs among `count` and their reductions, and how many runs there are as a uint64_t
    /// to `run_count`. Both outputs have room for `count` runs; what follows the last one is not changed. They may
    /// overlap neither the inputs nor each other.
    void operator()(core::StreamRef stream, const Input& keys_in, const Input& values_in, const Output& keys_out,
                    const Output& values_out, const Output& run_count, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& key_type() const;
    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the first key of each run of equal ones to the start, and to that place its values, combined in
/// their own type, and returns how many runs there are. What follows them is not changed.
uint64_t reduce_by_key(const HostOutput& keys, const HostOutput& values, const Operator& op, const Operator& equal,
                       const Execution& execution = {});

template <core::WritableHostRange Keys, core::WritableHostRange Values>
uint64_t reduce_by_key(Keys&& keys, Values&& values, const Operator& op = OpKind::plus,
                       const Operator& equal = OpKind::equal_to, const Execution& execution = {}) {
    return reduce_by_key(host_output(keys), host_output(values), op, equal, execution);
}

}  // namespace cuprum::parallel
