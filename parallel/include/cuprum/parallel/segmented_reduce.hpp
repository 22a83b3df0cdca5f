// One reduction per segment of the input.
#pragma once

#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

/// Segment i is the elements [begin i, end i) of the input; segments may overlap, leave gaps and be empty. Each is
/// reduced as Reduce does: of few segments by a block of threads each, of many by as many threads as they are large.
/// One segment of very many elements is for Reduce.
class SegmentedReduce {
public:
    /// `offsets`: int32 or int64, the type of the segments' begins and ends. Throws what Reduce throws.
    SegmentedReduce(const Iterator& input, const Operator& op, const Type& accumulator,
                    const Type& offsets = Type(TypeKind::int64), const Execution& execution = {},
                    const BuildOptions& options = {});

    /// Writes `segments` values. Needs no temporary storage. With contiguous offsets, as they are for
    /// segments without gaps, `ends` is `begins` plus one element. The offsets are not checked: they are on the device.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t segments,
                    const Input& begins, const Input& ends, const Value& init, const CallOptions& options = {}) const;

    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many values as there are segments, in their own type. Begins and ends are int32 or int64, and are checked.
void segmented_reduce(const HostInput& data, const HostInput& begins, const HostInput& ends, const Value& init,
                      const Operator& op, const HostOutput& output, const Execution& execution = {});

template <core::HostRange Data, core::HostRange Begins, core::HostRange Ends, core::WritableHostRange Results,
          detail::FitsInto<detail::ElementOf<Results>> Accumulator>
void segmented_reduce(const Data& data, Results&& output, const Begins& begins, const Ends& ends,
                      const Accumulator& init, const Operator& op = OpKind::plus, const Execution& execution = {}) {
    segmented_reduce(host_input(data), host_input(begins), host_input(ends), Value(detail::ElementOf<Results>{init}),
                     op, host_output(output), execution);
}

}  // namespace cuprum::parallel
