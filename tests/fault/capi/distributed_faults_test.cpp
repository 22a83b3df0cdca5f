// Every driver call of an algorithm over three devices fails once, through the C ABI. Each time one function says so,
// naming the rank and the device, and leaves its outputs alone; the same call then succeeds, and no handle is left.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "fault_loop.hpp"

namespace cuprum::capi {
namespace {

constexpr uint64_t count = 500;  // elements of each rank
constexpr std::array<int32_t, 3> devices{2, 0, 1};

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

    // `named`: what the errors name.
    void expect_faults_reported(int least, const std::function<cuprum_status()>& action,
                                const char* named = "rank [0-2] \\(device [0-2]\\)") const {
        capi::expect_faults_reported(least, action, [this] { return result(); }, named);
    }

    cuprum_parallel_operator plus = nullptr;
    cuprum_communicator communicator = nullptr;
    cuprum_distributed_algorithm algorithm = nullptr;
    std::vector<cuprum_shard> inputs, outputs;

private:
    uint64_t handles_before_ = 0;
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
    expect_faults_reported(40, [&] {
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

// A ring: each rank's input is the next rank's output.
cuprum_status exchange(cuprum_communicator communicator, const std::vector<cuprum_shard>& inputs,
                       const std::vector<cuprum_shard>& outputs) {
    std::array<cuprum_message, 3> messages{};
    for (uint64_t rank = 0; rank < 3; ++rank)
        messages[rank] = {rank, (rank + 1) % 3, inputs[rank].memory, 0, outputs[(rank + 1) % 3].memory, 0, 4 * count};
    const cuprum_status status = cuprum_communicator_exchange(communicator, messages.data(), 3);
    return status == CUPRUM_SUCCESS ? cuprum_communicator_sync(communicator) : status;
}

TEST_F(DistributedFaultsTest, OfAnExchangeNameTheRank) {
    expect_faults_reported(15, [&] { return exchange(communicator, inputs, outputs); });
}

TEST_F(DistributedFaultsTest, OfASortOverNcclNameTheRank) {
    cuprum_communicator over_nccl = nullptr;
    require(cuprum_communicator_create_nccl(&over_nccl, devices.data(), sizeof devices, 60000));
    require(cuprum_distributed_radix_sort_build(&algorithm, over_nccl, CUPRUM_SORT_ASCENDING, "int32", nullptr));
    expect_faults_reported(40, [&] {
        return cuprum_distributed_radix_sort(algorithm, inputs.data(), 3, outputs.data(), 3, nullptr, 0, nullptr, 0);
    });
    require(cuprum_communicator_destroy(over_nccl));
}

TEST_F(DistributedFaultsTest, OfMakingACommunicatorOverNcclGiveNone) {
    const auto untouched = reinterpret_cast<cuprum_communicator>(uintptr_t{0x77});
    expect_faults_reported(
        5,
        [&] {
            cuprum_communicator made = untouched;
            const cuprum_status status = cuprum_communicator_create_nccl(&made, devices.data(), sizeof devices, 60000);
            EXPECT_EQ(made == untouched, status != CUPRUM_SUCCESS);
            return status == CUPRUM_SUCCESS ? cuprum_communicator_destroy(made) : status;
        },
        "device [0-2]");
}

TEST_F(DistributedFaultsTest, OfMakingACommunicatorOfAProcessGiveNone) {
    const auto untouched = reinterpret_cast<cuprum_communicator>(uintptr_t{0x77});
    const auto broadcast = [](void* calls, void*, uint64_t) -> cuprum_status {
        ++*static_cast<int*>(calls);
        return CUPRUM_SUCCESS;
    };
    expect_faults_reported(
        1,
        [&] {
            cuprum_communicator made = untouched;
            int calls = 0;
            const cuprum_status status = cuprum_communicator_create_process(&made, 1, 0, 1, broadcast, &calls, 60000);
            EXPECT_LE(calls, 1);
            EXPECT_EQ(made == untouched, status != CUPRUM_SUCCESS);
            return status == CUPRUM_SUCCESS ? cuprum_communicator_destroy(made) : status;
        },
        "device [0-2]");
}

}  // namespace
}  // namespace cuprum::capi
