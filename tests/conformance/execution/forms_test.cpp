// Instructions of synchronisation and memory, form by form, with results derived by hand from the PTX ISA.
#include <bit>

#include "execution.hpp"

namespace cuprum::core {
namespace {

using test::buffer_of;
using test::values_of;

struct Form {
    const char* name;
    const char* body;  // leaves its result in %d0
    uint64_t expected;
};
std::ostream& operator<<(std::ostream& out, const Form& form) {
    return out << form.name;
}

// One thread. %out is the address of eight words of 64 bits, the first of which takes the result; they hold 0, 1 as a
// float, and the bytes 0x10 to 0x3f. `s` is zeroed shared memory.
class Forms : public testing::TestWithParam<Form> {};

TEST_P(Forms, GiveTheIsasResult) {
    const Device device(0);
    const std::string text =
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
        ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n"
        ".reg .f64 %g<9>; .reg .b128 %q<9>; .reg .b64 %out; .shared .align 128 .b8 s[256];\n"
        "ld.param.u64 %out, [out]; cvta.to.global.u64 %out, %out; mov.u32 %r8, s; add.u32 %r7, %r8, 256;\n"
        "Z: st.shared.u32 [%r8], 0; add.u32 %r8, %r8, 4; setp.lt.u32 %p8, %r8, %r7; @%p8 bra Z;\n" +
        std::string(GetParam().body) + "\nst.global.b64 [%out], %d0;\nret;\n}\n";
    std::vector<uint64_t> memory{0, 0x3f800000, 0, 0, 0, 0, 0, 0};
    for (size_t k = 0; k < 48; ++k)
        memory[2 + k / 8] |= (0x10 + k) << (8 * (k % 8));
    const Buffer out = buffer_of(device, memory);
    const Stream stream = device.create_stream();
    launch(stream, {1, 1}, ObjectCode::from_ptx(text).get_kernel("k"), out);
    stream.sync();
    EXPECT_EQ(values_of<uint64_t>(out)[0], GetParam().expected);
}

std::string name_of(const testing::TestParamInfo<Form>& instance) {
    return instance.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Mbarrier, Forms,
    testing::Values(Form{"PendingCount",
                         "mbarrier.init.shared.b64 [s], 5; mbarrier.arrive.shared::cta.b64 %d1, [s], 2;"
                         "mbarrier.arrive.shared.b64 %d2, [s]; mbarrier.pending_count.b64 %r0, %d2;"
                         "cvt.u64.u32 %d0, %r0;",
                         3},
                    Form{"TestWait",
                         "mbarrier.init.shared.b64 [s], 2; mbarrier.arrive.shared.b64 %d1, [s];"
                         "mbarrier.test_wait.shared.b64 %p0, [s], %d1; mbarrier.arrive.shared.b64 %d2, [s];"
                         "mbarrier.test_wait.shared.b64 %p1, [s], %d1; selp.u64 %d0, 10, 0, %p0;"
                         "@%p1 add.u64 %d0, %d0, 1;",
                         1},
                    Form{"ParityAndPhases",
                         "mbarrier.init.shared.b64 [s], 1;"
                         "mbarrier.test_wait.parity.shared.b64 %p0, [s], 0;"  // the first phase is not over
                         "mbarrier.test_wait.parity.shared.b64 %p1, [s], 1;"  // the one before it is
                         "mbarrier.arrive.shared.b64 _, [s];"
                         "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [s], 0, 1000;"
                         "mbarrier.arrive.release.cta.shared::cta.b64 %d1, [s];"
                         "mbarrier.try_wait.shared::cta.b64 %p3, [s], %d1;"
                         "selp.u64 %d0, 1000, 0, %p0; @%p1 add.u64 %d0, %d0, 100; @%p2 add.u64 %d0, %d0, 10;"
                         "@%p3 add.u64 %d0, %d0, 1;",
                         111},
                    Form{"NoComplete",
                         "mbarrier.init.shared.b64 [s], 3; mbarrier.arrive.noComplete.shared.b64 %d1, [s], 2;"
                         "mbarrier.arrive.shared.b64 %d2, [s]; mbarrier.test_wait.shared.b64 %p0, [s], %d1;"
                         "selp.u64 %d0, 1, 0, %p0;",
                         1},
                    Form{"ArriveDrop",
                         "mbarrier.init.shared.b64 [s], 2; mbarrier.arrive_drop.shared.b64 _, [s];"
                         "mbarrier.arrive.shared.b64 _, [s];"  // completes, and one is expected from now on
                         "mbarrier.arrive.shared.b64 %d1, [s]; mbarrier.test_wait.shared.b64 %p0, [s], %d1;"
                         "mbarrier.pending_count.b64 %r0, %d1; cvt.u64.u32 %d0, %r0; @%p0 add.u64 %d0, %d0, 10;",
                         11},
                    Form{"Transactions",
                         "mbarrier.init.shared::cta.b64 [s], 1;"
                         "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d1, [s], 48;"
                         "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], 32;"
                         "mbarrier.test_wait.shared::cta.b64 %p0, [s], %d1;"
                         "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], 8;"
                         "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], 24;"
                         "mbarrier.test_wait.shared::cta.b64 %p1, [s], %d1; selp.u64 %d0, 10, 0, %p0;"
                         "@%p1 add.u64 %d0, %d0, 1;",
                         1},
                    Form{"GenericAddressAndInval",
                         "mov.u64 %d3, s; cvta.shared.u64 %d3, %d3; mbarrier.init.b64 [%d3+8], 1;"
                         "mbarrier.arrive.b64 %d1, [%d3+8]; mbarrier.test_wait.b64 %p0, [%d3+8], %d1;"
                         "mbarrier.inval.b64 [%d3+8]; st.shared.u64 [s+8], 7; ld.shared.u64 %d0, [s+8];"
                         "@%p0 add.u64 %d0, %d0, 10;",
                         17}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    AsynchronousCopy, Forms,
    testing::Values(Form{"FourBytes",
                         "cp.async.ca.shared.global [s+4], [%out+16], 4; cp.async.wait_all; ld.shared.u64 %d0, [s];",
                         0x1312111000000000},
                    Form{"EightBytesOfSix",
                         "st.shared.u64 [s], -1; cp.async.ca.shared.global [s], [%out+24], 8, 6;"
                         "cp.async.commit_group; cp.async.wait_group 0; ld.shared.u64 %d0, [s];",
                         0x00001d1c1b1a1918},
                    Form{"SixteenBytes",
                         "cp.async.cg.shared::cta.global.L2::128B [s], [%out+16], 16; cp.async.commit_group;"
                         "cp.async.wait_group 0; ld.shared.v2.u64 {%d1, %d0}, [s];",
                         0x1f1e1d1c1b1a1918},
                    Form{"SixteenBytesOfNone",
                         "st.shared.u64 [s+8], -1; mov.u32 %r0, 0;"
                         "cp.async.cg.shared.global [s], [%out+16], 16, %r0; cp.async.wait_all;"
                         "ld.shared.v2.u64 {%d1, %d0}, [s];",
                         0},
                    Form{"IgnoredSource",
                         "st.shared.u64 [s], -1; setp.eq.u32 %p0, 1, 1; setp.eq.u32 %p1, 1, 2;"
                         "cp.async.ca.shared.global [s], [%out+16], 4, %p0;"
                         "cp.async.ca.shared.global [s+4], [%out+16], 4, %p1; cp.async.wait_all;"
                         "ld.shared.u64 %d0, [s];",
                         0x1312111000000000},
                    Form{"TheLatestGroupMayBeLeft",
                         "cp.async.ca.shared.global [s], [%out+16], 8; cp.async.commit_group;"
                         "cp.async.ca.shared.global [s+8], [%out+24], 8; cp.async.commit_group;"
                         "cp.async.wait_group 1; ld.shared.u64 %d0, [s]; cp.async.wait_group 0;",
                         0x1716151413121110},
                    Form{"ArrivesAtAnMbarrier",
                         "mbarrier.init.shared.b64 [s+64], 2;"
                         "cp.async.ca.shared.global [s], [%out+16], 8;"
                         "cp.async.mbarrier.arrive.noinc.shared.b64 [s+64];"
                         "mbarrier.arrive.shared.b64 %d1, [s+64];\n"
                         "W: mbarrier.test_wait.shared.b64 %p0, [s+64], %d1; @!%p0 bra W;"
                         "ld.shared.u64 %d0, [s];",
                         0x1716151413121110},
                    Form{"ArrivesAsOneMore",
                         "mbarrier.init.shared.b64 [s+64], 1; cp.async.ca.shared.global [s], [%out+16], 8;"
                         "cp.async.mbarrier.arrive.shared.b64 [s+64]; mbarrier.arrive.shared.b64 %d1, [s+64];\n"
                         "W: mbarrier.test_wait.shared.b64 %p0, [s+64], %d1; @!%p0 bra W;"
                         "ld.shared.u64 %d0, [s];",
                         0x1716151413121110},
                    Form{"BulkToSharedMemory",
                         "mbarrier.init.shared.b64 [s+64], 1; fence.mbarrier_init.release.cluster;"
                         "fence.proxy.async.shared::cta;"
                         "mbarrier.arrive.expect_tx.shared::cta.b64 %d1, [s+64], 32; mov.u32 %r0, 32;"
                         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%out+16], %r0,"
                         "[s+64];\nW: mbarrier.try_wait.shared::cta.b64 %p0, [s+64], %d1; @!%p0 bra W;"
                         "ld.shared.u64 %d0, [s+24];",
                         0x2f2e2d2c2b2a2928},
                    Form{"BulkToGlobalMemory",
                         "st.shared.u64 [s+8], 77; fence.proxy.async;"
                         "cp.async.bulk.global.shared::cta.bulk_group [%out+32], [s], 16;"
                         "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;"
                         "cp.async.bulk.wait_group 0; fence.proxy.async; ld.global.u64 %d0, [%out+40];",
                         77}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Wide, Forms,
    testing::Values(Form{"MoveAndLoad",
                         "ld.global.b128 %q0, [%out+16]; mov.b128 {%d1, %d2}, %q0; xor.b64 %d0, %d1, %d2;",
                         0x1716151413121110 ^ 0x1f1e1d1c1b1a1918},
                    Form{"StoreAndLoadInOrder",
                         "mov.u64 %d1, 3; mov.u64 %d2, 4; mov.b128 %q1, {%d1, %d2};"
                         "st.relaxed.gpu.global.b128 [%out+32], %q1; ld.acquire.gpu.global.b128 %q2, [%out+32];"
                         "mov.b128 {%d3, %d4}, %q2; mad.lo.u64 %d0, %d3, 10, %d4;",
                         34},
                    Form{"Exchange",
                         "mov.b128 %q1, {%d1, %d1}; mov.u64 %d1, 5; mov.u64 %d2, 6; mov.b128 %q1, {%d1, %d2};"
                         "atom.global.exch.b128 %q0, [%out+16], %q1; mov.b128 {%d3, %d4}, %q0;"
                         "ld.global.u64 %d5, [%out+24]; add.u64 %d0, %d4, %d5;",
                         0x1f1e1d1c1b1a1918 + 6},
                    Form{"CompareAndSwap",
                         "ld.global.b128 %q0, [%out+16]; mov.u64 %d1, 8; mov.b128 %q1, {%d1, %d1};"
                         "atom.global.relaxed.gpu.cas.b128 %q2, [%out+16], %q0, %q1;"
                         "atom.global.cas.b128 %q3, [%out+16], %q0, %q0;"  // no longer equal
                         "mov.b128 {%d3, %d4}, %q3; ld.global.u64 %d5, [%out+16]; mad.lo.u64 %d0, %d4, 100, %d5;",
                         808}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Atomics, Forms,
    testing::Values(
        Form{"AddFloatInGlobalMemoryFlushes",  // 1.5 of the smallest normal number, less that number
             "st.global.u32 [%out+16], 0x00c00000; atom.global.add.f32 %f1, [%out+16], 0f80800000;"
             "ld.global.u32 %d0, [%out+16];",
             0},
        Form{"AddFloatInSharedMemoryDoesNot",
             "st.shared.u32 [s], 0x00c00000; atom.shared.add.f32 %f1, [s], 0f80800000; ld.shared.u32 %d0, [s];",
             0x00400000},
        Form{"AddFloatThroughAGenericAddress",
             "mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; st.shared.u32 [s], 0x00c00000;"
             "atom.add.f32 %f1, [%d1], 0f80800000; ld.shared.u32 %d0, [s];",
             0x00400000},
        Form{"AddDoubleFlushesNothing",
             "st.global.u64 [%out+16], 1; atom.global.add.f64 %g1, [%out+16], 0d0000000000000003;"
             "ld.global.u64 %d0, [%out+16];",
             4},
        Form{"VectorOfTwoFloats",
             "st.global.v2.f32 [%out+16], {0f3f800000, 0f40000000};"
             "red.global.add.v2.f32 [%out+16], {0f3f800000, 0f3f800000}; ld.global.u64 %d0, [%out+16];",
             0x4040000040000000},
        Form{"VectorOfFourFloatsAndItsOldValue",
             "st.global.v4.f32 [%out+16], {0f3f800000, 0f40000000, 0f00000000, 0f00000000};"
             "mov.f32 %f4, 0f3f800000; mov.f32 %f5, 0f40000000;"
             "atom.global.relaxed.gpu.add.v4.f32 {%f5, %f4, %f1, %f2}, [%out+16], {%f4, %f5, %f4, %f5};"
             "ld.global.v2.u32 {%r0, %r1}, [%out+16]; mov.b32 %r2, %f4; xor.b32 %r1, %r1, %r2;"
             "mov.b64 %d0, {%r0, %r1};",
             uint64_t{0x40800000 ^ 0x40000000} << 32 | 0x40000000},
        Form{"VectorOfFourHalves",
             "st.global.u64 [%out+16], 0x3c003c003c003c00; mov.b16 %h0, 0x3c00; mov.b16 %h1, 0x4000;"
             "red.global.add.noftz.v4.f16 [%out+16], {%h0, %h1, %h0, %h0}; ld.global.u64 %d0, [%out+16];",
             0x4000400042004000},
        Form{"VectorOfTwoPairsOfBfloats",
             "st.global.u64 [%out+16], 0x3f803f803f803f80; mov.b32 %r0, 0x3f804000;"
             "red.global.add.noftz.v2.bf16x2 [%out+16], {%r0, %r0}; ld.global.u64 %d0, [%out+16];",
             0x4000404040004040},
        Form{"MaximumOfHalves",
             "st.global.u32 [%out+16], 0x3c00bc00; mov.b16 %h0, 0x3800; mov.b16 %h1, 0x3800;"
             "red.global.max.noftz.v2.f16 [%out+16], {%h0, %h1}; ld.global.u32 %d0, [%out+16];",
             0x3c003800},
        Form{"HalvesAndBfloats",
             "st.global.u32 [%out+16], 0x3c003c00; mov.b16 %h0, 0x3c00; atom.global.add.noftz.f16 %h1, [%out+16], %h0;"
             "mov.b32 %r0, 0x40003c00; atom.global.add.noftz.f16x2 %r1, [%out+16], %r0;"
             "st.global.u32 [%out+24], 0x3f803f80; mov.b16 %h0, 0x3f80;"
             "atom.global.add.noftz.bf16 %h1, [%out+24], %h0; mov.b32 %r0, 0x3f803f80; atom.global.add.noftz.bf16x2 "
             "%r1, [%out+24], %r0;"
             "ld.global.u32 %r2, [%out+16]; ld.global.u32 %r3, [%out+24]; mov.b64 %d0, {%r2, %r3};",
             0x4000404042004200},
        Form{"SixteenBitCompareAndSwap",
             "st.global.u32 [%out+16], 0x00070005; mov.b16 %h0, 7; mov.b16 %h1, 9;"
             "atom.global.cas.b16 %h2, [%out+18], %h0, %h1; ld.global.u32 %d0, [%out+16];",
             0x00090005},
        Form{"IncrementAndDecrementWrap",
             "st.global.u32 [%out+16], 5; atom.global.inc.u32 %r0, [%out+16], 5; atom.global.dec.u32 %r1, [%out+16], 9;"
             "ld.global.u32 %r2, [%out+16]; mad.lo.u32 %r0, %r0, 100, %r1; mad.lo.u32 %r0, %r0, 100, %r2;"
             "cvt.u64.u32 %d0, %r0;",
             50009},
        Form{"SignedMinimumAndMaximum",
             "st.shared.u64 [s], -5; atom.shared.min.s64 %d1, [s], -9; atom.shared.max.s64 %d1, [s], -7;"
             "ld.shared.u64 %d0, [s];",
             static_cast<uint64_t>(-7)},
        Form{"UnsignedMinimumAndMaximum",
             "st.shared.u64 [s], -5; atom.shared.min.u64 %d1, [s], 9; atom.shared::cta.max.u64 %d1, [s], 11;"
             "ld.shared.u64 %d0, [s];",
             11},
        Form{"BitwiseOrdersAndScopes",
             "st.global.u64 [%out+16], 0xff; red.relaxed.sys.global.and.b64 [%out+16], 0x3f;"
             "red.release.gpu.global.or.b64 [%out+16], 0x100; atom.acq_rel.cta.global.xor.b64 %d1, [%out+16], 1;"
             "atom.acquire.cluster.global.exch.b64 %d0, [%out+16], 3;",
             0x13e}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Stack, Forms,
    testing::Values(Form{
        "Alloca",
        "stacksave.u64 %d1; alloca.u64 %d2, 64, 32; st.local.u64 [%d2+56], 9; ld.local.u64 %d0, [%d2+56];"
        "and.b64 %d3, %d2, 31; add.u64 %d0, %d0, %d3; stackrestore.u64 %d1; alloca.u64 %d4, 64, 32;"
        "setp.eq.u64 %p0, %d2, %d4; @%p0 add.u64 %d0, %d0, 100;",
        109}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Fences, Forms,
    testing::Values(Form{"OfEveryKind",
                         "fence.sc.cta; fence.acq_rel.gpu; fence.sc.sys; fence.acq_rel.cluster; fence.proxy.alias;"
                         "fence.proxy.async.global; fence.proxy.async.shared::cta; membar.cta; membar.gl; membar.sys;"
                         "griddepcontrol.launch_dependents; griddepcontrol.wait; mov.u64 %d0, 1;",
                         1}),
    name_of);

}  // namespace
}  // namespace cuprum::core
