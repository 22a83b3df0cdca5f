#include "cuprum/core/device.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "allocation.hpp"
#include "capture_keeping.hpp"
#include "context.hpp"
#include "context_state.hpp"
#include "cuprum/bindings/trace.hpp"
#include "cuprum/core/memory_pool.hpp"
#include "cuprum/core/opaque_array.hpp"
#include "cuprum/core/texture_object.hpp"
#include "device_properties.hpp"
#include "driver_error.hpp"
#include "left_to_destroy.hpp"
#include "memory_resource_state.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

// Text that names the device, made only when a call on it has failed.
auto named(const Device& device) {
    return [id = device.device_id()] { return describe_device(id); };
}

std::shared_ptr<const MemoryResourceState> user_resource_of(int32_t device_id) {
    DeviceState& state = device_state(device_id);
    const std::lock_guard lock(state.mutex);
    return state.user_resource;
}

}  // namespace

std::shared_ptr<const MemoryResourceState> current_pool(int32_t device_id) {
    DeviceState& state = device_state(device_id);
    CUmemoryPool pool = nullptr;
    check(driver::cuDeviceGetMemPool(&pool, state.device), "cuDeviceGetMemPool", "asking for the memory resource",
          [device_id] { return describe_device(device_id); });
    const std::lock_guard lock(state.mutex);
    // Other code may have chosen another pool since.
    if (state.memory_resource == nullptr || state.memory_resource->pool != pool) {
        state.memory_resource = borrowed_pool(device_id, pool);
    }
    return state.memory_resource;
}

Device::Device(int32_t device_id) : device_id_(device_id) {
    device_state(device_id);
}

int32_t Device::count() {
    return initialize_driver();
}

std::vector<Device> Device::get_all_devices() {
    const int32_t number = count();
    std::vector<Device> devices;
    devices.reserve(static_cast<size_t>(number));
    for (int32_t id = 0; id < number; ++id)
        devices.emplace_back(id);
    return devices;
}

Device Device::current() {
    const int32_t number = count();
    CUdevice device = 0;
    const bindings::Probe probe(CUDA_ERROR_INVALID_CONTEXT);
    const CUresult result = driver::cuCtxGetDevice(&device);
    if (result == CUDA_ERROR_INVALID_CONTEXT) return Device(0);  // none is current
    check(result, "cuCtxGetDevice", "asking for the current device", "");
    int32_t id = 0;
    while (id < number && device_state(id).device != device)
        ++id;
    return Device(id);
}

std::optional<Device> Device::of_memory(uint64_t address) {
    count();  // starts the driver
    int id = -1;
    const CUresult result = driver::cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
    if (result == CUDA_ERROR_INVALID_VALUE) return std::nullopt;  // no memory of CUDA's
    check(result, "cuPointerGetAttribute", "asking where memory is", "");
    if (id < 0) return std::nullopt;  // managed memory that is on the host now
    return Device(id);
}

std::string Device::name() const {
    std::array<char, 256> text{};
    check(driver::cuDeviceGetName(text.data(), static_cast<int>(text.size()), device_state(device_id_).device),
          "cuDeviceGetName", "asking for the name", named(*this));
    text.back() = '\0';
    return text.data();
}

