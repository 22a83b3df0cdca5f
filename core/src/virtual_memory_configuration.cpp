#include "virtual_memory_configuration.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "context.hpp"
#include "driver_error.hpp"
#include "native_location.hpp"
#include "require.hpp"

namespace cuprum::core {

namespace {

constexpr const char* making_virtual_memory = "making a virtual memory resource";

// As CUDA 13's headers call them; those of CUDA 12 have no name for the last one.
constexpr auto on_device_supported = CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
constexpr auto on_numa_node_supported = static_cast<CUdevice_attribute>(141);
constexpr auto on_host_supported = static_cast<CUdevice_attribute>(145);

std::string device_text(const Device& device) {
    return describe_device(device.device_id());
}

// That of the calling thread; without NUMA 0.
int32_t current_numa_node() {
    unsigned int node = 0;
    return ::syscall(SYS_getcpu, nullptr, &node, nullptr) == 0 ? static_cast<int32_t>(node) : 0;
}

CUmemLocation placed_at(const Device& device, const VirtualMemoryResourceOptions& options) {
    MemoryLocation location = options.location.value_or(device);
    if (location.kind() == MemoryLocation::Kind::host_numa_current) {
        location = MemoryLocation::host_numa(current_numa_node());
    }
    if (location.kind() == MemoryLocation::Kind::device && location.id() != device.device_id()) {
        throw InvalidArgument(making_virtual_memory, device_text(device),
                              "the location is device " + std::to_string(location.id()),
                              "make the resource for the device on which its memory is to be");
    }
    CUmemLocation made = native(location);
    if (location.kind() == MemoryLocation::Kind::device) made.id = device_state(location.id()).device;
    return made;
}

void require_support(const Device& device, const CUmemLocation& location) {
    CUdevice_attribute attribute = on_device_supported;
    if (location.type == location_type_host) attribute = on_host_supported;
    if (location.type == location_type_host_numa) attribute = on_numa_node_supported;
    int supported = 0;
    const CUresult result =
        driver::cuDeviceGetAttribute(&supported, attribute, device_state(device.device_id()).device);
    // A driver that does not know the attribute has no such memory either.
    if (attribute == on_device_supported || result != CUDA_ERROR_INVALID_VALUE) {
        check(result, "cuDeviceGetAttribute", making_virtual_memory, [&] { return device_text(device); });
    }
    if (supported != 0) return;
    if (attribute == on_device_supported) {
        throw Unsupported(making_virtual_memory, device_text(device), "the device has no virtual memory management",
                          "use a device memory resource");
    }
    throw Unsupported(
        making_virtual_memory, device_text(device),
        "neither the device nor its driver has virtual memory management of " + describe_location(location),
        "use a pinned memory resource, or a newer driver: that of the host needs one for CUDA 13");
}

void require_reach_of_peer(const Device& device, const Device& peer) {
    int possible = 0;
    check(driver::cuDeviceCanAccessPeer(&possible, device_state(peer.device_id()).device,
                                        device_state(device.device_id()).device),
          "cuDeviceCanAccessPeer", making_virtual_memory, [&] { return device_text(peer); });
    if (possible != 0) return;
    throw InvalidArgument(making_virtual_memory, device_text(device),
                          device_text(peer) + " cannot use the memory of " + device_text(device),
                          "leave it out of the peers, and copy between the devices instead");
}

void require_exportable(const CUmemLocation& location, MemoryHandleType handle_type) {
    if (handle_type == MemoryHandleType::none || location.type != location_type_host) return;
    throw InvalidArgument(making_virtual_memory, describe_location(location),
                          "it cannot be exported, unless it is that of a NUMA node",
                          "leave out the handle type, or name a node");
}

CUmemAccessDesc access_at(const CUmemLocation& location, MemoryAccess access) {
    CUmemAccessDesc description{};
    description.location = location;
    description.flags = static_cast<CUmemAccess_flags>(access);
    return description;
}

CUmemLocation placed_at(const Device& device) {
    CUmemLocation location = native(device);
    location.id = device_state(device.device_id()).device;
    return location;
}

std::vector<CUmemAccessDesc> accesses_of(const Device& device, const VirtualMemoryResourceOptions& options,
                                         const CUmemLocation& location) {
    std::vector<CUmemAccessDesc> accesses;
    const bool on_host = location.type != CU_MEM_LOCATION_TYPE_DEVICE;
    if (on_host) accesses.push_back(access_at(location, MemoryAccess::read_write));
    if (options.self_access != MemoryAccess::none) {
        accesses.push_back(access_at(placed_at(device), options.self_access));
    }
    for (const Device& peer : options.peers) {
        if (peer == device || options.peer_access == MemoryAccess::none) continue;
        if (!on_host) require_reach_of_peer(device, peer);
        accesses.push_back(access_at(placed_at(peer), options.peer_access));
    }
    return accesses;
}

}  // namespace

VirtualMemoryConfiguration::VirtualMemoryConfiguration(const Device& device,
                                                       const VirtualMemoryResourceOptions& options)
    : address_alignment_(options.address_alignment), address_hint_(options.address_hint) {
    primary_context(device.device_id());
    const CUmemLocation location = placed_at(device, options);
    require_support(device, location);
    if ((address_alignment_ & (address_alignment_ - 1)) != 0) {
        throw InvalidArgument(
            making_virtual_memory, device_text(device),
            "the alignment of addresses must be a power of two, not " + std::to_string(address_alignment_));
    }
    require_exportable(location, options.handle_type);
    accesses_ = accesses_of(device, options, location);
    properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties_.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(options.handle_type);
    properties_.location = location;
    properties_.allocFlags.gpuDirectRDMACapable = options.gpu_direct_rdma ? 1 : 0;
    size_t granularity = 0;
    check(driver::cuMemGetAllocationGranularity(&granularity, &properties_,
                                                static_cast<CUmemAllocationGranularity_flags>(options.granularity)),
          "cuMemGetAllocationGranularity", making_virtual_memory, [&] { return describe_location(location); });
    granularity_ = granularity;
}

std::string describe_location(const CUmemLocation& location) {
    if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) return describe_device(location.id);
    if (location.type == location_type_host) return "host memory";
    return "host memory of NUMA node " + std::to_string(location.id);
}

}  // namespace cuprum::core
