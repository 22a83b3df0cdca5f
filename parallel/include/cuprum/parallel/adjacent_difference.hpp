// What lies between each element and its neighbour.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Which neighbour an element is combined with: the one before it, or the one behind it.
enum class Neighbour : int32_t { left = 0, right = 1 };

/// op(xi, xi-1) for each element, or op(xi, xi+1); the first element (the last one) has no such neighbour and is its
/// own result. Built for one kind of input, one operator and the type of the results. On the host's cores elements are
/// numbers, and the operator is a well-known one.
class AdjacentDifference {
public:
    /// Throws what Reduce throws.
    AdjacentDifference(Neighbour neighbour, const Iterator& input, const Operator& op, const Type& output,
                       const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes as many results as there are elements. `output` may not overlap the input. Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& output_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many results as there are elements, in their own type.
void adjacent_difference(Neighbour neighbour, const HostInput& data, const Operator& op, const HostOutput& output,
                         const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Results>
void adjacent_difference(Neighbour neighbour, const Data& data, Results&& output, const Operator& op = OpKind::minus,
                         const Execution& execution = {}) {
    adjacent_difference(neighbour, host_input(data), op, host_output(output), execution);
}

}  // namespace cuprum::parallel
