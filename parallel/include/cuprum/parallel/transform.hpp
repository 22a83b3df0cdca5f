// Applying an operator to every element, or to every pair of elements.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuprum/parallel/algorithm.hpp"

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

    /// Writes `count` values. `output` may be an input's own memory where the two have one type, and may not overlap it
    /// otherwise. Throws InvalidArgument for another number of inputs than it was built for.
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
    std::shared_ptr<const State> state_;
};

}  // namespace cuprum::parallel
