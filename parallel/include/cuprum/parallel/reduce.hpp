// Reduction: op(...op(op(init, x0), x1)..., xn-1), in any order of evaluation.
#pragma once

#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

namespace distributed {
class Reduce;
}

/// A reduction built for one kind of input, one operator and one type of accumulator, which is the type of the initial
/// value and of the result; elements are converted to it first. A transform iterator as input makes it a
/// transform-reduction. If there are no elements, the result is the initial value, if
/// there is one.
///
/// The order of evaluation depends only on the number of elements and on the device: with floating-point
/// numbers two calls with the same elements on the same device give the same bits.
class Reduce {
public:
    /// Throws CompileError for an operator that does not compile, InvalidArgument for one that does not fit the
    /// types.
    Reduce(const Iterator& input, const Operator& op, const Type& accumulator, const Execution& execution = {},
           const BuildOptions& options = {});

    /// For a call with `count` elements, at most.
    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes one value to `output`, which may lie within the input.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count, const Value& init,
                    const CallOptions& options = {}) const;
    /// Without an initial value: op(...op(x0, x1)..., xn-1). Writes nothing if there are no elements.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    friend class distributed::Reduce;
    struct State;
    void run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count, const Value* init,
             const CallOptions& options) const;
    /// For `count` elements of plain memory, at least one: leaves a result for each block, of which all together are
    /// the result. Returns how many there are. `results`: room for one, and temp_storage_bytes(count).
    int32_t reduce_to_block_results(const core::StreamRef& stream, const Input& input, const core::BufferRef& results,
                                    uint64_t count) const;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes one value of init's type to `result`. Throws what Reduce throws, and OutOfMemory.
void reduce(const HostInput& data, const Value& init, const Operator& op, void* result,
            const Execution& execution = {});

/// reduce(data, 0.0, "a + b"): of the initial value's type.
template <core::HostRange Data, class Accumulator>
Accumulator reduce(const Data& data, Accumulator init, const Operator& op = OpKind::plus,
                   const Execution& execution = {}) {
    Accumulator result{};
    reduce(host_input(data), Value(init), op, &result, execution);
    return result;
}

}  // namespace cuprum::parallel
