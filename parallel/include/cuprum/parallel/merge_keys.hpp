// Two sorted sequences of keys as one.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Two sorted sequences of keys as one. Built for two kinds of inputs, of one type of elements, and a comparison, a
/// strict weak ordering by which both are sorted. Of equal keys those of the first sequence come first: stable. On the
/// host's cores keys are numbers, and the comparison is a well-known operator.
class MergeKeys {
public:
    /// Throws what Reduce throws, and Unsupported for keys of more than 512 bytes.
    MergeKeys(const Iterator& first_keys, const Iterator& second_keys, const Operator& compare = OpKind::less,
              const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes `first_count` + `second_count` keys. The output may not overlap an input. Whether the inputs are sorted
    /// is not checked. Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& first_keys, uint64_t first_count, const Input& second_keys,
                    uint64_t second_count, const Output& keys_out, const CallOptions& options = {}) const;

    const Type& key_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes two sorted sequences as one. `keys_out` has room for both.
void merge_keys(const HostInput& first_keys, const HostInput& second_keys, const Operator& compare,
                const HostOutput& keys_out, const Execution& execution = {});

template <core::HostRange First, core::HostRange Second, core::WritableHostRange Results>
void merge_keys(const First& first_keys, const Second& second_keys, Results&& keys_out,
                const Operator& compare = OpKind::less, const Execution& execution = {}) {
    merge_keys(host_input(first_keys), host_input(second_keys), compare, host_output(keys_out), execution);
}

}  // namespace cuprum::parallel
