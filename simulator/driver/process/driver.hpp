// The state of the whole driver: devices, handles, addresses.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "driver/context/context.hpp"
#include "driver/device/device.hpp"
#include "driver/event/event.hpp"
#include "driver/memory/address_space.hpp"
#include "driver/memory/memory_pool.hpp"
#include "driver/module/module.hpp"
#include "driver/process/configuration.hpp"
#include "driver/process/cuda_api.hpp"
#include "driver/process/handle_table.hpp"
#include "driver/stream/stream.hpp"

namespace cuprum::simulator::libcuda {

class Array;
class ExternalMemory;
class ExternalSemaphore;
class Graph;
class GraphExecution;
class GreenContext;
class LinkState;
class MipmappedArray;
class MulticastObject;
class PhysicalMemory;
class UserObject;
struct GraphNode;
struct ResourceDescription;
struct SurfaceObject;
struct TextureObject;

struct Handles {
    HandleTable<Context, CUcontext, HandleKind::context> contexts;
    HandleTable<Stream, CUstream, HandleKind::stream> streams;
    HandleTable<Event, CUevent, HandleKind::event> events;
    HandleTable<Module, CUmodule, HandleKind::module> modules;
    HandleTable<Function, CUfunction, HandleKind::function> functions;
    HandleTable<Library, CUlibrary, HandleKind::library> libraries;
    HandleTable<Kernel, CUkernel, HandleKind::kernel> kernels;
    HandleTable<MemoryPool, CUmemoryPool, HandleKind::memory_pool> pools;
    HandleTable<LinkState, CUlinkState, HandleKind::link> links;
    HandleTable<PhysicalMemory, CUmemGenericAllocationHandle, HandleKind::physical_memory> physical_memory;
    HandleTable<MulticastObject, CUmemGenericAllocationHandle, HandleKind::multicast_object> multicast_objects;
    HandleTable<ExternalMemory, CUexternalMemory, HandleKind::external_memory> external_memory;
    HandleTable<ExternalSemaphore, CUexternalSemaphore, HandleKind::external_semaphore> external_semaphores;
    HandleTable<Array, CUarray, HandleKind::array> arrays;
    HandleTable<MipmappedArray, CUmipmappedArray, HandleKind::mipmapped_array> mipmapped_arrays;
    HandleTable<TextureObject, CUtexObject, HandleKind::texture> textures;
    HandleTable<SurfaceObject, CUsurfObject, HandleKind::surface> surfaces;
    HandleTable<Graph, CUgraph, HandleKind::graph> graphs;
    HandleTable<GraphNode, CUgraphNode, HandleKind::graph_node> graph_nodes;
    HandleTable<GraphExecution, CUgraphExec, HandleKind::graph_execution> graph_executions;
    HandleTable<UserObject, CUuserObject, HandleKind::user_object> user_objects;
    HandleTable<GreenContext, CUgreenCtx, HandleKind::green_context> green_contexts;
    HandleTable<GreenContext, CUcontext, HandleKind::green_context_as_context> green_contexts_as_contexts;
    HandleTable<ResourceDescription, CUdevResourceDesc, HandleKind::resource_description> resource_descriptions;
};

Handles& handles();

// Thread-safe. Exists once and is never destroyed: threads may use it until the process is gone.
class Driver {
public:
    // Reads CUPRUM_SIM and makes the devices; only the first success does anything. Throws DriverError for a bad
    // configuration.
    void initialise();
    bool initialised() const { return initialised_.load(std::memory_order_acquire); }
    // Initialised, and not held up for a checkpoint.
    bool callable() const { return callable_.load(std::memory_order_acquire); }
    void set_callable(bool callable) { callable_.store(callable, std::memory_order_release); }
    // True in a child that was forked from a process which had initialised the driver: its threads are missing there.
    bool forked() const { return forked_.load(std::memory_order_relaxed); }

    // Whether kernels are run (CUPRUM_SIM's launch=none).
    bool launches() const { return launches_; }

    uint32_t device_count() const { return static_cast<uint32_t>(devices_.size()); }
    // Throws DriverError(CUDA_ERROR_INVALID_DEVICE).
    Device& device(CUdevice ordinal) const;

    AddressSpace& addresses() { return addresses_; }

    // Takes memory of a device for `allocation`, whose size is set, and registers it. Throws
    // DriverError(CUDA_ERROR_OUT_OF_MEMORY) that says how much is left.
    uint64_t allocate_device_memory(Device& device, Allocation allocation);
    // False if no allocation of a device begins at the address.
    bool free_device_memory(uint64_t address);
    // Pages that the program can use (pinned, managed memory), poisoned. Throws DriverError(CUDA_ERROR_OUT_OF_MEMORY).
    uint64_t allocate_host_memory(Allocation allocation);
    // The same with the bytes of a file that processes share, as they are; null: bytes of its own, poisoned.
    uint64_t map_host_memory(Allocation allocation, const SharedFile* file);
    bool free_host_memory(uint64_t address);
    // Everything that was allocated in a context.
    void free_memory_of(const Context& context);
    // Where CUPRUM_SIM asks for it (check=leaks), says on standard error and in the trace what has not been freed of a
    // context that comes to its end, or, with null, of all at the end of the process.
    void report_leaks(const Context* context) const;
    // Looks at kernels' warps; there is one from the driver's initialisation on.
    Inspector& inspector() const { return *inspector_; }
    bool shows_faults() const { return shows_faults_; }  // CUPRUM_SIM=break=...
    // Of CUPRUM_SIM=profile=FILE: the table, and the page beside it. Throws DriverError.
    void write_profile() const;
    // The owner of an address that lies in some device's memory, allocated or not.
    Device* device_of_address(uint64_t address) const;

private:
    std::mutex initialise_mutex_;
    std::atomic<bool> initialised_{false};
    std::atomic<bool> callable_{false};
    std::atomic<bool> forked_{false};
    bool launches_ = true;
    bool check_leaks_ = false;
    std::string profile_;  // file; empty: none
    std::shared_ptr<Inspector> inspector_;
    bool shows_faults_ = false;
    std::vector<std::unique_ptr<Device>> devices_;
    AddressSpace addresses_;
};

Driver& driver();

// On standard error, in one write, so that it is not cut in two by what the program prints.
void show_inspection(const std::string& text);

}  // namespace cuprum::simulator::libcuda
