// Every call of nvJitLink in a link fails once. Each time: one error of the right kind, at the call that failed; the
// same link then succeeds with the same linker; no handle of nvJitLink's is left.
#include <gtest/gtest.h>

#include "cuprum/cuprum.hpp"
#include "link_fault_plan.hpp"

namespace cuprum::core {
namespace {

constexpr const char* scale_source = R"(__device__ int scale(int x) { return 3 * x; })";
constexpr const char* apply_source = R"(
__device__ int scale(int x);
extern "C" __global__ void apply(int* values) { values[threadIdx.x] = scale(values[threadIdx.x]); }
)";

ObjectCode compiled(const char* source) {
    return Program(source, SourceType::cxx, {.arch = "compute_75", .relocatable_device_code = true})
        .compile(CodeType::ltoir);
}

// "end" if no call was struck, else "ok" or what is wrong.
std::string link_with_fault(test::LinkFaultPlan& plan, int call, const std::vector<ObjectCode>& inputs) {
    std::string problem;
    const auto expect = [&](bool condition, const std::string& text) {
        if (!condition && problem.empty()) problem = text;
    };
    std::string struck;
    {
        const Linker linker(inputs, {.arch = "sm_80"});
        int errors = 0;
        const auto link = [&](CodeType target) {
            for (int attempt = 0; attempt < 2; ++attempt) {
                try {
                    return linker.link(target);
                } catch (const NvJitLinkError& error) {
                    ++errors;
                    expect(error.code() == NVJITLINK_ERROR_THREADPOOL, error.what());
                    expect(error.operation().find("link") != std::string::npos, "it does not say what was being done");
                }
            }
            return linker.link(target);
        };
        plan.strike(call, NVJITLINK_ERROR_THREADPOOL);
        expect(link(CodeType::cubin).code().size() > 100, "the cubin is too short");
        expect(link(CodeType::ptx).code().find("apply") != std::string::npos, "the PTX lacks the kernel");
        struck = plan.struck();
        expect(errors == (struck.empty() || test::fails_silently(struck) ? 0 : 1),
               std::to_string(errors) + " errors after " + struck);
        plan.disarm();
    }
    // Core has given it up, whatever nvJitLink says.
    expect(plan.live() == 0, std::to_string(plan.live()) + " handles are left");
    if (!problem.empty()) return struck + ": " + problem;
    return struck.empty() ? "end" : "ok";
}

TEST(LinkFaults, OfEveryCallOfNvJitLinkAreReportedAndLeaveNothingBehind) {
    const std::vector<ObjectCode> inputs{compiled(apply_source), compiled(scale_source)};
    test::LinkFaultPlan plan;
    int call = 1;
    for (; call < 100; ++call) {
        const std::string outcome = link_with_fault(plan, call, inputs);
        if (outcome == "end") break;
        EXPECT_EQ(outcome, "ok") << "call " << call;
    }
    EXPECT_LT(call, 100) << "the link does not end";
    EXPECT_GT(call, 15) << "two links make more calls than that";
}

}  // namespace
}  // namespace cuprum::core
