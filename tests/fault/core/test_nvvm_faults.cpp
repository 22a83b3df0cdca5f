// Every call of libNVVM in a compile fails once. Each time: one error of the right kind, at the call that failed; the
// same compile then succeeds with the same program; no program of libNVVM's is left.
#include <gtest/gtest.h>

#include "../../conformance/core/nvvm_modules.hpp"

#include "cuprum/cuprum.hpp"
#include "nvvm_fault_plan.hpp"

namespace cuprum::core {
namespace {

// "end" if no call was struck, else "ok" or what is wrong.
std::string compile_with_fault(test::NvvmFaultPlan& plan, int call, const Program& program) {
    std::string problem;
    const auto expect = [&](bool condition, const std::string& text) {
        if (!condition && problem.empty()) problem = text;
    };
    int errors = 0;
    plan.strike(call, NVVM_ERROR_OUT_OF_MEMORY);
    ObjectCode code;
    for (int attempt = 0; attempt < 2 && !code.is_valid(); ++attempt) {
        try {
            code = program.compile(CodeType::ptx);
        } catch (const NvvmError& error) {
            ++errors;
            expect(error.code() == NVVM_ERROR_OUT_OF_MEMORY, error.what());
            expect(error.operation().find("compil") != std::string::npos || error.operation() == "adding libdevice",
                   "it does not say what was being done: " + error.operation());
        }
    }
    const std::string struck = plan.struck();
    plan.disarm();
    expect(code.is_valid() && code.code().find("apply") != std::string::npos, "the PTX lacks the kernel");
    expect(errors == (struck.empty() || struck == "nvvmDestroyProgram" ? 0 : 1),
           std::to_string(errors) + " errors after " + struck);
    expect(plan.live() == 0, std::to_string(plan.live()) + " programs are left");
    if (!problem.empty()) return struck + ": " + problem;
    return struck.empty() ? "end" : "ok";
}

TEST(NvvmFaults, OfEveryCallOfLibNvvmAreReportedAndLeaveNothingBehind) {
    const Program program(test::nvvm_apply("scale"), SourceType::nvvm,
                          {.arch = "compute_75",
                           .no_cache = true,
                           .extra_sources = {{"scale.ll", test::nvvm_scale("3.0")}},
                           .use_libdevice = true});
    test::NvvmFaultPlan plan;
    int call = 1;
    for (; call < 100; ++call) {
        const std::string outcome = compile_with_fault(plan, call, program);
        if (outcome == "end") break;
        EXPECT_EQ(outcome, "ok") << "call " << call;
    }
    EXPECT_LT(call, 100) << "the compile does not end";
    EXPECT_GT(call, 8) << "a compile makes more calls than that";
}

}  // namespace
}  // namespace cuprum::core
