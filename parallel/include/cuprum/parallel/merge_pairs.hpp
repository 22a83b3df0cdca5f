// Two sorted sequences of keys and values as one.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Two sequences of keys and values, both sorted by their keys, as one: as MergeKeys, and each value stays with its
/// key. On the host's cores values may be structs of up to 16 bytes.
class MergePairs {
public:
    /// Throws what Reduce throws, and Unsupported for keys of more than 512 bytes.
    MergePairs(const Iterator& first_keys, const Iterator& first_values, const Iterator& second_keys,
               const Iterator& second_values, const Operator& compare = OpKind::less, const Execution& execution = {},
               const BuildOptions& options = {});

    /// Writes `first_count` + `second_count` keys and values. The outputs may not overlap an input or each other. Needs
    /// no temporary storage.
    void operator()(core::StreamRef stream, const Input& first_keys, const Input& first_values, uint64_t first_count,
                    const Input& second_keys, const Input& second_values, uint64_t second_count, const Output& keys_out,
                    const Output& values_out, const CallOptions& options = {}) const;

    const Type& key_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes two sorted sequences of keys as one, and their values with them. The outputs have room for both.
void merge_pairs(const HostInput& first_keys, const HostInput& first_values, const HostInput& second_keys,
                 const HostInput& second_values, const Operator& compare, const HostOutput& keys_out,
                 const HostOutput& values_out, const Execution& execution = {});

template <core::HostRange FirstKeys, core::HostRange FirstValues, core::HostRange SecondKeys,
          core::HostRange SecondValues, core::WritableHostRange KeyResults, core::WritableHostRange ValueResults>
void merge_pairs(const FirstKeys& first_keys, const FirstValues& first_values, const SecondKeys& second_keys,
                 const SecondValues& second_values, KeyResults&& keys_out, ValueResults&& values_out,
                 const Operator& compare = OpKind::less, const Execution& execution = {}) {
    merge_pairs(host_input(first_keys), host_input(first_values), host_input(second_keys), host_input(second_values),
                compare, host_output(keys_out), host_output(values_out), execution);
}

}  // namespace cuprum::parallel
