// Keeping the elements that satisfy a condition.
#pragma once

#include <concepts>
#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// The elements for which a condition, an operator on one element, is true, in their order; and how many there are.
/// Built for one kind of input and one condition. On the host's cores the condition is a well-known operator of one
/// operand: "identity" keeps what is not zero, "logical_not" the zeros.
class Select {
public:
    /// Throws what Reduce throws.
    Select(const Iterator& input, const Operator& condition, const Execution& execution = {},
           const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the selected ones of `count` elements, and their number as a uint64_t to `selected_count`. `output` has
    /// room for all `count`, in case all are selected; what follows the selected ones is not changed. It may not
    /// overlap the input; on the host's cores it may be the input's own memory.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& selected_count,
                    uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes the elements for which the condition is true to the start of `output`, in their order, and returns how many
/// there are. `output` is of the input's type, has room for all, and may be the input's own memory.
uint64_t select(const HostInput& data, const Operator& condition, const HostOutput& output,
                const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Results>
    requires std::same_as<detail::ElementOf<Data>, detail::ElementOf<Results>>
uint64_t select(const Data& data, Results&& output, const Operator& condition, const Execution& execution = {}) {
    return select(host_input(data), condition, host_output(output), execution);
}

}  // namespace cuprum::parallel
