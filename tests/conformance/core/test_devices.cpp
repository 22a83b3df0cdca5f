// Devices and their properties.
#include <cuda.h>

#include <regex>

#include "cuprum/bindings/driver.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using testing::HasSubstr;

TEST(Devices, AreListed) {
    ASSERT_GE(Device::count(), 1);
    const std::vector<Device> devices = Device::get_all_devices();
    ASSERT_EQ(devices.size(), static_cast<size_t>(Device::count()));
    for (int32_t i = 0; i < Device::count(); ++i) {
        EXPECT_EQ(devices[static_cast<size_t>(i)].device_id(), i);
        EXPECT_EQ(devices[static_cast<size_t>(i)], Device(i));
    }
}

TEST(Devices, HaveANameAndIds) {
    const Device device(0);
    EXPECT_FALSE(device.name().empty());
    EXPECT_TRUE(std::regex_match(device.uuid(), std::regex("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")))
        << device.uuid();
    EXPECT_TRUE(
        std::regex_match(device.pci_bus_id(), std::regex("[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-9A-Fa-f]")))
        << device.pci_bus_id();
}

TEST(Devices, SayInTheirNameWhenTheyAreSimulated) {
    const Device device(0);
    const bool named = std::regex_search(device.name(), std::regex("simulator", std::regex::icase));
    EXPECT_EQ(device.is_simulator(), named) << device.name();
}

TEST(Devices, HaveAnArchitecture) {
    const Device device(0);
    const ComputeCapability capability = device.compute_capability();
    EXPECT_GE(capability.major, 7);
    EXPECT_EQ(device.arch(), std::to_string(capability.major) + std::to_string(capability.minor));
}

TEST(Devices, HavePropertiesThatAreReadOnce) {
    const Device device(0);
    const DeviceProperties& properties = device.properties();
    EXPECT_EQ(&properties, &Device(0).properties());
    EXPECT_EQ(properties.warp_size, 32);
    EXPECT_GE(properties.max_threads_per_block, 1024);
    EXPECT_GE(properties.max_grid_dim_x, 65535);
    EXPECT_GE(properties.max_shared_memory_per_block, 49152);
    EXPECT_GE(properties.multiprocessor_count, 1);
    EXPECT_EQ(properties.warp_size, device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE));
    EXPECT_EQ(properties.max_block_dim_z, device.attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
    EXPECT_TRUE(properties.unified_addressing);
}

TEST(Devices, HaveMemory) {
    const Device device(0);
    EXPECT_GT(device.total_memory(), 0U);
    EXPECT_LE(device.free_memory(), device.total_memory());
    const MemoryInfo memory = device.memory_info();
    EXPECT_GT(memory.free, 0U);
    EXPECT_LE(memory.free, memory.total);
    EXPECT_LE(memory.total, device.total_memory());
}

TEST(Devices, ThatDoNotExistAreRefused) {
    const auto error = error_of<InvalidArgument>([] { const Device none(Device::count()); });
    EXPECT_THAT(error.what(), HasSubstr("device " + std::to_string(Device::count())));
    EXPECT_THROW(Device(-1), InvalidArgument);
}

TEST(Devices, LeaveTheCallersContextAlone) {
    namespace driver = bindings::driver;
    const Device device(0);
    CUcontext before = nullptr;
    ASSERT_EQ(driver::cuCtxGetCurrent(&before), CUDA_SUCCESS);
    const Buffer buffer = device.allocate(16);
    device.create_stream().sync();
    device.sync();
    CUcontext after = nullptr;
    ASSERT_EQ(driver::cuCtxGetCurrent(&after), CUDA_SUCCESS);
    EXPECT_EQ(after, before);
}

TEST(Devices, BecomeCurrentWhenAsked) {
    namespace driver = bindings::driver;
    const Device device(0);
    CUcontext before = nullptr;
    ASSERT_EQ(driver::cuCtxGetCurrent(&before), CUDA_SUCCESS);
    device.set_current();
    CUcontext current = nullptr;
    ASSERT_EQ(driver::cuCtxGetCurrent(&current), CUDA_SUCCESS);
    EXPECT_EQ(current, device.context().handle());
    ASSERT_EQ(driver::cuCtxSetCurrent(before), CUDA_SUCCESS);
}

TEST(Driver, HasAVersion) {
    EXPECT_GE(driver_version(), 12000);
    EXPECT_LT(driver_version(), 100000);
}

}  // namespace
}  // namespace cuprum::core
