// Lets every driver call of an action through the C ABI fail once.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "cuprum/cuprum.h"
#include "fault_plan.hpp"

namespace cuprum::capi {

inline void require(cuprum_status status) {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    ASSERT_EQ(status, CUPRUM_SUCCESS) << info.message;
}

// Each time the action says so, and what it had made is gone; then it succeeds, with the same result. `least`: more of
// its calls can fail than that. `named`: an expression that the errors match. `calls_to_settle`: what an action leaves
// for the next ones is there again after so many that succeed; 0 for an action that leaves nothing.
inline void expect_faults_reported(int least, const std::function<cuprum_status()>& action,
                                   const std::function<std::vector<int32_t>()>& result, const std::string& named,
                                   int calls_to_settle = 0) {
    for (int i = 0; i <= calls_to_settle; ++i)  // also what is made once only
        require(action());
    const std::vector<int32_t> expected = result();
    constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY};
    static test::FaultPlan plan;  // one for the process
    int call = 1, failures = 0;
    for (; call < 2000; ++call) {
        const CUresult code = codes[static_cast<size_t>(call) % codes.size()];
        const std::map<std::string, int> before = plan.live();
        plan.strike(call, code);
        const cuprum_status status = action();
        cuprum_error_info info{};
        info.struct_size = sizeof info;
        cuprum_error_last(&info);
        const std::string message = info.message;
        plan.disarm();
        if (plan.struck().empty()) break;
        SCOPED_TRACE("call " + std::to_string(call) + ", " + plan.struck());
        if (status != CUPRUM_SUCCESS) {  // what fails in cleaning up is reported elsewhere
            EXPECT_EQ(status, code == CUDA_ERROR_OUT_OF_MEMORY ? CUPRUM_ERROR_OUT_OF_MEMORY : CUPRUM_ERROR_DRIVER);
            EXPECT_EQ(info.code, code);
            EXPECT_TRUE(std::regex_search(message, std::regex(named))) << message;
            ++failures;
        }
        for (int i = 0; i < calls_to_settle; ++i)
            require(action());
        for (const auto& [create, live] : plan.live()) {
            const auto former = before.find(create);
            EXPECT_EQ(live, former == before.end() ? 0 : former->second) << create;
        }
        require(action());
        EXPECT_EQ(result(), expected);
    }
    EXPECT_LT(call, 2000) << "the action does not end";
    EXPECT_GT(failures, least) << "more of its calls can fail";
}

}  // namespace cuprum::capi
