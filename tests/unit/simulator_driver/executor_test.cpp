// What a seed draws, by itself: the driver's library hides it. How streams behave by it is in options_test.cpp and
// graph_strictness_test.cpp.
#include "driver/stream/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cuprum::simulator::libcuda {
namespace {

using Place = Executor::Place;

std::vector<long> pauses(uint64_t seed, bool backwards = false) {
    Executor seeded;
    seeded.set_seed(seed);
    std::vector<Place> places;
    for (uint64_t stream = 1; stream <= 4; ++stream) {
        for (uint64_t position = 1; position <= 100; ++position) {
            places.push_back({Place::Kind::stream, stream, position});
        }
    }
    if (backwards) std::reverse(places.begin(), places.end());
    std::vector<long> drawn;
    for (const Place& place : places) {
        bool held = false;
        drawn.push_back(seeded.draw_pause(place, &held).count());
    }
    if (backwards) std::reverse(drawn.begin(), drawn.end());
    return drawn;
}

TEST(ExecutorTest, TheSameSeedDrawsTheSame) {
    EXPECT_EQ(pauses(7), pauses(7));
}

TEST(ExecutorTest, WhoDrawsFirstChangesNothing) {
    EXPECT_EQ(pauses(7), pauses(7, true));
}

TEST(ExecutorTest, AnotherSeedDrawsOtherwise) {
    EXPECT_NE(pauses(7), pauses(8));
    EXPECT_NE(pauses(0), pauses(1));
}

TEST(ExecutorTest, StreamsHaveLotsOfTheirOwn) {
    const std::vector<long> all = pauses(7);
    EXPECT_FALSE(std::equal(all.begin(), all.begin() + 100, all.begin() + 100));
}

// One piece of work in four waits for a while, one in sixteen for long; most do not wait.
TEST(ExecutorTest, MostWorkIsNotPutOff) {
    const std::vector<long> all = pauses(7);
    const auto put_off = std::count_if(all.begin(), all.end(), [](long pause) { return pause > 0; });
    const auto far = std::count_if(all.begin(), all.end(), [](long pause) { return pause > 512; });
    EXPECT_GT(put_off, 60);
    EXPECT_LT(put_off, 200);
    EXPECT_GT(far, 5);
    EXPECT_LT(far, 60);
}

TEST(ExecutorTest, ChoicesCoverWhatThereIsToChoose) {
    Executor seeded;
    seeded.set_seed(7);
    std::vector<int> chosen(3);
    for (uint64_t run = 0; run < 100; ++run) {
        ++chosen[seeded.choose({Place::Kind::graph, run, 0}, 3)];
    }
    EXPECT_GT(*std::min_element(chosen.begin(), chosen.end()), 10);
}

TEST(ExecutorTest, WithoutASeedNothingIsPutOff) {
    const Executor plain;
    for (uint64_t position = 0; position < 100; ++position) {
        bool held = true;
        EXPECT_EQ(plain.draw_pause({Place::Kind::stream, 1, position}, &held).count(), 0);
        EXPECT_FALSE(held);
        EXPECT_EQ(plain.choose({Place::Kind::graph, 1, position}, 5), 0u);
    }
}

}  // namespace
}  // namespace cuprum::simulator::libcuda
