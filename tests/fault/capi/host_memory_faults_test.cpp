// Every driver call of an algorithm over host memory fails once, through the C ABI: over arrays that are larger than
// the device's memory may be, and over arrays in one call. Each time one error says so, and the device's memory,
// page-locked memory, streams and events are gone; the same call then succeeds, and no handle is left.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <vector>

#include "fault_loop.hpp"

namespace cuprum::capi {
namespace {

class HostMemoryFaultsTest : public testing::Test {
protected:
    static constexpr uint64_t size = 3500 * sizeof(int32_t);

    void SetUp() override {
        require(cuprum_live_handles(&handles_before_));
        require(cuprum_parallel_operator_create(&plus, "plus", nullptr, nullptr, 0));
        for (size_t i = 0; i < keys.size(); ++i)
            keys[i] = static_cast<int32_t>(i * 7919 % 1000);
        std::iota(values.begin(), values.end(), -100);
    }
    void TearDown() override {
        require(cuprum_out_of_core_algorithm_destroy(algorithm));
        require(cuprum_parallel_operator_destroy(plus));
        uint64_t left = 0;
        require(cuprum_live_handles(&left));
        EXPECT_EQ(left, handles_before_);
    }

    // Calls over arrays keep a stream and memory for the next ones (docs/parallel.md).
    static constexpr int calls_to_settle = 3;

    void expect_faults_reported(int least, const std::function<cuprum_status()>& action, int settling = 0) {
        capi::expect_faults_reported(
            least,
            [&] {
                keys_target.assign(keys.size(), 0);
                values_target.assign(keys.size(), 0);
                return action();
            },
            [this] {
                std::vector<int32_t> both = keys_target;
                both.insert(both.end(), values_target.begin(), values_target.end());
                return both;
            },
            "", settling);
        EXPECT_NE(values_target, std::vector<int32_t>(keys.size()));
    }

    // Of device 0.
    const cuprum_device_memory* memory_of(uint64_t limit) {
        memory_ = {0, limit, nullptr};
        return &memory_;
    }
    static constexpr uint64_t memory_size = sizeof(cuprum_device_memory);

    cuprum_parallel_operator plus = nullptr;
    cuprum_out_of_core_algorithm algorithm = nullptr;
    const int32_t init = 1;
    std::vector<int32_t> keys = std::vector<int32_t>(3500), values = keys, keys_target = keys, values_target = keys;

private:
    cuprum_device_memory memory_{};
    uint64_t handles_before_ = 0;
};

TEST_F(HostMemoryFaultsTest, OfAReductionAreReported) {
    require(cuprum_out_of_core_reduce_build(&algorithm, memory_of(4096), memory_size, "int32", plus, "int32"));
    expect_faults_reported(
        30, [&] { return cuprum_out_of_core_reduce(algorithm, keys.data(), size, values_target.data(), 4, &init, 4); });
}

TEST_F(HostMemoryFaultsTest, OfAScanAreReported) {
    require(cuprum_out_of_core_scan_build(&algorithm, memory_of(16384), memory_size, CUPRUM_SCAN_EXCLUSIVE, "int32",
                                          plus, "int32"));
    expect_faults_reported(40, [&] {
        return cuprum_out_of_core_scan(algorithm, keys.data(), size, values_target.data(), size, &init, 4);
    });
}

TEST_F(HostMemoryFaultsTest, OfAHistogramAreReported) {
    require(
        cuprum_out_of_core_histogram_even_build(&algorithm, memory_of(4096), memory_size, "int32", "int32", "int32"));
    const int32_t lower = 0, upper = 1000;
    constexpr uint64_t bins = 100;
    expect_faults_reported(30, [&] {
        return cuprum_out_of_core_histogram_even(algorithm, keys.data(), size, values_target.data(),
                                                 bins * sizeof(int32_t), bins, &lower, 4, &upper, 4);
    });
}

TEST_F(HostMemoryFaultsTest, OfASortAreReported) {
    require(cuprum_out_of_core_radix_sort_build(&algorithm, memory_of(8192), memory_size, CUPRUM_SORT_DESCENDING,
                                                "int32", "int32"));
    constexpr uint64_t few = 1000 * sizeof(int32_t);
    expect_faults_reported(100, [&] {
        return cuprum_out_of_core_radix_sort(algorithm, keys.data(), few, keys_target.data(), few, nullptr, 0,
                                             values.data(), few, values_target.data(), few, nullptr, 0);
    });
}

TEST_F(HostMemoryFaultsTest, OfAReductionByKeyAreReportedAndCountNothing) {
    require(cuprum_out_of_core_reduce_by_key_build(&algorithm, memory_of(65536), memory_size, "int32", "int32", plus,
                                                   "int32"));
    expect_faults_reported(80, [&] {
        uint64_t found = 77;
        const cuprum_status status =
            cuprum_out_of_core_reduce_by_key(&found, algorithm, keys.data(), size, values.data(), size,
                                             keys_target.data(), size, values_target.data(), size);
        EXPECT_EQ(found, status == CUPRUM_SUCCESS ? 1000 : 77);
        return status;
    });
}

TEST_F(HostMemoryFaultsTest, OfATransformationInOneCallAreReported) {
    cuprum_parallel_operator fused = nullptr;
    require(cuprum_parallel_operator_create(&fused, "a * b + c", nullptr, nullptr, 0));
    const std::array<cuprum_host_input, 3> inputs{
        {{"int32", keys.data(), size}, {"int32", values.data(), size}, {"int32", keys.data(), size}}};
    expect_faults_reported(
        5,
        [&] {
            return cuprum_parallel_transform_array_nary(values_target.data(), size, nullptr, "int32", inputs.data(), 3,
                                                        fused);
        },
        calls_to_settle);
    require(cuprum_parallel_operator_destroy(fused));
}

TEST_F(HostMemoryFaultsTest, OfAPartitionInOneCallAreReportedAndCountNothing) {
    cuprum_parallel_operator is_low = nullptr, is_even = nullptr;
    require(cuprum_parallel_operator_create(&is_low, "a < 300", nullptr, nullptr, 0));
    require(cuprum_parallel_operator_create(&is_even, "a % 2 == 0", nullptr, nullptr, 0));
    const auto low = static_cast<uint64_t>(std::ranges::count_if(keys, [](int32_t key) { return key < 300; }));
    const auto even =
        static_cast<uint64_t>(std::ranges::count_if(keys, [](int32_t key) { return key >= 300 && key % 2 == 0; }));
    expect_faults_reported(
        5,
        [&] {
            uint64_t first = 77, second = 77;
            values_target = keys;
            const cuprum_status status = cuprum_parallel_three_way_partition_array(
                &first, &second, nullptr, "int32", values_target.data(), size, is_low, is_even);
            EXPECT_EQ(first, status == CUPRUM_SUCCESS ? low : 77);
            EXPECT_EQ(second, status == CUPRUM_SUCCESS ? even : 77);
            return status;
        },
        calls_to_settle);
    require(cuprum_parallel_operator_destroy(is_low));
    require(cuprum_parallel_operator_destroy(is_even));
}

}  // namespace
}  // namespace cuprum::capi
