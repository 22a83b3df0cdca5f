// Whether the elements of two inputs are equal.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Whether an operator is true of every pair of elements of two inputs, at the same positions; true if there are none.
/// Nothing more is read once a pair is found of which it is not true. Built for the kinds of the inputs and the
/// operator. On the host's cores elements are numbers, and the operator is a well-known comparison.
class Equal {
public:
    /// Both inputs have elements of one type. Throws what Reduce throws.
    Equal(const Iterator& first, const Iterator& second, const Operator& op = OpKind::equal_to,
          const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes one bool to `output`, which may not overlap an input. Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                    uint64_t count, const CallOptions& options = {}) const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Whether an operator is true of every pair of elements at the same positions, which are of one type; false where
/// there are not as many in both.
bool equal(const HostInput& first, const HostInput& second, const Operator& op, const Execution& execution = {});

template <core::HostRange First, core::HostRange Second>
    requires std::same_as<detail::ElementOf<First>, detail::ElementOf<Second>>
bool equal(const First& first, const Second& second, const Operator& op = OpKind::equal_to,
           const Execution& execution = {}) {
    return equal(host_input(first), host_input(second), op, execution);
}

}  // namespace cuprum::parallel
