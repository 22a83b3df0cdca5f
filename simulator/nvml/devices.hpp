// The simulated devices as NVML sees them: through the public functions of the simulator's libcuda, and one of its own
// that says what a device is doing.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "nvml/nvml_api.hpp"
#include "nvml/settings.hpp"

namespace cuprum::simulator::nvml {

// As cuprum_simulator_usage of libcuda (driver/device/entry_usage.cpp) fills it.
struct Usage {
    uint64_t used_bytes;
    uint64_t total_bytes;
    uint64_t busy_nanoseconds;  // in which at least one kernel ran, since the process began
    uint32_t fault;             // the CUresult of the device's first fault; 0: none
    uint32_t padding;
};

// One device. Thread-safe.
class Device {
public:
    Device(int ordinal, Settings settings);

    int ordinal() const { return ordinal_; }
    const std::string& name() const { return name_; }
    const std::string& uuid() const { return uuid_; }              // "GPU-..."
    const std::string& pci_bus_id() const { return pci_bus_id_; }  // "00000000:01:00.0"
    unsigned int bus() const;
    int attribute(int driver_attribute) const;

    Usage usage() const;
    // Percent of the time in which kernels ran, over the newest period of at least 100 ms.
    unsigned int utilization();
    unsigned int temperature();  // degrees Celsius
    unsigned int power();        // milliwatts
    uint64_t energy();           // millijoules since the device was first asked
    bool is_idle() { return utilization() == 0; }

    bool has_fan() const { return settings_.fan.has_value(); }
    unsigned int fan_speed() const;  // percent
    bool fan_is_set() const;
    void set_fan_speed(std::optional<unsigned int> percent);

    bool persistence() const;
    void set_persistence(bool enabled);

private:
    const int ordinal_;
    const Settings settings_;
    std::string name_;
    std::string uuid_;
    std::string pci_bus_id_;

    mutable std::mutex mutex_;
    std::chrono::steady_clock::time_point sampled_at_;
    uint64_t sampled_busy_ = 0;
    unsigned int utilization_ = 0;
    std::chrono::steady_clock::time_point metered_at_;
    uint64_t energy_ = 0;  // microjoules
    std::optional<unsigned int> fan_speed_;
    bool persistence_ = false;
};

// nvmlInit and nvmlShutdown, which count.
Result initialise();
Result shut_down();
// While it is initialised: the devices, which live as long as the process; else nothing.
std::deque<Device>* devices();
// Names the simulator's libcuda; without effect once it is open.
void use_driver(const char* path);
int driver_version();

inline DeviceHandle* handle_of(Device& device) {
    return reinterpret_cast<DeviceHandle*>(&device);
}
// The device behind a handle; `status` says why there is none.
Device* find(DeviceHandle* handle, Result& status);

}  // namespace cuprum::simulator::nvml
