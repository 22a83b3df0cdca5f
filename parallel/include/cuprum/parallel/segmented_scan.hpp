// One scan per segment of the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/scan.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel {

/// Segment i is the elements [begin i, end i) of the input; segments may leave gaps and be empty, and may not overlap.
/// Each is scanned as Scan does, by one block of threads: best for many segments of up to some ten thousand elements.
/// Built for one kind of scan and of input, one operator, and the types of the results and of the segments' bounds.
class SegmentedScan {
public:
    /// `offsets`: int32 or int64, the type of the segments' begins and ends. Throws what Scan throws, and Unsupported
    /// for an accumulator of more than 256 bytes.
    SegmentedScan(ScanKind kind, const Iterator& input, const Operator& op, const Type& accumulator,
                  const Type& offsets = Type(TypeKind::int64), const Execution& execution = {},
                  const BuildOptions& options = {});

    /// Result i is that of element i; what is in no segment is not written. `count`: how many elements there are in
    /// all. The output may be the input's own memory where the types are the same, and may not overlap it otherwise.
    /// Needs no temporary storage. With contiguous offsets `ends` is `begins` plus one element. The offsets are not
    /// checked: they are on the device.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count, uint64_t segments,
                    const Input& begins, const Input& ends, const Value& init, const CallOptions& options = {}) const;
    /// Of an inclusive scan without an initial value. Throws InvalidArgument for any other.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count, uint64_t segments,
                    const Input& begins, const Input& ends, const CallOptions& options = {}) const;

    ScanKind kind() const;
    const Type& accumulator() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    void run(const core::StreamRef& stream, const Input& input, const Output& output, uint64_t count, uint64_t segments,
             const Input& begins, const Input& ends, const Value* init, const CallOptions& options) const;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes as many results as there are elements, in their own type; those in no segment stay as they are. `init`: none
/// with ScanKind::inclusive. Begins and ends are int32 or int64, and are checked. `output` may be the input's own
/// memory.
void segmented_scan(ScanKind kind, const HostInput& data, const HostInput& begins, const HostInput& ends,
                    const std::optional<Value>& init, const Operator& op, const HostOutput& output,
                    const Execution& execution = {});

template <core::HostRange Data, core::HostRange Begins, core::HostRange Ends, core::WritableHostRange Results>
void inclusive_segmented_scan(const Data& data, Results&& output, const Begins& begins, const Ends& ends,
                              const Operator& op = OpKind::plus, const Execution& execution = {}) {
    segmented_scan(ScanKind::inclusive, host_input(data), host_input(begins), host_input(ends), std::nullopt, op,
                   host_output(output), execution);
}
template <core::HostRange Data, core::HostRange Begins, core::HostRange Ends, core::WritableHostRange Results,
          detail::FitsInto<detail::ElementOf<Results>> Accumulator>
void exclusive_segmented_scan(const Data& data, Results&& output, const Begins& begins, const Ends& ends,
                              const Accumulator& init, const Operator& op = OpKind::plus,
                              const Execution& execution = {}) {
    segmented_scan(ScanKind::exclusive, host_input(data), host_input(begins), host_input(ends),
                   Value(detail::ElementOf<Results>{init}), op, host_output(output), execution);
}

}  // namespace cuprum::parallel
