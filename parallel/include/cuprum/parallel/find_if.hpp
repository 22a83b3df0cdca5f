// The first element of which a condition is true.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Where the first element is of which a condition is true; how many elements there are if there is none. No more
/// elements are read than are needed, but for those that are looked at together. Built for one kind of input, a
/// condition, and the type of the position. On the host's cores elements are numbers, and the condition is a well-known
/// operator.
class FindIf {
public:
    /// `positions`: int32, uint32, int64 or uint64. Throws what Reduce throws.
    FindIf(const Iterator& input, const Operator& condition, const Type& positions = Type(TypeKind::uint64),
           const Execution& execution = {}, const BuildOptions& options = {});

    /// Writes one position, from 0 to `count`, to `output`, which may not overlap the input. Throws InvalidArgument
    /// where the positions' type does not hold `count`. Needs no temporary storage.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, uint64_t count,
                    const CallOptions& options = {}) const;

    const Type& position_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// The position of the first element of which the condition is true; -1 if there is none.
int64_t find_if(const HostInput& data, const Operator& condition, const Execution& execution = {});

template <core::HostRange Data>
int64_t find_if(const Data& data, const Operator& condition, const Execution& execution = {}) {
    return find_if(host_input(data), condition, execution);
}

}  // namespace cuprum::parallel
