// What is looked for in kernels that seem to work: registers and memory read before they are written, races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

DeviceModel model_with(bool registers, bool memory, bool races) {
    DeviceModel model;
    model.checks.registers = registers;
    model.checks.memory = memory;
    model.checks.races = races;
    return model;
}

// What a block of 64 threads that runs `body` reports, if anything. The body begins at line 10; %r0 is the thread's
// number, %p0 whether it is 0; %out the address of 64 words, of which the first 32 have been written; `s` is shared.
std::optional<Fault> run(const DeviceModel& model, const std::string& body) {
    SimulatedDevice device(model);
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b64 %out; .shared .align 8 .b8 s[256];\n"
        ".local .align 8 .b8 l[16];\nld.param.u64 %out, [out]; mov.u32 %r0, %tid.x;\n"
        "setp.eq.u32 %p0, %r0, 0; mul.lo.u32 %r8, %r0, 4; cvt.u64.u32 %d8, %r8; add.u64 %d7, %out, %d8;\n" +
        body + "\nret;\n}\n");
    const uint64_t out = device.upload(std::vector<uint32_t>(32, 1));
    static_cast<void>(device.allocate(128));
    return device.launch("k", {{1}, {64}}, Arguments(out));
}

// --- registers ---

const DeviceModel plain = model_with(false, false, false);
const DeviceModel registers = model_with(true, false, false);

TEST(UnwrittenRegisters, ThatDecideAnAddressABranchOrAGuardAreReported) {
    for (const char* body : {"st.shared.u32 [%r5], 0;", "@%p1 bra L;\nL:", "@%p1 mov.u32 %r1, 1;"}) {
        const auto fault = run(plain, body);
        ASSERT_TRUE(fault) << body;
        EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_register);
        EXPECT_EQ(fault->ptx_line, 10u);
    }
}

TEST(UnwrittenRegisters, AreReportedOnThePathThatDoesNotWriteThem) {
    const char* const body = "setp.lt.u32 %p1, %r0, 40;\n@%p1 mov.u32 %r5, s;\nst.shared.u32 [%r5], 0;";
    const auto fault = run(plain, body);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->thread.x, 40u);
    EXPECT_EQ(fault->ptx_line, 12u);
    EXPECT_THAT(fault->message, HasSubstr("read register %r5, which the thread has not written"));
}

TEST(UnwrittenRegisters, ThatEveryThreadHasWrittenAreNotReported) {
    EXPECT_FALSE(run(registers,
                     "setp.lt.u32 %p1, %r0, 40;\n@%p1 mov.u32 %r5, 0;\n@!%p1 mov.u32 %r5, 4;\n"
                     "mov.u32 %r6, s; add.u32 %r6, %r6, %r5; st.shared.u32 [%r6], %r5;"));
    EXPECT_FALSE(run(registers,
                     "setp.lt.u32 %p1, %r0, 40;\n@%p1 bra A;\nmov.u32 %r5, 0;\nbra B;\n"
                     "A: mov.u32 %r5, 4;\nB: add.u32 %r6, %r5, 1;"));
    EXPECT_FALSE(run(registers,
                     "setp.lt.u32 %p1, %r0, 40;\n@!%p1 bra E;\nmov.u32 %r5, 0;\nE:\n"
                     "@%p1 add.u32 %r6, %r5, 1;"));
}

TEST(UnwrittenRegisters, StayUnwrittenWhenTheyAreMoved) {
    EXPECT_FALSE(run(plain, "mov.u32 %r4, %r5;"));
    EXPECT_FALSE(run(registers, "mov.u32 %r4, %r5;")) << "a move alone uses nothing";
    const auto fault = run(plain, "mov.u32 %r4, %r5;\nst.shared.u32 [%r4], 0;");
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("%r4"), HasSubstr("PTX line 11")));
}

