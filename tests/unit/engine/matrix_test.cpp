// Matrix instructions that cannot be executed, and those that are refused. What they compute:
// tests/conformance/execution/matrix_test.cpp, tests/conformance/ptx/forms/matrix.txt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string module_of(const std::string& body, const std::string& target = "sm_90") {
    return ".version 8.4\n.target " + target +
           "\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
           ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %d<9>; .reg .f32 %f<9>; .shared .align 16 .b8 s[1024];\n"
           "mov.u32 %r0, %laneid; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.f32 %f0, 0f00000000; ld.param.u64 %d0, [out];\n" +
           body + "\nret;\n}\n";
}

DeviceModel hopper(Checks checks = {}) {
    DeviceModel model;
    model.compute_capability_major = 9;
    model.checks = checks;
    return model;
}

std::optional<Fault> run(const std::string& body, uint32_t threads = 32, Checks checks = {},
                         const std::string& target = "sm_90") {
    SimulatedDevice device(hopper(checks));
    device.load(module_of(body, target));
    return device.launch("k", {{1}, {threads}}, Arguments(device.upload(std::vector<uint32_t>(256, 1))));
}

constexpr const char* product =
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r1}, {%f0, %f0, %f0, %f0};";

TEST(MatrixFaults, AWarpIsWhole) {
    EXPECT_FALSE(run(product).has_value());
    const auto half = run(product, 16);
    ASSERT_TRUE(half.has_value());
    EXPECT_EQ(half->kind, Fault::Kind::illegal_instruction);
    EXPECT_THAT(half->message, HasSubstr("all 32 threads of a warp, at the same place; here are 16"));
}

TEST(MatrixFaults, LanesMeetBeforeTheProduct) {
    EXPECT_FALSE(run("setp.lt.u32 %p0, %r0, 7; @%p0 bra L; nanosleep.u32 5; L:\n" + std::string(product)).has_value());
}

TEST(MatrixFaults, LanesAtDifferentPlacesAreNoWarp) {
    const auto fault = run("setp.lt.u32 %p0, %r0, 7; @%p0 bra L;\n" + std::string(product) + "bra E; L:\n" +
                           std::string(product) + " E:");
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->message, HasSubstr("at the same place"));
}

TEST(MatrixFaults, AGuardThatIsFalseSkipsTheProduct) {
    EXPECT_FALSE(run("setp.eq.u32 %p0, %r0, 99; @%p0 " + std::string(product), 16).has_value());
}

TEST(MatrixFaults, RowsAreAlignedAndWithinMemory) {
    const auto misaligned = run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [s+8];");
    ASSERT_TRUE(misaligned.has_value());
    EXPECT_EQ(misaligned->kind, Fault::Kind::misaligned_address);
    const auto outside = run("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [s+1024];");
    ASSERT_TRUE(outside.has_value());
    EXPECT_EQ(outside->kind, Fault::Kind::illegal_address);
    const auto packed = run("wmma.load.a.sync.aligned.row.m8n8k32.u4 {%r3}, [%d0+8];");
    ASSERT_TRUE(packed.has_value());
    EXPECT_EQ(packed->kind, Fault::Kind::misaligned_address);
    // Eight lines of 16 bytes, 128 elements of a bit apart at a stride of 128 and 16 bytes: 1024 bytes hold just 64 of
    // them.
    EXPECT_FALSE(run("wmma.load.b.sync.aligned.col.m8n8k128.b1 {%r3}, [%d0+896], 128;").has_value());
    const auto beyond = run("wmma.load.b.sync.aligned.col.m8n8k128.b1 {%r3}, [%d0+896], 256;");
    ASSERT_TRUE(beyond.has_value());
    EXPECT_EQ(beyond->kind, Fault::Kind::illegal_address);
    const auto below = run("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%d0+1008], {%d1, %d2}, 8;");
    ASSERT_TRUE(below.has_value());
    EXPECT_EQ(below->kind, Fault::Kind::illegal_address);
}

TEST(MatrixFaults, AllLanesNameOneMatrix) {
    const auto fault =
        run("mul.wide.u32 %d1, %r0, 16; add.u64 %d0, %d0, %d1;\n"
            "wmma.load.c.sync.aligned.row.m8n8k4.f64 {%d2, %d3}, [%d0], 8;");
    ASSERT_TRUE(fault.has_value());
    EXPECT_THAT(fault->message, HasSubstr("another matrix"));
}

TEST(MatrixFaults, WhatIsStoredCountsAsWritten) {
    Checks checks;
    checks.memory = true;
    const std::string rest = "ld.shared.b32 %r4, [s]; st.global.b32 [%d0], %r4;";
    EXPECT_FALSE(
        run("stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {%r1}; bar.warp.sync -1;" + rest, 32, checks).has_value());
    EXPECT_TRUE(run(rest, 32, checks).has_value());
}

