// Forms that PTX does not have are refused when the module is loaded, family by family: a modifier that is ignored
// would be a wrong answer. ptxas 13.0 refuses each of them as well, and takes each `accepted`; of PTX 9.1 and 9.2,
// ptxas 13.5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/instructions/form_rules.hpp"
#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Family {
    const char* name;
    std::vector<std::string> accepted;
    std::vector<std::string> refused;
    const char* target = "sm_90";
};
std::ostream& operator<<(std::ostream& out, const Family& family) {
    return out << family.name;
}

std::string module_around(const std::string& instruction, const std::string& target = "sm_90") {
    return ".version 8.6\n.target " + target +
           "\n.address_size 64\n.global .align 16 .b8 g[128];\n"
           ".func f() { ret; }\n.visible .entry k()\n{\n"
           ".reg .pred %p<3>; .reg .b8 %c<3>; .reg .u32 %u<3>; .reg .s16 %i<3>; .reg .b16 %h<5>; .reg .b32 %r<5>; .reg "
           ".b64 %d<5>; .reg .f32 %f<3>; .reg .f64 %g<3>; "
           ".reg .b128 %q<3>; .shared .align 16 .b8 s[256];\n" +
           instruction + "\nL: ret;\n}\n";
}

// An instruction that counts bytes on an mbarrier, named in two parts.
std::string counted(const std::string& form, const std::string& rest) {
    return form + ".mbarrier::complete_tx::bytes" + rest;
}

DeviceModel newest(unsigned major = 9, unsigned minor = 0) {
    DeviceModel model;
    model.compute_capability_major = major;
    model.compute_capability_minor = minor;
    return model;
}
// One that runs code for the target.
DeviceModel device_of(const std::string& target) {
    const Target parsed = parse_target(target);
    return newest(parsed.number / 10, parsed.number % 10);
}

std::string mnemonic_of(const std::string& instruction) {
    return instruction.substr(0, instruction.find_first_of(" ;"));
}

class Refusals : public testing::TestWithParam<Family> {
protected:
    void expect_refused(const std::string& instruction) {
        EXPECT_THAT(device_.load_error(module_around(instruction, GetParam().target)),
                    AllOf(HasSubstr("line 9"), HasSubstr("'" + mnemonic_of(instruction) + "'")))
            << instruction;
    }
    SimulatedDevice device_{device_of(GetParam().target)};
};

TEST(FormRules, AnUnknownWordIsAnError) {
    EXPECT_NO_THROW(check_rule("80 add rn? $bfloat", simulator::Family::half));
    for (const char* const rule : {"add $itn", "add rnn? f32", "add f33", "adn f32", "add|sbu f32", "add rn|rq f32"})
        EXPECT_THROW(check_rule(rule, simulator::Family::integer), std::logic_error) << rule;
}

TEST(Families, EveryOpcodeIsDescribedUnderItsName) {
    for (unsigned number = 0; number < static_cast<unsigned>(Opcode::unknown); ++number) {
        unsigned found = 0;
        for (const FamilyDescription& family : families()) {
            for (const InstructionDecoding& instruction : family.instructions) {
                if (static_cast<unsigned>(instruction.opcode) != number) continue;
                ++found;
                EXPECT_EQ(find_opcode(instruction.name), instruction.opcode) << instruction.name;
                EXPECT_NE(instruction.signature == nullptr, instruction.decode == nullptr) << instruction.name;
            }
        }
        EXPECT_GT(found, 0u) << "opcode " << number;
    }
}

TEST_P(Refusals, WhatPtxasTakesIsAccepted) {
    for (const std::string& instruction : GetParam().accepted)
        EXPECT_EQ(device_.load_error(module_around(instruction, GetParam().target)), "") << instruction;
}

TEST_P(Refusals, FormsThatPtxDoesNotHaveAreNamed) {
    for (const std::string& instruction : GetParam().refused)
        expect_refused(instruction);
}

// A word that PTX does not have, one of other instructions, a type that is never the last.
TEST_P(Refusals, AModifierMoreIsNeverIgnored) {
    for (const std::string& instruction : GetParam().accepted) {
        const std::string mnemonic = mnemonic_of(instruction);
        for (const char* const more : {".frobnicate", ".xorsign", ".b4e", ".e4m3x2"})
            expect_refused(mnemonic + more + instruction.substr(mnemonic.size()));
    }
}

// PTX has them; a message says that the simulator does not.
TEST(Refusals, OfWhatIsNotSimulatedSaySo) {
    SimulatedDevice device(newest());
    for (const std::string& instruction : std::vector<std::string>{
             "multimem.ld_reduce.relaxed.gpu.global.add.v4.e4m3x2 {%r0, %r1, %r2, %r3}, [%d0];",
             "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [s], [s+16];",
             "st.bulk.weak.shared::cta [s], 8, 0;",
             "tcgen05.wait::ld.sync.aligned;",
             std::string("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f0, %f0, %f0}, %d0, %d1, %r0, 0, "
                         "%p0, 1, 1, ") +
                 "0, 0;",
             counted("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4",
                     " [s], [%d0, {%r0, %r1, %r1, %r1, %r1}], [s+128];"),
             "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w [%d0, {%r0, %r1, %r2}], {%h0, %h1};",
             "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [g], [s], 16, %h0;",
             "cvt.rn.satfinite.ue5m3x2.f32 %h0, %f0, %f1;",
         }) {
        LoadError::Kind kind = LoadError::Kind::invalid_ptx;
        const std::string log = device.load_error(module_around(instruction), &kind);
        EXPECT_EQ(kind, LoadError::Kind::unsupported_ptx) << instruction << '\n' << log;
        EXPECT_THAT(log, AllOf(HasSubstr("line 9"), HasSubstr("simulated")));
    }
}

