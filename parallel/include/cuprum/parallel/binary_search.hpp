// Where values belong among sorted elements.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of the positions where a value can be inserted so that the elements stay sorted: the first, or the last.
enum class Bound : int32_t { lower = 0, upper = 1 };

/// For each of many values its lower or upper bound among sorted elements. Built for the kinds of its elements and
/// values, which are of one type, and the comparison that the elements are sorted by. On the host's cores they are
/// numbers, and the comparison is a well-known one, such as "less".
class BinarySearch {
public:
    /// `positions`: the type of the results: int32, uint32, int64 or uint64. Throws what Reduce throws.
    BinarySearch(Bound bound, const Iterator& data, const Iterator& values, const Operator& compare = OpKind::less,
                 const Type& positions = Type(TypeKind::uint64), const Execution& execution = {},
                 const BuildOptions& options = {});

    /// Writes one position, from 0 to `data_count`, for each of `count` values. Whether the elements are sorted is not
    /// checked. Needs no temporary storage. `output` may be the values' own memory where the types are of one size, and
    /// may not overlap them otherwise, nor the elements. Throws InvalidArgument where `positions` cannot hold
    /// `data_count`.
    void operator()(core::StreamRef stream, const Input& data, uint64_t data_count, const Input& values,
                    const Output& output, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;
    const Type& position_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes a position for each value: int32, uint32, int64 or uint64.
void binary_search(Bound bound, const HostInput& data, const HostInput& values, const Operator& compare,
                   const HostOutput& output, const Execution& execution = {});

template <core::HostRange Data, core::HostRange Values, core::WritableHostRange Positions>
void lower_bound(const Data& data, const Values& values, Positions&& output, const Operator& compare = OpKind::less,
                 const Execution& execution = {}) {
    binary_search(Bound::lower, host_input(data), host_input(values), compare, host_output(output), execution);
}
template <core::HostRange Data, core::HostRange Values, core::WritableHostRange Positions>
void upper_bound(const Data& data, const Values& values, Positions&& output, const Operator& compare = OpKind::less,
                 const Execution& execution = {}) {
    binary_search(Bound::upper, host_input(data), host_input(values), compare, host_output(output), execution);
}

}  // namespace cuprum::parallel
