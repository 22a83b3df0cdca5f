// Which threads a barrier lets go, and when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::Each;

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

}  // namespace
}  // namespace cuprum::simulator::test
