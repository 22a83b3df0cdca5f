// The first call of a function while memory runs out: the Nth allocation fails, for every N until none is left to fail.
// Each time the call returns a status, nothing leaves by an exception, and the next call succeeds.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "../../unit/bindings/environment.hpp"

namespace {

// Counts down to the allocation of this thread that fails; negative: none does.
thread_local int allocations_until_failure = -1;
thread_local bool fails_for_ever = false;
thread_local int failures = 0;

void* allocate(std::size_t size) {
    if (allocations_until_failure == 0) {
        ++failures;
        if (!fails_for_ever) {
            allocations_until_failure = -1;
        }
        throw std::bad_alloc();
    }
    if (allocations_until_failure > 0) {
        --allocations_until_failure;
    }
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace cuprum::bindings::test {
namespace {

class AllocationFailure : public Bindings, public testing::WithParamInterface<bool> {
protected:
    // Runs `call` with its Nth allocation failing, for N = 0, 1, ... until a run has no failure, and gives the statuses
    // of the runs that had one. Only the call itself runs short of memory, not what the test makes of it.
    template <class Prepare, class Call>
    std::vector<CUresult> fail_each_allocation(Prepare prepare, Call call) {
        std::vector<CUresult> results;
        for (;;) {
            prepare();
            failures = 0;
            fails_for_ever = GetParam();
            allocations_until_failure = static_cast<int>(results.size());
            const CUresult result = call();
            allocations_until_failure = -1;
            if (failures == 0) {
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
