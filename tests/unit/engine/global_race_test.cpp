// Races in device memory between the blocks of a launch: what must be reported, and what must not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// A launch of `body` by blocks of 32 threads, under Checks::races. The body begins at line 9; %r0 is the block's
// number, %p0 whether it is 0, %r1 the thread's number, %p1 whether it is 0; %out the address of 1024 words of 0, %own
// that of the thread's own word, %block that of the block's word: out[block].
struct GlobalRaces : testing::TestWithParam<uint32_t> {
    DeviceModel model = [] {
        DeviceModel all;
        all.checks.races = true;
        all.worker_threads = GetParam();
        return all;
    }();
    SimulatedDevice::Configuration configuration{{2}, {32}};
    uint64_t out = 0;

    std::optional<Fault> run(const std::string& body) {
        SimulatedDevice device(model);
        device.load(".version 8.0\n.target " + std::string(model.compute_capability_major == 9 ? "sm_90" : "sm_80") +
                    "\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
                    ".reg .pred %p<9>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %d<9>, %out, %own, %block;\n"
                    "ld.param.u64 %out, [out]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r0, 0; "
                    "setp.eq.u32 %p1, %r1, 0; mad.lo.u32 %r2, %r0, 32, %r1; mul.wide.u32 %d8, %r2, 4; "
                    "add.u64 %own, %out, %d8; mul.wide.u32 %d8, %r0, 4; add.u64 %block, %out, %d8;\n"
                    "bar.sync 0;\n" +
                    body + "\nret;\n}\n");
        static_cast<void>(device.allocate(64));
        out = device.upload(std::vector<uint32_t>(1024, 0));
        return device.launch("k", configuration, Arguments(out));
    }

    void expect_race(const std::string& body, const std::string& text = "") {
        const auto fault = run(body);
        ASSERT_TRUE(fault) << body;
        EXPECT_EQ(fault->kind, Fault::Kind::race);
        EXPECT_THAT(fault->message, HasSubstr(text)) << body;
    }
    void expect_none(const std::string& body) {
        const auto fault = run(body);
        EXPECT_FALSE(fault) << body << '\n' << (fault ? fault->message : "");
    }
};

INSTANTIATE_TEST_SUITE_P(Workers, GlobalRaces, testing::Values(1, 2, 5),
                         [](const auto& workers) { return std::to_string(workers.param); });

// Of the first thread of the second block: waits for out[512].
const std::string wait = "W: ld.volatile.global.u32 %r9, [%out+2048]; setp.eq.u32 %p2, %r9, 0; @%p2 bra W;\n";

TEST_P(GlobalRaces, BetweenAWriteAndAReadNameBlocksThreadsPlacesAndMemory) {
    const auto fault = run("@%p0 st.global.u32 [%own], 7;\n@!%p0 ld.global.u32 %r3, [%own+-128];");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::race);
    EXPECT_THAT(fault->message,
                AllOf(HasSubstr("kernel 'k', block ("), HasSubstr("block (0, 0, 0), thread ("),
                      HasSubstr("block (1, 0, 0), thread ("), HasSubstr("at PTX line 9 (st.global.u32)"),
                      HasSubstr("(ld.global.u32)"), HasSubstr("of the test buffer at 0x"),
                      HasSubstr("and nothing orders the two blocks"), HasSubstr("grid.sync()")));
    EXPECT_GE(fault->address, out);
    EXPECT_LT(fault->address, out + 128);
}

TEST_P(GlobalRaces, TheEarlierAccessIsTheOneThatWasMade) {
    if (GetParam() != 1) GTEST_SKIP() << "the order of the blocks is known only on one thread";
    const auto fault = run("@%p0 st.global.u32 [%own], 7;\n@!%p0 ld.global.u32 %r3, [%own+-128];");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->block.x, 1u);
    EXPECT_EQ(fault->thread.x, 0u);
    EXPECT_EQ(fault->ptx_line, 10u);
    EXPECT_EQ(fault->address, out);
    EXPECT_THAT(fault->message, HasSubstr("read byte 0x"));
    EXPECT_THAT(fault->message,
                HasSubstr("which block (0, 0, 0), thread (0, 0, 0) wrote at PTX line 9 (st.global.u32)"));
}

