// A scan of elements in host memory, of which the device's memory holds a part.
#pragma once

#include <vector>

#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/operator.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/scan.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::out_of_core {

/// parallel::Scan over elements in host memory, in one pass: a piece begins with the last result of the piece before
/// it, which stays on the device, or comes from that of the piece before. Thread-safe: every call has streams of its
/// own.
class Scan {
public:
    /// Throws what parallel::Scan throws, and as Reduce does.
    Scan(ScanKind kind, const DeviceMemory& memory, const Type& input, const Operator& op, const Type& accumulator);
    Scan(ScanKind kind, const std::vector<DeviceMemory>& memory, const Type& input, const Operator& op,
         const Type& accumulator);

    /// Writes as many values as there are elements, and returns when they are there. The output may be the input's own
    /// memory where both have the same type, and may not overlap it otherwise. `init` is not used by
    /// ScanKind::inclusive. Throws as Reduce does.
    void operator()(const HostInput& input, const HostOutput& output, const Value& init) const;
    /// Of kind inclusive. Throws InvalidArgument for the others.
    void operator()(const HostInput& input, const HostOutput& output) const;

private:
    struct State;
    void run(const HostInput& input, const HostOutput& output, const Value* init) const;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::out_of_core
