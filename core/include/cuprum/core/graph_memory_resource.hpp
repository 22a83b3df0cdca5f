// Memory that graphs allocate and free.
#pragma once

#include <cstdint>

#include "cuprum/core/memory_resource.hpp"

namespace cuprum::core {

// What a device holds for its graphs, in bytes. The driver's numbers (CUgraphMem_attribute).
enum class GraphMemoryAttribute : int32_t {
    used_mem_current = 0,      // in graphs that run
    used_mem_high = 1,         // the most that has been; can be set to 0, which makes it the current one
    reserved_mem_current = 2,  // held for graphs, used or not
    reserved_mem_high = 3,     // the most that has been held; can be set to 0, which makes it the current one
};

// Allocates while a stream's work is captured into a graph: the graph then allocates the memory when it is launched, at
// the buffer's address, which is the same in every launch. A buffer that is closed during the capture is freed by the
// graph, after the work so far in its stream; one that is closed later frees what a launch has allocated, so that the
// graph can be launched again. Resources of the same device are equal, and share what the device holds for graphs.
class GraphMemoryResource : public MemoryResource {
public:
    // Throws Unsupported where the device has no memory pools.
    explicit GraphMemoryResource(const Device& device);

    // A resource that is one, as that. Throws InvalidArgument for others.
    static GraphMemoryResource of(const MemoryResource& resource);

    uint64_t attribute(GraphMemoryAttribute which) const;
    // Throws DriverError for what cannot be set.
    void set_attribute(GraphMemoryAttribute which, uint64_t value) const;
    // Gives memory that no graph uses back to the system.
    void trim() const;

private:
    explicit GraphMemoryResource(const MemoryResource& resource) : MemoryResource(resource) {}
};

}  // namespace cuprum::core
