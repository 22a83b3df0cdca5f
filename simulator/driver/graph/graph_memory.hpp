// The memory of a graph's allocation nodes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Device;
struct MemoryAccess;

// Addresses that one allocation node has for good; kernels may touch them from the point in a launch at which the node
// runs up to the one at which they are freed: by a node, by cuMemFreeAsync, or by cuMemFree. Thread-safe.
class GraphMemory : public std::enable_shared_from_this<GraphMemory> {
public:
    // Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY).
    static std::shared_ptr<GraphMemory> create(Device& device, uint64_t size, std::shared_ptr<MemoryAccess> access);
    // The one that begins at the address; null if there is none.
    static std::shared_ptr<GraphMemory> at(uint64_t address);
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    // The graph that has the node. What graphs use at a time is counted graph by graph.
    void belong_to(uint64_t graph_identifier) { graph_ = graph_identifier; }

    uint64_t address() const { return address_; }
    uint64_t size() const { return size_; }

    // In the order of the calls: whether a launch has allocated it and nothing has asked for it to be freed. Memory
    // that is allocated lives on without its graph.
    bool allocated() const;
    void set_allocated(bool allocated);

    // In the order of the streams: it becomes accessible, and holds poison; it is gone.
    void begin_use();
    void end_use();

private:
    GraphMemory(Device& device, uint64_t size, std::shared_ptr<MemoryAccess> access);
    void count_out_locked();

    Device& device_;
    const uint64_t size_;
    uint64_t address_ = 0;
    std::atomic<uint64_t> graph_ = 0;
    uint64_t counted_for_ = 0;  // the graph that it is in use by; 0: it is not in use
};

// What cuDeviceGetGraphMemAttribute reports, as an H200 counts: memory that graphs have used stays theirs until it is
// trimmed, and each graph has a multiple of 32 MiB. Throw DriverError(CUDA_ERROR_INVALID_VALUE) for what there is not.
uint64_t graph_memory_attribute(const Device& device, CUgraphMem_attribute attribute);
void reset_graph_memory_attribute(const Device& device, CUgraphMem_attribute attribute);
void trim_graph_memory(const Device& device);

}  // namespace cuprum::simulator::libcuda
