// Which threads a barrier lets go, and when; and branches together with what comes before them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::Each;
using testing::ElementsAreArray;

// What each thread of a block leaves in %r3; %r0 is its number, %r1 its warp's.
std::vector<uint32_t> results_of(const std::string& body, uint32_t threads) {
    SimulatedDevice device;
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<4>;\n"
        "mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; mov.u32 %r3, 0;\n" +
        body +
        "\nld.param.u64 %d0, [out]; mul.wide.u32 %d1, %r0, 4; add.u64 %d2, %d0, %d1; st.global.u32 [%d2], %r3;\n"
        "ret;\n}\n");
    const uint64_t out = device.allocate(threads * 4);
    if (const auto fault = device.launch("k", {{1}, {threads}}, Arguments(out)))
        throw std::runtime_error(fault->message);
    return device.download<uint32_t>(out, threads);
}

TEST(Barriers, ABarrierIsUsedAgainBeforeAllThatItLetGoHaveGone) {
    // Warp 1 comes last, so that warps 2 and 3 go on, and meet there once more, before warp 0 does.
    EXPECT_THAT(results_of("setp.ne.u32 %p0, %r1, 1; @%p0 bra go; nanosleep.u32 1;\n"
                           "go: bar.sync 1; add.u32 %r3, %r3, 1;\n"
                           "setp.lt.u32 %p1, %r1, 2; @%p1 bra end; bar.sync 1, 64;\nend:",
                           128),
                Each(1u));
}

TEST(Barriers, WarpsMeetBeforeOthersHaveBegun) {
    EXPECT_THAT(results_of("add.u32 %r3, %r3, 1; setp.gt.u32 %p0, %r1, 1; @%p0 bra end; bar.sync 0, 64;\nend:", 128),
                Each(1u));
}

TEST(Barriers, WholeWarpsAndPartsOfWarpsMeet) {
    // Lanes of warp 0 come to the barrier from two places, those of the others together; the first round is theirs
    // alone.
    EXPECT_THAT(results_of("bar.sync 0; add.u32 %r3, %r3, 1;\n"
                           "setp.lt.u32 %p0, %r0, 7; @%p0 bra few; barrier.sync 0; bra on;\nfew: barrier.sync 0;\n"
                           "on: add.u32 %r3, %r3, 1; bar.sync 0; add.u32 %r3, %r3, 1;",
                           160),
                Each(3u));
}

TEST(Barriers, AWarpThatIsNotFullAndOneThatLostLanes) {
    EXPECT_THAT(results_of("bar.sync 0; add.u32 %r3, %r3, 1; setp.ge.u32 %p0, %r0, 40; @%p0 bra end;\n"
                           "bar.sync 0; add.u32 %r3, %r3, 1; bar.sync 0; add.u32 %r3, %r3, 1; bra last;\n"
                           "end: add.u32 %r3, %r3, 2;\nlast:",
                           77),
                Each(3u));
}

// What `compute` makes of the number of each thread.
template <class Compute>
std::vector<uint32_t> by_thread(uint32_t threads, const Compute& compute) {
    std::vector<uint32_t> values;
    for (uint32_t thread = 0; thread < threads; ++thread)
        values.push_back(compute(thread));
    return values;
}

TEST(Branches, AnotherComparisonBeforeTheOneThatDecides) {
    // All lanes alike, so that each comparison holds for all of them or for none.
    EXPECT_THAT(
        results_of("mov.u32 %r4, 0;\nagain: setp.ne.u32 %p1, %r4, 5; setp.lt.u32 %p2, %r4, 5;\n"
                   "@%p2 bra less; bra end;\nless: add.u32 %r4, %r4, 1; @%p1 add.u32 %r3, %r3, 1; bra again;\nend:",
                   64),
        Each(5u));
    EXPECT_THAT(results_of("setp.eq.u32 %p1, %r3, 1; setp.eq.u32 %p2, %r3, 0;\n@%p2 bra end; mov.u32 %r3, 7;\nend:"
                           " @%p1 mov.u32 %r3, 8;",
                           64),
                Each(0u));
}

