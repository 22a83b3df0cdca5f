#include "cuprum/core/system.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "cuprum/core/device.hpp"
#include "nvml_call.hpp"

namespace cuprum::core::system {

namespace {

nvmlDevice_t native_gpu(void* handle) {
    return static_cast<nvmlDevice_t>(handle);
}

// Text that names the device, made only when a call about it has failed.
auto named_gpu(int32_t index) {
    return [index] { return "system device " + std::to_string(index); };
}

std::string gpu_text(nvmlReturn_t (*function)(nvmlDevice_t, char*, unsigned int), const char* name,
                     const char* operation, void* handle, int32_t index) {
    std::array<char, nvml_text_size> text{};
    check_nvml(function(native_gpu(handle), text.data(), text.size()), name, operation, named_gpu(index));
    return text.data();
}

int32_t index_of(nvmlDevice_t handle) {
    return static_cast<int32_t>(
        ask_nvml(&nvml::nvmlDeviceGetIndex, "nvmlDeviceGetIndex", "asking for a GPU's index", handle, "NVML"));
}

[[noreturn]] void refuse_gpu(const std::string& operation, const std::string& object, std::string detail) {
    throw InvalidArgument(operation, object, std::move(detail), "`cuprum top` lists the GPUs that NVML sees");
}

}  // namespace

Device::Device(int32_t index) : index_(index), handle_(nullptr) {
    constexpr const char* operation = "finding a GPU";
    const int32_t count = get_num_devices();
    if (index < 0 || index >= count) {
        refuse_gpu(operation, "system device " + std::to_string(index),
                   "NVML sees " + std::to_string(count) + (count == 1 ? " GPU" : " GPUs") + ", numbered from 0");
    }
    nvmlDevice_t handle = nullptr;
    check_nvml(nvml::nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned int>(index), &handle),
               "nvmlDeviceGetHandleByIndex", operation, named_gpu(index));
    handle_ = handle;
}

Device Device::of_uuid(const std::string& uuid) {
    constexpr const char* operation = "finding a GPU by its UUID";
    start_nvml(operation);
    nvmlDevice_t handle = nullptr;
    check_nvml(nvml::nvmlDeviceGetHandleByUUID(uuid.c_str(), &handle), "nvmlDeviceGetHandleByUUID", operation,
               "UUID " + uuid);
    return {index_of(handle), handle};
}

Device Device::of_pci_bus_id(const std::string& pci_bus_id) {
    constexpr const char* operation = "finding a GPU by its PCI bus id";
    start_nvml(operation);
    nvmlDevice_t handle = nullptr;
    check_nvml(nvml::nvmlDeviceGetHandleByPciBusId_v2(pci_bus_id.c_str(), &handle), "nvmlDeviceGetHandleByPciBusId",
               operation, "PCI bus id " + pci_bus_id);
    return {index_of(handle), handle};
}

std::vector<Device> Device::get_all_devices() {
    const int32_t count = get_num_devices();
    std::vector<Device> devices;
    devices.reserve(static_cast<size_t>(count));
    for (int32_t index = 0; index < count; ++index)
        devices.emplace_back(index);
    return devices;
}

core::Device Device::to_cuda_device() const {
    const std::string wanted = uuid();
    for (const core::Device& device : core::Device::get_all_devices()) {
        if (device.uuid() == wanted) return device;
    }
    refuse_gpu("finding the CUDA device of a GPU", "system device " + std::to_string(index_) + ", " + wanted,
               "CUDA sees no device of that UUID: CUDA_VISIBLE_DEVICES may hide it");
}

Utilization Device::utilization() const {
    const nvmlUtilization_t found = ask_nvml(&nvml::nvmlDeviceGetUtilizationRates, "nvmlDeviceGetUtilizationRates",
                                             "asking for a GPU's utilization", native_gpu(handle_), named_gpu(index_));
    return {found.gpu, found.memory};
}

