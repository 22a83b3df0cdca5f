// The library, the system, and finding devices.
#include <fstream>
#include <string>

#include "nvml/entry.hpp"

using namespace cuprum::simulator::nvml;

namespace {

// Plausible, and no version that NVIDIA has released: 580 is the branch of CUDA 13.0.
constexpr std::string_view kernel_driver = "580.00.00";
constexpr std::string_view own_version = "13.580.00.00";
constexpr std::string_view branch = "r580_00";

std::string upper(std::string text) {
    for (char& c : text)
        c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

template <class Matches>
Result find_by(DeviceHandle** handle, Matches matches) {
    auto* const all = devices();
    if (all == nullptr) return uninitialized;
    if (handle == nullptr) return invalid_argument;
    for (Device& device : *all) {
        if (matches(device)) return give(handle, handle_of(device));
    }
    return not_found;
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

void cuprum_simulator_companion(const char* driver) {
    use_driver(driver);
}

Result nvmlInit_v2() {
    return initialise();
}

Result nvmlInit() {
    return initialise();
}

Result nvmlInitWithFlags(unsigned int) {
    return initialise();
}

Result nvmlShutdown() {
    return shut_down();
}

const char* nvmlErrorString(Result result) {
    switch (result) {
        case success:
            return "Success";
        case uninitialized:
            return "Uninitialized";
        case invalid_argument:
            return "Invalid Argument";
        case not_supported:
            return "Not Supported";
        case not_found:
            return "Not Found";
        case insufficient_size:
            return "Insufficient Size";
        case driver_not_loaded:
            return "Driver Not Loaded";
        case timeout:
            return "Timeout";
        case function_not_found:
            return "Function Not Found";
        case gpu_is_lost:
            return "GPU is lost";
        case out_of_memory:
            return "Insufficient Memory";
        case argument_version_mismatch:
            return "Argument version mismatch";
        default:
            return "Unknown Error";
    }
}

Result nvmlSystemGetCudaDriverVersion(int* version) {
    return give(version, driver_version());
}

Result nvmlSystemGetCudaDriverVersion_v2(int* version) {
    return give(version, driver_version());
}

Result nvmlSystemGetDriverVersion(char* version, unsigned int length) {
    return devices() == nullptr ? uninitialized : give_text(kernel_driver, version, length);
}

Result nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
    return devices() == nullptr ? uninitialized : give_text(own_version, version, length);
}

Result nvmlSystemGetDriverBranch(DriverBranch* info, unsigned int length) {
    if (devices() == nullptr) return uninitialized;
    if (info == nullptr) return invalid_argument;
    if (info->version != version_of<DriverBranch>(1)) return argument_version_mismatch;
    return give_text(branch, info->branch, length);
}

Result nvmlSystemGetProcessName(unsigned int pid, char* name, unsigned int length) {
    if (devices() == nullptr) return uninitialized;
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
    std::string text;
    if (!std::getline(file, text, '\0') || text.empty()) return not_found;
    return give_text(text, name, length);
}

Result nvmlDeviceGetCount_v2(unsigned int* count) {
    auto* const all = devices();
    return all == nullptr ? uninitialized : give(count, all->size());
}

Result nvmlDeviceGetHandleByIndex_v2(unsigned int index, DeviceHandle** handle) {
    auto* const all = devices();
    if (all == nullptr) return uninitialized;
    return index >= all->size() ? invalid_argument : give(handle, handle_of((*all)[index]));
}

Result nvmlDeviceGetHandleByUUID(const char* uuid, DeviceHandle** handle) {
    if (uuid == nullptr) return invalid_argument;
    return find_by(handle, [&](const Device& device) { return device.uuid() == uuid; });
}

Result nvmlDeviceGetHandleByPciBusId_v2(const char* id, DeviceHandle** handle) {
    if (id == nullptr) return invalid_argument;
    const std::string wanted = upper(id);
    // With eight digits of the domain, with four, or with none.
    return find_by(handle, [&](const Device& device) {
        const std::string& own = device.pci_bus_id();
        return own == wanted || own.substr(4) == wanted || own.substr(9) == wanted;
    });
}

Result nvmlDeviceGetTopologyCommonAncestor(DeviceHandle* first, DeviceHandle* second, int* level) {
    return with_device(first, [&](Device& one) {
        return with_device(
            second, [&](Device& other) { return give(level, &one == &other ? topology::internal : topology::node); });
    });
}

Result nvmlDeviceGetTopologyNearestGpus(DeviceHandle* handle, int level, unsigned int* count, DeviceHandle** found) {
    return with_device(handle, [&](Device& device) {
        if (level < topology::internal || level > topology::system) return invalid_argument;
        std::deque<DeviceHandle*> near;
        for (Device& other : *devices()) {
            if (&other != &device && level == topology::node) near.push_back(handle_of(other));
        }
        if (count != nullptr && found == nullptr) return give(count, near.size());
        return give_list(near, count, found);
    });
}

// Reads, writes and atomics, as the simulator's libcuda; there is no NVLink.
Result nvmlDeviceGetP2PStatus(DeviceHandle* first, DeviceHandle* second, int capability, int* status) {
    constexpr int nvlink = 2, last = 5, ok = 0, unsupported = 5;
    return with_device(first, [&](Device& one) {
        return with_device(second, [&](Device& other) {
            if (&one == &other || capability < 0 || capability >= last) return invalid_argument;
            return give(status, capability == nvlink ? unsupported : ok);
        });
    });
}

}  // extern "C"
