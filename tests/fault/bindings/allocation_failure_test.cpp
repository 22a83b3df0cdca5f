// The first call of a function while memory runs out: the Nth allocation fails, for every N until none is left to fail.
// Each time the call returns a status, nothing leaves by an exception, and the next call succeeds.
#include <gmock/gmock.h>

#include <vector>

#include "../../unit/bindings/environment.hpp"
#include "count_allocations.hpp"

namespace cuprum::bindings::test {
namespace {

using cuprum::test::fail_allocation;
using cuprum::test::fail_allocations_from;
using cuprum::test::has_an_allocation_failed;

class AllocationFailure : public Bindings, public testing::WithParamInterface<bool> {
protected:
    // Runs `call` with its Nth allocation failing, for N = 1, 2, ... until a run has no failure, and gives the statuses
    // of the runs that had one. Only the call itself runs short of memory, not what the test makes of it.
    template <class Prepare, class Call>
    std::vector<CUresult> fail_each_allocation(Prepare prepare, Call call) {
        std::vector<CUresult> results;
        for (;;) {
            prepare();
            const uint64_t next = results.size() + 1;
            GetParam() ? fail_allocations_from(next) : fail_allocation(next);
            const CUresult result = call();
            const bool has_failed = has_an_allocation_failed();
            fail_allocation(0);
            if (!has_failed) {
                return results;
            }
            results.push_back(result);

            use("driver_12");
            CUdeviceptr address = 0;
            EXPECT_EQ(driver::cuMemAlloc(&address, 5), CUDA_SUCCESS) << "after the failure in run " << results.size();
            EXPECT_EQ(address, 0xFFFFFFFF00000005ull);
        }
    }
};

TEST_P(AllocationFailure, WhileTheDriverIsFoundIsAStatus) {
    const std::vector<CUresult> results = fail_each_allocation([this] { use("driver_12"); },
                                                               [] {
                                                                   CUdeviceptr address = 0;
                                                                   return driver::cuMemAlloc(&address, 5);
                                                               });
    EXPECT_GT(results.size(), 10u) << "the first call allocates more than that, so the faults were not injected";
    EXPECT_THAT(results, testing::Each(
                             testing::AnyOf(CUDA_SUCCESS, CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, CUDA_ERROR_NOT_FOUND)));
}

TEST_P(AllocationFailure, WhileAMissingFunctionIsExplainedIsTheSameStatus) {
    const std::vector<CUresult> results = fail_each_allocation(
        [this] {
            use("driver_12");
            driver::cuInit(0);
        },
        [] {
            CUmemoryPool pool = nullptr;
            return driver::cuMemPoolCreate(&pool, nullptr);
        });
    EXPECT_GT(results.size(), 3u);
    EXPECT_THAT(results, testing::Each(CUDA_ERROR_NOT_FOUND));
}

INSTANTIATE_TEST_SUITE_P(Faults, AllocationFailure, testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "ForEver" : "Once"; });

}  // namespace
}  // namespace cuprum::bindings::test
