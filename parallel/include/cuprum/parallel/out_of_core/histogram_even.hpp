// A histogram of samples in host memory, of which the device's memory holds a part.
#pragma once

#include <vector>

#include <cstdint>

#include "cuprum/parallel/host_memory.hpp"
#include "cuprum/parallel/out_of_core/device_memory.hpp"
#include "cuprum/parallel/shared.hpp"
#include "cuprum/parallel/value.hpp"

namespace cuprum::parallel::out_of_core {

/// parallel::HistogramEven over samples in host memory, each of which is read once. The counts add up on the device.
/// Thread-safe: every call has streams of its own.
class HistogramEven {
public:
    /// Throws what parallel::HistogramEven throws, and as Reduce does.
    HistogramEven(const DeviceMemory& memory, const Type& samples, const Type& levels,
                  const Type& counters = Type(TypeKind::uint32));
    HistogramEven(const std::vector<DeviceMemory>& memory, const Type& samples, const Type& levels,
                  const Type& counters = Type(TypeKind::uint32));

    /// Writes `bins` counts, and returns when they are there. Throws what parallel::HistogramEven throws, and as Reduce
    /// does.
    void operator()(const HostInput& samples, const HostOutput& histogram, uint64_t bins, const Value& lower,
                    const Value& upper) const;

private:
    struct State;
    detail::Shared<State> state_;
};

}  // namespace cuprum::parallel::out_of_core
