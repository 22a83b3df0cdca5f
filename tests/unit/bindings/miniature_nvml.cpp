// A stand-in for NVML that reports two devices: NVML itself comes with NVIDIA's driver, which CI does not have. The
// functions that are not here are in every_function_library.c, and return NVML_ERROR_NOT_SUPPORTED.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "cuprum/bindings/nvml_header.hpp"

namespace {

constexpr unsigned int devices = 2;
constexpr unsigned int memory_clocks[] = {3201, 2619, 1593};
std::atomic<int> initialisations{0};
char places[devices];  // a device's handle is the address of its place

nvmlDevice_t handle_of(unsigned int index) {
    return reinterpret_cast<nvmlDevice_t>(&places[index]);
}

// The status of a call about a device, and its index.
nvmlReturn_t find(nvmlDevice_t device, unsigned int& index) {
    if (initialisations == 0) return NVML_ERROR_UNINITIALIZED;
    for (index = 0; index < devices; ++index) {
        if (device == handle_of(index)) return NVML_SUCCESS;
    }
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t give(const std::string& text, char* to, unsigned int room) {
    if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (text.size() >= room) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return NVML_SUCCESS;
}

nvmlReturn_t give_of_device(nvmlDevice_t device, const char* text, char* to, unsigned int room) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    return status == NVML_SUCCESS ? give(text + std::to_string(index), to, room) : status;
}

}  // namespace

extern "C" {

#pragma GCC visibility push(default)

nvmlReturn_t nvmlInit_v2() {
    ++initialisations;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown() {
    if (initialisations == 0) return NVML_ERROR_UNINITIALIZED;
    --initialisations;
    return NVML_SUCCESS;
}

const char* nvmlErrorString(nvmlReturn_t result) {
    return result == NVML_SUCCESS ? "Success" : result == NVML_ERROR_UNINITIALIZED ? "Uninitialized" : "Unknown Error";
}

nvmlReturn_t nvmlInitWithFlags(unsigned int) {
    return nvmlInit_v2();
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
    if (initialisations == 0) return NVML_ERROR_UNINITIALIZED;
    *version = 13050;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
    return initialisations == 0 ? NVML_ERROR_UNINITIALIZED : give("610.17.02", version, length);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
    if (initialisations == 0) return NVML_ERROR_UNINITIALIZED;
    *count = devices;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
    if (initialisations == 0) return NVML_ERROR_UNINITIALIZED;
    if (index >= devices) return NVML_ERROR_INVALID_ARGUMENT;
    *device = handle_of(index);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
    return find(device, *index);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
    return give_of_device(device, "Miniature GPU ", name, length);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length) {
    return give_of_device(device, "GPU-00000000-0000-0000-0000-00000000000", uuid, length);
}

nvmlReturn_t nvmlDeviceGetGspFirmwareVersion(nvmlDevice_t device, char* version) {
    return give_of_device(device, "610.17.0", version, NVML_GSP_FIRMWARE_VERSION_BUF_SIZE);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    if (status != NVML_SUCCESS) return status;
    *pci = {};
    pci->bus = 0x40 + index;
    pci->pciDeviceId = 0x233510de;
    std::snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", pci->bus);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    if (status == NVML_SUCCESS) *memory = {.total = 0x2000000000, .free = 0x1ff0000000, .used = 0x10000000};
    return status;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    if (status != NVML_SUCCESS) return status;
    // As NVML of driver 580 says it of version 0.
    if (memory->version != nvmlMemory_v2) return NVML_ERROR_FUNCTION_NOT_FOUND;
    memory->total = 0x2000000000;
    memory->reserved = 0x8000000;
    memory->used = 0x8000000;
    memory->free = memory->total - memory->used - memory->reserved;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int* count, unsigned int* clocks) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    if (status != NVML_SUCCESS) return status;
    const unsigned int room = *count;
    *count = std::size(memory_clocks);
    if (room < *count || clocks == nullptr) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::copy(std::begin(memory_clocks), std::end(memory_clocks), clocks);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t* values) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    for (int i = 0; status == NVML_SUCCESS && i < count; ++i) {
        const bool is_known = values[i].fieldId == NVML_FI_DEV_MEMORY_TEMP;
        values[i].nvmlReturn = is_known ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
        values[i].valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
        values[i].value.uiVal = is_known ? 41 : 0;
    }
    return status;
}

nvmlReturn_t nvmlDeviceGetGpuInstances(nvmlDevice_t device, unsigned int profile, nvmlGpuInstance_t* instances,
                                       unsigned int* count) {
    unsigned int index = 0;
    const nvmlReturn_t status = find(device, index);
    if (status != NVML_SUCCESS) return status;
    for (*count = 0; *count < profile; ++*count) {
        instances[*count] = reinterpret_cast<nvmlGpuInstance_t>(0x100 + *count);
    }
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlVgpuTypeGetName(nvmlVgpuTypeId_t, char* name, unsigned int* size) {
    const unsigned int room = *size;
    *size = 16;
    return room < *size ? NVML_ERROR_INSUFFICIENT_SIZE : give("Miniature vGPU", name, room);
}

#pragma GCC visibility pop
}