TEST(MatrixRefusals, FormsThatDoNotExistOrAreNotSimulated) {
    SimulatedDevice device(hopper());
    for (const auto& [instruction, kind] : {
             std::pair{"mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r1}, "
                       "{%f0, %f0, %f0, %f0};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1}, {%r1}, {%f0, "
                       "%f0, %f0, %f0};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%d1, %f2, %f3, %f4}, {%r1, %r2}, {%r1}, "
                       "{%f0, %f0, %f0, %f0};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"wmma.mma.sync.aligned.row.m8n8k4.f64.f64.f64.f64 {%d1, %d2}, {%d3}, {%d3}, {%d1, %d2};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [s];", LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m8n8k4.row.f32.f16.f16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, "
                       "%r2}, {%r1, %r2}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r1, %r2}, "
                       "{%f1, %f2, %f3, %f4};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1, %r2}, "
                       "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"mma.sync.aligned.m8n8k4.col.row.f64.f64.f64.f64 {%d1, %d2}, {%d3}, {%d4}, {%d1, %d2};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"wmma.mma.xor.popc.sync.aligned.col.row.m8n8k128.s32.b1.b1.s32 {%r3, %r4}, {%r1}, {%r1}, {%r3, "
                       "%r4};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.satfinite.s32.b1.b1.s32 {%r3, %r4}, {%r1}, "
                       "{%r1}, {%r3, %r4};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.u4.s32 {%r3, %r4}, {%r1}, {%r1}, {%r3, %r4};",
                       LoadError::Kind::invalid_ptx},
             std::pair{"wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r3}, [%d0];", LoadError::Kind::invalid_ptx},
             std::pair{"wmma.load.b.sync.aligned.row.m8n8k128.b1 {%r3}, [%d0];", LoadError::Kind::invalid_ptx},
             std::pair{"wgmma.fence.sync.aligned;", LoadError::Kind::invalid_ptx},
         }) {
        LoadError::Kind found{};
        const std::string log = device.load_error(module_of(instruction), &found);
        EXPECT_FALSE(log.empty()) << instruction;
        EXPECT_EQ(found, kind) << instruction << '\n' << log;
        EXPECT_THAT(log, HasSubstr("line 8")) << instruction;
    }
}

TEST(MatrixRefusals, SparseProductsAreCheckedAsPtxasChecksThem) {
    SimulatedDevice device(hopper());
    const std::string d = " {%f1, %f2, %f3, %f4}, ", two = "{%r1, %r2}, ", four = "{%r1, %r2, %r1, %r2}, ",
                      c = "{%f0, %f0, %f0, %f0}, ", halves = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d,
                      long_halves = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + d,
                      integers = ".sync.aligned.m16n8k64.row.col.satfinite.s32.u8.s8.s32 {%r3, %r4, %r5, %r6}, " +
                                 four + four + "{%r3, %r4, %r5, %r6}, ";
    for (const std::string& instruction : {
             halves + two + two + c + "%r1, 3;",
             halves + two + two + c + "{%f1}, 0;",
             long_halves + four + four + c + "%r1, 1;",
             "mma.sp::ordered_metadata" + integers + "%r1, 0;",
         })
        EXPECT_EQ(device.load_error(module_of(instruction)), "") << instruction;
    for (const auto& [instruction, reason] : {
             std::pair{halves + two + two + c + "%r1, 4;", "a number from 0 to 3"},
             std::pair{halves + two + two + c + "%r1, -1;", "a number from 0 to 3"},
             std::pair{halves + two + two + c + "%r1, %r2;", "a number from 0 to 3"},
             std::pair{long_halves + four + four + c + "%r1, 2;", "a number from 0 to 1"},
             std::pair{"mma.sp" + integers + "%r1, 1;", "must be 0"},
             std::pair{halves + two + two + c + "5, 0;", "the metadata, must be a register"},
             std::pair{halves + two + two + c + "%d1, 0;", "%d1"},
             std::pair{halves + two + two + c + "{%r1, %r2}, 0;", "expected 1"},
             std::pair{halves + two + two + "{%f0, %f0, %f0, %f0};", "operands"},
             std::pair{halves + two + two + c + "%r1;", "operands"},
             std::pair{halves + four + two + c + "%r1, 0;", "expected 2"},
             std::pair{long_halves + four + two + c + "%r1, 0;", "expected 4"},
             std::pair{"mma.sp.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32" + d + two + two + c + "%r1, 0;",
                       "combination"},
             std::pair{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32" + d + two + two + c + "%r1, 0;",
                       "combination"},
             std::pair{"mma.sp.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + d + two + two + c +
                           "%r1, 0;",
                       "combination"},
             std::pair{"mma.sp.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" + d + "{%r1}, {%r1}, " + c + "%r1, 0;",
                       "combination"},
         }) {
        LoadError::Kind found{};
        const std::string log = device.load_error(module_of(instruction), &found);
        EXPECT_EQ(found, LoadError::Kind::invalid_ptx) << instruction << '\n' << log;
        EXPECT_THAT(log, AllOf(HasSubstr("line 8"), HasSubstr(reason))) << instruction;
    }
    EXPECT_THAT(device.load_error(module_of(halves + two + two + c + "%r1, 0;", "sm_75")), HasSubstr("sm_80"));
}

