#include "cuprum/core/graph_memory_resource.hpp"

#include <memory>
#include <utility>

#include "allocation.hpp"
#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

auto graphs_of(const MemoryResourceState& state) {
    return [&state] { return describe_pool(state); };
}

}  // namespace

GraphMemoryResource::GraphMemoryResource(const Device& device)
    : MemoryResource([&] {
          if (!device.properties().memory_pools_supported) {
              throw Unsupported("making a graph memory resource", describe_device(device.device_id()),
                                "the device has no memory pools, from which graphs allocate",
                                "allocate the memory before the capture begins");
          }
          auto state = std::make_shared<MemoryResourceState>();
          state->kind = MemoryKind::device;
          state->device_id = device.device_id();
          state->is_graph_memory = true;
          return state;
      }()) {}

GraphMemoryResource GraphMemoryResource::of(const MemoryResource& resource) {
    constexpr const char* operation = "using graph memory";
    GraphMemoryResource found(resource);
    if (!found.opened(operation).is_graph_memory) {
        throw InvalidArgument(operation, "memory resource", "this memory resource is of another kind",
                              "use a graph memory resource");
    }
    return found;
}

uint64_t GraphMemoryResource::attribute(GraphMemoryAttribute which) const {
    constexpr const char* operation = "asking for an attribute of graph memory";
    const MemoryResourceState& state = opened(operation);
    cuuint64_t value = 0;
    check(driver::cuDeviceGetGraphMemAttribute(device_state(state.device_id).device,
                                               static_cast<CUgraphMem_attribute>(which), &value),
          "cuDeviceGetGraphMemAttribute", operation, graphs_of(state));
    return value;
}

void GraphMemoryResource::set_attribute(GraphMemoryAttribute which, uint64_t value) const {
    constexpr const char* operation = "setting an attribute of graph memory";
    const MemoryResourceState& state = opened(operation);
    cuuint64_t number = value;
    check(driver::cuDeviceSetGraphMemAttribute(device_state(state.device_id).device,
                                               static_cast<CUgraphMem_attribute>(which), &number),
          "cuDeviceSetGraphMemAttribute", operation, graphs_of(state));
}

void GraphMemoryResource::trim() const {
    constexpr const char* operation = "trimming graph memory";
    const MemoryResourceState& state = opened(operation);
    check(driver::cuDeviceGraphMemTrim(device_state(state.device_id).device), "cuDeviceGraphMemTrim", operation,
          graphs_of(state));
}

void require_capture(const MemoryResourceState& state, const StreamRef& stream) {
    constexpr const char* operation = "allocating graph memory";
    if (!stream.is_valid()) {
        throw InvalidArgument(operation, graphs_of(state)(), "it is allocated in a stream whose work is captured",
                              "name that stream");
    }
    require_stream_of_memory(state, stream, operation);
    if (stream.is_capturing()) return;
    throw InvalidState(operation, describe(stream), "the stream's work is not captured into a graph",
                       "begin the capture first, or allocate from a memory pool");
}

Buffer MemoryResource::allocate_in_graph(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const {
    require_capture(*state_, stream);
    Buffer buffer(0, size, state_->device_id, MemoryKind::device, FreedBy::cu_mem_free_async);
    buffer.resource_ = state_;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    if (size == 0) return buffer;
    const ContextScope scope(state_->device_id);
    CUdeviceptr address = 0;
    check_allocation(driver::cuMemAllocAsync(&address, size, stream.handle()), "cuMemAllocAsync",
                     Device(state_->device_id), size);
    buffer.address_ = address;
    return buffer;
}

}  // namespace cuprum::core
