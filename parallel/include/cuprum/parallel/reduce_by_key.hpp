// One reduction for each run of equal keys.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
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

}  // namespace cuprum::parallel
