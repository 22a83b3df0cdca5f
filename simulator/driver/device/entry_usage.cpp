// What a device does, for the simulator's NVML. No function of the driver's.
#include "driver/device/device_fault.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator::libcuda;

#pragma GCC visibility push(default)

extern "C" {

// As nvml/devices.hpp has it.
struct cuprum_simulator_usage_record {
    uint64_t used_bytes;
    uint64_t total_bytes;
    uint64_t busy_nanoseconds;  // in which at least one kernel ran
    uint32_t fault;             // the CUresult of the device's first fault; 0: none
    uint32_t padding;
};

int cuprum_simulator_usage(cuprum_simulator_usage_record* usage, int ordinal);

int cuprum_simulator_usage(cuprum_simulator_usage_record* usage, int ordinal) {
    return entry_unchecked("cuprum_simulator_usage", [&] {
        Device& device = driver().device(ordinal);
        *usage = {device.arena().used_bytes(), device.arena().total_bytes(),
                  static_cast<uint64_t>(device.kernel_clock().busy().count()),
                  static_cast<uint32_t>(device_fault(device.ordinal())), 0};
    });
}

}  // extern "C"

#pragma GCC visibility pop
