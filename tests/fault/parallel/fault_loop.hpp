// Every driver call of an action fails once.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <string>

#include "cuprum/cuprum.hpp"
#include "fault_plan.hpp"

namespace cuprum::test {

// Errors without an exception; no other thread uses this process.
inline int reports_of_cleanup = 0;
inline void count_report(const Error& /*error*/) noexcept {
    ++reports_of_cleanup;
}

// There is one for the process.
inline FaultPlan& fault_plan() {
    static FaultPlan plan;
    return plan;
}

// Lets each driver call of the action fail, until none does. Each time: one error, which `check_error` looks at, or, of
// a clean-up, a report; what the action has made is gone; the same action then succeeds. `result`: what it has to be
// afterwards. `least`: it makes more calls than that.
template <class Result>
void expect_faults_reported(int least, const std::function<void()>& action, const Result& result,
                            const std::function<void(const std::string& error)>& check_error) {
    core::set_cleanup_error_handler(count_report);
    action();  // what is made once only
    const auto expected = result();
    constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY};
    FaultPlan& plan = fault_plan();
    int call = 1;
    for (; call < 2000; ++call) {
        reports_of_cleanup = 0;
        const std::map<std::string, int> before = plan.live();
        plan.strike(call, codes[static_cast<size_t>(call) % codes.size()]);
        std::string error;
        try {
            action();
        } catch (const Error& thrown) {
            error = thrown.what();
            EXPECT_EQ(thrown.code(), codes[static_cast<size_t>(call) % codes.size()]) << error;
        }
        plan.disarm();
        if (plan.struck().empty()) break;
        SCOPED_TRACE("call " + std::to_string(call) + ", " + plan.struck());
        if (error.empty()) {
            // Whose memory it is need not be known: what is not refused is tried.
            const bool only_checks = plan.struck() == "cuPointerGetAttributes" || plan.struck() == "cuMemPoolGetAccess";
            EXPECT_EQ(reports_of_cleanup, only_checks ? 0 : 1);
            EXPECT_EQ(result(), expected);
        } else {
            check_error(error);
            EXPECT_EQ(reports_of_cleanup, 0);
        }
        for (const auto& [create, live] : plan.live()) {
            const auto former = before.find(create);
            EXPECT_EQ(live, former == before.end() ? 0 : former->second) << create;
        }
        action();
        EXPECT_EQ(result(), expected);
    }
    EXPECT_LT(call, 2000) << "the action does not end";
    EXPECT_GT(call, least) << "the action makes more calls than that";
    core::set_cleanup_error_handler(nullptr);
}

}  // namespace cuprum::test
