#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/context.hpp"
#include "cuprum/core/event.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/stream.hpp"

namespace cuprum::core {

class MemoryResource;
class MipmappedArray;
class OpaqueArray;
class ResourceDescriptor;
class SurfaceObject;
class TextureObject;
struct MipmappedArrayOptions;
struct OpaqueArrayOptions;
struct TextureObjectOptions;

namespace system {
class Device;
}

struct ComputeCapability {
    int32_t major = 0;
    int32_t minor = 0;
    friend bool operator==(const ComputeCapability&, const ComputeCapability&) = default;
};

// A device's memory at one moment, in bytes.
struct MemoryInfo {
    uint64_t free = 0;
    uint64_t total = 0;
    friend bool operator==(const MemoryInfo&, const MemoryInfo&) = default;
};

// The limits a launch is checked against, and what programs ask most often. Sizes in bytes.
struct DeviceProperties {
    int32_t multiprocessor_count = 0;
    int32_t warp_size = 0;
    int32_t max_threads_per_block = 0;
    int32_t max_block_dim_x = 0, max_block_dim_y = 0, max_block_dim_z = 0;
    int32_t max_grid_dim_x = 0, max_grid_dim_y = 0, max_grid_dim_z = 0;
    int32_t max_shared_memory_per_block = 0;
    int32_t max_shared_memory_per_block_optin = 0;
    int32_t max_shared_memory_per_multiprocessor = 0;
    int32_t max_registers_per_block = 0;
    int32_t max_threads_per_multiprocessor = 0;
    int32_t clock_rate = 0;               // kHz
    int32_t memory_clock_rate = 0;        // kHz
    int32_t global_memory_bus_width = 0;  // bits
    int32_t l2_cache_size = 0;
    bool memory_pools_supported = false;
    bool managed_memory = false;
    bool cooperative_launch = false;
    bool cluster_launch = false;
    bool concurrent_kernels = false;
    bool unified_addressing = false;
};

// One GPU, or the simulated device. A value: an ordinal; copies are equal and cheap.
//
// Work goes to the device's primary context, which is retained at first use and kept for the life of the process.
// No member changes the caller's current context, except set_current(). Every member may be called from any thread.
class Device {
public:
    // The device with that ordinal. Loads the driver and initialises it at first use.
    // Throws InvalidArgument when there is no such device (naming how many there are), NotFound when there is no
    // driver.
    explicit Device(int32_t device_id = 0);

    static int32_t count();
    static std::vector<Device> get_all_devices();

    int32_t device_id() const { return device_id_; }
    std::string name() const;
    std::string uuid() const;        // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
    std::string pci_bus_id() const;  // "0000:01:00.0"
    std::string arch() const;        // "90": what `sm_` and `compute_` take
    ComputeCapability compute_capability() const;
    const DeviceProperties& properties() const;         // read once, then cached for the process
    int32_t attribute(int32_t driver_attribute) const;  // any CUdevice_attribute
    uint64_t total_memory() const;                      // bytes
    uint64_t free_memory() const;                       // bytes, now
    MemoryInfo memory_info() const;                     // both, as the driver counts them now (cuMemGetInfo)
    bool is_simulator() const;                          // the driver in use is Cuprum's simulator
    // The row pitch at which every row of `width` bytes is aligned as the start of an allocation is, so that kernels
    // read each row as fast as the first: `width`, rounded up. Throws InvalidArgument where no pitch is that large.
    uint64_t row_pitch(uint64_t width) const;

    // The same GPU as NVML sees it. Throws NotFound where there is no NVML (system.hpp).
    system::Device to_system_device() const;

    // The device whose context is current on the calling thread, whoever made it so; device 0 where none is.
    static Device current();
    // The device that memory is on, whoever allocated it; of page-locked host memory, the device that it was
    // allocated for. None for memory that the driver does not know.
    static std::optional<Device> of_memory(uint64_t address);

    // Makes the device's primary context current on the calling thread, for code outside Cuprum that relies on it.
    void set_current() const;
    // Waits until all work of the device's primary context is done.
    void sync() const;

    Stream create_stream(const StreamOptions& options = {}) const;
    Event create_event(const EventOptions& options = {}) const;
    // The legacy default stream of this device's context.
    StreamRef default_stream() const;

    // Device memory, usable from any stream when this returns, freed when the Buffer is destroyed (which waits for the
    // work that uses it, as cuMemFree does). `size` in bytes; 0 gives an empty buffer. Throws OutOfMemory.
    Buffer allocate(uint64_t size) const;
    // Stream-ordered: usable in `stream` at once, freed in `stream` order. The stream is kept alive by the buffer.
    Buffer allocate(uint64_t size, const Stream& stream) const;
    // The same in a borrowed stream, such as the default stream: its owner keeps it until the buffer has been freed.
    Buffer allocate(uint64_t size, StreamRef stream) const;

    // What allocate() takes memory from in a stream: the program's own resource that set_memory_resource() chose, else
    // the device's pool: the driver's own, or the one that was chosen, here or by other code.
    MemoryResource memory_resource() const;
    // Chooses a pool of the device's memory, for all CUDA code of the process, or a UserMemoryResource, for allocate()
    // in a stream and what the parallel algorithms need for a time. It lives until another one is chosen. Throws
    // InvalidArgument for other resources, another device's, and memory that devices cannot use.
    void set_memory_resource(const MemoryResource& resource) const;

    // The primary context, retained for the life of the process.
    Context context() const;
    // A green context: Context's constructor.
    Context create_context(const ContextOptions& options) const;

    // Images: the constructors of these classes (opaque_array.hpp, texture_object.hpp).
    OpaqueArray create_opaque_array(const OpaqueArrayOptions& options) const;
    MipmappedArray create_mipmapped_array(const MipmappedArrayOptions& options) const;
    TextureObject create_texture_object(const ResourceDescriptor& resource, const TextureObjectOptions& options) const;
    TextureObject create_texture_object(const ResourceDescriptor& resource) const;
    SurfaceObject create_surface_object(const ResourceDescriptor& resource) const;

    friend bool operator==(const Device& left, const Device& right) { return left.device_id_ == right.device_id_; }

private:
    Buffer allocate_in_order(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const;

    int32_t device_id_;
};

// "12.9"-style versions: major * 1000 + minor * 10.
int32_t driver_version();

}  // namespace cuprum::core
