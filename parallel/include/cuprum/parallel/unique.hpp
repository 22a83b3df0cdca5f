// Keeping the first of each run of equal elements.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of each run of neighbours that are equal by an operator the first, in their order; and how many runs there are. An
/// element is compared with the one before it. Sort the elements first to make equal ones adjacent. Built for one kind
/// of input and one operator. On the host's cores the operator is a comparison, such as "equal_to".
class Unique {
public:
    /// Throws what Reduce throws.
    explicit Unique(const Iterator& input, const Operator& op = OpKind::equal_to, const Execution& execution = {},
                    const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the first of each run of `count` elements, and their number as a uint64_t to `selected_count`. `output`
    /// has room for all `count`; what follows the selected ones is not changed. It may not overlap the input; on the
    /// host's cores it may be the input's own memory.
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

/// Writes the first of each run of equal elements to the start of `output`, in their order, and returns how many there
/// are. `output` is of the input's type, has room for all, and may be the input's own memory.
uint64_t unique(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Results>
    requires std::same_as<detail::ElementOf<Data>, detail::ElementOf<Results>>
uint64_t unique(const Data& data, Results&& output, const Operator& op = OpKind::equal_to,
                const Execution& execution = {}) {
    return unique(host_input(data), op, host_output(output), execution);
}

}  // namespace cuprum::parallel