// ptxas compiles them for no current architecture.
TEST(Refusals, OfGlobalAddressesOf32BitsAreInvalid) {
    SimulatedDevice device(newest());
    for (const char* const instruction :
         {"ld.u32 %r0, [%r1];", "ld.global.u32 %r0, [%r1];", "ld.global.nc.u32 %r0, [%r1];", "st.u32 [%r1], %r0;",
          "st.release.gpu.global.u32 [%r1], %r0;", "ldu.global.u32 %r0, [%r1];", "atom.add.u32 %r0, [%r1], 1;",
          "red.global.add.u32 [%r1], 1;", "cvta.global.u32 %r0, %r1;", "cvta.to.shared.u32 %r0, %r1;",
          "mov.u32 %r0, g;", "prefetch.global.L2 [%r1];", "prefetchu.L1 [%r1];", "discard.global.L2 [%r1], 128;",
          "applypriority.global.L2::evict_normal [%r1], 128;", "mbarrier.init.b64 [%r1], 1;",
          "mbarrier.arrive.b64 %d0, [%r1];", "mbarrier.test_wait.b64 %p0, [%r1], %d0;"}) {
        LoadError::Kind kind = LoadError::Kind::unsupported_ptx;
        const std::string log = device.load_error(module_around(instruction), &kind);
        EXPECT_EQ(kind, LoadError::Kind::invalid_ptx) << instruction << '\n' << log;
        EXPECT_THAT(log, AllOf(HasSubstr("line 9"), HasSubstr("which no current architecture has"))) << instruction;
    }
    std::string module = module_around("");
    module.replace(module.find("size 64"), 7, "size 32");
    LoadError::Kind kind = LoadError::Kind::unsupported_ptx;
    EXPECT_THAT(device.load_error(module, &kind), HasSubstr("use .address_size 64"));
    EXPECT_EQ(kind, LoadError::Kind::invalid_ptx);
}

// These ptxas compiles, but from the code that it makes nothing follows about the upper half.
TEST(Refusals, OfGlobalAddressesOf32BitsInBulkCopiesSaySo) {
    SimulatedDevice device(newest());
    for (const std::string& instruction :
         std::vector<std::string>{counted("cp.async.bulk.shared::cluster.global", " [s], [%r1], 16, [s+128];"),
                                  "cp.async.bulk.global.shared::cta.bulk_group [%r1], [s], 16;",
                                  "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%r1], [s], 16;",
                                  "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%r1, {%r0}], [s];"}) {
        LoadError::Kind kind = LoadError::Kind::invalid_ptx;
        const std::string log = device.load_error(module_around(instruction), &kind);
        EXPECT_EQ(kind, LoadError::Kind::unsupported_ptx) << instruction << '\n' << log;
        EXPECT_THAT(log, AllOf(HasSubstr("line 9"), HasSubstr("32 bits"))) << instruction;
    }
}

// What ptxas gives a meaning is accepted; what it is: CopyFaults, forms/memory.txt and forms/matrix.txt.
TEST(Refusals, OfShortAddressesLeaveOutThoseWithAMeaning) {
    SimulatedDevice device(newest());
    for (const char* const instruction :
         {"ld.shared.u32 %r0, [%r1];", "ld.local.u32 %r0, [%r1];", "mov.u32 %r0, s;",
          "mbarrier.init.shared.b64 [%r1], 1;", "mbarrier.init.b64 [s], 1;",
          "cp.async.ca.shared.global [%r0], [%r1], 4;", "mapa.u32 %r0, %r1, 0;", "mapa.u32 %r0, s, 0;",
          "getctarank.u32 %r0, %r1;", "ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%r1];",
          "stmatrix.sync.aligned.m8n8.x1.b16 [%r1], {%r0};",
          "wmma.load.c.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3}, [%r4];",
          "wmma.store.d.sync.aligned.row.m16n16k16.f16 [%r4], {%r0, %r1, %r2, %r3};"}) {
        EXPECT_EQ(device.load_error(module_around(instruction)), "") << instruction;
    }
    std::string module = module_around("tensormap.replace.tile.rank.global.b1024.b32 [%r1], %r0;");
    module.replace(module.find("sm_90"), 5, "sm_90a");
    EXPECT_EQ(device.load_error(module), "");
}

// Instructions of one architecture alone.
TEST(Refusals, OfWhatNeedsTheVeryArchitectureNameIt) {
    SimulatedDevice device(newest());
    for (const char* const instruction :
         {"wgmma.fence.sync.aligned;", "tensormap.replace.tile.rank.global.b1024.b32 [%d0], %r0;"}) {
        EXPECT_THAT(device.load_error(module_around(instruction)), HasSubstr("sm_90a")) << instruction;
        std::string module = module_around(instruction);
        module.replace(module.find("sm_90"), 5, "sm_90a");
        EXPECT_EQ(device.load_error(module), "") << instruction;
    }
}

// Forms of an architecture, of its family and of all later ones: on which targets, by the suffix of each.
TEST(Refusals, OfFormsThatATargetLacksNameOneThatHasThem) {
    struct Form {
        std::string instruction;
        std::vector<std::string> targets;  // that have it
        std::string named;
    };
    const std::vector<std::string> all = {"sm_90",  "sm_100",  "sm_100a", "sm_100f", "sm_103",  "sm_103a", "sm_103f",
                                          "sm_110", "sm_110a", "sm_110f", "sm_120",  "sm_120a", "sm_120f", "sm_121a"};
    const std::vector<std::string> later(all.begin() + 1, all.end());
    const std::vector<std::string> specific = {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a",
                                               "sm_110f", "sm_120a", "sm_120f", "sm_121a"};
    const std::vector<std::string> architectures = {"sm_100a", "sm_103a", "sm_110a", "sm_120a", "sm_121a"};
    const std::vector<std::string> random = {"sm_100a", "sm_103a"};
    for (const auto& [instruction, targets, named] : {
             Form{"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", all, ""},
             Form{"add.f32x2 %d0, %d1, %d2;", later, "needs .target sm_100, the module's is sm_90"},
             Form{"min.f32 %f0, %f1, %f2, %f0;", later, "needs .target sm_100, the module's is sm_90"},
             Form{"cvt.rn.satfinite.tf32.f32 %r0, %f0;", later, "needs .target sm_100, the module's is sm_90"},
             Form{"cvt.rn.satfinite.e2m1x2.f32 %c0, %f0, %f1;", specific, "sm_100a or any later one with"},
             Form{"cvt.rn.f16x2.e2m3x2 %r0, %h0;", specific, "sm_100a or any later one with"},
             Form{"cvt.rp.ue8m0x2.bf16x2 %h0, %r0;", specific, "sm_100a or any later one with"},
             Form{"cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r0, %h0, %h1;", specific, "sm_100a or any later one with"},
             Form{"cvt.rn.bf16x2.s2f6x2 %r0, %h0;", architectures, "sm_100a, sm_103a, sm_110a, sm_120a or sm_121a"},
             Form{"wgmma.fence.sync.aligned;", {}, "needs .target sm_90a, the module's is sm_"},
             Form{"cvt.rs.f16x2.f32 %r0, %f0, %f1, %r1;", random,
                  "needs .target sm_100a or sm_103a, the module's is sm_"},
             Form{"cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1, %f0, %f1}, %r1;", random, "sm_100a or sm_103a"},
         }) {
        for (const std::string& target : all) {
            SimulatedDevice device(device_of(target));
            const std::string error = device.load_error(module_around(instruction, target));
            if (std::ranges::find(targets, target) != targets.end())
                EXPECT_EQ(error, "") << instruction << ' ' << target;
            else
                EXPECT_THAT(error, AllOf(HasSubstr("line 9"), HasSubstr(named))) << instruction << ' ' << target;
        }
    }
}