MemoryInfo Device::memory_info() const {
    nvmlMemory_v2_t memory{};
    memory.version = nvmlMemory_v2;
    check_nvml(nvml::nvmlDeviceGetMemoryInfo_v2(native_gpu(handle_), &memory), "nvmlDeviceGetMemoryInfo_v2",
               "asking for a GPU's memory", named_gpu(index_));
    return {memory.total, memory.free, memory.used, memory.reserved};
}

uint32_t Device::clock(ClockType type) const {
    unsigned int clock = 0;
    check_nvml(nvml::nvmlDeviceGetClockInfo(native_gpu(handle_), static_cast<nvmlClockType_t>(type), &clock),
               "nvmlDeviceGetClockInfo", "asking for a GPU's clock", named_gpu(index_));
    return clock;
}

uint32_t Device::max_clock(ClockType type) const {
    unsigned int clock = 0;
    check_nvml(nvml::nvmlDeviceGetMaxClockInfo(native_gpu(handle_), static_cast<nvmlClockType_t>(type), &clock),
               "nvmlDeviceGetMaxClockInfo", "asking for a GPU's clock", named_gpu(index_));
    return clock;
}

int32_t Device::temperature() const {
    unsigned int temperature = 0;
    check_nvml(nvml::nvmlDeviceGetTemperature(native_gpu(handle_), NVML_TEMPERATURE_GPU, &temperature),
               "nvmlDeviceGetTemperature", "asking for a GPU's temperature", named_gpu(index_));
    return static_cast<int32_t>(temperature);
}

uint32_t Device::temperature_threshold(TemperatureThreshold threshold) const {
    unsigned int temperature = 0;
    check_nvml(nvml::nvmlDeviceGetTemperatureThreshold(
                   native_gpu(handle_), static_cast<nvmlTemperatureThresholds_t>(threshold), &temperature),
               "nvmlDeviceGetTemperatureThreshold", "asking for a GPU's temperature threshold", named_gpu(index_));
    return temperature;
}

int32_t Device::performance_state() const {
    return static_cast<int32_t>(ask_nvml(&nvml::nvmlDeviceGetPerformanceState, "nvmlDeviceGetPerformanceState",
                                         "asking for a GPU's performance state", native_gpu(handle_),
                                         named_gpu(index_)));
}

std::vector<ProcessInfo> Device::compute_running_processes() const {
    std::vector<nvmlProcessInfo_t> found(16);
    nvmlReturn_t result = NVML_ERROR_INSUFFICIENT_SIZE;
    // Processes come and go: what was room enough may be too little at the next call.
    for (int attempt = 0; attempt < 8 && result == NVML_ERROR_INSUFFICIENT_SIZE; ++attempt) {
        auto count = static_cast<unsigned int>(found.size());
        result = nvml::nvmlDeviceGetComputeRunningProcesses_v3(native_gpu(handle_), &count, found.data());
        found.resize(result == NVML_ERROR_INSUFFICIENT_SIZE ? count * 2 + 4 : count);
    }
    check_nvml(result, "nvmlDeviceGetComputeRunningProcesses", "asking for the processes on a GPU", named_gpu(index_));
    std::vector<ProcessInfo> processes;
    for (const nvmlProcessInfo_t& process : found) {
        const bool is_known = process.usedGpuMemory != ~0ull;
        processes.push_back({process.pid, is_known ? std::optional<uint64_t>(process.usedGpuMemory) : std::nullopt});
    }
    return processes;
}

bool Device::is_persistence_mode_enabled() const {
    return ask_nvml(&nvml::nvmlDeviceGetPersistenceMode, "nvmlDeviceGetPersistenceMode",
                    "asking for a GPU's persistence mode", native_gpu(handle_),
                    named_gpu(index_)) == NVML_FEATURE_ENABLED;
}

