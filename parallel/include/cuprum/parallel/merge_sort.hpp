// Sorting by a comparison.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// A stable merge sort built for one type of keys, of values that go with them if any, and one comparison: whether `a`
/// comes before `b`, a strict weak ordering. With OpKind::less, NaNs among the keys leave the order undefined.
class MergeSort {
public:
    /// Throws what Reduce throws.
    MergeSort(const Operator& compare, const Type& keys, const std::optional<Type>& values = std::nullopt,
              const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Keys alone. The output may be the input's own memory, and may not overlap it otherwise. Throws InvalidArgument
    /// for a sort that was built with values.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, uint64_t count,
                    const CallOptions& options = {}) const;
    /// Keys and values.
    void operator()(core::StreamRef stream, const Input& keys_in, const Output& keys_out, const Input& values_in,
                    const Output& values_out, uint64_t count, const CallOptions& options = {}) const;

    const Type& key_type() const;
    const std::optional<Type>& value_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    void run(const core::StreamRef& stream, const Input& keys_in, const Output& keys_out, const Input* values_in,
             const Output* values_out, uint64_t count, const CallOptions& options) const;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place, by a comparison. `values`, if any, move with their keys.
void sort(const HostOutput& keys, const std::optional<HostOutput>& values, const Operator& compare,
          const Execution& execution = {});
/// The same to other memory, which is the keys' own or does not overlap it; `moved` for the values.
void sort(const HostInput& keys, const HostOutput& sorted, const std::optional<HostInput>& values,
          const std::optional<HostOutput>& moved, const Operator& compare, const Execution& execution = {});

template <core::WritableHostRange Keys>
void sort(Keys&& keys, const Operator& compare, const Execution& execution = {}) {
    sort(host_output(keys), std::nullopt, compare, execution);
}
template <core::WritableHostRange Keys, core::WritableHostRange Values>
void sort_by_key(Keys&& keys, Values&& values, const Operator& compare, const Execution& execution = {}) {
    sort(host_output(keys), host_output(values), compare, execution);
}

}  // namespace cuprum::parallel