TEST(UnwrittenRegisters, StayUnwrittenInArithmetic) {
    EXPECT_FALSE(run(registers, "add.u32 %r4, %r5, 1;")) << "nobody uses the sum";
    const auto fault = run(plain, "add.u32 %r4, %r5, 1;\nmul.wide.u32 %d1, %r4, 4;\nld.global.u32 %r1, [%d1];");
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("%d1"), HasSubstr("PTX line 12")));
    EXPECT_TRUE(run(plain, "setp.lt.u32 %p1, %r5, 7;\n@%p1 bra E;\nE:"));
}

TEST(UnwrittenRegisters, InDeviceMemoryAreReportedIfAskedFor) {
    for (const char* body : {"add.u32 %r4, %r5, 1;\nst.global.u32 [%out], %r4;",
                             "\natom.global.add.u32 %r4, [%out], %r5;", "\nvote.sync.ballot.b32 %r4, %p1, -1;"}) {
        EXPECT_FALSE(run(plain, body)) << body;
        const auto fault = run(registers, body);
        ASSERT_TRUE(fault) << body;
        EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_register);
        EXPECT_EQ(fault->ptx_line, 11u);
    }
    EXPECT_FALSE(run(registers, "st.shared.u32 [s], %r5;")) << "the block's memory is not followed";
}

// Of a register that the first 40 of the 64 threads have written, with 1.
const std::string some_write = "setp.lt.u32 %p1, %r0, 40;\n@%p1 mov.u32 %r5, 1;\n";

TEST(UnwrittenRegisters, AreNoneWhereASelectionLeavesThemOut) {
    EXPECT_FALSE(run(registers, some_write + "selp.u32 %r4, %r5, 2, %p1;\nst.global.u32 [%out], %r4;"));
    const auto fault = run(registers, some_write + "selp.u32 %r4, 2, %r5, %p1;\nst.global.u32 [%out], %r4;");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->thread.x, 40u);
    EXPECT_TRUE(run(registers, "selp.u32 %r4, 1, 2, %p2;\nst.global.u32 [%out], %r4;")) << "the condition";
}

TEST(UnwrittenRegisters, AreNoneWhereTheOtherOperandSettlesTheResult) {
    const std::string compare = some_write + "setp.eq.u32 %p2, %r5, 1;\n";
    EXPECT_FALSE(run(plain, compare + "and.pred %p3, %p2, %p1;\n@%p3 bra E;\nE:"));
    EXPECT_FALSE(run(plain, compare + "and.pred %p3, %p1, %p2;\n@%p3 bra E;\nE:"));
    EXPECT_TRUE(run(plain, compare + "or.pred %p3, %p2, %p1;\n@%p3 bra E;\nE:"));
    EXPECT_FALSE(run(plain, compare + "not.pred %p0, %p1; or.pred %p3, %p2, %p0;\n@%p3 bra E;\nE:"));
    EXPECT_FALSE(run(plain, some_write + "setp.eq.and.u32 %p2, %r5, 1, %p1;\n@%p2 bra E;\nE:"));
    EXPECT_FALSE(run(plain, some_write + "setp.eq.or.u32 %p2, %r5, 1, !%p1;\n@%p2 bra E;\nE:"));
    EXPECT_TRUE(run(plain, some_write + "setp.eq.or.u32 %p2, %r5, 1, %p1;\n@%p2 bra E;\nE:"));
    EXPECT_TRUE(run(plain, some_write + "setp.eq.xor.u32 %p2, %r5, 1, %p1;\n@%p2 bra E;\nE:"));
}

TEST(UnwrittenRegisters, AreNotFollowedWhereBitsOfSeveralArePutTogether) {
    const std::string shifted = "shl.b32 %r4, %r5, 8; ld.global.u32 %r3, [%out];\n";
    EXPECT_FALSE(run(registers, shifted + "or.b32 %r4, %r4, %r3;\nst.global.u32 [%out], %r4;"));
    EXPECT_TRUE(run(registers, shifted + "or.b32 %r4, %r4, 1;\nst.global.u32 [%out], %r4;"));
}

// --- places ---

