#include "cuprum/core/memory_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "context.hpp"
#include "driver_error.hpp"
#include "memory_resource_state.hpp"

namespace cuprum::core {

namespace {

constexpr const char* making_a_pool = "making a memory pool";

// As CUDA 13's headers call them; those of CUDA 12 have no names for them.
constexpr auto managed_allocation = static_cast<CUmemAllocationType>(2);
constexpr auto host_memory_pools_supported = static_cast<CUdevice_attribute>(144);
constexpr auto host_numa_memory_pools_supported = static_cast<CUdevice_attribute>(142);
constexpr auto host_numa_id = static_cast<CUdevice_attribute>(134);

CUmemLocation native_location(const MemoryResourceState& state) {
    CUmemLocation location{};
    location.type = static_cast<CUmemLocationType>(state.location_kind);
    location.id = state.location_id;
    return location;
}

CUmemAllocationType allocation_type(MemoryKind kind) {
    return kind == MemoryKind::managed ? managed_allocation : CU_MEM_ALLOCATION_TYPE_PINNED;
}

CUmemAccessDesc access_of(int32_t device_id, bool accessible) {
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = device_state(device_id).device;
    access.flags = accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return access;
}

std::shared_ptr<MemoryResourceState> state_at(MemoryKind kind, const std::optional<MemoryLocation>& location) {
    auto state = std::make_shared<MemoryResourceState>();
    state->kind = kind;
    if (location.has_value()) {
        state->location_kind = static_cast<int32_t>(location->kind());
        state->location_id = location->id();
        if (location->kind() == MemoryLocation::Kind::device) state->device_id = location->id();
    }
    return state;
}

void create_pool(MemoryResourceState& state, uint64_t max_size) {
    CUmemPoolProps properties{};
    properties.allocType = allocation_type(state.kind);
    properties.handleTypes = state.is_ipc_enabled ? CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR : CU_MEM_HANDLE_TYPE_NONE;
    properties.location = native_location(state);
    properties.maxSize = max_size;
    check(driver::cuMemPoolCreate(&state.pool, &properties), "cuMemPoolCreate", making_a_pool,
          [&] { return describe_pool_memory(state); });
    state.owns_pool = true;
    if (!state.is_ipc_enabled) return;
    // The driver shares a pool's memory only once it has shared the pool itself (seen with driver 580 on an H200).
    close(share_pool(state));
}

// The pool that is current for its kind of memory and location.
void find_pool([[maybe_unused]] MemoryResourceState& state) {
    constexpr const char* operation = "asking for a memory pool";
#if CUDA_VERSION >= 13000
    CUmemLocation location = native_location(state);
    check(driver::cuMemGetMemPool(&state.pool, &location, allocation_type(state.kind)), "cuMemGetMemPool", operation,
          [&] { return describe_pool_memory(state); });
#else
    throw Unsupported(operation, describe_pool_memory(state), "this build of Cuprum is one for CUDA 12",
                      "build it with CUDA 13");
#endif
}

// The devices that can use pools of host memory. A driver before CUDA 13 does not know the attribute.
std::vector<int32_t> devices_with_host_pools(CUdevice_attribute attribute) {
    std::vector<int32_t> found;
    for (const Device& device : Device::get_all_devices()) {
        int supported = 0;
        const CUresult result =
            driver::cuDeviceGetAttribute(&supported, attribute, device_state(device.device_id()).device);
        if (result == CUDA_ERROR_INVALID_VALUE) continue;
        check(result, "cuDeviceGetAttribute", "asking whether a device has pools of host memory",
              [&] { return describe_device(device.device_id()); });
        if (supported != 0) found.push_back(device.device_id());
    }
    if (found.empty()) {
        throw Unsupported(making_a_pool, "page-locked host memory",
                          "no device here has pools of it, which need a driver for CUDA 13",
                          "use a legacy pinned memory resource");
    }
    return found;
}

// Without it a device can neither use host memory of a pool nor copy it.
void let_devices_use(const MemoryResourceState& state, const std::vector<int32_t>& devices) {
    std::vector<CUmemAccessDesc> accesses;
    std::transform(devices.begin(), devices.end(), std::back_inserter(accesses),
                   [](int32_t device_id) { return access_of(device_id, true); });
    check(driver::cuMemPoolSetAccess(state.pool, accesses.data(), accesses.size()), "cuMemPoolSetAccess",
          "letting devices use a memory pool", [&] { return describe_pool(state); });
}

std::shared_ptr<const MemoryResourceState> own_device_pool(const Device& device,
                                                           const DeviceMemoryResourceOptions& options) {
    auto state = state_at(MemoryKind::device, device);
    state->is_ipc_enabled = options.ipc_enabled;
    primary_context(device.device_id());
    create_pool(*state, options.max_size);
    return state;
}

std::shared_ptr<const MemoryResourceState> current_pinned_pool() {
    const std::vector<int32_t> devices = devices_with_host_pools(host_memory_pools_supported);
    auto state = state_at(MemoryKind::pinned, MemoryLocation::host());
    const ContextScope scope(devices.front());
    find_pool(*state);
    let_devices_use(*state, devices);
    return state;
}

// The node that is nearest to the current device; without NUMA 0.
int32_t nearest_numa_node() {
    return std::max(Device::current().attribute(host_numa_id), 0);
}

std::shared_ptr<const MemoryResourceState> own_pinned_pool(const PinnedMemoryResourceOptions& options) {
    std::optional<int32_t> node = options.numa_id;
    const bool of_node = node.has_value() || options.ipc_enabled;
    const std::vector<int32_t> devices =
        devices_with_host_pools(of_node ? host_numa_memory_pools_supported : host_memory_pools_supported);
    if (of_node && !node.has_value()) node = nearest_numa_node();
    auto state = state_at(MemoryKind::pinned, of_node ? MemoryLocation::host_numa(*node) : MemoryLocation::host());
    state->is_ipc_enabled = options.ipc_enabled;
    const ContextScope scope(devices.front());
    create_pool(*state, options.max_size);
    let_devices_use(*state, devices);
    return state;
}

void require_managed_pools(int32_t device_id) {
    if (driver_version() >= 13000) return;
    throw Unsupported(making_a_pool, "managed memory",
                      "pools of it need a driver for CUDA 13; that of " + describe_device(device_id) + " is for " +
                          std::to_string(driver_version() / 1000) + "." + std::to_string(driver_version() % 1000 / 10),
                      "install a newer driver");
}

std::shared_ptr<const MemoryResourceState> current_managed_pool() {
    const int32_t device_id = device_with_context();
    const ContextScope scope(device_id);
    require_managed_pools(device_id);
    auto state = state_at(MemoryKind::managed, std::nullopt);
    find_pool(*state);
    return state;
}

std::shared_ptr<const MemoryResourceState> own_managed_pool(const ManagedMemoryResourceOptions& options) {
    const int32_t device_id = device_with_context();
    const ContextScope scope(device_id);
    require_managed_pools(device_id);
    auto state = state_at(MemoryKind::managed, options.preferred_location);
    create_pool(*state, 0);
    return state;
}

bool is_truth(MemoryPoolAttribute which) {
    return which <= MemoryPoolAttribute::reuse_allow_internal_dependencies;
}

bool can_use_memory_of(int32_t device_id, int32_t peer_id, const char* operation) {
    int possible = 0;
    check(driver::cuDeviceCanAccessPeer(&possible, device_state(device_id).device, device_state(peer_id).device),
          "cuDeviceCanAccessPeer", operation, [&] { return describe_device(device_id); });
    return possible != 0;
}

void require_peer(const MemoryResourceState& state, int32_t device_id, const char* operation) {
    if (state.kind != MemoryKind::device || device_id == state.device_id) return;
    if (!can_use_memory_of(device_id, state.device_id, operation)) {
        throw InvalidArgument(
            operation, describe_pool(state),
            describe_device(device_id) + " cannot use the memory of " + describe_device(state.device_id),
            "copy between the devices instead");
    }
}

}  // namespace

void let_devices_use_host_pool(const MemoryResourceState& state) {
    let_devices_use(state, devices_with_host_pools(host_numa_memory_pools_supported));
}

int32_t device_with_numa_pools() {
    return devices_with_host_pools(host_numa_memory_pools_supported).front();
}

std::shared_ptr<const MemoryResourceState> borrowed_pool(int32_t device_id, CUmemoryPool pool) {
    auto state = state_at(MemoryKind::device, Device(device_id));
    state->pool = pool;
    return state;
}

std::string describe_pool_memory(const MemoryResourceState& state) {
    if (state.kind == MemoryKind::device) return describe_device(state.device_id);
    return state.kind == MemoryKind::managed ? "managed memory" : "page-locked host memory";
}

std::string describe_pool(const MemoryResourceState& state) {
    if (state.is_graph_memory) return "the graph memory of " + describe_pool_memory(state);
    return "the memory pool " + hexadecimal(reinterpret_cast<uintptr_t>(state.pool)) + " of " +
           describe_pool_memory(state);
}

MemoryResourceState::~MemoryResourceState() {
    if (!owns_pool || must_leak()) return;
    // With buffers still in it the driver keeps the pool's memory until they are freed. Once its device's context was
    // reset and is used again, a driver (580, on H100s) crashes in some of the runs that destroy the pool.
    clean_up_unless_reset(device_id < 0 ? device_with_context() : device_id, [this] {
        report_cleanup(driver::cuMemPoolDestroy(pool), "cuMemPoolDestroy", "destroying a memory pool",
                       [this] { return describe_pool(*this); });
    });
}

PooledMemoryResource PooledMemoryResource::of(const MemoryResource& resource) {
    PooledMemoryResource found(resource.state_);
    if (found.opened("using a memory pool").pool == nullptr) {
        throw InvalidArgument("using a memory pool", "memory resource", "this memory resource has no pool",
                              "use one of those that have: device, pinned or managed memory resources");
    }
    return found;
}

CUmemoryPool PooledMemoryResource::handle() const {
    return opened("asking for a memory pool's handle").pool;
}

bool PooledMemoryResource::is_handle_owned() const {
    return opened("asking who owns a memory pool").owns_pool;
}

uint64_t PooledMemoryResource::attribute(MemoryPoolAttribute which) const {
    constexpr const char* operation = "asking for a memory pool's attribute";
    const MemoryResourceState& state = opened(operation);
    cuuint64_t value = 0;
    int truth = 0;
    void* const place = is_truth(which) ? static_cast<void*>(&truth) : &value;
    check(driver::cuMemPoolGetAttribute(state.pool, static_cast<CUmemPool_attribute>(which), place),
          "cuMemPoolGetAttribute", operation, [&] { return describe_pool(state); });
    return is_truth(which) ? static_cast<uint64_t>(truth) : value;
}

void PooledMemoryResource::set_attribute(MemoryPoolAttribute which, uint64_t value) const {
    constexpr const char* operation = "setting a memory pool's attribute";
    const MemoryResourceState& state = opened(operation);
    cuuint64_t number = value;
    int truth = value != 0 ? 1 : 0;
    void* const place = is_truth(which) ? static_cast<void*>(&truth) : &number;
    check(driver::cuMemPoolSetAttribute(state.pool, static_cast<CUmemPool_attribute>(which), place),
          "cuMemPoolSetAttribute", operation, [&] { return describe_pool(state); });
}

void PooledMemoryResource::trim_to(uint64_t min_bytes) const {
    constexpr const char* operation = "trimming a memory pool";
    const MemoryResourceState& state = opened(operation);
    check(driver::cuMemPoolTrimTo(state.pool, min_bytes), "cuMemPoolTrimTo", operation,
          [&] { return describe_pool(state); });
}

std::optional<MemoryLocation> PooledMemoryResource::location() const {
    const MemoryResourceState& state = opened("asking where a memory pool's memory is");
    if (state.location_kind == 0) return std::nullopt;
    return MemoryLocation::of(state.location_kind, state.location_id);
}

bool PooledMemoryResource::is_accessible_by(const Device& device) const {
    constexpr const char* operation = "asking who can use a memory pool";
    const MemoryResourceState& state = opened(operation);
    // Managed memory is everybody's; the driver reports nobody.
    if (state.kind == MemoryKind::managed) return true;
    CUmemLocation location = access_of(device.device_id(), true).location;
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    check(driver::cuMemPoolGetAccess(&flags, state.pool, &location), "cuMemPoolGetAccess", operation,
          [&] { return describe_pool(state); });
    return flags != CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

void PooledMemoryResource::set_accessible_by(const Device& device, bool accessible) const {
    constexpr const char* operation = "choosing who can use a memory pool";
    const MemoryResourceState& state = opened(operation);
    if (state.kind == MemoryKind::managed ||
        (state.kind == MemoryKind::device && device.device_id() == state.device_id)) {
        if (accessible) return;
        throw InvalidArgument(operation, describe_pool(state),
                              describe_device(device.device_id()) + " can always use it");
    }
    if (accessible) require_peer(state, device.device_id(), operation);
    const CUmemAccessDesc access = access_of(device.device_id(), accessible);
    check(driver::cuMemPoolSetAccess(state.pool, &access, 1), "cuMemPoolSetAccess", operation,
          [&] { return describe_pool(state); });
}

DeviceMemoryResource::DeviceMemoryResource(const Device& device)
    : DeviceMemoryResource(current_pool(device.device_id())) {}

DeviceMemoryResource::DeviceMemoryResource(const Device& device, const DeviceMemoryResourceOptions& options)
    : PooledMemoryResource(own_device_pool(device, options)) {}

DeviceMemoryResource DeviceMemoryResource::of(const MemoryResource& resource) {
    PooledMemoryResource::of(resource);
    DeviceMemoryResource found(resource.state_);
    if (resource.state_->kind != MemoryKind::device) {
        throw InvalidArgument("using a memory pool", describe_pool(*resource.state_),
                              "it is not a pool of a device's memory", "use a device memory resource");
    }
    return found;
}

std::vector<Device> DeviceMemoryResource::peer_accessible_by() const {
    std::vector<Device> found;
    for (const Device& device : Device::get_all_devices()) {
        if (device.device_id() != device_id() && is_accessible_by(device)) found.push_back(device);
    }
    return found;
}

// One call for all: each may take long where the pool holds much.
void DeviceMemoryResource::set_peer_accessible_by(const std::vector<Device>& devices) const {
    constexpr const char* operation = "choosing who can use a memory pool";
    const MemoryResourceState& state = opened(operation);
    std::vector<CUmemAccessDesc> changes;
    for (const Device& device : Device::get_all_devices()) {
        if (device.device_id() == state.device_id) continue;
        const bool wanted = std::find(devices.begin(), devices.end(), device) != devices.end();
        if (wanted == is_accessible_by(device)) continue;
        if (wanted) require_peer(state, device.device_id(), operation);
        changes.push_back(access_of(device.device_id(), wanted));
    }
    if (changes.empty()) return;
    check(driver::cuMemPoolSetAccess(state.pool, changes.data(), changes.size()), "cuMemPoolSetAccess", operation,
          [&] { return describe_pool(state); });
}

PinnedMemoryResource::PinnedMemoryResource() : PooledMemoryResource(current_pinned_pool()) {}

PinnedMemoryResource::PinnedMemoryResource(const PinnedMemoryResourceOptions& options)
    : PooledMemoryResource(own_pinned_pool(options)) {}

PinnedMemoryResource PinnedMemoryResource::of(const MemoryResource& resource) {
    PooledMemoryResource::of(resource);
    if (resource.state_->kind != MemoryKind::pinned) {
        throw InvalidArgument("using a memory pool", describe_pool(*resource.state_),
                              "it is not a pool of page-locked host memory", "use a pinned memory resource");
    }
    return PinnedMemoryResource(resource.state_);
}

int32_t PinnedMemoryResource::numa_id() const {
    const std::optional<MemoryLocation> place = location();
    return place.has_value() && place->kind() == MemoryLocation::Kind::host_numa ? place->id() : -1;
}

ManagedMemoryResource::ManagedMemoryResource() : PooledMemoryResource(current_managed_pool()) {}

ManagedMemoryResource::ManagedMemoryResource(const ManagedMemoryResourceOptions& options)
    : PooledMemoryResource(own_managed_pool(options)) {}

}  // namespace cuprum::core