TEST_P(GlobalRaces, OfAWriteAfterAReadAreReported) {
    expect_race("@%p0 ld.global.u32 %r3, [%own];\n@!%p0 st.global.u32 [%own+-128], 1;", "block (0, 0, 0)");
    if (GetParam() == 1)
        expect_race("@%p0 ld.global.u32 %r3, [%own];\n@!%p0 st.global.u32 [%own+-128], 1;", " read at");
    expect_none("ld.global.u32 %r3, [%out];\nst.global.u32 [%own+2048], %r3;");
}

TEST_P(GlobalRaces, OfTwoWritesAreReportedWhereTheValuesDiffer) {
    expect_race("st.global.u32 [%out+64], %r0;", "wrote byte 0x");
    expect_none("st.global.u32 [%out+64], 7;");
    expect_none("st.global.u32 [%own], %r0;");
    // The third word of a vector, and half of a double word.
    expect_none("mov.u32 %r3, 5;\nst.global.v4.u32 [%out+64], {%r3, %r3, 1, %r3};");
    const auto vector = run("mov.u32 %r3, 5;\nst.global.v4.u32 [%out+64], {%r3, %r3, %r0, %r3};");
    ASSERT_TRUE(vector);
    EXPECT_EQ(vector->address, out + 72);
    expect_none("mov.b64 %d1, {%r3, 7};\nmov.b64 %d1, 12345678901234;\nst.global.u64 [%out+64], %d1;");
    expect_race("mov.u32 %r3, 5; mov.b64 %d1, {%r3, %r0};\nst.global.u64 [%out+64], %d1;");
}

TEST_P(GlobalRaces, WritesOfBytesBesideEachOtherAreNone) {
    const std::string byte =
        "cvt.u64.u32 %d1, %r0; add.u64 %d1, %out, %d1; cvt.u16.u32 %h1, %r0; add.u16 %h1, %h1, 9;\n";
    expect_none(byte + "@%p1 st.global.u8 [%d1+64], %h1;");
    expect_race(byte + "@%p1 st.global.u8 [%out+66], %h1;");
    const std::string half = "mul.wide.u32 %d1, %r0, 2; add.u64 %d1, %out, %d1; cvt.u16.u32 %h1, %r0;\n";
    expect_none(half + "@%p1 st.global.u16 [%d1+64], %h1;");
    expect_race(half + "@%p1 st.global.u16 [%out+66], %h1;");
    expect_none("@%p1 st.global.u16 [%out+66], 300;");
}

TEST_P(GlobalRaces, WhatSeveralBlocksHaveSetToTheSameMayBeReadByThem) {
    expect_none("st.global.u32 [%out+64], 7; bar.sync 0;\nld.global.u32 %r3, [%out+64];");
}

TEST_P(GlobalRaces, AFlagNeedsAFence) {
    const auto exchange = [](const std::string& fence, const std::string& tell, const std::string& listen) {
        return "@!%p1 bra E;\n@!%p0 bra C;\nst.global.u32 [%out], 7;\n" + fence + tell + "bra E;\nC:\n" + listen +
               "ld.global.u32 %r3, [%out];\nE:";
    };
    const std::string tell = "st.volatile.global.u32 [%out+2048], 1;\n";
    for (const char* fence : {"membar.gl;\n", "membar.sys;\n", "fence.acq_rel.gpu;\n", "fence.sc.sys;\n"})
        expect_none(exchange(fence, tell, wait));
    for (const char* fence : {"", "membar.cta;\n"})
        expect_race(exchange(fence, tell, wait), "call __threadfence() before the flag is set");
    expect_none(exchange("", "st.release.gpu.global.u32 [%out+2048], 1;\n", wait));
    expect_none(exchange("", "red.release.gpu.global.add.u32 [%out+2048], 1;\n", wait));
    expect_race(exchange("", "red.global.add.u32 [%out+2048], 1;\n", wait), "no fence");
    expect_race(exchange("", "st.release.cta.global.u32 [%out+2048], 1;\n", wait));
    expect_none(exchange("membar.gl;\n", "st.global.cg.u32 [%out+2048], 1;\n",
                         "W: ld.global.cg.u32 %r9, [%out+2048]; setp.eq.u32 %p2, %r9, 0; @%p2 bra W;\n"));
    // The fence must be behind the write.
    expect_race("@!%p1 bra E;\n@!%p0 bra C;\nmembar.gl;\nst.global.u32 [%out], 7;\n" + tell + "bra E;\nC:\n" + wait +
                "ld.global.u32 %r3, [%out];\nE:");
}