TEST(Places, NameTheSourceLineOfTheFunctionThatWasInlined) {
    const auto fault = run(plain,
                           ".file 1 \"/src/kernel.cu\"\n.file 2 \"/src/helper.cuh\"\n.loc 1 7 3\n"
                           "mov.u32 %r1, 0;\n.loc 2 42 5, function_name $L__info_string0, inlined_at 1 8 9\n"
                           "st.shared.u32 [%r5], 0;\n.loc 1 9 1");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->source_file, "/src/helper.cuh");
    EXPECT_EQ(fault->source_line, 42u);
    EXPECT_THAT(fault->message, HasSubstr("PTX line 15 (st.shared.u32), source /src/helper.cuh:42"));
}

// --- memory ---

const DeviceModel memory = model_with(false, true, false);

const std::string use = "\nst.global.u32 [%out], %r1;";

TEST(UnwrittenMemory, OfTheDevice) {
    EXPECT_FALSE(run(memory, "ld.global.u32 %r1, [%out+124];" + use));
    // The second allocation lies 4096 bytes behind the first.
    const auto fault = run(memory, "ld.global.u32 %r1, [%out+4100];" + use);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_memory);
    EXPECT_EQ(fault->ptx_line, 11u);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("stored in 4 bytes of device memory"),
                                      HasSubstr("at PTX line 10 (ld.global.u32) the thread has read 4 bytes of device "
                                                "memory at 0x"),
                                      HasSubstr("not all of which have been written")));
    EXPECT_FALSE(run(memory, "st.global.u32 [%out+4100], 1;\nld.global.u32 %r1, [%out+4100];" + use));
    EXPECT_TRUE(run(memory, "atom.global.add.u32 %r1, [%out+4100], 1;"));
}

TEST(UnwrittenMemory, OfTheBlockAndOfTheThread) {
    const auto shared = run(memory, "st.shared.u32 [s+8], 1;\nld.shared.u64 %d1, [s+8];\nst.global.u64 [%out], %d1;");
    ASSERT_TRUE(shared);
    EXPECT_EQ(shared->kind, Fault::Kind::uninitialised_memory);
    EXPECT_THAT(shared->message, AllOf(HasSubstr("8 bytes of shared memory at 0x8"), HasSubstr("PTX line 11")));
    const auto local = run(memory, "setp.ne.u32 %p1, %r0, 7;\n@%p1 st.local.u32 [l], 1;\nld.local.u32 %r1, [l];" + use);
    ASSERT_TRUE(local);
    EXPECT_EQ(local->thread.x, 7u);
    EXPECT_FALSE(
        run(memory, "st.local.u32 [l], 1;\nmov.u64 %d1, l; cvta.local.u64 %d1, %d1; ld.u32 %r1, [%d1];" + use));
}

TEST(UnwrittenMemory, IsToldWhereItDecidesSomething) {
    const std::string load = "ld.shared.u32 %r1, [s];\n";
    EXPECT_FALSE(run(memory, load + "add.u32 %r2, %r1, 1;")) << "nobody uses the sum";
    for (const char* used : {"setp.eq.u32 %p1, %r1, 0;\n@%p1 bra E;\nE:", "\nld.shared.u32 %r2, [%r1];"}) {
        const auto fault = run(memory, load + used);
        ASSERT_TRUE(fault) << used;
        EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_memory);
        EXPECT_EQ(fault->ptx_line, 12u);
        EXPECT_THAT(fault->message, AllOf(HasSubstr("whose value nothing has written"),
                                          HasSubstr("at PTX line 10 (ld.shared.u32) the thread has read 4 bytes of "
                                                    "shared memory at 0x0")));
    }
}

