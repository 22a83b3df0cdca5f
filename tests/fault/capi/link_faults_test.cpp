// Every call of nvJitLink in a link fails once. Each time one call of the C ABI says so, leaves its output alone, and
// succeeds when it is made again; no handle is left, neither Cuprum's nor nvJitLink's.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cuprum/cuprum.h"
#include "link_fault_plan.hpp"

namespace cuprum::capi {
namespace {

constexpr const char* sources[] = {
    "__device__ int scale(int x); extern \"C\" __global__ void apply(int* v) { *v = scale(*v); }",
    "__device__ int scale(int x) { return 3 * x; }",
};

cuprum_object_code compiled(const char* source) {
    static const char* const options[] = {"--gpu-architecture=compute_75", "--relocatable-device-code=true"};
    cuprum_program program = nullptr;
    cuprum_object_code code = nullptr;
    EXPECT_EQ(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "link.cu", options, 2), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_program_compile(&code, program, CUPRUM_CODE_PTX, nullptr, 0), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_program_destroy(program), CUPRUM_SUCCESS);
    return code;
}

// Whether a call was struck.
bool link_with_fault(test::LinkFaultPlan& plan, int call, const std::array<cuprum_object_code, 2>& inputs) {
    static const char* const options[] = {"-arch=sm_80"};
    const auto untouched = reinterpret_cast<cuprum_object_code>(uintptr_t{0x77});
    cuprum_linker linker = nullptr;
    EXPECT_EQ(cuprum_linker_create(&linker, "faulty", options, 1), CUPRUM_SUCCESS);
    for (const cuprum_object_code input : inputs)
        EXPECT_EQ(cuprum_linker_add(linker, input), CUPRUM_SUCCESS);
    plan.strike(call, NVJITLINK_ERROR_THREADPOOL);
    cuprum_object_code linked = untouched;
    const cuprum_status status = cuprum_linker_link(&linked, linker, CUPRUM_CODE_CUBIN);
    const std::string struck = plan.struck();
    plan.disarm();
    if (struck.empty() || test::fails_silently(struck)) {
        EXPECT_EQ(status, CUPRUM_SUCCESS) << struck;
    } else {
        EXPECT_EQ(status, CUPRUM_ERROR_NVJITLINK) << struck;
        EXPECT_EQ(linked, untouched) << "an output was written on failure";
        cuprum_error_info info = CUPRUM_ERROR_INFO_INIT;
        EXPECT_EQ(cuprum_error_last(&info), CUPRUM_SUCCESS);
        EXPECT_EQ(info.domain, CUPRUM_DOMAIN_NVJITLINK);
        EXPECT_EQ(info.code, NVJITLINK_ERROR_THREADPOOL);
        EXPECT_EQ(cuprum_linker_link(&linked, linker, CUPRUM_CODE_CUBIN), CUPRUM_SUCCESS) << "it failed again";
    }
    EXPECT_EQ(cuprum_object_code_destroy(linked), CUPRUM_SUCCESS);
    EXPECT_EQ(cuprum_linker_destroy(linker), CUPRUM_SUCCESS);
    EXPECT_EQ(plan.live(), 0) << "after " << struck;
    return !struck.empty();
}

TEST(LinkFaultsTest, EveryCallThatFailsIsReportedAndLeavesNothingBehind) {
    const std::array inputs{compiled(sources[0]), compiled(sources[1])};
    {
        test::LinkFaultPlan plan;
        int call = 1;
        while (call < 100 && link_with_fault(plan, call, inputs))
            ++call;
        EXPECT_LT(call, 100) << "the link does not end";
        EXPECT_GT(call, 8) << "a link makes more calls than that";
    }
    for (const cuprum_object_code input : inputs)
        EXPECT_EQ(cuprum_object_code_destroy(input), CUPRUM_SUCCESS);
    uint64_t live = 1;
    EXPECT_EQ(cuprum_live_handles(&live), CUPRUM_SUCCESS);
    EXPECT_EQ(live, 0U);
}

}  // namespace
}  // namespace cuprum::capi
