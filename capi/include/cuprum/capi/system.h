/* The machine's GPUs as NVIDIA's management library (NVML) sees them, numbered from 0 to cuprum_system_device_count() -
 * 1 in the order of their PCI buses, which need not be CUDA's. NVML is part of the driver; it is opened at the first
 * call, and needs no CUDA context. Where it is missing, every function is CUPRUM_ERROR_LIBRARY_NOT_FOUND; what a device
 * does not have is CUPRUM_ERROR_UNSUPPORTED. Where the simulator is the driver, its own NVML answers. */
#ifndef CUPRUM_CAPI_SYSTEM_H
#define CUPRUM_CAPI_SYSTEM_H

#include "cuprum/capi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of clocks; the numbers are NVML's. */
enum { CUPRUM_CLOCK_GRAPHICS = 0, CUPRUM_CLOCK_SM = 1, CUPRUM_CLOCK_MEMORY = 2, CUPRUM_CLOCK_VIDEO = 3 };
/* Of temperatures at which a device acts. */
enum {
    CUPRUM_THRESHOLD_SHUTDOWN = 0,
    CUPRUM_THRESHOLD_SLOWDOWN = 1,
    CUPRUM_THRESHOLD_MEMORY_MAX = 2,
    CUPRUM_THRESHOLD_GPU_MAX = 3,
    CUPRUM_THRESHOLD_ACOUSTIC_MIN = 4,
    CUPRUM_THRESHOLD_ACOUSTIC_CURRENT = 5,
    CUPRUM_THRESHOLD_ACOUSTIC_MAX = 6,
    CUPRUM_THRESHOLD_GPS_CURRENT = 7
};
/* What two GPUs have in common on the way to each other, nearest first. */
enum {
    CUPRUM_TOPOLOGY_INTERNAL = 0,
    CUPRUM_TOPOLOGY_SINGLE = 10,
    CUPRUM_TOPOLOGY_MULTIPLE = 20,
    CUPRUM_TOPOLOGY_HOSTBRIDGE = 30,
    CUPRUM_TOPOLOGY_NODE = 40,
    CUPRUM_TOPOLOGY_SYSTEM = 50
};
/* Ways in which GPUs reach each other, and how that is; the numbers are NVML's. */
enum { CUPRUM_P2P_READ = 0, CUPRUM_P2P_WRITE = 1, CUPRUM_P2P_NVLINK = 2, CUPRUM_P2P_ATOMICS = 3, CUPRUM_P2P_PCI = 4 };
enum {
    CUPRUM_P2P_STATUS_OK = 0,
    CUPRUM_P2P_STATUS_CHIPSET_NOT_SUPPORTED = 1,
    CUPRUM_P2P_STATUS_GPU_NOT_SUPPORTED = 2,
    CUPRUM_P2P_STATUS_IOH_TOPOLOGY_NOT_SUPPORTED = 3,
    CUPRUM_P2P_STATUS_DISABLED_BY_REGKEY = 4,
    CUPRUM_P2P_STATUS_NOT_SUPPORTED = 5,
    CUPRUM_P2P_STATUS_UNKNOWN = 6
};
/* Kinds of events that can be waited for, joined by |. */
enum {
    CUPRUM_EVENT_SINGLE_BIT_ECC_ERROR = 1,
    CUPRUM_EVENT_DOUBLE_BIT_ECC_ERROR = 2,
    CUPRUM_EVENT_PSTATE = 4,
    CUPRUM_EVENT_XID_CRITICAL_ERROR = 8,
    CUPRUM_EVENT_CLOCK = 16,
    CUPRUM_EVENT_POWER_SOURCE_CHANGE = 128,
    CUPRUM_EVENT_MIG_CONFIG_CHANGE = 256,
    CUPRUM_EVENT_SINGLE_BIT_ECC_ERROR_STORM = 512,
    CUPRUM_EVENT_DRAM_RETIREMENT_EVENT = 1024,
    CUPRUM_EVENT_DRAM_RETIREMENT_FAILURE = 2048,
    CUPRUM_EVENT_NON_FATAL_POISON_ERROR = 4096,
    CUPRUM_EVENT_FATAL_POISON_ERROR = 8192,
    CUPRUM_EVENT_GPU_UNAVAILABLE_ERROR = 16384,
    CUPRUM_EVENT_GPU_RECOVERY_ACTION = 32768
};

