// What changes while a device works: utilization, clocks, temperature, power, fans; and its events.
#include <cuda.h>

#include <array>

#include "nvml/entry.hpp"
#include "nvml/events.hpp"

using namespace cuprum::simulator::nvml;

namespace {

constexpr unsigned int power_limit = 300'000;  // mW
constexpr unsigned int idle_clock = 210;       // MHz
constexpr unsigned int revolutions = 40;       // a minute, for each percent of a fan's speed
constexpr unsigned int least_fan_speed = 30;
constexpr int thresholds[] = {92, 89, 95, 85};  // degrees Celsius, by nvmlTemperatureThresholds_t

unsigned int most_clock(const Device& device, int type) {
    const bool is_memory = type == clock_type::memory;
    const int kilohertz =
        device.attribute(is_memory ? CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE : CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    return static_cast<unsigned int>(kilohertz / 1000);
}

Result give_clock(DeviceHandle* handle, int type, unsigned int* clock, bool at_most) {
    return with_device(handle, [&](Device& device) {
        if (type < clock_type::graphics || type > clock_type::video) return invalid_argument;
        const bool rests = !at_most && type != clock_type::memory && device.is_idle();
        return give(clock, rests ? idle_clock : most_clock(device, type));
    });
}

// The fan of that number, of which a device has one or none.
template <class Body>
Result with_fan(DeviceHandle* handle, unsigned int fan, Body&& body) {
    return with_device(handle, [&](Device& device) {
        if (!device.has_fan()) return not_supported;
        return fan == 0 ? body(device) : invalid_argument;
    });
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

Result nvmlDeviceGetUtilizationRates(DeviceHandle* handle, Utilization* utilization) {
    // Of the memory's bandwidth nothing is known.
    return with_device(handle, [&](Device& device) { return give(utilization, Utilization{device.utilization(), 0}); });
}

Result nvmlDeviceGetClock(DeviceHandle* handle, int type, int id, unsigned int* clock) {
    if (id != clock_id::current && id != clock_id::customer_boost_max) return not_supported;
    return give_clock(handle, type, clock, id == clock_id::customer_boost_max);
}

Result nvmlDeviceGetClockInfo(DeviceHandle* handle, int type, unsigned int* clock) {
    return give_clock(handle, type, clock, false);
}

Result nvmlDeviceGetMaxClockInfo(DeviceHandle* handle, int type, unsigned int* clock) {
    return give_clock(handle, type, clock, true);
}

Result nvmlDeviceGetMaxCustomerBoostClock(DeviceHandle* handle, int type, unsigned int* clock) {
    return give_clock(handle, type, clock, true);
}

Result nvmlDeviceGetSupportedMemoryClocks(DeviceHandle* handle, unsigned int* count, unsigned int* clocks) {
    return with_device(handle, [&](Device& device) {
        const std::array<unsigned int, 1> supported{most_clock(device, clock_type::memory)};
        return give_list(supported, count, clocks);
    });
}

Result nvmlDeviceGetTemperature(DeviceHandle* handle, int sensor, unsigned int* temperature) {
    return with_device(handle, [&](Device& device) {
        return sensor == 0 ? give(temperature, device.temperature()) : invalid_argument;
    });
}

Result nvmlDeviceGetTemperatureV(DeviceHandle* handle, TemperatureRequest* request) {
    return with_device(handle, [&](Device& device) {
        if (request == nullptr) return invalid_argument;
        if (request->version != version_of<TemperatureRequest>(1)) return argument_version_mismatch;
        return request->sensor == 0 ? give(&request->temperature, device.temperature()) : invalid_argument;
    });
}

Result nvmlDeviceGetTemperatureThreshold(DeviceHandle* handle, int type, unsigned int* temperature) {
    return with_device(handle, [&](Device&) {
        if (type < 0) return invalid_argument;
        return type > threshold::gpu_max ? not_supported : give(temperature, thresholds[type]);
    });
}

Result nvmlDeviceGetMarginTemperature(DeviceHandle* handle, MarginTemperature* margin) {
    return with_device(handle, [&](Device& device) {
        if (margin == nullptr) return invalid_argument;
        if (margin->version != version_of<MarginTemperature>(1)) return argument_version_mismatch;
        return give(&margin->margin, thresholds[threshold::slowdown] - static_cast<int>(device.temperature()));
    });
}

Result nvmlDeviceGetFieldValues(DeviceHandle* handle, int count, FieldValue* values) {
    return with_device(handle, [&](Device& device) {
        if (values == nullptr || count < 1) return invalid_argument;
        for (int index = 0; index < count; ++index) {
            const bool is_known = values[index].field == field_memory_temperature;
            values[index].result = is_known ? success : not_supported;
            values[index].type = value_unsigned_int;
            values[index].value.bits = is_known ? device.temperature() : 0;
        }
        return success;
    });
}

Result nvmlDeviceGetPowerUsage(DeviceHandle* handle, unsigned int* power) {
    return with_device(handle, [&](Device& device) { return give(power, device.power()); });
}

Result nvmlDeviceGetPowerManagementLimit(DeviceHandle* handle, unsigned int* limit) {
    return with_device(handle, [&](Device&) { return give(limit, power_limit); });
}

Result nvmlDeviceGetEnforcedPowerLimit(DeviceHandle* handle, unsigned int* limit) {
    return with_device(handle, [&](Device&) { return give(limit, power_limit); });
}

Result nvmlDeviceGetTotalEnergyConsumption(DeviceHandle* handle, unsigned long long* energy) {
    return with_device(handle, [&](Device& device) { return give(energy, device.energy()); });
}

Result nvmlDeviceGetPerformanceState(DeviceHandle* handle, int* state) {
    constexpr int at_work = 0, at_rest = 8;
    return with_device(handle, [&](Device& device) { return give(state, device.is_idle() ? at_rest : at_work); });
}

Result nvmlDeviceGetCurrentClocksEventReasons(DeviceHandle* handle, unsigned long long* reasons) {
    constexpr unsigned long long gpu_idle = 1;
    return with_device(handle, [&](Device& device) { return give(reasons, device.is_idle() ? gpu_idle : 0); });
}

Result nvmlDeviceGetSupportedClocksEventReasons(DeviceHandle* handle, unsigned long long* reasons) {
    constexpr unsigned long long gpu_idle = 1;
    return with_device(handle, [&](Device&) { return give(reasons, gpu_idle); });
}

Result nvmlDeviceGetNumFans(DeviceHandle* handle, unsigned int* count) {
    return with_device(handle, [&](Device& device) { return give(count, device.has_fan() ? 1 : 0); });
}

Result nvmlDeviceGetFanSpeed(DeviceHandle* handle, unsigned int* speed) {
    return with_fan(handle, 0, [&](Device& device) { return give(speed, device.fan_speed()); });
}

Result nvmlDeviceGetFanSpeed_v2(DeviceHandle* handle, unsigned int fan, unsigned int* speed) {
    return with_fan(handle, fan, [&](Device& device) { return give(speed, device.fan_speed()); });
}

Result nvmlDeviceGetTargetFanSpeed(DeviceHandle* handle, unsigned int fan, unsigned int* speed) {
    return with_fan(handle, fan, [&](Device& device) { return give(speed, device.fan_speed()); });
}

Result nvmlDeviceGetFanSpeedRPM(DeviceHandle* handle, FanSpeed* speed) {
    if (speed == nullptr) return invalid_argument;
    return with_fan(handle, speed->fan, [&](Device& device) {
        if (speed->version != version_of<FanSpeed>(1)) return argument_version_mismatch;
        return give(&speed->speed, device.fan_speed() * revolutions);
    });
}

Result nvmlDeviceGetMinMaxFanSpeed(DeviceHandle* handle, unsigned int* least, unsigned int* most) {
    return with_fan(handle, 0, [&](Device&) {
        if (least == nullptr || most == nullptr) return invalid_argument;
        *least = least_fan_speed;
        *most = 100;
        return success;
    });
}

Result nvmlDeviceGetFanControlPolicy_v2(DeviceHandle* handle, unsigned int fan, unsigned int* policy) {
    return with_fan(handle, fan, [&](Device& device) { return give(policy, device.fan_is_set() ? 1 : 0); });
}

Result nvmlDeviceSetFanSpeed_v2(DeviceHandle* handle, unsigned int fan, unsigned int speed) {
    return with_fan(handle, fan, [&](Device& device) {
        if (speed < least_fan_speed || speed > 100) return invalid_argument;
        device.set_fan_speed(speed);
        return success;
    });
}

Result nvmlDeviceSetDefaultFanSpeed_v2(DeviceHandle* handle, unsigned int fan) {
    return with_fan(handle, fan, [&](Device& device) {
        device.set_fan_speed({});
        return success;
    });
}

Result nvmlDeviceGetSupportedEventTypes(DeviceHandle* handle, unsigned long long* types) {
    return with_device(handle, [&](Device&) { return give(types, event_xid); });
}

Result nvmlDeviceRegisterEvents(DeviceHandle* handle, unsigned long long types, EventSet* set) {
    return register_events(set, handle, types);
}

Result nvmlEventSetCreate(EventSet** set) {
    return create_event_set(set);
}

Result nvmlEventSetFree(EventSet* set) {
    return free_event_set(set);
}

Result nvmlEventSetWait_v2(EventSet* set, EventData* data, unsigned int milliseconds) {
    return wait_for_event(set, data, milliseconds);
}

}  // extern "C"
