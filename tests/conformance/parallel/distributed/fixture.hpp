// What the tests over several devices share: data that is spread over ranks, at random, and its way there and back.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "../fixture.hpp"

namespace cuprum::test {

// Elements of several ranks, in memory of their devices.
template <class T>
struct Spread {
    std::vector<core::Buffer> memory;
    std::vector<parallel::distributed::Shard> shards;

    Spread(const parallel::distributed::Communicator& communicator, const std::vector<uint64_t>& counts) {
        for (size_t rank = 0; rank < communicator.size(); ++rank) {
            memory.push_back(communicator.device(rank).allocate(counts[rank] * sizeof(T)));
            shards.push_back(parallel::distributed::Shard::of<T>(memory.back()));
        }
    }
    Spread(const parallel::distributed::Communicator& communicator, const std::vector<uint64_t>& counts,
           const std::vector<T>& elements)
        : Spread(communicator, counts) {
        uint64_t begin = 0;
        for (const core::Buffer& shard : memory) {
            if (shard.size() > 0) shard.copy_from_host(elements.data() + begin, shard.size());
            begin += shard.size() / sizeof(T);
        }
    }

    std::vector<T> of_rank(size_t rank) const {
        std::vector<T> elements(memory[rank].size() / sizeof(T));
        memory[rank].copy_to_host(elements.data(), memory[rank].size());
        return elements;
    }
    std::vector<T> all() const {
        std::vector<T> elements;
        for (size_t rank = 0; rank < memory.size(); ++rank) {
            const std::vector<T> shard = of_rank(rank);
            elements.insert(elements.end(), shard.begin(), shard.end());
        }
        return elements;
    }
};

class Distributed : public testing::Test {
protected:
    void SetUp() override {
        if (core::Device::count() >= 2) return;
        ASSERT_FALSE(core::Device(0).is_simulator()) << "CUPRUM_SIM=devices=9 is missing";
        GTEST_SKIP() << "this machine has one GPU";
    }

    // 2, 3 and 8 simulated devices; on GPUs as many of these as there are.
    static std::vector<parallel::distributed::Communicator> communicators() {
        std::vector<parallel::distributed::Communicator> all;
        for (const int32_t size : {1, 2, 3, 8}) {
            if (size <= core::Device::count()) all.push_back(of_devices(size));
        }
        return all;
    }
    // The last device first: ranks are not ordinals.
    static parallel::distributed::Communicator of_devices(int32_t size) {
        std::vector<core::Device> devices;
        for (int32_t ordinal = size - 1; ordinal >= 0; --ordinal)
            devices.emplace_back(ordinal);
        if (is_over_nccl()) {
            return parallel::distributed::Communicator(devices, parallel::distributed::NcclOptions{});
        }
        return parallel::distributed::Communicator(devices);
    }
    // All tests, over what NCCL is found; else the driver copies.
    static bool is_over_nccl() { return std::getenv("CUPRUM_TEST_OVER_NCCL") != nullptr; }

    // `total` elements over the ranks: cut at random places, some of them twice at the same, so that ranks have none.
    std::vector<uint64_t> random_counts(uint64_t total, size_t ranks) {
        std::vector<uint64_t> cuts{0, total};
        for (size_t i = 1; i < ranks; ++i)
            cuts.push_back(random() % 4 == 0 ? cuts[random() % cuts.size()] : random() % (total + 1));
        std::sort(cuts.begin(), cuts.end());
        std::adjacent_difference(cuts.begin(), cuts.end(), cuts.begin());
        return {cuts.begin() + 1, cuts.end()};
    }
    static std::vector<uint64_t> even_counts(uint64_t total, size_t ranks) {
        std::vector<uint64_t> counts(ranks);
        for (size_t rank = 0; rank < ranks; ++rank)
            counts[rank] = total * (rank + 1) / ranks - total * rank / ranks;
        return counts;
    }
    static std::vector<uint64_t> all_on(size_t rank, uint64_t total, size_t ranks) {
        std::vector<uint64_t> counts(ranks, 0);
        counts[rank] = total;
        return counts;
    }
    static std::vector<uint64_t> one_each(size_t ranks) { return std::vector<uint64_t>(ranks, 1); }

    std::mt19937_64 random{20261128};
};

inline std::string text(const std::vector<uint64_t>& counts) {
    return testing::PrintToString(counts);
}

}  // namespace cuprum::test
