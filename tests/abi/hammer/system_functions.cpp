// GPUs as NVML sees them; ranges; live handles by kind.
#include <unistd.h>

#include "choices.hpp"

namespace hammer {

namespace {

const char* uuid() {
    static const std::string text = [] {
        const char* found = nullptr;
        return std::string(cuprum_system_device_uuid(&found, 0) == CUPRUM_SUCCESS ? found : "");
    }();
    return text.c_str();
}

}  // namespace

std::vector<Function> system_functions() {
    uuid();  // asked for before the threads start: each call ends the life of the texts of the one before
    return {
        {"cuprum_nvtx_mark", 10, [](Turn& t) { return cuprum_nvtx_mark(text(t, std::array{"moment"})); }},
        {"cuprum_nvtx_push_range", 10,
         [](Turn& t) { return cuprum_nvtx_push_range(t.output<int32_t>(), text(t, std::array{"range"})); }},
        {"cuprum_nvtx_pop_range", 20, [](Turn& t) { return cuprum_nvtx_pop_range(t.output<int32_t>()); }},
        {"cuprum_nvtx_start_range", 10,
         [](Turn& t) { return cuprum_nvtx_start_range(t.output<uint64_t>(), text(t, std::array{"range"})); }},
        {"cuprum_nvtx_end_range", 20, [](Turn& t) { return cuprum_nvtx_end_range(t.random.below(1000)); }},
        {"cuprum_handle_kind_count", 10, [](Turn& t) { return cuprum_handle_kind_count(t.output<uint32_t>()); }},
        {"cuprum_live_handles_of_kind", 10,
         [](Turn& t) {
             return cuprum_live_handles_of_kind(t.output<const char*>(), t.output<uint64_t>(),
                                                static_cast<uint32_t>(t.random.below(22)));
         }},
        // Of this process the state alone: a locked one would wait for itself.
        {"cuprum_checkpoint_process_state", 10,
         [](Turn& t) {
             return cuprum_checkpoint_process_state(t.output<int32_t>(), t.random.below(2) != 0 ? getpid() : 0);
         }},
        {"cuprum_checkpoint_process_restore_thread_id", 10,
         [](Turn& t) {
             return cuprum_checkpoint_process_restore_thread_id(t.output<int32_t>(),
                                                                t.random.below(2) != 0 ? getpid() : 0);
         }},
        {"cuprum_checkpoint_process_lock", 10,
         [](Turn& t) { return cuprum_checkpoint_process_lock(-static_cast<int32_t>(t.random.below(2)), 1); },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_checkpoint_process_checkpoint", 10,
         [](Turn& t) { return cuprum_checkpoint_process_checkpoint(-static_cast<int32_t>(t.random.below(2))); },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_checkpoint_process_restore", 10,
         [](Turn& t) {
             const char* const uuids[] = {uuid()};
             return cuprum_checkpoint_process_restore(-static_cast<int32_t>(t.random.below(2)), uuids,
                                                      static_cast<uint32_t>(t.random.below(2)), uuids, 1);
         },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_checkpoint_process_unlock", 10,
         [](Turn& t) { return cuprum_checkpoint_process_unlock(-static_cast<int32_t>(t.random.below(2))); },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        // There is one GPU, and none is its own peer.
        {"cuprum_system_device_count", 10, [](Turn& t) { return cuprum_system_device_count(t.output<int32_t>()); }},
        {"cuprum_system_kernel_mode_driver_version", 10,
         [](Turn& t) { return cuprum_system_kernel_mode_driver_version(t.output<const char*>()); }},
        {"cuprum_system_nvml_version", 10, [](Turn& t) { return cuprum_system_nvml_version(t.output<const char*>()); }},
        {"cuprum_system_driver_branch", 10,
         [](Turn& t) { return cuprum_system_driver_branch(t.output<const char*>()); }},
        {"cuprum_system_process_name", 10,
         [](Turn& t) {
             return cuprum_system_process_name(t.output<const char*>(), t.random.one_in(2)
                                                                            ? static_cast<uint32_t>(getpid())
                                                                            : static_cast<uint32_t>(t.random.next()));
         }},
        {"cuprum_system_find_uuid", 10,
         [](Turn& t) { return cuprum_system_find_uuid(t.output<int32_t>(), text(t, std::array{uuid()})); }},
        {"cuprum_system_find_pci_bus_id", 10,
         [](Turn& t) {
             return cuprum_system_find_pci_bus_id(t.output<int32_t>(),
                                                  text(t, std::array{"0000:01:00.0", "00000000:01:00.0"}));
         }},
        {"cuprum_system_device_of_cuda", 10,
         [](Turn& t) { return cuprum_system_device_of_cuda(t.output<int32_t>(), device(t)); }},
        {"cuprum_system_device_cuda", 10,
         [](Turn& t) { return cuprum_system_device_cuda(t.output<int32_t>(), device(t)); }},
        {"cuprum_system_device_name", 10,
         [](Turn& t) { return cuprum_system_device_name(t.output<const char*>(), device(t)); }},
        {"cuprum_system_device_uuid", 10,
         [](Turn& t) { return cuprum_system_device_uuid(t.output<const char*>(), device(t)); }},
        {"cuprum_system_device_pci_bus_id", 10,
         [](Turn& t) { return cuprum_system_device_pci_bus_id(t.output<const char*>(), device(t)); }},
        {"cuprum_system_device_serial", 10,
         [](Turn& t) { return cuprum_system_device_serial(t.output<const char*>(), device(t)); }},
        {"cuprum_system_device_minor_number", 10,
         [](Turn& t) { return cuprum_system_device_minor_number(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_gpu_utilization", 10,
         [](Turn& t) { return cuprum_system_device_gpu_utilization(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_memory_utilization", 10,
         [](Turn& t) { return cuprum_system_device_memory_utilization(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_memory_info", 10,
         [](Turn& t) {
             return cuprum_system_device_memory_info(t.output<uint64_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                                                     t.output<uint64_t>(), device(t));
         }},
        {"cuprum_system_device_clock", 10,
         [](Turn& t) {
             return cuprum_system_device_clock(t.output<uint32_t>(), device(t), choice(t, std::array{0, 1, 2, 3}));
         }},
        {"cuprum_system_device_max_clock", 10,
         [](Turn& t) {
             return cuprum_system_device_max_clock(t.output<uint32_t>(), device(t), choice(t, std::array{0, 1, 2, 3}));
         }},
        {"cuprum_system_device_temperature", 10,
         [](Turn& t) { return cuprum_system_device_temperature(t.output<int32_t>(), device(t)); }},
        {"cuprum_system_device_temperature_threshold", 10,
         [](Turn& t) {
             return cuprum_system_device_temperature_threshold(t.output<uint32_t>(), device(t),
                                                               choice(t, std::array{0, 1, 2, 3, 4}));
         }},
        {"cuprum_system_device_power_usage", 10,
         [](Turn& t) { return cuprum_system_device_power_usage(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_power_limit", 10,
         [](Turn& t) { return cuprum_system_device_power_limit(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_energy_consumption", 10,
         [](Turn& t) { return cuprum_system_device_energy_consumption(t.output<uint64_t>(), device(t)); }},
        {"cuprum_system_device_performance_state", 10,
         [](Turn& t) { return cuprum_system_device_performance_state(t.output<int32_t>(), device(t)); }},
        {"cuprum_system_device_is_persistence_mode_enabled", 10,
         [](Turn& t) { return cuprum_system_device_is_persistence_mode_enabled(t.output<int32_t>(), device(t)); }},
        {"cuprum_system_device_set_persistence_mode", 10,
         [](Turn& t) {
             return cuprum_system_device_set_persistence_mode(device(t), static_cast<int32_t>(t.random.below(3)) - 1);
         }},
        {"cuprum_system_device_num_fans", 10,
         [](Turn& t) { return cuprum_system_device_num_fans(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_fan_speed", 10,
         [](Turn& t) {
             return cuprum_system_device_fan_speed(t.output<uint32_t>(), device(t),
                                                   static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_system_device_set_fan_speed", 10,
         [](Turn& t) {
             return cuprum_system_device_set_fan_speed(device(t), static_cast<uint32_t>(t.random.below(120)),
                                                       static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_system_device_set_default_fan_speed", 10,
         [](Turn& t) {
             return cuprum_system_device_set_default_fan_speed(device(t), static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_system_device_pci_link_generation", 10,
         [](Turn& t) { return cuprum_system_device_pci_link_generation(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_link_width", 10,
         [](Turn& t) { return cuprum_system_device_pci_link_width(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_max_link_generation", 10,
         [](Turn& t) { return cuprum_system_device_pci_max_link_generation(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_max_link_width", 10,
         [](Turn& t) { return cuprum_system_device_pci_max_link_width(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_rx_throughput", 10,
         [](Turn& t) { return cuprum_system_device_pci_rx_throughput(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_tx_throughput", 10,
         [](Turn& t) { return cuprum_system_device_pci_tx_throughput(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_pci_replay_counter", 10,
         [](Turn& t) { return cuprum_system_device_pci_replay_counter(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_device_supported_event_types", 10,
         [](Turn& t) { return cuprum_system_device_supported_event_types(t.output<uint64_t>(), device(t)); }},
        {"cuprum_system_device_topology", 10,
         [](Turn& t) { return cuprum_system_device_topology(t.output<int32_t>(), device(t), device(t)); }},
        {"cuprum_system_device_p2p_status", 10,
         [](Turn& t) {
             return cuprum_system_device_p2p_status(t.output<int32_t>(), device(t), device(t),
                                                    choice(t, std::array{0, 1, 2, 3, 4}));
         },
         CUPRUM_ERROR_INVALID_ARGUMENT},
        {"cuprum_system_device_processes", 10,
         [](Turn& t) { return cuprum_system_device_processes(t.output<uint32_t>(), device(t)); }},
        {"cuprum_system_process", 10,
         [](Turn& t) {
             return cuprum_system_process(t.output<uint32_t>(), t.output<uint64_t>(),
                                          static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_system_events_create", 10,
         [](Turn& t) {
             return cuprum_system_events_create(
                 t.output_handle<cuprum_system_events>(system_events), device(t),
                 t.random.one_in(4) ? t.random.next() : uint64_t{CUPRUM_EVENT_XID_CRITICAL_ERROR});
         }},
        {"cuprum_system_events_wait", 10,
         [](Turn& t) {
             return cuprum_system_events_wait(
                 t.output<int32_t>(), t.output<int32_t>(), t.output<uint64_t>(), t.output<uint64_t>(),
                 as_handle<cuprum_system_events>(t.handle(system_events)), static_cast<uint32_t>(t.random.below(2)));
         }},
        {"cuprum_system_events_destroy", 20, [](Turn& t) { return destroy(system_events, t.doomed(system_events)); }},
    };
}

}  // namespace hammer