TEST_P(GlobalRaces, AFlagThatNobodyWaitsForOrdersNothing) {
    // The second block waits for another flag, that it sets itself.
    expect_race(
        "@!%p1 bra E;\n@!%p0 bra C;\nst.global.u32 [%out], 7;\nmembar.gl;\nst.volatile.global.u32 [%out+1024], 1;\n"
        "bra E;\nC:\nst.volatile.global.u32 [%out+2048], 1;\n" +
        wait + "ld.global.u32 %r3, [%out];\nE:");
}

TEST_P(GlobalRaces, WhatIsReadNeedsNoFence) {
    expect_none(
        "@!%p1 bra E;\n@!%p0 bra C;\nld.global.u32 %r3, [%out];\nst.volatile.global.u32 [%out+2048], 1;\nbra E;\nC:\n" +
        wait + "st.global.u32 [%out], 3;\nE:");
}

TEST_P(GlobalRaces, WhatIsToldIsToldOn) {
    // The first block tells the second, which tells the third.
    configuration.grid = {3};
    expect_none(
        "@!%p1 bra E;\n@!%p0 bra C;\nst.global.u32 [%out], 7;\nmembar.gl;\nst.volatile.global.u32 [%out+1024], 1;\n"
        "bra E;\nC: setp.eq.u32 %p3, %r0, 2;\n@%p3 bra T;\n"
        "V: ld.volatile.global.u32 %r9, [%out+1024]; setp.eq.u32 %p2, %r9, 0; @%p2 bra V;\n"
        "membar.gl;\nst.volatile.global.u32 [%out+2048], 1;\nbra E;\nT:\n" +
        wait + "ld.global.u32 %r3, [%out];\nE:");
}

TEST_P(GlobalRaces, AtomicsAreNoneAmongThemselves) {
    configuration.grid = {8};
    expect_none(
        "atom.global.add.u32 %r3, [%out], 1;\nred.global.max.u32 [%out+4], %r0;\n"
        "ld.volatile.global.u32 %r3, [%out];\nld.relaxed.gpu.global.u32 %r3, [%out+4];");
    expect_race("@%p0 st.global.u32 [%out], 7;\n@!%p0 atom.global.add.u32 %r3, [%out], 1;");
    expect_race("@%p0 st.volatile.global.u32 [%out], 7;\n@!%p0 ld.global.u32 %r3, [%out];");
    expect_race("@%p0 st.global.u32 [%out], 7;\n@!%p0 ld.volatile.global.u32 %r3, [%out];");
}

TEST_P(GlobalRaces, TheGuessBeforeALoopOfCompareAndSwapIsNone) {
    configuration.grid = {8};
    expect_none(
        "ld.global.u32 %r3, [%out];\n"
        "L: add.u32 %r4, %r3, 1;\natom.global.cas.b32 %r5, [%out], %r3, %r4;\n"
        "setp.ne.u32 %p2, %r5, %r3;\nmov.u32 %r3, %r5;\n@%p2 bra L;");
    expect_none("@%p0 ld.global.u32 %r3, [%out];\n@!%p0 atom.global.add.u32 %r3, [%out], 1;");
}

// Every block leaves its part, the last one to come adds them up and makes the counter ready for the next launch.
std::string sum_in_the_last_block(const std::string& fence) {
    return "@!%p1 bra E;\nadd.u32 %r3, %r0, 1;\nst.global.u32 [%block], %r3;\n" + fence +
           "atom.global.inc.u32 %r4, [%out+2048], 15;\nsetp.ne.u32 %p2, %r4, 15;\n@%p2 bra E;\n"
           "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nmov.u64 %d1, %out;\n"
           "L: ld.global.u32 %r7, [%d1];\nadd.u32 %r6, %r6, %r7;\nadd.u64 %d1, %d1, 4;\nadd.u32 %r5, %r5, 1;\n"
           "setp.lt.u32 %p3, %r5, 16;\n@%p3 bra L;\nst.global.u32 [%out+3072], %r6;\nst.global.u32 [%out+2048], 0;\nE:";
}

