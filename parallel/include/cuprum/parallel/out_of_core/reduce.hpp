// A reduction of elements in host memory, of which the device's memory holds a part.
#pragma once

#include <vector>

#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::out_of_core {

/// parallel::Reduce over elements in host memory, each of which is read once. The order of evaluation depends on the
/// number of elements, the devices and the memory that a call may take. Thread-safe: every call has streams of its own.
class Reduce {
public:
    /// Throws what parallel::Reduce throws, and InvalidArgument for a resource that has no memory of the device.
    Reduce(const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator);
    /// On several devices, to which the pieces are dealt. Throws InvalidArgument for a device that is there twice, and
    /// where there is none.
    Reduce(const std::vector<DeviceMemory>& memory, const Type& input, const Operator& op, const Type& accumulator);

    /// Writes one value to the output, and returns when it is there: without any elements the initial value. Throws
    /// InvalidArgument before anything is done for what does not fit, and for too little device memory, with how much
    /// is needed. After a later error the outputs are undefined, and what the call had allocated is freed.
    void operator()(const HostInput& input, const HostOutput& output, const Value& init) const;
    /// Without an initial value. Writes nothing if there are no elements.
    void operator()(const HostInput& input, const HostOutput& output) const;

private:
    struct State;
    void run(const HostInput& input, const HostOutput& output, const Value* init) const;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::out_of_core
