// Inclusive prefix sums for each run of equal keys.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

/// One scan for each run of neighbours whose keys are equal by an operator: output i is op(...op(x0, x1)..., xi) of the
/// values of its run up to and including it. A key is compared with the one before it. Built for the kinds of its keys
/// and values, an associative operator that combines values, the type in which it does so, and the operator that
/// compares keys. Keys and accumulator have at most 128 bytes each. On the host's cores keys and values are numbers,
/// and the operators well-known ones.
class InclusiveScanByKey {
public:
    /// Throws what Reduce throws.
    InclusiveScanByKey(const Iterator& keys, const Iterator& values, const Operator& op, const Type& accumulator,
                       const Operator& equal = OpKind::equal_to, const Execution& execution = {},
                       const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `count` values. `output` may be the values' own memory where the types are the same; it may not overlap
    /// the inputs otherwise.
    void operator()(core::StreamRef stream, const Input& keys, const Input& values, const Output& output,
                    uint64_t count, const CallOptions& options = {}) const;

    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many results as there are keys, in their own type. `output` may be the values' own memory.
void inclusive_scan_by_key(const HostInput& keys, const HostInput& values, const Operator& op, const Operator& equal,
                           const HostOutput& output, const Execution& execution = {});

template <core::HostRange Keys, core::HostRange Values, core::WritableHostRange Results>
void inclusive_scan_by_key(const Keys& keys, const Values& values, Results&& output, const Operator& op = OpKind::plus,
                           const Operator& equal = OpKind::equal_to, const Execution& execution = {}) {
    inclusive_scan_by_key(host_input(keys), host_input(values), op, equal, host_output(output), execution);
}

}  // namespace cuprum::parallel
