// Every call of NVML in a look at the whole system fails once. Each time: one error of the right kind, at the call that
// failed; the same look then succeeds; no event set is left.
#include <gtest/gtest.h>

#include <chrono>

#include "cuprum/cuprum.hpp"
#include "nvml_fault_plan.hpp"

namespace cuprum::core {
namespace {

void look_at_all() {
    const system::Device device(0);
    device.name();
    device.memory_info();
    device.utilization();
    device.temperature();
    device.clock(system::ClockType::sm);
    device.power_usage();
    device.compute_running_processes();
    device.pci_info();
    device.topology_nearest_gpus(system::TopologyLevel::node);
    system::get_kernel_mode_driver_version();
    system::get_driver_branch();
    system::Device::of_uuid(device.uuid()).to_cuda_device();
    const system::DeviceEvents events = device.register_events(system::EventType::xid_critical_error);
    EXPECT_FALSE(events.wait(std::chrono::milliseconds(1)).has_value());
}

TEST(SystemFaults, OfEveryCallOfNvmlAreReportedAndLeaveNothingBehind) {
    look_at_all();  // NVML is started once in a process
    test::NvmlFaultPlan plan;
    int call = 1;
    for (; call < 100; ++call) {
        plan.strike(call, NVML_ERROR_GPU_IS_LOST);
        std::string problem;
        int errors = 0;
        try {
            look_at_all();
        } catch (const DriverError& error) {
            ++errors;
            if (error.domain() != ErrorDomain::nvml || error.code() != NVML_ERROR_GPU_IS_LOST) problem = error.what();
            if (std::string(error.what()).find(plan.struck()) == std::string::npos) problem = error.what();
        }
        const std::string struck = plan.struck();
        plan.disarm();
        EXPECT_EQ(problem, "") << struck;
        EXPECT_EQ(errors, struck.empty() || struck == "nvmlEventSetFree" ? 0 : 1) << struck;
        EXPECT_EQ(plan.live(), 0) << struck;
        look_at_all();
        if (struck.empty()) break;
    }
    EXPECT_LT(call, 100) << "the look does not end";
    EXPECT_GT(call, 18) << "a look makes more calls than that";
}

}  // namespace
}  // namespace cuprum::core
