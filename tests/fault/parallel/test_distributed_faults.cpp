// Every driver call of an algorithm over three devices fails once. Each time: one error, which names the rank and the
// device, or, of a clean-up, a report; the temporary memory of all ranks is freed; the same call then succeeds.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"
#include "distributed/peer_splitting.hpp"
#include "distributed/run_merge.hpp"
#include "fault_loop.hpp"

namespace cuprum::parallel {
namespace {

using distributed::Communicator;
using distributed::Shard;

constexpr uint64_t count = 700;  // elements of each rank

class DistributedFaults : public testing::Test {
protected:
    void SetUp() override {
        if (core::Device::count() < 3) GTEST_SKIP() << "there are fewer than three devices";
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

    std::vector<int32_t> result() const {
        std::vector<int32_t> all;
        for (const core::Buffer& memory : output) {
            std::vector<int32_t> shard(count);
            memory.copy_to_host(shard);
            all.insert(all.end(), shard.begin(), shard.end());
        }
        return all;
    }

    void expect_faults_reported(int least, const std::function<void()>& action) {
        test::expect_faults_reported(
            least, action, [this] { return result(); },
            [](const std::string& error) {
                EXPECT_TRUE(std::regex_search(error, std::regex("rank [0-2] \\(device [0-2]\\)"))) << error;
            });
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

// As a sort of much data merges.
TEST_F(DistributedFaults, OfAMergeInPiecesNameTheRank) {
    if (!communicator.can_read_peers()) GTEST_SKIP() << "these devices are no peers";
    const distributed::PeerSplitting split(distributed::KeyComparison(SortOrder::ascending, type), communicator);
    const distributed::RunMerge merge(SortOrder::ascending, communicator, type, std::nullopt);
    std::vector<core::BufferRef> keys;
    std::vector<distributed::Pairs> sorted, merged;
    for (size_t rank = 0; rank < communicator.size(); ++rank) {
        keys.push_back(input[rank]);
        sorted.push_back({input[rank]});
        merged.push_back({output[rank]});
    }
    const std::vector<uint64_t> counts(communicator.size(), count);
    expect_faults_reported(100, [&] {
        distributed::CollectiveCall call(communicator);
        merge.in_pieces(call, split(call, keys, counts, counts, 3), 3, sorted, merged);
        call.finish();
    });
}

TEST_F(DistributedFaults, OfAReductionByKeyNameTheRank) {
    const distributed::ReduceByKey sum(communicator, type, type, OpKind::plus, type);
    expect_faults_reported(60, [&] { sum(inputs, inputs); });
}

}  // namespace
}  // namespace cuprum::parallel
