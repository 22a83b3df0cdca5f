// One reduction per segment of the input.
#pragma once

#include <memory>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Segment i is the elements [begin i, end i) of the input; segments may overlap, leave gaps and be empty. Each is
/// reduced as Reduce does, by one block of threads: best for many segments of up to some thousand elements.
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

}  // namespace cuprum::parallel
