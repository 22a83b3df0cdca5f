// GPUs as NVML sees them: on a GPU the driver's NVML, else the simulator's, with two devices and a fan each.
#include <unistd.h>

#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "child_process.hpp"
#include "fixture.hpp"

namespace cuprum::core {
namespace {

using system::ClockType;
using test::error_of;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::MatchesRegex;
using testing::Not;

// A kernel that keeps the device busy for a while.
ObjectCode spin() {
    return Program(R"(extern "C" __global__ void spin(int n, int* x) {
        int sum = 0;
        for (int i = 0; i < n; ++i) sum += i ^ sum;
        *x = sum;
    }
    extern "C" __global__ void write_to(int* x) { *x = 1; })")
        .compile(CodeType::ptx);
}

TEST(System, SeesTheDevicesThatCudaSees) {
    ASSERT_GE(system::get_num_devices(), Device::count());
    for (const Device& device : Device::get_all_devices()) {
        const system::Device seen = device.to_system_device();
        EXPECT_EQ(seen.uuid(), device.uuid());
        EXPECT_EQ(seen.name(), device.name());
        EXPECT_THAT(seen.pci_bus_id(), testing::EndsWith(device.pci_bus_id().substr(5)));
        EXPECT_EQ(seen.to_cuda_device(), device);
        EXPECT_EQ(system::Device::of_pci_bus_id(seen.pci_bus_id()), seen);
        EXPECT_EQ(system::Device::of_uuid(seen.uuid()), seen);
    }
    EXPECT_EQ(system::Device::get_all_devices().size(), static_cast<size_t>(system::get_num_devices()));
}

TEST(System, NamesTheDriver) {
    EXPECT_THAT(system::get_kernel_mode_driver_version(), MatchesRegex("[0-9]+\\.[0-9]+(\\.[0-9]+)?"));
    EXPECT_THAT(system::get_nvml_version(), HasSubstr(system::get_kernel_mode_driver_version()));
    EXPECT_THAT(system::get_driver_branch(), Not(IsEmpty()));
    EXPECT_THAT(system::get_process_name(static_cast<uint32_t>(getpid())), HasSubstr("test_core_system"));
}

TEST(System, RefusesADeviceThatThereIsNot) {
    const auto error = error_of<InvalidArgument>([] { system::Device(4711); });
    EXPECT_THAT(error.what(), AllOf(HasSubstr("system device 4711"), HasSubstr("NVML sees")));
    EXPECT_THAT(error_of<InvalidArgument>([] { system::Device::of_uuid("GPU-0"); }).what(),
                HasSubstr("nvmlDeviceGetHandleByUUID"));
}

TEST(System, CountsTheMemoryThatIsUsed) {
    constexpr uint64_t size = 64 << 20;
    const Device device(0);
    const system::Device seen = device.to_system_device();
    device.allocate(4);  // the context has been made
    const system::MemoryInfo before = seen.memory_info();
    const Buffer buffer = device.allocate(size);
    const system::MemoryInfo after = seen.memory_info();
    EXPECT_GE(after.used, before.used + size);
    EXPECT_EQ(after.total, before.total);
    EXPECT_LE(after.used + after.free + after.reserved, after.total);
    EXPECT_THAT(seen.compute_running_processes(),
                Contains(Field(&system::ProcessInfo::pid, static_cast<uint32_t>(getpid()))));
}

TEST(System, MeasuresADevice) {
    const system::Device device(0);
    EXPECT_THAT(device.temperature(), AllOf(Ge(10), Le(120)));
    EXPECT_GT(device.temperature_threshold(system::TemperatureThreshold::shutdown), 60U);
    EXPECT_THAT(device.power_usage(), AllOf(Ge(1000U), Le(device.power_limit() * 2)));
    for (const ClockType type : {ClockType::graphics, ClockType::sm, ClockType::memory}) {
        EXPECT_GT(device.clock(type), 0U);
        EXPECT_GE(device.max_clock(type), device.clock(type));
    }
    EXPECT_THAT(device.performance_state(), AllOf(Ge(0), Le(15)));
    EXPECT_THAT(device.utilization().gpu, Le(100U));
    EXPECT_GE(device.pci_max_link_width(), device.pci_link_width());
    EXPECT_GE(device.pci_max_link_generation(), device.pci_link_generation());
    EXPECT_EQ(device.pci_info().vendor_id, 0x10deU);
}

TEST(System, TellsThatADeviceIsBusy) {
    const Device device(0);
    const system::Device seen = device.to_system_device();
    const ObjectCode code = spin();
    const Kernel kernel = code.get_kernel("spin");
    const Buffer result = device.allocate(4);
    const Stream stream = device.create_stream();
    seen.utilization();  // a sample period begins
    uint32_t most = 0;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (most < 5 && std::chrono::steady_clock::now() < end) {
        launch(stream, {1, 32}, kernel, 2000000, result);
        stream.sync();
        most = std::max(most, seen.utilization().gpu);
    }
    EXPECT_GE(most, 5U) << "percent";
}

TEST(System, HasTheFansOfADevice) {
    const system::Device device(0);
    const uint32_t fans = device.num_fans();
    if (fans == 0) {
        EXPECT_THROW(device.fan_speed(0), Error);
        return;
    }
    EXPECT_LE(device.fan_speed(0), 100U);
    EXPECT_THROW(device.fan_speed(fans), InvalidArgument);
    if (!Device(0).is_simulator()) return;  // a machine's fans are not a test's
    device.set_fan_speed(70, 0);
    EXPECT_EQ(device.fan_speed(0), 70U);
    device.set_default_fan_speed(0);
    EXPECT_EQ(device.fan_speed(0), 40U);
}

TEST(System, SetsThePersistenceMode) {
    const system::Device device(0);
    const bool before = device.is_persistence_mode_enabled();
    try {
        device.set_persistence_mode_enabled(!before);
        EXPECT_EQ(device.is_persistence_mode_enabled(), !before);
        device.set_persistence_mode_enabled(before);
    } catch (const DriverError& error) {
        EXPECT_EQ(error.name(), "NVML_ERROR_NO_PERMISSION");
    }
    EXPECT_EQ(device.is_persistence_mode_enabled(), before);
}

TEST(System, KnowsHowDevicesReachEachOther) {
    if (system::get_num_devices() < 2) GTEST_SKIP() << "one device";
    const system::Device first(0), second(1);
    const system::TopologyLevel level = first.topology_common_ancestor(second);
    EXPECT_EQ(second.topology_common_ancestor(first), level);
    EXPECT_THAT(first.topology_nearest_gpus(level), Contains(second));
    EXPECT_NE(first.p2p_status(second, system::P2PCapability::read), system::P2PStatus::unknown);
}

TEST(SystemEvents, AreTheParentsAfterAFork) {
    auto events = std::make_unique<system::DeviceEvents>(
        system::Device(0).register_events(system::EventType::xid_critical_error));
    EXPECT_EQ(test::in_child([&](const test::Report& report) {
                  try {
                      events->wait(std::chrono::milliseconds(1));
                      report("they are not refused");
                  } catch (const InvalidState& error) {
                      if (std::string(error.what()).find("forked") == std::string::npos) report(error.what());
                  }
                  events.reset();
              }),
              "");
    EXPECT_FALSE(events->wait(std::chrono::milliseconds(1)).has_value());
}

// Last: it puts the second device out of service.
TEST(SystemEvents, TellTheFaultOfAKernel) {
    if (Device::count() < 2) GTEST_SKIP() << "one device";
    const Device device(1);
    const system::DeviceEvents events =
        device.to_system_device().register_events(system::EventType::xid_critical_error);
    EXPECT_FALSE(events.wait(std::chrono::milliseconds(20)).has_value());
    device.set_current();
    const ObjectCode code = spin();
    const Stream stream = device.create_stream();
    launch(stream, {1, 1}, code.get_kernel("write_to"), uint64_t{0x10});
    EXPECT_THROW(stream.sync(), DeviceFault);
    const auto event = events.wait(std::chrono::seconds(5));
    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(event->device, device.to_system_device().index());
    EXPECT_EQ(event->type, system::EventType::xid_critical_error);
    EXPECT_EQ(event->data, 31U) << "the XID of an MMU fault";
    EXPECT_FALSE(events.wait(std::chrono::milliseconds(20)).has_value()) << "it is told once";
}

TEST(SystemEvents, OfAnUnknownKindAreUnsupported) {
    const system::Device device(0);
    const auto other = static_cast<system::EventType>(uint64_t{1} << 40);
    EXPECT_THROW(device.register_events(other), Error);
    EXPECT_NE(device.supported_event_types() & static_cast<uint64_t>(system::EventType::xid_critical_error), 0U);
    const system::DeviceEvents none;
    EXPECT_THAT(error_of<InvalidState>([&] { none.wait(std::chrono::milliseconds(1)); }).what(),
                HasSubstr("register_events"));
}

}  // namespace
}  // namespace cuprum::core
