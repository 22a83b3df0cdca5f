// How often each element is repeated.
#pragma once

#include <cstdint>
#include <string>

#include "cuprum/parallel/algorithm.hpp"
#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel {

/// Of each run of neighbours that are equal by an operator, the first and how many they are; and how many runs there
/// are. An element is compared with the one before it. Built for one kind of input, the type of the lengths, integers
/// of 32 or 64 bits, and one operator. An element has at most 248 bytes. On the host's cores elements are numbers, and
/// the operator is a comparison, such as "equal_to".
class RunLengthEncode {
public:
    /// Throws what Reduce throws, and InvalidArgument for another type of lengths.
    RunLengthEncode(const Iterator& input, const Type& lengths, const Operator& op = OpKind::equal_to,
                    const Execution& execution = {}, const BuildOptions& options = {});

    uint64_t temp_storage_bytes(uint64_t count) const;

    /// Writes the first elements of the runs among `count` and their lengths, and how many runs there are as a uint64_t
    /// to `run_count`. Both outputs have room for `count` runs; what follows the last one is not changed. They may
    /// overlap neither the input nor each other.
    void operator()(core::StreamRef stream, const Input& input, const Output& output, const Output& lengths,
                    const Output& run_count, uint64_t count, const CallOptions& options = {}) const;

    const Type& element_type() const;
    const Type& length_type() const;

    /// Its builds so far, for load_builds().
    std::string save() const;

private:
    struct State;
    detail::Shared<State> state_;
};

// Over host memory, in one call: see host_memory.hpp.

/// In place: moves the first of each run of equal elements to the start, writes how many they are to that place of
/// `lengths`, integers of 32 or 64 bits, and returns how many runs there are. What follows them is not changed.
uint64_t run_length_encode(const HostOutput& data, const HostOutput& lengths, const Operator& op,
                           const Execution& execution = {});

template <core::WritableHostRange Data, core::WritableHostRange Lengths>
uint64_t run_length_encode(Data&& data, Lengths&& lengths, const Operator& op = OpKind::equal_to,
                           const Execution& execution = {}) {
    return run_length_encode(host_output(data), host_output(lengths), op, execution);
}

}  // namespace cuprum::parallel
