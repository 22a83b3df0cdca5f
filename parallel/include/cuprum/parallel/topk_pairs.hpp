// The k smallest or largest keys, with their values.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The k smallest keys, or the k largest ones, with their values: as TopkKeys, and each value stays with its key. On
/// the host's cores values may be structs of up to 16 bytes.
class TopkPairs {
public:
    /// Throws what Reduce throws, and InvalidArgument for keys that are structs or complex numbers.
    TopkPairs(SortOrder order, const Iterator& keys, const Iterator& values, const Execution& execution = {},
              const BuildOptions& options = {});

    /// For any call with at most `count` elements.
    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `k` keys and values, at most `count`. The outputs may not overlap an input or each other.
    void operator()(core::StreamRef stream, const Input& keys, const Input& values, const Output& keys_out,
                    const Output& values_out, uint64_t k, uint64_t count, const CallOptions& options = {}) const;

    const Type& key_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many keys, and their values, as `keys_out` has elements: the smallest (ascending) or the largest keys.
void topk_pairs(SortOrder order, const HostInput& keys, const HostInput& values, const HostOutput& keys_out,
                const HostOutput& values_out, const Execution& execution = {});

template <core::HostRange Keys, core::HostRange Values, core::WritableHostRange KeyResults,
          core::WritableHostRange ValueResults>
void topk_pairs(SortOrder order, const Keys& keys, const Values& values, KeyResults&& keys_out,
                ValueResults&& values_out, const Execution& execution = {}) {
    topk_pairs(order, host_input(keys), host_input(values), host_output(keys_out), host_output(values_out), execution);
}

}  // namespace cuprum::parallel
