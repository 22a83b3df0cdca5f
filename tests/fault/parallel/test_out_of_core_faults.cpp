// Every driver call of an algorithm over host memory fails once, with pieces in flight. Each time: one error, or, of a
// clean-up, a report; the device's memory, page-locked memory, streams and events are gone; the same call then
// succeeds.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "cuprum/parallel/parallel.hpp"
#include "fault_loop.hpp"

namespace cuprum::parallel {
namespace {

class OutOfCoreFaults : public testing::Test {
protected:
    static constexpr uint64_t limit = 16384;  // bytes; three pieces or more

    void SetUp() override {
        for (size_t i = 0; i < keys.size(); ++i)
            keys[i] = static_cast<int32_t>(i * 7919 % 1000);
        std::iota(values.begin(), values.end(), -100);
    }

    void expect_faults_reported(int least, const std::function<void()>& action) {
        test::expect_faults_reported(
            least,
            [&] {
                std::fill(keys_out.begin(), keys_out.end(), 0);
                std::fill(values_out.begin(), values_out.end(), 0);
                action();
            },
            [this] { return std::pair(keys_out, values_out); }, [](const std::string& /*error*/) {});
        EXPECT_NE(values_out, std::vector<int32_t>(values_out.size()));
    }

    out_of_core::DeviceMemory memory{core::Device(0), limit};
    const Type type = Type::of<int32_t>();
    std::vector<int32_t> keys = std::vector<int32_t>(3500), values = keys, keys_out = keys, values_out = keys;
};

TEST_F(OutOfCoreFaults, OfAReductionAreReported) {
    const out_of_core::Reduce sum({core::Device(0), 4096}, type, OpKind::plus, type);
    expect_faults_reported(30, [&] { sum(host_input(keys), host_output(values_out), 1); });
}

TEST_F(OutOfCoreFaults, OfAScanAreReported) {
    const out_of_core::Scan scan(ScanKind::exclusive, memory, type, OpKind::plus, type);
    expect_faults_reported(40, [&] { scan(host_input(keys), host_output(values_out), 1); });
}

TEST_F(OutOfCoreFaults, OfAHistogramAreReported) {
    const out_of_core::HistogramEven histogram({core::Device(0), 4096}, type, type, type);
    expect_faults_reported(30, [&] { histogram(host_input(keys), host_output(values_out), 100, 0, 1000); });
}

TEST_F(OutOfCoreFaults, OfASortAreReported) {
    const out_of_core::RadixSort sort(SortOrder::descending, {core::Device(0), 8192}, type, type);
    constexpr uint64_t count = 1000;
    const HostInput keys_in{type, keys.data(), count}, values_in{type, values.data(), count};
    const HostOutput sorted{type, keys_out.data(), count}, moved{type, values_out.data(), count};
    expect_faults_reported(100, [&] { sort(keys_in, sorted, values_in, moved); });
}

TEST_F(OutOfCoreFaults, OfAReductionByKeyAreReported) {
    const out_of_core::ReduceByKey sum({core::Device(0), 4 * limit}, type, type, OpKind::plus, type);
    expect_faults_reported(
        100, [&] { sum(host_input(keys), host_input(values), host_output(keys_out), host_output(values_out)); });
}

// Of two devices, each with a thread: the other one stops, and all is as above.
class OutOfCoreFaultsOfTwo : public OutOfCoreFaults {
protected:
    static std::vector<out_of_core::DeviceMemory> two(uint64_t bytes) {
        return {{core::Device(1), bytes}, {core::Device(0), bytes}};
    }
};

TEST_F(OutOfCoreFaultsOfTwo, OfAReductionAreReported) {
    const out_of_core::Reduce sum(two(4096), type, OpKind::plus, type);
    expect_faults_reported(60, [&] { sum(host_input(keys), host_output(values_out), 1); });
}

TEST_F(OutOfCoreFaultsOfTwo, OfAScanAreReported) {
    const out_of_core::Scan scan(ScanKind::exclusive, two(limit), type, OpKind::plus, type);
    expect_faults_reported(80, [&] { scan(host_input(keys), host_output(values_out), 1); });
}

TEST_F(OutOfCoreFaultsOfTwo, OfAHistogramAreReported) {
    const out_of_core::HistogramEven histogram(two(4096), type, type, type);
    expect_faults_reported(60, [&] { histogram(host_input(keys), host_output(values_out), 100, 0, 1000); });
}

TEST_F(OutOfCoreFaultsOfTwo, OfASortAreReported) {
    const out_of_core::RadixSort sort(SortOrder::descending, two(8192), type);
    constexpr uint64_t count = 1000;
    const HostInput keys_in{type, keys.data(), count};
    const HostOutput sorted{type, values_out.data(), count};
    expect_faults_reported(100, [&] { sort(keys_in, sorted); });
}

TEST_F(OutOfCoreFaultsOfTwo, OfAReductionByKeyAreReported) {
    const out_of_core::ReduceByKey sum(two(4 * limit), type, type, OpKind::plus, type);
    expect_faults_reported(
        100, [&] { sum(host_input(keys), host_input(values), host_output(keys_out), host_output(values_out)); });
}

}  // namespace
}  // namespace cuprum::parallel
