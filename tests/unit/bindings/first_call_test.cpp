// Many threads make the first call at once.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

#include "environment.hpp"

namespace cuprum::bindings::test {
namespace {

using FirstCall = Bindings;

template <class Body>
void on_threads_at_once(int count, Body body) {
    std::atomic<int> waiting{count};
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            waiting.fetch_sub(1);
            while (waiting.load() > 0) {
                std::this_thread::yield();
            }
            body(i);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST_F(FirstCall, IsRightInEveryThread) {
    for (int round = 0; round < 20; ++round) {
        use("driver_12");
        std::vector<CUresult> results(8, CUDA_ERROR_UNKNOWN);
        std::vector<CUdeviceptr> addresses(8);
        on_threads_at_once(8, [&](int i) { results[i] = driver::cuMemAlloc(&addresses[i], i); });
        for (int i = 0; i < 8; ++i) {
            EXPECT_EQ(results[i], CUDA_SUCCESS);
            EXPECT_EQ(addresses[i], 0xFFFFFFFF00000000ull + i);
        }
    }
}

TEST_F(FirstCall, FailsInEveryThreadWithAnExplanationOfItsOwn) {
    use("");
    std::vector<std::string> functions(8);
    on_threads_at_once(8, [&](int i) {
        int count = 0;
        EXPECT_EQ(i % 2 == 0 ? driver::cuInit(0) : driver::cuDeviceGetCount(&count),
                  CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
        functions[i] = take_resolution_failure()->function;
    });
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(functions[i], i % 2 == 0 ? "cuInit" : "cuDeviceGetCount");
    }
    EXPECT_FALSE(last_resolution_failure().has_value()) << "this thread has called nothing";
}

TEST_F(FirstCall, RacesWithAnOverrideWithoutUndoingIt) {
    for (int round = 0; round < 20; ++round) {
        use("driver_12");
        std::optional<TableOverride> replaced;
        on_threads_at_once(4, [&](int i) {
            CUdeviceptr address = 0;
            if (i == 0) {
                replaced.emplace(
                    driver::library(), "cuMemAlloc",
                    +[](CUdeviceptr*, size_t) -> CUresult { return CUDA_ERROR_OUT_OF_MEMORY; });
            } else {
                driver::cuMemAlloc(&address, 1);
            }
        });
        CUdeviceptr address = 0;
        EXPECT_EQ(driver::cuMemAlloc(&address, 1), CUDA_ERROR_OUT_OF_MEMORY);
    }
}

}  // namespace
}  // namespace cuprum::bindings::test