std::string Device::uuid() const {
    CUuuid uuid{};
    check(driver::cuDeviceGetUuid(&uuid, device_state(device_id_).device), "cuDeviceGetUuid", "asking for the UUID",
          named(*this));
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (size_t i = 0; i < sizeof(uuid.bytes); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string Device::pci_bus_id() const {
    std::array<char, 64> text{};
    check(driver::cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device_state(device_id_).device),
          "cuDeviceGetPCIBusId", "asking for the PCI bus id", named(*this));
    text.back() = '\0';
    return text.data();
}

std::string Device::arch() const {
    const ComputeCapability capability = compute_capability();
    return std::to_string(capability.major) + std::to_string(capability.minor);
}

ComputeCapability Device::compute_capability() const {
    return {attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
}

const DeviceProperties& Device::properties() const {
    return device_properties(device_state(device_id_), device_id_);
}

int32_t Device::attribute(int32_t driver_attribute) const {
    int value = 0;
    check(
        driver::cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(driver_attribute),
                                     device_state(device_id_).device),
        "cuDeviceGetAttribute",
        [driver_attribute] { return "asking for attribute " + std::to_string(driver_attribute); }, named(*this));
    return value;
}

uint64_t Device::total_memory() const {
    size_t bytes = 0;
    check(driver::cuDeviceTotalMem(&bytes, device_state(device_id_).device), "cuDeviceTotalMem",
          "asking for the total memory", named(*this));
    return bytes;
}

uint64_t Device::free_memory() const {
    return memory_info().free;
}

MemoryInfo Device::memory_info() const {
    const ContextScope scope(device_id_);
    size_t free = 0;
    size_t total = 0;
    check(driver::cuMemGetInfo(&free, &total), "cuMemGetInfo", "asking for the free memory", named(*this));
    return {free, total};
}

bool Device::is_simulator() const {
    device_state(device_id_);
    return driver::is_simulator();
}

void Device::set_current() const {
    check(driver::cuCtxSetCurrent(primary_context(device_id_)), "cuCtxSetCurrent", "making the primary context current",
          named(*this));
}

void Device::sync() const {
    const ContextScope scope(device_id_);
    check(driver::cuCtxSynchronize(), "cuCtxSynchronize", "waiting for a device", named(*this));
    destroy_what_is_left();
    Buffer::close_deferred();
}

Stream Device::create_stream(const StreamOptions& options) const {
    return Stream(*this, options);
}

Event Device::create_event(const EventOptions& options) const {
    return Event(*this, options);
}

StreamRef Device::default_stream() const {
    return StreamRef::from_handle(nullptr, device_id_);
}

MemoryResource Device::memory_resource() const {
    std::shared_ptr<const MemoryResourceState> user = user_resource_of(device_id_);
    return MemoryResource(user != nullptr ? std::move(user) : current_pool(device_id_));
}

void Device::set_memory_resource(const MemoryResource& resource) const {
    constexpr const char* operation = "choosing a device's memory resource";
    const MemoryResourceState& chosen = resource.opened(operation);
    const bool is_users = chosen.allocator != nullptr;
    if (!is_users && (chosen.pool == nullptr || chosen.kind != MemoryKind::device)) {
        throw InvalidArgument(operation, describe_device(device_id_),
                              "a device allocates from a pool of its memory, or from a resource that the program has "
                              "written",
                              "choose one of these, and call the allocate of others");
    }
    if (chosen.device_id != device_id_ && !(is_users && chosen.device_id == -1)) {
        throw InvalidArgument(operation, describe_device(device_id_),
                              "the memory resource is one of " + describe_device(chosen.device_id));
    }
    if (chosen.kind == MemoryKind::host) {
        throw InvalidArgument(operation, describe_device(device_id_), "devices cannot use the resource's memory",
                              "choose one whose memory they can use");
    }
    DeviceState& state = device_state(device_id_);
    // Ends, where it was the last of its kind, without the mutex: that may call the program's code.
    std::shared_ptr<const MemoryResourceState> former;
    const std::lock_guard lock(state.mutex);
    if (is_users) {
        set(Circumstance::user_resource_chosen, true);
        former = std::exchange(state.user_resource, resource.state_);
        return;
    }
    check(driver::cuDeviceSetMemPool(state.device, chosen.pool), "cuDeviceSetMemPool", operation, named(*this));
    state.memory_resource = resource.state_;
    former = std::exchange(state.user_resource, nullptr);
}

Buffer Device::allocate(uint64_t size) const {
    if (size == 0) return Buffer(0, 0, device_id_, MemoryKind::device, FreedBy::cu_mem_free);
    const ContextScope scope(device_id_);
    CUdeviceptr address = 0;
    check_allocation(driver::cuMemAlloc(&address, size), "cuMemAlloc", *this, size);
    return Buffer(address, size, device_id_, MemoryKind::device, FreedBy::cu_mem_free);
}

[[gnu::hot]] Buffer Device::allocate(uint64_t size, const Stream& stream) const {
    if (holds(Circumstance::user_resource_chosen)) [[unlikely]] {
        if (auto user = user_resource_of(device_id_)) return MemoryResource(std::move(user)).allocate(size, stream);
    }
    return allocate_in_order(size, stream, stream.state_);
}

Buffer Device::allocate(uint64_t size, StreamRef stream) const {
    if (holds(Circumstance::user_resource_chosen)) [[unlikely]] {
        if (auto user = user_resource_of(device_id_)) return MemoryResource(std::move(user)).allocate(size, stream);
    }
    return allocate_in_order(size, stream, nullptr);
}

[[gnu::hot]] Buffer Device::allocate_in_order(uint64_t size, StreamRef stream,
                                              std::shared_ptr<void> stream_owner) const {
    constexpr const char* operation = "allocating in stream order";
    require_valid(stream, operation);
    if (stream.device_id() != device_id_) {
        throw InvalidArgument(operation, describe(stream), "the stream must be one of " + describe_device(device_id_));
    }
    // One that is returned from everywhere is made where the caller wants it.
    Buffer buffer(0, size, device_id_, MemoryKind::device,
                  size == 0 ? FreedBy::cu_mem_free : FreedBy::cu_mem_free_async);
    if (size == 0) return buffer;
    const ContextScope scope(stream);
    CUdeviceptr address = 0;
    check_allocation(driver::cuMemAllocAsync(&address, size, stream.handle()), "cuMemAllocAsync", *this, size);
    buffer.address_ = address;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    note_memory_of_capture(stream, address, size, operation);
    return buffer;
}

Context Device::context() const {
    auto state = std::make_shared<Context::State>();
    state->handle = primary_context(device_id_);
    state->device_id = device_id_;
    return Context(std::move(state));
}

OpaqueArray Device::create_opaque_array(const OpaqueArrayOptions& options) const {
    return {*this, options};
}

MipmappedArray Device::create_mipmapped_array(const MipmappedArrayOptions& options) const {
    return {*this, options};
}

TextureObject Device::create_texture_object(const ResourceDescriptor& resource,
                                            const TextureObjectOptions& options) const {
    return {*this, resource, options};
}

TextureObject Device::create_texture_object(const ResourceDescriptor& resource) const {
    return {*this, resource};
}

SurfaceObject Device::create_surface_object(const ResourceDescriptor& resource) const {
    return {*this, resource};
}

Context Device::create_context(const ContextOptions& options) const {
    return Context(*this, options);
}

int32_t driver_version() {
    int version = 0;
    check(driver::cuDriverGetVersion(&version), "cuDriverGetVersion", "asking for the driver's version", "");
    return version;
}

}  // namespace cuprum::core
