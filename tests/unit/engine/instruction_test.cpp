// Single instructions with results derived by hand from the PTX ISA, and what must be refused or reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_device.hpp"

namespace cuprum::simulator::test {
namespace {

using testing::HasSubstr;

std::string module_around(const std::string& body, const std::string& target = "sm_80") {
    return ".version 8.0\n.target " + target +
           "\n.address_size 64\n"
           ".visible .entry k(.param .u64 out)\n{\n"
           ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>; .reg .f64 %g<9>;\n"
           ".reg .b64 %out;\nld.param.u64 %out, [out];\n" +
           body + "\nret;\n}\n";
}

// Runs `body`, which leaves its result in %r0 (or %d0 if Wide), with one thread.
uint64_t evaluate(const std::string& body, bool wide) {
    SimulatedDevice device;
    device.load(module_around(body + (wide ? "\nst.global.b64 [%out], %d0;" : "\nst.global.b32 [%out], %r0;")));
    const uint64_t out = device.upload(std::vector<uint64_t>{0});
    const auto fault = device.launch("k", {{1}, {1}}, Arguments(out));
    EXPECT_FALSE(fault) << fault->message;
    return device.download<uint64_t>(out, 1)[0];
}
uint32_t word(const std::string& body) {
    return static_cast<uint32_t>(evaluate(body, false));
}
uint64_t wide(const std::string& body) {
    return evaluate(body, true);
}

struct Case {
    const char* body;
    uint64_t expected;
};
std::ostream& operator<<(std::ostream& out, const Case& value) {
    return out << value.body;
}

class Words : public testing::TestWithParam<Case> {};
TEST_P(Words, GivesTheIsasResult) {
    EXPECT_EQ(word(GetParam().body), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Integer, Words,
    testing::Values(
        Case{"add.s32 %r0, 0x7fffffff, 1;", 0x80000000}, Case{"add.sat.s32 %r0, 0x7fffffff, 1;", 0x7fffffff},
        Case{"sub.sat.s32 %r0, 0x80000000, 1;", 0x80000000}, Case{"mul.hi.u32 %r0, 0x80000000, 6;", 3},
        Case{"mul.hi.s32 %r0, 0x80000000, 6;", 0xfffffffd},
        Case{"mad.hi.sat.s32 %r0, 0x40000000, 4, 0x7fffffff;", 0x7fffffff}, Case{"mul24.lo.u32 %r0, 0xff000002, 3;", 6},
        Case{"mul24.hi.s32 %r0, 0x00800000, 0x00000100;", 0xffff8000}, Case{"div.s32 %r0, -7, 2;", 0xfffffffd},
        Case{"rem.s32 %r0, -7, 2;", 0xffffffff}, Case{"rem.u32 %r0, 7, 4;", 3}, Case{"sad.u32 %r0, 3, 10, 100;", 107},
        Case{"abs.s32 %r0, -5;", 5}, Case{"min.s32 %r0, -1, 1;", 0xffffffff}, Case{"min.u32 %r0, 0xffffffff, 1;", 1},
        Case{"max.s32 %r0, -1, 1;", 1},
        Case{"dp4a.s32.s32 %r0, 0x01ff0203, 0x02030405, 10;", 32},      // 1*2 - 1*3 + 2*4 + 3*5 + 10
        Case{"dp2a.lo.u32.u32 %r0, 0x00020003, 0x00000405, 1;", 24}));  // 3*5 + 2*4 + 1

INSTANTIATE_TEST_SUITE_P(Carry, Words,
                         testing::Values(Case{"add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r0, 5, 6;", 12},
                                         Case{"add.cc.u32 %r1, 1, 1; addc.u32 %r0, 5, 6;", 11},
                                         Case{"sub.cc.u32 %r1, 0, 1; subc.u32 %r0, 5, 2;", 2},
                                         Case{"sub.cc.u32 %r1, 1, 1; subc.u32 %r0, 5, 2;", 3},
                                         Case{"mad.lo.cc.u32 %r1, 0xffffffff, 2, 2; madc.hi.u32 %r0, 0xffffffff, 2, 7;",
                                              9}));  // 1 + 7 + carry

INSTANTIATE_TEST_SUITE_P(
    Bits, Words,
    testing::Values(
        Case{"shl.b32 %r0, 1, 32;", 0}, Case{"shr.u32 %r0, 0x80000000, 40;", 0},
        Case{"shr.s32 %r0, 0x80000000, 40;", 0xffffffff}, Case{"shf.l.wrap.b32 %r0, 0x80000000, 1, 33;", 3},
        Case{"shf.l.clamp.b32 %r0, 0x12345678, 1, 40;", 0x12345678},
        Case{"shf.r.clamp.b32 %r0, 1, 0x87654321, 40;", 0x87654321}, Case{"bfe.u32 %r0, 0x12345678, 8, 8;", 0x56},
        Case{"bfe.s32 %r0, 0x0000f000, 12, 4;", 0xffffffff}, Case{"bfe.s32 %r0, 0x80000000, 28, 10;", 0xfffffff8},
        Case{"bfe.u32 %r0, 5, 3, 0;", 0}, Case{"bfi.b32 %r0, 0xf, 0, 4, 3;", 0x70},
        Case{"bfi.b32 %r0, 0xf, 9, 40, 3;", 9}, Case{"bfind.u32 %r0, 0x00010000;", 16},
        Case{"bfind.s32 %r0, -1;", 0xffffffff}, Case{"bfind.shiftamt.u32 %r0, 0x00010000;", 15},
        Case{"brev.b32 %r0, 3;", 0xc0000000}, Case{"clz.b32 %r0, 0;", 32}, Case{"popc.b32 %r0, 0xf0f;", 8},
        Case{"bmsk.clamp.b32 %r0, 4, 8;", 0xff0}, Case{"bmsk.wrap.b32 %r0, 36, 8;", 0xff0},
        Case{"bmsk.clamp.b32 %r0, 32, 1;", 0}, Case{"szext.clamp.s32 %r0, 0xff, 8;", 0xffffffff},
        Case{"szext.clamp.u32 %r0, 0xfff, 8;", 0xff}, Case{"prmt.b32 %r0, 0x33221100, 0x77665544, 0x7150;", 0x77115500},
        Case{"prmt.b32 %r0, 0x00008000, 0, 0x9999;", 0xffffffff},
        Case{"prmt.b32.f4e %r0, 0x33221100, 0x77665544, 2;", 0x55443322},
        Case{"prmt.b32.rc16 %r0, 0x33221100, 0, 1;", 0x33223322}, Case{"lop3.b32 %r0, 0xf0, 0xcc, 0xaa, 0x96;", 0x96},
        Case{"lop3.b32 %r0, 0xff, 0x0f, 0x33, 0x80;", 0x03}, Case{"fns.b32 %r0, 0xaa, 0, 3;", 5},
        Case{"fns.b32 %r0, 0xaa, 7, -2;", 5}, Case{"fns.b32 %r0, 1, 2, 1;", 0xffffffff}, Case{"cnot.b32 %r0, 0;", 1},
        Case{"slct.b32.s32 %r0, 1, 2, -1;", 2}, Case{"slct.b32.f32 %r0, 1, 2, 0f80000000;", 1},
        Case{"mov.b32 {%h0, %h1}, 0x12345678; mov.b32 %r0, {%h1, %h0};", 0x56781234}));

INSTANTIATE_TEST_SUITE_P(
    Comparison, Words,
    testing::Values(Case{"setp.lt.s32 %p0, -1, 1; selp.b32 %r0, 7, 9, %p0;", 7},
                    Case{"setp.lo.u32 %p0, -1, 1; selp.b32 %r0, 7, 9, %p0;", 9},
                    Case{"mov.f32 %f0, 0f7fffffff; setp.ltu.f32 %p0, %f0, %f0; selp.b32 %r0, 1, 0, %p0;", 1},
                    Case{"mov.f32 %f0, 0f7fffffff; setp.ne.f32 %p0, %f0, %f0; selp.b32 %r0, 1, 0, %p0;", 0},
                    Case{"mov.f32 %f0, 0f7fffffff; setp.neu.f32 %p0, %f0, %f0; selp.b32 %r0, 1, 0, %p0;", 1},
                    Case{"setp.eq.f32 %p0, 0f80000000, 0f00000000; selp.b32 %r0, 1, 0, %p0;", 1},
                    Case{"setp.eq.ftz.f32 %p0, 0f00000001, 0f00000000; selp.b32 %r0, 1, 0, %p0;", 1},
                    Case{"setp.eq.s32 %p0|%p1, 1, 2; selp.b32 %r1, 1, 0, %p0; selp.b32 %r0, 2, %r1, %p1;", 2},
                    Case{"setp.eq.s32 %p1, 1, 1; setp.eq.and.s32 %p0, 2, 2, !%p1; selp.b32 %r0, 1, 0, %p0;", 0},
                    Case{"set.gt.u32.f32 %r0, 0f40000000, 0f3f800000;", 0xffffffff},
                    Case{"testp.subnormal.f32 %p0, 0f00000001; selp.b32 %r0, 1, 0, %p0;", 1}));

INSTANTIATE_TEST_SUITE_P(
    Float, Words,
    testing::Values(Case{"add.rz.f32 %f0, 0f3f800000, 0f33000001; mov.b32 %r0, %f0;", 0x3f800000},
                    Case{"add.rp.f32 %f0, 0f3f800000, 0f33000001; mov.b32 %r0, %f0;", 0x3f800001},
                    Case{"mul.ftz.f32 %f0, 0f00800000, 0f3f000000; mov.b32 %r0, %f0;", 0},
                    Case{"mul.f32 %f0, 0f00800000, 0f3f000000; mov.b32 %r0, %f0;", 0x00400000},
                    Case{"add.sat.f32 %f0, 0f40000000, 0f40000000; mov.b32 %r0, %f0;", 0x3f800000},
                    Case{"mov.f32 %f1, 0f7fc00001; add.sat.f32 %f0, %f1, %f1; mov.b32 %r0, %f0;", 0},
                    Case{"sub.f32 %f0, 0f7f800000, 0f7f800000; mov.b32 %r0, %f0;", 0x7fffffff},
                    Case{"min.f32 %f0, 0f7fc00000, 0f3f800000; mov.b32 %r0, %f0;", 0x3f800000},
                    Case{"min.NaN.f32 %f0, 0f7fc00000, 0f3f800000; mov.b32 %r0, %f0;", 0x7fffffff},
                    Case{"min.f32 %f0, 0f00000000, 0f80000000; mov.b32 %r0, %f0;", 0x80000000},
                    Case{"max.f32 %f0, 0f80000000, 0f00000000; mov.b32 %r0, %f0;", 0},
                    Case{"copysign.f32 %f0, 0f80000000, 0f3f800000; mov.b32 %r0, %f0;", 0xbf800000},
                    Case{"ex2.approx.f32 %f0, 0f40400000; mov.b32 %r0, %f0;", 0x41000000},
                    Case{"ex2.approx.ftz.f32 %f0, 0fff800000; mov.b32 %r0, %f0;", 0},
                    Case{"lg2.approx.f32 %f0, 0f41000000; mov.b32 %r0, %f0;", 0x40400000},
                    Case{"rcp.approx.ftz.f32 %f0, 0f80000000; mov.b32 %r0, %f0;", 0xff800000},
                    Case{"rsqrt.approx.f32 %f0, 0f40800000; mov.b32 %r0, %f0;", 0x3f000000},
                    Case{"div.approx.f32 %f0, 0f3f800000, 0f7f000001; mov.b32 %r0, %f0;", 0}));

INSTANTIATE_TEST_SUITE_P(
    Conversion, Words,
    testing::Values(Case{"cvt.rzi.s32.f32 %r0, 0fbfc00000;", 0xffffffff}, Case{"cvt.rni.s32.f32 %r0, 0f40200000;", 2},
                    Case{"cvt.rmi.s32.f32 %r0, 0fbf000000;", 0xffffffff}, Case{"cvt.rpi.s32.f32 %r0, 0f3f000000;", 1},
                    Case{"cvt.rzi.s32.f32 %r0, 0f4f800000;", 0x7fffffff}, Case{"cvt.rzi.u32.f32 %r0, 0fbf800000;", 0},
                    Case{"mov.f32 %f0, 0f7fffffff; cvt.rzi.s32.f32 %r0, %f0;", 0},
                    Case{"cvt.rn.f32.s32 %f0, 16777217; mov.b32 %r0, %f0;", 0x4b800000},
                    Case{"cvt.rp.f32.s32 %f0, 16777217; mov.b32 %r0, %f0;", 0x4b800001},
                    Case{"cvt.rz.f32.u64 %f0, 0xffffffffffffffff; mov.b32 %r0, %f0;", 0x5f7fffff},
                    Case{"cvt.sat.f32.f32 %f0, 0fc0000000; mov.b32 %r0, %f0;", 0},
                    Case{"cvt.rni.f32.f32 %f0, 0f40200000; mov.b32 %r0, %f0;", 0x40000000},
                    Case{"mov.u32 %r1, 0x1ff; cvt.s8.s32 %r0, %r1;", 0xffffffff},
                    Case{"mov.u32 %r1, 300; cvt.sat.u8.u32 %r0, %r1;", 255},
                    Case{"mov.u32 %r1, -300; cvt.sat.s8.s32 %r0, %r1;", 0xffffff80},
                    Case{"cvt.rn.f16.f32 %h0, 0f3f802000; cvt.u32.u16 %r0, %h0;", 0x3c01},
                    Case{"cvt.rn.f16x2.f32 %r0, 0f3f800000, 0f40000000;", 0x3c004000},
                    Case{"cvt.rn.bf16x2.f32 %r0, 0f3f800000, 0f40000000;", 0x3f804000},
                    Case{"mov.b16 %h0, 0x3c00; cvt.f32.f16 %f0, %h0; mov.b32 %r0, %f0;", 0x3f800000}));

TEST(WideResults, SixtyFourBits) {
    EXPECT_EQ(wide("mul.wide.s32 %d0, -2, 3;"), static_cast<uint64_t>(-6));
    EXPECT_EQ(wide("mul.wide.u32 %d0, 0xffffffff, 0xffffffff;"), 0xfffffffe00000001u);
    EXPECT_EQ(wide("mad.wide.u32 %d0, 0xffffffff, 2, 5;"), 0x200000003u);
    EXPECT_EQ(wide("mul.hi.u64 %d0, 0x8000000000000000, 6;"), 3u);
    EXPECT_EQ(wide("shl.b64 %d0, 1, 64;"), 0u);
    EXPECT_EQ(wide("shr.s64 %d0, 0x8000000000000000, 100;"), ~uint64_t{0});
    EXPECT_EQ(wide("bfi.b64 %d0, 0xff, 0, 32, 8;"), 0xff00000000u);
    EXPECT_EQ(wide("mov.b64 %d0, {1, 2};"), 0x200000001u);
    EXPECT_EQ(wide("cvt.rzi.s64.f64 %d0, 0dc3f0000000000000;"), 0x8000000000000000u);
    EXPECT_EQ(wide("rcp.approx.ftz.f64 %g0, 0d4010000000000000; mov.b64 %d0, %g0;"), 0x3fd0000000000000u);
    EXPECT_EQ(wide("fma.rm.f64 %g0, 0d3ff0000000000000, 0d3ff0000000000000, 0d3c00000000000000; mov.b64 %d0, %g0;"),
              0x3ff0000000000000u);
    EXPECT_EQ(wide("mov.u64 %d0, 9; mov.u32 %r1, -1; cvt.s64.s32 %d0, %r1;"), ~uint64_t{0});
}

TEST(ControlFlow, GuardsNarrowOneInstruction) {
    EXPECT_EQ(word("mov.u32 %r0, 1; setp.eq.s32 %p0, 1, 2; @%p0 mov.u32 %r0, 2; @!%p0 add.u32 %r0, %r0, 10;"), 11u);
}

TEST(ControlFlow, BranchTablesAreIndexed) {
    EXPECT_EQ(word("mov.u32 %r1, 1; T: .branchtargets A, B, C;\nbrx.idx %r1, T;\nA: mov.u32 %r0, 10; bra D;\n"
                   "B: mov.u32 %r0, 20; bra D;\nC: mov.u32 %r0, 30;\nD:"),
              20u);
}

TEST(GenericAddresses, ReachSharedAndLocalMemory) {
    EXPECT_EQ(
        word(".shared .align 4 .b32 s; .local .align 4 .b32 l; mov.u64 %d1, s; cvta.shared.u64 %d1, %d1;"
             "mov.u64 %d2, l; cvta.local.u64 %d2, %d2; st.u32 [%d1], 5; st.u32 [%d2], 7; ld.shared.u32 %r1, [s];"
             "ld.local.u32 %r2, [l]; mad.lo.s32 %r0, %r1, 10, %r2; isspacep.shared %p0, %d1; isspacep.local %p1, %d1;"
             "@%p0 add.u32 %r0, %r0, 100; @%p1 add.u32 %r0, %r0, 1000;"),
        157u);
}

TEST(Strictness, WhatPtxHasAndTheSimulatorLacksFailsAtLoad) {
    SimulatedDevice device;
    for (const char* const body : {
             "tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r0, %r0, %r1, %r1}];",
             "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f0, %f1}], {%r0, %r1}, %f2;",
             "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, %d1, {%f0, %f1}];",
             "txq.filter_mode.b32 %r0, [%d0];",
             "multimem.ld_reduce.relaxed.gpu.global.add.e4m3x4 %r0, [%d0];",
             "suq.channel_order.b32 %r0, [%d0];",
             "cvt.rn.satfinite.ue5m3x2.f32 %h0, %f0, %f1;",
         }) {
        LoadError::Kind kind{};
        const std::string log = device.load_error(module_around(body), &kind);
        EXPECT_EQ(kind, LoadError::Kind::unsupported_ptx) << body;
        EXPECT_THAT(log, HasSubstr("line 9")) << body;
        EXPECT_THAT(log, HasSubstr(std::string(body).substr(0, std::string(body).find(' ')))) << body;
    }
}

// Each of them is refused by ptxas as well.
TEST(Strictness, WhatIsNoPtxFailsAtLoadWithLineAndInstruction) {
    SimulatedDevice device;
    for (const char* const body : {
             "frobnicate.s32 %r0, %r1;",
             "tex.2d.v4.b32.f32 {%r0, %r1, %r2, %r3}, [%d0, {%f0, %f1}];",
             "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f0}];",
             "tex.cube.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r0, %r1, %r1, %r1}];",
             "suld.b.1d.b32 {%r0}, [%d0, {%r1}];",
             "suld.b.2d.v4.b64.trap {%d0, %d1, %d2, %d3}, [%d0, {%r1, %r2}];",
             "sust.p.2d.b16.trap [%d0, {%r1, %r2}], {%h0};",
             "sured.b.and.1d.b64.zero [%d0, {%r1}], %d1;",
             "add.ftz.s32 %r0, %r1, %r2;",
             "add.sat.u32 %r0, %r1, %r2;",
             "add.rn.rz.f32 %f0, %f1, %f2;",
             "mul.s32 %r0, %r1, %r2;",
             "mov.ftz.f32 %f0, %f1;",
             "mov.s8 %h0, %h1;",
             "cvt.f32.u32 %f0, %r1;",
             "cvt.rn.u32.u64 %r0, %d1;",
             "cvta.u64 %d0, %d1;",
             "isspacep.nc %p0, %d1;",
             "ret 1;",
             "exit %r0;",
             "add.s32 %r0, %d0, 1;",
             "add.s32 %r0, %h0, 1;",
             "add.f32 %f0, %f1, 1;",
             "add.u32 %r0, %r1, 0f3f800000;",
             "add.f16 %h0, %h1, 0x3c00;",
             "add.u32 %r0, %tid.x, 1;",
             "mov.u64 %d0, %tid.x;",
             "ld.global.nc.volatile.u32 %r0, [%d0];",
             "ld.relaxed.u32 %r0, [%d0];",
             "ld.global.wb.u32 %r0, [%d0];",
             "st.const.u32 [%d0], %r0;",
             "ld.shared.u32 %r0, [out];",
             "ld.v2.u32 {%r0, %d1}, [%d0];",
             "setp.lo.s32 %p0, %r0, %r1;",
             "prefetch.global.L1 %d0;",
             "lop3.b32 %r0, %r1, %r2, %r3, 256;",
             "mov.u64 {%r0, %r1}, %d0;",
         }) {
        LoadError::Kind kind = LoadError::Kind::unresolved_symbol;
        const std::string log = device.load_error(module_around(body), &kind);
        EXPECT_EQ(kind, LoadError::Kind::invalid_ptx) << body;
        EXPECT_THAT(log, HasSubstr("line 9")) << body;
    }
    EXPECT_THAT(device.load_error(module_around("ret;", "sm_90")), HasSubstr("compute capability 8.0"));
    EXPECT_THAT(device.load_error(module_around("add.s32 %r0, %d0, 1;")), HasSubstr("64 bits wide, expected 32"));
    EXPECT_THAT(device.load_error(module_around("add.bf16 %h0, %h1, %h2;")), HasSubstr("needs .target sm_90"));
}

TEST(Strictness, CallsThatDoNotFitTheCalleeFailAtLoad) {
    SimulatedDevice device;
    const std::string header =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".func (.param .b32 r) f(.param .b32 x) { ret; }\n"
        ".visible .entry k() { .reg .b32 %r<4>; .param .b32 a; .param .b64 b; ";
    EXPECT_THAT(device.load_error(header + "call (a), f, (b); ret; }"), HasSubstr("8 bytes, the callee's 4"));
    EXPECT_THAT(device.load_error(header + "call (a), f, (a, a); ret; }"), HasSubstr("passes 2 arguments"));
    EXPECT_THAT(device.load_error(header + "call f, (a); ret; }"), HasSubstr("takes 0 results"));
    EXPECT_EQ(device.load_error(header + "call (%r0), f, (%r1); ret; }"), "");
}

TEST(Strictness, AnInitialValueHoldsNoAddressInSharedMemory) {
    SimulatedDevice device;
    EXPECT_THAT(device.load_error(".version 8.0\n.target sm_80\n.address_size 64\n.shared .b32 s;\n"
                                  ".global .u64 p = s;\n.visible .entry k() { ret; }"),
                HasSubstr("line 5"));
}

TEST(Strictness, AnAddressThatNothingWroteIsReported) {
    SimulatedDevice device;
    device.load(module_around("st.global.u32 [%d3], 1;"));
    const auto fault = device.launch("k", {{1}, {1}}, Arguments(uint64_t{0}));
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::uninitialised_register);
    EXPECT_EQ(fault->ptx_line, 9u);
}

TEST(Strictness, RecursionWithoutEndOverflowsTheStack) {
    SimulatedDevice device;
    device.load(
        ".version 8.0\n.target sm_80\n.address_size 64\n.func f()\n{\n.local .b8 l[64];\n.reg .b64 %d;\n"
        "mov.u64 %d, l;\nst.local.u8 [%d], 1;\ncall f;\nret;\n}\n.visible .entry k()\n{\ncall f;\nret;\n}\n");
    const auto fault = device.launch("k", {{1}, {32}}, Arguments());
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::stack_overflow);
}

TEST(Strictness, CancellingEndsAnEndlessKernel) {
    const Program::Loaded loaded = Program::load(module_around("L: bra L;"), DeviceModel{});
    ASSERT_TRUE(loaded.program);
    Engine engine{DeviceModel{}};
    std::atomic<bool> cancel{true};
    LaunchRequest request;
    request.program = loaded.program;
    request.parameters.resize(8);
    request.cancel = &cancel;
    const auto fault = engine.launch(request);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, Fault::Kind::cancelled);
}

}  // namespace
}  // namespace cuprum::simulator::test
