#include "cuprum/capi/device.h"

#include <string>

#include "call.hpp"
#include "cuprum/core/device.hpp"
#include "cuprum/core/program.hpp"
#include "struct_size.hpp"

using namespace cuprum::capi;
using cuprum::core::Device;

cuprum_status cuprum_device_count(int32_t* count_out) {
    return run("cuprum_device_count", [&](const Call& call) {
        call.require(count_out, "count_out");
        *count_out = Device::count();
    });
}

cuprum_status cuprum_device_current(int32_t* device_out) {
    return run("cuprum_device_current", [&](const Call& call) {
        call.require(device_out, "device_out");
        *device_out = Device::current().device_id();
    });
}

cuprum_status cuprum_device_of_memory(int32_t* device_out, uint64_t address) {
    return run("cuprum_device_of_memory", [&](const Call& call) {
        call.require(device_out, "device_out");
        const auto device = Device::of_memory(address);
        *device_out = device ? device->device_id() : -1;
    });
}

cuprum_status cuprum_device_name(const char** name_out, int32_t device) {
    return run("cuprum_device_name", [&](const Call& call) {
        call.require(name_out, "name_out");
        *name_out = lend(Device(device).name());
    });
}

cuprum_status cuprum_device_uuid(const char** uuid_out, int32_t device) {
    return run("cuprum_device_uuid", [&](const Call& call) {
        call.require(uuid_out, "uuid_out");
        *uuid_out = lend(Device(device).uuid());
    });
}

cuprum_status cuprum_device_pci_bus_id(const char** pci_bus_id_out, int32_t device) {
    return run("cuprum_device_pci_bus_id", [&](const Call& call) {
        call.require(pci_bus_id_out, "pci_bus_id_out");
        *pci_bus_id_out = lend(Device(device).pci_bus_id());
    });
}

cuprum_status cuprum_device_arch(const char** arch_out, int32_t device) {
    return run("cuprum_device_arch", [&](const Call& call) {
        call.require(arch_out, "arch_out");
        *arch_out = lend(Device(device).arch());
    });
}

cuprum_status cuprum_device_properties_get(cuprum_device_properties* properties_out, int32_t device) {
    return run("cuprum_device_properties_get", [&](const Call& call) {
        call.require(properties_out, "properties_out");
        check_struct_size(call, "properties_out", properties_out->struct_size, sizeof *properties_out);
        const Device asked(device);
        const cuprum::core::DeviceProperties& properties = asked.properties();
        const cuprum::core::ComputeCapability capability = asked.compute_capability();
        cuprum_device_properties values{};
        values.compute_capability_major = capability.major;
        values.compute_capability_minor = capability.minor;
        values.multiprocessor_count = properties.multiprocessor_count;
        values.warp_size = properties.warp_size;
        values.max_threads_per_block = properties.max_threads_per_block;
        values.max_block_dim_x = properties.max_block_dim_x;
        values.max_block_dim_y = properties.max_block_dim_y;
        values.max_block_dim_z = properties.max_block_dim_z;
        values.max_grid_dim_x = properties.max_grid_dim_x;
        values.max_grid_dim_y = properties.max_grid_dim_y;
        values.max_grid_dim_z = properties.max_grid_dim_z;
        values.max_shared_memory_per_block = properties.max_shared_memory_per_block;
        values.max_shared_memory_per_block_optin = properties.max_shared_memory_per_block_optin;
        values.max_shared_memory_per_multiprocessor = properties.max_shared_memory_per_multiprocessor;
        values.max_registers_per_block = properties.max_registers_per_block;
        values.max_threads_per_multiprocessor = properties.max_threads_per_multiprocessor;
        values.clock_rate = properties.clock_rate;
        values.memory_clock_rate = properties.memory_clock_rate;
        values.global_memory_bus_width = properties.global_memory_bus_width;
        values.l2_cache_size = properties.l2_cache_size;
        values.is_simulator = asked.is_simulator() ? 1 : 0;
        write_struct(properties_out, values);
    });
}

cuprum_status cuprum_device_attribute(int32_t* value_out, int32_t device, int32_t driver_attribute) {
    return run("cuprum_device_attribute", [&](const Call& call) {
        call.require(value_out, "value_out");
        *value_out = Device(device).attribute(driver_attribute);
    });
}

cuprum_status cuprum_device_row_pitch(uint64_t* row_pitch_out, int32_t device, uint64_t width) {
    return run("cuprum_device_row_pitch", [&](const Call& call) {
        call.require(row_pitch_out, "row_pitch_out");
        *row_pitch_out = Device(device).row_pitch(width);
    });
}

cuprum_status cuprum_device_memory_info(uint64_t* free_out, uint64_t* total_out, int32_t device) {
    return run("cuprum_device_memory_info", [&](const Call&) {
        const Device asked(device);
        const cuprum::core::MemoryInfo memory = asked.memory_info();
        if (free_out != nullptr) {
            *free_out = memory.free;
        }
        if (total_out != nullptr) {
            *total_out = memory.total;
        }
    });
}

cuprum_status cuprum_device_is_simulator(int32_t* is_simulator_out, int32_t device) {
    return run("cuprum_device_is_simulator", [&](const Call& call) {
        call.require(is_simulator_out, "is_simulator_out");
        *is_simulator_out = Device(device).is_simulator() ? 1 : 0;
    });
}

cuprum_status cuprum_device_set_current(int32_t device) {
    return run("cuprum_device_set_current", [&](const Call&) { Device(device).set_current(); });
}

cuprum_status cuprum_device_sync(int32_t device) {
    return run("cuprum_device_sync", [&](const Call&) { Device(device).sync(); });
}

cuprum_status cuprum_driver_version(int32_t* version_out) {
    return run("cuprum_driver_version", [&](const Call& call) {
        call.require(version_out, "version_out");
        *version_out = cuprum::core::driver_version();
    });
}

cuprum_status cuprum_nvrtc_version(int32_t* major_out, int32_t* minor_out) {
    return run("cuprum_nvrtc_version", [&](const Call& call) {
        call.require(major_out, "major_out");
        call.require(minor_out, "minor_out");
        const auto [major, minor] = cuprum::core::nvrtc_version();
        *major_out = major;
        *minor_out = minor;
    });
}
