#include "device_properties.hpp"

#include <array>
#include <memory>

#include "driver_error.hpp"

namespace cuprum::core {

namespace {

struct IntegerProperty {
    int32_t DeviceProperties::*field;
    CUdevice_attribute attribute;
};

struct BooleanProperty {
    bool DeviceProperties::*field;
    CUdevice_attribute attribute;
};

constexpr std::array integer_properties{
    IntegerProperty{&DeviceProperties::multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
    IntegerProperty{&DeviceProperties::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
    IntegerProperty{&DeviceProperties::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    IntegerProperty{&DeviceProperties::max_block_dim_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
    IntegerProperty{&DeviceProperties::max_block_dim_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
    IntegerProperty{&DeviceProperties::max_block_dim_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
    IntegerProperty{&DeviceProperties::max_grid_dim_x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
    IntegerProperty{&DeviceProperties::max_grid_dim_y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
    IntegerProperty{&DeviceProperties::max_grid_dim_z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
    IntegerProperty{&DeviceProperties::max_shared_memory_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
    IntegerProperty{&DeviceProperties::max_shared_memory_per_block_optin,
                    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
    IntegerProperty{&DeviceProperties::max_shared_memory_per_multiprocessor,
                    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
    IntegerProperty{&DeviceProperties::max_registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
    IntegerProperty{&DeviceProperties::max_threads_per_multiprocessor,
                    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
    IntegerProperty{&DeviceProperties::clock_rate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
    IntegerProperty{&DeviceProperties::memory_clock_rate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
    IntegerProperty{&DeviceProperties::global_memory_bus_width, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
    IntegerProperty{&DeviceProperties::l2_cache_size, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
};

constexpr std::array boolean_properties{
    BooleanProperty{&DeviceProperties::memory_pools_supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED},
    BooleanProperty{&DeviceProperties::managed_memory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY},
    BooleanProperty{&DeviceProperties::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
    BooleanProperty{&DeviceProperties::cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH},
    BooleanProperty{&DeviceProperties::concurrent_kernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS},
    BooleanProperty{&DeviceProperties::unified_addressing, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING},
};

int read_attribute(CUdevice device, CUdevice_attribute attribute, int32_t device_id) {
    int value = 0;
    check(
        driver::cuDeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute",
        [attribute] { return "asking for attribute " + std::to_string(attribute); },
        [device_id] { return describe_device(device_id); });
    return value;
}

}  // namespace

const DeviceProperties& read_device_properties(DeviceState& state, int32_t device_id) {
    const std::lock_guard lock(state.mutex);
    if (const DeviceProperties* const known = state.properties.load(std::memory_order_acquire)) return *known;
    auto properties = std::make_unique<DeviceProperties>();
    for (const IntegerProperty& property : integer_properties) {
        (*properties).*property.field = read_attribute(state.device, property.attribute, device_id);
    }
    for (const BooleanProperty& property : boolean_properties) {
        (*properties).*property.field = read_attribute(state.device, property.attribute, device_id) != 0;
    }
    state.properties.store(properties.get(), std::memory_order_release);
    return *properties.release();  // kept for the life of the process, like the state itself
}

}  // namespace cuprum::core
