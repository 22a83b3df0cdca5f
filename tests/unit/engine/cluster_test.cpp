// What is wrong in clusters is reported; blocks of a cluster wait for each other, and for nobody else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;

// What a kernel in two clusters of two blocks of 32 threads reports, if anything. %r0 is the block's rank, `s` is
// shared.
std::optional<Fault> run(const std::string& body, Checks checks = {}) {
    DeviceModel model;
    model.compute_capability_major = 9;
    model.worker_threads = 2;
    model.checks = checks;
    SimulatedDevice device(model);
    device.load(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .align 8 .b8 s[256];\n"
        "mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 0;\n" +
        body + "\nret;\n}\n");
    SimulatedDevice::Configuration configuration{{4}, {32}};
    configuration.cluster = {2};
    return device.launch("k", configuration, Arguments(device.upload(std::vector<uint32_t>(64, 1))));
}

void expect_fault(const std::optional<Fault>& fault, Fault::Kind kind, const std::string& what) {
    ASSERT_TRUE(fault.has_value()) << what;
    EXPECT_EQ(fault->kind, kind) << fault->message;
    EXPECT_THAT(fault->message, HasSubstr(what));
}

constexpr const char* meet = "barrier.cluster.arrive; barrier.cluster.wait;\n";

TEST(ClusterFaults, ABlockThatHasEndedHasNoSharedMemory) {
    const std::string read = std::string(meet) +
                             "@%p0 ret; mapa.shared::cluster.u32 %r1, s, 0;\n"
                             "mov.u32 %r3, 0; loop: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 200000; @%p1 bra loop;\n"
                             "ld.shared::cluster.b32 %r2, [%r1];";
    expect_fault(run(read), Fault::Kind::illegal_address, "all of whose threads have ended");
}

TEST(ClusterFaults, AccessesAreWithinTheBlocksSharedMemory) {
    expect_fault(
        run("xor.b32 %r1, %r0, 1; mapa.shared::cluster.u32 %r2, s, %r1; ld.shared::cluster.b32 %r3, [%r2+256];"),
        Fault::Kind::illegal_address, "the block of rank 1: it has 256 bytes");
    expect_fault(run("mapa.shared::cluster.u32 %r2, s, 2;"), Fault::Kind::illegal_address, "the cluster has 2");
    expect_fault(run("ld.param.u64 %d0, [out]; mapa.u64 %d1, %d0, 1;"), Fault::Kind::illegal_address,
                 "not in shared memory");
}

TEST(ClusterFaults, ABarrierIsArrivedAtOnceAndThenWaitedFor) {
    expect_fault(run("barrier.cluster.arrive; barrier.cluster.arrive;"), Fault::Kind::divergent_barrier, "second time");
    expect_fault(run("barrier.cluster.wait;"), Fault::Kind::divergent_barrier, "had not arrived");
}

TEST(ClusterFaults, ABarrierThatABlockNeverComesToIsADeadlock) {
    expect_fault(run("@%p0 barrier.cluster.arrive; @%p0 barrier.cluster.wait;\n"
                     "@!%p0 bar.sync 1, 64;"),
                 Fault::Kind::deadlock, "at the cluster's barrier, where 32 of 64 threads have arrived");
}

TEST(ClusterFaults, ThreadsThatHaveEndedAreNotWaitedFor) {
    EXPECT_FALSE(run("mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 5; barrier.cluster.arrive; @%p1 ret;\n"
                     "barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;")
                     .has_value());
}

TEST(ClusterFaults, LanesComeToTheBarrierFromDifferentPlaces) {
    EXPECT_FALSE(run("mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 5; @%p1 bra other;\n"
                     "barrier.cluster.arrive; barrier.cluster.wait; bra end;\n"
                     "other: barrier.cluster.arrive; barrier.cluster.wait; end:")
                     .has_value());
}

TEST(ClusterFaults, AnotherBlocksStoreIsAWrite) {
    const std::string exchange = "xor.b32 %r1, %r0, 1; mapa.shared::cluster.u32 %r2, s, %r1;\n" + std::string(meet) +
                                 "st.shared::cluster.b32 [%r2], %r0;\n" + meet;
    Checks checks;
    checks.memory = true;
    checks.races = true;
    const std::string store = "ld.shared.b32 %r4, [s]; ld.param.u64 %d0, [out]; @%p0 st.global.b32 [%d0], %r4;";
    EXPECT_FALSE(run(exchange + store, checks).has_value());
    expect_fault(run(store, checks), Fault::Kind::uninitialised_memory, "nothing has written");
}

TEST(ClusterFaults, TheClustersBarrierOrdersABlocksOwnWarps) {
    Checks checks;
    checks.races = true;
    const auto two_warps = [&](const std::string& between) {
        DeviceModel model;
        model.compute_capability_major = 9;
        model.checks = checks;
        SimulatedDevice device(model);
        device.load(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>; .reg .pred %p;\n"
            ".shared .b32 s;\nmov.u32 %r0, %tid.x; setp.eq.u32 %p, %r0, 0; @%p st.shared.b32 [s], 1;\n" +
            between + "setp.eq.u32 %p, %r0, 32; @%p ld.shared.b32 %r1, [s]; ret;\n}\n");
        return device.launch("k", {{1}, {64}}, Arguments());
    };
    EXPECT_FALSE(two_warps(meet).has_value());
    expect_fault(two_warps(""), Fault::Kind::race, "with no barrier in between");
}

}  // namespace
}  // namespace cuprum::simulator::test