TEST(UnwrittenMemory, StaysUnwrittenInMemoryOfTheBlock) {
    const std::string move = "ld.shared.u32 %r1, [s];\nst.shared.u32 [s+4], %r1;\n";
    EXPECT_FALSE(run(memory, move));
    EXPECT_TRUE(run(memory, move + "ld.shared.u32 %r1, [s+4];" + use));
    EXPECT_FALSE(run(memory, move + "st.shared.u32 [s+4], 1; ld.shared.u32 %r1, [s+4];" + use));
    const auto of_a_register = run(memory, "st.shared.u32 [s], %r5;\nld.shared.u32 %r1, [s];" + use);
    ASSERT_TRUE(of_a_register);
    EXPECT_EQ(of_a_register->ptx_line, 12u);
}

TEST(UnwrittenMemory, IsSeenElementByElement) {
    const std::string vector = "st.shared.u32 [s+4], 1;\nld.shared.v2.u32 {%r1, %r2}, [s];\n";
    EXPECT_TRUE(run(memory, vector + "st.global.u32 [%out], %r1;"));
    EXPECT_FALSE(run(memory, vector + "st.global.u32 [%out], %r2;"));
    const std::string stored = vector + "st.shared.v2.u32 [s+8], {%r2, %r1};\n";
    EXPECT_FALSE(run(memory, stored + "ld.shared.u32 %r1, [s+8];" + use));
    EXPECT_TRUE(run(memory, stored + "ld.shared.u32 %r1, [s+12];" + use));
}

TEST(UnwrittenMemory, IsNotWhatACopyHasWritten) {
    EXPECT_FALSE(run(memory,
                     "cp.async.ca.shared.global [s], [%out], 8, 4; cp.async.wait_all;\nld.shared.u64 %d1, [s];\n"
                     "st.global.u64 [%out], %d1;"));
}

TEST(UnwrittenMemory, IsNoUseInAMessageUntilSomebodyUsesIt) {
    const std::string tell = "ld.shared.u32 %r1, [s];\nst.relaxed.gpu.global.v2.u32 [%out], {%r1, %r0};\n";
    const std::string hear = "ld.relaxed.gpu.global.v2.u32 {%r1, %r2}, [%out];\n";
    EXPECT_FALSE(run(memory, tell));
    EXPECT_FALSE(run(memory, tell + hear + "st.global.u32 [%out+8], %r2;")) << "the part that has been written";
    const auto fault = run(memory, tell + hear + "st.global.u32 [%out+8], %r1;");
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_memory);
    EXPECT_EQ(fault->ptx_line, 13u);
}

// --- races ---

const DeviceModel races = model_with(false, false, true);

TEST(Races, BetweenWarpsNameBothThreadsAndPlaces) {
    const std::string write = "mov.u32 %r1, s; add.u32 %r2, %r1, %r8; st.shared.u32 [%r2], 1;\n";
    const std::string read = "xor.b32 %r3, %r8, 128; add.u32 %r4, %r1, %r3; ld.shared.u32 %r5, [%r4];\n";
    const auto fault = run(races, write + read);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::race);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("thread (0, 0, 0)"), HasSubstr("thread (32, 0, 0)"),
                                      HasSubstr("PTX line 10"), HasSubstr("PTX line 11")));
    EXPECT_FALSE(run(races, write + "bar.sync 0;\n" + read));
    EXPECT_FALSE(run(races, write + "barrier.sync 3, 64;\n" + read));
}

TEST(Races, WithinAWarpNeedABarrierOfTheWarp) {
    const std::string write = "mov.u32 %r1, s; add.u32 %r2, %r1, %r8; st.shared.u32 [%r2], 1;\n";
    const std::string read = "xor.b32 %r3, %r8, 4; add.u32 %r4, %r1, %r3; ld.shared.u32 %r5, [%r4];\n";
    const auto fault = run(races, write + read);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("thread (0, 0, 0)"), HasSubstr("thread (1, 0, 0)")));
    EXPECT_FALSE(run(races, write + "bar.warp.sync -1;\n" + read));
}

