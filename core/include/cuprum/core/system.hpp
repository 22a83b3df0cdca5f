// The machine's GPUs as NVIDIA's management library (NVML) sees them: how much they have to do, their memory, clocks,
// temperature, power, fans, processes, links and events. NVML is part of the driver; it is looked for and opened when
// first asked for, and needs no CUDA context. Where the simulator is the driver, its own NVML answers for the simulated
// devices (docs/system.md).
//
// Whatever asks NVML throws NotFound where it is missing or lacks the function, Unsupported for what a device does not
// have, DriverError (domain nvml, code the nvmlReturn_t) for everything else. Every member may be called from any
// thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cuprum::core {

class Device;

namespace system {

// How many GPUs NVML sees, which may be more than CUDA does: CUDA_VISIBLE_DEVICES does not hide any.
int32_t get_num_devices();
std::string get_kernel_mode_driver_version();  // "580.65.06"
std::string get_nvml_version();                // "13.580.65.06"
std::string get_driver_branch();               // "r580_00"
std::string get_process_name(uint32_t pid);

// Percent of the time, over NVML's newest sample period (a sixth of a second to a second).
struct Utilization {
    uint32_t gpu = 0;     // in which a kernel ran
    uint32_t memory = 0;  // in which memory was read or written
    friend bool operator==(const Utilization&, const Utilization&) = default;
};

// Bytes, at one moment, of all processes.
struct MemoryInfo {
    uint64_t total = 0;
    uint64_t free = 0;
    uint64_t used = 0;
    uint64_t reserved = 0;  // by the driver, in neither of the others
    friend bool operator==(const MemoryInfo&, const MemoryInfo&) = default;
};

struct PciInfo {
    std::string bus_id;  // "00000000:01:00.0"
    uint32_t domain = 0;
    uint32_t bus = 0;
    uint32_t device = 0;
    uint32_t vendor_id = 0;
    uint32_t device_id = 0;
    uint32_t subsystem_id = 0;
};

struct ProcessInfo {
    uint32_t pid = 0;
    std::optional<uint64_t> used_gpu_memory;  // bytes; none where the driver does not tell
};

// The numbers are NVML's.
enum class ClockType : int32_t { graphics = 0, sm = 1, memory = 2, video = 3 };
enum class TemperatureThreshold : int32_t {
    shutdown = 0,
    slowdown = 1,
    memory_max = 2,
    gpu_max = 3,
    acoustic_min = 4,
    acoustic_current = 5,
    acoustic_max = 6,
    gps_current = 7,
};
// What two GPUs have in common on the way to each other, nearest first.
enum class TopologyLevel : int32_t {
    internal = 0,     // one board
    single = 10,      // one PCIe switch
    multiple = 20,    // several PCIe switches
    hostbridge = 30,  // the host bridge
    node = 40,        // the NUMA node
    system = 50,      // the system
};
enum class P2PCapability : int32_t { read = 0, write = 1, nvlink = 2, atomics = 3, pci = 4 };
enum class P2PStatus : int32_t {
    ok = 0,
    chipset_not_supported = 1,
    gpu_not_supported = 2,
    ioh_topology_not_supported = 3,
    disabled_by_regkey = 4,
    not_supported = 5,
    unknown = 6,
};
// Kinds of events; they are joined by |.
enum class EventType : uint64_t {
    single_bit_ecc_error = 1,
    double_bit_ecc_error = 2,
    pstate = 4,
    xid_critical_error = 8,
    clock = 16,
    power_source_change = 128,
    mig_config_change = 256,
    single_bit_ecc_error_storm = 512,
    dram_retirement_event = 1024,
    dram_retirement_failure = 2048,
    non_fatal_poison_error = 4096,
    fatal_poison_error = 8192,
    gpu_unavailable_error = 16384,
    gpu_recovery_action = 32768,
};
constexpr EventType operator|(EventType left, EventType right) {
    return static_cast<EventType>(static_cast<uint64_t>(left) | static_cast<uint64_t>(right));
}

class Device;

// Events of devices that are waited for. Move-only; may be used by several threads at once.
class DeviceEvents {
public:
    struct Event {
        int32_t device = 0;  // its index
        EventType type{};
        uint64_t data = 0;  // of a critical error its number, the XID
    };

    DeviceEvents() = default;  // none
    // Until there is an event; nothing after that time. Throws InvalidState for none and in a fork of the process.
    std::optional<Event> wait(std::chrono::milliseconds timeout) const;
    bool is_valid() const { return state_ != nullptr; }

private:
    friend class Device;
    struct State;
    std::shared_ptr<State> state_;
};

// One GPU. A value: an index, in the order of PCI buses, which need not be CUDA's order.
class Device {
public:
    // Throws InvalidArgument when there is no such device (naming how many there are).
    explicit Device(int32_t index = 0);
    // Throws InvalidArgument when no device has it.
    static Device of_uuid(const std::string& uuid);
    static Device of_pci_bus_id(const std::string& pci_bus_id);
    static std::vector<Device> get_all_devices();

    int32_t index() const { return index_; }
    std::string name() const;
    std::string uuid() const;        // "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", as CUDA's
    std::string pci_bus_id() const;  // "00000000:01:00.0"
    std::string serial() const;      // of the board
    uint32_t minor_number() const;   // of /dev/nvidia0
    // The CUDA device with this UUID. Throws InvalidArgument when CUDA does not see it.
    core::Device to_cuda_device() const;

    Utilization utilization() const;
    MemoryInfo memory_info() const;
    uint32_t clock(ClockType type) const;      // MHz, now
    uint32_t max_clock(ClockType type) const;  // MHz
    int32_t temperature() const;               // degrees Celsius
    uint32_t temperature_threshold(TemperatureThreshold threshold) const;
    uint32_t power_usage() const;         // milliwatts
    uint32_t power_limit() const;         // milliwatts, as it is enforced
    uint64_t energy_consumption() const;  // millijoules since the driver was loaded
    int32_t performance_state() const;    // 0, the fastest, to 15
    std::vector<ProcessInfo> compute_running_processes() const;

    bool is_persistence_mode_enabled() const;
    void set_persistence_mode_enabled(bool enabled) const;  // needs the rights of root on a GPU

    uint32_t num_fans() const;
    uint32_t fan_speed(uint32_t fan = 0) const;                    // percent
    void set_fan_speed(uint32_t percent, uint32_t fan = 0) const;  // needs the rights of root on a GPU
    void set_default_fan_speed(uint32_t fan = 0) const;

    PciInfo pci_info() const;
    uint32_t pci_link_generation() const;
    uint32_t pci_link_width() const;
    uint32_t pci_max_link_generation() const;
    uint32_t pci_max_link_width() const;
    uint32_t pci_rx_throughput() const;  // KB/s
    uint32_t pci_tx_throughput() const;  // KB/s
    uint32_t pci_replay_counter() const;

    TopologyLevel topology_common_ancestor(const Device& other) const;
    std::vector<Device> topology_nearest_gpus(TopologyLevel level) const;
    P2PStatus p2p_status(const Device& other, P2PCapability capability) const;

    uint64_t supported_event_types() const;  // of EventType, joined
    // What happens from now on is an event. Throws Unsupported for types that the device does not tell.
    DeviceEvents register_events(EventType types) const;

    friend bool operator==(const Device& left, const Device& right) { return left.index_ == right.index_; }

private:
    Device(int32_t index, void* handle) : index_(index), handle_(handle) {}

    int32_t index_;
    void* handle_;  // nvmlDevice_t, which lives as long as the process
};

}  // namespace system
}  // namespace cuprum::core
