#include <thread>

#include "fixture.hpp"

namespace cuprum::parallel {
namespace {

using core::Device;
using distributed::Communicator;
using distributed::Message;
using test::refusal;
using test::Spread;
using testing::AllOf;
using testing::HasSubstr;

class Ranks : public test::Distributed {};

TEST_F(Ranks, AreDevicesEachOnce) {
    EXPECT_THAT(refusal([] { const Communicator none({}); }), HasSubstr("there are none"));
    EXPECT_THAT(refusal([] { const Communicator twice({Device(0), Device(1), Device(0)}); }),
                AllOf(HasSubstr("device 0"), HasSubstr("it is rank 0 and rank 2")));
    const Communicator communicator({Device(1), Device(0)});
    EXPECT_EQ(communicator.size(), 2U);
    for (size_t rank = 0; rank < 2; ++rank) {
        EXPECT_EQ(communicator.device(rank).device_id(), 1 - static_cast<int32_t>(rank));
        EXPECT_EQ(communicator.stream(rank).device_id(), 1 - static_cast<int32_t>(rank));
    }
}

TEST_F(Ranks, ExchangeAllToAll) {
    for (const Communicator& communicator : communicators()) {
        const size_t ranks = communicator.size();
        // Rank r sends r + 1 numbers to each, which say where they come from and go to.
        std::vector<uint64_t> sent, received(ranks, ranks * (ranks + 1) / 2);
        std::vector<uint32_t> numbers;
        for (uint32_t from = 0; from < ranks; ++from) {
            sent.push_back(ranks * (from + 1));
            for (uint32_t to = 0; to < ranks; ++to)
                numbers.insert(numbers.end(), from + 1, 100 * from + to);
        }
        const Spread<uint32_t> source(communicator, sent, numbers), destination(communicator, received);
        std::vector<Message> messages;
        for (size_t to = 0; to < ranks; ++to) {
            uint64_t arrived = 0;
            for (size_t from = 0; from < ranks; ++from) {
                const uint64_t bytes = 4 * (from + 1);
                messages.push_back({from, to, source.memory[from].slice(to * bytes, bytes),
                                    destination.memory[to].slice(arrived, bytes)});
                arrived += bytes;
            }
        }
        communicator.exchange(messages);
        // In the order of the streams: the source may be overwritten now.
        for (size_t rank = 0; rank < ranks; ++rank)
            source.memory[rank].fill(0, 4, communicator.stream(rank));
        communicator.sync();
        for (uint32_t to = 0; to < ranks; ++to) {
            std::vector<uint32_t> expected;
            for (uint32_t from = 0; from < ranks; ++from)
                expected.insert(expected.end(), from + 1, 100 * from + to);
            EXPECT_EQ(destination.of_rank(to), expected) << "rank " << to;
        }
    }
}

TEST_F(Ranks, RefuseMessagesThatDoNotFit) {
    const Communicator communicator = of_devices(2);
    const Spread<uint32_t> data(communicator, {4, 4}, std::vector<uint32_t>(8, 1));
    const auto refused = [&](const Message& message) { return refusal([&] { communicator.exchange({{message}}); }); };
    EXPECT_THAT(refused({2, 0, data.memory[0], data.memory[0]}), HasSubstr("there is no rank 2, expected 0 to 1"));
    EXPECT_THAT(
        refused({0, 1, data.memory[1], data.memory[1]}),
        AllOf(HasSubstr("source of message 0"), HasSubstr("memory of device 0, expected of rank 0 (device 1)")));
    EXPECT_THAT(refused({0, 1, data.memory[0], data.memory[1].slice(0, 8)}),
                AllOf(HasSubstr("16 bytes"), HasSubstr("8")));
}

TEST_F(Ranks, ReadTheirPeersMemoryWhileItComesFromTheSamePools) {
    if (is_over_nccl()) GTEST_SKIP() << "NCCL asks for no peers";
    const Communicator communicator = of_devices(2);
    if (!Device(0).is_simulator() && !communicator.can_read_peers()) GTEST_SKIP() << "these devices are no peers";
    EXPECT_TRUE(communicator.can_read_peers());
    const core::MemoryResource former = Device(0).memory_resource();
    Device(0).set_memory_resource(core::DeviceMemoryResource(Device(0), {}));
    EXPECT_FALSE(communicator.can_read_peers());
    // What is not shared is copied.
    const distributed::RadixSort sort(SortOrder::ascending, communicator, Type::of<uint32_t>());
    std::vector<uint32_t> keys = test::random_elements<uint32_t>(3000);
    const Spread<uint32_t> data(communicator, {1000, 2000}, keys);
    sort(data.shards, data.shards);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(data.all(), keys);
    Device(0).set_memory_resource(former);
    EXPECT_TRUE(communicator.can_read_peers());
}

TEST_F(Ranks, MayBeUsedByThreadsAtOnce) {
    const Communicator communicator = of_devices(2);
    const distributed::RadixSort sort(SortOrder::ascending, communicator, Type::of<uint32_t>());
    std::vector<std::thread> threads;
    for (uint32_t seed = 1; seed <= 4; ++seed) {
        threads.emplace_back([&, seed] {
            std::vector<uint32_t> keys = test::random_elements<uint32_t>(3000, seed);
            const Spread<uint32_t> data(communicator, {1000, 2000}, keys);
            sort(data.shards, data.shards);
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(data.all(), keys) << seed;
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace
}  // namespace cuprum::parallel