std::string name_of(const testing::TestParamInfo<Family>& instance) {
    return instance.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Synchronisation, Refusals,
    testing::Values(
        Family{"Barrier",
               {"bar.sync 0;", "bar.arrive 1, 64;", "barrier.cta.sync.aligned 1, %r0;", "bar.warp.sync -1;"},
               {"bar 0;", "bar.wait 0;", "bar.sync.aligned 0;", "bar.sync.u32 0;", "bar.gpu.sync 0;", "bar.sync 16;",
                "bar.sync 1, 33;", "bar.sync %d0;", "bar.sync %f0;", "bar.arrive 1;", "bar.sync.arrive 1, 64;",
                "barrier.warp.sync -1;", "bar.warp.sync.aligned -1;", "bar.warp.sync %f0;"}},
        Family{"BarrierReduction",
               {"bar.red.popc.u32 %r0, 1, %p0;", "barrier.cta.red.or.aligned.pred %p0, 1, 64, !%p1;"},
               {"bar.red.popc.s32 %r0, 1, %p0;", "bar.red.popc.pred %p0, 1, %p1;", "bar.red.and.u32 %r0, 1, %p0;",
                "bar.red.xor.pred %p0, 1, %p1;", "bar.red.pred %p0, 1, %p1;", "bar.red.and.or.pred %p0, 1, %p1;",
                "bar.red.popc.u32 %d0, 1, %p0;", "bar.red.popc.u32 %r0, 1, %r1;"}},
        Family{"Mbarrier",
               {"mbarrier.init.shared.b64 [s], 1;", "mbarrier.inval.b64 [s];",
                "mbarrier.arrive.release.cta.shared::cta.b64 %d0, [s], 2;", "mbarrier.pending_count.b64 %r0, %d0;",
                "mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p0, [s], 1, 1000;",
                "mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 8;"},
               {"mbarrier.b64 [s];", "mbarrier.init.b32 [s], 1;", "mbarrier.init [s], 1;",
                "mbarrier.init.global.b64 [g], 1;", "mbarrier.init.shared.b64 [g], 1;",
                "mbarrier.init.release.cta.b64 [s], 1;", "mbarrier.arrive.acquire.cta.b64 %d0, [s];",
                "mbarrier.arrive.release.b64 %d0, [s];", "mbarrier.arrive.release.gpu.b64 %d0, [s];",
                "mbarrier.arrive.shared.b64 %g0, [s];", "mbarrier.arrive.shared::cluster.b64 %d0, [s];",
                "mbarrier.arrive.noComplete.expect_tx.b64 %d0, [s], 1;", "mbarrier.test_wait.b64 %p0, [s], %r0;",
                "mbarrier.test_wait.release.cta.b64 %p0, [s], %d0;", "mbarrier.test_wait.b64 %p0, [s], %d0, 1000;",
                "mbarrier.pending_count.shared.b64 %r0, %d0;", "mbarrier.init.shared.b64 [%f0], 1;"}},
        Family{"Fence",
               {"fence.sc.gpu;", "fence.cta;", "fence.acquire.cluster;", "fence.proxy.async.shared::cta;",
                "fence.mbarrier_init.release.cluster;", "membar.gl;", "membar.proxy.alias;"},
               {"fence;", "fence.sc;", "fence.gl;", "fence.relaxed.gpu;", "fence.sc.acq_rel.gpu;", "fence.sc.gpu.sys;",
                "fence.sc.gpu %r0;", "fence.proxy.global;", "fence.proxy.alias.gpu;", "fence.mbarrier_init.cluster;",
                "membar;", "membar.gpu;", "membar.sc.gl;", "membar.gl 1;", "membar.proxy.async;"}},
        Family{"Shuffle",
               {"shfl.sync.idx.b32 %r0|%p0, %r1, 1, 31, -1;", "shfl.sync.up.b32 %f0, %f1, %r1, 0, -1;"},
               {"shfl.idx.b32 %r0, %r1, 1, 31;", "shfl.sync.b32 %r0, %r1, 1, 31, -1;",
                "shfl.sync.idx.up.b32 %r0, %r1, 1, 31, -1;", "shfl.sync.idx.u32 %r0, %r1, 1, 31, -1;",
                "shfl.sync.idx.b64 %d0, %d1, 1, 31, -1;", "shfl.sync.idx %r0, %r1, 1, 31, -1;",
                "shfl.sync.idx.wrap.b32 %r0, %r1, 1, 31, -1;", "shfl.sync.idx.b32 %r0, %d1, 1, 31, -1;",
                "shfl.sync.idx.b32 %r0, %r1, 1, 31;"}},
        Family{"Vote",
               {"vote.sync.any.pred %p0, !%p1, -1;", "vote.sync.ballot.b32 %r0, %p1, -1;"},
               {"vote.any.pred %p0, %p1;", "vote.sync.pred %p0, %p1, -1;", "vote.sync.any.b32 %r0, %p1, -1;",
                "vote.sync.ballot.pred %p0, %p1, -1;", "vote.sync.ballot.u32 %r0, %p1, -1;",
                "vote.sync.any.all.pred %p0, %p1, -1;", "vote.sync.any.pred %p0, %r1, -1;"}},
        Family{"Match",
               {"match.any.sync.b64 %r0, %d1, -1;", "match.all.sync.b32 %r0|%p0, %r1, -1;"},
               {"match.sync.b32 %r0, %r1, -1;", "match.any.b32 %r0, %r1, -1;", "match.any.sync.u32 %r0, %r1, -1;",
                "match.any.all.sync.b32 %r0, %r1, -1;", "match.any.sync.b64 %r0, %r1, -1;",
                "match.any.sync.b32 %f0, %r1, -1;"}},
        Family{"Redux",
               {"redux.sync.add.s32 %r0, %r1, -1;", "redux.sync.xor.b32 %r0, %r1, -1;"},
               {"redux.add.s32 %r0, %r1, -1;", "redux.sync.add.b32 %r0, %r1, -1;", "redux.sync.and.u32 %r0, %r1, -1;",
                "redux.sync.min.u64 %d0, %d1, -1;", "redux.sync.min.f32 %f0, %f1, -1;",
                "redux.sync.add.min.s32 %r0, %r1, -1;", "redux.sync.inc.u32 %r0, %r1, -1;",
                "redux.sync.add.s32 %f0, %r1, -1;"}},
        Family{
            "SparseProduct",
            {"mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f0}, {%r0, %r1}, {%r2, %r3}, "
             "{%f0, %f1, %f2, %f0}, %r4, 3;",
             "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%r0, %r1, %r2, %r3}, "
             "{%r0, %r1}, {%r2, %r3}, {%r0, %r1, %r2, %r3}, %r4, 1;"},
            {"mma.sp.sync.m16n8k8.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f0}, {%r0, %r1}, {%r2, %r3}, {%f0, %f1, "
             "%f2, %f0}, %r4, 3;",
             "mma.sp.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0, %f1, %f2, %f0}, {%r0}, {%r2}, {%f0, %f1, "
             "%f2, %f0}, %r4, 0;"}},
        Family{"ElectAndActiveMask",
               {"elect.sync %r0|%p0, -1;", "elect.sync _|%p0, -1;", "activemask.b32 %r0;"},
               {"elect %r0|%p0, -1;", "elect.sync.b32 %r0|%p0, -1;", "elect.sync %r0, -1;", "elect.sync %r0|_, -1;",
                "elect.sync %f0|%p0, -1;", "activemask %r0;", "activemask.u32 %r0;", "activemask.b64 %d0;",
                "activemask.sync.b32 %r0;"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Memory, Refusals,
    testing::Values(
        Family{"Atomic",
               {"atom.add.u32 %r0, [g], 1;", "atom.global.acq_rel.cluster.cas.b16 %h0, [g], %h1, %h2;",
                "atom.shared::cta.min.s64 %d0, [s], 1;", "atom.exch.b128 %q0, [g], %q1;",
                "atom.global.add.noftz.bf16x2 %r0, [g], %r1;", "atom.global.add.v2.f32 {%f0, %f1}, [g], {%f1, %f2};",
                "atom.global.max.noftz.v4.f16 {%h0, %h1, %h2, %h3}, [g], {%h0, %h1, %h2, %h3};",
                "atom.global.add.L2::cache_hint.u32 %r0, [g], 1, %d0;"},
               {"atom.u32 %r0, [g], 1;",
                "atom.add %r0, [g], 1;",
                "atom.add.b32 %r0, [g], 1;",
                "atom.add.s64 %d0, [g], 1;",
                "atom.add.u16 %h0, [g], %h1;",
                "atom.inc.s32 %r0, [g], 1;",
                "atom.and.u32 %r0, [g], 1;",
                "atom.exch.u32 %r0, [g], 1;",
                "atom.min.f32 %f0, [g], %f1;",
                "atom.min.b32 %r0, [g], 1;",
                "atom.add.f16 %h0, [g], %h1;",
                "atom.min.noftz.f16 %h0, [g], %h1;",
                "atom.add.noftz.f32 %f0, [g], %f1;",
                "atom.add.min.u32 %r0, [g], 1;",
                "atom.sc.gpu.add.u32 %r0, [g], 1;",
                "atom.relaxed.acquire.add.u32 %r0, [g], 1;",
                "atom.gpu.sys.add.u32 %r0, [g], 1;",
                "atom.local.add.u32 %r0, [%d0], 1;",
                "atom.const.add.u32 %r0, [%d0], 1;",
                "atom.volatile.add.u32 %r0, [g], 1;",
                "atom.add.ftz.f32 %f0, [g], %f1;",
                "atom.global.add.u32 %r0, [s], 1;",
                "atom.add.v2.u32 {%r0, %r1}, [g], {%r0, %r1};",
                "atom.shared.add.v2.f32 {%f0, %f1}, [s], {%f1, %f2};",
                "atom.add.u32 %r0, [g], 1, %d0;",
                "atom.add.L2::cache_hint.u32 %r0, [g], 1;",
                "atom.shared.add.L2::cache_hint.u32 %r0, [s], 1, %d0;",
                "atom.add.u32 %d0, [g], 1;",
                "atom.cas.b32 %r0, [g], 1;",
                "atom.add.u32 %r0, [%f0], 1;"}},
        Family{"Reduction",
               {"red.relaxed.sys.global.add.f64 [g], %g0;", "red.shared.or.b64 [s], 1;",
                "red.global.min.noftz.v2.bf16x2 [g], {%r0, %r1};"},
               {"red.u32 [g], 1;", "red.acquire.gpu.add.u32 [g], 1;", "red.acq_rel.gpu.add.u32 [g], 1;",
                "red.exch.b32 [g], 1;", "red.cas.b32 [g], 1, 2;", "red.add.s64 [g], 1;", "red.or.u32 [g], 1;",
                "red.dec.s32 [g], 1;", "red.add.f16x2 [g], %r0;", "red.weak.add.u32 [g], 1;",
                "red.local.add.u32 [%d0], 1;", "red.shared.add.u32 [g], 1;", "red.add.u32 %r0, [g], 1;"}},
        Family{"AsynchronousCopy",
               {"cp.async.ca.shared.global [s], [g], 4;", "cp.async.cg.shared::cta.global.L2::128B [s], [g], 16, 8;",
                "cp.async.commit_group;", "cp.async.wait_group 1;", "cp.async.wait_all;",
                "cp.async.mbarrier.arrive.noinc.shared.b64 [s];"},
               {"cp.async;",
                "cp.ca.shared.global [s], [g], 4;",
                "cp.async.shared.global [s], [g], 16;",
                "cp.async.cs.shared.global [s], [g], 16;",
                "cp.async.ca.global.shared [g], [s], 16;",
                "cp.async.ca.global [s], [g], 16;",
                "cp.async.ca.shared.global.L1::evict_last [s], [g], 16;",
                "cp.async.cg.shared.global [s], [g], 8;",
                "cp.async.ca.shared.global [s], [g], 5;",
                "cp.async.ca.shared.global [g], [g], 16;",
                "cp.async.ca.shared.global [s], [s], 16;",
                "cp.async.ca.shared.global [s], [%g0], 16;",
                "cp.async.commit_group 1;",
                "cp.async.commit_group.read;",
                "cp.async.wait_group.read 1;",
                "cp.async.wait_group;",
                "cp.async.wait_group %r0;",
                "cp.async.wait_all 1;",
                "cp.async.mbarrier.arrive.b32 [s];",
                "cp.async.mbarrier.noinc.b64 [s];"}},
        Family{"BulkCopy",
               {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [s+128];",
                "cp.async.bulk.global.shared::cta.bulk_group [g], [s], %r0;", "cp.async.bulk.commit_group;",
                "cp.async.bulk.wait_group.read 0;", "cp.async.bulk.prefetch.L2.global [g], 32;"},
               {"cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [g], [s], 16, [s+128];",
                "cp.async.bulk.shared::cta.global.bulk_group [s], [g], 16;",
                "cp.async.bulk.shared::cluster.global [s], [g], 16;",
                "cp.async.bulk.global.global.bulk_group [g], [g], 16;",
                "cp.async.bulk.shared.global.mbarrier::complete_tx::bytes [s], [g], 16, [s+128];",
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [g], [g], 16, [s+128];",
                "cp.async.bulk.global.shared::cta.bulk_group [g], [g], 16;", "cp.async.bulk.wait_all;",
                "cp.async.bulk.commit_group 0;", "cp.async.bulk.prefetch.L1.global [g], 32;",
                "cp.async.bulk.prefetch.L2.global [s], 32;", "cp.async.bulk.prefetch.L2.global [g];"}},
        Family{"BulkReduction",
               {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.or.b64 [g], [s], 16, %d0;",
                counted("cp.reduce.async.bulk.shared::cluster.shared::cta", ".min.u32 [s], [s], 16, [s+128];")},
               {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [g], [s], 16;",
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.u32 [g], [s], 16;",
                counted("cp.reduce.async.bulk.shared::cluster.shared::cta", ".and.b64 [s], [s], 16, [s+128];"),
                counted("cp.reduce.async.bulk.shared::cluster.shared::cta", ".min.s64 [s], [s], 16, [s+128];")}},
        Family{"Multicast",
               {counted("cp.async.bulk.shared::cluster.global", ".multicast::cluster [s], [g], 16, [s+128], %h0;")},
               {counted("cp.async.bulk.shared::cta.global", ".multicast::cluster [s], [g], 16, [s+128], %h0;"),
                counted("cp.async.bulk.shared::cluster.global", ".multicast::cluster [s], [g], 16, [s+128];"),
                "cp.async.bulk.global.shared::cta.bulk_group.multicast::cluster [g], [s], 16, %h0;"}},
        Family{
            "TensorCopy",
            {counted("cp.async.bulk.tensor.1d.shared::cluster.global", " [s], [%d0, {%r0}], [s+128];"),
             counted("cp.async.bulk.tensor.2d.shared::cta.global.tile", " [s], [%d0, {%r0, %r1}], [s+128];"),
             counted("cp.async.bulk.tensor.5d.shared::cluster.global.im2col",
                     ".multicast::cluster.L2::cache_hint [s], [%d0, {%r0, %r1, %r2, %r3, %r4}], [s+128], {%h1, %h2, "
                     "%h3}, %h0, %d1;"),
             "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%d0, {%r0, %r1, %r2}], [s];",
             "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%d0, {%r0, %r1}], [s];",
             "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%d0, {%r0, %r1, %r2}], {%h0};"},
            {counted("cp.async.bulk.tensor.shared::cluster.global", " [s], [%d0, {%r0}], [s+128];"),
             counted("cp.async.bulk.tensor.2d.shared::cluster.global", " [s], [%d0, {%r0}], [s+128];"),
             "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], [s+128];",
             counted("cp.async.bulk.tensor.1d.shared::cluster.global", " [s], [%d0, {%f0}], [s+128];"),
             counted("cp.async.bulk.tensor.1d.shared::cluster.global", " [g], [%d0, {%r0}], [s+128];"),
             counted("cp.async.bulk.tensor.2d.shared::cluster.global.im2col",
                     " [s], [%d0, {%r0, %r1}], [s+128], {%h0};"),
             counted("cp.async.bulk.tensor.3d.shared::cluster.global.im2col", " [s], [%d0, {%r0, %r1, %r2}], [s+128];"),
             "cp.async.bulk.tensor.1d.global.shared::cta.mbarrier::complete_tx::bytes [%d0, {%r0}], [s];",
             "cp.reduce.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d0, {%r0, %r1}], [s];",
             "cp.reduce.async.bulk.tensor.2d.global.shared::cta.exch.bulk_group [%d0, {%r0, %r1}], [s];"}},
        Family{
            "TensorMap",
            {"prefetch.tensormap [%d0];", "fence.proxy.tensormap::generic.release.gpu;",
             "fence.proxy.tensormap::generic.acquire.gpu [%d0], 128;",
             "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [s], 128;"},
            {"prefetch.shared.tensormap [%d0];", "fence.proxy.tensormap::generic.acquire.gpu;",
             "fence.proxy.tensormap::generic.acquire.gpu [%d0], 64;", "fence.proxy.tensormap::generic.gpu;",
             "tensormap.replace.tile.rank.global.b1024.b64 [%d0], %d1;",
             "tensormap.replace.tile.rank.global.b32 [%d0], %r1;",
             "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu [%d0], [s], 128;"}},
        Family{"AsynchronousStore",
               {"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r0], %r1, [%r2];",
                "st.async.weak.mbarrier::complete_tx::bytes.v2.f32 [%r0], {%f0, %f1}, [%r2];",
                "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r0], %r1, [%r2];"},
               {"st.async.shared::cluster.u32 [%r0], %r1, [%r2];",
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r0], %r1;",
                "st.async.global.mbarrier::complete_tx::bytes.u32 [%d0], %r1, [%r2];",
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u64 [%r0], {%d0, %d1, %d2, %d3}, [%r2];",
                "red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r0], %r1, [%r2];",
                "red.async.relaxed.cluster.mbarrier::complete_tx::bytes.min.u64 [%r0], %d1, [%r2];",
                "red.async.relaxed.gpu.mbarrier::complete_tx::bytes.add.u32 [%r0], %r1, [%r2];"}},
        Family{"CacheHints",
               {"prefetch.global.L2 [g];", "prefetchu.L1 [%d0];", "applypriority.global.L2::evict_normal [%d0], 128;",
                "discard.global.L2 [%d0], 128;", "createpolicy.fractional.L2::evict_last.b64 %d0, 0.5;"},
               {"prefetch.shared.L1 [s];", "prefetch.global [g];", "prefetch.L1.L2 [g];", "prefetch.global.L1 [s];",
                "prefetch.L1 [%f0];", "prefetchu.L2 [%d0];", "applypriority.global [%d0], 128;",
                "discard.global.L1 [%d0], 128;", "discard.global.L2 [%d0], 64;",
                "createpolicy.fractional.L2::evict_last.b32 %r0;", "createpolicy.L2::evict_last.b64 %d0;",
                "createpolicy.fractional.L2::evict_last.b64 %g0;"}},
        Family{
            "Multimem",
            {"multimem.ld_reduce.relaxed.gpu.global.add.u32 %r0, [g];", "multimem.ld_reduce.weak.and.b64 %d0, [%d1];",
             "multimem.ld_reduce.add.acc::f32.v2.f16x2 {%r0, %r1}, [%d0+16];",
             "multimem.ld_reduce.min.bf16x2 %r0, [g];", "multimem.st.release.sys.global.s64 [g], %d1;",
             "multimem.st.f32 [%d0], %f1;", "multimem.st.u32 [g], 5;", "multimem.red.add.v2.f16 [%d0], {%h1, %h2};",
             "multimem.red.global.xor.b32 [%d0], %r1;", "multimem.red.relaxed.cta.max.v2.bf16x2 [g], {%r1, %r2};"},
            {"multimem.add.u32 [g], %r0;",
             "multimem.ld_reduce.u32 %r0, [g];",
             "multimem.st.add.u32 [g], %r0;",
             "multimem.ld_reduce.relaxed.add.u32 %r0, [g];",
             "multimem.ld_reduce.weak.gpu.add.u32 %r0, [g];",
             "multimem.ld_reduce.gpu.add.u32 %r0, [g];",
             "multimem.st.acquire.gpu.u32 [g], %r0;",
             "multimem.red.weak.add.u32 [g], %r0;",
             "multimem.ld_reduce.release.gpu.add.u32 %r0, [g];",
             "multimem.ld_reduce.shared.add.u32 %r0, [s];",
             "multimem.red.add.u32 [%r0], %r1;",
             "multimem.ld_reduce.add.s64 %d0, [g];",
             "multimem.ld_reduce.add.b32 %r0, [g];",
             "multimem.ld_reduce.and.u32 %r0, [g];",
             "multimem.ld_reduce.min.f32 %f0, [g];",
             "multimem.ld_reduce.add.f16 %h0, [g];",
             "multimem.ld_reduce.add.v8.f16x2 {%r0, %r1, %r2, %r3, %r0, %r1, %r2, %r3}, [g];",
             "multimem.ld_reduce.add.v2.f64 {%g0, %g1}, [g];",
             "multimem.ld_reduce.min.acc::f32.f16x2 %r0, [g];",
             "multimem.ld_reduce.add.acc::f32.f32 %f0, [g];",
             "multimem.red.min.f16x2 [g], %r0;",
             "multimem.red.inc.u32 [g], %r0;",
             "multimem.red.exch.b32 [g], %r0;",
             "multimem.ld_reduce.add.noftz.f16x2 %r0, [g];",
             "multimem.st.v2.u32 [g], {%r0, %r1};",
             "multimem.st.b16 [g], %h0;",
             "multimem.st.u32 [g], %d0;",
             "multimem.ld_reduce.add.u32 %d0, [g];",
             "multimem.ld_reduce.add.u32 _, [g];",
             "multimem.ld_reduce.add.v2.f16x2 %r0, [g];",
             "multimem.ld_reduce.add.f16x2 {%r0, %r1}, [g];",
             "multimem.red.add.u32 %r2, [g], %r0;",
             "multimem.st.u32 [g];"}},
        Family{"LoadAndStore",
               {"ld.global.L1::evict_last.L2::128B.u32 %r0, [g];", "st.relaxed.cluster.global.u32 [g], %r0;",
                "ldu.global.v4.f32 {%f0, %f1, %f2, _}, [g];"},
               {"ld.shared.L1::evict_last.u32 %r0, [s];", "ld.const.L2::64B.u32 %r0, [%d0];",
                "st.shared.L2::cache_hint.u32 [s], %r0, %d0;", "st.nc.u32 [g], %r0;", "ld.release.gpu.u32 %r0, [g];",
                "st.acquire.gpu.u32 [g], %r0;", "ld.u32 %r0, [%f0];", "ld.u32 %r0, [%p0];", "st.u32 [%q0], %r0;",
                "ld.weak.global.nc.u32 %r0, [g];", "ld.global.ca.L1::evict_last.u32 %r0, [g];", "ld.gpu.b128 %q0, [g];",
                "ld.weak.relaxed.gpu.b128 %q0, [g];", "ld.volatile.local.b128 %q0, [%d0];", "ldu.shared.u32 %r0, [s];",
                "ld.sync.u32 %r0, [g];"}},
        Family{"AddressConversion",
               {"cvta.global.u64 %d0, g;", "cvta.to.shared.u64 %d0, %d1;", "isspacep.shared %p0, %d1;"},
               {"cvta.u64 %d0, %d1;", "cvta.global.b64 %d0, %d1;", "cvta.global.shared.u64 %d0, %d1;",
                "cvta.from.global.u64 %d0, %d1;", "cvta.global.u64 %d0, %g1;", "cvta.global.u64 %d0, s;",
                "cvta.to.to.global.u64 %d0, %d1;", "isspacep %p0, %d1;", "isspacep.to.global %p0, %d1;",
                "isspacep.global.u64 %p0, %d1;", "isspacep.global.local %p0, %d1;", "isspacep.global %p0, %g1;",
                "isspacep.global %r0, %d1;"}},
        Family{"Stack",
               {"alloca.u64 %d0, 16, 8;", "stacksave.u64 %d0;", "stackrestore.u64 %d0;"},
               {"alloca %d0, 16;", "alloca.b64 %d0, 16;", "alloca.u64 %d0, 16, 3;", "alloca.local.u64 %d0, 16;",
                "alloca.u64 %g0, 16;", "stacksave.s64 %d0;", "stackrestore.u64 8;"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Control, Refusals,
    testing::Values(
        Family{"ComparisonAndConversion",
               {"setp.eq.b16 %p0|%p1, %h0, %h1;", "setp.lt.and.f16 %p0, %h0, %h1, %p1;",
                "set.ne.u32.b64 %r0, %d0, %d1;", "cvt.rn.bf16.s32 %h0, %r0;"},
               {"setp.lt.b16 %p0, %h0, %h1;", "setp.lt.f16 %p0|%p1, %h0, %h1;", "set.lt.u32.b32 %r0, %r1, %r2;",
                "cvt.rn.bf16.s16 %h0, %r0;", "cvt.rzi.s8.bf16 %r0, %h0;"}},
        Family{"BranchAndCall",
               {"bra.uni L;", "call.uni f;", "ret.uni;"},
               {"bra.sync L;", "bra.u32 L;", "bra %r0;", "call.sync f;", "call.u32 f;", "ret.sync;", "ret.u32;",
                "ret 1;", "brx.uni %r0, L;"}},
        Family{"ExitTrapAndBreakpoint",
               {"exit;", "trap;", "brkpt;"},
               {"exit.uni;", "exit.u32;", "exit 1;", "trap.uni;", "trap 1;", "trap.b32;", "brkpt.sync;", "brkpt 0;"}},
        Family{"SleepEventAndLaunch",
               {"nanosleep.u32 %r0;", "pmevent 3;", "pmevent.mask 0x300;", "griddepcontrol.wait;"},
               {"nanosleep 1;", "nanosleep.u64 %d0;", "nanosleep.s32 1;", "nanosleep.u32 %f0;", "pmevent.u32 3;",
                "pmevent 16;", "pmevent %r0;", "griddepcontrol;", "griddepcontrol.wait.launch_dependents;",
                "griddepcontrol.sync;", "griddepcontrol.wait 1;"}}),
    name_of);

// Packed and narrow formats lie in registers of bits alone, of just their size.
INSTANTIATE_TEST_SUITE_P(
    Packed, Refusals,
    testing::Values(
        Family{"OutOfBounds",
               {"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", "fma.rn.oob.relu.bf16x2 %r0, %r1, %r2, %r3;",
                "fma.rn.oob.sat.f16x2 %r0, %r1, %r2, %r3;"},
               {"fma.oob.f16 %h0, %h1, %h2, %h3;", "fma.rn.ftz.oob.f16 %h0, %h1, %h2, %h3;",
                "fma.rn.oob.sat.bf16 %h0, %h1, %h2, %h3;", "fma.rn.oob.sat.relu.f16 %h0, %h1, %h2, %h3;",
                "fma.rn.oob.f32 %f0, %f1, %f2, %f0;", "add.rn.oob.f16 %h0, %h1, %h2;",
                "fma.rn.oob.f16 %h0, %h1, %h2, 0x3c00;"}},
        Family{"PairsOfFloats",
               {"add.f32x2 %d0, %d1, %d2;", "sub.rp.ftz.f32x2 %d0, %d1, %d2;", "mul.rz.f32x2 %d0, %d1, %d2;",
                "fma.rm.ftz.f32x2 %d0, %d1, %d2, %d3;"},
               {"add.sat.f32x2 %d0, %d1, %d2;", "fma.f32x2 %d0, %d1, %d2, %d3;", "mad.rn.f32x2 %d0, %d1, %d2, %d3;",
                "div.rn.f32x2 %d0, %d1, %d2;", "neg.f32x2 %d0, %d1;", "min.f32x2 %d0, %d1, %d2;",
                "add.f32x2 %g0, %g1, %g2;", "add.f32x2 %d0, %d1, %r0;", "add.f32x2 %d0, %d1, 0;",
                "add.f32x2 %d0, %d1, 1.0;", "add.f32x2 %d0, %d1, {%f0, %f1};"},
               "sm_100"},
        Family{"ExtremesOfThree",
               {"min.f32 %f0, %f1, %f2, %f0;", "max.ftz.NaN.abs.f32 %f0, %f1, %f2, %f0;",
                "max.abs.f32 %f0, 1.0, %f2, -2.0;"},
               {"min.f64 %g0, %g1, %g2, %g0;", "min.f16 %h0, %h1, %h2, %h0;", "max.s32 %r0, %r1, %r2, %r0;",
                "min.xorsign.abs.f32 %f0, %f1, %f2, %f0;", "max.abs.f32 %f0, %f1, %f2;", "min3.f32 %f0, %f1, %f2, %f0;",
                "min.f32 %f0, %f1, %f2, %f0, %f1;", "min.f32 %f0, %f1;"},
               "sm_100"},
        Family{
            "MixedPrecision",
            {"add.f32.f16 %f0, %h1, %f2;", "sub.rz.sat.f32.bf16 %f0, %h1, %r2;", "fma.rp.f32.bf16 %f0, %h1, %h2, 1.0;"},
            {"add.ftz.f32.f16 %f0, %h1, %f2;", "mul.f32.f16 %f0, %h1, %f2;", "fma.f32.f16 %f0, %h1, %h2, %f0;",
             "mad.rn.f32.f16 %f0, %h1, %h2, %f0;", "add.f32.f16 %f0, %r1, %f2;", "add.f32.f16 %f0, 0x3c00, %f2;",
             "add.f32.f16x2 %f0, %r1, %f2;", "add.f32.f16 %f0, %i1, %f2;"},
            "sm_100"},
        Family{"NarrowFromFloats",
               {"cvt.rn.satfinite.e4m3x2.f32 %h0, 1.0, %r1;", "cvt.rn.satfinite.relu.e2m1x2.f32 %c0, %f0, %f1;",
                "cvt.rn.satfinite.e2m3x2.bf16x2 %h0, %r1;", "cvt.rn.satfinite.e2m1x2.f16x2 %c0, %r1;",
                "cvt.rz.ue8m0x2.f32 %h0, %f0, %f1;", "cvt.rp.satfinite.ue8m0x2.bf16x2 %h0, %r1;",
                "cvt.rn.satfinite.s2f6x2.f32 %h0, %f0, %f1;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.bf16x2 %h0, %r1, %h1;"},
               {"cvt.rn.e2m1x2.f32 %c0, %f0, %f1;",
                "cvt.rz.satfinite.e2m1x2.f32 %c0, %f0, %f1;",
                "cvt.satfinite.e2m3x2.f32 %h0, %f0, %f1;",
                "cvt.rn.satfinite.e2m1x2.f32 %h0, %f0, %f1;",
                "cvt.rn.satfinite.e2m1x2.f32 %c0, %d0, %f1;",
                "cvt.rn.satfinite.e2m1x2.f32 %c0, %f0;",
                "cvt.rn.satfinite.e4m3x2.f32 %h0, %u1, %f1;",
                "cvt.rn.satfinite.e4m3x2.f32 %h0, 1, %f1;",
                "cvt.rn.satfinite.e4m3x2.f32 %r0, %f0, %f1;",
                "cvt.rn.satfinite.e4m3x2.f32 %i0, %f0, %f1;",
                "cvt.rn.satfinite.e4m3x2.f16x2 %h0, %d1;",
                "cvt.rn.satfinite.e2m3x2.f16x2 %h0, %f1;",
                "cvt.rn.ue8m0x2.f32 %h0, %f0, %f1;",
                "cvt.rz.relu.ue8m0x2.f32 %h0, %f0, %f1;",
                "cvt.rz.ue8m0x2.f16x2 %h0, %r1;",
                "cvt.rn.satfinite.s2f6x2.f16x2 %h0, %r1;",
                "cvt.rn.satfinite.s2f6x2.f32 %h0, %f0, %f1, %h1;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %h0, %f0, %f1;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %h0, %f0, %f1, 0x7f7f;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %h0, %f0, %f1, %i1;",
                "cvt.rn.satfinite.scaled::n2::ue8m0.e4m3x2.f32 %h0, %f0, %f1, %h1;",
                "cvt.rn.satfinite.e2m1x4.f32 %h0, {%f0, %f1, %f0, %f1};"},
               "sm_100a"},
        Family{
            "NarrowToHalves",
            {"cvt.rn.f16x2.e2m1x2 %r0, %c1;", "cvt.rn.relu.f16x2.e3m2x2 %r0, %h1;", "cvt.rn.bf16x2.ue8m0x2 %r0, %h1;",
             "cvt.rn.satfinite.relu.bf16x2.e5m2x2 %r0, %h1;", "cvt.rn.scaled::n2::ue8m0.bf16x2.e2m1x2 %r0, %c1, %h1;",
             "cvt.rn.satfinite.bf16x2.s2f6x2 %r0, %h1;"},
            {"cvt.rn.satfinite.f16x2.e2m1x2 %r0, %c1;", "cvt.f16x2.e2m1x2 %r0, %c1;", "cvt.rn.f16x2.e2m1x2 %r0, %h1;",
             "cvt.rn.f16x2.e2m1x2 %r0, 5;", "cvt.rn.f16x2.e2m1x2 %d0, %c1;", "cvt.rn.f16x2.e4m3x2 %r0, %r1;",
             "cvt.rn.f16x2.e4m3x2 %r0, %i1;", "cvt.rn.f16x2.e4m3x2 %u0, %h1;", "cvt.rn.f16x2.ue8m0x2 %r0, %h1;",
             "cvt.rn.relu.bf16x2.ue8m0x2 %r0, %h1;", "cvt.rn.scaled::n2::ue8m0.bf16x2.ue8m0x2 %r0, %h0, %h1;",
             "cvt.rn.scaled::n2::ue8m0.f16x2.e4m3x2 %r0, %h0, %h1;", "cvt.rn.f16x2.s2f6x2 %r0, %h1;",
             "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r0, %h1, %r2;", "cvt.rn.f32.e4m3x2 %f0, %h1;"},
            "sm_100a"},
        Family{"RandomBits",
               {"cvt.rs.f16x2.f32 %r0, 1.0, %f1, %r2;", "cvt.rs.f16x2.f32 %d0, %f0, %f1, %r2;",
                "cvt.rs.relu.satfinite.bf16x2.f32 %r0, %f0, %f1, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %r1, 1.5, %f1}, %r2;",
                "cvt.rs.relu.satfinite.e2m1x4.f32 %h0, {%f0, %f1, %f0, %f1}, %r2;"},
               {"cvt.rs.f16x2.f32 %r0, %f0, %f1;", "cvt.rs.f16x2.f32 %r0, %f0, %f1, 5;",
                "cvt.rs.f16x2.f32 %r0, %f0, %f1, %u2;", "cvt.rs.f16x2.f32 %r0, %f0, %f1, %d2;",
                "cvt.rs.rn.f16x2.f32 %r0, %f0, %f1, %r2;", "cvt.rs.f16.f32 %h0, %f0, %r2;",
                "cvt.rs.bf16x2.f32 %d0, %f0, %f1, %r2;", "cvt.rs.e4m3x4.f32 %r0, {%f0, %f1, %f0, %f1}, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1, %f0}, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %r0, %f0, %f1, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %d0, {%f0, %f1, %f0, %f1}, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %r0, {%d0, %f1, %f0, %f1}, %r2;",
                "cvt.rs.satfinite.e2m1x4.f32 %r0, {%f0, %f1, %f0, %f1}, %r2;",
                "cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1, %f0, %f1};",
                "cvt.rs.satfinite.e2m1x2.f32 %c0, %f0, %f1, %r2;"},
               "sm_100a"},
        Family{"TensorFloats",
               {"cvt.rn.satfinite.tf32.f32 %r0, %f0;", "cvt.rna.tf32.f32 %r0, %f0;"},
               {"cvt.rna.relu.tf32.f32 %r0, %f0;", "cvt.rn.tf32.f32 %d0, %f0;", "cvt.rn.tf32.f32 %r0, %d0;",
                "cvt.rn.tf32.f32 %u0, %f0;", "cvt.rn.bf16x2.f32 %d0, %f0, %f1;"},
               "sm_100"}),
    name_of);

}  // namespace
}  // namespace cuprum::simulator::test
