// Every call of NVML in a look at the whole system fails once. Each time one call of the C ABI says so, leaves its
// outputs alone, and succeeds when it is made again; no handle is left, neither Cuprum's nor NVML's.
#include <gtest/gtest.h>

#include <string>

#include "cuprum/cuprum.h"
#include "nvml_fault_plan.hpp"

namespace cuprum::capi {
namespace {

// One look, in which at most one call of the C ABI fails.
class Look {
public:
    explicit Look(test::NvmlFaultPlan& plan) : plan_(plan) {}
    int failures() const { return failures_; }

    void at_all() {
        texts();
        numbers();
        events();
    }

private:
    // `call` is given an output, which must still be `untouched` where it fails; then it is made again.
    template <class Output, class Call>
    Output ask(Output untouched, const Call& call) {
        Output output = untouched;
        const cuprum_status status = call(&output);
        if (status == CUPRUM_SUCCESS) return output;
        ++failures_;
        EXPECT_EQ(status, CUPRUM_ERROR_DRIVER) << plan_.struck();
        EXPECT_EQ(output, untouched) << plan_.struck() << ": an output was written on failure";
        cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
        EXPECT_EQ(cuprum_error_last(&info), CUPRUM_SUCCESS);
        EXPECT_EQ(info.domain, CUPRUM_DOMAIN_NVML) << plan_.struck();
        EXPECT_EQ(info.code, NVML_ERROR_GPU_IS_LOST) << plan_.struck();
        EXPECT_NE(std::string(info.message).find(plan_.struck()), std::string::npos) << info.message;
        EXPECT_EQ(call(&output), CUPRUM_SUCCESS) << plan_.struck() << " failed again";
        return output;
    }
    void texts() {
        const char* const none = "untouched";
        const auto text = [&](cuprum_status (*function)(const char**, int32_t)) {
            EXPECT_NE(std::string(ask(none, [&](const char** out) { return function(out, 0); })), "");
        };
        text(cuprum_system_device_name);
        text(cuprum_system_device_uuid);
        text(cuprum_system_device_pci_bus_id);
        ask(none, [](const char** out) { return cuprum_system_kernel_mode_driver_version(out); });
        ask(none, [](const char** out) { return cuprum_system_driver_branch(out); });
    }
    void numbers() {
        const auto number = [&](cuprum_status (*function)(uint32_t*, int32_t)) {
            ask(uint32_t{0x7777}, [&](uint32_t* out) { return function(out, 0); });
        };
        number(cuprum_system_device_gpu_utilization);
        number(cuprum_system_device_memory_utilization);
        number(cuprum_system_device_power_usage);
        ask(int32_t{0x7777}, [](int32_t* out) { return cuprum_system_device_temperature(out, 0); });
        ask(int32_t{0x7777}, [](int32_t* out) { return cuprum_system_device_cuda(out, 0); });
        ask(uint32_t{0x7777}, [](uint32_t* out) { return cuprum_system_device_clock(out, 0, CUPRUM_CLOCK_SM); });
        uint64_t free = 0, used = 0, reserved = 0;
        ask(uint64_t{0x7777},
            [&](uint64_t* total) { return cuprum_system_device_memory_info(total, &free, &used, &reserved, 0); });
    }
    void events() {
        const auto untouched = reinterpret_cast<cuprum_system_events>(uintptr_t{0x77});
        const cuprum_system_events watched = ask(untouched, [](cuprum_system_events* out) {
            return cuprum_system_events_create(out, 0, CUPRUM_EVENT_XID_CRITICAL_ERROR);
        });
        EXPECT_EQ(cuprum_system_events_destroy(watched), CUPRUM_SUCCESS);
    }

    test::NvmlFaultPlan& plan_;
    int failures_ = 0;
};

TEST(SystemFaultsTest, EveryCallOfNvmlThatFailsIsReportedAndLeavesNothingBehind) {
    test::NvmlFaultPlan plan;
    uint64_t live_before = 0, live_after = 0;
    ASSERT_EQ(cuprum_live_handles(&live_before), CUPRUM_SUCCESS);
    Look(plan).at_all();  // NVML is started once in a process
    int call = 1;
    for (; call < 100; ++call) {
        plan.strike(call, NVML_ERROR_GPU_IS_LOST);
        Look look(plan);
        look.at_all();
        const std::string struck = plan.struck();
        plan.disarm();
        EXPECT_EQ(look.failures(), struck.empty() || struck == "nvmlEventSetFree" ? 0 : 1) << struck;
        EXPECT_EQ(plan.live(), 0) << struck;
        if (struck.empty()) break;
    }
    EXPECT_LT(call, 100) << "the look does not end";
    EXPECT_GT(call, 15) << "a look makes more calls than that";
    ASSERT_EQ(cuprum_live_handles(&live_after), CUPRUM_SUCCESS);
    EXPECT_EQ(live_after, live_before);
}

}  // namespace
}  // namespace cuprum::capi
