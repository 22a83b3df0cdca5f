// Reducing the values of each key, in host memory, of which the device's memory holds a part.
#pragma once

#include <vector>

#include <cstdint>

#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/shared.hpp"

namespace cuprum::parallel::out_of_core {

/// Of all values of equal keys, wherever they are, one reduction. Keys need not be sorted: unlike
/// parallel::ReduceByKey, which reduces runs of neighbours, it brings equal keys together. Values are combined in their
/// order. Thread-safe: every call has streams of its own.
///
/// Each piece is sorted and reduced, so that it has each of its keys once; if there are several, their results are
/// merged and reduced again. Between the two they are in page-locked host memory, which the call allocates: for as many
/// keys and results as the pieces have different ones.
class ReduceByKey {
public:
    /// Keys are what parallel::RadixSort sorts and OpKind::equal_to compares. Throws what these and
    /// parallel::ReduceByKey throw, and as Reduce does.
    ReduceByKey(const DeviceMemory& memory, const Type& keys, const Type& values, const Operator& op,
                const Type& accumulator);
    ReduceByKey(const std::vector<DeviceMemory>& memory, const Type& keys, const Type& values, const Operator& op,
                const Type& accumulator);

    /// Writes the different keys in ascending order and, to the same positions, their reductions, and returns how many
    /// there are when they are there. The outputs have room for that, and what follows is not changed. They may overlap
    /// the inputs, but not each other. Throws InvalidArgument where they have not, with how many there are;
    /// OutOfMemory; and as Reduce does.
    uint64_t operator()(const HostInput& keys, const HostInput& values, const HostOutput& keys_out,
                        const HostOutput& values_out) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::out_of_core
