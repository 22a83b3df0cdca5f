// Applying an operator to every element, or to every pair of elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// output i is op(x i), or op(x i, y i); built for the kinds of its one or two inputs and the type of its output. Needs
/// no temporary storage.
class Transform {
public:
    /// Throws what Reduce throws.
    Transform(const Iterator& input, const Operator& op, const Type& output, const Execution& execution = {},
              const BuildOptions& options = {});
    Transform(const Iterator& first, const Iterator& second, const Operator& op, const Type& output,
              const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes `count` values. `output` may be an input's own memory where both have the same type, and may not overlap
    /// it otherwise. Throws InvalidArgument for another number of inputs than it was built for.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;
    void operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                    uint64_t count, const CallOptions& options = {}) const;

    size_t input_count() const;
    const Type& output_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    void run(const core::StreamRef& stream, const Input& first, const Input* second, const Output& output,
             uint64_t count, const CallOptions& options) const;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// op(x) for every element, or op(x, y) for every pair.
void transform(const HostInput& data, const Operator& op, const HostOutput& output, const Execution& execution = {});
void transform(const HostInput& first, const HostInput& second, const Operator& op, const HostOutput& output,
               const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Results>
void transform(const Data& data, Results&& output, const Operator& op, const Execution& execution = {}) {
    transform(host_input(data), op, host_output(output), execution);
}
template <core::HostRange First, core::HostRange Second, core::WritableHostRange Results>
void transform(const First& first, const Second& second, Results&& output, const Operator& op,
               const Execution& execution = {}) {
    transform(host_input(first), host_input(second), op, host_output(output), execution);
}

}  // namespace cuprum::parallel
