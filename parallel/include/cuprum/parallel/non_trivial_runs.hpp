// Where elements are repeated, and how often.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of each run of two and more neighbours that are equal by an operator, the position of the first and how many they
/// are; and how many such runs there are. An element is compared with the one before it. Built for one kind of input,
/// the type of positions and lengths, integers of 32 or 64 bits, and one operator. On the host's cores elements are
/// numbers, and the operator is a comparison, such as "equal_to".
class NonTrivialRuns {
public:
    /// Throws what Reduce throws, and InvalidArgument for another type of positions.
    NonTrivialRuns(const Iterator& input, const Type& positions, const Operator& op = OpKind::equal_to,
                   const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the positions and lengths of the runs among `count` elements, and how many runs there are as a uint64_t
    /// to `run_count`. Both outputs have room for `count` runs; what follows the last one is not changed. They may
    /// overlap neither the input nor each other.
    void operator()(core::StreamRef stream, const Input& input, const Output& offsets, const Output& lengths,
                    const Output& run_count, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;
    const Type& position_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// Writes where each run of two and more equal elements begins, and how many they are, and returns how many such runs
/// there are. Both outputs are of one type, integers of 32 or 64 bits, and have room for as many numbers as there are
/// elements; what follows those of the last run is not changed.
uint64_t non_trivial_runs(const HostInput& data, const Operator& op, const HostOutput& offsets,
                          const HostOutput& lengths, const Execution& execution = {});

template <core::HostRange Data, core::WritableHostRange Offsets, core::WritableHostRange Lengths>
    requires std::same_as<detail::ElementOf<Offsets>, detail::ElementOf<Lengths>>
uint64_t non_trivial_runs(const Data& data, Offsets&& offsets, Lengths&& lengths, const Operator& op = OpKind::equal_to,
                          const Execution& execution = {}) {
    return non_trivial_runs(host_input(data), op, host_output(offsets), host_output(lengths), execution);
}

}  // namespace cuprum::parallel