TEST(Races, WritesAfterReadsNeedABarrierToo) {
    const std::string before =
        "mov.u32 %r1, s; add.u32 %r2, %r1, %r8; st.shared.u32 [%r2], 1; bar.sync 0;\n"
        "ld.shared.u32 %r5, [s];\n";
    EXPECT_TRUE(run(races, before + "@%p0 st.shared.u32 [s], 2;"));
    EXPECT_FALSE(run(races, before + "bar.sync 0;\n@%p0 st.shared.u32 [s], 2;"));
}

TEST(Races, OfTwoWritesAreToldToWhoeverReadsNext) {
    const std::string both = "st.shared.u32 [s], %r0;\n";
    EXPECT_FALSE(run(races, both)) << "what nobody reads counts for nothing";
    const std::string read = "bar.sync 0;\n@%p0 ld.shared.u32 %r1, [s];";
    const auto fault = run(races, both + read);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::race);
    EXPECT_EQ(fault->ptx_line, 12u);
    EXPECT_THAT(fault->message,
                AllOf(HasSubstr("thread (31, 0, 0) wrote at PTX line 10"),
                      HasSubstr("thread (63, 0, 0) wrote at PTX line 10"), HasSubstr("with no barrier in between")));
    EXPECT_FALSE(run(races, both + "bar.sync 0;\n@%p0 st.shared.u32 [s], 1;\n" + read)) << "written anew";
    EXPECT_TRUE(run(races, both + "bar.sync 0;\n@%p0 atom.shared.add.u32 %r1, [s], 1;")) << "an update reads";
}

TEST(Races, AtomicsAndFlagsAreNone) {
    EXPECT_FALSE(run(races, "@%p0 st.shared.u32 [s], 0;\nbar.sync 0;\natom.shared.add.u32 %r1, [s], 1;"));
    // Thread 0 publishes a value with a flag; thread 32 waits for it.
    EXPECT_FALSE(run(races,
                     "@!%p0 bra N;\nst.shared.u32 [s], 0;\nN: bar.sync 0;\nsetp.eq.u32 %p1, %r0, 32;\n"
                     "@%p0 st.shared.u32 [s+4], 7;\n@%p0 st.release.cta.shared.u32 [s], 1;\n@!%p1 bra E;\n"
                     "W: ld.acquire.cta.shared.u32 %r2, [s]; setp.eq.u32 %p2, %r2, 0; @%p2 bra W;\n"
                     "ld.shared.u32 %r3, [s+4];\nE:"));
}

TEST(Races, AnMbarrierOrders) {
    EXPECT_FALSE(run(races,
                     "@%p0 mbarrier.init.shared.b64 [s+8], 64;\nbar.sync 0;\n@%p0 st.shared.u32 [s], 1;\n"
                     "mbarrier.arrive.shared.b64 %d1, [s+8];\nW: mbarrier.test_wait.shared.b64 %p1, [s+8], %d1;\n"
                     "@!%p1 bra W;\nld.shared.u32 %r1, [s];"));
}

// Every thread of the first warp copies a word of its own to shared memory.
const std::string copy_words =
    "setp.lt.u32 %p1, %r0, 32;\nmov.u32 %r1, s; add.u32 %r2, %r1, %r8;\n"
    "@%p1 cp.async.ca.shared.global [%r2], [%d7], 4;\n";

TEST(Races, WhatACopyWritesIsReadAfterItsWait) {
    const auto fault = run(races, copy_words + "@%p1 ld.shared.u32 %r3, [%r2];");
    ASSERT_TRUE(fault) << "the thread itself must wait too";
    EXPECT_EQ(fault->kind, Fault::Kind::race);
    EXPECT_THAT(fault->message, AllOf(HasSubstr("which thread (0, 0, 0) copies to at PTX line 12 (cp.async"),
                                      HasSubstr("PTX line 13"), HasSubstr("with no wait for that copy")));
    EXPECT_FALSE(run(races, copy_words + "cp.async.wait_all;\n@%p1 ld.shared.u32 %r3, [%r2];"));
}

