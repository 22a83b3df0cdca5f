#include "cuprum/capi/system.h"

#include <chrono>
#include <cstdint>
#include <string>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/system.hpp"
#include "thread_state.hpp"

using namespace cuprum::capi;
namespace system_ = cuprum::core::system;

namespace {

// A number of one of the enumerations. Throws InvalidArgument for one that has no meaning.
template <class Enumeration>
Enumeration named_number(const Call& call, const char* parameter, int32_t number, int32_t last) {
    if (number < 0 || number > last) {
        call.refuse(parameter,
                    "expected a number from 0 to " + std::to_string(last) + "; given " + std::to_string(number));
    }
    return static_cast<Enumeration>(number);
}

}  // namespace

cuprum_status cuprum_system_device_count(int32_t* count_out) {
    return run("cuprum_system_device_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = system_::get_num_devices();
    });
}

cuprum_status cuprum_system_kernel_mode_driver_version(const char** text_out) {
    return run("cuprum_system_kernel_mode_driver_version", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::get_kernel_mode_driver_version());
    });
}

cuprum_status cuprum_system_nvml_version(const char** text_out) {
    return run("cuprum_system_nvml_version", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::get_nvml_version());
    });
}

cuprum_status cuprum_system_driver_branch(const char** text_out) {
    return run("cuprum_system_driver_branch", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::get_driver_branch());
    });
}

cuprum_status cuprum_system_process_name(const char** name_out, uint32_t pid) {
    return run("cuprum_system_process_name", [&](const Call& call) {
        call.require(name_out, "name_out");
        *name_out = lend(system_::get_process_name(pid));
    });
}

cuprum_status cuprum_system_find_uuid(int32_t* system_device_out, const char* uuid) {
    return run("cuprum_system_find_uuid", [&](const Call& call) {
        call.require(system_device_out, "system_device_out");
        call.require(uuid, "uuid");
        *system_device_out = system_::Device::of_uuid(uuid).index();
    });
}

cuprum_status cuprum_system_find_pci_bus_id(int32_t* system_device_out, const char* pci_bus_id) {
    return run("cuprum_system_find_pci_bus_id", [&](const Call& call) {
        call.require(system_device_out, "system_device_out");
        call.require(pci_bus_id, "pci_bus_id");
        *system_device_out = system_::Device::of_pci_bus_id(pci_bus_id).index();
    });
}

cuprum_status cuprum_system_device_of_cuda(int32_t* system_device_out, int32_t device) {
    return run("cuprum_system_device_of_cuda", [&](const Call& call) {
        call.require(system_device_out, "system_device_out");
        *system_device_out = cuprum::core::Device(device).to_system_device().index();
    });
}

cuprum_status cuprum_system_device_cuda(int32_t* device_out, int32_t system_device) {
    return run("cuprum_system_device_cuda", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = system_::Device(system_device).to_cuda_device().device_id();
    });
}

cuprum_status cuprum_system_device_name(const char** text_out, int32_t system_device) {
    return run("cuprum_system_device_name", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::Device(system_device).name());
    });
}

cuprum_status cuprum_system_device_uuid(const char** text_out, int32_t system_device) {
    return run("cuprum_system_device_uuid", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::Device(system_device).uuid());
    });
}

cuprum_status cuprum_system_device_pci_bus_id(const char** text_out, int32_t system_device) {
    return run("cuprum_system_device_pci_bus_id", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::Device(system_device).pci_bus_id());
    });
}

cuprum_status cuprum_system_device_serial(const char** text_out, int32_t system_device) {
    return run("cuprum_system_device_serial", [&](const Call& call) {
        call.require(text_out, "text_out");
        *text_out = lend(system_::Device(system_device).serial());
    });
}

cuprum_status cuprum_system_device_minor_number(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_minor_number", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).minor_number();
    });
}

cuprum_status cuprum_system_device_gpu_utilization(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_gpu_utilization", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).utilization().gpu;
    });
}

cuprum_status cuprum_system_device_memory_utilization(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_memory_utilization", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).utilization().memory;
    });
}