// What ptxas 13.5 takes and refuses.
TEST(MatrixRefusals, ScaledProductsAreCheckedAsPtxasChecksThem) {
    DeviceModel model;
    model.compute_capability_major = 12;
    SimulatedDevice device(model);
    const auto load = [&](const std::string& form, const std::string& rest, const std::string& target = "sm_120a") {
        const std::string b = form.starts_with("mma.sp") ? "{%r1, %r2, %r1, %r2}" : "{%r1, %r2}";
        LoadError::Kind found{};
        const std::string log = device.load_error(module_of(form + " {%f1, %f2, %f3, %f4}, {%r1, %r2, %r1, %r2}, " + b +
                                                                ", {%f0, %f0, %f0, %f0}" + rest + ";",
                                                            target),
                                                  &found);
        EXPECT_TRUE(log.empty() || found == LoadError::Kind::invalid_ptx) << form << '\n' << log;
        return log;
    };
    const std::string dense = "mma.sync.aligned.m16n8k", sparse = "mma.sp::ordered_metadata.sync.aligned.m16n8k",
                      bytes = "32.row.col.kind::mxf8f6f4.block_scale", packed = "64.row.col.kind::mxf4",
                      scales = ", %r1, {0, 0}, %r2, {0, 0}";
    using Instruction = std::pair<std::string, std::string>;
    for (const auto& [form, rest] : {
             Instruction{dense + bytes + ".f32.e4m3.e2m1.f32.ue8m0", ", {%r1}, {3, 1}, %f1, {2, 3}"},
             Instruction{dense + packed + "nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
                         ", %r1, {0, 1}, %r2, {0, 3}"},
             Instruction{"mma.sync.aligned.kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0",
                         ", %r1, {2, 1}, %r2, {0, 3}"},
             Instruction{sparse + "64.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32", ", %r1, 0"},
             Instruction{sparse + "128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", ", %r1, 0" + scales},
         })
        EXPECT_EQ(load(form, rest), "") << form << rest;
    const std::string one = dense + bytes + ".f32.e4m3.e2m1.f32.ue8m0",
                      two = dense + packed + ".block_scale.f32.e2m1.e2m1.f32.ue8m0",
                      four = dense + packed + "nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
    struct Refused {
        std::string form, rest, reason;
    };
    for (const auto& [form, rest, reason] : {
             Refused{one, ", %r1, {4, 0}, %r2, {0, 0}", "the byte must be 0, 1, 2 or 3"},
             Refused{one, ", %r1, {0, 2}, %r2, {0, 0}", "the thread must be 0 or 1"},
             Refused{one, ", %r1, {0, 0}, %r2, {0, 4}", "the thread must be 0, 1, 2 or 3"},
             Refused{one, ", %r1, {0, 0}, %r2, {-1, 0}", "the byte must be"},
             Refused{one, ", %r1, 0, %r2, {0, 0}", "{byte, thread}"},
             Refused{one, ", %r1, {0}, %r2, {0, 0}", "{byte, thread}"},
             Refused{one, ", %r1, {%r1, %r2}, %r2, {0, 0}", "%r1"},
             Refused{one, "", "operands"},
             Refused{two, ", %r1, {1, 0}, %r2, {0, 0}", "the byte must be 0 or 2"},
             Refused{four, ", %r1, {2, 0}, %r2, {0, 0}", "the byte must be 0"},
             Refused{dense + bytes + ".f32.e4m3.e2m1.f32.ue4m3", scales, "combination"},
             Refused{dense + bytes + ".scale_vec::2X.f32.e4m3.e2m1.f32.ue8m0", scales, "combination"},
             Refused{dense + packed + ".block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0", scales, "combination"},
             Refused{dense + packed + "nvf4.block_scale.f32.e2m1.e2m1.f32.ue8m0", scales, "combination"},
             Refused{dense + packed + "nvf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue4m3", scales, "combination"},
             Refused{"mma.sp.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e3m2.e2m3.f32", ", %r1, 0", "combination"},
         })
        EXPECT_THAT(load(form, rest), AllOf(HasSubstr("line 8"), HasSubstr(reason))) << form << rest;
    for (const char* const target : {"sm_120", "sm_90"})
        EXPECT_THAT(load(one, scales, target), HasSubstr("needs .target sm_120a or any later one")) << target;
}

