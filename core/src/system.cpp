#include "cuprum/core/system.hpp"

#include <array>
#include <string>

#include "cuprum/core/device.hpp"
#include "nvml_call.hpp"

namespace cuprum::core::system {

namespace {

// A text that is of the whole system.
std::string system_text(nvmlReturn_t (*function)(char*, unsigned int), const char* name, const char* operation) {
    start_nvml(operation);
    std::array<char, nvml_text_size> text{};
    check_nvml(function(text.data(), text.size()), name, operation, "NVML");
    return text.data();
}

}  // namespace

int32_t get_num_devices() {
    constexpr const char* operation = "counting the machine's GPUs";
    start_nvml(operation);
    unsigned int count = 0;
    check_nvml(nvml::nvmlDeviceGetCount_v2(&count), "nvmlDeviceGetCount", operation, "NVML");
    return static_cast<int32_t>(count);
}

std::string get_kernel_mode_driver_version() {
    return system_text(&nvml::nvmlSystemGetDriverVersion, "nvmlSystemGetDriverVersion",
                       "asking for the version of the kernel's driver");
}

std::string get_nvml_version() {
    return system_text(&nvml::nvmlSystemGetNVMLVersion, "nvmlSystemGetNVMLVersion", "asking for NVML's version");
}

std::string get_driver_branch() {
    constexpr const char* operation = "asking for the driver's branch";
    start_nvml(operation);
    nvmlSystemDriverBranchInfo_t info{};
    info.version = nvmlSystemDriverBranchInfo_v1;
    check_nvml(nvml::nvmlSystemGetDriverBranch(&info, sizeof info.branch), "nvmlSystemGetDriverBranch", operation,
               "NVML");
    return info.branch;
}

std::string get_process_name(uint32_t pid) {
    constexpr const char* operation = "asking for a process's name";
    start_nvml(operation);
    std::array<char, 1024> text{};
    check_nvml(nvml::nvmlSystemGetProcessName(pid, text.data(), text.size()), "nvmlSystemGetProcessName", operation,
               [pid] { return "process " + std::to_string(pid); });
    return text.data();
}

}  // namespace cuprum::core::system

namespace cuprum::core {

system::Device Device::to_system_device() const {
    return system::Device::of_uuid(uuid());
}

}  // namespace cuprum::core
