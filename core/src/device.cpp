#include "cuprum/core/device.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "context.hpp"
#include "device_properties.hpp"
#include "driver_error.hpp"
#include "require.hpp"
#include "stream_state.hpp"

namespace cuprum::core {

namespace {

// Text that names the device, made only when a call on it has failed.
auto named(const Device& device) {
    return [id = device.device_id()] { return describe_device(id); };
}

// After an allocation that failed: how much there would have been, as far as the driver still says.
std::string free_memory_text(const Device& device) {
    try {
        const auto [free, total] = device.memory_info();
        return std::to_string(free) + " of the device's " + std::to_string(total) + " bytes are free";
    } catch (const Error&) {
        return {};
    }
}

void check_allocation(CUresult result, const char* driver_function, const Device& device, uint64_t size) {
    if (result == CUDA_SUCCESS) return;
    std::string operation = "allocating " + std::to_string(size) + " bytes";
    if (result != CUDA_ERROR_OUT_OF_MEMORY) {
        throw_driver_error(result, driver_function, std::move(operation), describe_device(device.device_id()));
    }
    throw OutOfMemory(driver_error_info(result, driver_function, std::move(operation),
                                        describe_device(device.device_id()), free_memory_text(device)),
                      size);
}

}  // namespace

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

Buffer Device::allocate(uint64_t size) const {
    if (size == 0) return Buffer(0, 0, device_id_, MemoryKind::device);
    const ContextScope scope(device_id_);
    CUdeviceptr address = 0;
    check_allocation(driver::cuMemAlloc(&address, size), "cuMemAlloc", *this, size);
    return Buffer(address, size, device_id_, MemoryKind::device);
}

Buffer Device::allocate(uint64_t size, const Stream& stream) const {
    return allocate_in_order(size, stream, stream.state_);
}

Buffer Device::allocate(uint64_t size, StreamRef stream) const {
    return allocate_in_order(size, stream, nullptr);
}

Buffer Device::allocate_in_order(uint64_t size, StreamRef stream, std::shared_ptr<void> stream_owner) const {
    constexpr const char* operation = "allocating in stream order";
    require_valid(stream, operation);
    if (stream.device_id() != device_id_) {
        throw InvalidArgument(operation, describe(stream), "the stream must be one of " + describe_device(device_id_));
    }
    if (size == 0) return Buffer(0, 0, device_id_, MemoryKind::device);
    const ContextScope scope(device_id_);
    CUdeviceptr address = 0;
    check_allocation(driver::cuMemAllocAsync(&address, size, stream.handle()), "cuMemAllocAsync", *this, size);
    Buffer buffer(address, size, device_id_, MemoryKind::device);
    buffer.is_stream_ordered_ = true;
    buffer.stream_ = stream;
    buffer.stream_owner_ = std::move(stream_owner);
    return buffer;
}

CUcontext Device::context() const {
    return primary_context(device_id_);
}

int32_t driver_version() {
    int version = 0;
    check(driver::cuDriverGetVersion(&version), "cuDriverGetVersion", "asking for the driver's version", "");
    return version;
}

}  // namespace cuprum::core