cuprum_status cuprum_system_device_memory_info(uint64_t* total_out, uint64_t* free_out, uint64_t* used_out,
                                               uint64_t* reserved_out, int32_t system_device) {
    return run("cuprum_system_device_memory_info", [&](const Call& call) {
        call.require(total_out, "total_out");
        call.require(free_out, "free_out");
        call.require(used_out, "used_out");
        call.require(reserved_out, "reserved_out");
        const system_::MemoryInfo memory = system_::Device(system_device).memory_info();
        *total_out = memory.total;
        *free_out = memory.free;
        *used_out = memory.used;
        *reserved_out = memory.reserved;
    });
}

cuprum_status cuprum_system_device_clock(uint32_t* value_out, int32_t system_device, int32_t clock_type) {
    return run("cuprum_system_device_clock", [&](const Call& call) {
        call.require(value_out, "value_out");
        const auto type = named_number<system_::ClockType>(call, "clock_type", clock_type, CUPRUM_CLOCK_VIDEO);
        *value_out = system_::Device(system_device).clock(type);
    });
}

cuprum_status cuprum_system_device_max_clock(uint32_t* value_out, int32_t system_device, int32_t clock_type) {
    return run("cuprum_system_device_max_clock", [&](const Call& call) {
        call.require(value_out, "value_out");
        const auto type = named_number<system_::ClockType>(call, "clock_type", clock_type, CUPRUM_CLOCK_VIDEO);
        *value_out = system_::Device(system_device).max_clock(type);
    });
}

cuprum_status cuprum_system_device_temperature(int32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_temperature", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).temperature();
    });
}

cuprum_status cuprum_system_device_temperature_threshold(uint32_t* value_out, int32_t system_device,
                                                         int32_t threshold) {
    return run("cuprum_system_device_temperature_threshold", [&](const Call& call) {
        call.require(value_out, "value_out");
        const auto named =
            named_number<system_::TemperatureThreshold>(call, "threshold", threshold, CUPRUM_THRESHOLD_GPS_CURRENT);
        *value_out = system_::Device(system_device).temperature_threshold(named);
    });
}

cuprum_status cuprum_system_device_power_usage(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_power_usage", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).power_usage();
    });
}

cuprum_status cuprum_system_device_power_limit(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_power_limit", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).power_limit();
    });
}

cuprum_status cuprum_system_device_energy_consumption(uint64_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_energy_consumption", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).energy_consumption();
    });
}

cuprum_status cuprum_system_device_performance_state(int32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_performance_state", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).performance_state();
    });
}

cuprum_status cuprum_system_device_is_persistence_mode_enabled(int32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_is_persistence_mode_enabled", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).is_persistence_mode_enabled() ? 1 : 0;
    });
}

cuprum_status cuprum_system_device_set_persistence_mode(int32_t system_device, int32_t enabled) {
    return run("cuprum_system_device_set_persistence_mode",
               [&](const Call&) { system_::Device(system_device).set_persistence_mode_enabled(enabled != 0); });
}

cuprum_status cuprum_system_device_num_fans(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_num_fans", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).num_fans();
    });
}

cuprum_status cuprum_system_device_fan_speed(uint32_t* value_out, int32_t system_device, uint32_t fan) {
    return run("cuprum_system_device_fan_speed", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).fan_speed(fan);
    });
}

cuprum_status cuprum_system_device_set_fan_speed(int32_t system_device, uint32_t percent, uint32_t fan) {
    return run("cuprum_system_device_set_fan_speed",
               [&](const Call&) { system_::Device(system_device).set_fan_speed(percent, fan); });
}

cuprum_status cuprum_system_device_set_default_fan_speed(int32_t system_device, uint32_t fan) {
    return run("cuprum_system_device_set_default_fan_speed",
               [&](const Call&) { system_::Device(system_device).set_default_fan_speed(fan); });
}

cuprum_status cuprum_system_device_pci_link_generation(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_link_generation", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_link_generation();
    });
}

cuprum_status cuprum_system_device_pci_link_width(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_link_width", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_link_width();
    });
}

