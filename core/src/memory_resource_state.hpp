#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/live_objects.hpp"

namespace cuprum::core {

class MemoryAllocator;
class VirtualMemory;

// What the copies of a resource share with its buffers.
struct MemoryResourceState {
    detail::Alive<ObjectKind::memory_resource> alive;
    MemoryKind kind = MemoryKind::pinned;
    int32_t device_id = -1;     // -1: no device's memory
    int32_t location_kind = 0;  // of a pool, as MemoryLocation::of takes it; 0: none
    int32_t location_id = 0;
    CUmemoryPool pool = nullptr;  // null: each buffer is an allocation of the driver's own
    bool owns_pool = false;
    bool is_ipc_enabled = false;
    bool is_mapped = false;                         // another process made the pool
    bool is_graph_memory = false;                   // of a GraphMemoryResource, which has no pool
    std::shared_ptr<VirtualMemory> virtual_memory;  // null but for a VirtualMemoryResource
    std::shared_ptr<MemoryAllocator> allocator;     // null but for a UserMemoryResource

    // Whether memory is freed in a stream's order, and never without one.
    bool frees_in_order() const { return pool != nullptr || is_graph_memory; }

    MemoryResourceState() = default;
    MemoryResourceState(const MemoryResourceState&) = delete;
    MemoryResourceState& operator=(const MemoryResourceState&) = delete;
    ~MemoryResourceState();
};

// Before memory is freed or moved, which work of any device may use. `waited_for`: the device that the driver waits
// for. False: it may still be in use, since the driver waits for no device with a stream that is captured.
constexpr int32_t no_device = -1;
bool wait_for_devices_that_use(const BufferRef& memory, int32_t waited_for) noexcept;

// Memory of a UserMemoryResource whose buffer is closed. An invalid stream: once all work is done.
void free_by_program(const MemoryResourceState& state, const BufferRef& memory, const StreamRef& stream) noexcept;

// Throw InvalidArgument for a stream of another device than the one whose memory it is, where the stream is valid; and
// for an address that is not in memory of the pool, or of a graph, that the resource gives.
void require_stream_of_memory(const MemoryResourceState& state, const StreamRef& stream, const char* operation);
void require_memory_of(const MemoryResourceState& state, DevicePointer address, const char* operation);

// Throws where graph memory cannot be allocated in the stream.
void require_capture(const MemoryResourceState& state, const StreamRef& stream);

// The driver's current pool of a device.
std::shared_ptr<const MemoryResourceState> current_pool(int32_t device_id);

// Lets all devices that have pools of host memory use one; without it a device can neither use nor copy its memory.
// Throws Unsupported where there is no such device.
void let_devices_use_host_pool(const MemoryResourceState& state);

// A device that has pools of host memory of a NUMA node. Throws Unsupported where there is none.
int32_t device_with_numa_pools();

// A new file descriptor that stands for a pool with the IPC option, the caller's to close.
int share_pool(const MemoryResourceState& state);

// That of a pool that somebody else owns.
std::shared_ptr<const MemoryResourceState> borrowed_pool(int32_t device_id, CUmemoryPool pool);

std::string describe_pool_memory(const MemoryResourceState& state);  // "device 0", "managed memory"
std::string describe_pool(const MemoryResourceState& state);         // "the memory pool 0x55d0 of device 0"

}  // namespace cuprum::core
