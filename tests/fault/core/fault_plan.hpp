// Lets the n-th call of the driver fail, whichever it is, and counts what is created and destroyed.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuprum/bindings/driver.hpp"

namespace cuprum::test {

// Stands between core and the driver for every function of the driver's list. One per process. While an action runs,
// its threads call what is below `instance`; all else is for one thread, before and afterwards.
class FaultPlan {
public:
    // Puts itself before every function that the driver has.
    FaultPlan();
    FaultPlan(const FaultPlan&) = delete;
    FaultPlan& operator=(const FaultPlan&) = delete;

    // The `call`-th call from now on (counted from 1) does not reach the driver, and gives `result`.
    void strike(int call, CUresult result);
    // No more failures.
    void disarm() { strike_at_ = 0; }

    // The function whose call was made to fail; empty if none was yet.
    const std::string& struck() const { return struck_; }
    // Creations that succeeded less destructions that were tried, by the name of the creating function. What is left
    // of an entry at the end has leaked.
    const std::map<std::string, int>& live() const { return live_; }

    static FaultPlan& instance();
    bool is_struck(const char* function);
    CUresult result() const { return result_; }
    void account(const char* function, CUresult result);

private:
    std::mutex mutex_;
    int strike_at_ = 0;
    int calls_ = 0;
    CUresult result_ = CUDA_SUCCESS;
    std::string struck_;
    std::map<std::string, int> live_;
    std::vector<bindings::TableOverride> overrides_;
};

}  // namespace cuprum::test
