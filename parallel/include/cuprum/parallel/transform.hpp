// Applying an operator to the elements of one input, or to those at the same position of several.
#pragma once

#include <array>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// output i is op(x i), op(x i, y i), or of more inputs, which the operator sees as a, b, c and so on; built for the
/// kinds of its inputs and the type of its output. Needs no temporary storage.
class Transform {
public:
    /// An operator has names for as many operands. More are read as a struct: one input that is a zip of several.
    static constexpr size_t max_inputs = Operator::max_operands;

    /// Throws what Reduce throws.
    Transform(const Iterator& input, const Operator& op, const Type& output, const Execution& execution = {},
              const BuildOptions& options = {});
    Transform(const Iterator& first, const Iterator& second, const Operator& op, const Type& output,
              const Execution& execution = {}, const BuildOptions& options = {});
    /// Throws InvalidArgument for no inputs, and for more than `max_inputs`; on the host's cores, whose operators have
    /// two operands at most, Unsupported for more than two.
    Transform(std::span<const Iterator> inputs, const Operator& op, const Type& output, const Execution& execution = {},
              const BuildOptions& options = {});

    /// Writes `count` values. `output` may be an input's own memory where both have the same type, and may not overlap
    /// it otherwise. Throws InvalidArgument for another number of inputs than it was built for.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;
    void operator()(core::StreamRef stream, const Input& first, const Input& second, const Output& output,
                    uint64_t count, const CallOptions& options = {}) const;
    void operator()(core::StreamRef stream, std::span<const Input> inputs, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    size_t input_count() const;
    const Type& output_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// op(x, y, z ...) for the elements at each position of 1 to 8 inputs.
void transform(std::span<const HostInput> inputs, const Operator& op, const HostOutput& output,
               const Execution& execution = {});
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
/// Of any number of inputs: transform(std::tie(a, b, c), results, "a * b + c").
template <class... Inputs, core::WritableHostRange Results>
    requires(core::HostRange<std::remove_cvref_t<Inputs>> && ...)
void transform(const std::tuple<Inputs...>& inputs, Results&& output, const Operator& op,
               const Execution& execution = {}) {
    const std::array<HostInput, sizeof...(Inputs)> given = std::apply(
        [](const auto&... each) { return std::array<HostInput, sizeof...(Inputs)>{host_input(each)...}; }, inputs);
    transform(given, op, host_output(output), execution);
}

}  // namespace cuprum::parallel