TEST(Races, ABarrierDoesNotWaitForACopy) {
    const std::string read_by_the_other_warp = "@!%p1 ld.shared.u32 %r3, [s];";
    EXPECT_TRUE(run(races, copy_words + "bar.sync 0;\n" + read_by_the_other_warp));
    const auto no_barrier = run(races, copy_words + "cp.async.wait_all;\n" + read_by_the_other_warp);
    ASSERT_TRUE(no_barrier);
    EXPECT_THAT(no_barrier->message, HasSubstr("with no barrier in between"));
    EXPECT_FALSE(run(races, copy_words + "cp.async.wait_all;\nbar.sync 0;\n" + read_by_the_other_warp));
}

TEST(Races, ACopyIsAWriteOfTheTimeOfItsWait) {
    // The second warp comes to the barrier last and runs on to its wait; only then the first one reads.
    const auto fault = run(races,
                           "setp.lt.u32 %p1, %r0, 32;\n@!%p1 cp.async.ca.shared.global [s], [%out], 4;\n"
                           "bar.sync 0;\ncp.async.wait_all;\n@%p1 ld.shared.u32 %r3, [s];");
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->message, HasSubstr("with no barrier in between")) << "the barrier was before the wait";
}

TEST(Races, OnlyTheGroupsThatAreWaitedForAreComplete) {
    // Two stages of a pipeline: the second may still be in flight while the first is read.
    const std::string stages = copy_words +
                               "cp.async.commit_group;\n@%p1 cp.async.ca.shared.global [%r2+128], [%d7], 4;\n"
                               "cp.async.commit_group; cp.async.wait_group 1; bar.sync 0;\n";
    EXPECT_FALSE(run(races, stages + "ld.shared.u32 %r3, [s];"));
    EXPECT_TRUE(run(races, stages + "ld.shared.u32 %r3, [s+128];"));
}

TEST(Races, ACopyOverWhatOthersStillReadOrCopyIsOne) {
    EXPECT_TRUE(run(races, "@!%p0 ld.shared.u32 %r3, [s];\n@%p0 cp.async.ca.shared.global [s], [%out], 4;"));
    EXPECT_FALSE(
        run(races, "@!%p0 ld.shared.u32 %r3, [s];\nbar.sync 0;\n@%p0 cp.async.ca.shared.global [s], [%out], 4;"));
    const std::string copy = "@%p0 cp.async.ca.shared.global [s], [%out], 4;\n";
    EXPECT_TRUE(run(races, copy + copy)) << "nothing orders two copies of a thread";
    EXPECT_FALSE(run(races, copy + "cp.async.wait_all;\n" + copy));
}

TEST(Races, AnMbarrierThatACopyArrivesAtOrdersIt) {
    const std::string begin = "@%p0 mbarrier.init.shared.b64 [s+136], 64;\nbar.sync 0;\n" + copy_words;
    const std::string end =
        "mbarrier.arrive.shared.b64 %d1, [s+136];\nW: mbarrier.test_wait.shared.b64 %p2, [s+136], %d1;\n"
        "@!%p2 bra W;\nld.shared.u32 %r3, [s];";
    EXPECT_TRUE(run(races, begin + end));
    EXPECT_FALSE(run(races, begin + "cp.async.mbarrier.arrive.shared.b64 [s+136];\n" + end));
}

TEST(Races, ABarrierOfTwoWarpsMayBeArrivedAtAndWaitedAt) {
    const std::string produce = "setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra C;\nst.shared.u32 [s], 7;\n";
    const std::string consume = "bra E;\nC: bar.sync 1, 64;\nld.shared.u32 %r3, [s];\nE:";
    EXPECT_FALSE(run(races, produce + "bar.arrive 1, 64;\n" + consume));
    // The producer arrives before it has written.
    EXPECT_TRUE(
        run(races, "setp.lt.u32 %p1, %r0, 32;\n@!%p1 bra C;\nbar.arrive 1, 64;\nst.shared.u32 [s], 7;\n" + consume));
}

}  // namespace
}  // namespace cuprum::simulator::test
