// Two sorted sequences of keys and values as one.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
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

}  // namespace cuprum::parallel