/* How many GPUs NVML sees, which may be more than CUDA does: CUDA_VISIBLE_DEVICES hides none.
 * @does counting the machine's GPUs
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_count(int32_t* count_out);
/* The version of the kernel's driver, "580.65.06".
 * @does asking for the version of the kernel's driver
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_kernel_mode_driver_version(const char** text_out);
/* NVML's version.
 * @does asking for NVML's version
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_nvml_version(const char** text_out);
/* The branch of the driver, "r580_00".
 * @does asking for the driver's branch
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_driver_branch(const char** text_out);
/* The name of a process. CUPRUM_ERROR_INVALID_ARGUMENT when there is no such process.
 * @does asking for a process's name
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_process_name(const char** name_out, uint32_t pid);
/* The GPU with that UUID. CUPRUM_ERROR_INVALID_ARGUMENT when there is none.
 * @does finding a GPU by its UUID
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_find_uuid(int32_t* system_device_out, const char* uuid);
/* The GPU with that PCI bus id. CUPRUM_ERROR_INVALID_ARGUMENT when there is none.
 * @does finding a GPU by its PCI bus id
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_find_pci_bus_id(int32_t* system_device_out, const char* pci_bus_id);
/* The GPU that a CUDA device is.
 * @does finding the GPU of a CUDA device
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_of_cuda(int32_t* system_device_out, int32_t device);
/* The CUDA device that this GPU is. CUPRUM_ERROR_INVALID_ARGUMENT when CUDA does not see it.
 * @does finding the CUDA device of a GPU
 * @method to_cuda_device
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_cuda(int32_t* device_out, int32_t system_device);
/* The name.
 * @does asking for a GPU's name
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_name(const char** text_out, int32_t system_device);
/* The UUID, "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", the same as CUDA's.
 * @does asking for a GPU's UUID
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_uuid(const char** text_out, int32_t system_device);
/* The PCI bus id, "00000000:01:00.0".
 * @does asking for a GPU's PCI bus id
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_bus_id(const char** text_out, int32_t system_device);
/* The serial number of the board.
 * @does asking for a board's serial number
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_serial(const char** text_out, int32_t system_device);
/* The minor number: the GPU is /dev/nvidia0 where it is 0.
 * @does asking for a GPU's minor number
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_minor_number(uint32_t* value_out, int32_t system_device);
/* The percentage of the newest sample period in which a kernel ran.
 * @does asking for a GPU's utilization
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_gpu_utilization(uint32_t* value_out, int32_t system_device);
/* The percentage of the newest sample period in which memory was read or written.
 * @does asking for a GPU's utilization
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_memory_utilization(uint32_t* value_out, int32_t system_device);
/* Bytes of memory at one moment, of all processes: all there is, what is free, what is used, and what the driver
 * has reserved.
 * @does asking for a GPU's memory
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_memory_info(uint64_t* total_out, uint64_t* free_out, uint64_t* used_out,
                                                          uint64_t* reserved_out, int32_t system_device);
/* The frequency of a clock now in MHz.
 * @does asking for a GPU's clock
 * @method
 * @param clock_type CUPRUM_CLOCK_*
 * @by_hand java csharp python
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_clock(uint32_t* value_out, int32_t system_device, int32_t clock_type);
/* The frequency of a clock at most in MHz.
 * @does asking for a GPU's clock
 * @method
 * @param clock_type CUPRUM_CLOCK_*
 * @by_hand java csharp python
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_max_clock(uint32_t* value_out, int32_t system_device, int32_t clock_type);
/* The temperature in degrees Celsius.
 * @does asking for a GPU's temperature
 * @property
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_temperature(int32_t* value_out, int32_t system_device);
/* The temperature in degrees Celsius at which the device acts.
 * @does asking for a GPU's temperature threshold
 * @method
 * @param threshold CUPRUM_THRESHOLD_*
 * @by_hand java csharp python
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_temperature_threshold(uint32_t* value_out, int32_t system_device,
                                                                    int32_t threshold);
/* The power that it takes in milliwatts.
 * @does asking for the power that a GPU takes
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_power_usage(uint32_t* value_out, int32_t system_device);
/* The power that it may take in milliwatts.
 * @does asking for a GPU's power limit
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_power_limit(uint32_t* value_out, int32_t system_device);
/* The energy that it has taken since the driver was loaded, in millijoules.
 * @does asking for the energy that a GPU has taken
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_energy_consumption(uint64_t* value_out, int32_t system_device);
/* The performance state: 0 is the fastest, 15 the slowest.
 * @does asking for a GPU's performance state
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_performance_state(int32_t* value_out, int32_t system_device);
/* Whether the driver stays loaded while no program uses the GPU.
 * @does asking for a GPU's persistence mode
 * @truth value_out
 * @property
 * @by_hand python
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_is_persistence_mode_enabled(int32_t* value_out, int32_t system_device);
/* Sets whether the driver stays loaded while no program uses the GPU. CUPRUM_ERROR_DRIVER when the process lacks
 * the rights for it.
 * @does setting a GPU's persistence mode
 * @truth enabled
 * @method
 * @param enabled whether it stays loaded
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_set_persistence_mode(int32_t system_device, int32_t enabled);
/* How many fans it has.
 * @does counting a GPU's fans
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_num_fans(uint32_t* value_out, int32_t system_device);
/* The speed of a fan in percent.
 * @does asking for the speed of a GPU's fan
 * @method
 * @param fan its number, from 0
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_fan_speed(uint32_t* value_out, int32_t system_device, uint32_t fan);
/* Sets the speed of a fan. CUPRUM_ERROR_DRIVER when the process lacks the rights for it.
 * @does setting the speed of a GPU's fan
 * @method
 * @param percent the speed
 * @param fan its number, from 0
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_set_fan_speed(int32_t system_device, uint32_t percent, uint32_t fan);
/* Leaves the speed of a fan to the driver again. CUPRUM_ERROR_DRIVER when the process lacks the rights for it.
 * @does setting the speed of a GPU's fan
 * @method
 * @param fan its number, from 0
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_set_default_fan_speed(int32_t system_device, uint32_t fan);
/* The generation of its PCI link now.
 * @does asking for a GPU's PCI link
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_link_generation(uint32_t* value_out, int32_t system_device);
/* The lanes of its PCI link now.
 * @does asking for a GPU's PCI link
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_link_width(uint32_t* value_out, int32_t system_device);
/* The generation that its PCI link can have here.
 * @does asking for a GPU's PCI link
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_max_link_generation(uint32_t* value_out, int32_t system_device);
/* The lanes that its PCI link can have here.
 * @does asking for a GPU's PCI link
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_max_link_width(uint32_t* value_out, int32_t system_device);
/* What it receives over PCI, in KB/s.
 * @does asking for a GPU's PCI throughput
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_rx_throughput(uint32_t* value_out, int32_t system_device);
/* What it sends over PCI, in KB/s.
 * @does asking for a GPU's PCI throughput
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_tx_throughput(uint32_t* value_out, int32_t system_device);
/* How often something was sent over PCI again.
 * @does asking for a GPU's PCI replays
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_pci_replay_counter(uint32_t* value_out, int32_t system_device);
/* The kinds of events that it tells, joined by |.
 * @does asking for the events of a GPU
 * @property
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_supported_event_types(uint64_t* value_out, int32_t system_device);
/* What the GPU has in common with another one on the way to it: CUPRUM_TOPOLOGY_*.
 * @does asking what two GPUs have in common
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_topology(int32_t* level_out, int32_t system_device, int32_t other);
/* How the GPU reaches another one in a way of CUPRUM_P2P_*: CUPRUM_P2P_STATUS_*.
 * @does asking how two GPUs reach each other
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_p2p_status(int32_t* status_out, int32_t system_device, int32_t other,
                                                         int32_t capability);
/* The processes that compute on it. Gives their number; this thread keeps them until its next call of this
 * function.
 * @does asking for the processes on a GPU
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_device_processes(uint32_t* count_out, int32_t system_device);
/* One of them, and the bytes of the GPU's memory that it uses; all bits are set where the driver does not tell.
 * CUPRUM_ERROR_INVALID_ARGUMENT for an index that is too large.
 * @does reading a process on a GPU */
CUPRUM_API cuprum_status cuprum_system_process(uint32_t* pid_out, uint64_t* used_memory_out, uint32_t index);
/* Events of the GPU, of the kinds in `event_types` (CUPRUM_EVENT_*, joined by |), from now on.
 * CUPRUM_ERROR_UNSUPPORTED for kinds that it does not tell.
 * @does registering for the events of a GPU
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_events_create(cuprum_system_events* events_out, int32_t system_device,
                                                     uint64_t event_types);
/* Waits for an event, for `timeout` milliseconds at most. Without one `happened_out` is 0 and so are the others;
 * with one it is 1, and they tell its GPU, its kind and its data: the number (XID) of a critical error.
 * @does waiting for an event of a GPU
 * @truth happened_out
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_events_wait(int32_t* happened_out, int32_t* system_device_out,
                                                   uint64_t* event_type_out, uint64_t* data_out,
                                                   cuprum_system_events events, uint32_t timeout);
/* NULL is accepted and ignored.
 * @does destroying the events of a GPU
 * @nullable events
 * @blocks */
CUPRUM_API cuprum_status cuprum_system_events_destroy(cuprum_system_events events);

#ifdef __cplusplus
}
#endif
#endif
