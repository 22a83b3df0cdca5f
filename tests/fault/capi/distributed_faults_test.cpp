// Every driver call of an algorithm over three devices fails once, through the C ABI. Each time one function says so,
// naming the rank and the device, and leaves its outputs alone; the same call then succeeds, and no handle is left.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "cuprum/cuprum.h"
#include "fault_plan.hpp"

namespace cuprum::capi {
namespace {

constexpr uint64_t count = 500;  // elements of each rank
constexpr std::array<int32_t, 3> devices{2, 0, 1};

void require(cuprum_status status) {
    cuprum_error_info info{};
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    ASSERT_EQ(status, CUPRUM_SUCCESS) << info.message;
}

class DistributedFaultsTest : public testing::Test {
protected:
    void SetUp() override {
        int32_t there = 0;
        require(cuprum_device_count(&there));
        if (there < 3) GTEST_SKIP() << "there are fewer than three devices";
        require(cuprum_live_handles(&handles_before_));
        require(cuprum_parallel_operator_create(&plus, "plus", nullptr, nullptr, 0));
        require(cuprum_communicator_create(&communicator, devices.data(), sizeof devices));
        std::vector<int32_t> elements(count);
        for (size_t i = 0; i < count; ++i)
            elements[i] = static_cast<int32_t>(i * 7919 % 101) - 50;
        for (const int32_t device : devices) {
            for (auto* const shards : {&inputs, &outputs}) {
                cuprum_buffer memory = nullptr;
                require(cuprum_buffer_allocate(&memory, device, count * sizeof(int32_t), nullptr));
                require(cuprum_buffer_copy_from_host(memory, 0, elements.data(), count * sizeof(int32_t), nullptr));
                shards->push_back({"int32", memory, count});
            }
        }
    }
    void TearDown() override {
        if (communicator == nullptr) return;
        for (const auto* const shards : {&inputs, &outputs}) {
            for (const cuprum_shard& shard : *shards)
                require(cuprum_buffer_destroy(shard.memory));
        }
        require(cuprum_distributed_algorithm_destroy(algorithm));
        require(cuprum_communicator_destroy(communicator));
        require(cuprum_parallel_operator_destroy(plus));
        uint64_t left = 0;
        require(cuprum_live_handles(&left));
        EXPECT_EQ(left, handles_before_);
    }

    std::vector<int32_t> result() const {
        std::vector<int32_t> all;
        for (const cuprum_shard& shard : outputs) {
            std::vector<int32_t> elements(count);
            require(cuprum_buffer_copy_to_host(elements.data(), shard.memory, 0, count * sizeof(int32_t), nullptr));
            all.insert(all.end(), elements.begin(), elements.end());
        }
        return all;
    }

    // Lets each driver call of the action fail, until none does. `least`: it makes more calls than that.
    void expect_faults_reported(int least, const std::function<cuprum_status()>& action) {
        require(action());  // what is made once only
        const std::vector<int32_t> expected = result();
        constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY};
        static test::FaultPlan plan;  // one for the process
        int call = 1;
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
                EXPECT_TRUE(std::regex_search(message, std::regex("rank [0-2] \\(device [0-2]\\)"))) << message;
                ++failures_;
            }
            for (const auto& [create, live] : plan.live()) {
                const auto former = before.find(create);
                EXPECT_EQ(live, former == before.end() ? 0 : former->second) << create;
            }
            require(action());
            EXPECT_EQ(result(), expected);
        }
        EXPECT_LT(call, 2000) << "the action does not end";
        EXPECT_GT(failures_, least) << "more of its calls can fail";
    }

    cuprum_parallel_operator plus = nullptr;
    cuprum_communicator communicator = nullptr;
    cuprum_distributed_algorithm algorithm = nullptr;
    std::vector<cuprum_shard> inputs, outputs;

private:
    uint64_t handles_before_ = 0;
    int failures_ = 0;
};

TEST_F(DistributedFaultsTest, OfAReductionNameTheRank) {
    require(cuprum_distributed_reduce_build(&algorithm, communicator, "int32", plus, "int32"));
    const int32_t init = 1;
    expect_faults_reported(20, [&] {
        return cuprum_distributed_reduce(algorithm, inputs.data(), 3, outputs.data(), 3, &init, sizeof init);
    });
}

TEST_F(DistributedFaultsTest, OfASortNameTheRank) {
    require(cuprum_distributed_radix_sort_build(&algorithm, communicator, CUPRUM_SORT_ASCENDING, "int32", nullptr));
    expect_faults_reported(60, [&] {
        return cuprum_distributed_radix_sort(algorithm, inputs.data(), 3, outputs.data(), 3, nullptr, 0, nullptr, 0);
    });
}

TEST_F(DistributedFaultsTest, OfAReductionByKeyNameTheRankAndGiveNothing) {
    require(cuprum_distributed_reduce_by_key_build(&algorithm, communicator, "int32", "int32", plus, "int32"));
    const auto untouched = reinterpret_cast<cuprum_reduced_shards>(uintptr_t{0x77});
    expect_faults_reported(60, [&] {
        cuprum_reduced_shards reduced = untouched;
        const cuprum_status status =
            cuprum_distributed_reduce_by_key(&reduced, algorithm, inputs.data(), 3, inputs.data(), 3);
        EXPECT_EQ(reduced == untouched, status != CUPRUM_SUCCESS);
        return status == CUPRUM_SUCCESS ? cuprum_reduced_shards_destroy(reduced) : status;
    });
}

}  // namespace
}  // namespace cuprum::capi
