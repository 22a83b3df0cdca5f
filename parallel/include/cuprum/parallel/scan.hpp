// Prefix sums over any associative operator.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// inclusive: output i is op(...op(x0, x1)..., xi). exclusive: without xi, and with an initial value before all.
/// inclusive_with_init: inclusive, with an initial value before all.
enum class ScanKind : int32_t { exclusive = 0, inclusive = 1, inclusive_with_init = 2 };

/// A scan built for one kind of input, one operator and one type of accumulator, which is that of the initial value and
/// of the outputs. Runs in a single pass (decoupled look-back): of floating-point numbers the order of evaluation, and
/// so the last bits, may differ from call to call, as with CUB.
class Scan {
public:
    /// Throws what Reduce throws.
    Scan(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
         const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes `count` values. `output` may be the input's own memory where both have the same type, and may not overlap
    /// it otherwise. `init` is not used by ScanKind::inclusive.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count, const Value& init,
                    const CallOptions& options = {}) const;
    /// With an initial value in device memory, which is read when the stream reaches the call: the result of work
    /// before it. `init` has room for one value and may not overlap the output. Throws InvalidArgument for kind
    /// inclusive, and on the host's cores.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const core::BufferRef& init, const CallOptions& options = {}) const;
    /// Of kind inclusive. Throws InvalidArgument for the others.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    ScanKind kind() const;
    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    // One of the two, or neither.
    struct Initial {
        const Value* value = nullptr;
        const core::BufferRef* buffer = nullptr;
    };
    void run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count,
             const Initial& init, const CallOptions& options) const;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// `init` is not used by ScanKind::inclusive. Throws InvalidArgument where the counts differ. `output` may be the
/// input's own memory.
void scan(ScanKind kind, const HostInput& data, const std::optional<Value>& init, const Operator& op,
          const HostOutput& output, const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Results>
void inclusive_scan(const Data& data, Results&& output, const Operator& op = OpKind::plus,
                    const Execution& execution = {}) {
    scan(ScanKind::inclusive, host_input(data), std::nullopt, op, host_output(output), execution);
}
template <core::HostRange Data, core::WritableHostRange Results,
          detail::FitsInto<detail::ElementOf<Results>> Accumulator>
void exclusive_scan(const Data& data, Results&& output, const Accumulator& init, const Operator& op = OpKind::plus,
                    const Execution& execution = {}) {
    scan(ScanKind::exclusive, host_input(data), Value(detail::ElementOf<Results>{init}), op, host_output(output),
         execution);
}

}  // namespace cuprum::parallel