void Device::set_persistence_mode_enabled(bool enabled) const {
    check_nvml(
        nvml::nvmlDeviceSetPersistenceMode(native_gpu(handle_), enabled ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED),
        "nvmlDeviceSetPersistenceMode", "setting a GPU's persistence mode", named_gpu(index_));
}

uint32_t Device::fan_speed(uint32_t fan) const {
    unsigned int speed = 0;
    check_nvml(nvml::nvmlDeviceGetFanSpeed_v2(native_gpu(handle_), fan, &speed), "nvmlDeviceGetFanSpeed_v2",
               "asking for the speed of a GPU's fan", named_gpu(index_));
    return speed;
}

void Device::set_fan_speed(uint32_t percent, uint32_t fan) const {
    check_nvml(nvml::nvmlDeviceSetFanSpeed_v2(native_gpu(handle_), fan, percent), "nvmlDeviceSetFanSpeed_v2",
               "setting the speed of a GPU's fan", named_gpu(index_));
}

void Device::set_default_fan_speed(uint32_t fan) const {
    check_nvml(nvml::nvmlDeviceSetDefaultFanSpeed_v2(native_gpu(handle_), fan), "nvmlDeviceSetDefaultFanSpeed_v2",
               "setting the speed of a GPU's fan", named_gpu(index_));
}

PciInfo Device::pci_info() const {
    const nvmlPciInfo_t found = ask_nvml(&nvml::nvmlDeviceGetPciInfo_v3, "nvmlDeviceGetPciInfo",
                                         "asking for a GPU's PCI bus id", native_gpu(handle_), named_gpu(index_));
    return {found.busId,
            found.domain,
            found.bus,
            found.device,
            found.pciDeviceId & 0xffffU,
            found.pciDeviceId >> 16U,
            found.pciSubSystemId};
}

std::string Device::pci_bus_id() const {
    return pci_info().bus_id;
}

uint32_t Device::pci_rx_throughput() const {
    unsigned int value = 0;
    check_nvml(nvml::nvmlDeviceGetPcieThroughput(native_gpu(handle_), NVML_PCIE_UTIL_RX_BYTES, &value),
               "nvmlDeviceGetPcieThroughput", "asking for a GPU's PCI throughput", named_gpu(index_));
    return value;
}

uint32_t Device::pci_tx_throughput() const {
    unsigned int value = 0;
    check_nvml(nvml::nvmlDeviceGetPcieThroughput(native_gpu(handle_), NVML_PCIE_UTIL_TX_BYTES, &value),
               "nvmlDeviceGetPcieThroughput", "asking for a GPU's PCI throughput", named_gpu(index_));
    return value;
}

TopologyLevel Device::topology_common_ancestor(const Device& other) const {
    nvmlGpuTopologyLevel_t level{};
    check_nvml(nvml::nvmlDeviceGetTopologyCommonAncestor(native_gpu(handle_), native_gpu(other.handle_), &level),
               "nvmlDeviceGetTopologyCommonAncestor", "asking what two GPUs have in common", named_gpu(index_));
    return static_cast<TopologyLevel>(level);
}

std::vector<Device> Device::topology_nearest_gpus(TopologyLevel level) const {
    const auto native_level = static_cast<nvmlGpuTopologyLevel_t>(level);
    constexpr const char* operation = "asking for the GPUs nearest to one";
    unsigned int count = 0;
    check_nvml(nvml::nvmlDeviceGetTopologyNearestGpus(native_gpu(handle_), native_level, &count, nullptr),
               "nvmlDeviceGetTopologyNearestGpus", operation, named_gpu(index_));
    std::vector<nvmlDevice_t> found(count);
    if (count != 0) {
        check_nvml(nvml::nvmlDeviceGetTopologyNearestGpus(native_gpu(handle_), native_level, &count, found.data()),
                   "nvmlDeviceGetTopologyNearestGpus", operation, named_gpu(index_));
    }
    std::vector<Device> nearest;
    nearest.reserve(found.size());
    for (nvmlDevice_t handle : found)
        nearest.push_back(Device(index_of(handle), handle));
    return nearest;
}