cuprum_status cuprum_system_device_pci_max_link_generation(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_max_link_generation", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_max_link_generation();
    });
}

cuprum_status cuprum_system_device_pci_max_link_width(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_max_link_width", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_max_link_width();
    });
}

cuprum_status cuprum_system_device_pci_rx_throughput(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_rx_throughput", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_rx_throughput();
    });
}

cuprum_status cuprum_system_device_pci_tx_throughput(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_tx_throughput", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_tx_throughput();
    });
}

cuprum_status cuprum_system_device_pci_replay_counter(uint32_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_pci_replay_counter", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).pci_replay_counter();
    });
}

cuprum_status cuprum_system_device_supported_event_types(uint64_t* value_out, int32_t system_device) {
    return run("cuprum_system_device_supported_event_types", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = system_::Device(system_device).supported_event_types();
    });
}

cuprum_status cuprum_system_device_topology(int32_t* level_out, int32_t system_device, int32_t other) {
    return run("cuprum_system_device_topology", [&](const Call& call) {
        call.require(level_out, "level_out");
        const auto level = system_::Device(system_device).topology_common_ancestor(system_::Device(other));
        *level_out = static_cast<int32_t>(level);
    });
}

cuprum_status cuprum_system_device_p2p_status(int32_t* status_out, int32_t system_device, int32_t other,
                                              int32_t capability) {
    return run("cuprum_system_device_p2p_status", [&](const Call& call) {
        call.require(status_out, "status_out");
        const auto way = named_number<system_::P2PCapability>(call, "capability", capability, CUPRUM_P2P_PCI);
        *status_out = static_cast<int32_t>(system_::Device(system_device).p2p_status(system_::Device(other), way));
    });
}

cuprum_status cuprum_system_device_processes(uint32_t* count_out, int32_t system_device) {
    return run("cuprum_system_device_processes", [&](const Call& call) {
        call.require(count_out, "count_out");
        processes() = system_::Device(system_device).compute_running_processes();
        *count_out = static_cast<uint32_t>(processes().size());
    });
}

cuprum_status cuprum_system_process(uint32_t* pid_out, uint64_t* used_memory_out, uint32_t index) {
    return run("cuprum_system_process", [&](const Call& call) {
        call.require(pid_out, "pid_out");
        call.require(used_memory_out, "used_memory_out");
        if (index >= processes().size()) {
            call.refuse("index", "there are " + std::to_string(processes().size()) +
                                     " processes, numbered from 0; given " + std::to_string(index));
        }
        const system_::ProcessInfo& process = processes()[index];
        *pid_out = process.pid;
        *used_memory_out = process.used_gpu_memory.value_or(UINT64_MAX);
    });
}

cuprum_status cuprum_system_events_create(cuprum_system_events* events_out, int32_t system_device,
                                          uint64_t event_types) {
    return run("cuprum_system_events_create", [&](const Call& call) {
        call.require(events_out, "events_out");
        *events_out = call.give<cuprum_system_events>(SystemEventsObject{
            system_::Device(system_device).register_events(static_cast<system_::EventType>(event_types))});
    });
}

cuprum_status cuprum_system_events_wait(int32_t* happened_out, int32_t* system_device_out, uint64_t* event_type_out,
                                        uint64_t* data_out, cuprum_system_events events, uint32_t timeout) {
    return run("cuprum_system_events_wait", [&](const Call& call) {
        call.require(happened_out, "happened_out");
        call.require(system_device_out, "system_device_out");
        call.require(event_type_out, "event_type_out");
        call.require(data_out, "data_out");
        const auto pinned = call.use(events, "events");
        const auto event = pinned->events.wait(std::chrono::milliseconds(timeout));
        *happened_out = event ? 1 : 0;
        *system_device_out = event ? event->device : 0;
        *event_type_out = event ? static_cast<uint64_t>(event->type) : 0;
        *data_out = event ? event->data : 0;
    });
}

cuprum_status cuprum_system_events_destroy(cuprum_system_events events) {
    return run("cuprum_system_events_destroy", [&](const Call& call) { call.destroy(events, "events"); });
}
