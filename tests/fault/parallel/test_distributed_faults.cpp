// Every driver call of an algorithm over three devices fails once. Each time: one error, which names the rank and the
// device, or, of a clean-up, a report; the temporary memory of all ranks is freed; the same call then succeeds.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"
#include "fault_plan.hpp"

namespace cuprum::parallel {
namespace {

using distributed::Communicator;
using distributed::Shard;

constexpr uint64_t count = 700;  // elements of each rank

// Errors without an exception; no other thread uses this process.
int reports_of_cleanup = 0;
void count_report(const Error&) noexcept {
    ++reports_of_cleanup;
}

class DistributedFaults : public testing::Test {
protected:
    void SetUp() override {
        if (core::Device::count() < 3) GTEST_SKIP() << "there are fewer than three devices";
        core::set_cleanup_error_handler(count_report);
        std::vector<int32_t> elements(count);
        std::iota(elements.begin(), elements.end(), -100);
        for (size_t rank = 0; rank < communicator.size(); ++rank) {
            for (auto* const memory : {&input, &output})
                memory->push_back(communicator.device(rank).allocate(count * sizeof(int32_t)));
            input.back().copy_from_host(elements);
            inputs.push_back(Shard::of<int32_t>(input.back()));
            outputs.push_back(Shard::of<int32_t>(output.back()));
        }
    }
    void TearDown() override { core::set_cleanup_error_handler(nullptr); }

    std::vector<int32_t> result() const {
        std::vector<int32_t> all;
        for (const core::Buffer& memory : output) {
            std::vector<int32_t> shard(count);
            memory.copy_to_host(shard);
            all.insert(all.end(), shard.begin(), shard.end());
        }
        return all;
    }

    // Lets each driver call of the action fail, until none does. `least`: it makes more calls than that.
    void expect_faults_reported(int least, const std::function<void()>& action) {
        action();  // what is made once only
        const std::vector<int32_t> expected = result();
        constexpr std::array codes{CUDA_ERROR_UNKNOWN, CUDA_ERROR_OUT_OF_MEMORY};
        static test::FaultPlan plan;  // one for the process
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
                const bool only_checks =
                    plan.struck() == "cuPointerGetAttributes" || plan.struck() == "cuMemPoolGetAccess";
                EXPECT_EQ(reports_of_cleanup, only_checks ? 0 : 1);
                EXPECT_EQ(result(), expected);
            } else {
                EXPECT_TRUE(std::regex_search(error, std::regex("rank [0-2] \\(device [0-2]\\)"))) << error;
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
    }

    Communicator communicator{{core::Device(2), core::Device(0), core::Device(1)}};
    std::vector<core::Buffer> input, output;
    std::vector<Shard> inputs, outputs;
    const Type type = Type::of<int32_t>();
};

TEST_F(DistributedFaults, OfAReductionNameTheRank) {
    const distributed::Reduce sum(communicator, type, OpKind::plus, type);
    expect_faults_reported(20, [&] { sum(inputs, outputs, 1); });
}

TEST_F(DistributedFaults, OfAScanNameTheRank) {
    const distributed::Scan scan(ScanKind::inclusive, communicator, type, OpKind::plus, type);
    expect_faults_reported(20, [&] { scan(inputs, outputs); });
}

TEST_F(DistributedFaults, OfASortNameTheRank) {
    const distributed::RadixSort sort(SortOrder::descending, communicator, type);
    expect_faults_reported(60, [&] { sort(inputs, outputs); });
}

TEST_F(DistributedFaults, OfAReductionByKeyNameTheRank) {
    const distributed::ReduceByKey sum(communicator, type, type, OpKind::plus, type);
    expect_faults_reported(60, [&] { sum(inputs, inputs); });
}

}  // namespace
}  // namespace cuprum::parallel