TEST_P(GlobalRaces, TheLastBlockMayReadWhatAllHaveLeft) {
    configuration.grid = {16};
    expect_none(sum_in_the_last_block("membar.gl;\n"));
    expect_race(sum_in_the_last_block(""), "call __threadfence() before the flag is set");
}

// As grid.sync() does it.
const std::string grid_barrier = [] {
    return std::string(
        "mov.u32 %r10, %envreg1; mov.u32 %r11, %envreg2; mov.b64 %d5, {%r11, %r10};\nbar.sync 0;\n"
        "@!%p1 bra F;\nmov.u32 %r12, %nctaid.x;\nsub.u32 %r13, 0x80000001, %r12;\nselp.u32 %r13, %r13, 1, %p0;\n"
        "atom.add.release.gpu.u32 %r14, [%d5+4], %r13;\n"
        "G: ld.acquire.gpu.u32 %r15, [%d5+4];\nxor.b32 %r15, %r15, %r14;\nsetp.ge.s32 %p4, %r15, 0;\n@%p4 bra G;\n"
        "F: bar.sync 0;\n");
}();

TEST_P(GlobalRaces, TheGridsBarrierOrdersAll) {
    configuration.grid = {4};
    configuration.cooperative = true;
    // Each block reads what the next one has written.
    const std::string next =
        "add.u32 %r3, %r0, 1; and.b32 %r3, %r3, 3; mad.lo.u32 %r3, %r3, 32, %r1;\n"
        "mul.wide.u32 %d1, %r3, 4; add.u64 %d1, %out, %d1;\n";
    const std::string write = next + "st.global.u32 [%own], %r2;\n", read = "ld.global.u32 %r4, [%d1];\n";
    expect_none(write + grid_barrier + read);
    expect_race(write + read, "grid.sync()");
    expect_none(next + read + grid_barrier + "st.global.u32 [%own], %r2;\n");
}

TEST_P(GlobalRaces, ALockOrders) {
    configuration.grid = {6};
    const auto locked = [](const std::string& leave) {
        return "@!%p1 bra E;\nL: atom.global.cas.b32 %r3, [%out], 0, 1;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra L;\n"
               "membar.gl;\nld.global.u32 %r4, [%out+512];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%out+512], %r4;\n" +
               leave + "atom.global.exch.b32 %r3, [%out], 0;\nE:";
    };
    expect_none(locked("membar.gl;\n"));
    expect_race(locked(""), "no fence");
}

TEST_P(GlobalRaces, ClustersCountAsOne) {
    model.compute_capability_major = 9;
    configuration.grid = {4};
    configuration.cluster = {2};
    // Each block reads what the other of its cluster has written; then what the other cluster has.
    const auto read_of = [](const char* other) {
        return "mul.wide.u32 %d2, %r0, 4; st.global.u32 [%block], %r0;\nbarrier.cluster.arrive; barrier.cluster.wait;\n"
               "xor.b32 %r3, %r0, " +
               std::string(other) +
               "; mul.wide.u32 %d1, %r3, 4; add.u64 %d1, %out, %d1;\n"
               "ld.global.u32 %r4, [%d1];";
    };
    expect_none(read_of("1"));
    expect_race(read_of("2"));
}

TEST_P(GlobalRaces, AreLookedForInGenericAccessesAndCalledFunctions) {
    expect_race("@%p0 st.u32 [%own], 7;\n@!%p0 ld.u32 %r3, [%own+-128];");
}

TEST_P(GlobalRaces, OfABlockThatTellsOnAndOnAreNone) {
    // A block that goes on telling what it has done, ten thousand times, keeps little of it; and what it does is in
    // order.
    expect_none(
        "@!%p1 bra E;\nmov.u32 %r3, 0;\n"
        "L: st.global.u32 [%own+2048], %r3;\nmembar.gl;\natom.global.add.u32 %r4, [%out], 1;\n"
        "ld.global.u32 %r4, [%own+2048];\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, 10000;\n@%p2 bra L;\nE:");
}

TEST_P(GlobalRaces, ALaunchOfOneBlockHasNone) {
    configuration.grid = {1};
    expect_none("st.global.u32 [%out], %r1;\nld.global.u32 %r3, [%out];");
}

}  // namespace
}  // namespace cuprum::simulator::test
