// Calls that are made to fail.
#include "cuprum/bindings/fault.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FaultInjectionTest : public Bindings {
protected:
    FaultInjectionTest() { use("driver_12"); }

    /// What so many calls of cuDeviceGetCount give.
    static std::vector<int> counts(int calls) {
        std::vector<int> results;
        for (int i = 0; i < calls; ++i) {
            int count = 0;
            results.push_back(driver::cuDeviceGetCount(&count));
        }
        return results;
    }
};

TEST_F(FaultInjectionTest, TheFirstCallFailsWithTheCodeAndIsNotMade) {
    const FaultInjection fault("cuDeviceGetCount=CUDA_ERROR_UNKNOWN");
    int count = 5;
    EXPECT_EQ(driver::cuDeviceGetCount(&count), CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(count, 5);
    EXPECT_EQ(driver::cuDeviceGetCount(&count), CUDA_SUCCESS);
    EXPECT_EQ(count, 7);
    EXPECT_EQ(fault.injected(), 1u);
}

TEST_F(FaultInjectionTest, TheNthCallFailsOnceOrForEver) {
    {
        const FaultInjection fault("cuDeviceGetCount:3=700");
        EXPECT_THAT(counts(5), ElementsAre(0, 0, 700, 0, 0));
    }
    const FaultInjection fault("cuDeviceGetCount:3+=700");
    EXPECT_THAT(counts(5), ElementsAre(0, 0, 700, 700, 700));
    EXPECT_EQ(fault.injected(), 3u);
}

TEST_F(FaultInjectionTest, EndsWithItsObject) {
    { const FaultInjection fault("cuDeviceGetCount:1+=2"); }
    EXPECT_THAT(counts(2), ElementsAre(0, 0));
}

TEST_F(FaultInjectionTest, AnyFunctionCountsForAStar) {
    const FaultInjection fault("*:3=CUDA_ERROR_UNKNOWN");
    int value = 0;
    EXPECT_EQ(driver::cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuDeviceGetCount(&value), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuDriverGetVersion(&value), CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(driver::cuDriverGetVersion(&value), CUDA_SUCCESS);
}

TEST_F(FaultInjectionTest, ANamesBeginningStandsForAllThatHaveIt) {
    const FaultInjection fault("cuD*:2=1");
    int value = 0;
    EXPECT_EQ(driver::cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuDeviceGetCount(&value), CUDA_SUCCESS);
    EXPECT_EQ(driver::cuDriverGetVersion(&value), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(FaultInjectionTest, ACodesNameMeansItsOwnLibrary) {
    const FaultInjection fault("*=NVRTC_ERROR_OUT_OF_MEMORY");
    EXPECT_THAT(counts(1), ElementsAre(0));
    int version = 0;
    EXPECT_EQ(nvrtc::nvrtcVersion(&version, &version), NVRTC_ERROR_OUT_OF_MEMORY);
}

TEST_F(FaultInjectionTest, OfSeveralTheFirstDecidesAndAllCount) {
    const FaultInjection first("cuDeviceGetCount:2=1");
    const FaultInjection second("cuDeviceGetCount:2+=2");
    EXPECT_THAT(counts(3), ElementsAre(0, 1, 2));
}

TEST_F(FaultInjectionTest, NeedsNoLibrary) {
    const EmptyMachine machine;
    use("");
    const FaultInjection fault("cuDeviceGetCount=2");
    EXPECT_THAT(counts(1), ElementsAre(2));
    EXPECT_FALSE(take_resolution_failure().has_value());
}

TEST_F(FaultInjectionTest, ManyThreadsCountTogether) {
    const FaultInjection fault("cuDeviceGetCount:51+=9");
    std::atomic<int> failed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&failed] {
            for (int result : counts(25)) {
                failed += result == 9 ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(failed, 50);
}

TEST_F(FaultInjectionTest, WhatIsNotUnderstoodIsRefusedAndNamed) {
    for (const char* item : {"cuInit", "cuInit:0=2", "cuInit:x=2", "cuInit:1++=2", "cuInit=NO_CODE", "cuNothing=2", "",
                             "nvrtcGetErrorString=2", "cuInit=NVRTC_ERROR_OUT_OF_MEMORY", "cuInit=2x"}) {
        try {
            const FaultInjection fault(item);
            FAIL() << item;
        } catch (const InvalidArgument& error) {
            EXPECT_THAT(error.what(), HasSubstr("'" + std::string(item) + "'"));
        }
    }
    EXPECT_THAT(counts(1), ElementsAre(0));
}

}  // namespace
}  // namespace cuprum::bindings::test
