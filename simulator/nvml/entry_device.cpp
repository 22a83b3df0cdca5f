// What a device is, and the memory, links and modes that it has.
#include <cuda.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "nvml/entry.hpp"

using namespace cuprum::simulator::nvml;

namespace {

constexpr unsigned int vendor = 0x10de;  // in the lower half of a PCI device's identification
constexpr unsigned long long bar1_bytes = 256ull << 20U;
constexpr int link_generation = 4;
constexpr int link_width = 16;

int architecture(int major, int minor) {
    switch (major) {
        case 7:
            return minor == 5 ? 6 : 5;  // Turing, Volta
        case 8:
            return minor == 9 ? 8 : 7;  // Ada, Ampere
        case 9:
            return 9;  // Hopper
        default:
            return 10;  // Blackwell
    }
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

Result nvmlDeviceGetIndex(DeviceHandle* handle, unsigned int* index) {
    return with_device(handle, [&](Device& device) { return give(index, device.ordinal()); });
}

Result nvmlDeviceGetName(DeviceHandle* handle, char* name, unsigned int length) {
    return with_device(handle, [&](Device& device) { return give_text(device.name(), name, length); });
}

Result nvmlDeviceGetUUID(DeviceHandle* handle, char* uuid, unsigned int length) {
    return with_device(handle, [&](Device& device) { return give_text(device.uuid(), uuid, length); });
}

Result nvmlDeviceGetSerial(DeviceHandle* handle, char* serial, unsigned int length) {
    return with_device(
        handle, [&](Device& device) { return give_text("SIM" + std::to_string(device.ordinal()), serial, length); });
}

Result nvmlDeviceGetBrand(DeviceHandle* handle, int* brand) {
    constexpr int unknown_brand = 0;
    return with_device(handle, [&](Device&) { return give(brand, unknown_brand); });
}

Result nvmlDeviceGetMinorNumber(DeviceHandle* handle, unsigned int* number) {
    return with_device(handle, [&](Device& device) { return give(number, device.ordinal()); });
}

Result nvmlDeviceGetModuleId(DeviceHandle* handle, unsigned int* number) {
    return with_device(handle, [&](Device& device) { return give(number, device.ordinal() + 1); });
}

Result nvmlDeviceGetArchitecture(DeviceHandle* handle, unsigned int* number) {
    return with_device(handle, [&](Device& device) {
        return give(number, architecture(device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                         device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)));
    });
}

Result nvmlDeviceGetCudaComputeCapability(DeviceHandle* handle, int* major, int* minor) {
    return with_device(handle, [&](Device& device) {
        if (major == nullptr || minor == nullptr) return invalid_argument;
        *major = device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
        *minor = device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
        return success;
    });
}

Result nvmlDeviceGetPciInfo_v3(DeviceHandle* handle, PciInfo* info) {
    return with_device(handle, [&](Device& device) {
        if (info == nullptr) return invalid_argument;
        *info = {};
        info->bus = device.bus();
        info->device_id = vendor;
        give_text(device.pci_bus_id(), info->bus_id, sizeof info->bus_id);
        return give_text(device.pci_bus_id().substr(4), info->bus_id_legacy, sizeof info->bus_id_legacy);
    });
}

Result nvmlDeviceGetPciInfoExt(DeviceHandle* handle, PciInfoExt* info) {
    constexpr unsigned int display_controller = 3, controller_3d = 2;
    return with_device(handle, [&](Device& device) {
        if (info == nullptr) return invalid_argument;
        if (info->version != version_of<PciInfoExt>(1)) return argument_version_mismatch;
        *info = {};
        info->version = version_of<PciInfoExt>(1);
        info->bus = device.bus();
        info->device_id = vendor;
        info->base_class = display_controller;
        info->sub_class = controller_3d;
        return give_text(device.pci_bus_id(), info->bus_id, sizeof info->bus_id);
    });
}

Result nvmlDeviceGetMemoryInfo(DeviceHandle* handle, Memory* memory) {
    return with_device(handle, [&](Device& device) {
        const Usage usage = device.usage();
        return give(memory, Memory{usage.total_bytes, usage.total_bytes - usage.used_bytes, usage.used_bytes});
    });
}

Result nvmlDeviceGetMemoryInfo_v2(DeviceHandle* handle, MemoryV2* memory) {
    return with_device(handle, [&](Device& device) {
        if (memory == nullptr) return invalid_argument;
        // As NVML of driver 580 says it of version 0.
        if (memory->version != version_of<MemoryV2>(2)) return function_not_found;
        const Usage usage = device.usage();
        *memory = {memory->version, usage.total_bytes, 0, usage.total_bytes - usage.used_bytes, usage.used_bytes};
        return success;
    });
}

Result nvmlDeviceGetBAR1MemoryInfo(DeviceHandle* handle, Memory* memory) {
    return with_device(handle, [&](Device&) { return give(memory, Memory{bar1_bytes, bar1_bytes, 0}); });
}

Result nvmlDeviceGetComputeRunningProcesses_v3(DeviceHandle* handle, unsigned int* count, ProcessInfo* found) {
    // A simulated device is this process's own: nobody else can use it.
    return with_device(handle, [&](Device& device) {
        std::deque<ProcessInfo> processes;
        const Usage usage = device.usage();
        if (usage.used_bytes != 0 || usage.busy_nanoseconds != 0) {
            processes.push_back({static_cast<unsigned int>(getpid()), usage.used_bytes, no_instance, no_instance});
        }
        return give_list(processes, count, found);
    });
}

Result nvmlDeviceGetPersistenceMode(DeviceHandle* handle, int* mode) {
    return with_device(handle, [&](Device& device) { return give(mode, device.persistence() ? 1 : 0); });
}

Result nvmlDeviceSetPersistenceMode(DeviceHandle* handle, int mode) {
    return with_device(handle, [&](Device& device) {
        if (mode != 0 && mode != 1) return invalid_argument;
        device.set_persistence(mode == 1);
        return success;
    });
}

Result nvmlDeviceGetDisplayActive(DeviceHandle* handle, int* active) {
    return with_device(handle, [&](Device&) { return give(active, 0); });
}

Result nvmlDeviceGetDisplayMode(DeviceHandle* handle, int* display) {
    return with_device(handle, [&](Device&) { return give(display, 0); });
}

Result nvmlDeviceGetC2cModeInfoV(DeviceHandle* handle, C2cMode* mode) {
    return with_device(handle, [&](Device&) { return give(mode, C2cMode{0}); });
}

Result nvmlDeviceGetCurrPcieLinkGeneration(DeviceHandle* handle, unsigned int* generation) {
    return with_device(handle, [&](Device&) { return give(generation, link_generation); });
}

Result nvmlDeviceGetMaxPcieLinkGeneration(DeviceHandle* handle, unsigned int* generation) {
    return with_device(handle, [&](Device&) { return give(generation, link_generation); });
}

Result nvmlDeviceGetGpuMaxPcieLinkGeneration(DeviceHandle* handle, unsigned int* generation) {
    return with_device(handle, [&](Device&) { return give(generation, link_generation); });
}

Result nvmlDeviceGetCurrPcieLinkWidth(DeviceHandle* handle, unsigned int* width) {
    return with_device(handle, [&](Device&) { return give(width, link_width); });
}

Result nvmlDeviceGetMaxPcieLinkWidth(DeviceHandle* handle, unsigned int* width) {
    return with_device(handle, [&](Device&) { return give(width, link_width); });
}

// Nothing goes over a bus here.
Result nvmlDeviceGetPcieThroughput(DeviceHandle* handle, int counter, unsigned int* value) {
    return with_device(handle,
                       [&](Device&) { return counter == 0 || counter == 1 ? give(value, 0) : invalid_argument; });
}

Result nvmlDeviceGetPcieReplayCounter(DeviceHandle* handle, unsigned int* value) {
    return with_device(handle, [&](Device&) { return give(value, 0); });
}

}  // extern "C"
