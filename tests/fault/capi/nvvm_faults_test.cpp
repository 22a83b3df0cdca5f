// Every call of libNVVM in a compile fails once. Each time one call of the C ABI says so, leaves its output alone, and
// succeeds when it is made again; nothing is left, neither Cuprum's nor libNVVM's.
#include <gtest/gtest.h>

#include <string>

#include "../../conformance/core/nvvm_modules.hpp"

#include "cuprum/cuprum.h"
#include "nvvm_fault_plan.hpp"

namespace cuprum::capi {
namespace {

// Whether a call was struck.
bool compile_with_fault(test::NvvmFaultPlan& plan, int call, cuprum_program program) {
    const auto untouched = reinterpret_cast<cuprum_object_code>(uintptr_t{0x77});
    plan.strike(call, NVVM_ERROR_OUT_OF_MEMORY);
    cuprum_object_code code = untouched;
    const cuprum_status status = cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, nullptr, 0);
    const std::string struck = plan.struck();
    plan.disarm();
    if (struck.empty() || struck == "nvvmDestroyProgram") {
        EXPECT_EQ(status, CUPRUM_SUCCESS) << struck;
    } else {
        EXPECT_EQ(status, CUPRUM_ERROR_NVVM) << struck;
        EXPECT_EQ(code, untouched) << "an output was written on failure";
        cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
        EXPECT_EQ(cuprum_error_last(&info), CUPRUM_SUCCESS);
        EXPECT_EQ(info.domain, CUPRUM_DOMAIN_NVVM);
        EXPECT_EQ(info.code, NVVM_ERROR_OUT_OF_MEMORY);
        EXPECT_EQ(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, nullptr, 0), CUPRUM_SUCCESS)
            << "it failed again";
    }
    EXPECT_EQ(cuprum_object_code_destroy(code), CUPRUM_SUCCESS);
    EXPECT_EQ(plan.live(), 0) << "after " << struck;
    return !struck.empty();
}

TEST(NvvmFaultsTest, EveryCallThatFailsIsReportedAndLeavesNothingBehind) {
    static const char* const options[] = {"-arch=compute_75", "--no-cache", "--use-libdevice"};
    const std::string apply = test::nvvm_apply("scale");
    const std::string scale = test::nvvm_scale("3.0");
    cuprum_program program = nullptr;
    ASSERT_EQ(cuprum_program_create_nvvm(&program, apply.data(), apply.size(), "apply.ll", options, 3), CUPRUM_SUCCESS);
    ASSERT_EQ(cuprum_program_add_module(program, scale.data(), scale.size(), "scale.ll"), CUPRUM_SUCCESS);
    {
        test::NvvmFaultPlan plan;
        int call = 1;
        while (call < 100 && compile_with_fault(plan, call, program))
            ++call;
        EXPECT_LT(call, 100) << "the compile does not end";
        EXPECT_GT(call, 8) << "a compile makes more calls than that";
    }
    EXPECT_EQ(cuprum_program_destroy(program), CUPRUM_SUCCESS);
    uint64_t live = 1;
    EXPECT_EQ(cuprum_live_handles(&live), CUPRUM_SUCCESS);
    EXPECT_EQ(live, 0U);
}

}  // namespace
}  // namespace cuprum::capi