P2PStatus Device::p2p_status(const Device& other, P2PCapability capability) const {
    nvmlGpuP2PStatus_t status{};
    check_nvml(nvml::nvmlDeviceGetP2PStatus(native_gpu(handle_), native_gpu(other.handle_),
                                            static_cast<nvmlGpuP2PCapsIndex_t>(capability), &status),
               "nvmlDeviceGetP2PStatus", "asking how two GPUs reach each other", named_gpu(index_));
    return static_cast<P2PStatus>(status);
}

std::string Device::name() const {
    return gpu_text(&nvml::nvmlDeviceGetName, "nvmlDeviceGetName", "asking for a GPU's name", handle_, index_);
}

std::string Device::uuid() const {
    return gpu_text(&nvml::nvmlDeviceGetUUID, "nvmlDeviceGetUUID", "asking for a GPU's UUID", handle_, index_);
}

std::string Device::serial() const {
    return gpu_text(&nvml::nvmlDeviceGetSerial, "nvmlDeviceGetSerial", "asking for a board's serial number", handle_,
                    index_);
}

uint32_t Device::minor_number() const {
    return ask_nvml(&nvml::nvmlDeviceGetMinorNumber, "nvmlDeviceGetMinorNumber", "asking for a GPU's minor number",
                    native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::power_usage() const {
    return ask_nvml(&nvml::nvmlDeviceGetPowerUsage, "nvmlDeviceGetPowerUsage", "asking for the power that a GPU takes",
                    native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::power_limit() const {
    return ask_nvml(&nvml::nvmlDeviceGetEnforcedPowerLimit, "nvmlDeviceGetEnforcedPowerLimit",
                    "asking for a GPU's power limit", native_gpu(handle_), named_gpu(index_));
}

uint64_t Device::energy_consumption() const {
    return ask_nvml(&nvml::nvmlDeviceGetTotalEnergyConsumption, "nvmlDeviceGetTotalEnergyConsumption",
                    "asking for the energy that a GPU has taken", native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::num_fans() const {
    return ask_nvml(&nvml::nvmlDeviceGetNumFans, "nvmlDeviceGetNumFans", "counting a GPU's fans", native_gpu(handle_),
                    named_gpu(index_));
}

uint32_t Device::pci_link_generation() const {
    return ask_nvml(&nvml::nvmlDeviceGetCurrPcieLinkGeneration, "nvmlDeviceGetCurrPcieLinkGeneration",
                    "asking for a GPU's PCI link", native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::pci_link_width() const {
    return ask_nvml(&nvml::nvmlDeviceGetCurrPcieLinkWidth, "nvmlDeviceGetCurrPcieLinkWidth",
                    "asking for a GPU's PCI link", native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::pci_max_link_generation() const {
    return ask_nvml(&nvml::nvmlDeviceGetMaxPcieLinkGeneration, "nvmlDeviceGetMaxPcieLinkGeneration",
                    "asking for a GPU's PCI link", native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::pci_max_link_width() const {
    return ask_nvml(&nvml::nvmlDeviceGetMaxPcieLinkWidth, "nvmlDeviceGetMaxPcieLinkWidth",
                    "asking for a GPU's PCI link", native_gpu(handle_), named_gpu(index_));
}

uint32_t Device::pci_replay_counter() const {
    return ask_nvml(&nvml::nvmlDeviceGetPcieReplayCounter, "nvmlDeviceGetPcieReplayCounter",
                    "asking for a GPU's PCI replays", native_gpu(handle_), named_gpu(index_));
}

uint64_t Device::supported_event_types() const {
    return ask_nvml(&nvml::nvmlDeviceGetSupportedEventTypes, "nvmlDeviceGetSupportedEventTypes",
                    "asking for the events of a GPU", native_gpu(handle_), named_gpu(index_));
}

}  // namespace cuprum::core::system
