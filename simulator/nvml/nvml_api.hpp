// What the simulator's NVML has of nvml.h, which most toolkits lack: the types, numbers and layouts of its ABI that the
// functions here use.
#pragma once

#include <cstddef>

namespace cuprum::simulator::nvml {

enum Result : int {
    success = 0,
    uninitialized = 1,
    invalid_argument = 2,
    not_supported = 3,
    not_found = 6,
    insufficient_size = 7,
    driver_not_loaded = 9,
    timeout = 10,
    function_not_found = 13,
    gpu_is_lost = 15,
    out_of_memory = 20,
    argument_version_mismatch = 25,
    unknown = 999,
};

// A device's handle is the address of its record (devices.hpp), an event set's that of its EventSet.
struct DeviceHandle;
struct EventSet;

// How nvml.h numbers the versions of its structures: the size, and the version in the upper byte.
template <class Struct>
constexpr unsigned int version_of(unsigned int version) {
    return static_cast<unsigned int>(sizeof(Struct)) | (version << 24U);
}

struct Utilization {
    unsigned int gpu;
    unsigned int memory;
};

struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct MemoryV2 {
    unsigned int version;
    unsigned long long total;
    unsigned long long reserved;
    unsigned long long free;
    unsigned long long used;
};

struct PciInfo {
    char bus_id_legacy[16];
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int device_id;
    unsigned int subsystem_id;
    char bus_id[32];
};

struct PciInfoExt {
    unsigned int version;
    unsigned int domain;
    unsigned int bus;
    unsigned int device;
    unsigned int device_id;
    unsigned int subsystem_id;
    unsigned int base_class;
    unsigned int sub_class;
    char bus_id[32];
};

struct ProcessInfo {
    unsigned int pid;
    unsigned long long used_memory;
    unsigned int gpu_instance;
    unsigned int compute_instance;
};

struct EventData {
    DeviceHandle* device;
    unsigned long long type;
    unsigned long long data;
    unsigned int gpu_instance;
    unsigned int compute_instance;
};

struct FieldValue {
    unsigned int field;
    unsigned int scope;
    long long timestamp;
    long long latency;
    int type;
    int result;
    union {
        unsigned int number;
        unsigned long long bits;
    } value;
};

struct TemperatureRequest {
    unsigned int version;
    int sensor;
    int temperature;
};

struct MarginTemperature {
    unsigned int version;
    int margin;
};

struct DriverBranch {
    unsigned int version;
    char branch[80];
};

struct C2cMode {
    unsigned int is_enabled;
};

struct FanSpeed {
    unsigned int version;
    unsigned int fan;
    unsigned int speed;
};

static_assert(sizeof(MemoryV2) == 40 && sizeof(PciInfo) == 68 && sizeof(PciInfoExt) == 64 && sizeof(ProcessInfo) == 24);
static_assert(sizeof(EventData) == 32 && sizeof(FieldValue) == 40 && sizeof(DriverBranch) == 84);

namespace clock_type {
constexpr int graphics = 0;
constexpr int sm = 1;
constexpr int memory = 2;
constexpr int video = 3;
}  // namespace clock_type

namespace clock_id {
constexpr int current = 0;
constexpr int customer_boost_max = 3;
}  // namespace clock_id

namespace threshold {
constexpr int shutdown = 0;
constexpr int slowdown = 1;
constexpr int memory_max = 2;
constexpr int gpu_max = 3;
}  // namespace threshold

namespace topology {
constexpr int internal = 0;
constexpr int node = 40;
constexpr int system = 50;
}  // namespace topology

constexpr unsigned long long event_xid = 8;
constexpr unsigned int field_memory_temperature = 82;
constexpr int value_unsigned_int = 1;
constexpr unsigned int no_instance = 0xffffffff;

}  // namespace cuprum::simulator::nvml