constexpr const char* warpgroup_product =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, 0, 1, 1, 0, 0;";

std::optional<Fault> run_warpgroup(const std::string& body, uint32_t threads = 128) {
    return run("st.shared.u32 [s], %r0; mov.u64 %d1, 0x0000000400080000; mov.u64 %d2, %d1;\n" + body, threads, {},
               "sm_90a");
}

TEST(WarpgroupFaults, FourWholeWarpsMultiply) {
    EXPECT_FALSE(run_warpgroup(std::string("wgmma.fence.sync.aligned;\n") + warpgroup_product +
                               "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;")
                     .has_value());
    for (const auto& [threads, what] : {std::pair{96u, "the block has 3 warps"}, std::pair{112u, "here are 16"}}) {
        const auto fault = run_warpgroup(warpgroup_product, threads);
        ASSERT_TRUE(fault.has_value()) << threads;
        EXPECT_EQ(fault->kind, Fault::Kind::illegal_instruction);
        EXPECT_THAT(fault->message, HasSubstr(what));
    }
}

TEST(WarpgroupFaults, MatricesLieInSharedMemory) {
    const auto fault = run_warpgroup("mov.u64 %d1, 0x0000000400080040;\n" + std::string(warpgroup_product));
    ASSERT_TRUE(fault.has_value());
    EXPECT_EQ(fault->kind, Fault::Kind::illegal_address);
}

TEST(WarpgroupFaults, ThreadsAgreeOnMatricesAndScale) {
    const auto other = run_warpgroup("cvt.u64.u32 %d1, %r0;\n" + std::string(warpgroup_product));
    ASSERT_TRUE(other.has_value());
    EXPECT_THAT(other->message, HasSubstr("another matrix"));
    const auto scaled = run_warpgroup(
        "setp.lt.u32 %p1, %r0, 5;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %d1, %d2, %p1, 1, 1, 0, 0;");
    ASSERT_TRUE(scaled.has_value());
    EXPECT_THAT(scaled->message, HasSubstr("scales D otherwise"));
    const auto offset = run_warpgroup("mov.u64 %d1, 0x0002000400080000;\n" + std::string(warpgroup_product));
    ASSERT_TRUE(offset.has_value());
    EXPECT_THAT(offset->message, HasSubstr("base offset"));
}

TEST(WarpgroupRefusals, OfWhatDoesNotExistOrIsNotSimulated) {
    SimulatedDevice device(hopper());
    const std::string d = "wgmma.mma_async.sync.aligned.", sums = " {%f1, %f2, %f3, %f4}, %d1, %d2, %p0";
    for (const auto& [instruction, kind] :
         {std::pair{d + "m64n8k16.f32.f16.f16" + sums + ";", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n8k16.f32.f16.f16" + sums + ", 2, 1, 0, 0;", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n16k16.f32.f16.f16" + sums + ", 1, 1, 0, 0;", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n8k8.f32.tf32.tf32" + sums + ", 1, 1, 0, 0;", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n8k8.f32.f16.f16" + sums + ", 1, 1, 0, 0;", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n8k16.f32.f16.bf16" + sums + ", 1, 1, 0, 0;", LoadError::Kind::invalid_ptx},
          std::pair{d + "m64n8k32.f32.e4m3.e4m3.satfinite" + sums + ", 1, 1;", LoadError::Kind::invalid_ptx},
          std::pair{std::string("wgmma.wait_group.sync.aligned;"), LoadError::Kind::invalid_ptx},
          std::pair{std::string("wgmma.wait_group.sync.aligned %r0;"), LoadError::Kind::invalid_ptx},
          std::pair{std::string("wgmma.fence;"), LoadError::Kind::invalid_ptx},
          std::pair{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16" + sums + ", 0, 1, 1, 0, 0;",
                    LoadError::Kind::unsupported_ptx},
          std::pair{std::string("wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%r1, %r2, %r3, %r4}, %d1, "
                                "%d2, %p0;"),
                    LoadError::Kind::unsupported_ptx}}) {
        LoadError::Kind found{};
        const std::string log = device.load_error(module_of(instruction, "sm_90a"), &found);
        EXPECT_THAT(log, HasSubstr("line 8")) << instruction;
        EXPECT_EQ(found, kind) << instruction << '\n' << log;
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
