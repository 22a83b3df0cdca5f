// Matrix instructions that cannot be executed, and those that are refused. What they compute:
// tests/conformance/execution/matrix_test.cpp, tests/conformance/ptx/forms/matrix.txt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;

std::string module_of(const std::string& body) {
    return ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
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

std::optional<Fault> run(const std::string& body, uint32_t threads = 32, Checks checks = {}) {
    SimulatedDevice device(hopper(checks));
    device.load(module_of(body));
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
             std::pair{"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1}, {%r1}, {%f0, %f0};",
                       LoadError::Kind::unsupported_ptx},
             std::pair{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r1, "
                       "%r2}, {%f0, %f0, %f0, %f0}, %r1, 0;",
                       LoadError::Kind::unsupported_ptx},
             std::pair{"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {%r3, %r4}, {%r1}, {%r1}, {%r3, %r4};",
                       LoadError::Kind::unsupported_ptx},
             std::pair{"wgmma.fence.sync.aligned;", LoadError::Kind::unsupported_ptx},
         }) {
        LoadError::Kind found{};
        const std::string log = device.load_error(module_of(instruction), &found);
        EXPECT_FALSE(log.empty()) << instruction;
        EXPECT_EQ(found, kind) << instruction << '\n' << log;
        EXPECT_THAT(log, HasSubstr("line 8")) << instruction;
    }
}

}  // namespace
}  // namespace cuprum::simulator::test