TEST(Branches, LoopsThatStepByAdditionsAndShifts) {
    EXPECT_THAT(
        results_of("mov.u32 %r4, 3;\nagain: add.u32 %r3, %r3, %r4; add.u32 %r4, %r4, 5; setp.lt.u32 %p0, %r4, 40;\n"
                   "@%p0 bra again;\nadd.u32 %r3, %r3, %r4;",
                   64),
        Each(3u + 8 + 13 + 18 + 23 + 28 + 33 + 38 + 43));
    EXPECT_THAT(
        results_of("mov.u32 %r4, -9;\nagain: add.u32 %r3, %r3, 1; add.s32 %r4, %r4, 2; setp.le.s32 %p0, %r4, 1;\n"
                   "@%p0 bra again;",
                   64),
        Each(6u));
    EXPECT_THAT(
        results_of("mov.u32 %r4, 1;\nagain: add.u32 %r3, %r3, 1; shl.b32 %r4, %r4, 3; setp.ne.s32 %p0, %r4, 0;\n"
                   "@%p0 bra again;",
                   64),
        Each(11u));
    EXPECT_THAT(
        results_of(
            "mov.u32 %r4, 0x80000000;\nagain: add.u32 %r3, %r3, 1; shr.u32 %r4, %r4, 40; setp.gt.u32 %p0, %r4, 0;\n"
            "@%p0 bra again;",
            64),
        Each(1u));
    EXPECT_THAT(
        results_of(
            "mov.u32 %r4, 0x80000000;\nagain: add.u32 %r3, %r3, 1; shr.u32 %r4, %r4, 1; setp.eq.s32 %p0, %r4, 0;\n"
            "@!%p0 bra again;",
            64),
        Each(32u));
}

TEST(Branches, LoopsWhoseLanesEndOneByOne) {
    EXPECT_THAT(
        results_of("mov.u32 %r4, 0;\nagain: add.u32 %r3, %r3, %r4; add.u32 %r4, %r4, 1; setp.le.u32 %p0, %r4, %r0;\n"
                   "@%p0 bra again;",
                   100),
        ElementsAreArray(by_thread(100, [](uint32_t thread) { return thread * (thread + 1) / 2; })));
}

TEST(Branches, StepsWhoseResultIsNotWhatIsCompared) {
    // The second operand, both, and neither; and one that a guard leaves out for every other thread, and for all.
    EXPECT_THAT(
        results_of("mov.u32 %r4, 0;\nagain: add.u32 %r3, %r3, 1; add.u32 %r4, %r4, 1; setp.gt.u32 %p0, 9, %r4;\n"
                   "@%p0 bra again;",
                   64),
        Each(9u));
    EXPECT_THAT(
        results_of("add.u32 %r3, %r3, 1; setp.ne.u32 %p0, %r3, %r3;\n@%p0 bra end; add.u32 %r3, %r3, 1;\nend:", 64),
        Each(2u));
    EXPECT_THAT(
        results_of("mov.u32 %r4, 5; mov.u32 %r5, 0;\nadd.u32 %r5, %r4, 1; setp.eq.u32 %p0, %r4, 5;\n@%p0 bra end;"
                   " mov.u32 %r3, 9;\nend: add.u32 %r3, %r3, %r5;",
                   64),
        Each(6u));
    EXPECT_THAT(
        results_of("and.b32 %r4, %r0, 1; setp.eq.u32 %p1, %r4, 0;\n@%p1 add.u32 %r3, %r3, 1; setp.eq.u32 %p0, %r3, 1;\n"
                   "@%p0 bra end; mov.u32 %r3, 7;\nend:",
                   64),
        ElementsAreArray(by_thread(64, [](uint32_t thread) { return thread % 2 == 0 ? 1u : 7u; })));
    EXPECT_THAT(results_of("setp.gt.u32 %p1, %r0, 99;\n@%p1 add.u32 %r3, %r3, 1; setp.eq.u32 %p0, %r3, 0;\n"
                           "@%p0 bra end; mov.u32 %r3, 7;\nend:",
                           64),
                Each(0u));
}

TEST(Branches, IntoTheMiddleOfALoopsEnd) {
    EXPECT_THAT(results_of("mov.u32 %r4, 4; bra test;\nagain: add.u32 %r3, %r3, 1; add.u32 %r4, %r4, -1;\n"
                           "test: setp.ne.s32 %p0, %r4, 0;\n@%p0 bra again;",
                           64),
                Each(4u));
}

}  // namespace
}  // namespace cuprum::simulator::test
