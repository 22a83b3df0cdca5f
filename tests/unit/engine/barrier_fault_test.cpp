// What goes wrong at barriers and among the lanes of a warp, and how it is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// The fault of a block of 64 threads that runs `body`; %r0 is the thread's number, %p0 whether it is even. The body
// begins at line 9.
Fault fault_of(const std::string& body) {
    SimulatedDevice device;
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>;\nmov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1;\n"
        "setp.eq.u32 %p0, %r1, 0;\n" +
        body + "\nret;\n}\n");
    auto fault = device.launch("k", {{1}, {64}}, Arguments());
    if (!fault) throw std::runtime_error("no fault was reported");
    return *fault;
}

TEST(BarrierFaults, AnAlignedBarrierInBothBranchesNamesBothPlaces) {
    const Fault fault = fault_of("@%p0 bra E;\nbar.sync 0;\nbra D;\nE: bar.sync 0;\nD:");
    EXPECT_EQ(fault.kind, Fault::Kind::divergent_barrier);
    EXPECT_THAT(fault.message, AllOf(HasSubstr("PTX line 10"), HasSubstr("PTX line 12"), HasSubstr("0x55555555"),
                                     HasSubstr("0xaaaaaaaa")));
}

TEST(BarrierFaults, DifferentCountsAtOneBarrier) {
    const Fault fault = fault_of("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra E;\nbar.sync 1, 64;\nbra D;\nE: bar.sync 1;\nD:");
    EXPECT_EQ(fault.kind, Fault::Kind::divergent_barrier);
    EXPECT_THAT(fault.message,
                AllOf(HasSubstr("barrier 1"), HasSubstr("64 threads"), HasSubstr("every thread of the block")));
}

TEST(BarrierFaults, BarrierSixteenAndOddCounts) {
    EXPECT_THAT(fault_of("mov.u32 %r2, 16; bar.sync %r2;").message, HasSubstr("named barrier 16; there are 0 to 15"));
    EXPECT_THAT(fault_of("mov.u32 %r2, 33; bar.sync 1, %r2;").message, HasSubstr("multiple of 32"));
}

TEST(BarrierFaults, AnAlignedBarrierWhoseNumberDiffersWithinAWarp) {
    EXPECT_EQ(fault_of("bar.sync %r1, 64;").kind, Fault::Kind::divergent_barrier);
}

TEST(BarrierFaults, ABarrierThatTooFewThreadsReachIsADeadlock) {
    const Fault fault = fault_of("setp.lt.u32 %p1, %r0, 32;\n@%p1 bra E;\nret;\nE: bar.sync 3, 64;");
    EXPECT_EQ(fault.kind, Fault::Kind::deadlock);
    EXPECT_THAT(fault.message, AllOf(HasSubstr("warp 0 lanes 0xffffffff wait at barrier 3"),
                                     HasSubstr("32 of 64 threads have arrived"), HasSubstr("PTX line 12")));
}

TEST(WarpFaults, LanesThatExchangeInDifferentWaysNeverMeet) {
    const Fault fault = fault_of(
        "@%p0 bra E;\nshfl.sync.bfly.b32 %r2, %r0, 1, 31, -1;\nbra D;\n"
        "E: shfl.sync.down.b32 %r2, %r0, 1, 31, -1;\nD:");
    EXPECT_EQ(fault.kind, Fault::Kind::deadlock);
    EXPECT_THAT(fault.message, AllOf(HasSubstr("lanes 0xaaaaaaaa wait for lanes 0xffffffff at PTX line 10"),
                                     HasSubstr("lanes 0x55555555 wait for lanes 0xffffffff at PTX line 12")));
}

}  // namespace
}  // namespace cuprum::simulator::test
