// The k smallest or largest keys.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/radix_sort.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The k smallest keys, or the k largest ones, in no particular order; of keys that equal the k-th, any. Keys are
/// numbers or bool, ordered as RadixSort orders them. Built for an order, ascending for the smallest keys, and one kind
/// of input.
class TopkKeys {
public:
    /// Throws what Reduce throws, and InvalidArgument for keys that are structs or complex numbers.
    TopkKeys(SortOrder order, const Iterator& keys, const Execution& execution = {}, const BuildOptions& options = {});

    /// For any call with at most `count` elements.
    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `k` keys, at most `count`. The output may not overlap the input.
    void operator()(core::StreamRef stream, const Input& keys, const Output& keys_out, uint64_t k, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& key_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many keys as `keys_out` has elements: the smallest (ascending) or the largest ones.
void topk_keys(SortOrder order, const HostInput& keys, const HostOutput& keys_out, const Execution& execution = {});

template <core::HostRange Keys, core::WritableHostRange Results>
void topk_keys(SortOrder order, const Keys& keys, Results&& keys_out, const Execution& execution = {}) {
    topk_keys(order, host_input(keys), host_output(keys_out), execution);
}

}  // namespace cuprum::parallel
